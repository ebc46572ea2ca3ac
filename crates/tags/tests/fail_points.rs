//! A change is stopped before each of its system calls: once by an error, once by the end of the process.
//!
//! A program of its own, because the hook belongs to the whole process. Its tests take turns.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that meets the unexpected is to fail"
)]

#[path = "support.rs"]
#[expect(dead_code, reason = "this program needs a part of it")]
mod support;

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use camino::Utf8Path;
use lookback_tags::fail_points::{Hook, set_hook};
use lookback_tags::{Error, TagOutcome, TagStore};

use support::{ALL_FILES, DataDir, ORDERS, child, environment, lists, tags};

/// The steps of a change when the folder is there: first the file, then its backup.
const CHANGE: [&str; 16] = [
    "open lock",
    "lock",
    "open lock",
    "lock",
    "create temp",
    "set mode",
    "write",
    "sync file",
    "rename",
    "sync folder",
    "create temp",
    "set mode",
    "write",
    "sync file",
    "rename",
    "sync folder",
];

/// Where the change of the file itself is in place, and where it is also on disk.
const RENAMED: usize = 9;
const DURABLE: usize = 10;

/// What a change finds.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Scene {
    NoFolder,
    GoodFile,
    DamagedFile,
}

impl Scene {
    const ALL: [Self; 3] = [Self::NoFolder, Self::GoodFile, Self::DamagedFile];

    fn prepare(self) -> DataDir {
        let dir = DataDir::new();
        if self != Self::NoFolder {
            dir.store().add("s", &tags(["old"]), 1).unwrap();
        }
        if self == Self::DamagedFile {
            dir.put(TagStore::FILE_NAME, b"damaged");
        }
        dir
    }

    fn steps(self) -> Vec<&'static str> {
        let (locking, rest) = CHANGE.split_at(4);
        let mut steps = Vec::new();
        if self == Self::NoFolder {
            steps.extend(["create folder", "set folder mode", "sync parent folder"]);
        }
        steps.extend(locking);
        if self == Self::DamagedFile {
            steps.extend(["set aside", "sync aside"]);
        }
        steps.extend(rest);
        steps
    }

    fn tags_before(self) -> Vec<&'static str> {
        if self == Self::NoFolder {
            vec![]
        } else {
            vec!["old"]
        }
    }

    fn tags_after(self) -> Vec<&'static str> {
        [self.tags_before(), vec!["new"]].concat()
    }

    /// How many steps come before those of [`CHANGE`] that follow the lock.
    fn offset(self) -> usize {
        self.steps().len() - CHANGE.len()
    }
}

fn change(dir: &Utf8Path) -> Result<TagOutcome, Error> {
    TagStore::open(dir).add("s", &tags(["new"]), 2)
}

/// One test at a time, and no hook left behind.
struct Turn(#[expect(dead_code, reason = "held, not read")] MutexGuard<'static, ()>);

impl Turn {
    fn take() -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        Self(TURN.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        set_hook(None);
    }
}

/// Calls `stop` in place of the step with this number.
fn stop_at(number: usize, stop: impl Fn() -> io::Result<()> + Send + Sync + 'static) -> Hook {
    let count = Mutex::new(0);
    Arc::new(move |_| {
        let mut count = count.lock().unwrap();
        *count += 1;
        if *count == number + 1 { stop() } else { Ok(()) }
    })
}

/// The other tests rely on this list being complete.
#[test]
fn a_change_takes_these_steps() {
    let _turn = Turn::take();
    for scene in Scene::ALL {
        let dir = scene.prepare();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let record = Arc::clone(&seen);
        set_hook(Some(Arc::new(move |step| {
            record.lock().unwrap().push(step);
            Ok(())
        })));
        change(&dir.path).unwrap();
        set_hook(None);
        assert_eq!(*seen.lock().unwrap(), scene.steps(), "{scene:?}");
    }
}

#[test]
fn an_error_at_any_step_leaves_the_old_state_or_says_otherwise() {
    let _turn = Turn::take();
    let kinds = [
        (io::ErrorKind::StorageFull, "tags-disk-full"),
        (io::ErrorKind::ReadOnlyFilesystem, "tags-not-writable"),
        (io::ErrorKind::Other, "tags-io"),
    ];
    for scene in Scene::ALL {
        let offset = scene.offset();
        for (number, step) in scene.steps().into_iter().enumerate() {
            for (kind, code) in kinds {
                let label = format!("{scene:?}, step {number} ({step}), {kind:?}");
                let dir = scene.prepare();
                set_hook(Some(stop_at(number, move || Err(kind.into()))));
                let outcome = change(&dir.path);
                set_hook(None);

                let stored = dir.store().snapshot().unwrap();
                let stored = lists(stored.get("s"))[0].clone();
                if number < RENAMED + offset {
                    let expected = if step == "lock" { "tags-io" } else { code };
                    assert_eq!(outcome.unwrap_err().code(), expected, "{label}");
                    assert_eq!(stored, scene.tags_before(), "{label}");
                } else if number < DURABLE + offset {
                    assert_eq!(outcome.unwrap_err().code(), "tags-not-durable", "{label}");
                    assert_eq!(stored, scene.tags_after(), "{label}");
                } else {
                    let notices = outcome.unwrap().notices;
                    assert_eq!(notices.last().unwrap().code(), "backup-not-written", "{label}");
                    assert_eq!(stored, scene.tags_after(), "{label}");
                }
                can_go_on(scene, &dir, &label);
            }
        }
    }
}

/// pi-recall replaces the file without asking for a lock. Its change may come between our reading and our writing.
#[test]
fn a_program_that_takes_no_lock_is_not_overwritten() {
    let _turn = Turn::take();
    let dir = Scene::GoodFile.prepare();
    let foreign = dir
        .text(TagStore::FILE_NAME)
        .replace("\"old\"", "\"old\", \"foreign\"");
    let (path, other) = (dir.path.join(TagStore::FILE_NAME), dir.path.join("other"));
    let once = Mutex::new(Some(foreign));
    set_hook(Some(Arc::new(move |step| {
        if step == "sync file"
            && let Some(foreign) = once.lock().unwrap().take()
        {
            fs_err::write(&other, foreign)?;
            fs_err::rename(&other, &path)?;
        }
        Ok(())
    })));
    let outcome = change(&dir.path).unwrap();
    set_hook(None);
    assert_eq!(lists(outcome.snapshot.get("s"))[0], ["old", "foreign", "new"]);
    assert_eq!(dir.names(), ALL_FILES);
    assert_eq!(
        lists(dir.store().snapshot().unwrap().get("s"))[0],
        ["old", "foreign", "new"]
    );
}

/// One that never stops is told from a change that was made.
#[test]
fn a_file_that_never_rests_makes_the_change_fail() {
    let _turn = Turn::take();
    let dir = Scene::GoodFile.prepare();
    let (path, content) = (dir.path.join(TagStore::FILE_NAME), dir.text(TagStore::FILE_NAME));
    let count = Mutex::new(0);
    set_hook(Some(Arc::new(move |step| {
        if step == "sync file" {
            let mut count = count.lock().unwrap();
            *count += 1;
            fs_err::write(&path, content.replace("old", &format!("old-{count}")))?;
        }
        Ok(())
    })));
    assert_eq!(change(&dir.path).unwrap_err().code(), "tags-busy");
}

/// Not a test: makes the change and ends, without any cleaning up, before the step that it was told.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_ends() {
    let Some(orders) = environment(ORDERS) else { return };
    let (dir, number) = orders.split_once('|').unwrap();
    set_hook(Some(stop_at(number.parse().unwrap(), || std::process::abort())));
    change(Utf8Path::new(dir)).unwrap();
}

#[test]
fn the_end_of_the_process_at_any_step_leaves_the_old_or_the_new_state() {
    let _turn = Turn::take();
    for scene in Scene::ALL {
        let offset = scene.offset();
        for (number, step) in scene.steps().into_iter().enumerate() {
            let label = format!("{scene:?}, step {number} ({step})");
            let dir = scene.prepare();
            let output = child("child_that_ends", &format!("{}|{number}", dir.path))
                .output()
                .unwrap();
            assert!(!output.status.success(), "{label}: the child went through");

            let snapshot = dir.store().snapshot().unwrap();
            let is_new = number >= RENAMED + offset;
            let expected = if is_new {
                scene.tags_after()
            } else {
                scene.tags_before()
            };
            assert_eq!(lists(snapshot.get("s"))[0], expected, "{label}");
            // Until it is replaced, the damaged file stays the one that readers find.
            assert_eq!(
                snapshot.notices().is_empty(),
                is_new || scene != Scene::DamagedFile,
                "{label}"
            );
            can_go_on(scene, &dir, &label);
        }
    }
}

/// After whatever happened, the next change works, nothing is left lying about, and the damaged content is kept.
fn can_go_on(scene: Scene, dir: &DataDir, label: &str) {
    change(&dir.path).unwrap();
    let after = dir.store().add("s", &tags(["newer"]), 3).unwrap();
    assert_eq!(
        lists(after.snapshot.get("s"))[0],
        [scene.tags_after(), vec!["newer"]].concat(),
        "{label}"
    );
    assert_eq!(after.notices, [], "{label}");
    let names = dir.names();
    assert!(
        names.iter().all(|name| !name.ends_with(".tmp")),
        "{label}: {names:?}"
    );
    assert_eq!(
        dir.text("tags-v1.json.bak"),
        dir.text(TagStore::FILE_NAME),
        "{label}"
    );
    let aside: Vec<_> = names.iter().filter(|name| name.contains(".damaged-")).collect();
    assert_eq!(
        aside.is_empty(),
        scene != Scene::DamagedFile,
        "{label}: {names:?}"
    );
    for name in aside {
        assert_eq!(dir.text(name), "damaged", "{label}");
    }
}
