//! What of a session is searched, and when what is new is found.

use serde_json::{Value, json};

use crate::support::{Folder, conversation, message};

fn total(folder: &Folder, query: &str) -> usize {
    let total = |reply: lookback::tools::ToolReply| reply.details.total;
    let found = total(folder.recall(json!({"action": "search", "query": query})));
    let strict = total(folder.session_search(json!({"query": query})));
    let scanned = total(folder.tool("search_memory", json!({"query": query})).unwrap());
    assert_eq!((strict, scanned), (found, found), "{query}: all tools agree");
    found
}

#[test]
fn only_what_user_and_assistant_say_is_searched() {
    let folder = Folder::new();
    let mut entries = conversation(&["kestrel of the user", "kestrel of the assistant"]);
    entries[1]["message"]["content"] = json!([
        {"type": "thinking", "thinking": "osprey in thought"},
        {"type": "text", "text": "harrier said"},
        {"type": "toolCall", "id": "c1", "name": "merlin", "arguments": {"command": "goshawk --list"}},
    ]);
    let mut result = message("e3", Some("e2"), "toolResult", 2, "buzzard in the output");
    result["message"]["toolCallId"] = json!("c1");
    result["message"]["toolName"] = json!("merlin");
    entries.push(result);
    folder.session("s-one-0001", &entries);
    for said in ["kestrel", "harrier"] {
        assert_eq!(total(&folder, said), 1, "{said}");
    }
    for unsaid in ["osprey", "merlin", "goshawk", "buzzard"] {
        assert_eq!(total(&folder, unsaid), 0, "{unsaid}");
    }
}

/// Nobody has to ask for a sync: every search begins with one.
#[test]
fn new_changed_and_deleted_sessions_are_noticed_by_the_next_search() {
    let folder = Folder::new();
    assert_eq!(total(&folder, "kestrel"), 0);
    let path = folder.session("s-one-0001", &conversation(&["a kestrel"]));
    assert_eq!(total(&folder, "kestrel"), 1);
    folder.session("s-one-0001", &conversation(&["a kestrel", "and a harrier"]));
    assert_eq!(total(&folder, "harrier"), 1);
    folder.session("s-one-0001", &conversation(&["an osprey"]));
    assert_eq!((total(&folder, "kestrel"), total(&folder, "osprey")), (0, 1));
    fs_err::remove_file(path).unwrap();
    assert_eq!(total(&folder, "osprey"), 0);
}

/// A warning lasts as long as its cause.
#[test]
fn a_sync_that_works_again_warns_no_more() {
    let folder = Folder::new();
    folder.session("s-one-0001", &conversation(&["kestrel"]));
    let search = || folder.session_search(json!({"query": "kestrel"}));
    assert_eq!(search().details.sync_warning, None);
    let cache = folder.base().join("cache");
    let aside = folder.base().join("aside");
    fs_err::rename(&cache, &aside).unwrap();
    fs_err::write(&cache, "a file where the folder should be").unwrap();
    let hindered = search();
    assert_eq!(hindered.details.returned, 1);
    let json: Value = serde_json::to_value(&hindered.details).unwrap();
    assert!(
        json["syncWarning"].is_object() || json["warnings"][0]["code"] == "index-unusable",
        "{json}"
    );
    fs_err::remove_file(&cache).unwrap();
    fs_err::rename(&aside, &cache).unwrap();
    let json: Value = serde_json::to_value(&search().details).unwrap();
    assert!(
        json.get("syncWarning").is_none() && json.get("warnings").is_none_or(|list| list == &json!([])),
        "{json}"
    );
}

/// The seed keeps names and ids beside the text; here they are ways to find a session.
#[test]
fn names_and_ids_find_their_sessions_too() {
    let folder = Folder::new();
    let mut entries = conversation(&["Why is it red?", "It is a bird."]);
    entries.push(json!({"type": "session_info", "id": "n1", "parentId": "e2",
        "timestamp": "2026-03-02T10:00:00.000Z", "name": "Kestrel colours"}));
    folder.session("0198c1f2-7a31-7d60-8b1e-3f5a90c4d2e7", &entries);
    folder.session(
        "0199c1f2-7a31-7d60-8b1e-3f5a90c4d2e7",
        &conversation(&["Another", "yes"]),
    );
    for query in ["kestrel", "name:colours", "0198c1f2-7a31"] {
        let reply = folder.recall(json!({"action": "search", "query": query}));
        assert_eq!(reply.details.returned, 1, "{query}: {}", reply.text);
        assert!(
            reply.details.found[0].session_id.as_str().starts_with("0198"),
            "{query}"
        );
    }
}

/// Input that nobody means gets an answer from both engines, with the warnings that say what was made of it.
#[test]
fn bad_queries_are_answered_and_said() {
    let folder = Folder::new();
    for id in ["abc-0001", "abc-0002"] {
        folder.session(id, &conversation(&["redis queue", "the user and a redis queue"]));
    }
    let inputs: Vec<Value> =
        serde_json::from_str(include_str!("../../../tests/data/bad-queries.json")).unwrap();
    for input in &inputs {
        let times = input["times"].as_u64().unwrap() as usize;
        let text = input["text"].as_str().unwrap();
        for engine in [lookback::Engine::Index, lookback::Engine::Scan] {
            let options = lookback::AnswerOptions {
                engine,
                ..Default::default()
            };
            let request = lookback::SearchRequest::new(text.repeat(times));
            let answer = folder.lookback.answer(&request, &options).unwrap();
            let codes: Vec<&str> = answer
                .reply
                .warnings
                .iter()
                .map(lookback::Warning::code)
                .collect();
            for code in input["warnings"].as_array().unwrap() {
                assert!(
                    codes.contains(&code.as_str().unwrap()),
                    "{text:?} {engine:?}: {codes:?}"
                );
            }
        }
    }
}

/// The sessions that wait are looked up when a query asks for them, and only then.
#[test]
fn waiting_sessions_can_be_asked_for() {
    let folder = Folder::new();
    folder.session("s-answered", &conversation(&["a redis queue", "the answer"]));
    folder.session("s-waiting", &conversation(&["a redis queue"]));
    for engine in [lookback::Engine::Index, lookback::Engine::Scan] {
        for (query, expected) in [
            ("redis is:unread", &["s-waiting"][..]),
            ("redis -is:unread", &["s-answered"]),
        ] {
            let options = lookback::AnswerOptions {
                engine,
                ..Default::default()
            };
            let request = lookback::SearchRequest::new(query);
            let reply = folder.lookback.answer(&request, &options).unwrap().reply;
            let found: Vec<&str> = reply.hits.iter().map(|hit| hit.session.id.as_str()).collect();
            assert_eq!(found, expected, "{query} {engine:?}");
            assert!(reply.warnings.is_empty(), "{:?}", reply.warnings);
        }
    }
    folder
        .lookback
        .mark_done("s-waiting", lookback::Timestamp::EPOCH)
        .unwrap();
    let request = lookback::SearchRequest::new("redis is:unread");
    assert!(folder.lookback.search(&request).unwrap().hits.is_empty());
}
