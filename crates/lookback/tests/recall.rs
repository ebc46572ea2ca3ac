//! The tool `recall`, action by action.

use lookback::{Engine, EntryId, tools::ToolContext};
use serde_json::json;

use crate::support::{Folder, context, conversation, message, quoted};

#[test]
fn a_hit_has_what_the_next_call_needs() {
    let folder = Folder::new();
    folder.session(
        "s-one-0001",
        &conversation(&[
            "Why does the kestrel deploy fail?",
            "The kestrel token expired.\nRotate it.",
        ]),
    );
    folder.session("s-two-0002", &conversation(&["Paint the shed", "Green."]));
    let reply = folder.recall(json!({"action": "search", "query": "kestrel deploy"}));
    let body = quoted(&reply.text);
    assert!(
        body.starts_with(
            "1. s-one-00 [e1] 2026-03-02 09:00 · ~/shop · user\n| Why does the «kestrel deploy» fail?"
        ),
        "{body}"
    );
    assert!(
        reply
            .text
            .contains("hits 1-1 in 1 matching session, best first; 2 searched")
    );
    let next = r#"recall {"action":"around","session":"s-one-00","entry":"e1"}"#;
    assert!(reply.text.contains(next), "{}", reply.text);
    let call = next.strip_prefix("recall ").unwrap();
    let around = folder.recall(serde_json::from_str(call).unwrap());
    assert!(
        quoted(&around.text).contains("[e2] assistant 09:01\n| The kestrel token expired.\n| Rotate it."),
        "{}",
        around.text
    );
    assert_eq!(around.details.session_id.unwrap().as_str(), "s-one-0001");
    assert_eq!(reply.details.found[0].session_id.as_str(), "s-one-0001");
    assert_eq!(
        (
            reply.details.returned,
            reply.details.total,
            reply.details.next_offset
        ),
        (1, 1, None)
    );
}

#[test]
fn pages_follow_each_other_without_gaps() {
    let folder = Folder::new();
    for number in 0..23 {
        folder.session(
            &format!("s{number:02}-abcdefgh"),
            &conversation(&[format!("kestrel number {number}")]),
        );
    }
    for action in ["search", "list"] {
        let mut seen = Vec::new();
        let mut parameters = json!({"action": action, "query": "kestrel", "limit": 10});
        for _ in 0..4 {
            let reply = folder.recall(parameters.clone());
            seen.extend(
                reply
                    .details
                    .found
                    .iter()
                    .map(|found| found.session_id.to_string()),
            );
            let Some(next) = reply.details.next_offset else {
                break;
            };
            let call = reply
                .text
                .lines()
                .find_map(|line| line.strip_prefix("More: recall "))
                .unwrap()
                .to_owned();
            assert!(call.contains(&format!("\"offset\":{next}")), "{call}");
            parameters = serde_json::from_str(&call).unwrap();
        }
        seen.sort();
        assert_eq!(seen.len(), 23, "{action}");
        seen.dedup();
        assert_eq!(seen.len(), 23, "{action}");
        let beyond = folder.recall(json!({"action": action, "query": "kestrel", "offset": 90}));
        assert!(
            beyond.text.contains("23") && beyond.text.contains("without offset"),
            "{}",
            beyond.text
        );
    }
}

/// An answer that says only "nothing" leaves a model to guess whether it asked wrongly.
#[test]
fn an_empty_answer_says_what_was_searched_and_how_to_widen() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel"]));
    folder.session_of(
        "--home-dev-barn--",
        "/home/dev/barn",
        "s-two-0002",
        None,
        &conversation(&["harrier"]),
    );
    let reply = folder.recall(json!({"action": "search", "query": "harrier", "scope": "current"}));
    for part in [
        "nothing found for \"harrier\" in 1 sessions of ~/shop",
        "tool output",
        "all folders: recall {\"action\":\"search\",\"query\":\"harrier\"}",
    ] {
        assert!(reply.text.contains(part), "{part}: {}", reply.text);
    }
    assert_eq!(
        folder
            .recall(json!({"action": "search", "query": "harrier"}))
            .details
            .returned,
        1
    );

    let empty = Folder::new();
    for parameters in [
        json!({"action": "search", "query": "x"}),
        json!({"action": "list"}),
    ] {
        let reply = empty.recall(parameters);
        assert!(reply.text.contains("Session folders:"), "{}", reply.text);
    }
    let unread = empty.recall(json!({"action": "unread"}));
    assert!(unread.text.contains("no session waits"), "{}", unread.text);
}

/// What the model has before its eyes is not found again; what was compacted away is.
#[test]
fn the_live_context_is_left_out_and_that_is_said() {
    let folder = Folder::new();
    folder.session(
        "s-one-0001",
        &conversation(&["kestrel old", "Noted.", "kestrel new", "Noted."]),
    );
    let live = |entries: &[&str]| ToolContext {
        session: Some("s-one-0001".into()),
        live_entries: entries.iter().map(EntryId::new).collect(),
        ..context()
    };
    let all = folder
        .lookback
        .tool(
            "recall",
            json!({"action": "search", "query": "kestrel"}),
            &live(&["e1", "e2", "e3", "e4"]),
        )
        .unwrap();
    assert_eq!(all.details.returned, 0);
    assert!(
        all.text
            .contains("2 matching turns are in the present context and were left out"),
        "{}",
        all.text
    );
    let some = folder
        .lookback
        .tool(
            "recall",
            json!({"action": "search", "query": "kestrel"}),
            &live(&["e3", "e4"]),
        )
        .unwrap();
    assert_eq!(some.details.found[0].entry_id.as_ref().unwrap().as_str(), "e1");
    assert!(quoted(&some.text).contains("· this session"), "{}", some.text);
    let read = folder
        .lookback
        .tool(
            "recall",
            json!({"action": "read", "session": "current"}),
            &live(&[]),
        )
        .unwrap();
    assert_eq!(read.details.returned, 4);
}

#[test]
fn inside_one_session_every_hit_is_an_answer() {
    let folder = Folder::new();
    folder.session(
        "s-one-0001",
        &conversation(&["kestrel one", "yes", "kestrel two", "yes", "kestrel three"]),
    );
    folder.session("s-two-0002", &conversation(&["kestrel four"]));
    let reply = folder.recall(json!({"action": "search", "query": "kestrel", "session": "s-one"}));
    assert_eq!(reply.details.returned, 3, "{}", reply.text);
    assert!(
        reply
            .details
            .found
            .iter()
            .all(|found| found.session_id.as_str() == "s-one-0001")
    );
    assert_eq!(
        quoted(&reply.text).matches("\nkestrel one\n").count(),
        1,
        "the title stands once: {}",
        reply.text
    );
}

#[test]
fn a_long_session_shows_both_ends_and_the_way_between() {
    let folder = Folder::new();
    let texts: Vec<String> = (1..=50)
        .map(|number| format!("message number {number}"))
        .collect();
    folder.session("s-one-0001", &conversation(&texts));
    let reply = folder.recall(json!({"action": "read", "session": "s-one-0001"}));
    let body = quoted(&reply.text);
    assert!(
        body.contains("number 20\n(20 messages left out here)\n[e41]"),
        "{body}"
    );
    assert_eq!((reply.details.returned, reply.details.total), (30, 50));
    let line = reply
        .text
        .lines()
        .find(|line| line.starts_with("The 20 left out"))
        .unwrap();
    let call = line.split_once("recall ").unwrap().1;
    let between = folder.recall(serde_json::from_str(call).unwrap());
    let body = quoted(&between.text);
    assert!(
        (21..=40).all(|number| body.contains(&format!("number {number}\n"))),
        "{body}"
    );
    assert!(
        between.text.contains("10 messages after: recall"),
        "{}",
        between.text
    );
}

/// Half of a long message must not be the end of the road.
#[test]
fn a_long_message_is_read_piece_by_piece() {
    let folder = Folder::new();
    let long: String = (0..9_000).map(|number| format!("w{number} ")).collect();
    folder.session("s-one-0001", &conversation(&["Show it", long.as_str()]));
    let around = folder.recall(json!({"action": "around", "session": "s-one-0001", "entry": "e2"}));
    assert!(
        around.details.content_truncated && around.text.contains("more characters, from offset"),
        "{}",
        around.text
    );
    assert!(
        around
            .text
            .contains(r#"recall {"action":"read","session":"s-one-0001","entry":"<id>","offset":<offset>}"#)
    );
    let mut pieces = String::new();
    let mut parameters = json!({"action": "read", "session": "s-one-0001", "entry": "e2"});
    loop {
        let reply = folder.recall(parameters);
        let lines = quoted(&reply.text)
            .lines()
            .filter_map(|line| line.strip_prefix("| "));
        // White space at the border of two pieces is not quoted.
        pieces.extend(lines.flat_map(|line| [line, " "]));
        let Some(next) = reply.details.next_offset else {
            break;
        };
        let call = reply
            .text
            .lines()
            .find_map(|line| line.split_once("more characters: recall "))
            .unwrap()
            .1
            .to_owned();
        assert!(call.contains(&format!("\"offset\":{next}")));
        parameters = serde_json::from_str(&call).unwrap();
    }
    let squeezed = |text: &str| text.replace(' ', "");
    assert_eq!(squeezed(&pieces), squeezed(&long));
}

#[test]
fn branches_are_told_and_followed() {
    let folder = Folder::case("12-abandoned-branch");
    let found = folder.recall(json!({"action": "search", "query": "indigo"}));
    assert!(
        quoted(&found.text).contains("abandoned branch, tip a2000004"),
        "{}",
        found.text
    );
    let around = folder.recall(json!({"action": "around", "session": "019b7901", "entry": "a2000002"}));
    let body = quoted(&around.text);
    for word in [
        "vermilion",
        "ochre",
        "cobalt",
        "indigo",
        "It loses jobs",
        "periwinkle",
    ] {
        assert!(body.contains(word), "{word}: {body}");
    }
    for word in ["chartreuse", "magenta", "amaranth", "Ship it", "mauve", "celadon"] {
        assert!(!body.contains(word), "{word}: {body}");
    }
    assert!(
        body.contains("[a2000002] assistant 10:00 <-- this entry"),
        "{body}"
    );
    let read = folder.recall(json!({"action": "read", "session": "019b7901"}));
    assert!(
        quoted(&read.text).contains("amaranth") && !read.text.contains("indigo"),
        "{}",
        read.text
    );
    let wrong = folder.tool(
        "recall",
        json!({"action": "around", "session": "019b7901", "entry": "a2000002", "branchTip": "a3000004"}),
    );
    let wrong = wrong.unwrap_err();
    assert_eq!(wrong.code(), "not-on-branch");
    assert!(wrong.to_string().contains("Leave branchTip out"), "{wrong}");
}

#[test]
fn sessions_that_wait_are_listed() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["Is the kestrel fixed?"]));
    folder.session("s-two-0002", &conversation(&["Thanks?", "You are welcome."]));
    folder.session_of(
        "--home-dev-barn--",
        "/home/dev/barn",
        "s-three-03",
        None,
        &conversation(&["And the barn?"]),
    );
    let all = folder.recall(json!({"action": "unread"}));
    assert_eq!(all.details.total, 2, "{}", all.text);
    let here = folder.recall(json!({"action": "unread", "scope": "current"}));
    assert!(
        here.details.total == 1 && quoted(&here.text).contains("| Is the kestrel fixed?"),
        "{}",
        here.text
    );
    let other = folder.recall(json!({"action": "unread", "query": "barn"}));
    assert!(
        other.details.total == 1 && quoted(&other.text).contains("~/barn"),
        "{}",
        other.text
    );
}

/// Where nothing may be stored, the same questions have the same answers.
#[test]
fn without_an_index_the_files_answer() {
    let folder = Folder::new();
    folder.session(
        "s-one-0001",
        &conversation(&["Why does the kestrel deploy fail?", "The token expired."]),
    );
    let scan = ToolContext {
        engine: Engine::Scan,
        ..context()
    };
    for parameters in [
        json!({"action": "search", "query": "kestrel"}),
        json!({"action": "list"}),
        json!({"action": "read", "session": "s-one-0001"}),
    ] {
        let from_files = folder.lookback.tool("recall", parameters.clone(), &scan).unwrap();
        assert!(!folder.base().join("cache").exists(), "nothing is written");
        assert_eq!(
            from_files.details.returned,
            if parameters["action"] == "read" { 2 } else { 1 },
            "{}",
            from_files.text
        );
        assert!(quoted(&from_files.text).contains("~/shop"), "{}", from_files.text);
    }
}

/// A cache folder that cannot be used is no reason to find nothing.
#[test]
fn an_index_that_cannot_be_written_is_told() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel"]));
    fs_err::write(folder.base().join("cache"), "a file where the folder should be").unwrap();
    let reply = folder.recall(json!({"action": "search", "query": "kestrel"}));
    assert_eq!(reply.details.returned, 1, "{}", reply.text);
    assert!(
        reply.details.sync_warning.is_some()
            || reply
                .details
                .warnings
                .iter()
                .any(|warning| warning.code == "index-unusable")
    );
    assert!(reply.text.contains("note: "), "{}", reply.text);
    assert_eq!(folder.recall(json!({"action": "list"})).details.returned, 1);
}

/// The answers of the tool lie in session files as tool results, and those are not searched.
#[test]
fn answers_of_the_tool_are_not_found_again() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel original"]));
    let answer = folder.recall(json!({"action": "search", "query": "kestrel"}));
    let mut entries = conversation(&["What did we say?", "Let me look."]);
    let mut result = message("e3", Some("e2"), "toolResult", 2, &answer.text);
    result["message"]["toolCallId"] = json!("c1");
    result["message"]["toolName"] = json!("recall");
    entries.push(result);
    folder.session("s-two-0002", &entries);
    let again = folder.recall(json!({"action": "search", "query": "kestrel"}));
    assert_eq!(again.details.total, 1, "{}", again.text);
    assert_eq!(again.details.found[0].session_id.as_str(), "s-one-0001");
}
