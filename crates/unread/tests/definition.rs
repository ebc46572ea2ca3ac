//! Which endings count, and what is shown of them.

use lookback_unread::{Item, State, States};
use serde_json::{Value, json};

use crate::support::{Folder, answer, assistant, message, run, tool_call, tool_result, user, user_parts};

/// The state of a session of these entries, among all states.
fn state(entries: &[Value]) -> Option<State> {
    item(entries).map(|item| item.detail.unwrap().state)
}

fn item(entries: &[Value]) -> Option<Item> {
    let folder = Folder::new();
    folder.session("s1", entries, 0);
    let scan = run(&folder.request().states(States::ALL).details(true));
    assert_eq!(scan.skipped.malformed, 0);
    // The plain list has this session exactly when it is unread.
    let plain = folder.scan();
    let is_unread = scan.items.first().is_some_and(|item| {
        item.detail
            .as_ref()
            .is_some_and(|detail| detail.state == State::Unread)
    });
    assert_eq!(plain.items.len(), usize::from(is_unread));
    scan.items.into_iter().next()
}

#[test]
fn the_last_message_has_to_be_a_users_with_text() {
    let cases = [
        ("a question", vec![user(1, "hello")], Some(State::Unread)),
        (
            "a question behind an answer",
            vec![user(1, "hello"), answer(2, "hi"), user(3, "and?")],
            Some(State::Unread),
        ),
        ("an answer", vec![user(1, "hello"), answer(2, "hi")], None),
        (
            "content that is a string",
            vec![user_parts(1, json!("hello"))],
            Some(State::Unread),
        ),
        ("nothing", vec![], None),
        ("white space", vec![user(1, " \n\u{feff}\u{2028}")], None),
        ("no parts", vec![user_parts(1, json!([]))], None),
        ("content that is a number", vec![user_parts(1, json!(7))], None),
        (
            "a null among the parts",
            vec![user_parts(1, json!([null, {"type":"text","text":"a"}]))],
            Some(State::Unread),
        ),
        (
            "a text that is no string",
            vec![user_parts(1, json!([{"type":"text","text":7}]))],
            None,
        ),
        (
            "a picture with text",
            vec![user_parts(
                1,
                json!([{"type":"image","data":"","mimeType":"image/png"},{"type":"text","text":"what is it?"}]),
            )],
            Some(State::Unread),
        ),
        (
            "a command of the user",
            vec![
                user(1, "hello"),
                message(2, json!({"role":"bashExecution","command":"ls","output":""})),
            ],
            None,
        ),
        (
            "a system message",
            vec![
                user(1, "hello"),
                message(2, json!({"role":"system","content":""})),
            ],
            None,
        ),
        (
            "an unknown role",
            vec![
                user(1, "hello"),
                message(2, json!({"role":"oracle","content":"hm"})),
            ],
            None,
        ),
    ];
    for (case, entries, expected) in cases {
        assert_eq!(state(&entries), expected, "{case}");
    }
}

#[test]
fn what_is_no_message_does_not_count() {
    // A name, a label, another model, a compaction, a message of an extension: none of them answers.
    for entry in [
        json!({"type":"session_info","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","name":"n"}),
        json!({"type":"label","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","targetId":"e1","label":"l"}),
        json!({"type":"model_change","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","provider":"p","modelId":"m"}),
        json!({"type":"compaction","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","summary":"s","firstKeptEntryId":"e1","tokensBefore":1}),
        json!({"type":"custom_message","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","customType":"c","content":"remember","display":true}),
        json!({"type":"of_the_future","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z"}),
        json!(42),
        json!([]),
        // Messages that do not say who speaks, or say nothing at all.
        json!({"type":"message","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","message":"text"}),
        json!({"type":"message","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","message":{"role":7,"content":"text"}}),
        json!({"type":"message","id":"x","parentId":"e1","timestamp":"2026-03-02T09:00:02.000Z","message":{"role":"user"}}),
    ] {
        assert_eq!(
            state(&[user(1, "hello"), entry.clone()]),
            Some(State::Unread),
            "{entry}"
        );
        assert_eq!(
            state(&[user(1, "hello"), answer(2, "hi"), entry.clone()]),
            None,
            "{entry}"
        );
    }
}

#[test]
fn pictures_alone_are_a_state_of_their_own() {
    let picture = json!([{"type": "image", "data": "", "mimeType": "image/png"}]);
    assert_eq!(
        state(&[user(1, "a"), answer(2, "b"), user_parts(3, picture)]),
        Some(State::Picture)
    );
}

#[test]
fn failed_means_that_the_user_got_nothing_to_read() {
    let cases = [
        (
            "an error",
            vec![user(1, "a"), assistant(2, json!([]), "error")],
            Some(State::Failed),
        ),
        (
            "an abort",
            vec![user(1, "a"), assistant(2, json!([]), "aborted")],
            Some(State::Failed),
        ),
        (
            "an abort in a call",
            vec![user(1, "a"), assistant(2, json!([tool_call()]), "aborted")],
            Some(State::Failed),
        ),
        (
            "an abort with text",
            vec![
                user(1, "a"),
                assistant(2, json!([{"type":"text","text":"half"}]), "aborted"),
            ],
            None,
        ),
        (
            "only thoughts",
            vec![
                user(1, "a"),
                assistant(2, json!([{"type":"thinking","thinking":"hm"}]), "stop"),
            ],
            Some(State::Failed),
        ),
        (
            "white space",
            vec![user(1, "a"), answer(2, " \n")],
            Some(State::Failed),
        ),
        (
            "a silent end of a turn that worked",
            vec![
                user(1, "a"),
                assistant(2, json!([tool_call()]), "toolUse"),
                tool_result(3),
                assistant(4, json!([]), "stop"),
            ],
            None,
        ),
        (
            "an error after work",
            vec![
                user(1, "a"),
                assistant(2, json!([tool_call()]), "toolUse"),
                tool_result(3),
                assistant(4, json!([]), "error"),
            ],
            Some(State::Failed),
        ),
        (
            "thoughts that nobody asked for",
            vec![assistant(1, json!([]), "stop")],
            None,
        ),
    ];
    for (case, entries, expected) in cases {
        assert_eq!(state(&entries), expected, "{case}");
    }
}

#[test]
fn interrupted_means_that_a_turn_stopped_in_tool_use() {
    let call = || assistant(2, json!([tool_call()]), "toolUse");
    assert_eq!(state(&[user(1, "a"), call()]), Some(State::Interrupted));
    assert_eq!(
        state(&[user(1, "a"), call(), tool_result(3)]),
        Some(State::Interrupted)
    );
    assert_eq!(
        state(&[user(1, "a"), call(), tool_result(3), answer(4, "done")]),
        None
    );
    let with_text = assistant(
        2,
        json!([{"type":"text","text":"I look"}, tool_call()]),
        "toolUse",
    );
    assert_eq!(state(&[user(1, "a"), with_text]), Some(State::Interrupted));
}

#[test]
fn a_question_on_another_branch_is_not_hidden_by_a_late_answer() {
    // Two processes wrote to one file: the newest message is a question, the last line an answer on an older branch.
    let mut late = answer(2, "late");
    late["id"] = json!("b1");
    late["parentId"] = json!("e1");
    let entries = [
        user(1, "a"),
        answer(2, "b"),
        user(3, "newest question"),
        late.clone(),
    ];
    let found = item(&entries).unwrap();
    assert_eq!(found.message, "newest question");
    let detail = found.detail.unwrap();
    assert_eq!(
        (detail.state, detail.message_id.as_deref()),
        (State::OtherBranch, Some("e3"))
    );

    // An abandoned question is older than the answer that the active branch ends with.
    let mut abandoned = user(3, "forget this");
    abandoned["id"] = json!("b1");
    assert_eq!(
        state(&[
            user(1, "a"),
            answer(2, "b"),
            abandoned,
            user(4, "c"),
            answer(5, "d")
        ]),
        None
    );

    // A clock that was set back between question and answer does not make an answered question wait.
    let mut slow = answer(2, "b");
    slow["parentId"] = json!("e9");
    assert_eq!(state(&[user(9, "a"), slow]), None);
}

#[test]
fn details_name_the_message_and_why_the_model_stopped() {
    let found = item(&[
        user(1, "first"),
        user(2, "second"),
        assistant(3, json!([]), "error"),
    ])
    .unwrap();
    assert_eq!((found.message.as_str(), found.message_count), ("second", 3));
    let detail = found.detail.unwrap();
    assert_eq!(detail.message_id.as_deref(), Some("e2"));
    assert_eq!(detail.message_time.unwrap().as_millis(), 1_772_442_000_002);
    assert_eq!(detail.stop_reason.as_deref(), Some("error"));

    let found = item(&[user(1, "a")]).unwrap();
    assert_eq!(found.detail.unwrap().stop_reason, None);
}

#[test]
fn a_message_without_a_usable_id_is_named_by_its_line() {
    let mut without = user(1, "a");
    without["id"] = json!(null);
    assert_eq!(
        item(&[without]).unwrap().detail.unwrap().message_id.as_deref(),
        Some("line-2")
    );
    let mut absurd = user(1, "a");
    absurd["id"] = json!("x".repeat(300));
    assert_eq!(
        item(&[absurd]).unwrap().detail.unwrap().message_id.as_deref(),
        Some("line-2")
    );
}
