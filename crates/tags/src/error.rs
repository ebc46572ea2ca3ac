//! The one error type of the crate.

use std::io;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

/// What can go wrong when tags or done-marks are read or changed.
///
/// Unless the variant says otherwise, the stored state is the one from before the call. [`Error::code`] is stable;
/// the texts may change.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing is left of the text once everything that cannot stand in a tag is dropped.
    #[error("{text:?} holds no letter and no digit, so it is not a tag")]
    InvalidTag {
        /// The start of the refused text.
        text: String,
    },

    /// A session id must have 1 to [`crate::MAX_SESSION_ID_BYTES`] bytes.
    #[error("a session id of {length} bytes cannot be stored")]
    InvalidSessionId {
        /// Bytes of the refused id.
        length: usize,
    },

    /// The file was written by a later version of this or another program. It is left alone.
    #[error("{path} has format version {found}, this program knows versions up to {supported}")]
    NewerVersion {
        /// The file.
        path: Utf8PathBuf,
        /// The version that stands in it.
        found: u64,
        /// The newest version that this crate reads.
        supported: u64,
    },

    /// The file is, or would become, larger than the limit.
    #[error("{path} has {size} bytes, more than the limit of {limit}")]
    TooLarge {
        /// The file.
        path: Utf8PathBuf,
        /// Its size, as far as it was looked at.
        size: u64,
        /// The limit of the store.
        limit: u64,
    },

    /// A link, folder, pipe or device stands where the file should be. It is neither followed nor replaced.
    #[error("{path} is {kind}, not a regular file")]
    NotAFile {
        /// The path.
        path: Utf8PathBuf,
        /// What is there.
        kind: FileKind,
    },

    /// Others kept the store busy for the whole time that the caller was ready to wait.
    #[error("{path} is in use by another process (waited {} ms)", waited.as_millis())]
    Busy {
        /// The lock file.
        path: Utf8PathBuf,
        /// How long it was tried.
        waited: Duration,
    },

    /// The file system or a quota has no room for the change.
    #[error("no room to write {path}")]
    DiskFull {
        /// The file that was to be written.
        path: Utf8PathBuf,
        /// The cause.
        source: io::Error,
    },

    /// The folder or the file system does not let this user write.
    #[error("{path} cannot be written")]
    NotWritable {
        /// The file or folder that was to be written.
        path: Utf8PathBuf,
        /// The cause.
        source: io::Error,
    },

    /// The change is in place and every reader sees it, but the system could not confirm that it would survive a
    /// power failure.
    #[error("{path} was changed, but not confirmed to be on disk")]
    NotDurable {
        /// The changed file.
        path: Utf8PathBuf,
        /// The cause.
        source: io::Error,
    },

    /// Any other failure of the file system.
    #[error("cannot {action} {path}")]
    Io {
        /// What was tried, as a verb: `read`, `lock`.
        action: &'static str,
        /// The file or folder.
        path: Utf8PathBuf,
        /// The cause.
        source: io::Error,
    },
}

impl Error {
    /// A short name for the kind of error, fit for programs. It never changes for a kind.
    pub fn code(&self) -> &'static str {
        match self {
            Self::InvalidTag { .. } => "invalid-tag",
            Self::InvalidSessionId { .. } => "invalid-session-id",
            Self::NewerVersion { .. } => "tags-newer-version",
            Self::TooLarge { .. } => "tags-too-large",
            Self::NotAFile { .. } => "tags-not-a-file",
            Self::Busy { .. } => "tags-busy",
            Self::DiskFull { .. } => "tags-disk-full",
            Self::NotWritable { .. } => "tags-not-writable",
            Self::NotDurable { .. } => "tags-not-durable",
            Self::Io { .. } => "tags-io",
        }
    }

    /// Sorts a failure to write by what the user can do about it.
    pub(crate) fn writing(path: &Utf8Path, source: io::Error) -> Self {
        let path = path.to_owned();
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::DiskFull { path, source }
            }
            io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::NotADirectory => Self::NotWritable { path, source },
            _ => Self::Io {
                action: "write",
                path,
                source,
            },
        }
    }

    pub(crate) fn io(action: &'static str, path: &Utf8Path, source: io::Error) -> Self {
        Self::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }
}

/// What stands where a regular file is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileKind {
    /// A symbolic link, wherever it leads.
    Link,
    /// A folder.
    Folder,
    /// A pipe, socket or device.
    Special,
}

impl FileKind {
    /// `None` for a regular file.
    pub(crate) fn of(file_type: std::fs::FileType) -> Option<Self> {
        if file_type.is_file() {
            None
        } else if file_type.is_symlink() {
            Some(Self::Link)
        } else if file_type.is_dir() {
            Some(Self::Folder)
        } else {
            Some(Self::Special)
        }
    }
}

impl std::fmt::Display for FileKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Link => "a symbolic link",
            Self::Folder => "a folder",
            Self::Special => "a pipe, socket or device",
        })
    }
}
