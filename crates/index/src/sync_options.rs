use std::{fmt, sync::atomic::AtomicBool, time::Duration};

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};

/// What a sync looks at, and how it talks with its caller.
#[derive(Clone, Copy)]
pub struct SyncOptions<'a> {
    /// The session folders. Afterwards the index holds the sessions under them and no others.
    pub roots: &'a [Utf8PathBuf],
    /// Asked for every folder below a root; `true` leaves it out. Default: none is left out.
    pub exclude: &'a dyn Fn(&Utf8Path) -> bool,
    /// Told how far the sync is, by the calling thread, some fifty times a second. Default: nobody.
    pub progress: &'a dyn Fn(Progress),
    /// Set it to end the sync soon. What is committed stays; the next sync goes on from there. Default: never set.
    pub cancel: &'a AtomicBool,
    /// How long to wait for another process that writes. Default: 2 s.
    pub wait: Duration,
    /// Threads that read and index, four at most. Default: one for each core.
    pub threads: usize,
}

impl fmt::Debug for SyncOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncOptions")
            .field("roots", &self.roots)
            .field("wait", &self.wait)
            .field("threads", &self.threads)
            .finish_non_exhaustive()
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl<'a> SyncOptions<'a> {
    /// Waits this long for another process unless told otherwise.
    pub const WAIT: Duration = Duration::from_secs(2);

    /// A sync of these session folders with all defaults.
    pub fn new(roots: &'a [Utf8PathBuf]) -> Self {
        Self {
            roots,
            exclude: &|_| false,
            progress: &|_| {},
            cancel: &NEVER,
            wait: Self::WAIT,
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    pub(crate) fn cancelled(&self) -> bool {
        self.cancel.load(std::sync::atomic::Ordering::Relaxed)
    }
}

/// How far a sync is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// Files that are done, of those that changed.
    pub files_done: u64,
    /// Files that changed.
    pub files_total: u64,
    /// Bytes that are done, of those that are new.
    pub bytes_done: u64,
    /// Bytes that are new.
    pub bytes_total: u64,
}
