//! Whatever is read, no session file is changed: not its bytes, not its times, not its place on disk.

use std::{collections::BTreeMap, fs};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{
    Discovery, EntryReader, Fields, FileStamp, PiView, SessionFile, SessionReader, Tree,
};

use crate::fixtures::data;

/// Every file below a folder, with its state and bytes; every folder with its state.
fn snapshot(folder: &Utf8Path) -> BTreeMap<Utf8PathBuf, (FileStamp, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let metadata = fs::symlink_metadata(&path).unwrap();
        let mut bytes = Vec::new();
        if metadata.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            open.extend(entries.map(|entry| Utf8PathBuf::try_from(entry.unwrap().path()).unwrap()));
        } else {
            bytes = fs::read(&path).unwrap();
        }
        found.insert(path, (FileStamp::of(&metadata), bytes));
    }
    found
}

#[test]
fn nothing_that_is_read_is_changed() {
    let folder = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(folder.path()).unwrap();
    for source in ["cases", "pi-sessions", "pi-odd"] {
        for found in Discovery::look(&[data().join(source)], |_| false).files {
            let relative = found.path.strip_prefix(data()).unwrap();
            let copy = root.join("--all--").join(relative.as_str().replace('/', "_"));
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::write(&copy, fs::read(&found.path).unwrap()).unwrap();
        }
    }
    // Pi itself would write into these.
    fs::write(root.join("--all--/empty.jsonl"), "").unwrap();
    fs::write(
        root.join("--all--/v1.jsonl"),
        "{\"type\":\"session\",\"id\":\"s\"}\n{\"type\":\"x\"}",
    )
    .unwrap();
    let before = snapshot(root);
    let found = Discovery::look(&[root.to_owned()], |_| false);
    assert!(found.files.len() > 70);
    for found in &found.files {
        let file = SessionFile::read(&found.path, usize::MAX).unwrap();
        let view = PiView::new(&file);
        let _ = (view.refusal(), view.list_row(), view.context(), view.roots());
        let (mut entries, _) = EntryReader::open(&found.path).unwrap();
        file.context_messages(&mut entries).unwrap();
        for session in file.sessions() {
            Tree::new(session).turns();
            for node in session.nodes() {
                entries.read(node, Fields::ALL).unwrap();
            }
        }
        let (mut reader, _) = SessionReader::open(&found.path, Fields::ALL).unwrap();
        while reader.next_item().unwrap().is_some() {}
        file.resume(0).unwrap();
    }
    assert!(before == snapshot(root), "a file or folder has changed");
}
