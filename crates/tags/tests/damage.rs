//! Damaged files: never overwritten, and the last good copy is used.

use lookback_tags::{Damage, Notice, TagStore};
use proptest::prelude::*;

use crate::support::{DataDir, lists, property_config, tags};

const SAMPLE: &[u8] = include_bytes!("data/tags-v1.json");
const FIRST: &str = "0198c1f2-7a31-7d60-8b1e-3f5a90c4d2e7";

fn damaged_files() -> Vec<(&'static str, Vec<u8>)> {
    let half = &SAMPLE[..SAMPLE.len() / 2];
    vec![
        ("empty", Vec::new()),
        ("only a byte order mark", b"\xef\xbb\xbf".to_vec()),
        ("cut in the middle", half.to_vec()),
        ("zeroed", vec![0; SAMPLE.len()]),
        (
            "zeros in place of the second half",
            [half, &vec![0; half.len()]].concat(),
        ),
        ("zeros behind the end", [SAMPLE, &[0; 512]].concat()),
        ("another file behind the end", [SAMPLE, SAMPLE].concat()),
        ("UTF-16", SAMPLE.iter().flat_map(|byte| [*byte, 0]).collect()),
        (
            "not UTF-8",
            b"{\"version\":1,\"sessions\":{},\"x\":\"\xff\"}".to_vec(),
        ),
        (
            "half of a pair in a session id",
            br#"{"version":1,"sessions":{"\ud800":{}}}"#.to_vec(),
        ),
        ("not JSON", b"tags: [a, b]\n".to_vec()),
        (
            "endless nesting",
            [b"{\"version\":1,\"sessions\":".to_vec(), vec![b'['; 1_000_000]].concat(),
        ),
        ("an array", b"[]".to_vec()),
        ("null", b"null".to_vec()),
        ("no version", br#"{"sessions":{}}"#.to_vec()),
        ("version 0", br#"{"version":0,"sessions":{}}"#.to_vec()),
        ("version 1.5", br#"{"version":1.5,"sessions":{}}"#.to_vec()),
        ("version -1", br#"{"version":-1,"sessions":{}}"#.to_vec()),
        ("version as text", br#"{"version":"1","sessions":{}}"#.to_vec()),
        ("no sessions", br#"{"version":1}"#.to_vec()),
        ("sessions as list", br#"{"version":1,"sessions":[]}"#.to_vec()),
        (
            "a session as text",
            br#"{"version":1,"sessions":{"s":"a"}}"#.to_vec(),
        ),
        (
            "tags as text",
            br#"{"version":1,"sessions":{"s":{"manualTags":"a"}}}"#.to_vec(),
        ),
        (
            "tags as null",
            br#"{"version":1,"sessions":{"s":{"autoTags":null}}}"#.to_vec(),
        ),
        (
            "a tag as number",
            br#"{"version":1,"sessions":{"s":{"suppressedTags":["a",1]}}}"#.to_vec(),
        ),
        (
            "a tag as list of numbers",
            br#"{"version":1,"sessions":{"s":{"manualTags":[[97]]}}}"#.to_vec(),
        ),
        (
            "time as text",
            br#"{"version":1,"sessions":{"s":{"updatedAt":"2025-01-01T00:00:00Z"}}}"#.to_vec(),
        ),
    ]
}

#[test]
fn a_damaged_file_is_set_aside_and_the_backup_is_used() {
    for (name, damaged) in damaged_files() {
        let dir = DataDir::with_tags(SAMPLE);
        let store = dir.store();
        store.add(FIRST, &tags(["before"]), 1).unwrap();
        let good = dir.text(TagStore::FILE_NAME);
        dir.put(TagStore::FILE_NAME, &damaged);

        // Reading tells it and touches nothing.
        let snapshot = store.snapshot().unwrap();
        assert!(
            matches!(snapshot.notices(), [Notice::UsedBackup { .. }]),
            "{name}: {:?}",
            snapshot.notices()
        );
        assert_eq!(
            lists(snapshot.get(FIRST))[0],
            ["codebase", "rust", "before"],
            "{name}"
        );
        assert_eq!(fs_err::read(store.path()).unwrap(), damaged, "{name}");

        let outcome = store.add(FIRST, &tags(["after"]), 2).unwrap();
        let [Notice::UsedBackup { .. }, Notice::SetAside { set_aside, .. }] = &outcome.notices[..] else {
            panic!("{name}: {:?}", outcome.notices);
        };
        assert_eq!(set_aside.file_name(), Some("tags-v1.json.damaged-1"), "{name}");
        assert_eq!(fs_err::read(set_aside).unwrap(), damaged, "{name}");
        assert_eq!(
            lists(outcome.snapshot.get(FIRST))[0],
            ["codebase", "rust", "before", "after"],
            "{name}"
        );
        assert!(dir.store().snapshot().unwrap().notices().is_empty(), "{name}");
        assert_eq!(
            store.remove(FIRST, &tags(["after"]), 1).unwrap().notices,
            [],
            "{name}: told once"
        );
        assert_ne!(dir.text(TagStore::FILE_NAME), good, "{name}");
    }
}

#[test]
fn without_a_backup_the_store_starts_anew_and_says_so() {
    for (name, damaged) in damaged_files() {
        let dir = DataDir::with_tags(&damaged);
        let store = dir.store();
        let snapshot = store.snapshot().unwrap();
        assert!(
            matches!(snapshot.notices(), [Notice::NoGoodCopy { .. }]),
            "{name}: {:?}",
            snapshot.notices()
        );
        assert_eq!(snapshot.sessions().count(), 0, "{name}");

        let outcome = store.add("s", &tags(["a"]), 1).unwrap();
        assert_eq!(outcome.notices[1].code(), "set-aside", "{name}");
        assert_eq!(
            fs_err::read(dir.path.join("tags-v1.json.damaged-1")).unwrap(),
            damaged,
            "{name}"
        );
        assert_eq!(
            dir.store().snapshot().unwrap().sessions_with_all(&tags(["a"])),
            ["s"],
            "{name}"
        );
    }
}

/// No place where a file can be cut makes half of it pass for the whole.
#[test]
fn every_shorter_file_is_recognised() {
    let dir = DataDir::with_tags(SAMPLE);
    let store = dir.store();
    let end = SAMPLE.iter().rposition(|byte| *byte == b'}').unwrap();
    for length in 0..=end {
        dir.put(TagStore::FILE_NAME, &SAMPLE[..length]);
        let snapshot = store.snapshot().unwrap();
        assert!(
            matches!(snapshot.notices(), [Notice::NoGoodCopy { .. }]),
            "{length} bytes"
        );
    }
}

#[test]
fn the_place_of_the_fault_is_told() {
    let dir = DataDir::with_tags(b"{\n  \"version\": 1,\n  \"sessions\": {,}\n}\n");
    let snapshot = dir.store().snapshot().unwrap();
    let [Notice::NoGoodCopy { damage, .. }] = snapshot.notices() else {
        panic!("{:?}", snapshot.notices())
    };
    assert!(matches!(damage, Damage::NotJson { line: 3, .. }), "{damage:?}");

    dir.put(
        TagStore::FILE_NAME,
        br#"{"version":1,"sessions":{"good":{},"bad":{"manualTags":{}}}}"#,
    );
    let snapshot = dir.store().snapshot().unwrap();
    let text = snapshot.notices()[0].to_string();
    assert!(text.contains("\"bad\"") && text.contains("manualTags"), "{text}");
}

/// What an editor or a foreign program may do without harm.
#[test]
fn harmless_oddities_are_read() {
    let with_mark = [b"\xef\xbb\xbf", SAMPLE].concat();
    let with_crlf = String::from_utf8(SAMPLE.to_vec())
        .unwrap()
        .replace('\n', "\r\n")
        .into_bytes();
    for (name, content) in [("byte order mark", with_mark), ("CRLF", with_crlf)] {
        let dir = DataDir::with_tags(&content);
        let snapshot = dir.store().snapshot().unwrap();
        assert_eq!(snapshot.notices(), [], "{name}");
        assert_eq!(lists(snapshot.get(FIRST))[0], ["codebase", "rust"], "{name}");
    }
    // Of two fields with one name JavaScript takes the later; a missing list says nothing.
    let dir = DataDir::with_tags(
        br#"{"version":1,"sessions":{"s":{"manualTags":["a"],"manualTags":["b"],"updatedAt":1e99}}}"#,
    );
    let snapshot = dir.store().snapshot().unwrap();
    assert_eq!(lists(snapshot.get("s")), [vec!["b"], vec![], vec![]]);
    assert_eq!(snapshot.get("s").unwrap().updated_ms, i64::MAX);
}

#[test]
fn each_damaged_copy_gets_a_name_of_its_own() {
    let dir = DataDir::new();
    let store = dir.store();
    store.add("s", &tags(["a"]), 1).unwrap();
    for number in 1..=3 {
        dir.put(TagStore::FILE_NAME, format!("damage {number}").as_bytes());
        store.repair().unwrap();
        assert_eq!(
            dir.text(&format!("tags-v1.json.damaged-{number}")),
            format!("damage {number}")
        );
        assert_eq!(lists(dir.store().snapshot().unwrap().get("s"))[0], ["a"]);
    }
}

#[test]
fn a_missing_file_comes_back_from_its_backup() {
    let dir = DataDir::new();
    let store = dir.store();
    store.add("s", &tags(["a"]), 1).unwrap();
    fs_err::remove_file(store.path()).unwrap();
    let snapshot = store.snapshot().unwrap();
    assert!(matches!(
        snapshot.notices(),
        [Notice::UsedBackup {
            damage: Damage::Missing,
            ..
        }]
    ));
    assert!(
        store.has_changed_since(&snapshot).unwrap(),
        "a fallback is looked at anew"
    );
    assert_eq!(lists(snapshot.get("s"))[0], ["a"]);
    let outcome = store.repair().unwrap();
    assert_eq!(
        outcome.notices.len(),
        1,
        "nothing was there to set aside: {:?}",
        outcome.notices
    );
    assert!(store.path().exists());
}

#[test]
fn two_damaged_copies_are_both_set_aside() {
    let dir = DataDir::with_tags(b"first");
    dir.put("tags-v1.json.bak", b"second");
    dir.store().add("s", &tags(["a"]), 1).unwrap();
    assert_eq!(dir.text("tags-v1.json.damaged-1"), "first");
    assert_eq!(dir.text("tags-v1.json.bak.damaged-1"), "second");

    // A damaged backup alone, too.
    let dir = DataDir::new();
    dir.put("tags-v1.json.bak", b"second");
    assert_eq!(
        dir.store().snapshot().unwrap().notices()[0].code(),
        "no-good-copy"
    );
    dir.store().add("s", &tags(["a"]), 1).unwrap();
    assert_eq!(dir.text("tags-v1.json.bak.damaged-1"), "second");
}

proptest! {
    #![proptest_config(property_config(256))]

    /// Whatever stands in the file, the next change keeps it: as content, or under a told name.
    #[test]
    fn no_content_is_overwritten(position in any::<prop::sample::Index>(), byte in any::<u8>(), cut in 0_usize..3) {
        let mut content = SAMPLE.to_vec();
        let position = position.index(content.len());
        content[position] = byte;
        content.truncate(if cut == 0 { position + 1 } else { content.len() });
        let dir = DataDir::with_tags(&content);
        let store = dir.store();
        match store.add("new", &tags(["new"]), 1) {
            Ok(outcome) if outcome.notices.is_empty() => {
                // The one byte may have renamed a session or a field; the number of sessions is still the same.
                prop_assert_eq!(outcome.snapshot.sessions().count(), 4);
            }
            Ok(outcome) => {
                let [.., Notice::SetAside { set_aside, .. }] = &outcome.notices[..] else {
                    panic!("{:?}", outcome.notices);
                };
                prop_assert_eq!(fs_err::read(set_aside).unwrap(), content);
            }
            Err(error) => {
                prop_assert_eq!(error.code(), "tags-newer-version");
                prop_assert_eq!(fs_err::read(store.path()).unwrap(), content);
            }
        }
    }
}
