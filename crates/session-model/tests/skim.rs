//! Skimming a file gives what reading it gives, as far as a search is concerned.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{Session, SessionFile};
use proptest::{collection::vec, prelude::*, sample::Index, sample::select};

use crate::{
    fixtures::data,
    made_up::{Bytes, line, session_bytes},
};

/// Everything that both must agree on, as text.
fn known(file: &SessionFile) -> Vec<String> {
    let mut known = Vec::new();
    for session in file.sessions() {
        let summary = file.summary(session);
        known.push(format!("{:?} {summary:?}", session.header()));
        known.extend((0..session.nodes().len() as u32).map(|node| {
            let text = session.kept_text(node);
            let parent = session.named_parent(node);
            format!("{:?} {parent:?} {text:?}", session.nodes()[node as usize])
        }));
    }
    let damage = file.diagnostics().iter().filter(|found| found.kind.is_damage());
    known.extend(damage.map(|found| format!("{found:?}")));
    known.push(format!("{:?}", file.position()));
    known
}

fn both(path: &Utf8Path, bytes: &[u8]) -> [Vec<String>; 2] {
    let files = [
        SessionFile::from_bytes(path, bytes, usize::MAX),
        SessionFile::skim_bytes(path, bytes, usize::MAX),
    ];
    files.map(|file| known(&file))
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
fn every_file_at_hand_is_skimmed_as_it_is_read() {
    let mut files = Vec::new();
    files_below(&data(), &mut files);
    files_below(&data().join("../../examples"), &mut files);
    assert!(files.len() > 50, "{}", files.len());
    for path in files {
        let bytes = fs::read(&path).unwrap();
        let [read, skimmed] = both(&path, &bytes);
        assert_eq!(read, skimmed, "{path}");
        assert_eq!(known(&SessionFile::skim(&path, usize::MAX).unwrap()), {
            known(&SessionFile::read(&path, usize::MAX).unwrap())
        });
        // Cut anywhere, as by a writer that was stopped.
        for part in 1..8 {
            let [read, skimmed] = both(&path, &bytes[..bytes.len() * part / 8]);
            assert_eq!(read, skimmed, "{path}, {part}/8");
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
    (0..12u8, parent, 0..60u8, role, content, rest).prop_map(|(id, parent, second, role, content, rest)| {
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
        2 => line().prop_map(|line| line.0).prop_filter("no message in Pi's order is damaged", |line| {
            !line.windows(8).any(|bytes| bytes == b"\"role\":\"") || !line.starts_with(b"{\"type\":\"message\"")
        }),
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
    fn what_pi_wrote_is_skimmed_as_it_is_read(Bytes(bytes) in lines_of_pi()) {
        let [read, skimmed] = both("x/2026_s1.jsonl".into(), &bytes);
        prop_assert_eq!(read, skimmed);
    }

    #[test]
    fn what_others_wrote_is_skimmed_as_it_is_read(Bytes(bytes) in session_bytes()) {
        let [read, skimmed] = both("x/2026_s1.jsonl".into(), &bytes);
        prop_assert_eq!(read, skimmed);
    }
}

/// The one thing that a full reading sees and a skimming one does not.
#[test]
fn what_is_passed_over_is_not_checked() {
    let line = |rest: &str| {
        format!(
            "{}\n{}{rest}\n",
            r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/x"}"#,
            r#"{"type":"message","id":"e1","parentId":null,"timestamp":"2026-03-02T09:00:00.000Z","message":{"role":"toolResult","#
        )
    };
    let count = |file: &SessionFile| {
        file.sessions()
            .iter()
            .map(Session::nodes)
            .map(<[_]>::len)
            .sum::<usize>()
    };
    let broken = line(r#""content":[,"timestamp":1772442001000}}"#);
    let [read, skimmed] = [SessionFile::from_bytes, SessionFile::skim_bytes]
        .map(|way| count(&way("x/2026_s1.jsonl".into(), broken.as_bytes(), 0)));
    assert_eq!((read, skimmed), (0, 1));
}
