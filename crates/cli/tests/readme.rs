//! The README shows what the program really prints.

use std::path::Path;

use fs_err as fs;

use crate::program::World;

#[test]
fn its_first_command_prints_what_stands_below_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let line = readme
        .lines()
        .find(|line| line.starts_with("cargo run --release -- "))
        .unwrap();
    let args: Vec<&str> = line["cargo run --release -- ".len()..].split('"').collect();
    let [options, query, ""] = args.as_slice() else {
        panic!("one quoted query at the end: {line}")
    };
    let shown = readme
        .split("```text\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();

    let world = World::with_home();
    let mut words: Vec<&str> = options.split_whitespace().collect();
    words.push(query);
    let ended = world.command(&words).current_dir(&root).output().unwrap();
    assert_eq!(
        String::from_utf8(ended.stdout).unwrap().trim_end(),
        shown.trim_end()
    );
}
