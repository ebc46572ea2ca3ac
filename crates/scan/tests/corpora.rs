//! Random sessions: branches, compactions, forks with copies, names, models, tools, in all the spellings that meet at
//! the seams of the analysis.

use std::ops::Range;

use camino::Utf8PathBuf;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::library::{Folder, header, message};

const WORDS: &[&str] = &[
    "cache",
    "caches",
    "cached",
    "redis",
    "the",
    "user_name",
    "getUserName",
    "user-name",
    "username",
    "k3s",
    "ingress",
    "src/lib.rs",
    "don't",
    "dont",
    "Café",
    "cafe",
    "cafe\u{301}",
    "ＣＡＦＥ",
    "数据库",
    "数据",
    "东京",
    "東京",
    "カ\u{3099}ス",
    "ガス",
    "индекс",
    "Индекса",
    "straße",
    "STRASSE",
    "c++",
    "#12",
    "e0382",
    "E0382",
    "—",
    "⚠️",
    "re-index",
    "reindex",
    "re\u{ad}index",
    "\u{1b}[31mred",
    "\"quoted\"",
    "back\\slash",
    "ﬁle",
    "file",
    "naïve",
    "timeout",
    "timeouts",
    "retry",
    "a",
    "b",
    "x2",
    "0xdeadbeef",
    "http://example.org/a?b=c",
    "\n",
    "\u{2028}",
];

/// What happens next in a session.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Say {
        user: bool,
        words: Vec<usize>,
    },
    ToolResult {
        words: Vec<usize>,
    },
    /// Goes on from an entry so many steps back.
    Branch(usize),
    Compact,
    Name(usize),
    Model(usize),
    /// What stands there is cut, and the next record follows on the same line.
    Tear,
}

#[derive(Debug, Clone)]
pub(crate) struct RandomSession {
    steps: Vec<Step>,
    /// Forked from an earlier session, with so many of its entries.
    fork: Option<(usize, usize)>,
    day: i64,
    folder: usize,
    /// Lines are written with these characters escaped.
    escapes: u32,
}

fn words() -> impl Strategy<Value = Vec<usize>> {
    prop::collection::vec(0..WORDS.len(), 0..7)
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        10 => (any::<bool>(), words()).prop_map(|(user, words)| Step::Say { user, words }),
        2 => words().prop_map(|words| Step::ToolResult { words }),
        2 => (1..8usize).prop_map(Step::Branch),
        1 => Just(Step::Compact),
        1 => (0..WORDS.len()).prop_map(Step::Name),
        1 => (0..3usize).prop_map(Step::Model),
        1 => Just(Step::Tear),
    ]
}

pub(crate) fn sessions() -> impl Strategy<Value = Vec<RandomSession>> {
    so_many_sessions(1..6)
}

pub(crate) fn so_many_sessions(count: Range<usize>) -> impl Strategy<Value = Vec<RandomSession>> {
    let session = (
        prop::collection::vec(step(), 0..14),
        prop::option::weighted(0.4, (0..4usize, 0..10usize)),
        0..40i64,
        0..3usize,
        prop_oneof![Just(0u32), any::<u32>()],
    )
        .prop_map(|(steps, fork, day, folder, escapes)| RandomSession {
            steps,
            fork,
            day,
            folder,
            escapes,
        });
    prop::collection::vec(session, count)
}

/// Words any of which is enough.
pub(crate) fn any_of_words() -> impl Strategy<Value = String> {
    let word = (0..WORDS.len()).prop_map(|at| WORDS[at].to_owned());
    let phrase = (word.clone(), word.clone()).prop_map(|(one, other)| format!("\"{one} {other}\""));
    let part = prop_oneof![8 => word, 1 => phrase];
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.join(" "))
}

pub(crate) fn query() -> impl Strategy<Value = String> {
    let word = (0..WORDS.len()).prop_map(|at| WORDS[at].to_owned());
    let part = prop_oneof![
        8 => word.clone(),
        2 => (word.clone(), word.clone()).prop_map(|(one, other)| format!("\"{one} {other}\"")),
        1 => word.clone().prop_map(|word| format!("-{word}")),
        1 => (word.clone(), word.clone()).prop_map(|(one, other)| format!("{one} OR {other}")),
        1 => (word.clone(), word.clone()).prop_map(|(one, other)| format!("{one} AND {other}")),
        1 => (word.clone(), word.clone()).prop_map(|(one, other)| format!("NEAR({one} {other}, 3)")),
        1 => "(ca|us|re|da|数|東|カ|и)\\*",
        1 => "\\*(ac|ser|im|0)\\*",
        1 => Just("数".to_owned()),
        1 => Just("role:user".to_owned()),
        1 => Just("role:assistant".to_owned()),
        1 => Just("branch:active".to_owned()),
        1 => Just("-branch:compacted".to_owned()),
        1 => Just("is:fork".to_owned()),
        1 => Just("is:unread".to_owned()),
        1 => Just("is:tagged".to_owned()),
        1 => Just("#k3s".to_owned()),
        1 => Just("cwd:app1".to_owned()),
        1 => Just("session:s0".to_owned()),
        1 => Just("name:cache".to_owned()),
        1 => Just("model:gpt-1".to_owned()),
        1 => Just("after:20d".to_owned()),
        1 => Just("before:2026-02-20".to_owned()),
    ];
    prop::collection::vec(part, 1..4).prop_map(|parts| parts.join(" "))
}

fn text(words: &[usize]) -> String {
    words.iter().map(|at| WORDS[*at]).collect::<Vec<_>>().join(" ")
}

/// Writes the sessions of a library.
pub(crate) fn write(folder: &Folder, sessions: &[RandomSession]) {
    let mut written: Vec<(Utf8PathBuf, Vec<Value>)> = Vec::new();
    for (number, session) in sessions.iter().enumerate() {
        let origin = session.fork.and_then(|(of, entries)| {
            let (path, lines) = written.get(of)?;
            Some((
                path.clone(),
                lines[1..].iter().take(entries).cloned().collect::<Vec<_>>(),
            ))
        });
        let (parent, copied) = origin.unzip();
        let day = 1 + session.day % 28;
        let month = 1 + session.day / 28;
        let mut lines = vec![header(
            &format!("s{number}-{}", "0123456789abcdef"),
            &format!("2026-{month:02}-{day:02}T08:00:00.000Z"),
            &format!("/home/dev/app{}", session.folder),
            parent.as_deref(),
        )];
        lines.extend(copied.unwrap_or_default());
        let mut tears = Vec::new();
        steps(session, number, &mut lines, &mut tears);
        let path = folder
            .root
            .join(format!("--home-dev-app{}--/s{number}.jsonl", session.folder));
        let mut bytes = String::new();
        for (at, line) in lines.iter().enumerate() {
            let line = escaped(&in_the_order_of_pi(line), session.escapes);
            if tears.contains(&at) {
                let cut = line
                    .char_indices()
                    .nth(line.chars().count() * 2 / 3)
                    .map_or(0, |(cut, _)| cut);
                bytes.push_str(&line[..cut]);
            } else {
                bytes.push_str(&line);
                bytes.push('\n');
            }
        }
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, bytes).unwrap();
        written.push((path, lines));
    }
}

fn steps(session: &RandomSession, number: usize, lines: &mut Vec<Value>, tears: &mut Vec<usize>) {
    let mut ids: Vec<String> = lines
        .iter()
        .filter(|line| line["parentId"].is_string())
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect();
    let mut parent: Option<String> = lines
        .last()
        .filter(|_| lines.len() > 1)
        .map(|line| line["id"].as_str().unwrap().to_owned());
    let mut model = 0;
    for (at, step) in session.steps.iter().enumerate() {
        let id = format!("e{number}-{at}");
        let minutes = (session.day - 28) * 24 * 60 + at as i64;
        let mut line = match step {
            Step::Say { user, words } => {
                let role = if *user { "user" } else { "assistant" };
                let mut line = message(&id, parent.as_deref(), minutes, role, &text(words));
                if !user {
                    line["message"]["provider"] = "openai".into();
                    line["message"]["model"] = format!("gpt-{model}").into();
                    let call = json!({"type": "toolCall", "id": "c", "name": "bash", "arguments": {"command": text(words)}});
                    line["message"]["content"].as_array_mut().unwrap().push(call);
                }
                line
            }
            Step::ToolResult { words } => {
                message(&id, parent.as_deref(), minutes, "toolResult", &text(words))
            }
            Step::Branch(back) => {
                parent = ids.len().checked_sub(*back).and_then(|at| ids.get(at)).cloned();
                continue;
            }
            Step::Compact => json!({
                "type": "compaction", "id": id, "parentId": parent, "timestamp": "2026-03-01T10:00:00.000Z",
                "summary": "cache redis", "firstKeptEntryId": parent, "tokensBefore": 10,
            }),
            Step::Name(word) => json!({
                "type": "session_info", "id": id, "parentId": parent, "timestamp": "2026-03-01T10:00:00.000Z",
                "name": WORDS[*word],
            }),
            Step::Model(number) => {
                model = *number;
                json!({
                    "type": "model_change", "id": id, "parentId": parent,
                    "timestamp": "2026-03-01T10:00:00.000Z", "provider": "openai", "modelId": format!("gpt-{model}"),
                })
            }
            Step::Tear => {
                tears.push(lines.len() - 1);
                continue;
            }
        };
        line["parentId"] = parent.clone().into();
        lines.push(line);
        ids.push(id.clone());
        parent = Some(id);
    }
    // A torn header would hide the session from the test of what is inside.
    tears.retain(|at| *at > 0);
}

/// A record with its members in the order in which Pi writes them, those of its message as well.
fn in_the_order_of_pi(record: &Value) -> String {
    const FIRST: [&str; 6] = ["type", "role", "id", "parentId", "content", "version"];
    const LAST: [&str; 2] = ["message", "timestamp"];
    let Some(members) = record.as_object() else {
        return record.to_string();
    };
    let place = |key: &str| {
        let first = FIRST.iter().position(|known| *known == key);
        let last = LAST.iter().position(|known| *known == key);
        // The time of an entry stands before its message, that of a message behind all.
        let is_entry = key == "timestamp" && members.contains_key("type");
        match (first, last) {
            _ if is_entry => FIRST.len(),
            (Some(place), _) => place,
            (None, None) => FIRST.len() + 1,
            (None, Some(place)) => FIRST.len() + 2 + place,
        }
    };
    let mut keys: Vec<&String> = members.keys().collect();
    keys.sort_by_key(|key| place(key));
    let member = |key: &String| {
        let value = match key.as_str() {
            "message" => in_the_order_of_pi(&members[key]),
            _ => members[key].to_string(),
        };
        format!("{}:{value}", json!(key))
    };
    format!(
        "{{{}}}",
        keys.into_iter().map(member).collect::<Vec<_>>().join(",")
    )
}

/// Writes some characters of strings as escapes: those beyond ASCII, and a letter, as the bits of `escapes` say.
fn escaped(line: &str, escapes: u32) -> String {
    let mut out = String::new();
    for (at, c) in line.chars().enumerate() {
        let wanted = escapes >> (at % 32) & 1 == 1;
        if wanted && (!c.is_ascii() || matches!(c, 'c' | 'U')) && !escapes.is_multiple_of(3) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}
