//! Which files of a folder become candidates, and in which order.

use std::time::Duration;

use lookback_unread::{Error, Phase, Skipped, limits};

use crate::support::{CWD, Folder, ids, run, session, set_time, user};

#[test]
fn at_most_4096_entries_are_inspected() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, "hello")], 0);
    for number in 1..limits::MAX_FOLDER_ENTRIES {
        fs_err::write(folder.path.join(format!("{number}.txt")), "").unwrap();
    }
    let scan = folder.scan();
    assert!(
        !scan.inventory.discovery_truncated,
        "4,096 entries are all inspected"
    );
    assert_eq!(ids(&scan.items), ["s1"]);

    fs_err::write(folder.path.join("one-more.txt"), "").unwrap();
    let scan = folder.scan();
    assert!(scan.inventory.discovery_truncated && scan.inventory.truncated);
    assert!(scan.inventory.available <= 1);
}

#[test]
fn of_4097_sessions_one_is_not_even_available() {
    let folder = Folder::new();
    for number in 0..=limits::MAX_FOLDER_ENTRIES {
        fs_err::write(folder.path.join(format!("{number}.jsonl")), "").unwrap();
    }
    let inventory = folder.scan().inventory;
    assert_eq!(inventory.available, 4_096);
    assert_eq!((inventory.candidates, inventory.scanned), (4_096, 100));
    assert!(inventory.discovery_truncated && inventory.scan_truncated && inventory.truncated);
    assert!(!inventory.display_truncated);
}

#[test]
fn the_newest_come_first_and_those_of_one_time_by_path() {
    let folder = Folder::new();
    for (id, seconds) in [("c", 5), ("a", 5), ("old", 1), ("b", 5), ("new", 9)] {
        folder.session(id, &[user(1, "hello")], seconds);
    }
    assert_eq!(ids(&folder.scan().items), ["new", "a", "b", "c", "old"]);
    let newest = run(&folder.request().max_sessions(2).unwrap());
    assert_eq!(ids(&newest.items), ["new", "a"], "the bound takes the newest");
    assert_eq!((newest.inventory.candidates, newest.inventory.scanned), (5, 2));
    assert!(newest.inventory.scan_truncated && newest.inventory.truncated);
}

#[test]
fn times_count_to_the_millisecond() {
    let folder = Folder::new();
    let base = Duration::from_secs(1_700_000_000);
    // To the nearest one, as a JavaScript host shows them: the first two are the same time, the third is later.
    for (id, micros) in [("b", 999), ("a", 1_499), ("c", 1_501)] {
        let path = folder.session(id, &[user(1, "hello")], 0);
        set_time(&path, base + Duration::from_micros(micros));
    }
    let scan = folder.scan();
    assert_eq!(ids(&scan.items), ["c", "a", "b"]);
    assert_eq!(scan.items[1].modified, scan.items[2].modified);
    assert_eq!(scan.items[0].modified.to_string(), "2023-11-14T22:13:20.002Z");
}

#[test]
fn a_hundred_candidates_are_read_and_up_to_five_hundred_on_request() {
    let folder = Folder::new();
    for number in 0..501 {
        folder.session(&format!("s{number:03}"), &[user(1, "hello")], number);
    }
    let inventory = folder.scan().inventory;
    assert_eq!((inventory.available, inventory.candidates), (501, 501));
    assert_eq!(
        (inventory.scanned, inventory.unread, inventory.shown),
        (100, 100, 50)
    );
    let inventory = run(&folder.request().max_sessions(500).unwrap()).inventory;
    assert_eq!((inventory.scanned, inventory.unread), (500, 500));
    assert!(inventory.scan_truncated);
    for sessions in [0, 501, usize::MAX] {
        let refused = folder.request().max_sessions(sessions).unwrap_err();
        assert_eq!(refused.code(), "unread-out-of-range");
        assert_eq!(
            refused.to_string(),
            "maxSessions must be an integer from 1 to 500"
        );
    }
}

#[test]
fn only_files_with_the_name_of_a_session_are_available() {
    let folder = Folder::new();
    for name in ["notes.txt", "s.json", "s.jsonl.bak", "jsonl", "s.JSONL"] {
        folder.put(name, session("x", CWD, &[user(1, "hello")]), 0);
    }
    folder.put("nested/s.jsonl", session("nested", CWD, &[user(1, "hello")]), 0);
    fs_err::create_dir(folder.path.join("folder.jsonl")).unwrap();
    let scan = folder.scan();
    assert_eq!(scan.inventory.available, 0);
    assert_eq!(scan.skipped, Skipped::default());
}

#[test]
fn the_active_session_is_left_out_by_path_and_by_id() {
    let folder = Folder::new();
    let active = folder.session("active", &[user(1, "hello")], 0);
    folder.session("other", &[user(1, "hello")], 1);

    let scan = run(&folder.request().active_path(&active));
    assert_eq!(ids(&scan.items), ["other"]);
    assert_eq!(
        (
            scan.inventory.available,
            scan.inventory.candidates,
            scan.inventory.scanned
        ),
        (2, 1, 1)
    );
    assert_eq!(scan.skipped.active, 1);

    let detour = folder.path.join("../sessions/./active.jsonl");
    assert_eq!(ids(&run(&folder.request().active_path(detour)).items), ["other"]);

    let scan = run(&folder.request().active_id("active"));
    assert_eq!(ids(&scan.items), ["other"]);
    assert_eq!(
        (
            scan.inventory.available,
            scan.inventory.candidates,
            scan.inventory.scanned
        ),
        (2, 2, 2)
    );
    assert_eq!(scan.skipped.active, 1);

    // A copy under another name is still the active session.
    folder.put("copy.jsonl", fs_err::read(&active).unwrap(), 2);
    let scan = run(&folder.request().active_path(&active).active_id("active"));
    assert_eq!(ids(&scan.items), ["other"]);
    assert_eq!(scan.skipped.active, 2);
}

#[test]
fn a_folder_that_does_not_exist_has_no_sessions() {
    let folder = Folder::new();
    fs_err::remove_dir(&folder.path).unwrap();
    let scan = folder.scan();
    assert_eq!(scan.items, []);
    assert_eq!(scan.inventory, lookback_unread::Inventory::default());
    assert!(!folder.path.exists(), "and is not made");
}

#[test]
fn a_folder_that_cannot_be_listed_is_an_error() {
    let folder = Folder::new();
    let file = folder.put("file", "", 0);
    let request = lookback_unread::ScanRequest::workspace(&file, CWD).unwrap();
    let error = lookback_unread::Scan::run(&request, &lookback_unread::Control::new()).unwrap_err();
    assert_eq!(error.code(), "unread-folder");
    assert!(matches!(error, Error::Folder { path, .. } if path == file));
}

#[test]
fn a_relative_workspace_is_refused() {
    let error = lookback_unread::ScanRequest::workspace("/s", "home/dev").unwrap_err();
    assert_eq!(error.code(), "unread-relative-workspace");
}

#[cfg(unix)]
mod unix {
    use std::{os::unix::fs::symlink, process::Command};

    use camino::Utf8Path;
    use lookback_unread::{Control, Scan};

    use super::*;

    fn fifo(path: &Utf8Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn links_are_left_out_wherever_they_lead() {
        let folder = Folder::new();
        folder.session("s1", &[user(1, "hello")], 0);
        let outside = folder.put(
            "../outside.jsonl",
            session("outside", CWD, &[user(1, "secret")]),
            0,
        );
        symlink(&outside, folder.path.join("l1.jsonl")).unwrap();
        symlink("s1.jsonl", folder.path.join("l2.jsonl")).unwrap();
        symlink("nowhere", folder.path.join("l3.jsonl")).unwrap();
        symlink("l4.jsonl", folder.path.join("l4.jsonl")).unwrap();
        let scan = folder.scan();
        assert_eq!(ids(&scan.items), ["s1"]);
        assert_eq!(scan.inventory.available, 1);
        assert_eq!(scan.skipped.links, 4);
    }

    #[test]
    fn the_session_folder_itself_may_be_a_link() {
        let folder = Folder::new();
        folder.session("s1", &[user(1, "hello")], 0);
        let link = folder.path.with_file_name("link");
        symlink(&folder.path, &link).unwrap();
        let scan = run(&lookback_unread::ScanRequest::workspace(&link, CWD).unwrap());
        assert_eq!(scan.items[0].path, link.join("s1.jsonl"));
    }

    #[test]
    fn fifos_and_devices_are_not_waited_for() {
        let folder = Folder::new();
        folder.session("s1", &[user(1, "hello")], 0);
        fifo(&folder.path.join("fifo.jsonl"));
        let socket = std::os::unix::net::UnixListener::bind(folder.path.join("socket.jsonl"));
        let scan = folder.scan();
        assert_eq!(ids(&scan.items), ["s1"]);
        assert_eq!(scan.skipped.not_files, 1 + usize::from(socket.is_ok()));
    }

    #[test]
    fn a_file_that_becomes_a_fifo_or_a_link_before_it_is_read_is_refused() {
        let folder = Folder::new();
        let outside = folder.put(
            "../outside.jsonl",
            session("outside", CWD, &[user(1, "secret")]),
            0,
        );
        let first = folder.session("s1", &[user(1, "hello")], 0);
        let second = folder.session("s2", &[user(1, "hello")], 1);
        let scan = Scan::run(
            &folder.request(),
            &Control::new().still_valid(&|phase| {
                if phase == Phase::AfterDiscovery {
                    fs_err::remove_file(&first).unwrap();
                    fifo(&first);
                    fs_err::remove_file(&second).unwrap();
                    symlink(&outside, &second).unwrap();
                }
                true
            }),
        )
        .unwrap();
        assert_eq!(scan.items, []);
        assert_eq!(scan.skipped.unreadable, 2);
    }

    #[test]
    fn names_that_are_no_text_hide_no_other() {
        use std::os::unix::ffi::OsStrExt;
        let folder = Folder::new();
        folder.session("s1", &[user(1, "hello")], 0);
        let name = std::ffi::OsStr::from_bytes(b"\xff.jsonl");
        if fs_err::write(folder.path.as_std_path().join(name), "").is_ok() {
            let scan = folder.scan();
            assert_eq!(ids(&scan.items), ["s1"]);
            assert_eq!(scan.inventory.available, 1);
        }
    }
}
