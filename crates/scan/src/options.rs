use std::{
    fmt,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

/// How a scan talks with its caller, and how exact it is.
#[derive(Clone, Copy)]
pub struct ScanOptions<'a> {
    /// Set it to end the scan soon. Default: never set.
    pub cancel: &'a AtomicBool,
    /// The moment at which the scan ends, finished or not. Default: none.
    pub deadline: Option<Instant>,
    /// Told how many of all files were looked at, from several threads, after each file. Default: nobody.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// What is known of the files that do not match. Default: [`Statistics::AsNeeded`].
    pub statistics: Statistics,
}

/// What a scan knows of the files in which no word of the query occurs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Statistics {
    /// Everything where the policy weighs words by their rarity or looks at whole sessions; else nothing, and the
    /// average length of a turn is taken to be [`Statistics::TYPICAL_LENGTH`]. Finds the same hits; in their order
    /// length can count a little more or less.
    #[default]
    AsNeeded,
    /// Everything, whatever the policy: the order is that of an index. Every file is read and analysed whole.
    Exact,
}

impl Statistics {
    /// Words of a turn on average, where nobody counts.
    pub const TYPICAL_LENGTH: u32 = 100;
}

/// How far a scan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Files that were looked at.
    pub files_done: usize,
    /// All files.
    pub files_total: usize,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl Default for ScanOptions<'_> {
    fn default() -> Self {
        Self {
            cancel: &NEVER,
            deadline: None,
            progress: &|_| {},
            statistics: Statistics::default(),
        }
    }
}

impl fmt::Debug for ScanOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScanOptions")
            .field("cancel", &self.cancel)
            .field("deadline", &self.deadline)
            .field("statistics", &self.statistics)
            .finish_non_exhaustive()
    }
}

/// Why a scan ends early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    Cancelled,
    TimedOut,
}

impl ScanOptions<'_> {
    /// Whether to go on. Cheap enough to be asked for every piece of a file.
    pub(crate) fn stop(&self) -> Option<Stop> {
        if self.cancel.load(Ordering::Relaxed) {
            return Some(Stop::Cancelled);
        }
        self.deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
            .then_some(Stop::TimedOut)
    }
}
