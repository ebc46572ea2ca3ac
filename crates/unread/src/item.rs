//! What a scan finds.

use camino::Utf8PathBuf;
use lookback_session_model::Timestamp;
use serde::{Deserialize, Serialize};

use crate::State;

/// A session that waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Item {
    /// The session's id.
    pub id: String,
    /// Its file.
    pub path: Utf8PathBuf,
    /// Its workspace, as its header names it.
    pub cwd: String,
    /// Its name: the last one it was given, or else the start of its first user text, or else its id.
    pub name: String,
    /// When the file was last written, to the millisecond.
    pub modified: Timestamp,
    /// Number of messages in the file, of all roles and branches.
    pub message_count: u64,
    /// The start of the last user message; empty where that has no text.
    pub message: String,
    /// More about how it ends, when the request asks for details.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub detail: Option<Detail>,
}

/// How a session ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Detail {
    /// Its state.
    pub state: State,
    /// The entry of the last user message: what a done-mark is set at. `None` where the user never said anything.
    pub message_id: Option<String>,
    /// When that message was sent.
    pub message_time: Option<Timestamp>,
    /// Why the model stopped, where the last message is its own: `stop`, `error`, `aborted`, `toolUse`, …
    pub stop_reason: Option<String>,
}

/// The last message of the user in a session.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UserMessage {
    /// The id of its entry; `line-<number>` where the entry has none that can be used.
    pub entry_id: String,
    /// When it was sent.
    pub timestamp: Option<Timestamp>,
    /// Its start, as it stands in [`Item::message`].
    pub preview: String,
}

/// How much was looked at, and what was cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Inventory {
    /// Session files among the folder entries that were inspected.
    pub available: usize,
    /// Those that could be read: all but the active one.
    pub candidates: usize,
    /// Candidates that were chosen to be read, the newest ones.
    pub scanned: usize,
    /// Sessions found that end in an unanswered message, and in the other states asked for.
    pub unread: usize,
    /// Sessions shown: in a page its own, otherwise what a panel shows.
    pub shown: usize,
    /// Something was cut, whatever it was.
    pub truncated: bool,
    /// The folder has more entries than were inspected, or could not be listed to its end.
    pub discovery_truncated: bool,
    /// There are more candidates than were read.
    pub scan_truncated: bool,
    /// More was found than a panel shows.
    pub display_truncated: bool,
}

/// What was not used, and why. None of it is an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Links to session files.
    pub links: usize,
    /// FIFOs, sockets and devices with the name of a session file.
    pub not_files: usize,
    /// Files that could not be opened or read.
    pub unreadable: usize,
    /// Files that are too large, or became so while they were read.
    pub oversized: usize,
    /// Files with bytes that are not UTF-8.
    pub invalid_utf8: usize,
    /// Files without a usable header.
    pub malformed: usize,
    /// Files of other workspaces.
    pub foreign: usize,
    /// Files of the active session.
    pub active: usize,
    /// Sessions that are marked as done.
    pub done: usize,
    /// Damaged lines in the sessions that were read; whole records in them were used.
    pub damaged_lines: u64,
    /// Project folders that could not be listed.
    pub folders: usize,
}
