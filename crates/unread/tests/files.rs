//! Files that cannot be used: each is counted, none hides another, none stops the scan.

use std::{fmt::Write as _, io::Write as _};

use camino::Utf8Path;
use lookback_unread::{Control, ReadEvent, Scan, Skipped, limits};
use serde_json::json;

use crate::support::{CWD, Folder, answer, ids, session, user};

/// What was skipped beside one good session.
fn skipped(bytes: impl AsRef<[u8]>) -> Skipped {
    let folder = Folder::new();
    folder.session("good", &[user(1, "hello")], 0);
    folder.put("odd.jsonl", bytes, 1);
    let scan = folder.scan();
    assert_eq!(ids(&scan.items), ["good"]);
    assert_eq!((scan.inventory.available, scan.inventory.scanned), (2, 2));
    scan.skipped
}

#[test]
fn bytes_that_are_no_utf8_make_the_file_unusable() {
    let good = session("odd", CWD, &[user(1, "hello")]);
    for bad in [
        &b"\xff"[..],
        b"\xc3\x28",
        b"\xed\xa0\xbd",
        b"\xe6\x87",
        b"\xf5\x80\x80\x80",
    ] {
        for at in [0, good.len() / 2, good.len()] {
            let bytes = [&good.as_bytes()[..at], bad, &good.as_bytes()[at..]].concat();
            let counted = skipped(&bytes);
            assert_eq!(
                counted,
                Skipped {
                    invalid_utf8: 1,
                    ..Skipped::default()
                },
                "{bad:?} at {at}"
            );
        }
    }
}

#[test]
fn a_file_needs_a_header_as_its_first_record() {
    let entry = user(1, "hello");
    let header = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut header = json!({"type":"session","version":3,"id":"odd","cwd":CWD});
        change(&mut header);
        format!("{header}\n{entry}\n")
    };
    let long = |length| "x".repeat(length);
    let cases = [
        ("an empty file", String::new()),
        ("white space", "\n \n".to_owned()),
        ("no JSON", "hello\nworld\n".to_owned()),
        ("an entry first", format!("{entry}\n{}", session("odd", CWD, &[]))),
        (
            "a scrap first",
            format!("42\n{}", session("odd", CWD, std::slice::from_ref(&entry))),
        ),
        (
            "a header behind damage on its line",
            format!("x{}", session("odd", CWD, std::slice::from_ref(&entry))),
        ),
        ("no id", header(&|header| header["id"] = json!(null))),
        (
            "an id that is no string",
            header(&|header| header["id"] = json!(7)),
        ),
        ("an empty id", header(&|header| header["id"] = json!(""))),
        (
            "an id with a slash",
            header(&|header| header["id"] = json!("a/b")),
        ),
        (
            "an id that ends in a point",
            header(&|header| header["id"] = json!("a.")),
        ),
        ("a long id", header(&|header| header["id"] = json!(long(257)))),
        ("no workspace", header(&|header| header["cwd"] = json!(null))),
        (
            "a workspace with a NUL",
            header(&|header| header["cwd"] = json!("/home/\0")),
        ),
        (
            "a long workspace",
            header(&|header| header["cwd"] = json!(format!("/{}", long(4_096)))),
        ),
    ];
    for (case, text) in cases {
        assert_eq!(
            skipped(text),
            Skipped {
                malformed: 1,
                ..Skipped::default()
            },
            "{case}"
        );
    }
    let fits = header(&|header| header["id"] = json!(long(256)));
    let folder = Folder::new();
    folder.put("odd.jsonl", fits, 0);
    assert_eq!(folder.scan().items.len(), 1);
}

#[test]
fn damaged_lines_are_passed_over_and_counted() {
    let folder = Folder::new();
    let good = session("s1", CWD, &[user(1, "hello")]);
    folder.put(
        "s1.jsonl",
        format!("not json\n{good}{{\"type\":\"message\",\"id\":\n\n"),
        0,
    );
    let scan = folder.scan();
    assert_eq!(ids(&scan.items), ["s1"]);
    assert_eq!(scan.items[0].message_count, 1);
    assert_eq!(
        scan.skipped,
        Skipped {
            damaged_lines: 2,
            ..Skipped::default()
        }
    );
}

#[test]
fn a_whole_record_behind_a_torn_one_still_counts() {
    // A record was torn while it was written, and the answer was appended to the same line, as Pi writes it.
    let folder = Folder::new();
    let torn = r#"{"type":"message","id":"e9","par"#;
    let answer = r#"{"type":"message","id":"e2","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"hi"}]}}"#;
    let text = format!("{}{torn}{answer}\n", session("s1", CWD, &[user(1, "hello")]));
    folder.put("s1.jsonl", text, 0);
    let scan = folder.scan();
    assert_eq!(scan.items, []);
    assert_eq!(scan.skipped.damaged_lines, 1);
}

#[test]
fn an_unfinished_last_line_is_no_damage() {
    let folder = Folder::new();
    let text = session("s1", CWD, &[user(1, "hello"), answer(2, "a long answer")]);
    folder.put("s1.jsonl", &text[..text.len() - 20], 0);
    let scan = folder.scan();
    assert_eq!(ids(&scan.items), ["s1"], "the answer is not there yet");
    assert_eq!(scan.skipped, Skipped::default());
}

#[test]
fn files_of_other_workspaces_are_foreign() {
    for cwd in [
        "/home/dev/other",
        "/home/dev/app2",
        "/home/dev",
        "/home/dev/App",
        "home/dev/app",
    ] {
        let counted = skipped(session("odd", cwd, &[user(1, "hello")]));
        assert_eq!(
            counted,
            Skipped {
                foreign: 1,
                ..Skipped::default()
            },
            "{cwd}"
        );
    }
    let folder = Folder::new();
    folder.put(
        "s1.jsonl",
        session("s1", "/home/dev/./x/../app/", &[user(1, "hello")]),
        0,
    );
    let scan = folder.scan();
    assert_eq!(
        scan.items[0].cwd, "/home/dev/./x/../app/",
        "the same folder, shown as it is written"
    );
}

/// A session of exactly so many bytes.
fn sized(length: usize) -> String {
    let mut text = session("big", CWD, &[user(1, "hello")]);
    let filler = length - text.len();
    writeln!(text, "{}", " ".repeat(filler - 1)).unwrap();
    assert_eq!(text.len(), length);
    text
}

#[test]
fn a_file_may_have_four_mebibytes_and_no_byte_more() {
    let bound = limits::MAX_FILE_BYTES as usize;
    let folder = Folder::new();
    folder.put("big.jsonl", sized(bound), 0);
    assert_eq!(ids(&folder.scan().items), ["big"]);
    assert_eq!(
        skipped(sized(bound + 1)),
        Skipped {
            oversized: 1,
            ..Skipped::default()
        }
    );
}

#[test]
fn a_file_that_grows_beyond_the_bound_while_it_is_read_is_skipped() {
    let folder = Folder::new();
    let path = folder.put("big.jsonl", sized(limits::MAX_FILE_BYTES as usize - 1_000), 0);
    let grow = |by: usize| {
        let scan = Scan::run(
            &folder.request(),
            &Control::new().on_read(&|event| {
                if let ReadEvent::Chunk { bytes, .. } = event
                    && bytes == limits::READ_CHUNK as u64
                {
                    append(&path, by);
                }
            }),
        );
        scan.unwrap()
    };
    let scan = grow(1_000);
    assert_eq!(
        ids(&scan.items),
        ["big"],
        "up to the bound it is read to its new end"
    );
    let scan = grow(1);
    assert_eq!(scan.items, []);
    assert_eq!(scan.skipped.oversized, 1);
}

fn append(path: &Utf8Path, bytes: usize) {
    let mut file = fs_err::OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(&vec![b' '; bytes]).unwrap();
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_counted() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    let path = folder.session("s1", &[user(1, "hello")], 0);
    fs_err::set_permissions(&path, std::fs::Permissions::from_mode(0o000)).unwrap();
    let scan = folder.scan();
    // The superuser may read everything.
    if fs_err::File::open(&path).is_err() {
        assert_eq!(scan.items, []);
        assert_eq!(scan.skipped.unreadable, 1);
    } else {
        assert_eq!(ids(&scan.items), ["s1"]);
    }
}

#[test]
fn a_file_that_vanishes_before_it_is_read_is_counted() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, "hello")], 0);
    let gone = folder.session("s2", &[user(1, "hello")], 1);
    let scan = Scan::run(
        &folder.request(),
        &Control::new().still_valid(&|phase| {
            if phase == lookback_unread::Phase::AfterDiscovery {
                fs_err::remove_file(&gone).unwrap();
            }
            true
        }),
    )
    .unwrap();
    assert_eq!(ids(&scan.items), ["s1"]);
    assert_eq!(scan.skipped.unreadable, 1);
}

#[test]
fn sessions_are_never_changed() {
    let folder = Folder::new();
    // What Pi itself would change on opening: an old version, a last line without end.
    let old =
        json!({"type":"session","version":1,"id":"old","timestamp":"2025-11-20T09:00:00.000Z","cwd":CWD});
    let entry = json!({"type":"message","timestamp":"2025-11-20T09:00:01.000Z","message":{"role":"user","content":"hello"}});
    let path = folder.put("old.jsonl", format!("{old}\n{entry}"), 0);
    let before = (
        fs_err::read(&path).unwrap(),
        fs_err::metadata(&path).unwrap().modified().unwrap(),
    );
    assert_eq!(ids(&folder.scan().items), ["old"]);
    let after = (
        fs_err::read(&path).unwrap(),
        fs_err::metadata(&path).unwrap().modified().unwrap(),
    );
    assert_eq!(before, after);
    let names = fs_err::read_dir(&folder.path).unwrap().count();
    assert_eq!(names, 1, "nothing was created beside it");
}
