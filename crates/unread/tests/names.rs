//! Names and previews: where they come from, and how they are cut.

use lookback_unread::{Item, limits};
use serde_json::{Value, json};

use crate::support::{Folder, answer, user, user_parts};

fn item(entries: &[Value]) -> Item {
    let folder = Folder::new();
    folder.session("s1", entries, 0);
    folder.scan().items.remove(0)
}

fn named(name: Value) -> Value {
    json!({"type":"session_info","id":"n","parentId":null,"timestamp":"2026-03-02T09:00:02.000Z","name":name})
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

#[test]
fn the_name_is_the_last_one_given_or_the_first_text_or_the_id() {
    let cases = [
        (
            "the last of two",
            vec![named(json!("one")), named(json!(" two\n")), user(1, "text")],
            "two",
        ),
        (
            "taken away",
            vec![named(json!("one")), named(json!("")), user(1, " text ")],
            "text",
        ),
        (
            "no string",
            vec![named(json!("one")), named(json!(7)), user(1, "text")],
            "text",
        ),
        ("a NUL in it", vec![named(json!("a\0b")), user(1, "text")], "text"),
        ("a NUL in the text", vec![user(1, "a\0b")], "s1"),
        (
            "the first user text",
            vec![answer(1, "no"), user(2, "yes"), user(3, "later")],
            "yes",
        ),
        (
            "a picture first",
            vec![
                user_parts(1, json!([{"type":"image","data":"","mimeType":"image/png"}])),
                user(2, "what is it?"),
            ],
            "what is it?",
        ),
        (
            "several parts",
            vec![user_parts(
                1,
                json!([{"type":"text","text":"a"},{"type":"text","text":"b"}]),
            )],
            "a\nb",
        ),
    ];
    for (case, entries, expected) in cases {
        let name = item(&entries).name;
        assert_eq!(name, expected, "{case}");
    }
}

#[test]
fn names_have_at_most_256_units_and_no_half_of_a_pair() {
    let long = "n".repeat(300);
    assert_eq!(
        item(&[named(json!(long)), user(1, "a")]).name,
        "n".repeat(limits::NAME_UNITS)
    );
    // The pair would be units 256 and 257.
    let odd = format!("{}🦀{}", "n".repeat(255), "n".repeat(50));
    assert_eq!(item(&[named(json!(odd)), user(1, "a")]).name, "n".repeat(255));
    assert_eq!(
        item(&[user(1, &odd)]).name,
        "n".repeat(255),
        "of a first text as well"
    );
    assert_eq!(
        item(&[named(json!("🦀".repeat(200))), user(1, "a")]).name,
        "🦀".repeat(128)
    );
}

#[test]
fn previews_have_at_most_500_units_and_no_half_of_a_pair() {
    assert_eq!(item(&[user(1, &"p".repeat(501))]).message, "p".repeat(500));
    assert_eq!(item(&[user(1, &"p".repeat(500))]).message, "p".repeat(500));
    let odd = format!("{}🦀b", "p".repeat(499));
    assert_eq!(
        item(&[user(1, &odd)]).message,
        "p".repeat(499),
        "and nothing of what is behind the pair"
    );
    let even = format!("{}🦀b", "p".repeat(498));
    assert_eq!(units(&item(&[user(1, &even)]).message), 500);
    // White space is dropped at both ends of the message, so it does not use up the room.
    let spaced = format!("{}{}{}", " ".repeat(600), "p".repeat(500), "\n".repeat(600));
    assert_eq!(item(&[user(1, &spaced)]).message, "p".repeat(500));
}

#[test]
fn the_preview_joins_text_parts_by_line_feeds() {
    let parts = json!([
        {"type":"text","text":"  first"},
        {"type":"image","data":"AAAA","mimeType":"image/png"},
        {"type":"text","text":"second"},
        {"type":"unknown","text":"no"},
        {"type":"text","text":"third  "},
    ]);
    assert_eq!(item(&[user_parts(1, parts)]).message, "first\nsecond\nthird");
}

#[test]
fn only_the_first_thousand_parts_are_looked_at() {
    let mut parts = vec![json!({"type":"text","text":""}); 998];
    parts.push(json!({"type":"text","text":"seen"}));
    parts.push(json!({"type":"image","data":"","mimeType":"image/png"}));
    parts.push(json!({"type":"text","text":"not seen"}));
    assert_eq!(item(&[user_parts(1, json!(parts))]).message, "seen");

    // A message whose only text comes too late has none.
    let mut parts = vec![json!({"type":"image","data":"","mimeType":"image/png"}); 1_000];
    parts.push(json!({"type":"text","text":"too late"}));
    let folder = Folder::new();
    folder.session("s1", &[user_parts(1, json!(parts))], 0);
    assert_eq!(folder.scan().items, []);
}

#[test]
fn the_rest_of_an_item_says_which_session_it_is() {
    let folder = Folder::new();
    let path = folder.session("s1", &[user(1, "a"), answer(2, "b"), user(3, "c")], 12);
    let item = folder.scan().items.remove(0);
    assert_eq!(item.id, "s1");
    assert_eq!(item.path, path);
    assert_eq!(item.cwd, "/home/dev/app");
    assert_eq!(item.modified.to_string(), "2023-11-14T22:13:32.000Z");
    assert_eq!(item.message_count, 3);
    assert_eq!(item.detail, None);
}
