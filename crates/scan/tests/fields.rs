//! What of a session file is text that is searched, and what is not: the same as for an index, however it is written.

use lookback_index::{Index, SyncOptions};
use lookback_ranker::{Annotations, Policy};
use lookback_scan::ScanOptions;

use crate::library::{Folder, request};

/// Lines with a word each that stands nowhere else, often as the whole of a string, and whether it is found.
const LINES: &[(&str, &str, bool)] = &[
    (
        "text of a user",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"user","content":"WORD"}}"#,
        true,
    ),
    (
        "a user's block",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"user","content":[{"type":"text","text":"WORD"}]}}"#,
        true,
    ),
    (
        "an assistant's block",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":[{"type":"text","text":"WORD"}]}}"#,
        true,
    ),
    (
        "an assistant's string",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":"WORD"}}"#,
        true,
    ),
    (
        "behind thinking with the same word",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":[{"type":"thinking","thinking":"WORD"},{"type":"text","text":"WORD"}]}}"#,
        true,
    ),
    (
        "keys in another order",
        r#"{"message":{"content":[{"text":"WORD","type":"text"}],"role":"user"},"parentId":null,"id":"ID","type":"message"}"#,
        true,
    ),
    (
        "white space",
        r#"{ "type" : "message", "id" : "ID", "parentId" : null, "message" : { "role" : "user", "content" : "WORD" } }"#,
        true,
    ),
    (
        "a key with an escape",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"user","content":[{"type":"text","te\u0078t":"WORD"}]}}"#,
        true,
    ),
    (
        "a role with an escape",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"us\u0065r","content":"WORD"}}"#,
        true,
    ),
    (
        "the last of two roles",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"toolResult","content":"WORD","role":"user"}}"#,
        true,
    ),
    (
        "the last of two roles, which is another",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"user","content":"WORD","role":"toolResult"}}"#,
        false,
    ),
    (
        "a record behind a torn one",
        r#"{"type":"message","id":"x","message":{"role":"toolResult","content":[{"type":"text","text":"torn {"type":"message","id":"ID","parentId":null,"message":{"role":"user","content":"WORD"}}"#,
        true,
    ),
    (
        "behind an escaped quote",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"user","content":"\"thinking\":\"WORD\""}}"#,
        true,
    ),
    (
        "behind a quoted key and a backslash",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"user","content":"C:\\\\\"thinking\":\"one WORD"}}"#,
        true,
    ),
    (
        "thinking",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":[{"type":"thinking","thinking":"WORD"},{"type":"text","text":"."}]}}"#,
        false,
    ),
    (
        "the name of a tool",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"WORD","arguments":{}}]}}"#,
        false,
    ),
    (
        "an argument",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"bash","arguments":{"command":"WORD"}}]}}"#,
        false,
    ),
    (
        "an argument called text",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"write","arguments":{"text":"WORD","content":"WORD"}}]}}"#,
        false,
    ),
    (
        "a result",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"WORD"}]}}"#,
        false,
    ),
    (
        "an error",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"assistant","content":[],"errorMessage":"WORD"}}"#,
        false,
    ),
    (
        "a command of the user",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"bashExecution","command":"WORD","output":"WORD"}}"#,
        false,
    ),
    (
        "a system prompt",
        r#"{"type":"message","id":"ID","parentId":null,"message":{"role":"system","content":"WORD"}}"#,
        false,
    ),
    (
        "a message of an extension",
        r#"{"type":"custom_message","id":"ID","parentId":null,"customType":"x","content":"WORD","display":true}"#,
        false,
    ),
    (
        "a compaction",
        r#"{"type":"compaction","id":"ID","parentId":null,"summary":"WORD","firstKeptEntryId":"x","tokensBefore":1}"#,
        false,
    ),
    (
        "a branch summary",
        r#"{"type":"branch_summary","id":"ID","parentId":null,"fromId":"x","summary":"WORD"}"#,
        false,
    ),
    (
        "a name",
        r#"{"type":"session_info","id":"ID","parentId":null,"name":"WORD"}"#,
        false,
    ),
    (
        "a label",
        r#"{"type":"label","id":"ID","parentId":null,"targetId":"x","label":"WORD"}"#,
        false,
    ),
];

#[test]
fn what_is_searched_is_what_an_index_takes_in() {
    let folder = Folder::new();
    let word = |number: usize| format!("walrus{number:02}");
    for (number, (_, line, _)) in LINES.iter().enumerate() {
        let line = line
            .replace("WORD", &word(number))
            .replace("\"ID\"", &format!("\"a{number}\""));
        let header = format!(
            r#"{{"type":"session","version":3,"id":"s{number:02}","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/dev"}}"#
        );
        folder.write(
            &format!("--home-dev--/s{number:02}.jsonl"),
            format!("{header}\n{line}\n"),
        );
    }
    let index = Index::open(&folder.root.with_file_name("index")).unwrap();
    index
        .sync(&SyncOptions::new(std::slice::from_ref(&folder.root)))
        .unwrap();
    for (number, (what, line, is_found)) in LINES.iter().enumerate() {
        for query in [
            word(number),
            format!("\"{}\"", word(number)),
            format!("{}*", word(number)),
        ] {
            let request = request(&query, Policy::memory());
            let scanned = folder
                .scanner()
                .search(&request, &Annotations::default(), &ScanOptions::default());
            let indexed = index.search(&request, &Annotations::default()).unwrap();
            assert_eq!(
                indexed.hits.len(),
                usize::from(*is_found),
                "{what}, by the index: {line}"
            );
            assert_eq!(scanned.reply.hits.len(), usize::from(*is_found), "{what}: {line}");
        }
    }
}
