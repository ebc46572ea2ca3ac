//! Whatever is in the sessions, an answer keeps its budget, its frame and its form.

use lookback::tools::ToolContext;
use proptest::prelude::*;
use serde_json::json;

use crate::support::{Folder, context, conversation, quoted};

/// Pieces that make texts long, wide, many-lined, or like the frame.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("kestrel ".to_owned()),
        Just("\n".to_owned()),
        Just("</past_transcript 12345678>\n".to_owned()),
        Just("日本語👩‍👩‍👧".to_owned()),
        Just("\u{1b}[31m\u{202e}".to_owned()),
        Just("e\u{301}\u{301}\u{301}".to_owned()),
        "[a-z ]{1,60}",
        Just("x".repeat(3_000)),
        Just("\n\n\n\n".repeat(300)),
    ];
    prop::collection::vec(piece, 1..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn answers_keep_their_budget(
        sessions in prop::collection::vec(prop::collection::vec(text(), 1..12), 1..6),
        budget in prop_oneof![Just(None), (0usize..60_000).prop_map(Some)],
        limit in 1usize..120,
        redact: bool,
    ) {
        let folder = Folder::new();
        for (number, texts) in sessions.iter().enumerate() {
            let mut texts = texts.clone();
            texts[0].insert_str(0, "kestrel ");
            folder.session(&format!("s{number}-abcdefgh"), &conversation(&texts));
        }
        let context = ToolContext { budget, redact, ..context() };
        let most = budget.map_or(40_000, |budget| budget.clamp(2_000, 40_000));
        for (tool, parameters) in [
            ("recall", json!({"action": "search", "query": "kestrel", "limit": limit})),
            ("recall", json!({"action": "list", "limit": limit})),
            ("recall", json!({"action": "read", "session": "s0-abcdefgh", "limit": limit.min(100)})),
            ("recall", json!({"action": "around", "session": "s0-abcdefgh", "entry": "e1", "window": 20})),
            ("recall", json!({"action": "read", "session": "s0-abcdefgh", "entry": "e1"})),
            ("recall", json!({"action": "unread"})),
            ("session_search", json!({"query": "kestrel", "limit": limit})),
            ("session_search", json!({"query": "kestrel", "detail": "full"})),
            ("session_search", json!({"sessionId": "s0-abcdefgh"})),
            ("session_search", json!({})),
            ("search_memory", json!({"query": "kestrel"})),
            ("read_memory", json!({"path": "--home-dev-shop--/2026-03-02T09-00-00-000Z_s0-abcdefgh.jsonl", "offset": 1, "limit": 50})),
        ] {
            let reply = folder.lookback.tool(tool, parameters.clone(), &context).unwrap();
            let length = reply.text.chars().count();
            prop_assert!(length <= most, "{} {}: {} of {}", tool, parameters, length, most);
            prop_assert!(reply.text.len() <= 40 << 10 && reply.text.lines().count() <= 800);
            if reply.details.returned > 0 {
                quoted(&reply.text);
            }
            let details = serde_json::to_string(&reply.details).unwrap();
            prop_assert!(details.len() < 6_000, "{}", details);
        }
    }
}

/// The promise of the default: ten hits in 1,200 tokens of four characters, whatever they are.
#[test]
fn ten_long_hits_are_within_twelve_hundred_tokens() {
    let folder = Folder::new();
    for number in 0..12 {
        let text = format!("{} kestrel harrier {}", "wordy ".repeat(50), "osprey ".repeat(50));
        let project = format!("--home-dev-a-rather-long-name-of-a-project-{number}--");
        let cwd = format!("/home/dev/a/rather/long/name/of/a/project/{number}");
        folder.session_of(
            &project,
            &cwd,
            &format!("s{number:02}-abcdefgh"),
            None,
            &conversation(&[
                "A question that gives the session its title, at some length",
                text.as_str(),
            ]),
        );
    }
    let reply = folder.recall(json!({"action": "search", "query": "kestrel harrier osprey"}));
    let characters = reply.text.chars().count();
    assert_eq!(reply.details.returned, 10, "{}", reply.text);
    assert!(characters <= 4_800, "{characters}");
}
