//! No command changes a session file, or leaves anything in a session folder or elsewhere outside its own folders.

use std::{collections::BTreeMap, path::Path};

use fs_err as fs;

use crate::program::{World, data};

/// Everything below a folder: bytes, times, inodes.
fn snapshot(folder: &Path) -> BTreeMap<String, (Vec<u8>, Vec<i64>)> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(at) = open.pop() {
        let metadata = fs::metadata(&at).unwrap();
        let content = if at.is_dir() {
            Vec::new()
        } else {
            fs::read(&at).unwrap()
        };
        #[cfg(unix)]
        let facts = {
            use std::os::unix::fs::MetadataExt;
            vec![
                metadata.mtime(),
                metadata.mtime_nsec(),
                metadata.ctime(),
                metadata.ctime_nsec(),
                metadata.ino() as i64,
                metadata.mode().into(),
            ]
        };
        #[cfg(not(unix))]
        let facts = vec![metadata.len() as i64];
        found.insert(at.display().to_string(), (content, facts));
        if at.is_dir() {
            open.extend(fs::read_dir(&at).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)
        } else {
            fs::copy(entry.path(), target).map(|_| ()).unwrap()
        }
    }
}

#[test]
fn whatever_is_asked() {
    let world = World::with_own_sessions();
    copy(&data().join("pi-sessions/sessions"), world.sessions());
    copy(
        &data().join("cases/01-torn-append-and-nul/sessions"),
        world.sessions(),
    );
    copy(&data().join("cases/05-bom-and-crlf/sessions"), world.sessions());
    let before = snapshot(world.sessions());
    assert!(before.len() > 25);
    let file = before
        .keys()
        .find(|path| path.ends_with(".jsonl"))
        .unwrap()
        .clone();
    let id = "019cae34-7780-733c-8331-e04445c6c4a8";
    let commands: &[&[&str]] = &[
        &["sync"],
        &["search", "the"],
        &["list"],
        &["read", id],
        &["tree", id],
        &["inspect", &file],
        &["status"],
        &["tag", id, "#kept"],
        &["tags"],
        &["untag", id, "#kept"],
        &["search", "the", "--json"],
    ];
    for args in commands {
        let ended = world.run(args);
        assert!(ended.code == 0 || ended.code == 1, "{args:?}: {ended:?}");
        assert!(
            snapshot(world.sessions()) == before,
            "{args:?} changed the session folder"
        );
    }
    assert_only_own_files(&world);
}

/// Everything that is new stands in the folders of the cache and of the data, for its owner only.
fn assert_only_own_files(world: &World) {
    let agent = world.home().join(".pi/agent");
    let own = [agent.join("cache/lookback"), agent.join("pi-recall")];
    assert!(
        own.iter().all(|folder| folder.is_dir()),
        "neither index nor tags were written"
    );
    let sessions = snapshot(world.sessions());
    for path in snapshot(world.folder.path()).into_keys() {
        let path_ref = Path::new(&path);
        if sessions.contains_key(&path) || own.iter().any(|folder| folder.starts_with(path_ref)) {
            continue;
        }
        assert!(
            own.iter().any(|folder| path_ref.starts_with(folder)),
            "{path} was left"
        );
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            let expected = if path_ref.is_dir() { 0o700 } else { 0o600 };
            assert_eq!(mode, expected, "{path}");
        }
    }
}
