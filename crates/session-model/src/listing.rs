use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::{SessionId, Timestamp};

/// One row of a list of sessions. Title, counts and times are those of Pi's own list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionSummary {
    /// The session id: of the header, or the one in the file's name where the header has none.
    pub id: SessionId,
    /// The session file.
    pub path: Utf8PathBuf,
    /// The folder the session belongs to; empty when the header names none.
    pub cwd: String,
    /// The name, or else the first text of the user; never empty.
    pub title: String,
    /// The name given to the session.
    pub name: Option<String>,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// Time of the last message of user or assistant. Names, labels and tool results do not move it.
    pub modified: Option<Timestamp>,
    /// Messages of all roles on all branches.
    pub message_count: u64,
    /// The file it was forked from.
    pub parent_session: Option<String>,
}

/// How an entry stands to the branch that the session is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum BranchState {
    /// On the newest branch and part of the model's context.
    Active,
    /// On the newest branch, but a compaction took it out of the model's context.
    Compacted,
    /// On a branch that was left.
    Abandoned,
}
