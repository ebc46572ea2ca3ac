//! All integration tests of the crate, as one program.
//!
//! `LOOKBACK_LONG_TESTS=1` runs the tests of durability at full length; they say what they did on standard output.
//! `LOOKBACK_LONG_SECONDS=400` ends each of them after that time, with what it has done by then.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail"
)]

mod archive;
mod children;
mod damage;
mod equals_rebuilt;
mod folder;
mod forks;
mod interruption;
mod lookup;
mod processes;
mod searching;
mod syncing;

/// A file that nobody lists would never be compiled, and its tests would never run.
#[test]
fn every_file_of_the_folder_is_listed() {
    let listed = include_str!("runner.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for entry in fs_err::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(stem) = name.strip_suffix(".rs").filter(|stem| *stem != "runner") {
            assert!(
                listed.contains(&format!("\nmod {stem};\n")),
                "tests/{name} is not listed in tests/runner.rs"
            );
        }
    }
}
