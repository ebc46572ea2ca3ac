use std::{
    fs::TryLockError,
    io, thread,
    time::{Duration, Instant},
};

use camino::Utf8Path;
use fs_err as fs;
use lookback_session_model::FileStamp;

use super::{Folder, LOCK, no_links, only_for_owner};
use crate::IndexError;

/// The right to write to an index. The operating system takes it back when the process ends, however it ends.
#[derive(Debug)]
pub(crate) struct WriterLock {
    _file: fs::File,
}

impl WriterLock {
    /// How often a busy lock is tried again.
    const STEP: Duration = Duration::from_millis(5);

    /// Takes the lock; `None` when another process had it all the time, or `stop` says so.
    pub(crate) fn take(
        folder: &Folder,
        wait: Duration,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Self>, IndexError> {
        let path = folder.path().join(LOCK);
        let mut file = open(folder).map_err(|error| IndexError::io(&path, error))?;
        let begin = Instant::now();
        loop {
            match file.file().try_lock() {
                Ok(()) if is_at(&file, &path) => return Ok(Some(Self { _file: file })),
                // Somebody deleted the file; the lock on what it was keeps nobody out.
                Ok(()) => {
                    file = open(folder).map_err(|error| IndexError::io(&path, error))?;
                    continue;
                }
                Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(source)) if source.kind() == io::ErrorKind::Interrupted => {}
                Err(TryLockError::Error(source)) => return Err(IndexError::Lock { path, source }),
            }
            let left = wait.saturating_sub(begin.elapsed());
            if left.is_zero() || stop() {
                return Ok(None);
            }
            thread::sleep(left.min(Self::STEP));
        }
    }
}

/// True when the open file is the one at the path.
fn is_at(file: &fs::File, path: &Utf8Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(there)) => FileStamp::of(&open).same_file(&FileStamp::of(&there)),
        _ => false,
    }
}

fn open(folder: &Folder) -> io::Result<fs::File> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(false);
    no_links(&mut options);
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let path = folder.path().join(LOCK);
    let file = options.open(&path)?;
    only_for_owner(&path, 0o600)?;
    Ok(file)
}
