use camino::Utf8PathBuf;
use lookback::{Failure, Scanned, Source, scan};
use napi_derive::napi;

use super::{FailedFile, SkippedFile, SyncReport, count, name_of};

/// What an answer comes from, and how fresh and whole that is.
#[napi(object, object_from_js = false)]
pub struct AnswerSource {
    /// `unchanged`, `updated`, `busy`, `cancelled`: the index, after a sync that ended so. `skipped`: the index as the
    /// last sync left it, because nobody asked for one. `failed`: the same, because the sync failed. `scanned`: the
    /// files themselves.
    #[napi(ts_type = "'unchanged' | 'updated' | 'busy' | 'cancelled' | 'skipped' | 'failed' | 'scanned'")]
    pub state: String,
    /// What the sync did.
    pub report: Option<SyncReport>,
    /// What was scanned.
    pub scan: Option<ScanOutcome>,
    /// The code of the error, where the sync failed or the index cannot be used.
    pub code: Option<String>,
    /// That error as a sentence.
    pub message: Option<String>,
}

/// What a scan of the files looked at.
#[napi(object, object_from_js = false)]
pub struct ScanOutcome {
    /// Whether all files were looked at. Where not, hits are those found so far.
    #[napi(ts_type = "'finished' | 'timedOut' | 'cancelled'")]
    pub ended: String,
    /// Session files that were found.
    pub files_total: i64,
    /// Session files that were looked at to their end.
    pub files_scanned: i64,
    /// Files that could not be read: the first hundred.
    pub failed: Vec<FailedFile>,
    /// How many files could not be read.
    pub failed_count: i64,
    /// What lies in the session folders and is not read: the first hundred.
    pub skipped: Vec<SkippedFile>,
    /// How many of these there are.
    pub skipped_count: i64,
    /// Session folders that do not exist.
    pub missing_roots: Vec<String>,
    /// False when a folder could not be listed to its end.
    pub folders_complete: bool,
    /// How many files with damaged lines were seen.
    pub damaged_count: i64,
    /// Slips of the keyboard would have been looked for next, which only an index can.
    pub typos_left_out: bool,
    /// The same as a sentence.
    pub message: String,
}

impl AnswerSource {
    /// The index as it is.
    pub(crate) fn last_commit() -> Self {
        Self::of("skipped")
    }

    fn of(state: impl Into<String>) -> Self {
        Self {
            state: state.into(),
            report: None,
            scan: None,
            code: None,
            message: None,
        }
    }

    fn because(self, failure: Failure) -> Self {
        Self {
            code: Some(failure.code.to_owned()),
            message: Some(failure.message),
            ..self
        }
    }
}

impl From<Source> for AnswerSource {
    fn from(source: Source) -> Self {
        match source {
            Source::Synced(report) => Self {
                state: name_of(report.state),
                report: Some(SyncReport::from(*report)),
                ..Self::last_commit()
            },
            Source::LastCommit(state) => Self::of(state.state),
            Source::Stale(failure) => Self::of(failure.state).because(failure),
            Source::Files(scanned) => {
                let Scanned {
                    state,
                    because,
                    outcome,
                } = *scanned;
                let source = Self {
                    scan: Some(ScanOutcome::from(outcome)),
                    ..Self::of(state)
                };
                match because {
                    Some(failure) => source.because(failure),
                    None => source,
                }
            }
        }
    }
}

impl From<scan::Outcome> for ScanOutcome {
    fn from(outcome: scan::Outcome) -> Self {
        let message = outcome.to_string();
        let failed = |file: scan::FailedFile| FailedFile {
            path: file.path.into_string(),
            code: file.code.to_owned(),
            message: file.message,
        };
        Self {
            ended: name_of(outcome.ended),
            files_total: count(outcome.files_total),
            files_scanned: count(outcome.files_scanned),
            failed: outcome.failed.into_iter().map(failed).collect(),
            failed_count: count(outcome.failed_count),
            skipped: outcome.skipped.into_iter().map(SkippedFile::from).collect(),
            skipped_count: count(outcome.skipped_count),
            missing_roots: outcome
                .missing_roots
                .into_iter()
                .map(Utf8PathBuf::into_string)
                .collect(),
            folders_complete: outcome.folders_complete,
            damaged_count: count(outcome.damaged_count),
            typos_left_out: outcome.typos_left_out,
            message,
        }
    }
}
