use std::{
    collections::HashMap,
    fmt, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tantivy::directory::{
    AntiCallToken, Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, TerminatingWrite, WatchCallback,
    WatchHandle, WritePtr,
    error::{DeleteError, LockError, OpenReadError, OpenWriteError},
};

/// A segment while it is written: its files, in memory. They go to disk together, as one layer.
#[derive(Clone, Default)]
pub(crate) struct MemoryDirectory {
    files: Arc<Mutex<HashMap<PathBuf, OwnedBytes>>>,
    stop: Option<Arc<dyn Fn() -> bool + Send + Sync>>,
}

impl fmt::Debug for MemoryDirectory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("MemoryDirectory")
    }
}

impl MemoryDirectory {
    /// Writing fails from the moment on when `stop` says so: a segment of many megabytes takes longer to write than a
    /// user who cancels wants to wait.
    pub(crate) fn with_stop(stop: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Self {
            files: Arc::default(),
            stop: Some(stop),
        }
    }

    /// Takes a file out.
    pub(crate) fn take(&self, path: &Path) -> Option<OwnedBytes> {
        self.files().remove(path)
    }

    fn files(&self) -> MutexGuard<'_, HashMap<PathBuf, OwnedBytes>> {
        // A map is whole after every operation, whatever happened to the thread that held it.
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Directory for MemoryDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.files().get(path) {
            Some(bytes) => Ok(Arc::new(bytes.clone())),
            None => Err(OpenReadError::FileDoesNotExist(path.to_owned())),
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        match self.files().remove(path) {
            Some(_) => Ok(()),
            None => Err(DeleteError::FileDoesNotExist(path.to_owned())),
        }
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.files().contains_key(path))
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        let file = MemoryFile {
            path: path.to_owned(),
            bytes: Vec::new(),
            directory: self.clone(),
        };
        Ok(io::BufWriter::new(Box::new(file)))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        match self.files().get(path) {
            Some(bytes) => Ok(bytes.to_vec()),
            None => Err(OpenReadError::FileDoesNotExist(path.to_owned())),
        }
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.files()
            .insert(path.to_owned(), OwnedBytes::new(data.to_vec()));
        Ok(())
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, _lock: &Lock) -> Result<DirectoryLock, LockError> {
        // Nobody else knows of this memory.
        Ok(DirectoryLock::from(Box::new(())))
    }

    fn watch(&self, _callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        Ok(WatchHandle::empty())
    }
}

struct MemoryFile {
    path: PathBuf,
    bytes: Vec<u8>,
    directory: MemoryDirectory,
}

impl io::Write for MemoryFile {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        if self.directory.stop.as_ref().is_some_and(|stop| stop()) {
            // Not `Interrupted`, after which `write_all` would try again.
            return Err(io::Error::other("cancelled"));
        }
        self.bytes.extend_from_slice(buffer);
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl TerminatingWrite for MemoryFile {
    fn terminate_ref(&mut self, _: AntiCallToken) -> io::Result<()> {
        let bytes = OwnedBytes::new(std::mem::take(&mut self.bytes));
        self.directory
            .files()
            .insert(std::mem::take(&mut self.path), bytes);
        Ok(())
    }
}
