//! Most messages are read from front to end, in the order in which Pi writes their members; all others are walked over.
//! Both ways give the same outline.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{Diagnostic, Node, PiView, Place, SessionFile};
use proptest::{collection::vec, prelude::*, sample::Index, sample::select};

use crate::{
    fixtures::data,
    made_up::{Bytes, line, session_bytes},
};

/// Everything that is known of a file but for places, which differ.
fn known(bytes: &[u8]) -> Vec<String> {
    let file = SessionFile::from_bytes("x/2026_s1.jsonl".into(), bytes, usize::MAX);
    let mut known = Vec::new();
    let nowhere = Place {
        line: 0,
        offset: 0,
        length: 0,
        recovered: false,
    };
    for session in file.sessions() {
        known.push(format!("{:?} {:?}", file.summary(session), session.models()));
        known.extend((0..session.nodes().len() as u32).map(|at| {
            let (text, parent) = (session.kept_text(at), session.named_parent(at));
            let node = &session.nodes()[at as usize];
            let place = Place {
                line: node.place.line,
                recovered: node.place.recovered,
                ..nowhere
            };
            let node = Node {
                place,
                ..node.clone()
            };
            format!("{node:?} {parent:?} {text:?}")
        }));
    }
    let place_less = |found: &Diagnostic| format!("{:?} {}", found.kind, found.line);
    known.extend(file.diagnostics().iter().map(place_less));
    known.push(format!("{:?}", PiView::new(&file).list_row()));
    known.push(format!("{:?} {}", file.position().lines, file.position().records));
    known.into_iter().map(|text| without_offsets(&text)).collect()
}

/// Ids made of offsets without these.
fn without_offsets(text: &str) -> String {
    let parts = text.split("v1-byte-");
    let parts: Vec<&str> = parts
        .map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit()))
        .collect();
    parts.join("v1-byte-")
}

/// The same lines, none of which is as Pi writes it: a space is behind each message.
fn walked(bytes: &[u8]) -> Vec<u8> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let spaced = lines.flat_map(|line| {
        let end = line.strip_suffix(b"\n").unwrap_or(line);
        let space: &[u8] = if end.ends_with(b"}") && end.starts_with(b"{\"type\":\"message\"") {
            b" "
        } else {
            b""
        };
        [end, space, &line[end.len()..]].concat()
    });
    spaced.collect()
}

fn files_below(folder: &Utf8Path, found: &mut Vec<Utf8PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = Utf8PathBuf::try_from(entry.unwrap().path()).unwrap();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension() == Some("jsonl") && path.is_file() {
            found.push(path);
        }
    }
}

#[test]
fn every_file_at_hand_is_read_alike_both_ways() {
    let mut files = Vec::new();
    files_below(&data(), &mut files);
    files_below(&data().join("../../examples"), &mut files);
    assert!(files.len() > 50, "{}", files.len());
    for path in files {
        let bytes = fs::read(&path).unwrap();
        assert_eq!(known(&bytes), known(&walked(&bytes)), "{path}");
        // Cut anywhere, as by a writer that was stopped.
        for part in 1..8 {
            let bytes = &bytes[..bytes.len() * part / 8];
            assert_eq!(known(bytes), known(&walked(bytes)), "{path}, {part}/8");
        }
    }
}

/// Messages in the order in which Pi writes their members.
fn message() -> impl Strategy<Value = Vec<u8>> {
    let text = || {
        select(vec![
            "",
            "heron",
            r#"a \" {\"parentId\":\"x\"} }{\" b"#,
            r"\u65e5\ud83e\udd80 \ud83d \n",
            "日本語",
            "}{",
            "sep\u{2028}arated",
        ])
    };
    let block = prop_oneof![
        3 => text().prop_map(|text| format!(r#"{{"type":"text","text":"{text}"}}"#)),
        1 => text().prop_map(|text| format!(r#"{{"text":"{text}","textSignature":"p","type":"text"}}"#)),
        1 => text().prop_map(|text| format!(r#"{{"type":"thinking","thinking":"{text}"}}"#)),
        1 => text().prop_map(|text| format!(
            r#"{{"type":"toolCall","id":"c","name":"write","arguments":{{"path":"p","content":[{{"type":"text","text":"{text}"}}]}}}}"#
        )),
        1 => Just("null".to_owned()),
    ];
    let content = prop_oneof![
        4 => vec(block, 0..4).prop_map(|blocks| format!("[{}]", blocks.join(","))),
        1 => text().prop_map(|text| format!("\"{text}\"")),
        1 => Just("null".to_owned()),
    ];
    let usage = select(vec![
        r#"{"input":1,"output":2,"cacheRead":0,"cacheWrite":0,"totalTokens":3,"cost":{"input":0.1,"output":0,"cacheRead":0,"cacheWrite":0,"total":0.1}}"#,
        r#"{"input":1,"output":2,"cacheRead":0,"cacheWrite":0,"cost":{"input":1e-7,"output":0,"cacheRead":0,"cacheWrite":0,"total":1e-7}}"#,
        r#"{"input":,"output":2}"#,
        "null",
    ]);
    let role = select(vec![
        r#""user","#,
        r#""assistant","#,
        r#""toolResult","toolCallId":"c","toolName":"read","#,
        r#""system","#,
        r#""custom","#,
        r#""hookMessage","#,
    ]);
    let rest = select(vec![
        r#","timestamp":1772442001000"#,
        r#","model":"m","usage":{"input":1,"cost":{"total":0.5}},"timestamp":1772442009000"#,
        r#","details":{"parts":[{"timestamp":1}]},"isError":false,"timestamp":1772442005000"#,
        "",
        r#","timestamp":1.5"#,
        r#","model":"m","timestamp":1772442003000,"responseId":"r-1","durationMs":12,"thinkingLevel":"low""#,
        r#","timestamp":1772442003000,"errorMessage":"a \"timestamp\":1","durationMs":12"#,
        r#","details":{"timestamp":1}"#,
    ]);
    let parent =
        prop_oneof![5 => (0..12u8).prop_map(|id| format!("\"e{id}\"")), 1 => Just("null".to_owned())];
    (0..12u8, parent, 0..60u8, role, content, rest, usage).prop_map(|(id, parent, second, role, content, rest, usage)| {
        let rest = match role {
            r#""assistant","# => {
                format!(r#","api":"a","provider":"p","model":"m{second}","usage":{usage},"stopReason":"stop"{rest}"#)
            }
            _ => rest.to_owned(),
        };
        format!(
            r#"{{"type":"message","id":"e{id}","parentId":{parent},"timestamp":"2026-03-02T09:00:{second:02}.000Z","message":{{"role":{role}"content":{content}{rest}}}}}"#
        )
        .into_bytes()
    })
}

/// Lines of Pi, some written twice, some cut off with the next one behind them, some with others between.
fn lines_of_pi() -> impl Strategy<Value = Bytes> {
    let line = prop_oneof![
        10 => message(),
        1 => (message(), message(), any::<Index>(), select(vec!["", "\0\0", "\t", "\r"])).prop_map(|(torn, next, at, between)| {
            [&torn[..at.index(torn.len() + 1)], between.as_bytes(), &next].concat()
        }),
        1 => (message(), any::<Index>()).prop_map(|(torn, at)| torn[..at.index(torn.len())].to_vec()),
        1 => message().prop_map(|line| [&line[..], b"\n", &line].concat()),
        2 => line().prop_map(|line| line.0),
    ];
    let header = select(vec!["1", "2", "3", "99"]);
    (header, vec(line, 0..16), any::<bool>()).prop_map(|(version, lines, ends)| {
        let mut bytes = format!(r#"{{"type":"session","version":{version},"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/x"}}"#).into_bytes();
        for line in lines {
            bytes.push(b'\n');
            bytes.extend(line);
        }
        if ends {
            bytes.push(b'\n');
        }
        Bytes(bytes)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_pi_wrote_is_read_alike_both_ways(Bytes(bytes) in lines_of_pi()) {
        prop_assert_eq!(known(&bytes), known(&walked(&bytes)));
    }

    #[test]
    fn what_others_wrote_is_read_alike_both_ways(Bytes(bytes) in session_bytes()) {
        prop_assert_eq!(known(&bytes), known(&walked(&bytes)));
    }
}
