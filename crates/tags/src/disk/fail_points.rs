//! A hook before every step of a change, for tests that let the step fail or end the process there.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// Gets the name of the step that comes next. An error takes the place of the step.
pub type Hook = Arc<dyn Fn(&'static str) -> io::Result<()> + Send + Sync>;

static HOOK: Mutex<Option<Hook>> = Mutex::new(None);

/// Sets or removes the hook of the whole process.
pub fn set_hook(hook: Option<Hook>) {
    *HOOK.lock().unwrap_or_else(PoisonError::into_inner) = hook;
}

pub(super) fn reach(step: &'static str) -> io::Result<()> {
    // Cloned, so that the hook may itself use a store.
    let hook = HOOK.lock().unwrap_or_else(PoisonError::into_inner).clone();
    hook.map_or(Ok(()), |hook| hook(step))
}
