use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

use lookback_session_model::Discovery;

use super::{
    changes::Changes,
    commit::Committer,
    compaction,
    worker::{Shared, Tally},
};
use crate::{
    IndexError, Progress, SyncOptions, SyncReport, SyncState,
    folder::{Folder, Manifest, WriterLock},
    layer::LayerContents,
    snapshot::{Snapshot, State},
};

/// Memory for postings that are being collected, over all workers. With all else it keeps a first build below 128 MiB.
const MEMORY: usize = 60 << 20;
/// More workers would have to write smaller layers.
const MOST_WORKERS: usize = 4;
/// Less than this is read by one worker: more would not pay.
const WORTH_THREADS: u64 = 2 << 20;
/// Memory for so little: tables that are too large cost more than the few terms in them.
const LITTLE_MEMORY: usize = 2 << 20;
/// How often progress is told and cancelling is noticed while workers work.
const STEP: Duration = Duration::from_millis(20);

/// What [`run`] needs of the index.
pub(crate) trait Source {
    fn folder(&self) -> &Folder;
    /// The last commit.
    fn state(&self) -> Result<State, IndexError>;
}

/// See [`Index::sync`](crate::Index::sync).
pub(crate) fn run(source: &dyn Source, options: &SyncOptions<'_>) -> Result<SyncReport, IndexError> {
    let found = Discovery::look(options.roots, options.exclude);
    let mut report = SyncReport::new();
    report.files = found.files.len() as u64;
    report.complete = found.complete;
    report.skipped = found.skipped.clone();
    report.skipped_count = found.skipped_count;
    report.missing_roots = found.missing_roots.clone();

    let nothing_to_do = match source.state()? {
        State::Ready(snapshot) => {
            snapshot.manifest.complete && Changes::between(&found, Some(&snapshot)).is_empty()
        }
        State::Missing => found.files.is_empty(),
        State::Outdated | State::Damaged(_) => false,
    };
    if nothing_to_do {
        return Ok(report);
    }
    if options.cancelled() {
        report.state = SyncState::Cancelled;
        return Ok(report);
    }
    source.folder().create()?;
    let stop = || options.cancelled();
    let Some(lock) = WriterLock::take(source.folder(), options.wait, stop)? else {
        report.state = if options.cancelled() {
            SyncState::Cancelled
        } else {
            SyncState::Busy
        };
        return Ok(report);
    };
    // Another process may have written while this one waited.
    let (snapshot, manifest) = match source.state()? {
        State::Ready(snapshot) => {
            let manifest = snapshot.manifest.clone();
            (Some(snapshot), manifest)
        }
        State::Missing => {
            // A layer without any manifest looks like damage, and a kill can come behind the first layer.
            let manifest = Manifest::empty(0);
            manifest.commit(source.folder())?;
            (None, manifest)
        }
        State::Outdated => {
            report.rebuilt = Some("an older version wrote it".to_owned());
            (None, clear(source.folder())?)
        }
        State::Damaged(what) => {
            report.rebuilt = Some(what);
            (None, clear(source.folder())?)
        }
    };
    let changes = Changes::between(&found, snapshot.as_deref());
    source.folder().remove_layers_outside(&manifest);
    let committer = Committer::new(source.folder(), manifest, &lock)?;
    write(&committer, snapshot.as_deref(), &changes, options, &mut report)?;
    if report.state != SyncState::Cancelled {
        // All is committed: that it takes more room than it could is no failure of the sync, but damage is.
        if let Err(error @ (IndexError::Damaged { .. } | IndexError::Engine { .. })) =
            compaction::run(source, &committer, options, committer.added())
        {
            return Err(error);
        }
    }
    source.folder().remove_layers_outside(&committer.manifest());
    Ok(report)
}

/// Empties the index. Only for the holder of the lock.
pub(crate) fn empty(source: &dyn Source, _lock: &WriterLock) -> Result<(), IndexError> {
    clear(source.folder()).map(|_| ())
}

fn clear(folder: &Folder) -> Result<Manifest, IndexError> {
    // Layers of before are overwritten or removed; readers must not take a new one for one they have open, which
    // their checksums prevent.
    let generation = Manifest::last_generation(folder)?;
    let mut manifest = Manifest::empty(generation + 1);
    manifest.next_layer = folder
        .layers()
        .map_err(|error| IndexError::io(folder.path(), error))?
        .into_iter()
        .filter(|id| *id < u64::MAX / 2)
        .max()
        .map_or(1, |id| id + 1);
    manifest.commit(folder)?;
    folder.remove_layers_outside(&manifest);
    Ok(manifest)
}

fn write(
    committer: &Committer<'_>,
    snapshot: Option<&Snapshot>,
    changes: &Changes<'_>,
    options: &SyncOptions<'_>,
    report: &mut SyncReport,
) -> Result<(), IndexError> {
    let bytes_total = changes.work.iter().map(|change| change.bytes()).sum();
    let (workers, budget) = if bytes_total < WORTH_THREADS {
        (1, LITTLE_MEMORY)
    } else {
        let workers = options.threads.clamp(1, MOST_WORKERS);
        (workers, MEMORY / workers)
    };
    let shared = Shared {
        committer,
        snapshot,
        work: &changes.work,
        next: AtomicUsize::new(0),
        budget,
        stop: Arc::new(AtomicBool::new(false)),
        tally: Tally::default(),
        error: Mutex::new(None),
        failed: Mutex::new(Vec::new()),
        damage: Mutex::new(Vec::new()),
    };
    let tell = || {
        (options.progress)(Progress {
            files_done: shared.tally.files_done.load(Ordering::Relaxed),
            files_total: changes.work.len() as u64,
            bytes_done: shared.tally.bytes_done.load(Ordering::Relaxed),
            bytes_total,
        });
    };
    tell();
    let mut left_over = in_threads(&shared, workers, options, &tell);
    if options.cancelled() {
        report.state = SyncState::Cancelled;
    } else {
        report.state = SyncState::Updated;
    }
    if let Some(error) = shared.error.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    if report.state == SyncState::Updated {
        let removed = changes.removed.iter().map(|known| known.head().file).collect();
        report.removed = changes.removed.len() as u64;
        match left_over.last_mut() {
            Some(last) => last.removed = removed,
            None => left_over.push(LayerContents {
                removed,
                ..LayerContents::default()
            }),
        }
    }
    for contents in left_over {
        committer.add(contents)?;
    }
    if report.state == SyncState::Updated {
        committer.complete()?;
    }
    tell();
    report.added = shared.tally.added.load(Ordering::Relaxed);
    report.extended = shared.tally.extended.load(Ordering::Relaxed);
    report.rewritten = shared.tally.rewritten.load(Ordering::Relaxed);
    report.moved = shared.tally.moved.load(Ordering::Relaxed);
    report.bytes_read = shared.tally.bytes_read.load(Ordering::Relaxed);
    report.failed_count = shared.tally.failed.load(Ordering::Relaxed);
    report.failed = std::mem::take(&mut *shared.failed.lock().unwrap_or_else(PoisonError::into_inner));
    report.damaged_lines = shared.tally.damaged_lines.load(Ordering::Relaxed);
    report.damage = std::mem::take(&mut *shared.damage.lock().unwrap_or_else(PoisonError::into_inner));
    // Several threads read; the order should not tell which was first.
    report
        .damage
        .sort_by(|a, b| (&a.path, a.diagnostic.line).cmp(&(&b.path, b.diagnostic.line)));
    Ok(())
}

/// Runs the workers. The calling thread tells progress and passes on that the user cancelled.
fn in_threads(
    shared: &Shared<'_>,
    workers: usize,
    options: &SyncOptions<'_>,
    tell: &dyn Fn(),
) -> Vec<LayerContents> {
    let guarded = || {
        // A panic in the engine below must not end the host. What was committed stays.
        catch_unwind(AssertUnwindSafe(|| shared.work())).unwrap_or_else(|panic| {
            shared.stop.store(true, Ordering::Relaxed);
            shared
                .error
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .get_or_insert(IndexError::Engine {
                    message: crate::panics::message(&*panic),
                });
            LayerContents::default()
        })
    };
    let mut left_over = Vec::new();
    thread::scope(|scope| {
        let (done, results) = mpsc::channel();
        for _ in 0..workers {
            let done = done.clone();
            scope.spawn(move || {
                // The receiver waits for every worker.
                let _ = done.send(guarded());
            });
        }
        drop(done);
        loop {
            if options.cancelled() {
                shared.stop.store(true, Ordering::Relaxed);
            }
            match results.recv_timeout(STEP) {
                Ok(contents) => left_over.push(contents),
                Err(RecvTimeoutError::Timeout) => tell(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    left_over.retain(|contents| !contents.is_empty());
    left_over
}
