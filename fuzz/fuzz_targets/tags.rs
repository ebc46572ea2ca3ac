//! Opens any bytes as a tag file and changes it: what was understood is kept, and what was not is set aside, never
//! overwritten.

#![no_main]

use std::{collections::BTreeMap, fs};

use camino::Utf8Path;
use libfuzzer_sys::fuzz_target;
use lookback_tags::{Notice, SessionTags, Tag, TagSnapshot, TagStore};

fuzz_target!(|bytes: &[u8]| {
    let folder = tempfile::tempdir().expect("a folder for a moment");
    let folder = Utf8Path::from_path(folder.path()).expect("its path is text");
    let store = TagStore::open(folder);
    fs::write(store.path(), bytes).expect("it can be written");

    let Ok(before) = store.snapshot() else {
        // A later version, or too large: it is not touched.
        assert!(store.add("new", &[tag()], 1).is_err());
        assert_eq!(fs::read(store.path()).expect("it is there"), bytes);
        return;
    };
    let outcome = store.add("new", &[tag()], 1).expect("a file that can be read can be changed");
    if let Some(Notice::SetAside { set_aside, .. }) = outcome.notices.last() {
        assert_eq!(fs::read(set_aside).expect("it was set aside"), bytes);
        assert!(before.notices().iter().any(|notice| !notice.code().is_empty()), "it was told before, too");
    } else {
        assert!(before.notices().is_empty(), "{:?}", before.notices());
        let (mut old, mut new) = (sessions(&before), sessions(&outcome.snapshot));
        old.remove("new");
        assert!(new.remove("new").is_some_and(|tags| tags.has(&tag())));
        assert_eq!(old, new, "other sessions stay as they are");
    }
    // What was written is read as it was meant, and needs no second writing.
    let again = TagStore::open(folder).snapshot().expect("what we write can be read");
    assert!(again.notices().is_empty(), "{:?}", again.notices());
    assert_eq!(sessions(&again), sessions(&outcome.snapshot));
    assert!(!store.add("new", &[tag()], 2).expect("nothing is to be done").changed);
});

fn tag() -> Tag {
    Tag::new("new").expect("it is a tag")
}

fn sessions(snapshot: &TagSnapshot) -> BTreeMap<String, SessionTags> {
    snapshot
        .sessions()
        .map(|(id, tags)| (id.to_owned(), tags.clone()))
        .collect()
}
