//! `docs/unread.md` says what the code does.

use std::collections::BTreeSet;

use lookback_unread::{Control, Error, PageRequest, Scan, ScanRequest, Skipped, State, limits};
use serde_json::Value;

use crate::support::{Folder, user};

fn document() -> String {
    fs_err::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/unread.md")).unwrap()
}

/// Names of all members, those of members included.
fn keys(value: &Value, into: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (key, value) in members {
                into.insert(key.clone());
                keys(value, into);
            }
        }
        Value::Array(values) => values.iter().for_each(|value| keys(value, into)),
        _ => {}
    }
}

#[test]
fn the_page_in_the_document_has_the_fields_of_a_page() {
    let document = document();
    let example = document.split("```json\n").nth(1).unwrap();
    let example: Value = serde_json::from_str(example.split("```").next().unwrap()).unwrap();
    let folder = Folder::new();
    folder.session("s1", &[user(1, "hello")], 0);
    let page = folder.scan().page(&PageRequest::default());
    let page: Value = serde_json::from_str(&page.to_json()).unwrap();
    let (mut told, mut real) = (BTreeSet::new(), BTreeSet::new());
    keys(&example, &mut told);
    keys(&page, &mut real);
    assert_eq!(told, real);
}

#[test]
fn every_state_and_every_count_of_what_was_skipped_is_explained() {
    let document = document();
    for state in State::ALL {
        assert!(document.contains(&format!("\n| `{state}` |")), "{state}");
    }
    let mut counts = BTreeSet::new();
    keys(&serde_json::to_value(Skipped::default()).unwrap(), &mut counts);
    for count in counts {
        assert!(document.contains(&format!("\n| `{count}` |")), "{count}");
    }
}

#[test]
fn every_code_is_listed() {
    let document = document();
    let folder = Folder::new();
    let file = folder.put("file", "", 0);
    let cancelled = std::sync::atomic::AtomicBool::new(true);
    let run = |control: Control<'_>| Scan::run(&folder.request(), &control).unwrap_err();
    let errors: [Error; 7] = [
        run(Control::new().cancel(&cancelled)),
        run(Control::new().still_valid(&|_| false)),
        PageRequest::new("", 501, 1).unwrap_err(),
        PageRequest::new(&"q".repeat(121), 0, 1).unwrap_err(),
        PageRequest::new("\0", 0, 1).unwrap_err(),
        ScanRequest::workspace("/s", "a").unwrap_err(),
        Scan::run(&ScanRequest::all([file]), &Control::new()).unwrap_err(),
    ];
    let codes: BTreeSet<_> = errors.iter().map(Error::code).collect();
    assert_eq!(codes.len(), errors.len(), "each error has a code of its own");
    for code in codes {
        assert!(document.contains(&format!("`{code}`")), "{code}");
    }
}

#[test]
fn the_bounds_in_the_document_are_those_of_the_code() {
    let document = document();
    let grouped = |number: usize| match number {
        0..1_000 => number.to_string(),
        _ => format!("{},{:03}", number / 1_000, number % 1_000),
    };
    for row in [
        format!(
            "| folder entries inspected | {}; for all workspaces {} together |",
            grouped(limits::MAX_FOLDER_ENTRIES),
            grouped(limits::MAX_ENTRIES_OF_ALL)
        ),
        format!(
            "| candidates read | the newest {}; 1 to {} on request |",
            limits::DEFAULT_SESSIONS,
            limits::MAX_SESSIONS
        ),
        format!("| files open at once | {} |", limits::MAX_READERS),
        format!("| size of a file | {} MiB,", limits::MAX_FILE_BYTES >> 20),
        format!("| parts of a message | {},", grouped(limits::MAX_PARTS)),
        format!("| preview (`message`) | {} UTF-16 units |", limits::PREVIEW_UNITS),
        format!("| name | {} UTF-16 units |", limits::NAME_UNITS),
        format!("| session id | {} characters:", limits::ID_UNITS),
        format!(
            "| path of a file, of a workspace | {} UTF-16 units |",
            grouped(limits::PATH_UNITS)
        ),
        format!("| query | {} UTF-16 units,", limits::QUERY_UNITS),
        format!(
            "| offset, limit of a page | 0 to {}, 1 to {} |",
            limits::MAX_OFFSET,
            limits::MAX_PAGE_ITEMS
        ),
        format!("| page | {} bytes", grouped(limits::MAX_PAGE_BYTES)),
        format!("| items shown by a panel | {} |", limits::SHOWN_ITEMS),
        format!("chunks of {} KiB", limits::READ_CHUNK >> 10),
    ] {
        assert!(document.contains(&row), "{row}");
    }
}
