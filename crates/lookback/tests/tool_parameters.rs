//! What models write: lenient where it is clear, a sentence where it is not.

use lookback::tools::{NAMES, ToolContext, definitions};
use serde_json::{Value, json};

use crate::support::{Folder, context, conversation};

fn folder() -> Folder {
    let folder = Folder::new();
    folder.session(
        "s-one-0001",
        &conversation(&["Why is the kestrel build red?", "A missing lock file."]),
    );
    folder
}

#[test]
fn of_many_sessions_that_fit_a_start_the_rest_is_a_number_and_no_id() {
    let folder = folder();
    for number in 2..8 {
        folder.session(
            &format!("s-one-000{number}"),
            &conversation(&["Is it green?", "Yes."]),
        );
    }
    let call = json!({"action": "read", "session": "s-one"});
    let error = folder.tool("recall", call).unwrap_err();
    assert_eq!(error.code(), "ambiguous-session");
    let text = error.to_string();
    assert!(
        text.contains(r#""s-one-0005", and 2 more. Give more of it."#),
        "{text}"
    );
}

#[test]
fn every_wrong_call_gets_a_sentence_that_says_what_to_do() {
    let folder = folder();
    for (tool, parameters, code, hint) in [
        ("memorise", json!({}), "unknown-tool", "recall"),
        (
            "recall",
            json!({}),
            "bad-parameters",
            r#"{"action":"search","query":"…"}"#,
        ),
        ("recall", json!("kestrel"), "bad-parameters", "object"),
        ("recall", json!({"action": "find"}), "bad-parameters", "`unread`"),
        (
            "recall",
            json!({"action": "search"}),
            "bad-parameters",
            "needs a query",
        ),
        (
            "recall",
            json!({"action": "search", "query": "  "}),
            "bad-parameters",
            "needs a query",
        ),
        (
            "recall",
            json!({"action": "search", "query": "x", "sesion": "a"}),
            "bad-parameters",
            "`session`",
        ),
        (
            "recall",
            json!({"action": "search", "query": "x", "limit": -1}),
            "bad-parameters",
            "whole number",
        ),
        (
            "recall",
            json!({"action": "search", "query": "x", "limit": "many"}),
            "bad-parameters",
            "whole number",
        ),
        (
            "recall",
            json!({"action": "search", "query": "x", "scope": "here"}),
            "bad-parameters",
            "`current`",
        ),
        (
            "recall",
            json!({"action": "read"}),
            "bad-parameters",
            "needs a session",
        ),
        (
            "recall",
            json!({"action": "read", "entry": "e1"}),
            "bad-parameters",
            "its session",
        ),
        (
            "recall",
            json!({"action": "around", "session": "s-one-0001"}),
            "bad-parameters",
            "an entry",
        ),
        (
            "recall",
            json!({"action": "read", "session": "current"}),
            "bad-parameters",
            "no current session",
        ),
        (
            "recall",
            json!({"action": "read", "session": "nope"}),
            "session-not-found",
            r#"{"action":"list"}"#,
        ),
        (
            "recall",
            json!({"action": "read", "session": "/etc/passwd"}),
            "outside-roots",
            "id of a session",
        ),
        (
            "recall",
            json!({"action": "around", "session": "s-one-0001", "entry": "zz"}),
            "entry-not-found",
            "entry id",
        ),
        (
            "recall",
            json!({"action": "read", "session": "s-one-0001", "entry": "e1", "offset": 999}),
            "bad-parameters",
            "29 characters",
        ),
        (
            "session_search",
            json!({"aroundMessageId": "e1"}),
            "bad-parameters",
            "sessionId",
        ),
        (
            "session_search",
            json!({"sessionId": "nope"}),
            "session-not-found",
            "session_search {}",
        ),
        (
            "session_search",
            json!({"query": "x", "detail": "all"}),
            "bad-parameters",
            "`full`",
        ),
        ("search_memory", json!({}), "bad-parameters", "query"),
        (
            "read_memory",
            json!({"path": "a.jsonl"}),
            "bad-parameters",
            "offset",
        ),
        (
            "read_memory",
            json!({"path": "/etc/passwd", "offset": 1}),
            "not-a-session",
            "marker",
        ),
        (
            "read_memory",
            json!({"path": "--home-dev-shop--/2026-03-02T09-00-00-000Z_s-one-0001.jsonl", "offset": 99}),
            "behind-the-end",
            "3 lines",
        ),
    ] {
        let error = folder
            .tool(tool, parameters.clone())
            .expect_err(&parameters.to_string());
        let text = error.to_string();
        assert_eq!(error.code(), code, "{tool} {parameters}: {text}");
        assert!(text.contains(hint), "{tool} {parameters}: {text}");
        assert!(!text.contains('\n') && text.len() < 700, "{text}");
        assert!(
            !text.contains("--sessions") && !text.contains("lookback list"),
            "advice for a terminal: {text}"
        );
    }
}

/// Hosts coerce, and some do not: what is clear is taken.
#[test]
fn numbers_as_text_nulls_and_empty_texts_are_taken() {
    let folder = folder();
    let plain = folder.recall(json!({"action": "search", "query": "kestrel", "limit": 3}));
    for parameters in [
        json!({"action": "search", "query": "kestrel", "limit": 3.0}),
        json!({"action": "search", "query": " kestrel ", "limit": "3", "session": "", "entry": null, "offset": null}),
    ] {
        assert_eq!(folder.recall(parameters).text, plain.text);
    }
    assert_eq!(
        folder.tool("session_search", Value::Null).unwrap().details.mode,
        "browse"
    );
}

/// Another call would cost more than the note.
#[test]
fn numbers_out_of_bounds_and_needless_parameters_are_noted() {
    let folder = folder();
    let reply = folder.recall(
        json!({"action": "around", "session": "s-one-0001", "entry": "e1", "window": 500, "query": "x"}),
    );
    let codes: Vec<_> = reply
        .details
        .warnings
        .iter()
        .map(|warning| warning.code)
        .collect();
    assert_eq!(codes, ["unused-parameter", "out-of-range"]);
    assert!(reply.text.contains("window 500 is taken as 20"), "{}", reply.text);
    let reply = folder.recall(json!({"action": "list", "limit": 0}));
    assert!(reply.text.contains("limit 0 is taken as 1"), "{}", reply.text);
}

#[test]
fn a_call_that_is_cancelled_says_so() {
    let folder = folder();
    let cancel = std::sync::atomic::AtomicBool::new(true);
    let context = ToolContext {
        cancel: &cancel,
        ..context()
    };
    for (tool, parameters) in [
        ("recall", json!({"action": "search", "query": "kestrel"})),
        ("recall", json!({"action": "list"})),
        ("recall", json!({"action": "unread"})),
        ("session_search", json!({"query": "kestrel"})),
        ("session_search", json!({})),
        ("search_memory", json!({"query": "kestrel"})),
    ] {
        let error = folder.lookback.tool(tool, parameters, &context).unwrap_err();
        assert_eq!(error.code(), "cancelled", "{tool}: {error}");
    }
}

/// Hosts put the rules of all tools into one list, and validate by the schema.
#[test]
fn definitions_are_complete() {
    let definitions = definitions();
    let names: Vec<_> = definitions.iter().map(|definition| definition.name).collect();
    assert_eq!(names, NAMES);
    for definition in definitions {
        assert!(!definition.description.is_empty() && !definition.prompt_snippet.contains('\n'));
        assert!(!definition.prompt_guidelines.is_empty());
        for guideline in definition.prompt_guidelines {
            assert!(guideline.contains(definition.name), "{guideline}");
        }
        let schema = &definition.parameters;
        assert_eq!(
            (&schema["type"], &schema["additionalProperties"]),
            (&json!("object"), &json!(false))
        );
        for (name, property) in schema["properties"].as_object().unwrap() {
            assert!(
                property["type"].is_string() && property["description"].is_string(),
                "{name}"
            );
        }
        for text in [definition.description, definition.prompt_snippet] {
            assert!(!text.contains("  "), "{text}");
        }
    }
}

/// A property of the schema that the engine does not know would be refused when a model uses it.
#[test]
fn every_property_of_a_schema_is_read() {
    let folder = folder();
    for definition in definitions() {
        for (name, property) in definition.parameters["properties"].as_object().unwrap() {
            let value = match (property["enum"].get(0), property["type"].as_str()) {
                (Some(first), _) => first.clone(),
                (None, Some("integer")) => json!(3),
                _ => json!("kestrel"),
            };
            let mut call = json!({ name: value });
            if definition.name == "recall" && name != "action" {
                call["action"] = json!("search");
            }
            if let Err(error) = folder.tool(definition.name, call) {
                assert!(
                    !error.to_string().contains("unknown field"),
                    "{} {name}: {error}",
                    definition.name
                );
            }
        }
    }
}
