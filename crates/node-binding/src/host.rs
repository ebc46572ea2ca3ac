//! What only a host knows.

use std::time::{SystemTime, UNIX_EPOCH};

use lookback::Timestamp;

/// The present moment.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the host that reads the clock for the libraries"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis())
        .ok()
        .and_then(Timestamp::from_millis)
        .unwrap_or(Timestamp::EPOCH)
}
