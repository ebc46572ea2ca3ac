//! The counts and flags, and the JSON that carries them.

use lookback_unread::{Inventory, Limits, Page, PageRequest, State, States};
use serde_json::{Value, json};

use crate::support::{CWD, Folder, answer, page, run, session, user};

#[test]
fn every_count_means_what_it_says() {
    let folder = Folder::new();
    let active = folder.session("active", &[user(1, "hello")], 9);
    for number in 0..60 {
        folder.session(&format!("u{number}"), &[user(1, "hello")], number);
    }
    folder.session("answered", &[user(1, "hello"), answer(2, "hi")], 70);
    folder.put(
        "foreign.jsonl",
        session("foreign", "/elsewhere", &[user(1, "hello")]),
        71,
    );
    folder.put("odd.jsonl", "odd", 72);
    folder.put("note.txt", "", 73);
    let scan = run(&folder.request().active_path(&active));
    let expected = Inventory {
        available: 64,
        candidates: 63,
        scanned: 63,
        unread: 60,
        shown: 50,
        truncated: true,
        discovery_truncated: false,
        scan_truncated: false,
        display_truncated: true,
    };
    assert_eq!(scan.inventory, expected);
    assert_eq!(scan.shown(), &scan.items[..50]);

    let page = page(&scan, "", 0, 60);
    assert_eq!((page.inventory.scan.shown, page.inventory.matched), (60, 60));
    assert!(!page.inventory.result_truncated);
    assert!(page.inventory.scan.truncated, "because the panel shows fewer");
}

#[test]
fn the_json_of_a_page_has_these_fields_and_no_others() {
    let folder = Folder::new();
    let path = folder.session("s1", &[user(1, "hello")], 0);
    let page = folder.scan().page(&PageRequest::default());
    let expected = json!({
        "total": 1,
        "items": [{
            "id": "s1",
            "path": path,
            "cwd": CWD,
            "name": "hello",
            "modified": "2023-11-14T22:13:20.000Z",
            "messageCount": 1,
            "message": "hello",
        }],
        "offset": 0,
        "returned": 1,
        "nextOffset": null,
        "previewCharacters": 500,
        "inventory": {
            "available": 1,
            "candidates": 1,
            "scanned": 1,
            "unread": 1,
            "shown": 1,
            "truncated": false,
            "discoveryTruncated": false,
            "scanTruncated": false,
            "displayTruncated": false,
            "matched": 1,
            "resultTruncated": false,
        },
    });
    assert_eq!(serde_json::from_str::<Value>(&page.to_json()).unwrap(), expected);
    assert_eq!(serde_json::from_str::<Page>(&page.to_json()).unwrap(), page);
}

#[test]
fn details_add_to_the_json_and_take_nothing_away() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, "hello")], 0);
    let plain = folder.scan().page(&PageRequest::default());
    let detailed = run(&folder.request().details(true).states(States::ALL)).page(&PageRequest::default());
    let mut json: Value = serde_json::from_str(&detailed.to_json()).unwrap();
    assert_eq!(
        serde_json::from_str::<Page>(&detailed.to_json()).unwrap(),
        detailed
    );
    assert_eq!(detailed.items[0].detail.as_ref().unwrap().state, State::Unread);

    let item = json["items"][0].as_object_mut().unwrap();
    assert_eq!(item.remove("state"), Some(json!("unread")));
    assert_eq!(item.remove("messageId"), Some(json!("e1")));
    assert_eq!(
        item.remove("messageTime"),
        Some(json!("2026-03-02T09:00:00.001Z"))
    );
    assert_eq!(item.remove("stopReason"), Some(Value::Null));
    let skipped = json.as_object_mut().unwrap().remove("skipped").unwrap();
    assert_eq!(skipped["foreign"], 0);
    assert_eq!(json, serde_json::from_str::<Value>(&plain.to_json()).unwrap());
}

#[test]
fn the_limits_have_the_names_that_panels_show() {
    let limits = serde_json::to_value(Limits::with_sessions(100)).unwrap();
    let expected = json!({
        "directoryEntries": 4096,
        "sessionBytes": 4_194_304,
        "sessions": 100,
        "allowedSessions": 500,
        "readConcurrency": 8,
        "contentParts": 1000,
        "previewCharacters": 500,
        "panelItems": 50,
        "toolItems": 100,
        "queryCharacters": 120,
        "sessionIdCharacters": 256,
        "sessionNameCharacters": 256,
        "sessionPathCharacters": 4096,
    });
    assert_eq!(limits, expected);
}
