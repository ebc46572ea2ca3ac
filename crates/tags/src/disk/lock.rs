//! The advisory lock that keeps two changes apart, between processes as well as between threads.

use std::fs::{File, OpenOptions, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use camino::Utf8Path;

use super::folder::only_for_owner;
use super::read::{open_unfollowed, refusal};
use super::{identity_at, reach};
use crate::error::{Error, FileKind};

/// First and longest pause between two attempts. A change takes a millisecond or two, so short pauses are fair to
/// many waiting processes and still cost next to nothing.
const FIRST_PAUSE: Duration = Duration::from_micros(200);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// Held until dropped, or until the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Waits at most `patience`.
    pub(crate) fn acquire(path: &Utf8Path, patience: Duration) -> Result<Self, Error> {
        let start = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            if let Some(lock) = Self::attempt(path)? {
                return Ok(lock);
            }
            let waited = start.elapsed();
            if waited >= patience {
                return Err(Error::Busy {
                    path: path.to_owned(),
                    waited,
                });
            }
            thread::sleep(pause.min(patience.saturating_sub(waited)));
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn attempt(path: &Utf8Path) -> Result<Option<Self>, Error> {
        reach("open lock").map_err(|error| Error::writing(path, error))?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        {
            use std::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = open_unfollowed(&mut options, path)
            .map_err(|error| refusal(path).unwrap_or_else(|| Error::writing(path, error)))?;
        let metadata = file
            .metadata()
            .map_err(|error| Error::io("examine", path, error))?;
        if let Some(kind) = FileKind::of(metadata.file_type()) {
            return Err(Error::NotAFile {
                path: path.to_owned(),
                kind,
            });
        }
        only_for_owner(&file).map_err(|error| Error::writing(path, error))?;
        reach("lock").map_err(|error| Error::io("lock", path, error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", path, error)),
        }
        // Somebody may have deleted the lock file by hand since it was opened; the next process would lock a new one
        // and both would write.
        let ours = file
            .metadata()
            .map_err(|error| Error::io("examine", path, error))?;
        let is_current = identity_at(path)?.is_some_and(|there| there.same_file(&super::Identity::of(&ours)));
        Ok(is_current.then_some(Self { _file: file }))
    }
}
