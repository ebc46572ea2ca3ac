//! The example sessions are the first thing a newcomer searches, so they have to be whole and stay small.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use serde_json::Value;

fn sessions() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/sessions");
    let folders = fs_err::read_dir(root).expect("the examples are there");
    let files = folders
        .flat_map(|folder| fs_err::read_dir(folder.expect("a readable folder").path()).expect("a folder"));
    files.map(|file| file.expect("a readable file").path()).collect()
}

#[test]
fn there_are_a_dozen_and_they_stay_small() {
    let sessions = sessions();
    let bytes: u64 = sessions
        .iter()
        .map(|path| fs_err::metadata(path).expect("a file").len())
        .sum();
    assert!(sessions.len() >= 12, "{} sessions", sessions.len());
    assert!(bytes < 150_000, "{bytes} bytes");
}

#[test]
fn every_example_lies_where_pi_would_look_for_it_and_its_tree_is_whole() {
    for path in sessions() {
        let text = fs_err::read_to_string(&path).expect("examples are UTF-8");
        let entries: Vec<Value> = text
            .lines()
            .map(|line| {
                serde_json::from_str(line).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
            })
            .collect();
        let header = |key: &str| {
            entries[0][key]
                .as_str()
                .unwrap_or_else(|| panic!("{}: no {key}", path.display()))
        };
        let folder = format!("--{}--", header("cwd")[1..].replace('/', "-"));
        let file = format!(
            "{}_{}.jsonl",
            header("timestamp").replace([':', '.'], "-"),
            header("id")
        );
        assert!(
            path.ends_with(Path::new(&folder).join(file)),
            "{} does not fit its header",
            path.display()
        );
        if entries[0]["version"].is_null() {
            // Sessions of the first format have no tree.
            continue;
        }
        let mut known = HashSet::new();
        for entry in &entries[1..] {
            let id = entry["id"].as_str().expect("an id");
            let parent = entry["parentId"].as_str();
            assert!(
                parent.is_none_or(|parent| known.contains(parent)),
                "{}: parent of {id}",
                path.display()
            );
            assert!(known.insert(id), "{}: {id} occurs twice", path.display());
        }
    }
}

#[test]
fn the_examples_show_what_sessions_can_hold() {
    let all: Vec<String> = sessions()
        .iter()
        .map(|path| fs_err::read_to_string(path).expect("UTF-8"))
        .collect();
    for (what, mark) in [
        ("a fork", "\"parentSession\":"),
        ("a compaction", "\"type\":\"compaction\""),
        ("a branch summary", "\"type\":\"branch_summary\""),
        ("a label", "\"type\":\"label\""),
        ("a name", "\"type\":\"session_info\""),
        ("a context edit", "\"type\":\"context_edit\""),
        ("an error", "\"stopReason\":\"error\""),
        ("Japanese", "日本語"),
        ("Chinese", "搜索"),
    ] {
        assert!(
            all.iter().any(|text| text.contains(mark)),
            "no example shows {what}"
        );
    }
    let unanswered = all.iter().filter(|text| {
        text.trim_end()
            .lines()
            .last()
            .is_some_and(|line| line.contains("\"role\":\"user\""))
    });
    assert_eq!(unanswered.count(), 1, "one example ends in an unanswered message");
}
