//! Child processes: the test program itself, with orders for one of its entry points.

use std::{
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Name of the variable through which a child gets its orders.
const ORDERS: &str = "LOOKBACK_INDEX_CHILD";

#[expect(clippy::disallowed_methods, reason = "a test program is its own host")]
fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether the tests of durability run at full length.
pub(crate) fn is_long_run() -> bool {
    environment("LOOKBACK_LONG_TESTS").is_some()
}

/// How long a test of durability may go on at full length.
pub(crate) struct Allowance {
    begin: Instant,
    longest: Duration,
}

impl Allowance {
    pub(crate) fn new() -> Self {
        let seconds = environment("LOOKBACK_LONG_SECONDS").map(|seconds| seconds.parse().unwrap());
        Self {
            begin: Instant::now(),
            longest: seconds
                .filter(|_| is_long_run())
                .map_or(Duration::MAX, Duration::from_secs),
        }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.begin.elapsed() > self.longest
    }
}

/// The rounds of a test of durability: so many, and at full length so many, as far as the time allows.
pub(crate) fn rounds(ordinary: usize, long: usize) -> impl Iterator<Item = usize> {
    let allowance = Allowance::new();
    let rounds = if is_long_run() { long } else { ordinary };
    (0..rounds).take_while(move |_| !allowance.is_over())
}

/// A child that runs one ignored test, its entry point, with these orders.
pub(crate) fn child(entry_point: &str, orders: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", entry_point, "--ignored", "--nocapture"])
        .env(ORDERS, orders)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The orders of this process, in a child.
pub(crate) fn orders() -> Option<String> {
    environment(ORDERS)
}

/// A small generator of numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % bound
    }
}
