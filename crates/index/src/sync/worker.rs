use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use lookback_session_model::{DiagnosticKind, OpenError, SessionFile};

use super::{
    changes::{Change, ChangeKind},
    commit::Committer,
    reading::{self, FileTurns, Read, TextSink},
};
use crate::{
    DamagedLine, FailedFile, IndexError,
    engine::SegmentBuilder,
    layer::{Documents, LayerContents},
    record::{FileHead, FileId},
    snapshot::{KnownFile, Snapshot},
};

/// What the workers of a sync share.
pub(super) struct Shared<'a> {
    pub(super) committer: &'a Committer<'a>,
    pub(super) snapshot: Option<&'a Snapshot>,
    pub(super) work: &'a [Change<'a>],
    /// The next piece of work that nobody has taken yet.
    pub(super) next: AtomicUsize,
    /// Bytes of memory that one worker may fill before it writes a layer.
    pub(super) budget: usize,
    /// All workers are to end.
    pub(super) stop: Arc<AtomicBool>,
    pub(super) tally: Tally,
    /// Why the sync as a whole failed.
    pub(super) error: Mutex<Option<IndexError>>,
    pub(super) failed: Mutex<Vec<FailedFile>>,
    pub(super) damage: Mutex<Vec<DamagedLine>>,
}

/// What was done so far.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) files_done: AtomicU64,
    pub(super) bytes_done: AtomicU64,
    pub(super) added: AtomicU64,
    pub(super) extended: AtomicU64,
    pub(super) rewritten: AtomicU64,
    pub(super) moved: AtomicU64,
    pub(super) bytes_read: AtomicU64,
    pub(super) failed: AtomicU64,
    pub(super) damaged_lines: AtomicU64,
}

/// Why a worker stops in the middle of a file.
pub(super) enum Stop {
    /// Somebody else said so.
    Asked,
    Failed(IndexError),
}

/// How long a worker collects before it commits: what is read on a slow disk is to be found soon, too.
const LONGEST_COLLECTION: Duration = Duration::from_secs(5);
/// Failed files that are named.
const NAMED: usize = 100;
/// When the sync is cancelled, a layer of up to this many bytes of memory is still written: that takes little time,
/// and without it a build that is cancelled again and again would never come to its end.
const WORTH_WRITING: usize = 8 << 20;

impl Shared<'_> {
    /// Works until nothing is left. What was collected last is returned: the caller may have something to add.
    pub(super) fn work(&self) -> LayerContents {
        let mut worker = Worker {
            shared: self,
            collection: Collection::default(),
            open: None,
            is_large: Arc::default(),
        };
        worker
            .all_files()
            .and_then(|()| worker.finish())
            .unwrap_or_else(|stop| {
                self.fail(stop);
                LayerContents::default()
            })
    }

    fn fail(&self, stop: Stop) {
        let stopped = self.stop.swap(true, Ordering::Relaxed);
        if let Stop::Failed(error) = stop {
            // Writing a segment is interrupted by an error of ours.
            if stopped && matches!(error, IndexError::Engine { .. }) {
                return;
            }
            self.error
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert(error);
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

struct Worker<'a> {
    shared: &'a Shared<'a>,
    collection: Collection,
    /// The file that is being read, where the index knows it already, and the number for its next document.
    open: Option<(&'a KnownFile, u32)>,
    /// The layer that is being written takes so long that cancelling interrupts it.
    is_large: Arc<AtomicBool>,
}

/// A layer that is being filled.
#[derive(Default)]
struct Collection {
    counts: Counts,
    builder: Option<SegmentBuilder>,
    begin: Option<Instant>,
    contents: LayerContents,
    /// Bytes of records.
    records: usize,
}

/// Files by what was done with them.
#[derive(Default)]
struct Counts {
    added: u64,
    extended: u64,
    rewritten: u64,
    moved: u64,
}

impl<'a> Worker<'a> {
    fn all_files(&mut self) -> Result<(), Stop> {
        loop {
            if self.shared.stopped() {
                return Ok(());
            }
            let at = self.shared.next.fetch_add(1, Ordering::Relaxed);
            let Some(change) = self.shared.work.get(at) else {
                return Ok(());
            };
            match self.file(change) {
                Ok(()) => {}
                Err(Stop::Asked) => return self.leave_open_file(),
                Err(stop) => return Err(stop),
            }
            let tally = &self.shared.tally;
            tally.files_done.fetch_add(1, Ordering::Relaxed);
            tally.bytes_done.fetch_add(change.bytes(), Ordering::Relaxed);
        }
    }

    fn file(&mut self, change: &Change<'a>) -> Result<(), Stop> {
        let tally = &self.shared.tally;
        let known = match change.kind {
            ChangeKind::New => None,
            ChangeKind::Moved(known) | ChangeKind::Longer(known) | ChangeKind::Other(known) => Some(known),
        };
        if let ChangeKind::Moved(known) = change.kind {
            return self.moved(change, known);
        }
        let outline = match change.kind {
            ChangeKind::Longer(known) => self.outline(known)?.decode(known.path(), &known.head().sessions),
            _ => None,
        };
        let (file, read) = match reading::read(&change.found.path, outline) {
            Ok(read) => read,
            // Gone since the folders were looked at: the next look will see it.
            Err(OpenError::NotFound { .. }) => return Ok(()),
            Err(error) => {
                self.failed(change, &error);
                return Ok(());
            }
        };
        self.note_damage(&file);
        let before: Option<&FileHead> = known.map(|known| &**known.head());
        let id = before.map_or_else(|| self.shared.committer.new_file(), |head| head.file);
        self.open = known.map(|known| (known, known.head().next_doc));
        let head = FileTurns::new(&file, id, before, read).index(self)?;
        self.open = None;
        let outline = reading::outline(&file, &head).map_err(Stop::Failed)?;
        let bytes = match (known, read) {
            (Some(known), Read::NewEnd) => file.stamp().size.saturating_sub(known.head().stamp.size),
            _ => file.stamp().size,
        };
        tally.bytes_read.fetch_add(bytes, Ordering::Relaxed);
        let counts = &mut self.collection.counts;
        *match (known, read) {
            (None, _) => &mut counts.added,
            (Some(_), Read::NewEnd) => &mut counts.extended,
            (Some(_), Read::Anew) => &mut counts.rewritten,
        } += 1;
        self.collection.record(head, outline);
        Ok(())
    }

    /// Only the path of a file changed: only its record does.
    fn moved(&mut self, change: &Change<'_>, known: &KnownFile) -> Result<(), Stop> {
        let outline = self.outline(known)?;
        let mut head = FileHead::clone(known.head());
        head.path.clone_from(&change.found.path);
        self.collection.counts.moved += 1;
        self.collection.record(head, outline);
        Ok(())
    }

    fn outline(&self, known: &KnownFile) -> Result<crate::record::Outline, Stop> {
        match self.shared.snapshot {
            Some(snapshot) => snapshot.outline(known).map_err(Stop::Failed),
            None => Err(Stop::Asked),
        }
    }

    fn failed(&self, change: &Change<'_>, error: &OpenError) {
        self.shared.tally.failed.fetch_add(1, Ordering::Relaxed);
        let mut failed = self.shared.failed.lock().unwrap_or_else(PoisonError::into_inner);
        if failed.len() < NAMED {
            failed.push(FailedFile {
                path: change.found.path.clone(),
                code: error.code(),
                message: error.to_string(),
            });
        }
    }

    /// Damage is told once, by the sync that reads it.
    fn note_damage(&self, file: &SessionFile) {
        let odd = file
            .diagnostics()
            .iter()
            .filter(|odd| odd.kind.is_damage() || odd.kind == DiagnosticKind::ReplacedBytes);
        let lines =
            file.diagnostics().damaged_lines() + file.diagnostics().count(DiagnosticKind::ReplacedBytes);
        if lines == 0 {
            return;
        }
        self.shared
            .tally
            .damaged_lines
            .fetch_add(lines, Ordering::Relaxed);
        let mut damage = self.shared.damage.lock().unwrap_or_else(PoisonError::into_inner);
        let room = NAMED.saturating_sub(damage.len());
        damage.extend(odd.take(room).map(|odd| DamagedLine {
            path: file.path().to_owned(),
            diagnostic: odd.clone(),
        }));
    }

    /// Documents of a known file are about to be committed, but the file is not done. Its old record goes with them,
    /// so that no later reading gives their numbers to other texts.
    fn leave_open_file(&mut self) -> Result<(), Stop> {
        if let Some((known, next_doc)) = self.open.take()
            && known.head().next_doc != next_doc
        {
            let outline = self.outline(known)?;
            let mut head = FileHead::clone(known.head());
            head.next_doc = next_doc;
            self.collection.record(head, outline);
        }
        Ok(())
    }

    /// Commits what was collected, where it is enough.
    fn commit_when_full(&mut self) -> Result<(), Stop> {
        let late = self
            .collection
            .begin
            .is_some_and(|begin| begin.elapsed() > LONGEST_COLLECTION);
        if self.collection.memory() >= self.shared.budget || late {
            let open = self.open;
            self.leave_open_file()?;
            self.open = open;
            let contents = self.take()?;
            self.shared.committer.add(contents).map_err(Stop::Failed)?;
        }
        Ok(())
    }

    /// What is left in the end; nothing where writing it would keep a user waiting who cancelled.
    fn finish(&mut self) -> Result<LayerContents, Stop> {
        if self.shared.stopped() && self.collection.memory() > WORTH_WRITING {
            return Ok(LayerContents::default());
        }
        self.take()
    }

    /// Ends the layer.
    fn take(&mut self) -> Result<LayerContents, Stop> {
        let is_large = self.collection.memory() > WORTH_WRITING;
        self.is_large.store(is_large, Ordering::Relaxed);
        let contents = self.collection.take()?;
        let counts = std::mem::take(&mut self.collection.counts);
        let tally = &self.shared.tally;
        tally.added.fetch_add(counts.added, Ordering::Relaxed);
        tally.extended.fetch_add(counts.extended, Ordering::Relaxed);
        tally.rewritten.fetch_add(counts.rewritten, Ordering::Relaxed);
        tally.moved.fetch_add(counts.moved, Ordering::Relaxed);
        Ok(contents)
    }

    fn builder(&mut self) -> &mut SegmentBuilder {
        self.collection.builder.get_or_insert_with(|| {
            self.collection.begin = Some(Instant::now());
            let (stop, is_large) = (self.shared.stop.clone(), self.is_large.clone());
            SegmentBuilder::new(Arc::new(move || {
                is_large.load(Ordering::Relaxed) && stop.load(Ordering::Relaxed)
            }))
        })
    }
}

impl TextSink for Worker<'_> {
    fn add(&mut self, file: FileId, doc: u32, text: &str) -> Result<(u32, u32), Stop> {
        if self.shared.stopped() {
            return Err(Stop::Asked);
        }
        self.commit_when_full()?;
        let (docs, length) = self.builder().add(text);
        for at in 0..docs {
            self.collection.contents.documents.push(file, doc + at);
        }
        if let Some((_, next_doc)) = &mut self.open {
            *next_doc = doc + docs;
        }
        Ok((docs, length))
    }
}

impl Collection {
    fn record(&mut self, head: FileHead, outline: crate::record::Outline) {
        self.records += outline.bytes().len() + 100 * head.turns.rows.len() + 1000;
        self.contents.records.push((head, outline));
    }

    fn memory(&self) -> usize {
        self.builder.as_ref().map_or(0, SegmentBuilder::memory) + self.records
    }

    fn take(&mut self) -> Result<LayerContents, Stop> {
        self.begin = None;
        self.records = 0;
        let mut contents = std::mem::take(&mut self.contents);
        match self.builder.take() {
            Some(builder) if builder.documents() > 0 => {
                contents.segment = Some(builder.finish().map_err(engine)?);
            }
            _ => contents.documents = Documents::default(),
        }
        Ok(contents)
    }
}

fn engine(error: tantivy::TantivyError) -> Stop {
    Stop::Failed(IndexError::Engine {
        message: error.to_string(),
    })
}
