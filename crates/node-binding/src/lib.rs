//! Node.js add-on of Lookback.
//!
//! It converts and decides nothing: options of JavaScript become requests of the crate `lookback`, its replies become
//! plain objects. What is JavaScript's own is handled here: promises that are worked on by libuv's threads
//! (`job`), abort signals and progress callbacks (`control`), errors with a `code` (`failure`), `Date`s, and
//! ranges that count in UTF-16 units.

// clippy also looks at a build for unit tests, in which napi registers nothing.
#![cfg_attr(test, allow(dead_code, reason = "only napi's registration uses it"))]
#![allow(
    unreachable_pub,
    reason = "what napi exports has to be `pub`, wherever it stands"
)]
// Written by hand it is needed in three small places; the rest is what the macros of napi expand to.
#![allow(
    unsafe_code,
    reason = "napi's traits and the code that its macros generate are unsafe"
)]

mod control;
mod failure;
mod given;
mod host;
mod instance;
mod job;
mod locate;
mod lookback;
mod options;
mod progress;
mod reading;
mod replies;
mod requests;
mod tagging;
#[cfg(feature = "test-hooks")]
mod test_hooks;
mod tools;
mod waiting;

use napi::{Env, bindgen_prelude::Object};
use napi_derive::napi;

/// Runs once for the main thread and once for every worker thread that loads the add-on.
#[napi(module_exports)]
pub fn init(_exports: Object<'_>, _env: Env) {
    failure::quiet_panics();
}

/// Ends all calls of this thread, for which the end of the process would otherwise wait. `index.js` calls it then.
#[napi(catch_unwind, skip_typescript)]
pub fn end_calls() {
    control::end_calls();
}
