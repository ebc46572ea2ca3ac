//! All integration tests of the crate, as one program. `fail_points.rs` is another: its hook is global.
//!
//! `LOOKBACK_LONG_TESTS=1` runs the durability tests at full length; they say what they did on standard output.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail"
)]

mod changes;
mod damage;
mod done_marks;
mod guards;
mod kill;
mod model;
mod normalisation;
mod processes;
mod snapshots;
mod support;

/// A file that nobody lists would never be compiled, and its tests would never run.
#[test]
fn every_file_of_the_folder_is_listed() {
    let listed = include_str!("runner.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for entry in fs_err::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(stem) = name.strip_suffix(".rs")
            && !["runner", "fail_points"].contains(&stem)
        {
            assert!(
                listed.contains(&format!("\nmod {stem};\n")),
                "tests/{name} is not listed in tests/runner.rs"
            );
        }
    }
}
