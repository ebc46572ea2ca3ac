//! How a caller keeps hold of a scan: a flag that ends it, a question that voids it, a look at what is read.

use std::sync::atomic::{AtomicBool, Ordering};

use camino::Utf8Path;

use crate::Error;

/// Where a scan asks whether it is still wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Phase {
    /// Nothing was looked at yet.
    BeforeDiscovery,
    /// The folder was listed, no file was read yet.
    AfterDiscovery,
    /// All files were read.
    AfterReads,
    /// The result is complete and is about to be returned.
    BeforeReturn,
}

/// What happens to a file. Every [`Opened`](ReadEvent::Opened) is followed by one [`Closed`](ReadEvent::Closed).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadEvent<'a> {
    /// The file is open.
    Opened {
        /// Its path.
        path: &'a Utf8Path,
    },
    /// A chunk was read.
    Chunk {
        /// Its path.
        path: &'a Utf8Path,
        /// Bytes read so far.
        bytes: u64,
    },
    /// The file is closed, read to its end or not.
    Closed {
        /// Its path.
        path: &'a Utf8Path,
    },
}

type StillValid<'a> = &'a (dyn Fn(Phase) -> bool + 'a);
type OnRead<'a> = &'a (dyn Fn(ReadEvent<'_>) + Sync + 'a);

/// How a caller keeps hold of a scan. The default lets it run to its end.
#[derive(Clone, Copy, Default)]
pub struct Control<'a> {
    still_valid: Option<StillValid<'a>>,
    signals: Signals<'a>,
}

/// The part of a [`Control`] that the reading threads share.
#[derive(Clone, Copy, Default)]
pub(crate) struct Signals<'a> {
    cancel: Option<&'a AtomicBool>,
    on_read: Option<OnRead<'a>>,
}

impl<'a> Control<'a> {
    /// Lets the scan run to its end.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the scan with [`Error::Cancelled`] soon after the flag is set: it is looked at between folder entries,
    /// between files, between two chunks of a file, and between the records in it.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.signals.cancel = Some(flag);
        self
    }

    /// Ends the scan with [`Error::Superseded`] when `still_valid` says no. It is asked in every [`Phase`], on the
    /// thread that called. A scan for a session that was left must not be shown for the one that took its place.
    #[must_use]
    pub fn still_valid(mut self, still_valid: &'a (dyn Fn(Phase) -> bool + 'a)) -> Self {
        self.still_valid = Some(still_valid);
        self
    }

    /// Tells what happens to files, from the threads that read them.
    #[must_use]
    pub fn on_read(mut self, on_read: &'a (dyn Fn(ReadEvent<'_>) + Sync + 'a)) -> Self {
        self.signals.on_read = Some(on_read);
        self
    }

    pub(crate) fn signals(&self) -> Signals<'a> {
        self.signals
    }

    /// A scan that was both cancelled and superseded was cancelled: that is what its caller did.
    pub(crate) fn check(&self, phase: Phase) -> Result<(), Error> {
        self.signals.check()?;
        match self.still_valid {
            Some(still_valid) if !still_valid(phase) => Err(Error::Superseded { phase }),
            _ => Ok(()),
        }
    }
}

impl Signals<'_> {
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.is_cancelled() {
            Err(Error::Cancelled)
        } else {
            Ok(())
        }
    }

    pub(crate) fn tell(&self, event: ReadEvent<'_>) {
        if let Some(on_read) = self.on_read {
            on_read(event);
        }
    }
}
