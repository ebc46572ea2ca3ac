use camino::Utf8PathBuf;
use lookback::{index, session_model};
use napi_derive::napi;

use super::{count, name_of};

/// How far a sync is.
#[napi(object, object_from_js = false)]
pub struct Progress {
    /// Files that are done, of those that changed.
    pub files_done: i64,
    /// Files that changed.
    pub files_total: i64,
    /// Bytes that are done, of those that are new.
    pub bytes_done: i64,
    /// Bytes that are new.
    pub bytes_total: i64,
}

/// What a sync did, and what it could not do.
#[napi(object, object_from_js = false)]
pub struct SyncReport {
    /// How it ended: nothing had changed, the index now holds what the folders hold, another process was writing all
    /// the time and search answers from the last commit, or it was ended before it was done.
    #[napi(ts_type = "'unchanged' | 'updated' | 'busy' | 'cancelled'")]
    pub state: String,
    /// Session files that were found.
    pub files: i64,
    /// Files that are new in the index.
    pub added: i64,
    /// Files of which only the new end was read.
    pub extended: i64,
    /// Files that were read anew.
    pub rewritten: i64,
    /// Files that were only moved or renamed.
    pub moved: i64,
    /// Files that are gone from the folders, and from the index.
    pub removed: i64,
    /// Bytes of the changed files that were read.
    pub bytes_read: i64,
    /// False when a folder could not be read to its end. Then nothing was removed from the index.
    pub complete: bool,
    /// Files that changed and could not be read, the first hundred. What the index knew of them, it still knows.
    pub failed: Vec<FailedFile>,
    /// How many could not be read in all.
    pub failed_count: i64,
    /// What was passed over in the folders, the first hundred.
    pub skipped: Vec<SkippedFile>,
    /// How many were passed over in all.
    pub skipped_count: i64,
    /// Folders that do not exist.
    pub missing_roots: Vec<String>,
    /// Why the index was built again from nothing, where it was: it was damaged or of an older format.
    pub rebuilt: Option<String>,
}

/// A session file that could not be read.
#[napi(object, object_from_js = false)]
pub struct FailedFile {
    /// The file.
    pub path: String,
    /// A stable name for what was wrong.
    pub code: String,
    /// The same for people.
    pub message: String,
}

/// Something in a session folder that is not read.
#[napi(object, object_from_js = false)]
pub struct SkippedFile {
    /// Its path.
    pub path: String,
    /// Why.
    #[napi(ts_type = "'link' | 'notAFile' | 'name' | 'unreadable' | 'tooDeep' | 'excluded'")]
    pub reason: String,
}

impl From<lookback::Progress> for Progress {
    fn from(progress: lookback::Progress) -> Self {
        Self {
            files_done: count(progress.files_done),
            files_total: count(progress.files_total),
            bytes_done: count(progress.bytes_done),
            bytes_total: count(progress.bytes_total),
        }
    }
}

impl From<lookback::SyncReport> for SyncReport {
    fn from(report: lookback::SyncReport) -> Self {
        let failed = |file: index::FailedFile| FailedFile {
            path: file.path.into_string(),
            code: file.code.to_owned(),
            message: file.message,
        };
        Self {
            state: name_of(report.state),
            files: count(report.files),
            added: count(report.added),
            extended: count(report.extended),
            rewritten: count(report.rewritten),
            moved: count(report.moved),
            removed: count(report.removed),
            bytes_read: count(report.bytes_read),
            complete: report.complete,
            failed: report.failed.into_iter().map(failed).collect(),
            failed_count: count(report.failed_count),
            skipped: report.skipped.into_iter().map(SkippedFile::from).collect(),
            skipped_count: count(report.skipped_count),
            missing_roots: report
                .missing_roots
                .into_iter()
                .map(Utf8PathBuf::into_string)
                .collect(),
            rebuilt: report.rebuilt,
        }
    }
}

impl From<session_model::Skipped> for SkippedFile {
    fn from(skipped: session_model::Skipped) -> Self {
        Self {
            path: skipped.path,
            reason: name_of(skipped.reason),
        }
    }
}
