use std::sync::{
    Mutex, PoisonError,
    atomic::{AtomicU32, AtomicU64, Ordering},
};

use crate::{
    IndexError,
    folder::{Folder, LayerEntry, Manifest, WriterLock},
    layer::LayerContents,
    record::FileId,
};

/// Adds layers to the index, for one holder of the lock and all its threads.
pub(super) struct Committer<'a> {
    folder: &'a Folder,
    manifest: Mutex<Manifest>,
    /// The manifest on disk.
    bytes: Mutex<Option<Vec<u8>>>,
    next_file: AtomicU32,
    /// Bytes of the layers that were added.
    added: AtomicU64,
    _lock: &'a WriterLock,
}

impl<'a> Committer<'a> {
    /// Goes on from a commit.
    pub(super) fn new(
        folder: &'a Folder,
        manifest: Manifest,
        lock: &'a WriterLock,
    ) -> Result<Self, IndexError> {
        Ok(Self {
            folder,
            next_file: AtomicU32::new(manifest.next_file),
            added: AtomicU64::new(0),
            manifest: Mutex::new(manifest),
            bytes: Mutex::new(Manifest::read(folder)?),
            _lock: lock,
        })
    }

    /// A number for a file that is new.
    pub(super) fn new_file(&self) -> FileId {
        self.next_file.fetch_add(1, Ordering::Relaxed)
    }

    /// Writes a layer and makes it part of the index.
    pub(super) fn add(&self, contents: LayerContents) -> Result<(), IndexError> {
        if contents.is_empty() {
            return Ok(());
        }
        let id = self.with_manifest(|manifest| {
            manifest.next_layer += 1;
            manifest.next_layer - 1
        });
        // Threads write their layers side by side; only the commit itself is one after another.
        let entry = contents.write(self.folder, id)?;
        self.added.fetch_add(entry.length, Ordering::Relaxed);
        self.change(|manifest| manifest.layers.push(entry))
    }

    /// Bytes of the layers that were added so far.
    pub(super) fn added(&self) -> u64 {
        self.added.load(Ordering::Relaxed)
    }

    /// Puts one layer in the place of several, at the position of the last of them.
    pub(super) fn replace(&self, merged: &[LayerEntry], contents: LayerContents) -> Result<(), IndexError> {
        let id = self.with_manifest(|manifest| {
            manifest.next_layer += 1;
            manifest.next_layer - 1
        });
        let entry = if contents.is_empty() {
            None
        } else {
            Some(contents.write(self.folder, id)?)
        };
        self.change(|manifest| {
            if let Some(last) = merged
                .last()
                .and_then(|last| manifest.layers.iter().position(|layer| layer.id == last.id))
            {
                manifest.layers.splice(last..=last, entry);
            }
            manifest
                .layers
                .retain(|layer| !merged.iter().any(|gone| gone.id == layer.id));
        })
    }

    /// The index holds all that the folders hold.
    pub(super) fn complete(&self) -> Result<(), IndexError> {
        if self.with_manifest(|manifest| manifest.complete) {
            return Ok(());
        }
        self.change(|manifest| manifest.complete = true)
    }

    /// The last commit.
    pub(super) fn manifest(&self) -> Manifest {
        self.with_manifest(|manifest| manifest.clone())
    }

    fn change(&self, change: impl FnOnce(&mut Manifest)) -> Result<(), IndexError> {
        self.with_manifest(|manifest| {
            let mut next = manifest.clone();
            change(&mut next);
            next.generation += 1;
            next.next_file = self.next_file.load(Ordering::Relaxed);
            let mut bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
            // The lock keeps others out, unless somebody deleted its file. Their commit must not be lost.
            if Manifest::read(self.folder)? != *bytes {
                return Err(IndexError::Busy {
                    folder: self.folder.path().to_owned(),
                });
            }
            *bytes = Some(next.commit(self.folder)?);
            *manifest = next;
            Ok(())
        })
    }

    fn with_manifest<T>(&self, work: impl FnOnce(&mut Manifest) -> T) -> T {
        // It is replaced as a whole, so a thread that ended in the middle left it whole.
        let mut manifest = self.manifest.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut manifest)
    }
}
