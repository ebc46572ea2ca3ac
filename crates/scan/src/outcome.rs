use std::fmt;

use camino::Utf8PathBuf;
use lookback_ranker::SearchReply;
use lookback_session_model::Skipped;
use serde::Serialize;

use crate::Marker;

/// The answer to a search, and whether it is the whole answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScanReply {
    /// The hits, as an index would give them.
    pub reply: SearchReply,
    /// Where each hit stands in its file, in the order of the hits.
    pub markers: Vec<Marker>,
    /// What was looked at, and what was not.
    pub outcome: Outcome,
}

/// What a scan looked at. Its text is a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Outcome {
    /// Whether all files were looked at.
    pub ended: Ended,
    /// Session files that were found.
    pub files_total: usize,
    /// Session files that were looked at to their end.
    pub files_scanned: usize,
    /// Files that could not be read: the first hundred.
    pub failed: Vec<FailedFile>,
    /// How many files could not be read.
    pub failed_count: usize,
    /// What lies in the session folders and is not read, such as links to files: the first hundred.
    pub skipped: Vec<Skipped>,
    /// How many of these there are.
    pub skipped_count: u64,
    /// Session folders that do not exist.
    pub missing_roots: Vec<Utf8PathBuf>,
    /// False when a folder could not be listed to its end.
    pub folders_complete: bool,
    /// Files with damaged lines among those that were read as a whole: the first hundred. A line that is damaged and
    /// has no word of the query is not noticed where only matching lines are read.
    pub damaged: Vec<DamagedFile>,
    /// How many files with damaged lines were seen.
    pub damaged_count: usize,
    /// Slips of the keyboard would have been looked for next, which only an index can.
    pub typos_left_out: bool,
}

/// How a scan ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Ended {
    /// All files were looked at.
    #[default]
    Finished,
    /// The deadline passed. Hits are those found so far.
    TimedOut,
    /// The caller's flag was set. Hits are those found so far.
    Cancelled,
}

/// A file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailedFile {
    /// The file.
    pub path: Utf8PathBuf,
    /// The code of the [`OpenError`](lookback_session_model::OpenError).
    pub code: &'static str,
    /// A sentence.
    pub message: String,
}

/// A file with damaged lines. The rest of it was searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DamagedFile {
    /// The file.
    pub path: Utf8PathBuf,
    /// The first damaged lines, by number.
    pub lines: Vec<u64>,
    /// How many lines are damaged.
    pub count: u64,
}

/// So many of each kind are named; the rest is counted.
pub(crate) const NAMED: usize = 100;

impl Outcome {
    /// True when nothing was left out: an answer without hits then means that there is no match.
    pub fn is_complete(&self) -> bool {
        self.ended == Ended::Finished && self.failed_count == 0 && self.folders_complete
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (done, total) = (self.files_scanned, self.files_total);
        match self.ended {
            Ended::Finished => write!(f, "searched {done} files")?,
            Ended::TimedOut => write!(f, "timed out after {done} of {total} files")?,
            Ended::Cancelled => write!(f, "cancelled after {done} of {total} files")?,
        }
        if self.failed_count > 0 {
            write!(f, "; {} files could not be read", self.failed_count)?;
        }
        if self.damaged_count > 0 {
            write!(f, "; {} files have damaged lines", self.damaged_count)?;
        }
        if self.skipped_count > 0 {
            write!(f, "; {} links and others were passed over", self.skipped_count)?;
        }
        if !self.folders_complete {
            f.write_str("; not all folders could be listed")?;
        }
        if self.typos_left_out {
            f.write_str("; typing errors are not looked for without an index")?;
        }
        Ok(())
    }
}
