use camino::Utf8PathBuf;
use lookback_session_model::{Diagnostic, SkipReason, Skipped};
use serde::Serialize;

/// What a sync did, and what it could not do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SyncReport {
    /// How it ended.
    pub state: SyncState,
    /// Session files that were found.
    pub files: u64,
    /// Files that are new in the index.
    pub added: u64,
    /// Files of which only the new end was read.
    pub extended: u64,
    /// Files that were read anew.
    pub rewritten: u64,
    /// Files that were only moved or renamed.
    pub moved: u64,
    /// Files that are gone from the folders, and from the index.
    pub removed: u64,
    /// Bytes of the changed files that were read.
    pub bytes_read: u64,
    /// False when a folder could not be read to its end. Then nothing was removed from the index.
    pub complete: bool,
    /// Files that changed and could not be read, the first hundred. What the index knew of them, it still knows.
    pub failed: Vec<FailedFile>,
    /// How many could not be read in all.
    pub failed_count: u64,
    /// Lines of the files read now that are damaged, or in which bytes that are not UTF-8 were replaced: the first
    /// hundred. The rest of these files is in the index.
    pub damage: Vec<DamagedLine>,
    /// How many such lines there are in all.
    pub damaged_lines: u64,
    /// What was passed over in the folders, the first hundred.
    pub skipped: Vec<Skipped>,
    /// How many were passed over in all.
    pub skipped_count: u64,
    /// Folders that do not exist.
    pub missing_roots: Vec<Utf8PathBuf>,
    /// The index was damaged or of an older format, and was built again from nothing.
    pub rebuilt: Option<String>,
}

/// How a sync ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum SyncState {
    /// Nothing had changed.
    Unchanged,
    /// The index holds what the folders hold.
    Updated,
    /// Something had changed, but another process was writing all the time. Search answers from the last commit.
    Busy,
    /// The caller ended it. What was done until then is in the index, the rest is for the next sync.
    Cancelled,
}

/// A damaged line of a session file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DamagedLine {
    /// The file.
    pub path: Utf8PathBuf,
    /// What is wrong, and in which line.
    pub diagnostic: Diagnostic,
}

/// A session file that could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FailedFile {
    /// The file.
    pub path: Utf8PathBuf,
    /// The code of the [`OpenError`](lookback_session_model::OpenError).
    pub code: &'static str,
    /// What was wrong, for people.
    pub message: String,
}

impl SyncReport {
    pub(crate) fn new() -> Self {
        Self {
            state: SyncState::Unchanged,
            files: 0,
            added: 0,
            extended: 0,
            rewritten: 0,
            moved: 0,
            removed: 0,
            bytes_read: 0,
            complete: true,
            failed: Vec::new(),
            failed_count: 0,
            damage: Vec::new(),
            damaged_lines: 0,
            skipped: Vec::new(),
            skipped_count: 0,
            missing_roots: Vec::new(),
            rebuilt: None,
        }
    }

    /// Files that were left out because a pattern says so, of those that are named.
    pub fn excluded(&self) -> impl Iterator<Item = &Skipped> {
        self.skipped
            .iter()
            .filter(|skipped| skipped.reason == SkipReason::Excluded)
    }
}
