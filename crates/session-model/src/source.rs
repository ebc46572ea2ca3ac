use std::io;

use camino::Utf8Path;
use fs_err as fs;
use serde::{Deserialize, Serialize};

use crate::OpenError;

/// Bytes that can be read from any offset, without a position of their own.
pub trait ReadAt {
    /// Reads into `buffer` from `offset` on; returns how many bytes were read, 0 at the end.
    ///
    /// # Errors
    /// Whatever the operating system reports.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// All bytes, where they are in memory: there they are looked at without a copy. Default: they are not.
    fn in_memory(&self) -> Option<&[u8]> {
        None
    }
}

impl ReadAt for [u8] {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..))
            .unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }

    fn in_memory(&self) -> Option<&[u8]> {
        Some(self)
    }
}

impl<T: ReadAt + ?Sized> ReadAt for &T {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        (**self).read_at(offset, buffer)
    }

    fn in_memory(&self) -> Option<&[u8]> {
        (**self).in_memory()
    }
}

impl ReadAt for std::fs::File {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, buffer, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, buffer, offset)
    }
}

/// What identifies one state of a file: another length, time or place on disk means that it changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct FileStamp {
    /// Length in bytes.
    pub size: u64,
    /// Modification time in nanoseconds since 1970; negative before.
    pub modified_ns: i128,
    /// Time of the last change of the inode in nanoseconds: it moves even when the modification time is set back.
    pub changed_ns: i128,
    /// Device number (0 where the system has none).
    pub device: u64,
    /// Inode number (0 where the system has none).
    pub inode: u64,
}

impl FileStamp {
    /// The stamp in a file's metadata.
    pub fn of(metadata: &std::fs::Metadata) -> Self {
        let modified_ns =
            metadata
                .modified()
                .map_or(0, |time| match time.duration_since(std::time::UNIX_EPOCH) {
                    Ok(after) => after.as_nanos() as i128,
                    Err(before) => -(before.duration().as_nanos() as i128),
                });
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let changed_ns = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
            Self {
                size: metadata.len(),
                modified_ns,
                changed_ns,
                device: metadata.dev(),
                inode: metadata.ino(),
            }
        }
        #[cfg(not(unix))]
        Self {
            size: metadata.len(),
            modified_ns,
            changed_ns: modified_ns,
            device: 0,
            inode: 0,
        }
    }

    /// True when both are the same file on disk, whatever its content is now.
    pub fn same_file(&self, other: &Self) -> bool {
        self.device == other.device && self.inode == other.inode
    }
}

/// Opens a session file for reading: a regular file, never a link, and never waiting for a FIFO's other end.
///
/// # Errors
/// [`OpenError`] names the path and what is wrong with it.
pub fn open_session_file(path: &Utf8Path) -> Result<(std::fs::File, FileStamp), OpenError> {
    let mut options = fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_CLOEXEC);
    }
    let linked = || std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_symlink());
    if cfg!(not(unix)) && linked() {
        return Err(OpenError::Link {
            path: path.to_owned(),
        });
    }
    let file = options
        .open(path.as_std_path())
        .map_err(|source| match source.kind() {
            _ if linked() => OpenError::Link {
                path: path.to_owned(),
            },
            io::ErrorKind::NotFound => OpenError::NotFound {
                path: path.to_owned(),
            },
            _ => OpenError::Io {
                path: path.to_owned(),
                source,
            },
        })?;
    let metadata = file.metadata().map_err(|source| OpenError::Io {
        path: path.to_owned(),
        source,
    })?;
    if !metadata.is_file() {
        return Err(OpenError::NotAFile {
            path: path.to_owned(),
        });
    }
    Ok((file.into_file(), FileStamp::of(&metadata)))
}
