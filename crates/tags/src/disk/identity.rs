//! Which file stands at a path, and in which state.

use std::fs::{File, Metadata};
use std::io;
use std::time::SystemTime;

use camino::Utf8Path;

use crate::error::Error;

/// Differs for two states of a path; on Unix for certain as long as the earlier file is [`Pinned`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    length: u64,
    modified: Option<SystemTime>,
    /// Device, number, and time of the last change of anything: an edit in place can keep length and time of
    /// modification, but not this.
    #[cfg(unix)]
    node: (u64, u64, i64, i64),
    #[cfg(not(unix))]
    created: Option<SystemTime>,
}

/// Keeps the number of a file from being given to another one, by keeping the file open. Elsewhere than on Unix a file
/// has no such number, and an open file could not be replaced.
#[derive(Debug)]
pub(crate) struct Pinned {
    #[cfg(unix)]
    _file: File,
}

impl Pinned {
    pub(crate) fn new(file: File) -> Self {
        #[cfg(not(unix))]
        drop(file);
        Self {
            #[cfg(unix)]
            _file: file,
        }
    }
}

impl Identity {
    pub(crate) fn of(metadata: &Metadata) -> Self {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
            #[cfg(unix)]
            node: (
                metadata.dev(),
                metadata.ino(),
                metadata.ctime(),
                metadata.ctime_nsec(),
            ),
            #[cfg(not(unix))]
            created: metadata.created().ok(),
        }
    }
}

#[cfg(unix)]
impl Identity {
    /// Whether both are the same file, in whatever state.
    pub(crate) fn same_file(&self, other: &Self) -> bool {
        (self.node.0, self.node.1) == (other.node.0, other.node.1)
    }
}

#[cfg(not(unix))]
impl Identity {
    /// Whether both can be the same file. A lock file that is open cannot be deleted here.
    pub(crate) fn same_file(&self, other: &Self) -> bool {
        self.created == other.created
    }
}

impl Identity {
    /// Whether both are the same file with the same content. Unlike equality, this overlooks that the file was given
    /// a second name.
    pub(crate) fn same_content(&self, other: &Self) -> bool {
        self.same_file(other) && self.length == other.length && self.modified == other.modified
    }
}

/// `None` when nothing is there. A link is not followed.
pub(crate) fn identity_at(path: &Utf8Path) -> Result<Option<Identity>, Error> {
    match fs_err::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(Identity::of(&metadata))),
        Err(error) if is_absence(&error) => Ok(None),
        Err(error) => Err(Error::io("examine", path, error)),
    }
}

/// Whether the error says that nothing is at the path: neither the file nor, perhaps, the folder it would be in.
pub(super) fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}
