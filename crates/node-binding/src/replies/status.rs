use camino::Utf8PathBuf;
use lookback::index;
use napi_derive::napi;

use super::{count, name_of};

/// Where everything lies and how large it is.
#[napi(object, object_from_js = false)]
pub struct Status {
    /// The session folders.
    pub roots: Vec<String>,
    /// Those of them that do not exist.
    pub missing_roots: Vec<String>,
    /// Session files that lie there now.
    pub files: i64,
    /// Their bytes.
    pub bytes: i64,
    /// Files and folders that were passed over.
    pub skipped: i64,
    /// False when a folder could not be read to its end.
    pub complete: bool,
    /// What the index holds.
    pub index: IndexStatus,
    /// The file of the tags.
    pub tags_file: String,
    /// Sessions with tags.
    pub tagged_sessions: i64,
    /// What the tag store wants to be heard, such as a damaged file that was set aside.
    pub notices: Vec<String>,
}

/// What an index holds.
#[napi(object, object_from_js = false)]
pub struct IndexStatus {
    /// Its folder.
    pub folder: String,
    /// Whether it can be searched. `missing`, `damaged` and `outdated` end with the next sync, `partial` means that a
    /// first build was interrupted.
    #[napi(ts_type = "'missing' | 'ready' | 'partial' | 'damaged' | 'outdated'")]
    pub state: String,
    /// The format this version writes.
    pub format: i64,
    /// Number of the last commit; it grows with every change.
    pub generation: i64,
    /// Session files.
    pub files: i64,
    /// Sessions; a file can hold more than one.
    pub sessions: i64,
    /// Turns, copies in forks included.
    pub turns: i64,
    /// Entries of all kinds.
    pub entries: i64,
    /// Bytes of the session files at the last sync.
    pub session_bytes: i64,
    /// Damaged lines in session files.
    pub damaged_lines: i64,
    /// Files that the index is made of.
    pub layers: i64,
    /// Their bytes.
    pub index_bytes: i64,
}

impl From<lookback::Status> for Status {
    fn from(status: lookback::Status) -> Self {
        let texts = |paths: Vec<Utf8PathBuf>| paths.into_iter().map(Utf8PathBuf::into_string).collect();
        Self {
            roots: texts(status.roots),
            missing_roots: texts(status.missing_roots),
            files: count(status.files),
            bytes: count(status.bytes),
            skipped: count(status.skipped),
            complete: status.complete,
            index: IndexStatus::from(status.index),
            tags_file: status.tags_file.into_string(),
            tagged_sessions: count(status.tagged_sessions),
            notices: status.notices,
        }
    }
}

impl From<index::Status> for IndexStatus {
    fn from(status: index::Status) -> Self {
        Self {
            folder: status.folder.into_string(),
            state: name_of(status.state),
            format: count(status.format),
            generation: count(status.generation),
            files: count(status.files),
            sessions: count(status.sessions),
            turns: count(status.turns),
            entries: count(status.entries),
            session_bytes: count(status.session_bytes),
            damaged_lines: count(status.damaged_lines),
            layers: count(status.layers),
            index_bytes: count(status.index_bytes),
        }
    }
}
