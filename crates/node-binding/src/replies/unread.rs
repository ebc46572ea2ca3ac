use lookback::waiting;
use napi_derive::napi;

use super::{Moment, count};

/// A page of the sessions that wait for an answer, the latest change first.
#[napi(object, object_from_js = false)]
pub struct UnreadPage {
    /// Sessions that match the query.
    pub total: i64,
    /// Those of this page.
    pub items: Vec<UnreadSession>,
    /// Matching sessions before this page.
    pub offset: i64,
    /// Sessions in this page; fewer than the limit also when more would be too large.
    pub returned: i64,
    /// Where the next page begins; missing on the last one.
    pub next_offset: Option<i64>,
    /// The length to which messages are cut: they are no transcripts.
    pub preview_characters: i64,
    /// How much was looked at, and what was cut.
    pub inventory: UnreadInventory,
    /// What was not used, when the details were asked for.
    pub skipped: Option<UnreadSkipped>,
}

/// A session that waits.
#[napi(object, object_from_js = false)]
pub struct UnreadSession {
    /// Its id.
    pub id: String,
    /// Its file.
    pub path: String,
    /// Its folder, as its header names it.
    pub cwd: String,
    /// Its name: the last one it was given, or else the start of its first user text, or else its id.
    pub name: String,
    /// When the file was last written.
    #[napi(ts_type = "Date")]
    pub modified: Moment,
    /// Messages in the file, of all roles and branches.
    pub message_count: i64,
    /// The start of the last user message; empty where that has no text.
    pub message: String,
    /// More about how it ends, when the details were asked for.
    pub detail: Option<UnreadDetail>,
}

/// How a session ends.
#[napi(object, object_from_js = false)]
pub struct UnreadDetail {
    /// Its state.
    #[napi(ts_type = "'unread' | 'picture' | 'failed' | 'interrupted' | 'otherBranch'")]
    pub state: String,
    /// The entry of the last user message.
    pub message_id: Option<String>,
    /// When that message was sent.
    #[napi(ts_type = "Date")]
    pub message_time: Option<Moment>,
    /// Why the model stopped, where the last message is its own: `stop`, `error`, `aborted`, `toolUse`, …
    pub stop_reason: Option<String>,
}

/// How much was looked at, and what was cut.
#[napi(object, object_from_js = false)]
pub struct UnreadInventory {
    /// Session files among the folder entries that were inspected.
    pub available: i64,
    /// Those that could be read: all but the active one.
    pub candidates: i64,
    /// Candidates that were chosen to be read, the newest ones.
    pub scanned: i64,
    /// Sessions found in the states asked for.
    pub unread: i64,
    /// Sessions shown.
    pub shown: i64,
    /// Something was cut, whatever it was.
    pub truncated: bool,
    /// The folder has more entries than were inspected, or could not be listed to its end.
    pub discovery_truncated: bool,
    /// There are more candidates than were read.
    pub scan_truncated: bool,
    /// More was found than a panel shows.
    pub display_truncated: bool,
    /// Sessions that match the query.
    pub matched: i64,
    /// The page leaves out some of them, in front of it or behind it.
    pub result_truncated: bool,
}

/// What was not used, and why. None of it is an error.
#[napi(object, object_from_js = false)]
pub struct UnreadSkipped {
    /// Links to session files.
    pub links: i64,
    /// FIFOs, sockets and devices with the name of a session file.
    pub not_files: i64,
    /// Files that could not be opened or read.
    pub unreadable: i64,
    /// Files that are too large, or became so while they were read.
    pub oversized: i64,
    /// Files with bytes that are not UTF-8.
    pub invalid_utf8: i64,
    /// Files without a usable header.
    pub malformed: i64,
    /// Files of other folders.
    pub foreign: i64,
    /// Files of the active session.
    pub active: i64,
    /// Sessions that are marked as done.
    pub done: i64,
    /// Damaged lines in the sessions that were read; whole records in them were used.
    pub damaged_lines: i64,
    /// Project folders that could not be listed.
    pub folders: i64,
}

/// What one look at a folder found.
#[napi(object, object_from_js = false)]
pub struct UnreadScan {
    /// Sessions found in all, whatever the query of the page.
    pub total: i64,
    /// The first of them, as many as a panel shows.
    pub shown: Vec<UnreadSession>,
    /// How much was looked at, and what was cut.
    pub inventory: UnreadScanInventory,
    /// The page that was asked for.
    pub page: UnreadPage,
    /// What was not used.
    pub skipped: UnreadSkipped,
    /// The bounds of this scan.
    pub limits: UnreadLimits,
}

/// How much a scan looked at, and what was cut, whatever the page.
#[napi(object, object_from_js = false)]
pub struct UnreadScanInventory {
    /// Session files among the folder entries that were inspected.
    pub available: i64,
    /// Those that could be read: all but the active one.
    pub candidates: i64,
    /// Candidates that were chosen to be read, the newest ones.
    pub scanned: i64,
    /// Sessions found.
    pub unread: i64,
    /// Sessions that a panel shows.
    pub shown: i64,
    /// Something was cut, whatever it was.
    pub truncated: bool,
    /// The folder has more entries than were inspected.
    pub discovery_truncated: bool,
    /// There are more candidates than were read.
    pub scan_truncated: bool,
    /// More was found than a panel shows.
    pub display_truncated: bool,
}

/// The bounds of a scan.
#[napi(object, object_from_js = false)]
pub struct UnreadLimits {
    /// Folder entries that are inspected.
    pub directory_entries: i64,
    /// Bytes of a session file.
    pub session_bytes: i64,
    /// Files that this scan reads at most.
    pub sessions: i64,
    /// Files that a scan can be asked to read.
    pub allowed_sessions: i64,
    /// Files that are read at the same time.
    pub read_concurrency: i64,
    /// Parts of a message that are looked at.
    pub content_parts: i64,
    /// UTF-16 units of a message that are shown.
    pub preview_characters: i64,
    /// Sessions that a panel shows.
    pub panel_items: i64,
    /// Sessions of a page.
    pub tool_items: i64,
    /// UTF-16 units of a query.
    pub query_characters: i64,
    /// UTF-16 units of a session id.
    pub session_id_characters: i64,
    /// UTF-16 units of a name.
    pub session_name_characters: i64,
    /// UTF-16 units of a path.
    pub session_path_characters: i64,
}

impl UnreadScan {
    pub(crate) fn new(scan: &waiting::Scan, page: waiting::Page, limits: waiting::Limits) -> Self {
        Self {
            total: count(scan.items.len()),
            shown: scan.shown().iter().cloned().map(UnreadSession::from).collect(),
            inventory: UnreadScanInventory::from(scan.inventory),
            page: UnreadPage::from(page),
            skipped: UnreadSkipped::from(scan.skipped),
            limits: UnreadLimits::from(limits),
        }
    }
}

impl From<waiting::Inventory> for UnreadScanInventory {
    fn from(inventory: waiting::Inventory) -> Self {
        Self {
            available: count(inventory.available),
            candidates: count(inventory.candidates),
            scanned: count(inventory.scanned),
            unread: count(inventory.unread),
            shown: count(inventory.shown),
            truncated: inventory.truncated,
            discovery_truncated: inventory.discovery_truncated,
            scan_truncated: inventory.scan_truncated,
            display_truncated: inventory.display_truncated,
        }
    }
}

impl From<waiting::Limits> for UnreadLimits {
    fn from(limits: waiting::Limits) -> Self {
        Self {
            directory_entries: count(limits.directory_entries),
            session_bytes: count(limits.session_bytes),
            sessions: count(limits.sessions),
            allowed_sessions: count(limits.allowed_sessions),
            read_concurrency: count(limits.read_concurrency),
            content_parts: count(limits.content_parts),
            preview_characters: count(limits.preview_characters),
            panel_items: count(limits.panel_items),
            tool_items: count(limits.tool_items),
            query_characters: count(limits.query_characters),
            session_id_characters: count(limits.session_id_characters),
            session_name_characters: count(limits.session_name_characters),
            session_path_characters: count(limits.session_path_characters),
        }
    }
}

impl From<waiting::Page> for UnreadPage {
    fn from(page: waiting::Page) -> Self {
        Self {
            total: count(page.total),
            items: page.items.into_iter().map(UnreadSession::from).collect(),
            offset: count(page.offset),
            returned: count(page.returned),
            next_offset: page.next_offset.map(count),
            preview_characters: count(page.preview_characters),
            inventory: UnreadInventory::from(page.inventory),
            skipped: page.skipped.map(UnreadSkipped::from),
        }
    }
}

impl From<waiting::Item> for UnreadSession {
    fn from(item: waiting::Item) -> Self {
        let detail = |detail: waiting::Detail| UnreadDetail {
            state: detail.state.name().to_owned(),
            message_id: detail.message_id,
            message_time: detail.message_time.map(Moment::from),
            stop_reason: detail.stop_reason,
        };
        Self {
            id: item.id,
            path: item.path.into_string(),
            cwd: item.cwd,
            name: item.name,
            modified: Moment::from(item.modified),
            message_count: count(item.message_count),
            message: item.message,
            detail: item.detail.map(detail),
        }
    }
}

impl From<waiting::PageInventory> for UnreadInventory {
    fn from(inventory: waiting::PageInventory) -> Self {
        let scan = inventory.scan;
        Self {
            available: count(scan.available),
            candidates: count(scan.candidates),
            scanned: count(scan.scanned),
            unread: count(scan.unread),
            shown: count(scan.shown),
            truncated: scan.truncated,
            discovery_truncated: scan.discovery_truncated,
            scan_truncated: scan.scan_truncated,
            display_truncated: scan.display_truncated,
            matched: count(inventory.matched),
            result_truncated: inventory.result_truncated,
        }
    }
}

impl From<waiting::Skipped> for UnreadSkipped {
    fn from(skipped: waiting::Skipped) -> Self {
        Self {
            links: count(skipped.links),
            not_files: count(skipped.not_files),
            unreadable: count(skipped.unreadable),
            oversized: count(skipped.oversized),
            invalid_utf8: count(skipped.invalid_utf8),
            malformed: count(skipped.malformed),
            foreign: count(skipped.foreign),
            active: count(skipped.active),
            done: count(skipped.done),
            damaged_lines: count(skipped.damaged_lines),
            folders: count(skipped.folders),
        }
    }
}
