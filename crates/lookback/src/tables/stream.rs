//! Batches of rows, made by several threads and handed out in one order.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::JoinHandle,
};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::SessionFile;

use super::{
    Filter, RowKind, Scan,
    family::Owners,
    plan::{Member, Plan},
};
use crate::Lookback;

/// Turns rows into batches of whatever kind.
pub trait Collect<K: RowKind>: Send {
    /// A batch.
    type Batch: Send + 'static;
    /// Takes a row in.
    fn push(&mut self, row: &K::Row<'_>);
    /// True when the rows so far should be handed out.
    fn is_full(&self) -> bool;
    /// The rows since the last call; `None` when there are none.
    fn take(&mut self) -> Option<Self::Batch>;
}

/// Why there are no more batches, though not all was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Interrupted {
    /// The flag was set.
    #[error("the reading was cancelled")]
    Cancelled,
    /// A worker ended before its time.
    #[error("a thread that reads session files failed")]
    Failed,
}

/// Batches of rows. The reading begins with the first one that is asked for, and ends when this is dropped.
pub struct Rows<B> {
    start: Option<Box<dyn FnOnce() -> Reading<B> + Send>>,
    reading: Option<Reading<B>>,
    cancel: Arc<AtomicBool>,
    left_out: Arc<AtomicU64>,
}

struct Reading<B> {
    /// One for each worker; unit n comes from worker n modulo their number.
    channels: Vec<Receiver<Part<B>>>,
    workers: Vec<JoinHandle<()>>,
    unit: usize,
    units: usize,
}

enum Part<B> {
    Batch(B),
    UnitEnds,
}

/// Batches that a worker may be ahead of the reader.
const AHEAD: usize = 4;
/// More workers than this would only hold more batches.
const WORKERS: usize = 4;

impl Lookback {
    /// Reads the session files as they are now into rows; see [`tables`](crate::tables). `make` is called for every
    /// unit of work, by the thread that does it.
    pub fn rows<K: RowKind, C: Collect<K>>(
        &self,
        kind: K,
        filter: Filter,
        make: impl Fn() -> C + Send + Sync + 'static,
    ) -> Rows<C::Batch> {
        let (roots, exclude) = (self.roots.clone(), self.exclude.clone());
        let (cancel, left_out) = (Arc::<AtomicBool>::default(), Arc::<AtomicU64>::default());
        let job = (cancel.clone(), left_out.clone());
        Rows {
            start: Some(Box::new(move || {
                let (cancel, left_out) = job;
                let excluded = |folder: &Utf8Path| {
                    let name = folder.file_name().unwrap_or_default();
                    exclude
                        .iter()
                        .any(|pattern| crate::sync::matches_pattern(pattern, name))
                };
                begin(
                    &roots,
                    excluded,
                    Job {
                        kind,
                        filter,
                        make,
                        cancel,
                        left_out,
                    },
                )
            })),
            reading: None,
            cancel,
            left_out,
        }
    }
}

/// What all workers share.
struct Job<K, M> {
    kind: K,
    filter: Filter,
    make: M,
    cancel: Arc<AtomicBool>,
    left_out: Arc<AtomicU64>,
}

fn begin<K: RowKind, C: Collect<K>>(
    roots: &[Utf8PathBuf],
    excluded: impl Fn(&Utf8Path) -> bool,
    job: Job<K, impl Fn() -> C + Send + Sync + 'static>,
) -> Reading<C::Batch> {
    let workers = std::thread::available_parallelism().map_or(1, |cores| cores.get().min(WORKERS));
    let roots = if job.kind.reads_files() { roots } else { &[] };
    let plan = Arc::new(Plan::new(roots, excluded, workers, &job.cancel));
    let job = Arc::new(job);
    let mut reading = Reading {
        channels: Vec::new(),
        workers: Vec::new(),
        unit: 0,
        // The first unit is the look through the folders.
        units: plan.units.len() + 1,
    };
    for worker in 0..workers.min(reading.units) {
        let (sender, receiver) = sync_channel(AHEAD);
        let (job, plan, units) = (job.clone(), plan.clone(), reading.units);
        reading.channels.push(receiver);
        reading.workers.push(std::thread::spawn(move || {
            for unit in (worker..units).step_by(workers) {
                let mut unit_reader = Unit {
                    collector: (job.make)(),
                    job: &job,
                    sender: &sender,
                };
                if unit_reader.read(&plan, unit).is_break() {
                    return;
                }
            }
        }));
    }
    reading
}

struct Unit<'a, K: RowKind, M, C: Collect<K>> {
    job: &'a Job<K, M>,
    collector: C,
    sender: &'a SyncSender<Part<C::Batch>>,
}

impl<K: RowKind, M, C: Collect<K>> Unit<'_, K, M, C> {
    fn read(&mut self, plan: &Plan, unit: usize) -> ControlFlow<()> {
        match unit.checked_sub(1) {
            None => {
                let job = self.job;
                job.kind.discovered(&plan.discovery, &mut |row| self.emit(row))?;
            }
            Some(unit) => {
                for family in &plan.units[unit] {
                    self.family(family)?;
                }
            }
        }
        self.flush()?;
        self.send(Part::UnitEnds)
    }

    fn family(&mut self, family: &[Member]) -> ControlFlow<()> {
        let mut owners = Owners::new();
        for member in family {
            if self.job.cancel.load(Ordering::Relaxed) {
                return ControlFlow::Break(());
            }
            let file = match SessionFile::read(&member.file.path, 0) {
                Ok(file) => file,
                Err(error) => {
                    self.job.left_out.fetch_add(1, Ordering::Relaxed);
                    let job = self.job;
                    job.kind
                        .failed(&member.file.path, &error, &mut |row| self.emit(row))?;
                    continue;
                }
            };
            // Alone, a session owns all it has. In a family, also what is filtered out must be known.
            let copied = if family.len() > 1 {
                Scan::owned(&file, &mut owners)
            } else {
                Vec::new()
            };
            if !file
                .sessions()
                .iter()
                .any(|session| self.job.filter.wants(session))
            {
                continue;
            }
            let job = self.job;
            let scan = Scan::new(member, &file, &job.filter, copied, owners.names());
            match job.kind.scan(&scan, &mut |row| self.emit(row)) {
                Ok(flow) => flow?,
                Err(_) => {
                    job.left_out.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn emit(&mut self, row: &K::Row<'_>) -> ControlFlow<()> {
        self.collector.push(row);
        if !self.collector.is_full() {
            return ControlFlow::Continue(());
        }
        self.flush()
    }

    fn flush(&mut self) -> ControlFlow<()> {
        match self.collector.take() {
            Some(batch) => self.send(Part::Batch(batch)),
            None => ControlFlow::Continue(()),
        }
    }

    fn send(&self, part: Part<C::Batch>) -> ControlFlow<()> {
        if self.job.cancel.load(Ordering::Relaxed) || self.sender.send(part).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

impl<B> Rows<B> {
    /// Set it to end the reading soon.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancel.clone()
    }

    /// Files so far that could not be read, or not to their end: [`Warnings`](super::Warnings) names them.
    pub fn files_left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }
}

impl<B> Iterator for Rows<B> {
    type Item = Result<B, Interrupted>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(start) = self.start.take() {
            self.reading = Some(start());
        }
        let reading = self.reading.as_mut()?;
        while reading.unit < reading.units {
            let worker = reading.unit % reading.channels.len();
            match reading.channels[worker].recv() {
                Ok(Part::Batch(batch)) => return Some(Ok(batch)),
                Ok(Part::UnitEnds) => reading.unit += 1,
                Err(_) => {
                    self.reading = None;
                    let cancelled = self.cancel.load(Ordering::Relaxed);
                    return Some(Err(if cancelled {
                        Interrupted::Cancelled
                    } else {
                        Interrupted::Failed
                    }));
                }
            }
        }
        None
    }
}

impl<B> Drop for Rows<B> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

impl<B> Drop for Reading<B> {
    fn drop(&mut self) {
        // Whoever waits to send is told that nobody listens; then no thread outlives the reading.
        self.channels.clear();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

impl<B> std::fmt::Debug for Rows<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rows")
            .field("started", &self.start.is_none())
            .field("files_left_out", &self.files_left_out())
            .finish_non_exhaustive()
    }
}
