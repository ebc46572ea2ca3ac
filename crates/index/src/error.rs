use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{OpenError, SessionSummary};

/// Why the index cannot do what it was asked for. What is odd about session files is never an error, see
/// [`SyncReport`](crate::SyncReport).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The folder holds something else. Nothing in it is touched.
    #[error("{folder} holds files that are no index of Lookback; choose another cache folder")]
    ForeignFolder {
        /// The folder.
        folder: Utf8PathBuf,
    },
    /// The folder is a link: it could lead to where others can write.
    #[error("{folder} is a symbolic link; the cache folder must be a real folder")]
    LinkedFolder {
        /// The folder.
        folder: Utf8PathBuf,
    },
    /// The folder belongs to another user, who could put anything into it.
    #[error("{folder} belongs to user {owner}, not to user {user}")]
    OtherOwner {
        /// The folder.
        folder: Utf8PathBuf,
        /// Number of the user who owns it.
        owner: u32,
        /// Number of the present user.
        user: u32,
    },
    /// A later version of Lookback wrote the index. It is left alone.
    #[error(
        "the index in {folder} has format {found}, this version knows {known}; update, or choose another cache folder"
    )]
    NewerFormat {
        /// The folder.
        folder: Utf8PathBuf,
        /// The format of the index.
        found: u32,
        /// The latest format this version knows.
        known: u32,
    },
    /// A part of the index is damaged or missing. The next sync builds it again.
    #[error("the index in {folder} is damaged ({what}); the next sync builds it again")]
    Damaged {
        /// The folder.
        folder: Utf8PathBuf,
        /// Which part, and how.
        what: String,
    },
    /// Another process writes to the index.
    #[error("another process is writing to the index in {folder}")]
    Busy {
        /// The folder.
        folder: Utf8PathBuf,
    },
    /// The file system cannot lock files.
    #[error("cannot lock {path}; choose a cache folder on a local disk")]
    Lock {
        /// The lock file.
        path: Utf8PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// There is no room left. The last commit stays readable.
    #[error("no room left to write {path}")]
    DiskFull {
        /// The file that was written.
        path: Utf8PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The folder cannot be written to. The last commit stays readable.
    #[error("not allowed to write {path}")]
    ReadOnly {
        /// The file or folder.
        path: Utf8PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The operating system failed otherwise.
    #[error("cannot read or write {path}")]
    Io {
        /// The file or folder.
        path: Utf8PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The search engine below failed in a way that is no damage.
    #[error("the search engine failed: {message}")]
    Engine {
        /// What it said.
        message: String,
    },
    /// No session has this id or path.
    #[error("there is no session {named}")]
    SessionNotFound {
        /// What was asked for.
        named: String,
    },
    /// Several sessions fit.
    #[error("{} sessions fit {named}; give more of the id", candidates.len())]
    SessionAmbiguous {
        /// What was asked for.
        named: String,
        /// The sessions that fit, newest first.
        candidates: Vec<SessionSummary>,
    },
    /// A session file cannot be read.
    #[error(transparent)]
    Session(#[from] OpenError),
}

impl IndexError {
    /// A stable name for the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ForeignFolder { .. } => "foreign-folder",
            Self::LinkedFolder { .. } => "linked-folder",
            Self::OtherOwner { .. } => "other-owner",
            Self::NewerFormat { .. } => "newer-format",
            Self::Damaged { .. } => "damaged",
            Self::Busy { .. } => "busy",
            Self::Lock { .. } => "lock-failed",
            Self::DiskFull { .. } => "disk-full",
            Self::ReadOnly { .. } => "read-only",
            Self::Io { .. } => "io",
            Self::Engine { .. } => "engine",
            Self::SessionNotFound { .. } => "session-not-found",
            Self::SessionAmbiguous { .. } => "session-ambiguous",
            Self::Session(error) => error.code(),
        }
    }

    /// The operating system's error about a path, by what a user can do about it.
    pub(crate) fn io(path: &Utf8Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::DiskFull { path, source }
            }
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                Self::ReadOnly { path, source }
            }
            _ => Self::Io { path, source },
        }
    }
}
