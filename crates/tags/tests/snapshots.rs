//! Questions to a snapshot, and its freshness.

use lookback_tags::{TagEdit, TagStore};

use crate::support::{DataDir, tags};

#[test]
fn counts_filters_and_untagged_sessions() {
    let dir = DataDir::new();
    let edits = [
        ("s1", TagEdit::Add(tags(["rust", "search"]))),
        ("s2", TagEdit::SetGenerated(tags(["rust", "wasm"]))),
        ("s3", TagEdit::Add(tags(["search"]))),
        ("s4", TagEdit::Remove(tags(["rust"]))),
    ];
    let snapshot = dir.store().apply(&edits, 1).unwrap().snapshot;

    let counts: Vec<_> = snapshot
        .counts()
        .into_iter()
        .map(|count| (count.tag.to_string(), count.sessions))
        .collect();
    assert_eq!(
        counts,
        [
            ("rust".to_owned(), 2),
            ("search".to_owned(), 2),
            ("wasm".to_owned(), 1)
        ]
    );

    assert_eq!(snapshot.sessions_with_all(&tags(["rust"])), ["s1", "s2"]);
    assert_eq!(snapshot.sessions_with_all(&tags(["rust", "search"])), ["s1"]);
    assert_eq!(snapshot.sessions_with_all(&tags(["search", "wasm"])), [""; 0]);
    assert_eq!(snapshot.sessions_with_all(&tags(["nowhere", "rust"])), [""; 0]);
    assert_eq!(snapshot.sessions_with_all(&[]), ["s1", "s2", "s3"]);

    assert!(snapshot.has_all("s1", &tags(["search", "rust"])));
    assert!(!snapshot.has_all("s3", &tags(["search", "rust"])));
    assert!(snapshot.has_all("unknown", &[]));

    assert!(!snapshot.is_untagged("s2"));
    assert!(snapshot.is_untagged("s4"), "only suppressed tags");
    assert!(snapshot.is_untagged("unknown"));
    assert_eq!(snapshot.sessions().count(), 4);
}

#[test]
fn a_snapshot_stays_and_the_store_moves_on() {
    let dir = DataDir::new();
    let store = dir.store();
    let empty = store.snapshot().unwrap();
    assert!(!store.has_changed_since(&empty).unwrap());

    // Another store stands for another process.
    dir.store().add("s", &tags(["a"]), 1).unwrap();
    assert!(store.has_changed_since(&empty).unwrap());
    let first = store.snapshot().unwrap();
    assert!(first.revision() > empty.revision());
    assert!(empty.is_untagged("s") && !first.is_untagged("s"));

    let again = store.snapshot().unwrap();
    assert_eq!(again.revision(), first.revision(), "nothing was read again");

    let own = store.add("s", &tags(["b"]), 2).unwrap().snapshot;
    assert!(!store.has_changed_since(&own).unwrap());
    assert_eq!(store.snapshot().unwrap().revision(), own.revision());
    assert!(store.has_changed_since(&first).unwrap());
}

/// Two files of one length in one tick of the clock, the second with the number of the file before: by length, time
/// and number alone the change would be missed. The snapshot holds its file open, so the number is not free.
#[test]
fn every_one_of_many_quick_changes_is_seen() {
    let dir = DataDir::new();
    let (writer, reader) = (dir.store(), dir.store());
    writer.add("s", &tags(["a"]), 1).unwrap();
    for round in 0..300 {
        let (new, old) = if round % 2 == 0 { ("b", "a") } else { ("a", "b") };
        let before = reader.snapshot().unwrap();
        // Same length in the end, twice replaced.
        writer.set_generated("s", &tags(["x"]), 1).unwrap();
        let edits = [
            ("s", TagEdit::SetGenerated(vec![])),
            ("s", TagEdit::Add(tags([new]))),
            ("s", TagEdit::Remove(tags([old]))),
        ];
        writer.apply(&edits, 1).unwrap();
        assert!(reader.has_changed_since(&before).unwrap(), "round {round}");
        assert_eq!(
            reader.snapshot().unwrap().sessions_with_all(&tags([new])),
            ["s"],
            "round {round}"
        );
    }
}

/// Even one that keeps the length and restores the time of modification, as some tools do.
#[cfg(unix)]
#[test]
fn an_edit_in_place_is_seen() {
    let dir = DataDir::new();
    let store = dir.store();
    store.add("s", &tags(["aa"]), 1).unwrap();
    let modified = fs_err::metadata(store.path()).unwrap().modified().unwrap();
    // Past the tick of the clock that times files.
    std::thread::sleep(std::time::Duration::from_millis(30));
    let text = dir.text(TagStore::FILE_NAME);
    dir.put(TagStore::FILE_NAME, text.replace("aa", "bb").as_bytes());
    fs_err::OpenOptions::new()
        .write(true)
        .open(store.path())
        .unwrap()
        .file()
        .set_modified(modified)
        .unwrap();
    assert_eq!(store.snapshot().unwrap().sessions_with_all(&tags(["bb"])), ["s"]);
}

#[test]
fn threads_share_a_store() {
    let dir = DataDir::new();
    let store = dir.store();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let store = &store;
            scope.spawn(move || {
                for number in 0..25 {
                    let tag = format!("t{thread}-{number}");
                    store.add("s", &tags([tag.as_str()]), 1).unwrap();
                }
            });
        }
    });
    assert_eq!(store.snapshot().unwrap().get("s").unwrap().manual.len(), 100);
}
