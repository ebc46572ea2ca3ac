//! Done-marks of the list of unanswered sessions.

use lookback_tags::DoneStore;

use crate::support::DataDir;

#[test]
fn a_mark_holds_until_another_user_message() {
    let dir = DataDir::new();
    let store = DoneStore::open(&dir.path);
    assert!(store.mark("s", "m1", Some(1_000), 5_000).unwrap().changed);

    let snapshot = DoneStore::open(&dir.path).snapshot().unwrap();
    assert!(snapshot.is_done("s", "m1", Some(1_000)));
    assert!(snapshot.is_done("s", "m1", None), "known by its id");
    assert!(
        snapshot.is_done("s", "new id of the same message", Some(1_000)),
        "known by its time"
    );
    assert!(!snapshot.is_done("s", "m2", Some(2_000)), "a newer message");
    assert!(
        !snapshot.is_done("s", "m2", Some(500)),
        "a newer message from a machine whose clock is late"
    );
    assert!(!snapshot.is_done("s", "m2", None));
    assert!(!snapshot.is_done("t", "m1", Some(1_000)), "another session");
    assert_eq!(snapshot.get("s").unwrap().marked_ms, 5_000);
}

/// Two unknown times are not the same time.
#[test]
fn without_a_time_only_the_id_counts() {
    let dir = DataDir::new();
    let snapshot = DoneStore::open(&dir.path)
        .mark("s", "m1", None, 1)
        .unwrap()
        .snapshot;
    assert!(snapshot.is_done("s", "m1", Some(9)));
    assert!(!snapshot.is_done("s", "m2", None));
}

#[test]
fn marks_are_replaced_and_taken_away() {
    let dir = DataDir::new();
    let store = DoneStore::open(&dir.path);
    assert!(!store.unmark("s").unwrap().changed);
    assert!(!dir.path.exists(), "nothing was there to take away");

    store.mark("s", "m1", Some(1), 10).unwrap();
    assert!(
        !store.mark("s", "m1", Some(1), 20).unwrap().changed,
        "the same mark again"
    );
    store.mark("s", "m2", Some(2), 30).unwrap();
    store.mark("t", "m3", None, 40).unwrap();
    assert_eq!(
        dir.text(DoneStore::FILE_NAME),
        concat!(
            "{\n  \"version\": 1,\n  \"sessions\": {\n    \"s\": {\n      \"messageId\": \"m2\",\n",
            "      \"messageTimestamp\": 2,\n      \"markedAt\": 30\n    },\n    \"t\": {\n",
            "      \"messageId\": \"m3\",\n      \"messageTimestamp\": null,\n      \"markedAt\": 40\n    }\n  }\n}\n",
        ),
    );
    let after = store.unmark("s").unwrap();
    assert!(after.changed);
    assert_eq!(
        after
            .snapshot
            .marks()
            .map(|(session, _)| session)
            .collect::<Vec<_>>(),
        ["t"]
    );
    assert!(after.snapshot.get("s").is_none());
}

#[test]
fn unknown_fields_outlive_the_mark() {
    let dir = DataDir::new();
    dir.put(
        DoneStore::FILE_NAME,
        br#"{"version":1,"by":"x","sessions":{"s":{"why":"seen","messageId":"m"}}}"#,
    );
    let store = DoneStore::open(&dir.path);
    assert!(store.snapshot().unwrap().is_done("s", "m", None));
    store.unmark("s").unwrap();
    let text = dir.text(DoneStore::FILE_NAME);
    assert!(
        text.contains("\"by\": \"x\"") && text.contains("\"why\": \"seen\"") && !text.contains("messageId")
    );
    assert!(store.snapshot().unwrap().marks().next().is_none());
}

/// The two stores share a folder, nothing else.
#[test]
fn a_damaged_file_of_marks_is_set_aside_and_the_tags_stay() {
    let dir = DataDir::new();
    dir.store().add("s", &crate::support::tags(["a"]), 1).unwrap();
    let store = DoneStore::open(&dir.path);
    store.mark("s", "m", Some(1), 1).unwrap();
    for wrong in [
        r#"{"messageId": 5}"#,
        r#"{"messageId": "m", "messageTimestamp": "x"}"#,
        "[]",
    ] {
        dir.put(
            DoneStore::FILE_NAME,
            format!("{{\"version\":1,\"sessions\":{{\"s\":{wrong}}}}}").as_bytes(),
        );
        let snapshot = store.snapshot().unwrap();
        assert_eq!(snapshot.notices()[0].code(), "used-backup", "{wrong}");
        assert!(snapshot.is_done("s", "m", Some(1)), "{wrong}");
        let outcome = store.repair().unwrap();
        assert_eq!(outcome.notices[1].code(), "set-aside");
        assert!(store.snapshot().unwrap().notices().is_empty());
    }
    assert!(dir.path.join("done-v1.json.damaged-3").exists());
    assert!(!dir.store().snapshot().unwrap().is_untagged("s"));
}
