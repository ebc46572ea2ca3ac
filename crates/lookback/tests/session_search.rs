//! The tool `session_search`: the mode follows from the arguments.

use camino::Utf8Path;
use lookback::tools::{SyncWarning, ToolContext};
use serde_json::json;

use crate::support::{Folder, context, conversation, message, quoted};

fn numbered(from: usize, to: usize) -> Vec<String> {
    (from..=to)
        .map(|number| format!("message number {number}"))
        .collect()
}

#[test]
fn discovery_surrounds_the_first_hit_and_names_the_others() {
    let folder = Folder::new();
    let mut texts = numbered(1, 40);
    texts[19] = "kestrel kestrel is here".to_owned();
    folder.session("s-one-0001", &conversation(&texts));
    let other = format!("kestrel {} the end", "word ".repeat(60).trim_end());
    folder.session(
        "s-two-0002",
        &conversation(&["Some birds", "before it", "and", other.as_str(), "after it"]),
    );
    let reply = folder.session_search(json!({"query": "kestrel"}));
    assert_eq!((reply.details.mode, reply.details.returned), ("discovery", 2));
    let body = quoted(&reply.text);
    let (first, second) = body.split_once("\n2. ").unwrap();
    for part in [
        "first messages:\n[e1]",
        "[e3] user",
        "around the match, messages 15-25 of 40",
        "[e15]",
        "[e20] assistant 09:19 <-- this entry",
        "[e25]",
        "last messages:\n[e38]",
        "[e40]",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    for part in ["[e4]", "[e14]", "[e26]", "[e37]"] {
        assert!(!first.contains(part), "{part}: {first}");
    }
    assert!(
        second.contains("word the end") && second.contains("matched [e4]") && !second.contains("before it"),
        "{second}"
    );
    assert!(reply.text.contains(r#"Scroll from a match: session_search {"sessionId":"s-one-00","aroundMessageId":"e20","branchTip":"e40"}"#), "{}", reply.text);

    let full = folder.session_search(json!({"query": "kestrel", "detail": "full"}));
    assert!(
        quoted(&full.text).contains("before it") && quoted(&full.text).contains("after it"),
        "{}",
        full.text
    );
}

#[test]
fn all_words_must_be_in_one_message_unless_joined_by_or() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel alone", "harrier alone"]));
    folder.session("s-two-0002", &conversation(&["kestrel and harrier"]));
    let found = |query: &str| folder.session_search(json!({"query": query})).details.returned;
    assert_eq!(found("kestrel harrier"), 1);
    assert_eq!(found("kestrel OR harrier"), 2);
    assert_eq!(found("\"kestrel alone\""), 1);
    assert_eq!(found("kestrel NOT alone"), 1);
    assert_eq!(found("kest*"), 2);
    let nothing = folder.session_search(json!({"query": "kestrel osprey"}));
    assert!(nothing.text.contains("join them with OR"), "{}", nothing.text);
}

/// Scrolling from end to end by the first and last ids of the answers, on the branch that is handed on.
#[test]
fn scroll_walks_along_a_branch() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&numbered(1, 30)));
    let mut reply =
        folder.session_search(json!({"sessionId": "s-one-0001", "aroundMessageId": "e3", "window": 4}));
    assert_eq!(reply.details.mode, "scroll");
    let mut last = 7;
    loop {
        let body = quoted(&reply.text).to_owned();
        assert!(body.contains(&format!("number {last}\n")), "{last}: {body}");
        let Some(line) = reply.text.lines().find(|line| line.starts_with("On, ")) else {
            break;
        };
        let call = line.split_once("session_search ").unwrap().1;
        assert!(call.contains(r#""branchTip":"e30""#), "{call}");
        reply = folder.session_search(serde_json::from_str(call).unwrap());
        last = (last + 4).min(30);
    }
    assert_eq!(last, 30);
    assert!(
        reply.text.contains("Back, 21 messages before") || reply.text.contains("before: session_search"),
        "{}",
        reply.text
    );
}

#[test]
fn a_message_must_lie_on_the_branch() {
    let folder = Folder::case("12-abandoned-branch");
    let session = "019b7901-aa98-7a6f-8b09-9a010000006f";
    let on = folder.session_search(
        json!({"sessionId": session, "aroundMessageId": "a1000002", "branchTip": "a2000004"}),
    );
    assert!(
        quoted(&on.text).contains("indigo") && !on.text.contains("amaranth"),
        "{}",
        on.text
    );
    assert_eq!(on.details.branch_tip.unwrap().as_str(), "a2000004");
    let off = folder.tool(
        "session_search",
        json!({"sessionId": session, "aroundMessageId": "a2000002", "branchTip": "a3000004"}),
    );
    assert_eq!(off.unwrap_err().code(), "not-on-branch");
}

#[test]
fn read_has_twenty_messages_from_the_start_and_ten_from_the_end() {
    let folder = Folder::new();
    let path = folder.session("s-one-0001", &conversation(&numbered(1, 45)));
    let below = path.strip_prefix(&folder.sessions).unwrap();
    for name in ["s-one-0001", "s-one", path.as_str(), below.as_str()] {
        let reply = folder.session_search(json!({"sessionId": name}));
        assert_eq!(
            (reply.details.mode, reply.details.returned, reply.details.total),
            ("read", 30, 45),
            "{name}"
        );
        assert!(!reply.details.content_truncated && !reply.text.contains("contentTruncated"));
        let body = quoted(&reply.text);
        assert!(
            body.contains("number 20\n(15 messages left out here)\n[e36]"),
            "{body}"
        );
    }
    folder.session("s-two-0002", &conversation(&["x".repeat(70_000)]));
    let long = folder.session_search(json!({"sessionId": "s-two-0002"}));
    assert!(long.details.content_truncated && long.text.contains("contentTruncated"));
    assert!(long.text.len() <= 40 << 10);
}

/// Ids lead to sessions and nowhere else.
#[test]
fn a_session_id_is_no_way_out_of_the_folders() {
    let folder = Folder::new();
    let outside = folder.base().join("secret.jsonl");
    fs_err::copy(folder.session("s-one-0001", &conversation(&["inside"])), &outside).unwrap();
    for name in [
        outside.as_str(),
        "../secret.jsonl",
        "/etc/passwd",
        "--home-dev-shop--/../../secret.jsonl",
        "a\0b",
    ] {
        let error = folder
            .tool("session_search", json!({"sessionId": name}))
            .unwrap_err();
        assert!(
            ["outside-roots", "bad-request", "not-found"].contains(&error.code()),
            "{name}: {error}"
        );
    }
}

#[test]
fn browse_shows_what_there_is() {
    let folder = Folder::new();
    let mut entries = conversation(&["Why is the kestrel red?", "It is a bird."]);
    entries.push(json!({"type": "session_info", "id": "n1", "parentId": "e2", "timestamp": "2026-03-02T10:00:00.000Z", "name": "Birds"}));
    folder.session("s-one-0001", &entries);
    let reply = folder.session_search(json!({}));
    let body = quoted(&reply.text);
    for part in [
        "s-one-00 · name: Birds · ~/shop · started 2026-03-02 · 2 messages",
        "file: --home-dev-shop--/2026-03-02T09-00-00-000Z_s-one-0001.jsonl",
        "| Birds",
    ] {
        assert!(body.contains(part), "{part}: {body}");
    }
    assert!(
        reply
            .text
            .contains(r#"Read one: session_search {"sessionId":"s-one-00"}"#)
    );
}

/// Sessions of temporary folders are noise by this tool's rule, and only by this tool's.
#[test]
fn sessions_of_temporary_folders_are_left_out_and_counted() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel"]));
    for (project, id) in [("--tmp-x--", "s-two-0002"), ("--private-tmp-x--", "s-three-03")] {
        folder.session_of(project, "/tmp/x", id, None, &conversation(&["kestrel"]));
    }
    for parameters in [json!({}), json!({"query": "kestrel"})] {
        let reply = folder.session_search(parameters);
        assert_eq!(reply.details.returned, 1, "{}", reply.text);
        assert!(reply.text.contains("/private/tmp"), "{}", reply.text);
    }
    assert_eq!(
        folder
            .recall(json!({"action": "search", "query": "kestrel"}))
            .details
            .total,
        3
    );
    assert_eq!(
        folder
            .session_search(json!({"sessionId": "s-two-0002"}))
            .details
            .returned,
        1,
        "by name it can be read"
    );
}

#[test]
fn forks_fold_into_their_parent_when_both_match() {
    let folder = Folder::new();
    let shared = conversation(&["kestrel question", "kestrel answer"]);
    let parent = folder.session("s-one-0001", &shared);
    let mut own = shared.clone();
    own.push(message("f3", Some("e2"), "user", 30, "kestrel of the fork"));
    folder.session_of(
        "--home-dev-shop--",
        "/home/dev/shop",
        "s-two-0002",
        Some(Utf8Path::new(&parent)),
        &own,
    );
    let reply = folder.session_search(json!({"query": "kestrel"}));
    assert_eq!(reply.details.returned, 1, "{}", reply.text);
    assert_eq!(reply.details.found[0].session_id.as_str(), "s-one-0001");
    assert!(quoted(&reply.text).contains("also in 1 fork"), "{}", reply.text);
}

#[test]
fn the_live_context_is_suppressed() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel now", "yes"]));
    let context = ToolContext {
        session: Some("s-one-0001".into()),
        live_entries: ["e1".into(), "e2".into()].into_iter().collect(),
        ..context()
    };
    let reply = folder
        .lookback
        .tool("session_search", json!({"query": "kestrel"}), &context)
        .unwrap();
    assert_eq!(reply.details.returned, 0);
    assert!(
        reply.text.contains("in the present context and were left out"),
        "{}",
        reply.text
    );
}

#[cfg(unix)]
#[test]
fn a_walk_that_could_not_finish_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel"]));
    folder.session_of(
        "--home-dev-barn--",
        "/home/dev/barn",
        "s-two-0002",
        None,
        &conversation(&["kestrel"]),
    );
    assert_eq!(
        folder
            .session_search(json!({"query": "kestrel"}))
            .details
            .returned,
        2
    );
    let closed = folder.sessions.join("--home-dev-barn--");
    let set = |mode| std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode)).unwrap();
    set(0o000);
    let is_root = fs_err::read_dir(&closed).is_ok();
    let reply = folder.session_search(json!({"query": "kestrel"}));
    set(0o755);
    if is_root {
        return;
    }
    assert_eq!(reply.details.sync_warning, Some(SyncWarning::IncompleteWalk));
    assert!(
        reply.text.contains(r#"syncWarning {"kind":"incomplete-walk"}"#),
        "{}",
        reply.text
    );
    assert_eq!(reply.details.returned, 2, "nothing is purged for that");
    let json = serde_json::to_value(&reply.details).unwrap();
    assert_eq!(json["syncWarning"], json!({"kind": "incomplete-walk"}));
}

#[test]
fn a_sync_that_failed_is_told_with_its_reason() {
    let json = serde_json::to_value(SyncWarning::SyncFailed {
        error: "no room".to_owned(),
    })
    .unwrap();
    assert_eq!(json, json!({"kind": "sync-failed", "error": "no room"}));
}
