//! All integration tests of the crate, linked once.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that meets the unexpected is to fail"
)]

mod analysis;
mod bad_input;
mod cases;
mod corpora;
mod filters;
mod neighbours;
mod policies;
mod properties;
mod query;
mod questions;
mod relaxation;
mod snippets;

use std::collections::BTreeSet;

/// A file that nobody lists would never run.
#[test]
fn every_file_of_this_folder_is_listed() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let files: BTreeSet<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".rs").map(str::to_owned))
        .filter(|name| name != "runner")
        .collect();
    let listed: BTreeSet<String> = include_str!("runner.rs")
        .lines()
        .filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'))
        .map(str::to_owned)
        .collect();
    assert_eq!(files, listed);
}
