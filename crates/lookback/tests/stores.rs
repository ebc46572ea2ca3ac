//! Two stores, two promises: the index can go, the tags stay.

use lookback::{SyncRequest, Tag, Timestamp};
use serde_json::json;

use crate::support::{Folder, NOW, conversation};

fn tagged() -> Folder {
    let folder = Folder::new();
    folder.session(
        "s-one-0001",
        &conversation(&["Why is the kestrel red?", "It is a bird."]),
    );
    folder.session("s-two-0002", &conversation(&["Paint the kestrel", "Green."]));
    let tag = [Tag::new("#birds").unwrap()];
    let now = Timestamp::parse(NOW).unwrap();
    folder.lookback.tag("s-one-0001", &tag, now).unwrap();
    folder
}

fn found(folder: &Folder) -> Vec<String> {
    let reply = folder.recall(json!({"action": "search", "query": "kestrel #birds"}));
    let found = reply.details.found.iter();
    found.map(|found| found.session_id.to_string()).collect()
}

#[test]
fn tags_outlive_a_rebuild_of_the_index() {
    let folder = tagged();
    assert_eq!(found(&folder), ["s-one-0001"]);
    let file = folder.base().join("data/tags-v1.json");
    let before = fs_err::read(&file).unwrap();
    let report = folder.lookback.reindex(&SyncRequest::default()).unwrap();
    assert_eq!(report.added, 2, "{report:?}");
    assert_eq!(fs_err::read(&file).unwrap(), before);
    assert_eq!(found(&folder), ["s-one-0001"]);
}

#[test]
fn an_index_that_was_deleted_is_made_again() {
    let folder = tagged();
    assert_eq!(found(&folder), ["s-one-0001"]);
    fs_err::remove_dir_all(folder.base().join("cache")).unwrap();
    assert_eq!(found(&folder), ["s-one-0001"]);
    assert!(folder.base().join("cache").is_dir());
}

/// Nothing is stored beside the two folders, and nothing of a session is in the tag file but its id.
#[test]
fn nothing_lies_anywhere_else() {
    let folder = tagged();
    let names = |path: &camino::Utf8Path| -> Vec<String> {
        let entries = path.read_dir_utf8().unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        names.sort();
        names
    };
    found(&folder);
    assert_eq!(names(folder.base()), ["cache", "data", "sessions"]);
    let text = fs_err::read_to_string(folder.base().join("data/tags-v1.json")).unwrap();
    assert!(text.contains("s-one-0001") && !text.contains("kestrel"), "{text}");
}

/// Whoever may write into the cache folder must not reach files outside of it through the names that a commit uses.
#[cfg(unix)]
#[test]
fn links_with_the_names_of_coming_files_lead_nowhere() {
    let folder = tagged();
    found(&folder);
    let precious = folder.base().join("precious");
    fs_err::write(&precious, "years of work").unwrap();
    // The cache folder holds one index for each set of session folders.
    let cache = folder.base().join("cache");
    let index = cache
        .read_dir_utf8()
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .into_path();
    let layer = |name: &str| u64::from_str_radix(name.strip_suffix(".lookback-layer")?, 16).ok();
    let entries = index.read_dir_utf8().unwrap();
    let last = entries
        .filter_map(|entry| layer(entry.unwrap().file_name()))
        .max()
        .unwrap();
    for name in (1..4)
        .map(|step| format!("{:016x}.lookback-layer", last + step))
        .chain(["lookback-index.manifest.new".to_owned()])
    {
        std::os::unix::fs::symlink(&precious, index.join(name)).unwrap();
    }
    folder.session("s-three-03", &conversation(&["Another kestrel"]));
    let reply = folder.recall(json!({"action": "search", "query": "kestrel"}));
    assert_eq!(fs_err::read_to_string(&precious).unwrap(), "years of work");
    assert!(
        reply.details.total == 3
            || reply.details.sync_warning.is_some()
            || !reply.details.warnings.is_empty(),
        "{}",
        reply.text
    );
    assert_eq!(found(&folder), ["s-one-0001"]);
}
