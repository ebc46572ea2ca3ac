//! Sessions that a person took out of the list.

use lookback_unread::{DoneMarks, ScanRequest, States, UserMessage};
use serde_json::json;

use crate::support::{Folder, answer, assistant, ids, run, user};

/// A store of one mark, as simple as it gets.
struct OneMark {
    session: &'static str,
    message_id: String,
}

impl DoneMarks for OneMark {
    fn is_done(&self, session_id: &str, message: &UserMessage) -> bool {
        session_id == self.session && message.entry_id == self.message_id
    }
}

fn marked<'a>(request: ScanRequest<'a>, marks: &'a dyn DoneMarks) -> Vec<String> {
    let scan = run(&request.done(marks));
    assert_eq!(scan.inventory.unread, scan.items.len());
    scan.items.into_iter().map(|item| item.id).collect()
}

#[test]
fn a_mark_holds_until_a_newer_user_message() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, "hello")], 0);
    folder.session("s2", &[user(1, "hello")], 1);
    let scan = run(&folder.request().details(true));
    assert_eq!(ids(&scan.items), ["s2", "s1"]);

    // The mark is set at what the list says.
    let mark = OneMark {
        session: "s1",
        message_id: scan.items[1].detail.as_ref().unwrap().message_id.clone().unwrap(),
    };
    assert_eq!(marked(folder.request(), &mark), ["s2"]);
    assert_eq!(run(&folder.request().done(&mark)).skipped.done, 1);

    // A name, another model: the mark still holds.
    let name = json!({"type":"session_info","id":"n","parentId":"e1","name":"named"});
    folder.session("s1", &[user(1, "hello"), name], 2);
    assert_eq!(marked(folder.request(), &mark), ["s2"]);

    // The user said more: the mark is over.
    folder.session("s1", &[user(1, "hello"), user(2, "hello?")], 3);
    assert_eq!(marked(folder.request(), &mark), ["s1", "s2"]);
    assert_eq!(run(&folder.request().done(&mark)).skipped.done, 0);
}

#[test]
fn a_mark_is_asked_for_with_the_last_user_message() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, "first"), answer(2, "hi"), user(3, "last")], 0);
    let seen = std::sync::Mutex::new(Vec::new());
    let marks = |session: &str, message: &UserMessage| {
        let time = message.timestamp.map(|time| time.as_millis());
        seen.lock()
            .unwrap()
            .push((session.to_owned(), message.entry_id.clone(), time));
        false
    };
    assert_eq!(marked(folder.request(), &marks), ["s1"]);
    assert_eq!(
        seen.into_inner().unwrap(),
        [("s1".to_owned(), "e3".to_owned(), Some(1_772_442_000_003))]
    );
}

#[test]
fn marks_hide_the_further_states_too() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, "hello"), assistant(2, json!([]), "error")], 0);
    let mark = OneMark {
        session: "s1",
        message_id: "e1".to_owned(),
    };
    let request = || folder.request().states(States::ALL);
    assert_eq!(run(&request()).items.len(), 1);
    assert_eq!(marked(request(), &mark), Vec::<String>::new());
}

#[test]
fn answered_sessions_need_no_mark() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, "hello"), answer(2, "hi")], 0);
    let scan = run(&folder.request().done(&|_: &str, _: &UserMessage| true));
    assert_eq!(scan.skipped.done, 0);
}

#[test]
fn entries_of_old_files_keep_the_ids_that_marks_are_set_at() {
    // Version 1 entries have no ids of their own.
    let folder = Folder::new();
    let header =
        json!({"type":"session","id":"old","timestamp":"2025-11-20T09:00:00.000Z","cwd":crate::support::CWD});
    let entry = |text: &str| json!({"type":"message","timestamp":"2025-11-20T09:00:01.000Z","message":{"role":"user","content":text}});
    folder.put("old.jsonl", format!("{header}\n{}\n", entry("one")), 0);
    let id = |folder: &Folder| {
        let item = run(&folder.request().details(true)).items.remove(0);
        item.detail.unwrap().message_id.unwrap()
    };
    let first = id(&folder);
    assert_eq!(id(&folder), first);
    folder.put(
        "old.jsonl",
        format!("{header}\n{}\n{}\n", entry("one"), entry("two")),
        0,
    );
    assert_ne!(id(&folder), first);
}
