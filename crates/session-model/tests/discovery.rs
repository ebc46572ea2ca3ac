//! What is found under the roots, and what is passed over.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{Discovery, OpenError, SessionFile, SkipReason, open_session_file};

struct Root(tempfile::TempDir);

impl Root {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.0.path()).unwrap()
    }

    /// Makes a file and the folders above it.
    fn file(&self, name: &str) -> Utf8PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "{}\n").unwrap();
        path
    }

    fn look(&self) -> Discovery {
        Discovery::look(&[self.path().to_owned()], |_| false)
    }
}

/// Names below the root.
fn names<'a>(root: &Root, found: &'a Discovery) -> Vec<&'a str> {
    found
        .files
        .iter()
        .map(|file| file.path.strip_prefix(root.path()).unwrap().as_str())
        .collect()
}

fn reasons(found: &Discovery) -> Vec<SkipReason> {
    found.skipped.iter().map(|skipped| skipped.reason).collect()
}

#[test]
fn flat_folders_project_folders_and_deeper_ones() {
    let root = Root::new();
    for name in [
        "b.jsonl",
        "--x--/a.jsonl",
        "--x--/notes.txt",
        "--x--/agents/deep/c.jsonl",
        "--empty--/x",
        "settings.json",
    ] {
        root.file(name);
    }
    let found = root.look();
    assert_eq!(
        names(&root, &found),
        ["--x--/a.jsonl", "--x--/agents/deep/c.jsonl", "b.jsonl"]
    );
    assert_eq!(
        found.files.iter().map(|file| file.nested).collect::<Vec<_>>(),
        [false, true, false]
    );
    assert_eq!(
        (found.other_files, found.skipped_count, found.complete),
        (3, 0, true)
    );
    assert_eq!(found.files[0].stamp.size, 3);
}

#[test]
fn missing_roots_files_as_roots_and_roots_given_twice() {
    let root = Root::new();
    let file = root.file("--x--/a.jsonl");
    let missing = root.path().join("nowhere");
    let roots = [
        missing.clone(),
        root.path().to_owned(),
        root.path().to_owned(),
        file,
    ];
    let found = Discovery::look(&roots, |_| false);
    assert_eq!(names(&root, &found), ["--x--/a.jsonl"]);
    assert_eq!(found.missing_roots, [missing]);
    assert_eq!(reasons(&found), [SkipReason::NotAFile]);
    assert!(found.complete);
}

#[test]
fn excluded_folders_are_not_looked_into() {
    let root = Root::new();
    root.file("--tmp-x--/a.jsonl");
    root.file("--y--/b.jsonl");
    let found = Discovery::look(&[root.path().to_owned()], |folder| {
        folder.as_str().contains("--tmp-")
    });
    assert_eq!(names(&root, &found), ["--y--/b.jsonl"]);
    assert_eq!(reasons(&found), [SkipReason::Excluded]);
}

#[test]
fn folders_beyond_any_sense_are_counted() {
    let root = Root::new();
    root.file("1/2/3/4/5/6/a.jsonl");
    root.file("1/2/3/4/5/6/7/b.jsonl");
    let found = root.look();
    assert_eq!(names(&root, &found), ["1/2/3/4/5/6/a.jsonl"]);
    assert_eq!(reasons(&found), [SkipReason::TooDeep]);
}

#[test]
fn ten_thousand_unrelated_files_are_only_counted() {
    let root = Root::new();
    root.file("--x--/a.jsonl");
    for number in 0..10_000 {
        fs::write(root.path().join(format!("--x--/{number}.log")), "").unwrap();
    }
    let found = root.look();
    assert_eq!(
        (found.files.len(), found.other_files, found.skipped_count),
        (1, 10_000, 0)
    );
}

#[cfg(unix)]
mod unix {
    use std::{
        ffi::OsStr,
        os::unix::{ffi::OsStrExt, fs::PermissionsExt, fs::symlink},
        process::Command,
    };

    use super::*;

    #[test]
    fn links_to_folders_are_followed_in_the_root_and_nowhere_else() {
        let (root, elsewhere) = (Root::new(), Root::new());
        elsewhere.file("a.jsonl");
        root.file("--x--/b.jsonl");
        symlink(elsewhere.path(), root.path().join("--linked--")).unwrap();
        symlink(elsewhere.path(), root.path().join("--linked-again--")).unwrap();
        symlink(elsewhere.path(), root.path().join("--x--/inner")).unwrap();
        // A loop.
        symlink(root.path(), root.path().join("--self--")).unwrap();
        let found = root.look();
        assert_eq!(names(&root, &found), ["--linked--/a.jsonl", "--x--/b.jsonl"]);
        assert!(found.complete);
    }

    #[test]
    fn links_to_files_and_fifos_are_counted_and_never_opened() {
        let (root, elsewhere) = (Root::new(), Root::new());
        let target = elsewhere.file("secret.jsonl");
        fs::create_dir(root.path().join("--x--")).unwrap();
        let link = root.path().join("--x--/link.jsonl");
        symlink(&target, &link).unwrap();
        symlink("nowhere", root.path().join("--x--/broken.jsonl")).unwrap();
        let fifo = root.path().join("--x--/pipe.jsonl");
        assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        let mut found = root.look();
        found.skipped.sort_by(|a, b| a.path.cmp(&b.path));
        assert!(found.files.is_empty());
        assert_eq!(
            reasons(&found),
            [SkipReason::Link, SkipReason::Link, SkipReason::NotAFile]
        );
        // By path as well, and without waiting for the other end.
        assert!(matches!(SessionFile::read(&link, 0), Err(OpenError::Link { .. })));
        assert!(matches!(
            SessionFile::read(&fifo, 0),
            Err(OpenError::NotAFile { .. })
        ));
        assert!(matches!(
            SessionFile::read(root.path(), 0),
            Err(OpenError::NotAFile { .. })
        ));
        assert!(matches!(
            open_session_file(&root.path().join("none.jsonl")),
            Err(OpenError::NotFound { .. })
        ));
    }

    #[test]
    fn names_that_are_no_text_are_counted() {
        let root = Root::new();
        root.file("--x--/a.jsonl");
        let odd = root
            .0
            .path()
            .join("--x--")
            .join(OsStr::from_bytes(b"odd\xff.jsonl"));
        if fs::write(odd, "").is_err() {
            println!("skipped: this file system takes only names that are text");
            return;
        }
        let found = root.look();
        assert_eq!(found.files.len(), 1);
        assert_eq!(reasons(&found), [SkipReason::Name]);
        assert!(found.skipped[0].path.ends_with("odd\u{fffd}.jsonl"));
    }

    #[test]
    fn a_folder_that_cannot_be_read_makes_the_look_incomplete() {
        let root = Root::new();
        root.file("--x--/a.jsonl");
        root.file("--y--/b.jsonl");
        let closed = root.path().join("--y--");
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o000)).unwrap();
        let readable = fs::read_dir(&closed).is_ok();
        let found = root.look();
        fs::set_permissions(&closed, fs::Permissions::from_mode(0o700)).unwrap();
        if readable {
            println!("skipped: this user may read everything");
            return;
        }
        assert_eq!(names(&root, &found), ["--x--/a.jsonl"]);
        assert_eq!(reasons(&found), [SkipReason::Unreadable]);
        assert!(!found.complete);
    }
}
