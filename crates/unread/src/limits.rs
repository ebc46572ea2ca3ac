//! Every bound of the crate, so that none is written down twice.

use serde::Serialize;

/// Folder entries that are inspected when one workspace is scanned.
pub const MAX_FOLDER_ENTRIES: usize = 4_096;
/// Folder entries that are inspected when all workspaces are scanned, in all their folders together.
pub const MAX_ENTRIES_OF_ALL: usize = 65_536;
/// Candidates that are read when nothing else is asked for.
pub const DEFAULT_SESSIONS: usize = 100;
/// The most candidates that can be asked for.
pub const MAX_SESSIONS: usize = 500;
/// A file with more bytes than this is not read.
pub const MAX_FILE_BYTES: u64 = 4 << 20;
/// Files that are read at the same time.
pub const MAX_READERS: usize = 8;
/// Bytes that are read between two looks at the cancel flag.
pub const READ_CHUNK: usize = 64 << 10;
/// Parts of a message that are looked at; what comes behind them is not read as text.
pub const MAX_PARTS: usize = 1_000;
/// Length of a preview in UTF-16 units.
pub const PREVIEW_UNITS: usize = 500;
/// Length of a session's name in UTF-16 units.
pub const NAME_UNITS: usize = 256;
/// Length of a session id, and of an entry id that is handed out, in UTF-16 units.
pub const ID_UNITS: usize = 256;
/// Length of a path in UTF-16 units.
pub const PATH_UNITS: usize = 4_096;
/// Length of a query in UTF-16 units.
pub const QUERY_UNITS: usize = 120;
/// The largest offset of a page.
pub const MAX_OFFSET: usize = MAX_SESSIONS;
/// The most items of a page.
pub const MAX_PAGE_ITEMS: usize = 100;
/// The most bytes of a page as JSON in UTF-8.
pub const MAX_PAGE_BYTES: usize = 128 << 10;
/// Items that a panel shows of a whole scan.
pub const SHOWN_ITEMS: usize = 50;

/// The bounds under the names by which a panel shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Limits {
    /// [`MAX_FOLDER_ENTRIES`].
    pub directory_entries: usize,
    /// [`MAX_FILE_BYTES`].
    pub session_bytes: u64,
    /// Candidates that this scan reads.
    pub sessions: usize,
    /// [`MAX_SESSIONS`].
    pub allowed_sessions: usize,
    /// [`MAX_READERS`].
    pub read_concurrency: usize,
    /// [`MAX_PARTS`].
    pub content_parts: usize,
    /// [`PREVIEW_UNITS`].
    pub preview_characters: usize,
    /// [`SHOWN_ITEMS`].
    pub panel_items: usize,
    /// [`MAX_PAGE_ITEMS`].
    pub tool_items: usize,
    /// [`QUERY_UNITS`].
    pub query_characters: usize,
    /// [`ID_UNITS`].
    pub session_id_characters: usize,
    /// [`NAME_UNITS`].
    pub session_name_characters: usize,
    /// [`PATH_UNITS`].
    pub session_path_characters: usize,
}

impl Limits {
    /// The bounds of a scan that reads at most `sessions` candidates.
    pub fn with_sessions(sessions: usize) -> Self {
        Self {
            directory_entries: MAX_FOLDER_ENTRIES,
            session_bytes: MAX_FILE_BYTES,
            sessions,
            allowed_sessions: MAX_SESSIONS,
            read_concurrency: MAX_READERS,
            content_parts: MAX_PARTS,
            preview_characters: PREVIEW_UNITS,
            panel_items: SHOWN_ITEMS,
            tool_items: MAX_PAGE_ITEMS,
            query_characters: QUERY_UNITS,
            session_id_characters: ID_UNITS,
            session_name_characters: NAME_UNITS,
            session_path_characters: PATH_UNITS,
        }
    }
}
