//! Work outside the interpreter: other threads of Python go on, and Ctrl+C ends what takes long.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc::{RecvTimeoutError, Sender, channel},
    },
    time::Duration,
};

use pyo3::prelude::*;

use crate::failure::Failure;

/// How often a long call looks for Ctrl+C.
const LOOK: Duration = Duration::from_millis(50);

/// Does something short without holding the interpreter.
pub(crate) fn call<T: Send>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, lookback::Error> + Send,
) -> Result<T, Failure> {
    refuse_after_fork()?;
    py.detach(|| guarded(work))
}

/// Does something that can take long in a thread of its own. `work` gets a flag that ends it and a channel for what it
/// tells on the way; `told` is called for the latest of that, in the caller's thread. When Ctrl+C is pressed or `told`
/// raises, the flag is set, and the exception comes when the work has ended.
pub(crate) fn long_call<T: Send, P: Send>(
    py: Python<'_>,
    work: impl FnOnce(&AtomicBool, Sender<P>) -> Result<T, lookback::Error> + Send,
    mut told: impl FnMut(Python<'_>, P) -> PyResult<()> + Send,
) -> Result<T, Failure> {
    refuse_after_fork()?;
    py.detach(|| {
        let cancel = AtomicBool::new(false);
        let (sender, receiver) = channel();
        let mut raised: Option<PyErr> = None;
        let outcome = std::thread::scope(|scope| {
            let worker = scope.spawn(|| guarded(|| work(&cancel, sender)));
            loop {
                let mut latest = match receiver.recv_timeout(LOOK) {
                    Ok(progress) => Some(progress),
                    Err(RecvTimeoutError::Timeout) => None,
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Some(later) = receiver.try_iter().last() {
                    latest = Some(later);
                }
                if raised.is_some() {
                    continue;
                }
                let looked = Python::attach(|py| {
                    py.check_signals()?;
                    latest.map_or(Ok(()), |progress| told(py, progress))
                });
                if let Err(error) = looked {
                    raised = Some(error);
                    cancel.store(true, Ordering::Relaxed);
                }
            }
            worker.join().unwrap_or(Err(Failure::Panic))
        });
        match raised {
            Some(error) => Err(Failure::Python(error)),
            None => outcome,
        }
    })
}

fn guarded<T>(work: impl FnOnce() -> Result<T, lookback::Error>) -> Result<T, Failure> {
    // The engine is shared by reference and keeps its own state whole, or nothing of it was touched.
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| Failure::Panic)?
        .map_err(Failure::from)
}

/// A fork copies memory but not threads: locks that they held stay locked, and pools have nobody left to work. The
/// process that first uses the engine is therefore the only one that may.
pub(crate) fn refuse_after_fork() -> Result<(), Failure> {
    static USER: OnceLock<u32> = OnceLock::new();
    let process = std::process::id();
    if *USER.get_or_init(|| process) == process {
        Ok(())
    } else {
        Err(Failure::Forked)
    }
}
