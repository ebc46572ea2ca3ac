//! Odd input: what Pi makes of it must be known exactly, and the text must be read all the same.

use std::{fs, time::Duration};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{EntryReader, EntryRef, PiView, SessionFile};
use serde_json::{Value, json};

use crate::fixtures::data;

/// Copies of files, with the modification time that they had for Pi: it is its last resort for a time.
struct Copies(tempfile::TempDir);

impl Copies {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn add(&self, name: &str, bytes: &[u8]) -> Utf8PathBuf {
        let path = Utf8Path::from_path(self.0.path()).unwrap().join(name);
        fs::write(&path, bytes).unwrap();
        // 2026-06-01.
        let time = std::time::UNIX_EPOCH + Duration::from_secs(1_780_272_000);
        let file = fs::File::options().write(true).open(&path).unwrap();
        file.set_modified(time).unwrap();
        path
    }
}

/// Made-up files, healthy and damaged in many ways, against what Pi 1.6.0 said of them.
#[test]
fn made_up_files_are_what_pi_makes_of_them() {
    let folder = data().join("pi-odd");
    let truths: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("truths.json")).unwrap()).unwrap();
    let truths = truths.as_object().unwrap();
    assert!(truths.len() >= 36);
    let copies = Copies::new();
    for (name, truth) in truths {
        let path = copies.add(name, &fs::read(folder.join(name)).unwrap());
        let file = SessionFile::read(&path, 0).unwrap();
        let view = PiView::new(&file);
        compare_list(name, &view, &truth["list"]);
        let opens = truth["open"]["ok"].as_bool().unwrap();
        assert_eq!(view.refusal().is_none(), opens, "{name}: {:?}", view.refusal());
        if opens {
            compare_open(name, &file, &view, &truth["open"]);
        }
    }
}

fn compare_list(name: &str, view: &PiView<'_>, truth: &Value) {
    let row = view.list_row();
    if truth.is_null() {
        assert_eq!(row, None, "{name}");
        return;
    }
    let row = row.unwrap_or_else(|| panic!("{name} is listed by Pi"));
    let ours = json!({
        "id": row.id,
        "cwd": row.cwd,
        "name": row.name,
        "firstMessage": row.first_message,
        "title": row.name.as_ref().unwrap_or(&row.first_message),
        "messageCount": row.message_count,
        "created": row.created,
        "modified": row.modified,
        "parentSessionPath": row.parent_session,
    });
    assert_eq!(&ours, truth, "{name}");
}

fn compare_open(name: &str, file: &SessionFile, view: &PiView<'_>, truth: &Value) {
    let known = |key: &str| truth[key].get("error").is_none();
    let header: Value = serde_json::from_str(&view.header().unwrap().raw_as_pi_migrates()).unwrap();
    assert_eq!(header, truth["header"], "{name}");
    let position = |entry: &EntryRef| view.entries().binary_search(entry).unwrap();
    let positions = |list: &[EntryRef]| json!(list.iter().map(position).collect::<Vec<_>>());
    let ids = |list: &[EntryRef]| json!(list.iter().map(|entry| &view.node(*entry).id).collect::<Vec<_>>());
    assert_eq!(json!(view.entries().len()), truth["entryCount"], "{name}");
    assert_eq!(
        json!(view.leaf().as_ref().map(position)),
        truth["leafIndex"],
        "{name}"
    );
    assert_eq!(
        positions(&view.active_branch()),
        truth["activeBranchIndexes"],
        "{name}"
    );
    if known("contextEntryIndexes") {
        assert_eq!(positions(&view.context()), truth["contextEntryIndexes"], "{name}");
    }
    if known("sessionName") {
        assert_eq!(json!(view.session_name()), truth["sessionName"], "{name}");
    }
    if known("contextMessages") {
        let (mut reader, _) = EntryReader::open(file.path()).unwrap();
        let ours: Vec<_> = file
            .context_messages(&mut reader)
            .unwrap()
            .iter()
            .map(|message| json!([message.role.name(), message.text]))
            .collect();
        let theirs = truth["contextMessages"].as_array().unwrap();
        let theirs: Vec<_> = theirs
            .iter()
            .map(|message| json!([message["role"], message["text"]]))
            .collect();
        assert_eq!(ours, theirs, "{name}");
    }
    // Of version 1 Pi draws the ids.
    if truth["linear"] == json!(false) {
        assert_eq!(ids(view.entries()), truth["ids"], "{name}");
        let labels: serde_json::Map<_, _> = view
            .labels()
            .into_iter()
            .map(|(id, label)| (id.to_string(), label.into()))
            .collect();
        assert_eq!(Value::Object(labels), truth["labels"], "{name}");
        if known("treeRootIds") {
            assert_eq!(ids(&view.roots()), truth["treeRootIds"], "{name}");
        }
    }
}

const HEADER: &str =
    r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/dev/x"}"#;
const USER: &str = r#"{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"user","content":[{"type":"text","text":"heron question"}],"timestamp":1772442001000}}"#;
const ANSWER: &str = r#"{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-02T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"egret answer"}],"timestamp":1772442002000}}"#;

/// A row of the table of odd input.
struct Row {
    name: &'static str,
    bytes: Vec<u8>,
    opens: bool,
    /// Messages in Pi's list; `None` where Pi does not list it.
    listed: Option<u64>,
    /// Words that the model must read whatever Pi does.
    words: &'static [&'static str],
}

fn row(
    name: &'static str,
    bytes: impl Into<Vec<u8>>,
    opens: bool,
    listed: Option<u64>,
    words: &'static [&'static str],
) -> Row {
    Row {
        name,
        bytes: bytes.into(),
        opens,
        listed,
        words,
    }
}

fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn table() -> Vec<Row> {
    const BOTH: &[&str] = &["heron", "egret"];
    let header_without = |member: &str| HEADER.replace(member, "");
    let cut = |text: &str, length: usize| text[..text.len() - length].to_owned();
    let all = lines(&[HEADER, USER, ANSWER]);
    let name = |value: &str| {
        format!(
            r#"{{"type":"session_info","id":"n1","parentId":"a2","timestamp":"2026-03-02T09:00:03.000Z","name":{value}}}"#
        )
    };
    let other_parent = |parent: &str| USER.replace("null", &format!("\"{parent}\""));
    vec![
        row("healthy", all.clone(), true, Some(2), BOTH),
        row(
            "blank and malformed lines, even before the header",
            lines(&["", "  ", "garbage {", HEADER, "\t", USER, "{\"type\":", ANSWER]),
            true,
            Some(2),
            BOTH,
        ),
        row("CRLF", all.replace('\n', "\r\n"), true, Some(2), BOTH),
        row(
            "lone CR as line end",
            all.replace('\n', "\r"),
            false,
            Some(2),
            BOTH,
        ),
        row(
            "U+2028 in a message: its line is lost to the list",
            all.replace("heron", "heron\u{2028}"),
            true,
            Some(1),
            BOTH,
        ),
        row(
            "U+2029 in a message",
            all.replace("egret", "egret\u{2029}"),
            true,
            Some(1),
            BOTH,
        ),
        row("byte order mark", format!("\u{feff}{all}"), false, None, BOTH),
        row("no header", lines(&[USER, ANSWER]), false, None, BOTH),
        row(
            "header on the second line",
            lines(&[USER, HEADER, ANSWER]),
            false,
            None,
            BOTH,
        ),
        row(
            "header without an id",
            lines(&[&header_without(r#""id":"s1","#), USER, ANSWER]),
            false,
            Some(2),
            BOTH,
        ),
        row(
            "header whose id is a number",
            lines(&[&HEADER.replace("\"s1\"", "7"), USER, ANSWER]),
            false,
            Some(2),
            BOTH,
        ),
        row(
            "header without a cwd",
            lines(&[&header_without(r#","cwd":"/home/dev/x""#), USER, ANSWER]),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "two headers",
            lines(&[HEADER, USER, &HEADER.replace("s1", "s2"), ANSWER]),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "a header whose time is none",
            lines(&[&HEADER.replace("2026-03-02T09:00:00.000Z", "soon"), USER, ANSWER]),
            true,
            Some(2),
            BOTH,
        ),
        row("zero bytes", "", true, None, &[]),
        row("white space only", " \n\t\n", false, None, &[]),
        row("garbage only", "what\n", false, None, &[]),
        row("no final newline", cut(&all, 1), true, Some(2), BOTH),
        row("cut final line", cut(&all, 9), true, Some(1), &["heron"]),
        row(
            "a NUL in a line",
            lines(&[HEADER, USER, &ANSWER.replace("egret", "egret\0")]),
            true,
            Some(1),
            BOTH,
        ),
        row(
            "a tail of NULs",
            format!("{all}{}", "\0".repeat(99)),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "bytes that are not UTF-8",
            {
                let mut bytes = all.clone().into_bytes();
                let at = all.find("heron").unwrap() + 5;
                bytes.splice(at..at, [0xff, 0xfe]);
                bytes
            },
            true,
            Some(2),
            BOTH,
        ),
        row(
            "escaped NUL and half a pair",
            all.replace("heron", r"heron\u0000\ud83d"),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "scalars, lists and empty objects",
            lines(&[HEADER, "42", "\"x\"", "[]", "{}", USER, "null", "0", ANSWER]),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "unknown kind of entry",
            lines(&[
                HEADER,
                USER,
                &ANSWER.replace("\"message\",\"id\"", "\"future\",\"id\""),
            ]),
            true,
            Some(1),
            &["heron"],
        ),
        row(
            "one id twice",
            lines(&[HEADER, USER, &ANSWER.replace("\"a2\"", "\"a1\"")]),
            // It is its own parent now, and Pi would walk for ever.
            false,
            Some(2),
            BOTH,
        ),
        row(
            "one id twice, without a circle",
            lines(&[HEADER, USER, &USER.replace("heron", "egret")]),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "a circle of parents",
            lines(&[HEADER, &other_parent("a2"), ANSWER]),
            false,
            Some(2),
            BOTH,
        ),
        row(
            "a parent that is missing",
            lines(&[HEADER, &other_parent("ffffffff"), ANSWER]),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "a child before its parent",
            lines(&[HEADER, ANSWER, USER]),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "content that is null",
            lines(&[
                HEADER,
                USER,
                ANSWER,
                &ANSWER
                    .replace(r#"[{"type":"text","text":"egret answer"}]"#, "null")
                    .replace("a2", "a3"),
            ]),
            true,
            None,
            BOTH,
        ),
        row(
            "a name that is no text",
            lines(&[HEADER, USER, ANSWER, &name("7")]),
            true,
            None,
            BOTH,
        ),
        row(
            "a name that is null",
            lines(&[HEADER, USER, ANSWER, &name("null")]),
            true,
            Some(2),
            BOTH,
        ),
        row(
            "a line of 5 MB",
            lines(&[
                HEADER,
                USER,
                &ANSWER.replace("egret", &format!("egret {}", "x".repeat(5 << 20))),
            ]),
            true,
            Some(2),
            BOTH,
        ),
    ]
}

#[test]
fn every_row_of_the_table_of_odd_input() {
    let copies = Copies::new();
    for row in table() {
        let path = copies.add("2026-03-02T09-00-00-000Z_from-name.jsonl", &row.bytes);
        let file = SessionFile::read(&path, usize::MAX).unwrap();
        let view = PiView::new(&file);
        assert_eq!(
            view.refusal().is_none(),
            row.opens,
            "{}: {:?}",
            row.name,
            view.refusal()
        );
        let listed = view.list_row().map(|listed| listed.message_count);
        assert_eq!(listed, row.listed, "{}", row.name);
        let texts: Vec<_> = file
            .sessions()
            .iter()
            .flat_map(|session| (0..session.nodes().len() as u32).filter_map(|node| session.kept_text(node)))
            .collect();
        for word in row.words {
            let found = texts.iter().filter(|text| text.as_str().contains(word)).count();
            assert_eq!(found, 1, "{}: {word}", row.name);
        }
    }
}

#[test]
fn details_of_odd_headers_and_times() {
    let file = |text: &str| SessionFile::from_bytes("x/2026_from-name.jsonl".into(), text.as_bytes(), 0);
    let without_id = file(&lines(&[&HEADER.replace(r#""id":"s1","#, ""), USER]));
    assert_eq!(without_id.sessions()[0].id().as_str(), "from-name");
    assert_eq!(PiView::new(&without_id).list_row().unwrap().id, None);
    let without_cwd = file(&lines(&[&HEADER.replace(r#","cwd":"/home/dev/x""#, ""), USER]));
    assert_eq!(PiView::new(&without_cwd).list_row().unwrap().cwd, "");
    let bad_time = file(&lines(&[
        &HEADER.replace("2026-03-02T09:00:00.000Z", "soon"),
        USER,
    ]));
    assert_eq!(PiView::new(&bad_time).list_row().unwrap().created, None);
    let absurd = file(&lines(&[HEADER, &USER.replace("1772442001000", "8.4e252")]));
    assert_eq!(PiView::new(&absurd).list_row().unwrap().modified, None);
    let modified = absurd.summary(&absurd.sessions()[0]).modified.unwrap();
    assert_eq!(modified.to_string(), "2026-03-02T09:00:01.000Z");
    let two = file(&lines(&[HEADER, USER, &HEADER.replace("s1", "s2"), ANSWER]));
    let ids: Vec<_> = two
        .sessions()
        .iter()
        .map(|session| session.id().as_str())
        .collect();
    assert_eq!(ids, ["s1", "s2"]);
    assert_eq!(PiView::new(&two).entries().len(), 2);
    let scalar_last = file(&lines(&[HEADER, USER, "42"]));
    assert_eq!(PiView::new(&scalar_last).leaf(), None);
}
