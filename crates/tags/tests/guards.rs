//! What is refused: newer files, links, pipes, too much, other people's locks, and disks that do not take it.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};
use std::process::Command;
use std::time::{Duration, Instant};

use camino::Utf8Path;
use lookback_tags::{DoneStore, Error, FileKind, TagStore};

use crate::support::{ALL_FILES, DataDir, ORDERS, child, environment, is_long_run, lists, tags};

#[test]
fn a_newer_version_is_left_alone() {
    let newer = br#"{"version": 2, "sessions": "in another form"}"#;
    let dir = DataDir::with_tags(newer);
    let store = dir.store();
    let error = store.snapshot().unwrap_err();
    assert!(
        matches!(
            error,
            Error::NewerVersion {
                found: 2,
                supported: 1,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(
        store.add("s", &tags(["a"]), 1).unwrap_err().code(),
        "tags-newer-version"
    );
    assert_eq!(store.repair().unwrap_err().code(), "tags-newer-version");
    assert_eq!(fs_err::read(store.path()).unwrap(), newer);
    assert_eq!(dir.names(), [TagStore::FILE_NAME]);

    // Also when it shows only in the backup: the damaged file may be the newer program's.
    dir.put(TagStore::FILE_NAME, b"damaged");
    dir.put("tags-v1.json.bak", newer);
    assert_eq!(
        store.add("s", &tags(["a"]), 1).unwrap_err().code(),
        "tags-newer-version"
    );
    assert_eq!(dir.text(TagStore::FILE_NAME), "damaged");
}

#[test]
fn links_are_refused() {
    let outside = DataDir::with_tags(br#"{"version":1,"sessions":{"s":{"manualTags":["secret"]}}}"#);
    let target = outside.path.join(TagStore::FILE_NAME);
    let content = fs_err::read(&target).unwrap();

    let dir = DataDir::new();
    fs_err::create_dir(&dir.path).unwrap();
    for there in [
        target.as_path(),
        Utf8Path::new("/nonexistent"),
        Utf8Path::new(TagStore::FILE_NAME),
    ] {
        symlink(there, dir.path.join(TagStore::FILE_NAME)).unwrap();
        let error = dir.store().snapshot().unwrap_err();
        assert!(
            matches!(
                error,
                Error::NotAFile {
                    kind: FileKind::Link,
                    ..
                }
            ),
            "{there}: {error:?}"
        );
        assert_eq!(
            dir.store().add("s", &tags(["a"]), 1).unwrap_err().code(),
            "tags-not-a-file"
        );
        fs_err::remove_file(dir.path.join(TagStore::FILE_NAME)).unwrap();
    }

    symlink(&target, dir.path.join("tags-v1.json.lock")).unwrap();
    assert_eq!(
        dir.store().add("s", &tags(["a"]), 1).unwrap_err().code(),
        "tags-not-a-file"
    );
    fs_err::remove_file(dir.path.join("tags-v1.json.lock")).unwrap();

    // A link in the place of the backup is read by nobody and replaced, not followed.
    symlink(&target, dir.path.join("tags-v1.json.bak")).unwrap();
    assert_eq!(dir.store().snapshot().unwrap_err().code(), "tags-not-a-file");
    dir.put(TagStore::FILE_NAME, br#"{"version":1,"sessions":{}}"#);
    dir.store().add("s", &tags(["a"]), 1).unwrap();
    assert_eq!(fs_err::read(&target).unwrap(), content);

    // The folder itself may be a link: that is how people keep their settings elsewhere.
    let linked = dir.path.with_file_name("linked");
    symlink(&dir.path, &linked).unwrap();
    assert!(TagStore::open(&linked).add("s", &tags(["b"]), 1).unwrap().changed);
}

#[test]
fn pipes_and_folders_are_refused_without_waiting() {
    for name in [TagStore::FILE_NAME, "tags-v1.json.lock", "tags-v1.json.queue"] {
        let dir = DataDir::new();
        fs_err::create_dir(&dir.path).unwrap();
        let path = dir.path.join(name);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        let error = dir.store().add("s", &tags(["a"]), 1).unwrap_err();
        assert!(
            matches!(
                error,
                Error::NotAFile {
                    kind: FileKind::Special,
                    ..
                }
            ),
            "{name}: {error:?}"
        );
        fs_err::remove_file(&path).unwrap();
        fs_err::create_dir(&path).unwrap();
        let error = dir.store().add("s", &tags(["a"]), 1).unwrap_err();
        assert!(
            matches!(
                error,
                Error::NotAFile {
                    kind: FileKind::Folder,
                    ..
                }
            ),
            "{name}: {error:?}"
        );
    }
}

#[test]
fn the_size_is_bounded_both_ways() {
    let dir = DataDir::new();
    dir.store().add("s", &tags(["a"]), 1).unwrap();
    let size = fs_err::metadata(dir.store().path()).unwrap().len();

    let error = dir.store().with_max_bytes(size - 1).snapshot().unwrap_err();
    assert!(
        matches!(error, Error::TooLarge { limit, .. } if limit == size - 1),
        "{error:?}"
    );
    let tight = dir.store().with_max_bytes(size);
    assert_eq!(lists(tight.snapshot().unwrap().get("s"))[0], ["a"]);
    assert_eq!(
        tight.add("s", &tags(["b"]), 2).unwrap_err().code(),
        "tags-too-large"
    );
    assert_eq!(lists(dir.store().snapshot().unwrap().get("s"))[0], ["a"]);
    assert_eq!(dir.names(), ALL_FILES);

    // A file of a terabyte is refused before a byte of it is read.
    fs_err::OpenOptions::new()
        .write(true)
        .open(dir.store().path())
        .unwrap()
        .set_len(1 << 40)
        .unwrap();
    assert_eq!(dir.store().snapshot().unwrap_err().code(), "tags-too-large");
}

#[test]
fn a_change_waits_only_as_long_as_it_may() {
    let dir = DataDir::new();
    let store = dir.store().with_lock_wait(Duration::from_millis(80));
    store.add("s", &tags(["a"]), 1).unwrap();
    let other = fs_err::OpenOptions::new()
        .write(true)
        .open(dir.path.join("tags-v1.json.lock"))
        .unwrap();
    other.file().lock().unwrap();

    let start = Instant::now();
    let error = store.add("s", &tags(["b"]), 2).unwrap_err();
    assert!(
        matches!(error, Error::Busy { waited, .. } if waited >= Duration::from_millis(80)),
        "{error:?}"
    );
    assert!(start.elapsed() < Duration::from_secs(5));
    // Reading and changing nothing need no lock, nor do the done-marks.
    assert_eq!(lists(store.snapshot().unwrap().get("s"))[0], ["a"]);
    assert!(!store.add("s", &tags(["a"]), 2).unwrap().changed);
    assert!(
        DoneStore::open(&dir.path)
            .mark("s", "m", None, 1)
            .unwrap()
            .changed
    );

    drop(other);
    assert!(store.add("s", &tags(["b"]), 2).unwrap().changed);
}

/// Somebody sees a lock file, thinks it is a left-over and deletes it while one holds it and another waits. The one who
/// waits then gets the lock of a file that nobody else can find.
#[test]
fn a_deleted_lock_file_is_noticed() {
    for name in ["tags-v1.json.lock", "tags-v1.json.queue"] {
        let dir = DataDir::new();
        dir.store().add("s", &tags(["a"]), 1).unwrap();
        let path = dir.path.join(name);
        let holder = fs_err::OpenOptions::new().write(true).open(&path).unwrap();
        holder.file().lock().unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| dir.store().add("s", &tags(["b"]), 2).unwrap());
            std::thread::sleep(Duration::from_millis(200));
            fs_err::remove_file(&path).unwrap();
            drop(holder);
            waiting.join().unwrap();
        });
        assert!(
            path.exists(),
            "{name}: the change was made under the lock of the deleted file"
        );
        assert_eq!(lists(dir.store().snapshot().unwrap().get("s"))[0], ["a", "b"]);
    }
}

#[test]
fn where_nothing_can_be_written_the_error_says_so() {
    // The rights of files do not bind every user, so the folder is one that nobody can write: a file.
    let dir = DataDir::new();
    fs_err::write(&dir.path, b"not a folder").unwrap();
    for store in [dir.store(), TagStore::open(&dir.path.join("below"))] {
        assert_eq!(store.snapshot().unwrap().sessions().count(), 0);
        let error = store.add("s", &tags(["a"]), 1).unwrap_err();
        assert!(
            ["tags-not-writable", "tags-io"].contains(&error.code()),
            "{error:?}"
        );
    }
    assert_eq!(fs_err::read(&dir.path).unwrap(), b"not a folder");
}

/// Not a test: adds a tag and tells the outcome on standard error.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_adds_a_tag() {
    let Some(orders) = environment(ORDERS) else { return };
    let (dir, tag) = orders.split_once('|').unwrap();
    let outcome = TagStore::open(Utf8Path::new(dir)).add("s", &tags([tag]), 2);
    let text = match outcome {
        Ok(outcome) => format!("ok {:?}", outcome.notices),
        Err(error) => error.code().to_owned(),
    };
    std::io::Write::write_all(&mut std::io::stderr(), text.as_bytes()).unwrap();
}

/// What a child says that adds `tag` after the shell did `setup`.
fn add_after(setup: &str, dir: &Utf8Path, tag: &str) -> String {
    let inner = child("guards::child_that_adds_a_tag", &format!("{dir}|{tag}"));
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{setup}; exec \"$0\" \"$@\"")])
        .arg(inner.get_program())
        .args(inner.get_args());
    for (name, value) in inner.get_envs() {
        shell.env(name, value.unwrap());
    }
    String::from_utf8(shell.output().unwrap().stderr).unwrap()
}

#[test]
fn files_are_closed_to_others_under_any_umask() {
    let mode = |path: &Utf8Path| fs_err::metadata(path).unwrap().permissions().mode() & 0o7777;
    for umask in ["0000", "0022", "0777"] {
        let dir = DataDir::new();
        let inner = dir.path.join("a/b");
        assert_eq!(add_after(&format!("umask {umask}"), &inner, "x"), "ok []");
        for folder in [&dir.path, &dir.path.join("a"), &inner] {
            assert_eq!(mode(folder), 0o700, "umask {umask}: {folder}");
        }
        for name in ALL_FILES {
            assert_eq!(mode(&inner.join(name)), 0o600, "umask {umask}: {name}");
        }
    }
    // The folder may be shared on purpose; the file that a careless program left open is closed.
    let dir = DataDir::with_tags(br#"{"version":1,"sessions":{}}"#);
    fs_err::set_permissions(&dir.path, std::fs::Permissions::from_mode(0o755)).unwrap();
    fs_err::set_permissions(dir.store().path(), std::fs::Permissions::from_mode(0o644)).unwrap();
    dir.store().add("s", &tags(["a"]), 1).unwrap();
    assert_eq!((mode(&dir.path), mode(dir.store().path())), (0o755, 0o600));
}

/// A limit on the size of files stops a write in its middle, as a full disk does.
#[test]
fn a_write_that_does_not_fit_leaves_the_old_state() {
    let dir = DataDir::new();
    let many: Vec<String> = (0..200)
        .map(|number| format!("a-rather-long-tag-with-number-{number}"))
        .collect();
    let many: Vec<_> = many
        .iter()
        .map(|tag| lookback_tags::Tag::new(tag).unwrap())
        .collect();
    dir.store().add("s", &many, 1).unwrap();
    let before = dir.text(TagStore::FILE_NAME);
    assert_eq!(
        add_after("trap '' XFSZ; ulimit -f 2", &dir.path, "x"),
        "tags-disk-full"
    );
    assert_eq!(dir.text(TagStore::FILE_NAME), before);
    assert_eq!(dir.names(), ALL_FILES, "no half file is left");
    assert_eq!(add_after("true", &dir.path, "x"), "ok []");
}

/// The real thing, where the system lets the test mount a small disk: first full, then read-only.
#[test]
fn a_full_disk_and_a_read_only_disk_leave_the_old_state() {
    if !is_long_run() {
        return;
    }
    let dir = DataDir::new();
    fs_err::create_dir(&dir.path).unwrap();
    let inner = child("guards::child_that_adds_a_tag", &format!("{}|x", dir.path));
    let run = format!(
        "mount -t tmpfs -o size=32k none {dir} && cp {sample} {dir}/tags-v1.json && cat /dev/zero >{dir}/fill 2>/dev/null
         before=$(cksum {dir}/tags-v1.json); \"$0\" \"$@\"; echo >&2; rm {dir}/fill; mount -o remount,ro {dir}; \"$0\" \"$@\"
         test \"$before\" = \"$(cksum {dir}/tags-v1.json)\" && echo ' unchanged' >&2",
        dir = dir.path,
        sample = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/tags-v1.json"),
    );
    let mut shell = Command::new("unshare");
    shell
        .args(["--mount", "--map-root-user", "sh", "-c", &run])
        .arg(inner.get_program())
        .args(inner.get_args());
    for (name, value) in inner.get_envs() {
        shell.env(name, value.unwrap());
    }
    let output = shell.output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, "tags-disk-full\ntags-not-writable unchanged\n");
}
