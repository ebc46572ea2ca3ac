use camino::Utf8PathBuf;
use serde::Serialize;

/// What an index holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Its folder.
    pub folder: Utf8PathBuf,
    /// Whether it can be searched.
    pub state: IndexState,
    /// The format this version writes.
    pub format: u32,
    /// Number of the last commit; it grows with every change.
    pub generation: u64,
    /// Session files.
    pub files: u64,
    /// Sessions; a file can hold more than one.
    pub sessions: u64,
    /// Turns, copies in forks included.
    pub turns: u64,
    /// Entries of all kinds.
    pub entries: u64,
    /// Bytes of the session files at the last sync.
    pub session_bytes: u64,
    /// Damaged lines in session files.
    pub damaged_lines: u64,
    /// Files that the index is made of.
    pub layers: u64,
    /// Their bytes.
    pub index_bytes: u64,
}

/// Whether an index can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum IndexState {
    /// There is none yet; the first sync makes it.
    Missing,
    /// It can be searched.
    Ready,
    /// It can be searched, but a first build was interrupted: the next sync goes on.
    Partial,
    /// It is damaged; the next sync builds it again.
    Damaged,
    /// An older version wrote it; the next sync builds it again.
    Outdated,
}

/// What a look at every byte of the index found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Files that were read.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What is damaged, in words; empty when all is well.
    pub damage: Vec<String>,
}

impl Verification {
    /// True when nothing is damaged.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
    }
}
