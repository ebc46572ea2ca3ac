use std::{
    io,
    ops::Range,
    path::Path,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};

use fs_err as fs;
use tantivy::{
    HasLen,
    directory::{
        Directory, DirectoryLock, FileHandle, Lock, OwnedBytes, WatchCallback, WatchHandle, WritePtr,
        error::{DeleteError, LockError, OpenReadError, OpenWriteError},
    },
};

use super::{Component, MemoryDirectory, segment::empty_file};

/// A part of a layer file.
///
/// It is read piece by piece, never mapped: when something outside cuts the file, a mapping would end the process. As
/// soon as as many bytes were read as the whole part has, it is kept in memory, so that a short process reads little
/// and a long one reads each byte twice at most.
#[derive(Debug)]
pub(crate) struct Section {
    file: Arc<fs::File>,
    range: Range<u64>,
    checksum: u32,
    /// Bytes that may still be kept in memory, over all sections.
    room: Arc<AtomicU64>,
    bytes_read: AtomicU64,
    whole: OnceLock<OwnedBytes>,
}

impl Section {
    pub(crate) fn new(file: Arc<fs::File>, range: Range<u64>, checksum: u32, room: Arc<AtomicU64>) -> Self {
        Self {
            file,
            range,
            checksum,
            room,
            bytes_read: AtomicU64::new(0),
            whole: OnceLock::new(),
        }
    }

    /// Reads a part; the range counts from the section's start.
    pub(crate) fn read(&self, range: Range<u64>) -> io::Result<OwnedBytes> {
        if range.start > range.end || range.end > self.length() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                "a place outside the section",
            ));
        }
        if let Some(whole) = self.whole.get() {
            return Ok(whole.slice(range.start as usize..range.end as usize));
        }
        let length = range.end - range.start;
        let before = self.bytes_read.fetch_add(length, Ordering::Relaxed);
        if before + length > self.length()
            && let Some(whole) = self.keep()?
        {
            return Ok(whole.slice(range.start as usize..range.end as usize));
        }
        Ok(OwnedBytes::new(self.read_from_file(range)?))
    }

    /// Reads all of it and compares the checksum.
    pub(crate) fn read_verified(&self) -> io::Result<Vec<u8>> {
        let bytes = self.read_from_file(0..self.length())?;
        if crc32fast::hash(&bytes) == self.checksum {
            Ok(bytes)
        } else {
            Err(io::Error::new(io::ErrorKind::InvalidData, "a wrong checksum"))
        }
    }

    /// Compares the checksum piece by piece, in little memory.
    pub(crate) fn verify(&self) -> io::Result<bool> {
        const PIECE: u64 = 1 << 20;
        let mut hasher = crc32fast::Hasher::new();
        let mut at = 0;
        while at < self.length() {
            let end = self.length().min(at + PIECE);
            hasher.update(&self.read_from_file(at..end)?);
            at = end;
        }
        Ok(hasher.finalize() == self.checksum)
    }

    pub(crate) fn length(&self) -> u64 {
        self.range.end - self.range.start
    }

    /// Keeps the whole section in memory, where there is room.
    fn keep(&self) -> io::Result<Option<&OwnedBytes>> {
        let length = self.length();
        let take = |room: u64| room.checked_sub(length);
        if self
            .room
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .is_err()
        {
            return Ok(None);
        }
        let bytes = self.read_verified().inspect_err(|_| {
            self.room.fetch_add(length, Ordering::Relaxed);
        })?;
        if self.whole.set(OwnedBytes::new(bytes)).is_err() {
            // Another thread was faster.
            self.room.fetch_add(length, Ordering::Relaxed);
        }
        Ok(self.whole.get())
    }

    fn read_from_file(&self, range: Range<u64>) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; (range.end - range.start) as usize];
        read_exact_at(self.file.file(), &mut bytes, self.range.start + range.start)?;
        Ok(bytes)
    }
}

impl Drop for Section {
    fn drop(&mut self) {
        if self.whole.get().is_some() {
            self.room.fetch_add(self.length(), Ordering::Relaxed);
        }
    }
}

#[cfg(unix)]
pub(crate) fn read_exact_at(file: &std::fs::File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

#[cfg(windows)]
pub(crate) fn read_exact_at(file: &std::fs::File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                buffer = &mut buffer[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

/// The parts of one segment that are sections of a layer file, as the directory that Tantivy wants to see.
#[derive(Debug, Clone)]
pub(crate) struct SectionDirectory {
    components: Arc<[(Component, Arc<Section>)]>,
    /// What Tantivy writes beside the segment, for nobody.
    notes: MemoryDirectory,
}

impl SectionDirectory {
    pub(crate) fn new(components: Vec<(Component, Arc<Section>)>) -> Self {
        Self {
            components: components.into(),
            notes: MemoryDirectory::default(),
        }
    }

    fn section(&self, path: &Path) -> Option<&Arc<Section>> {
        let component = Component::from_path(path)?;
        self.components
            .iter()
            .find(|(known, _)| *known == component)
            .map(|(_, section)| section)
    }
}

#[derive(Debug)]
struct SectionHandle(Arc<Section>);

impl HasLen for SectionHandle {
    fn len(&self) -> usize {
        self.0.length() as usize
    }
}

impl FileHandle for SectionHandle {
    fn read_bytes(&self, range: Range<usize>) -> io::Result<OwnedBytes> {
        self.0.read(range.start as u64..range.end as u64)
    }
}

impl Directory for SectionDirectory {
    fn get_file_handle(&self, path: &Path) -> Result<Arc<dyn FileHandle>, OpenReadError> {
        match self.section(path) {
            Some(section) => Ok(Arc::new(SectionHandle(section.clone()))),
            None => match empty_file(path) {
                Some(bytes) => Ok(Arc::new(bytes)),
                None => Err(OpenReadError::FileDoesNotExist(path.to_owned())),
            },
        }
    }

    fn delete(&self, path: &Path) -> Result<(), DeleteError> {
        self.notes.delete(path)
    }

    fn exists(&self, path: &Path) -> Result<bool, OpenReadError> {
        Ok(self.section(path).is_some() || empty_file(path).is_some() || self.notes.exists(path)?)
    }

    fn open_write(&self, path: &Path) -> Result<WritePtr, OpenWriteError> {
        Err(OpenWriteError::FileAlreadyExists(path.to_owned()))
    }

    fn atomic_read(&self, path: &Path) -> Result<Vec<u8>, OpenReadError> {
        self.notes.atomic_read(path)
    }

    fn atomic_write(&self, path: &Path, data: &[u8]) -> io::Result<()> {
        self.notes.atomic_write(path, data)
    }

    fn sync_directory(&self) -> io::Result<()> {
        Ok(())
    }

    fn acquire_lock(&self, lock: &Lock) -> Result<DirectoryLock, LockError> {
        self.notes.acquire_lock(lock)
    }

    fn watch(&self, callback: WatchCallback) -> tantivy::Result<WatchHandle> {
        self.notes.watch(callback)
    }
}
