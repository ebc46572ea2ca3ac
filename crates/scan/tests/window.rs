//! Reading on from a line.

use lookback_scan::{ScanOptions, Window, WindowItem, WindowRequest};
use serde_json::{Value, json};

use crate::library::{Folder, header, message, to_file};

fn conversation() -> Vec<Value> {
    let call = json!([
        {"type": "thinking", "thinking": "secret thoughts"},
        {"type": "text", "text": "I look.\nNow."},
        {"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls -la\n| head"}},
        {"type": "toolCall", "id": "c2", "name": "read", "arguments": {"path": "x".repeat(300)}},
    ]);
    let mut says_and_calls = message("a2", Some("a1"), 1, "assistant", "");
    says_and_calls["message"]["content"] = call;
    let mut calls = message("a4", Some("a3"), 3, "assistant", "");
    calls["message"]["content"] =
        json!([{"type": "toolCall", "id": "c3", "name": "bash", "arguments": {"command": "cargo test"}}]);
    vec![
        header("s1", "2026-03-01T08:00:00.000Z", "/home/dev", None),
        message("a1", None, 0, "user", "What is in here?"),
        says_and_calls,
        message("a3", Some("a2"), 2, "toolResult", "output of a tool"),
        calls,
        json!({"type": "compaction", "id": "a5", "parentId": "a4", "timestamp": "2026-03-01T09:04:00.000Z",
            "summary": "a summary", "firstKeptEntryId": "a4", "tokensBefore": 1}),
        json!({"type": "message", "id": "a6", "parentId": "a5", "timestamp": "2026-03-01T09:05:00.000Z",
            "message": {"role": "bashExecution", "command": "git status", "output": "clean", "timestamp": 1_772_355_900_000_i64}}),
        json!({"type": "message", "id": "a7", "parentId": "a6", "timestamp": "2026-03-02T00:30:00.000Z",
            "message": {"role": "user", "content": [{"type": "image", "data": "AAAA", "mimeType": "image/png"}], "timestamp": 1_772_411_400_000_i64}}),
        message("a8", Some("a1"), 60 * 24, "user", "Another question"),
    ]
}

fn window(lines: &[Value], change: impl FnOnce(&mut WindowRequest)) -> Window {
    let folder = Folder::new();
    let path = folder.write("--p--/s1.jsonl", to_file(lines));
    let mut request = WindowRequest::new(path, 1);
    change(&mut request);
    let mut window = folder
        .scanner()
        .window(&request, &ScanOptions::default())
        .unwrap();
    window.path = "s1.jsonl".into();
    window
}

#[test]
fn a_window_reads_like_a_conversation() {
    let text = window(&conversation(), |_| {}).to_string();
    let calls = format!(
        "bash {{\"command\":\"ls -la\\n| head\"}}; read {{\"path\":\"{}…",
        "x".repeat(66)
    );
    let expected = [
        "-- 2026-03-01 --",
        "[09:00] user: What is in here?",
        "[09:01] assistant: I look.",
        "    Now.",
        &format!("[09:01] assistant: ({calls})"),
        "[09:03] assistant: (bash {\"command\":\"cargo test\"})",
        "-- compaction: a summary stands for what is above --",
        "[09:05] user: (!git status)",
        "-- 2026-03-02 --",
        "[00:30] user:  (1 images)",
        "-- another branch of the session --",
        "[09:00] user: Another question",
        "-- end of the session file --",
        "",
    ];
    assert_eq!(text, expected.join("\n"));
    for left_out in ["secret thoughts", "output of a tool", "a summary\n", "clean"] {
        assert!(!text.contains(left_out), "{left_out}");
    }
}

#[test]
fn windows_follow_one_another() {
    let lines: Vec<Value> = std::iter::once(header("s1", "2026-03-01T08:00:00.000Z", "/home/dev", None))
        .chain((0..25).map(|at| {
            let parent = (at > 0).then(|| format!("m{}", at - 1));
            message(
                &format!("m{at}"),
                parent.as_deref(),
                at,
                "user",
                &format!("message {at}"),
            )
        }))
        .collect();
    let (mut offset, mut seen) = (2, Vec::new());
    loop {
        let window = window(&lines, |request| request.offset = offset);
        assert!(
            !window
                .items
                .iter()
                .any(|item| matches!(item, WindowItem::Branch { .. }))
        );
        seen.extend(window.items.iter().map(|item| match item {
            WindowItem::Message { text, line, .. } => (*line, text.clone()),
            other => panic!("{other:?}"),
        }));
        match window.next_offset {
            Some(next) => offset = next,
            None => break,
        }
    }
    let expected: Vec<(u64, String)> = (0..25).map(|at| (at + 2, format!("message {at}"))).collect();
    assert_eq!(seen, expected);

    let most = window(&lines, |request| request.limit = 1000);
    assert_eq!(most.items.len(), 25);
    assert_eq!(window(&lines, |request| request.limit = 0).items.len(), 1);
    assert_eq!(
        window(&lines, |_| {}).next_offset,
        Some(12),
        "ten messages unless told otherwise"
    );
}

#[test]
fn text_is_bounded_and_cuts_are_told() {
    let long = "数".repeat(40_000);
    let lines = [
        header("s1", "2026-03-01T08:00:00.000Z", "/home/dev", None),
        message("a1", None, 0, "user", &long),
        message("a2", Some("a1"), 1, "assistant", &long),
        message("a3", Some("a2"), 2, "user", "short"),
    ];
    let window = window(&lines, |_| {});
    let lengths: Vec<(usize, bool)> = window
        .items
        .iter()
        .map(|item| match item {
            WindowItem::Message { text, cut, .. } => (text.chars().count(), *cut),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(lengths, [(40_000, false), (10_000, true)]);
    assert_eq!(window.next_offset, Some(4));
    assert!(window.to_string().contains("… (cut)\n-- more from line 4 --"));
}

#[test]
fn the_clock_is_the_readers() {
    let ahead = window(&conversation(), |request| {
        request.utc_offset_minutes = 14 * 60 + 30
    });
    assert!(ahead.to_string().starts_with("-- 2026-03-01 --\n[23:30] user: "));
    let behind = window(&conversation(), |request| request.utc_offset_minutes = -600);
    assert!(behind.to_string().starts_with("-- 2026-02-28 --\n[23:00] user: "));
}

#[test]
fn a_file_of_two_sessions_and_damage_says_so() {
    let mut lines = conversation();
    lines.truncate(2);
    let mut text = to_file(&lines);
    text.push_str("{\"type\":\"message\",\"id\":\"b0\",\"par\n");
    text.push_str(&to_file(&[
        header("s2", "2026-03-01T08:00:00.000Z", "/home/dev", None),
        message("b1", None, 5, "user", "Second"),
    ]));
    let folder = Folder::new();
    let path = folder.write("--p--/s1.jsonl", text);
    let window = folder
        .scanner()
        .window(&WindowRequest::new(path, 2), &ScanOptions::default())
        .unwrap();
    assert_eq!(window.damaged_lines, 1);
    assert_eq!(
        window.to_string(),
        "-- 2026-03-01 --\n[09:00] user: What is in here?\n-- another session in the same file --\n\
         [09:05] user: Second\n-- 1 damaged lines --\n-- end of the session file --\n"
    );
}
