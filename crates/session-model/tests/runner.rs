//! All integration tests of the crate, linked once. `memory.rs` is another program: its allocator is global.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail"
)]
#![allow(
    clippy::disallowed_methods,
    reason = "plain calls of the standard library are what is tested against"
)]

mod cases;
mod discovery;
mod fixtures;
mod made_up;
mod odd;
mod plain;
mod properties;
mod shapes;
mod untouched;

use std::{collections::BTreeSet, fs, path::Path};

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
        .filter(|name| !["runner", "memory"].contains(name))
    {
        assert!(
            runner.contains(&format!("mod {name};")),
            "tests/{name}.rs is not listed in tests/runner.rs"
        );
    }
}
