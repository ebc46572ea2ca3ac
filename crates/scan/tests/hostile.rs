//! Folders with other things than session files in them, and files with other things than sessions.

use lookback_ranker::{Annotations, Policy, SearchRequest};
use lookback_scan::{ScanOptions, WindowRequest};

use crate::library::{Folder, both_ways, entries, request};

fn window_code(folder: &Folder, path: &str, offset: u64) -> &'static str {
    folder
        .scanner()
        .window(&WindowRequest::new(path, offset), &ScanOptions::default())
        .unwrap_err()
        .code()
}

#[test]
fn windows_stay_inside() {
    let folder = Folder::new();
    let inside = folder.session("s1", &["hello"]);
    let outside = folder.root.with_file_name("secret.jsonl");
    fs_err::copy(&inside, &outside).unwrap();
    assert_eq!(window_code(&folder, outside.as_str(), 1), "outside-roots");
    assert_eq!(window_code(&folder, "../secret.jsonl", 1), "outside-roots");
    assert_eq!(
        window_code(&folder, "--home-dev-app--/../../secret.jsonl", 1),
        "outside-roots"
    );
    assert_eq!(window_code(&folder, "/etc/passwd", 1), "not-a-session");
    assert_eq!(window_code(&folder, "", 1), "not-a-session");
    assert_eq!(window_code(&folder, "a\0.jsonl", 1), "not-a-session");
    assert_eq!(window_code(&folder, "--home-dev-app--/s2.jsonl", 1), "not-found");
    assert_eq!(
        window_code(&folder, inside.parent().unwrap().join("s2.jsonl").as_str(), 1),
        "not-found"
    );
    assert_eq!(
        window_code(&folder, "/no/such/folder/s2.jsonl", 1),
        "outside-roots"
    );
    assert_eq!(window_code(&folder, inside.as_str(), 0), "no-line");
    assert_eq!(window_code(&folder, inside.as_str(), 3), "behind-the-end");
    let window = folder
        .scanner()
        .window(
            &WindowRequest::new("--home-dev-app--/s1.jsonl", 1),
            &ScanOptions::default(),
        )
        .unwrap();
    assert_eq!(window.path, inside);
}

#[cfg(unix)]
#[test]
fn links_and_pipes_are_not_read() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    let real = folder.session("s1", &["walrus"]);
    let outside = folder.root.with_file_name("outside");
    fs_err::create_dir(&outside).unwrap();
    fs_err::copy(&real, outside.join("o1.jsonl")).unwrap();
    symlink(
        outside.join("o1.jsonl"),
        folder.root.join("--home-dev-app--/link.jsonl"),
    )
    .unwrap();
    symlink("/dev/zero", folder.root.join("--home-dev-app--/zero.jsonl")).unwrap();
    symlink(&folder.root, folder.root.join("--loop--")).unwrap();
    let pipe = folder.root.join("--home-dev-app--/pipe.jsonl");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );

    let found = folder.search("walrus");
    assert_eq!((found.reply.hits.len(), found.outcome.files_total), (1, 1));
    assert_eq!(found.outcome.skipped_count, 3);
    assert!(found.outcome.is_complete());

    assert_eq!(
        window_code(&folder, "--home-dev-app--/link.jsonl", 1),
        "link-refused"
    );
    assert_eq!(
        window_code(&folder, "--home-dev-app--/pipe.jsonl", 1),
        "not-a-file"
    );
    assert_eq!(
        window_code(&folder, "--home-dev-app--/zero.jsonl", 1),
        "link-refused"
    );
}

/// Pi follows a link from the session folder to another folder, so its sessions are found, and can be read on.
#[cfg(unix)]
#[test]
fn linked_folders_are_inside_as_they_are_for_pi() {
    let folder = Folder::new();
    let moved = folder.root.with_file_name("moved");
    let file = folder.session("s1", &["walrus"]);
    fs_err::rename(file.parent().unwrap(), &moved).unwrap();
    std::os::unix::fs::symlink(&moved, folder.root.join("--home-dev-app--")).unwrap();
    let found = folder.search("walrus");
    let marker = &found.markers[0];
    let window = folder
        .scanner()
        .window(
            &WindowRequest::new(marker.path.clone(), marker.line),
            &ScanOptions::default(),
        )
        .unwrap();
    assert_eq!(window.path, moved.join("s1.jsonl"));
    assert_eq!(window.items.len(), 1);
}

#[test]
fn files_that_are_no_sessions_harm_nothing() {
    let folder = Folder::new();
    folder.session("s1", &["walrus"]);
    folder.write("--home-dev-app--/empty.jsonl", "");
    folder.write(
        "--home-dev-app--/noise.jsonl",
        [0xff, 0x00, 0xfe, b'\n', b'w', b'a', b'l', b'r', b'u', b's'],
    );
    folder.write("--home-dev-app--/deep.jsonl", "[".repeat(100_000) + "walrus");
    folder.write(
        "--home-dev-app--/other.jsonl",
        "{\"walrus\": [\"user\", \"walrus\"]}\n\"walrus user\"\n42\n",
    );
    folder.write("--home-dev-app--/notes.txt", "walrus");
    for found in both_ways(&folder.root, &request("walrus", Policy::memory())) {
        assert_eq!(entries(&found), ["s1-0"]);
        assert!(found.outcome.is_complete());
    }
}

#[test]
fn a_missing_folder_is_no_error() {
    let folder = Folder::new();
    let missing = folder.root.join("nowhere");
    let found = lookback_scan::Scanner::new([missing.clone()]).search(
        &request("walrus", Policy::memory()),
        &Annotations::default(),
        &ScanOptions::default(),
    );
    assert_eq!(found.outcome.missing_roots, [missing]);
    assert_eq!(found.outcome.to_string(), "searched 0 files");
}

#[test]
fn excluded_folders_are_left_out() {
    let folder = Folder::new();
    folder.session("s1", &["walrus"]);
    let exclude = |path: &camino::Utf8Path| path.as_str().ends_with("app--");
    let found = folder.scanner().exclude(&exclude).search(
        &request("walrus", Policy::memory()),
        &Annotations::default(),
        &ScanOptions::default(),
    );
    assert_eq!((found.outcome.files_total, found.outcome.skipped_count), (0, 1));
}

/// Lines without end, words without end, queries without end.
#[test]
fn size_costs_time_and_nothing_else() {
    let folder = Folder::new();
    let word = "w".repeat(5_000_000);
    let path = folder.session(
        "s1",
        &[
            &word,
            "walrus",
            &("ice ".repeat(300_000) + "walrus"),
            "last walrus",
        ],
    );
    assert!(fs_err::metadata(&path).unwrap().len() > 6_000_000);
    let wide = SearchRequest {
        limit: 100,
        ..request("walrus", Policy::memory())
    };
    for found in both_ways(&folder.root, &wide) {
        assert_eq!(found.reply.hits.len(), 3);
    }
    let found = folder.search(&word[..3000]);
    assert_eq!(entries(&found), ["s1-0"]);
    let many: String = (0..900).map(|number| format!("w{number} ")).collect();
    let found = folder.search(&(many + "walrus"));
    assert!(found.outcome.is_complete());
}
