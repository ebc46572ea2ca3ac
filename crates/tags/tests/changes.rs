//! What changes do to tags and to the file.

use lookback_tags::{TagEdit, TagStore};

use crate::support::{DataDir, lists, tags};

const SAMPLE: &str = include_str!("data/tags-v1.json");
const FIRST: &str = "0198c1f2-7a31-7d60-8b1e-3f5a90c4d2e7";
const SECOND: &str = "0198d4ab-11c0-7f3e-9a52-6c7be0d81f34";
const THIRD: &str = "0199020e-5b7d-7c11-b4f8-1d2e3f405162";

#[test]
fn manual_wins_and_removed_stays_removed() {
    let dir = DataDir::new();
    let store = dir.store();
    store.add("one", &tags(["Codebase"]), 1).unwrap();
    store
        .set_generated("one", &tags(["codebase", "search", "temporary"]), 2)
        .unwrap();
    store.remove("one", &tags(["temporary"]), 3).unwrap();
    store
        .set_generated("one", &tags(["temporary", "search", "typescript"]), 4)
        .unwrap();

    let snapshot = dir.store().snapshot().unwrap();
    let one = snapshot.get("one");
    assert_eq!(
        lists(one),
        [vec!["codebase"], vec!["search", "typescript"], vec!["temporary"]]
    );
    assert_eq!(one.unwrap().updated_ms, 4);
}

#[test]
fn a_tag_set_by_hand_is_no_longer_generated_or_suppressed() {
    let store = DataDir::new();
    let store = store.store();
    store.set_generated("s", &tags(["a", "b"]), 1).unwrap();
    store.remove("s", &tags(["b", "c"]), 2).unwrap();
    let after = store.add("s", &tags(["a", "b"]), 3).unwrap().snapshot;
    assert_eq!(lists(after.get("s")), [vec!["a", "b"], vec![], vec!["c"]]);
}

#[test]
fn the_file_of_pi_recall_changes_only_where_it_must() {
    let dir = DataDir::with_tags(SAMPLE.as_bytes());
    let store = dir.store();
    let snapshot = store.snapshot().unwrap();
    assert_eq!(
        lists(snapshot.get(FIRST)),
        [vec!["codebase", "rust"], vec!["full-text-search", "napi"], vec![]]
    );
    assert_eq!(
        lists(snapshot.get(SECOND)),
        [vec![], vec!["größe", "日本語", "v2_api"], vec!["temporary"]]
    );
    assert_eq!(snapshot.get(THIRD).unwrap().updated_ms, 1_756_000_000_000);

    store.remove(FIRST, &tags(["napi"]), 1_760_000_000_123).unwrap();
    let expected = SAMPLE
        .replace(
            "        \"full-text-search\",\n        \"napi\"\n",
            "        \"full-text-search\"\n",
        )
        .replacen(
            "\"suppressedTags\": []",
            "\"suppressedTags\": [\n        \"napi\"\n      ]",
            1,
        )
        .replace("1755612345678", "1760000000123");
    assert_eq!(dir.text(TagStore::FILE_NAME), expected);
}

#[test]
fn a_new_file_has_the_shape_of_pi_recall() {
    let dir = DataDir::new();
    let store = dir.store();
    store
        .add("b\"\u{2028}\n", &tags(["größe"]), 1_760_000_000_000)
        .unwrap();
    store.remove("a", &tags(["x"]), 7).unwrap();
    let expected = concat!(
        "{\n  \"version\": 1,\n  \"sessions\": {\n",
        "    \"a\": {\n      \"manualTags\": [],\n      \"autoTags\": [],\n",
        "      \"suppressedTags\": [\n        \"x\"\n      ],\n      \"updatedAt\": 7\n    },\n",
        "    \"b\\\"\u{2028}\\n\": {\n      \"manualTags\": [\n        \"größe\"\n      ],\n      \"autoTags\": [],\n",
        "      \"suppressedTags\": [],\n      \"updatedAt\": 1760000000000\n    }\n",
        "  }\n}\n",
    );
    assert_eq!(dir.text(TagStore::FILE_NAME), expected);
}

/// Other programs, and later versions of this one, may add fields anywhere.
#[test]
fn unknown_fields_are_kept_byte_for_byte() {
    let odd = r#"{"z": [1e999, 12345678901234567890123, 1.50],   "a": null}"#;
    let content = format!(
        "{{\"note\": {odd}, \"version\": 1.0, \"sessions\": {{\"s\": {{\"color\": {odd}, \"autoTags\": [\"A\"], \
         \"manualTags\": [], \"suppressedTags\": [], \"updatedAt\": 5.5}}, \"t\": {{\"manualTags\": [\"Z z\"]}}}}, \
         \"tail\": {odd}}}",
    );
    let dir = DataDir::with_tags(content.as_bytes());
    dir.store().add("s", &tags(["b"]), 6).unwrap();
    let expected = format!(
        "{{\n  \"note\": {odd},\n  \"version\": 1.0,\n  \"sessions\": {{\n    \"s\": {{\n      \"color\": {odd},\n      \
         \"autoTags\": [\n        \"a\"\n      ],\n      \"manualTags\": [\n        \"b\"\n      ],\n      \
         \"suppressedTags\": [],\n      \"updatedAt\": 6\n    }},\n    \"t\": {{\"manualTags\": [\"Z z\"]}}\n  }},\n  \
         \"tail\": {odd}\n}}\n",
    );
    assert_eq!(dir.text(TagStore::FILE_NAME), expected);
}

#[test]
fn what_changes_nothing_writes_nothing() {
    let dir = DataDir::new();
    let store = dir.store();
    for edit in [
        TagEdit::Add(vec![]),
        TagEdit::Remove(vec![]),
        TagEdit::SetGenerated(vec![]),
    ] {
        assert!(!store.apply(&[("s", edit)], 1).unwrap().changed);
    }
    assert!(!store.apply(&[], 1).unwrap().changed);
    assert!(!store.repair().unwrap().changed);
    assert!(!dir.path.exists(), "not even the folder");

    assert!(store.add("s", &tags(["a"]), 1).unwrap().changed);
    for lock in ["tags-v1.json.lock", "tags-v1.json.queue"] {
        fs_err::remove_file(dir.path.join(lock)).unwrap();
    }
    let before = dir.text(TagStore::FILE_NAME);
    assert!(!store.add("s", &tags(["A"]), 2).unwrap().changed);
    assert!(!store.set_generated("s", &tags(["a"]), 2).unwrap().changed);
    assert!(!store.repair().unwrap().changed);
    assert_eq!(dir.text(TagStore::FILE_NAME), before);
    assert_eq!(
        dir.names(),
        [TagStore::FILE_NAME, "tags-v1.json.bak"],
        "no lock was asked for"
    );
}

#[test]
fn a_session_without_anything_left_leaves_the_file() {
    let dir = DataDir::new();
    let store = dir.store();
    store.set_generated("s", &tags(["a"]), 1).unwrap();
    let after = store.set_generated("s", &[], 2).unwrap();
    assert!(after.changed);
    assert!(after.snapshot.get("s").is_none());
    assert_eq!(
        dir.text(TagStore::FILE_NAME),
        "{\n  \"version\": 1,\n  \"sessions\": {}\n}\n"
    );
}

#[test]
fn several_edits_are_one_write() {
    let dir = DataDir::new();
    let store = dir.store();
    let edits = [
        ("a", TagEdit::SetGenerated(tags(["x", "y"]))),
        ("b", TagEdit::SetGenerated(tags(["y"]))),
        ("a", TagEdit::Remove(tags(["x"]))),
    ];
    let outcome = store.apply(&edits, 9).unwrap();
    assert_eq!(lists(outcome.snapshot.get("a")), [vec![], vec!["y"], vec!["x"]]);
    assert_eq!(lists(outcome.snapshot.get("b")), [vec![], vec!["y"], vec![]]);

    // One edit that cannot be made keeps the others from being made.
    let before = dir.text(TagStore::FILE_NAME);
    let edits = [("c", TagEdit::Add(tags(["z"]))), ("", TagEdit::Add(tags(["z"])))];
    assert_eq!(store.apply(&edits, 10).unwrap_err().code(), "invalid-session-id");
    assert_eq!(
        store
            .add(&"x".repeat(1_025), &tags(["z"]), 10)
            .unwrap_err()
            .code(),
        "invalid-session-id"
    );
    assert_eq!(dir.text(TagStore::FILE_NAME), before);
}

#[test]
fn the_backup_is_the_state_after_the_last_change() {
    let dir = DataDir::new();
    let store = dir.store();
    for tag in ["a", "b", "c"] {
        store.add("s", &tags([tag]), 1).unwrap();
        assert_eq!(dir.text("tags-v1.json.bak"), dir.text(TagStore::FILE_NAME));
    }
}

/// A list of a file that somebody filled without end must not take the square of its length.
#[test]
fn a_list_of_many_tags_is_read_and_changed_in_time() {
    let many: Vec<String> = (0..50_000).map(|number| format!("\"t{number}\"")).collect();
    let list = many.join(",");
    let dir = DataDir::with_tags(
        format!(r#"{{"version":1,"sessions":{{"s":{{"manualTags":[{list}],"autoTags":[{list}]}}}}}}"#)
            .as_bytes(),
    );
    let start = std::time::Instant::now();
    let after = dir.store().remove("s", &tags(["t5"]), 1).unwrap().snapshot;
    assert_eq!(after.get("s").unwrap().effective().count(), 49_999);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}
