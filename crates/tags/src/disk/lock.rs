//! The advisory lock that keeps two changes apart, between processes as well as between threads.

use std::fs::{File, OpenOptions, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};

use super::folder::only_for_owner;
use super::read::{open_unfollowed, refusal};
use super::{Identity, identity_at, reach};
use crate::error::{Error, FileKind};

/// First pause between two attempts; it doubles up to the longest one.
const FIRST_PAUSE: Duration = Duration::from_micros(100);

/// Only one waits for the lock, so it may look often, and the store does not lie idle for long. The others can be many.
const LONGEST_PAUSE_NEXT: Duration = Duration::from_micros(400);
const LONGEST_PAUSE_QUEUE: Duration = Duration::from_millis(2);

/// The locks of one store. Nothing is ever written to their files.
#[derive(Debug)]
pub(crate) struct LockFiles {
    /// Held while the store is changed.
    pub(crate) lock: Utf8PathBuf,
    /// Held by the one who is next. Without it, a process that makes change after change would nearly always be
    /// faster than those who try again only now and then, and they would wait in vain.
    pub(crate) queue: Utf8PathBuf,
}

/// Held until dropped, or until the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl LockFiles {
    /// Takes the lock, waiting at most `patience`.
    pub(crate) fn acquire(&self, patience: Duration) -> Result<Lock, Error> {
        let start = Instant::now();
        let _next = acquire(&self.queue, start, patience, LONGEST_PAUSE_QUEUE)?;
        acquire(&self.lock, start, patience, LONGEST_PAUSE_NEXT)
    }
}

fn acquire(
    path: &Utf8Path,
    start: Instant,
    patience: Duration,
    longest_pause: Duration,
) -> Result<Lock, Error> {
    let mut pause = FIRST_PAUSE;
    let mut file = open(path)?;
    loop {
        reach("lock").map_err(|error| Error::io("lock", path, error))?;
        match file.try_lock() {
            Ok(()) if is_at(&file, path)? => return Ok(Lock { _file: file }),
            // Somebody deleted the file by hand since it was opened. The next process would lock a new one, and both
            // would write.
            Ok(()) => file = open(path)?,
            Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", path, error)),
        }
        let waited = start.elapsed();
        if waited >= patience {
            return Err(Error::Busy {
                path: path.to_owned(),
                waited,
            });
        }
        thread::sleep(pause.min(patience.saturating_sub(waited)));
        pause = (pause * 2).min(longest_pause);
    }
}

fn open(path: &Utf8Path) -> Result<File, Error> {
    let writing = |error| Error::writing(path, error);
    reach("open lock").map_err(writing)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = open_unfollowed(&mut options, path)
        .map_err(|error| refusal(path).unwrap_or_else(|| writing(error)))?;
    let metadata = file
        .metadata()
        .map_err(|error| Error::io("examine", path, error))?;
    if let Some(kind) = FileKind::of(metadata.file_type()) {
        return Err(Error::NotAFile {
            path: path.to_owned(),
            kind,
        });
    }
    only_for_owner(&file).map_err(writing)?;
    Ok(file)
}

/// Whether the open file is the one that stands at the path.
fn is_at(file: &File, path: &Utf8Path) -> Result<bool, Error> {
    let ours = file
        .metadata()
        .map_err(|error| Error::io("examine", path, error))?;
    let ours = Identity::of(&ours);
    Ok(identity_at(path)?.is_some_and(|there| there.same_file(&ours)))
}
