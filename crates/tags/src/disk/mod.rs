//! The file system, one system call after the other: the only place that touches it.

#[cfg(feature = "fail-points")]
pub mod fail_points;
mod folder;
mod identity;
mod lock;
mod read;
mod replace;
mod set_aside;

pub(crate) use folder::{ensure_folder, remove_left_over_temps};
pub(crate) use identity::{Identity, Pinned, identity_at};
pub(crate) use lock::LockFiles;
pub(crate) use read::{Found, read_file};
pub(crate) use replace::{Replaced, replace_file};
pub(crate) use set_aside::set_aside;

/// The hook of the tests is asked before each system call that changes something.
#[cfg(feature = "fail-points")]
use fail_points::reach;

#[cfg(not(feature = "fail-points"))]
#[inline]
#[expect(
    clippy::unnecessary_wraps,
    reason = "the other version of this function can fail"
)]
fn reach(_step: &'static str) -> std::io::Result<()> {
    Ok(())
}
