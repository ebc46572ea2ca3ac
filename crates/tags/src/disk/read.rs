//! Reading a file that anyone may have put there.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};

use camino::Utf8Path;

use super::identity::is_absence;
use super::{Identity, Pinned};
use crate::error::{Error, FileKind};

/// What was found at a path.
pub(crate) enum Found {
    Nothing,
    File {
        bytes: Vec<u8>,
        identity: Identity,
        /// Held by whoever remembers the identity.
        pinned: Pinned,
    },
}

/// Reads a regular file of at most `limit` bytes. Links are refused and a pipe does not make it wait.
pub(crate) fn read_file(path: &Utf8Path, limit: u64) -> Result<Found, Error> {
    let mut options = OpenOptions::new();
    options.read(true);
    let handle = match open_unfollowed(&mut options, path) {
        Ok(handle) => handle,
        Err(error) if is_absence(&error) => return Ok(Found::Nothing),
        Err(error) => return Err(refusal(path).unwrap_or_else(|| Error::io("read", path, error))),
    };
    let metadata = handle
        .metadata()
        .map_err(|error| Error::io("examine", path, error))?;
    if let Some(kind) = FileKind::of(metadata.file_type()) {
        return Err(Error::NotAFile {
            path: path.to_owned(),
            kind,
        });
    }
    let too_large = |size| Error::TooLarge {
        path: path.to_owned(),
        size,
        limit,
    };
    if metadata.len() > limit {
        return Err(too_large(metadata.len()));
    }
    let mut bytes = Vec::new();
    // One byte more than allowed: the file may grow after its size was taken.
    let read = (&handle).take(limit.saturating_add(1)).read_to_end(&mut bytes);
    let size = read.map_err(|error| Error::io("read", path, error))? as u64;
    if size > limit {
        return Err(too_large(size));
    }
    Ok(Found::File {
        bytes,
        identity: Identity::of(&metadata),
        pinned: Pinned::new(handle),
    })
}

/// Opens without following a link at the end of the path, and without waiting for the other end of a pipe.
pub(super) fn open_unfollowed(options: &mut OpenOptions, path: &Utf8Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    #[cfg(not(unix))]
    if fs_err::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink()) {
        return Err(io::Error::other("a symbolic link"));
    }
    options.open(path)
}

/// The better error when an open failed because of what stands at the path.
pub(super) fn refusal(path: &Utf8Path) -> Option<Error> {
    let kind = FileKind::of(fs_err::symlink_metadata(path).ok()?.file_type())?;
    Some(Error::NotAFile {
        path: path.to_owned(),
        kind,
    })
}
