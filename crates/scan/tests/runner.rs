//! All integration tests of the crate, as one program.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail"
)]

mod agreement;
mod cases;
mod control;
mod corpora;
mod fields;
mod hostile;
mod library;
mod window;

/// A file that nobody lists would never be compiled, and its tests would never run.
#[test]
fn every_file_of_the_folder_is_listed() {
    let listed = include_str!("runner.rs");
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    for entry in fs_err::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(stem) = name.strip_suffix(".rs")
            && stem != "runner"
        {
            assert!(
                listed.contains(&format!("\nmod {stem};\n")),
                "tests/{name} is not listed in tests/runner.rs"
            );
        }
    }
}
