//! All tests of the program, linked once.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod cases;
mod contract;
mod doctor;
mod export;
mod folders;
mod inspect;
mod manual;
mod program;
mod reading;
mod readme;
mod terminal;
mod unchanged;

use std::{collections::BTreeSet, path::Path};

use fs_err as fs;

#[test]
fn every_file_of_this_folder_is_listed() {
    let runner = include_str!("runner.rs");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let names: BTreeSet<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for name in names
        .iter()
        .filter_map(|name| name.strip_suffix(".rs"))
        .filter(|name| *name != "runner")
    {
        assert!(
            runner.contains(&format!("mod {name};")),
            "tests/{name}.rs is not listed in tests/runner.rs"
        );
    }
}
