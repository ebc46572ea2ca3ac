//! For the tests only: see the feature `test-hooks`.

use std::time::{Duration, Instant};

use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, Unknown},
};
use napi_derive::napi;

use crate::{
    control::Control,
    failure::Failure,
    given::FromJs,
    instance::engines,
    job::{Job, promise},
    options::SyncOptions,
};

/// Panics on the thread of JavaScript.
#[allow(clippy::panic, reason = "this is what is tested")]
#[napi(catch_unwind, skip_typescript)]
pub fn test_panic_now() -> napi::Result<()> {
    panic!("on request")
}

/// Panics on a worker thread.
#[allow(clippy::panic, reason = "this is what is tested")]
#[napi(skip_typescript)]
pub fn test_panic_later<'env>(env: &'env Env) -> napi::Result<PromiseRaw<'env, ()>> {
    let job = Control::new(env, Default::default())
        .map(|control| Job::new(control, None, |_| panic!("on request, in a worker")));
    promise(env, job)
}

/// How many engines are in use.
#[napi(skip_typescript)]
pub fn test_engines() -> u32 {
    u32::try_from(engines()).unwrap_or(u32::MAX)
}

/// A call that lasts until it is ended, at most this many milliseconds, and reports its progress all the time. It
/// gives how often it did so.
#[napi(skip_typescript)]
pub fn test_wait<'env>(
    env: &'env Env,
    milliseconds: u32,
    options: Unknown<'env>,
) -> napi::Result<PromiseRaw<'env, u32>> {
    let job = SyncOptions::from_js(options, "options").and_then(|options| {
        let control = Control::new(env, options.wishes())?;
        Ok(Job::new(control, None, move |control| {
            wait(control, Duration::from_millis(milliseconds.into()))
        }))
    });
    promise(env, job)
}

pub(crate) fn wait(control: &Control, time: Duration) -> Result<u32, Failure> {
    let start = Instant::now();
    let report = control.reporting();
    let mut reports = 0_u32;
    while start.elapsed() < time {
        if control.stop().is_set() {
            return Err(Failure::Stopped);
        }
        reports += 1;
        let part = u64::from(reports);
        report(lookback::Progress {
            files_done: part,
            files_total: part,
            bytes_done: part,
            bytes_total: part,
        });
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(reports)
}
