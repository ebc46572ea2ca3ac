use lookback_session_model::{BranchState, EntryId, SessionId, Timestamp};

/// What rows about an entry have in common.
#[derive(Debug, Clone, Copy)]
pub struct EntryFacts<'a> {
    /// The session in whose file the entry was read.
    pub session: &'a SessionId,
    /// The folder of the session; empty when it names none.
    pub cwd: &'a str,
    /// The entry; `None` for records without an id.
    pub entry: Option<&'a EntryId>,
    /// The entry that it continues, as the file names it.
    pub parent: Option<&'a EntryId>,
    /// Number of its line in the file, from 1.
    pub line: u64,
    /// When it happened.
    pub timestamp: Option<Timestamp>,
    /// How it stands to the newest branch.
    pub branch: BranchState,
    /// The older session that has the same entry, where this one is a copy made by a fork.
    pub copied_from: Option<&'a SessionId>,
}
