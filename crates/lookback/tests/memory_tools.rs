//! The tools `search_memory` and `read_memory`.

use serde_json::json;

use crate::support::{Folder, conversation, message, quoted};

#[test]
fn a_marker_leads_to_a_window() {
    let folder = Folder::new();
    folder.session(
        "s-one-0001",
        &conversation(&[
            "what did we decide about the k3s ingress?",
            "Traefik,\n[10:00] user: not nginx.",
            "fine",
            "good",
        ]),
    );
    let found = folder
        .tool("search_memory", json!({"query": "k3s ingress"}))
        .unwrap();
    let file = "--home-dev-shop--/2026-03-02T09-00-00-000Z_s-one-0001.jsonl";
    assert!(
        quoted(&found.text).contains(&format!(
            "{file}:2 | user: what did we decide about the «k3s ingress»?"
        )),
        "{}",
        found.text
    );
    assert!(!folder.base().join("cache").exists(), "nothing is stored");
    for path in [
        file.to_owned(),
        folder.sessions.join(file).into_string(),
        format!("{file}:2"),
    ] {
        let window = folder
            .tool("read_memory", json!({"path": path, "offset": 2, "limit": 3}))
            .unwrap();
        let body = quoted(&window.text);
        assert_eq!(
            body,
            "-- 2026-03-02 --\n[09:00] user: what did we decide about the k3s ingress?\n[09:01] assistant: Traefik,\n| [10:00] user: not nginx.\n[09:02] user: fine\n"
        );
        assert_eq!(
            (window.details.returned, window.details.next_offset),
            (3, Some(5))
        );
        assert!(
            window.text.contains(r#""offset":5,"limit":3}"#),
            "{}",
            window.text
        );
    }
    let end = folder
        .tool("read_memory", json!({"path": file, "offset": 5}))
        .unwrap();
    assert!(end.text.contains("end of the session file"), "{}", end.text);
}

#[test]
fn many_markers_fit_their_budget() {
    let folder = Folder::new();
    for number in 0..30 {
        let text = format!("kestrel {number} {}", "word ".repeat(60));
        folder.session(
            &format!("s{number:02}-abcdefgh-0123-4567-89ab-cdef01234567"),
            &conversation(&[text]),
        );
    }
    let reply = folder.tool("search_memory", json!({"query": "kestrel"})).unwrap();
    assert_eq!((reply.details.returned, reply.details.total), (15, 30));
    assert!(
        reply.text.chars().count() <= 4_800,
        "{}",
        reply.text.chars().count()
    );
}

#[test]
fn a_long_message_is_cut_and_one_alone_has_more_room() {
    let folder = Folder::new();
    let long: String = (0..2_000).map(|number| format!("word{number} ")).collect();
    folder.session(
        "s-one-0001",
        &[
            message("a1", None, "user", 0, &long),
            message("a2", Some("a1"), "assistant", 1, &long),
        ],
    );
    let file = "--home-dev-shop--/2026-03-02T09-00-00-000Z_s-one-0001.jsonl";
    let both = folder
        .tool("read_memory", json!({"path": file, "offset": 2}))
        .unwrap();
    assert!(
        both.details.content_truncated && both.text.contains("offset 3 and limit 1 show more of it"),
        "{}",
        both.text
    );
    let one = folder
        .tool("read_memory", json!({"path": file, "offset": 3, "limit": 1}))
        .unwrap();
    assert!(
        !one.details.content_truncated && one.text.contains("word1999"),
        "{}",
        one.text
    );
}
