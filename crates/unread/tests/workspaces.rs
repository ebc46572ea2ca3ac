//! All workspaces at once.

use lookback_unread::{Control, Error, Scan, ScanRequest, limits};

use crate::support::{Folder, ids, run, session, user};

#[test]
fn all_project_folders_are_looked_into_one_level_deep() {
    let folder = Folder::new();
    let put = |path: &str, id: &str, cwd: &str, seconds| {
        folder.put(path, session(id, cwd, &[user(1, "hello")]), seconds)
    };
    put("--home-dev-a--/1.jsonl", "a", "/home/dev/a", 3);
    put("--home-dev-b--/1.jsonl", "b", "/home/dev/b", 2);
    // A custom folder is flat.
    put("flat.jsonl", "flat", "/home/dev/c", 1);
    // Pi looks no deeper.
    put("--home-dev-a--/deep/1.jsonl", "deep", "/home/dev/a", 9);
    let scan = run(&ScanRequest::all([&folder.path]));
    assert_eq!(ids(&scan.items), ["a", "b", "flat"]);
    let cwds: Vec<_> = scan.items.iter().map(|item| item.cwd.as_str()).collect();
    assert_eq!(cwds, ["/home/dev/a", "/home/dev/b", "/home/dev/c"]);
    assert_eq!(scan.skipped.foreign, 0);
}

#[test]
fn sessions_of_another_system_are_listed_too() {
    let folder = Folder::new();
    folder.put("s1.jsonl", session("s1", r"C:\Users\dev", &[user(1, "hello")]), 0);
    assert_eq!(
        run(&ScanRequest::all([&folder.path])).items[0].cwd,
        r"C:\Users\dev"
    );
}

#[test]
fn several_roots_are_one_list_and_none_counts_twice() {
    let (one, two) = (Folder::new(), Folder::new());
    one.put("p/1.jsonl", session("one", "/a", &[user(1, "hello")]), 0);
    two.put("p/1.jsonl", session("two", "/a", &[user(1, "hello")]), 1);
    let missing = one.path.join("missing");
    let scan = run(&ScanRequest::all([&one.path, &two.path, &one.path, &missing]));
    assert_eq!(ids(&scan.items), ["two", "one"]);
    assert!(!scan.inventory.truncated);
}

#[test]
fn the_active_session_is_left_out_there_too() {
    let folder = Folder::new();
    let active = folder.put("p/1.jsonl", session("s1", "/a", &[user(1, "hello")]), 0);
    assert_eq!(
        run(&ScanRequest::all([&folder.path]).active_path(active)).items,
        []
    );
    assert_eq!(run(&ScanRequest::all([&folder.path]).active_id("s1")).items, []);
}

#[test]
fn all_workspaces_have_a_larger_bound_and_say_when_it_is_reached() {
    let folder = Folder::new();
    folder.put("p/1.jsonl", session("s1", "/a", &[user(1, "hello")]), 0);
    for number in 0..limits::MAX_FOLDER_ENTRIES + 10 {
        fs_err::write(folder.path.join(format!("p/{number}.txt")), "").unwrap();
    }
    let scan = run(&ScanRequest::all([&folder.path]));
    assert_eq!(ids(&scan.items), ["s1"]);
    assert!(!scan.inventory.discovery_truncated);
}

#[test]
fn a_root_that_cannot_be_listed_is_an_error() {
    let folder = Folder::new();
    let file = folder.put("file", "", 0);
    let error = Scan::run(&ScanRequest::all([file]), &Control::new()).unwrap_err();
    assert!(matches!(error, Error::Folder { .. }));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    #[test]
    fn links_to_project_folders_are_followed_once() {
        let (folder, elsewhere) = (Folder::new(), Folder::new());
        folder.put("p/1.jsonl", session("here", "/a", &[user(1, "hello")]), 1);
        elsewhere.put("1.jsonl", session("there", "/b", &[user(1, "hello")]), 0);
        symlink(&elsewhere.path, folder.path.join("q")).unwrap();
        symlink("p", folder.path.join("r")).unwrap();
        symlink(".", folder.path.join("loop")).unwrap();
        symlink(folder.path.join("p/1.jsonl"), folder.path.join("link.jsonl")).unwrap();
        let scan = run(&ScanRequest::all([&folder.path]));
        assert_eq!(ids(&scan.items), ["here", "there"]);
        assert_eq!(scan.skipped.links, 1);
    }

    #[test]
    fn a_project_folder_that_cannot_be_listed_hides_no_other_and_is_told() {
        let folder = Folder::new();
        folder.put("p/1.jsonl", session("s1", "/a", &[user(1, "hello")]), 0);
        folder.put("q/1.jsonl", session("s2", "/b", &[user(1, "hello")]), 1);
        let locked = folder.path.join("q");
        fs_err::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
        let is_locked = fs_err::read_dir(&locked).is_err();
        let scan = run(&ScanRequest::all([&folder.path]));
        fs_err::set_permissions(&locked, std::fs::Permissions::from_mode(0o700)).unwrap();
        // The superuser may list everything.
        if is_locked {
            assert_eq!(ids(&scan.items), ["s1"]);
            assert!(scan.inventory.discovery_truncated && scan.inventory.truncated);
            assert_eq!(scan.skipped.folders, 1);
        } else {
            assert_eq!(ids(&scan.items), ["s2", "s1"]);
        }
    }
}
