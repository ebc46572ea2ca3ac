use std::{
    collections::HashMap,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    thread,
};

use camino::Utf8Path;

use crate::{
    IndexError,
    columns::Columns,
    folder::{Folder, LayerEntry, Manifest, ManifestState},
    layer::{Layer, Record},
    record::{FileHead, FileId, Outline},
    search::{KnownTerms, LabelCache},
};

/// What is on disk.
#[derive(Debug)]
pub(crate) enum State {
    /// No index yet.
    Missing,
    Ready(Arc<Snapshot>),
    /// An older version wrote it.
    Outdated,
    Damaged(String),
}

/// One commit, open for reading. Later commits do not change it.
#[derive(Debug)]
pub(crate) struct Snapshot {
    pub(crate) manifest: Manifest,
    /// The manifest as it is on disk: another commit has other bytes.
    bytes: Vec<u8>,
    pub(crate) layers: Vec<Arc<Layer>>,
    /// The files of the index, by the bytes of their paths.
    pub(crate) files: Vec<KnownFile>,
    by_id: HashMap<FileId, u32>,
    columns: OnceLock<Columns>,
    /// A thread makes what searches need, or has made it.
    is_prepared: AtomicBool,
    pub(crate) labels: LabelCache,
    pub(crate) known_terms: KnownTerms,
}

/// A session file that the index knows.
#[derive(Debug, Clone)]
pub(crate) struct KnownFile {
    pub(crate) record: Record,
    /// The layer with its record, a position in [`Snapshot::layers`].
    pub(crate) layer: u32,
}

impl KnownFile {
    pub(crate) fn head(&self) -> &Arc<FileHead> {
        &self.record.head
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.record.head.path
    }
}

impl Snapshot {
    /// How often a reader starts anew when merges take layers away under its hands.
    const ATTEMPTS: usize = 20;

    /// Opens the last commit, with the layers that `previous` has open already; `previous` itself where nothing was
    /// committed since.
    pub(crate) fn load(
        folder: &Folder,
        previous: Option<&Arc<Self>>,
        room: &Arc<AtomicU64>,
    ) -> Result<State, IndexError> {
        let mut attempts = Self::ATTEMPTS;
        loop {
            let bytes = Manifest::read(folder)?;
            if let (Some(previous), Some(bytes)) = (previous, &bytes)
                && previous.bytes == *bytes
            {
                return Ok(State::Ready(previous.clone()));
            }
            let manifest = match Manifest::decode(folder, bytes.as_deref())? {
                ManifestState::Missing => return Ok(State::Missing),
                ManifestState::Outdated => return Ok(State::Outdated),
                ManifestState::Damaged(what) => return Ok(State::Damaged(what.to_owned())),
                ManifestState::Present(manifest) => manifest,
            };
            let bytes = bytes.unwrap_or_default();
            attempts -= 1;
            match Self::open(folder, manifest, bytes.clone(), previous, room) {
                Ok(snapshot) => return Ok(State::Ready(Arc::new(snapshot))),
                Err(IndexError::Damaged { what, .. }) => {
                    // A layer that is gone because of a later commit is no damage.
                    if attempts == 0 || Manifest::read(folder)?.is_some_and(|now| now == bytes) {
                        return Ok(State::Damaged(what));
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The commit before the first.
    pub(crate) fn empty() -> Self {
        Self {
            manifest: Manifest::empty(0),
            bytes: Vec::new(),
            layers: Vec::new(),
            files: Vec::new(),
            by_id: HashMap::new(),
            columns: OnceLock::new(),
            is_prepared: AtomicBool::new(false),
            labels: LabelCache::default(),
            known_terms: KnownTerms::default(),
        }
    }

    fn open(
        folder: &Folder,
        manifest: Manifest,
        bytes: Vec<u8>,
        previous: Option<&Arc<Self>>,
        room: &Arc<AtomicU64>,
    ) -> Result<Self, IndexError> {
        let known = |entry: &LayerEntry| {
            let mut layers = previous.iter().flat_map(|previous| &previous.layers);
            layers.find(|layer| layer.entry() == *entry).cloned()
        };
        let open = |entry: &LayerEntry| Ok(Arc::new(Layer::open(folder, *entry, room)?));
        let layers = open_layers(&manifest.layers, known, open)?;
        let mut latest: HashMap<FileId, KnownFile> = HashMap::new();
        for (position, layer) in (0..).zip(&layers) {
            for record in &layer.records {
                let known = KnownFile {
                    record: record.clone(),
                    layer: position,
                };
                latest.insert(record.head.file, known);
            }
            for file in &layer.removed {
                latest.remove(file);
            }
        }
        let mut files: Vec<KnownFile> = latest.into_values().collect();
        files.sort_unstable_by(|a, b| a.path().as_str().cmp(b.path().as_str()));
        let by_id = (0..)
            .zip(&files)
            .map(|(at, file)| (file.head().file, at))
            .collect();
        Ok(Self {
            manifest,
            bytes,
            layers,
            files,
            by_id,
            columns: OnceLock::new(),
            is_prepared: AtomicBool::new(false),
            labels: LabelCache::default(),
            known_terms: KnownTerms::default(),
        })
    }

    /// The position in [`Snapshot::files`] of a file.
    pub(crate) fn file(&self, id: FileId) -> Option<u32> {
        self.by_id.get(&id).copied()
    }

    /// The outline of a file.
    pub(crate) fn outline(&self, file: &KnownFile) -> Result<Outline, IndexError> {
        self.layers[file.layer as usize].outline(&file.record)
    }

    /// What ranking looks at; made when it is first asked for.
    pub(crate) fn columns(&self) -> &Columns {
        self.columns.get_or_init(|| Columns::new(self))
    }

    /// True for the first who asks, as long as no search was faster.
    pub(crate) fn begin_preparing(&self) -> bool {
        self.columns.get().is_none() && !self.is_prepared.swap(true, Ordering::Relaxed)
    }

    /// Makes what searches need.
    pub(crate) fn prepare(&self) {
        self.columns();
        for layer in &self.layers {
            let _ = layer.segment();
        }
    }

    /// True when the document is the present text of a turn.
    pub(crate) fn is_alive(&self, file: FileId, doc: u32) -> bool {
        self.file(file)
            .is_some_and(|at| self.files[at as usize].head().turns.row_of(doc).is_some())
    }
}

/// Bytes of layers for which a second thread pays.
const WORTH_A_THREAD: u64 = 1 << 20;

/// Opens layers, several at a time where they are large: that is most of what a program waits for that starts.
fn open_layers(
    entries: &[LayerEntry],
    known: impl Fn(&LayerEntry) -> Option<Arc<Layer>> + Sync,
    open: impl Fn(&LayerEntry) -> Result<Arc<Layer>, IndexError> + Sync,
) -> Result<Vec<Arc<Layer>>, IndexError> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut opened = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(entry) = entries.get(at)
        {
            opened.push((at, known(entry).map_or_else(|| open(entry), Ok)));
        }
        opened
    };
    let unknown = entries.iter().filter(|entry| known(entry).is_none());
    let bytes: u64 = unknown.map(|entry| entry.length).sum();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let helpers = match bytes >= WORTH_A_THREAD {
        true => threads.min(entries.len()).saturating_sub(1),
        false => 0,
    };
    let mut opened = thread::scope(|scope| {
        // Where there is no thread to be had, this one does it all.
        let helpers: Vec<_> = (0..helpers)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut opened = work();
        for helper in helpers {
            match helper.join() {
                Ok(more) => opened.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        opened
    });
    opened.sort_unstable_by_key(|(at, _)| *at);
    opened.into_iter().map(|(_, layer)| layer).collect()
}
