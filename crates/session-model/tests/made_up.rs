//! Made-up session files for property tests: mostly healthy lines, with few ids, so that equal ids, circles, orphans
//! and copies are frequent; and all kinds of damage between them.

use proptest::{collection::vec, prelude::*, sample::select};

/// Bytes that print themselves as text.
#[derive(Clone, PartialEq)]
pub(crate) struct Bytes(pub(crate) Vec<u8>);

impl std::fmt::Debug for Bytes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for line in self.0.split_inclusive(|&byte| byte == b'\n') {
            write!(f, "\n    {}", line.escape_ascii())?;
        }
        Ok(())
    }
}

/// Bytes of a session file. The last line may lack its end.
pub(crate) fn session_bytes() -> impl Strategy<Value = Bytes> {
    let end = select(vec!["\n", "\n", "\n", "\n", "\r\n", "\n\n"]);
    let mark = prop::bool::weighted(0.05);
    let unterminated = prop::bool::weighted(0.2);
    (header(), vec(line(), 0..24), end, mark, unterminated).prop_map(
        |(header, lines, end, mark, unterminated)| {
            let mut bytes = Vec::new();
            if mark {
                bytes.extend_from_slice(b"\xef\xbb\xbf");
            }
            for line in std::iter::once(header).chain(lines.into_iter().map(|line| line.0)) {
                bytes.extend_from_slice(&line);
                bytes.extend_from_slice(end.as_bytes());
            }
            if unterminated {
                bytes.truncate(bytes.len() - end.len());
            }
            Bytes(bytes)
        },
    )
}

/// One line without its end: no line feed is in it.
pub(crate) fn line() -> impl Strategy<Value = Bytes> {
    prop_oneof![
        12 => entry().prop_map(String::into_bytes),
        1 => header(),
        1 => select(SCALARS.to_vec()).prop_map(|scalar| scalar.as_bytes().to_vec()),
        1 => vec(any::<u8>(), 0..40),
        // Cut off, with the next record behind it.
        1 => (entry(), entry(), any::<prop::sample::Index>()).prop_map(|(torn, whole, at)| {
            let torn = torn.into_bytes();
            [&torn[..at.index(torn.len())], whole.as_bytes()].concat()
        }),
        1 => (entry(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(entry, at, byte)| {
            let mut bytes = entry.into_bytes();
            let at = at.index(bytes.len());
            bytes.insert(at, byte);
            bytes
        }),
        1 => (entry(), entry(), select(vec!["\0\0\0", "\r", "\t", "\u{2028}", ""])).prop_map(|(one, other, between)| {
            format!("{one}{between}{other}").into_bytes()
        }),
    ]
    .prop_map(|mut line| {
        line.retain(|&byte| byte != b'\n');
        Bytes(line)
    })
}

const SCALARS: &[&str] = &[
    "42",
    "\"x\"",
    "[]",
    "{}",
    "null",
    "true",
    " ",
    "{",
    "[1,{\"type\":\"message\"}]",
    "{\"type\":\"message\"}",
];

fn header() -> impl Strategy<Value = Vec<u8>> {
    let version = select(vec!["3", "3", "3", "3", "1", "2", "\"3\"", "null", "99"]);
    let id = select(vec!["s1", "s1", "s2"]);
    (version, id).prop_map(|(version, id)| {
        format!(r#"{{"type":"session","version":{version},"id":"{id}","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/x"}}"#)
            .into_bytes()
    })
}

fn text() -> impl Strategy<Value = String> {
    select(vec![
        "",
        "heron",
        "two words",
        "日本語 🦀",
        r"a\nb\t\u00e9\ud83e\udd80",
        r"half \ud83d",
        "sep\u{2028}arated",
        r#"back\\slash \" quote"#,
    ])
    .prop_map(str::to_owned)
}

fn entry() -> impl Strategy<Value = String> {
    let id =
        prop_oneof![9 => (0..12u8).prop_map(|id| format!("\"id\":\"e{id}\",")), 1 => Just(String::new())];
    let parent = prop_oneof![
        9 => (0..14u8).prop_map(|id| format!("\"parentId\":\"e{id}\",")),
        2 => Just("\"parentId\":null,".to_owned()),
    ];
    (id, parent, 0..60u8, body()).prop_map(|(id, parent, second, (kind, members))| {
        format!(r#"{{"type":"{kind}",{id}{parent}"timestamp":"2026-03-02T09:00:{second:02}.000Z"{members}}}"#)
    })
}

fn body() -> impl Strategy<Value = (&'static str, String)> {
    let target = || (0..12u8).prop_map(|id| format!("e{id}"));
    prop_oneof![
        12 => message().prop_map(|message| ("message", format!(",\"message\":{message}"))),
        1 => (text(), target()).prop_map(|(summary, kept)| (
            "compaction",
            format!(r#","summary":"{summary}","firstKeptEntryId":"{kept}","firstKeptEntryIndex":3"#)
        )),
        1 => text().prop_map(|summary| ("branch_summary", format!(r#","summary":"{summary}""#))),
        1 => (text(), target()).prop_map(|(label, target)| (
            "label",
            format!(r#","targetId":"{target}","label":"{label}""#)
        )),
        1 => text().prop_map(|name| ("session_info", format!(r#","name":"{name}""#))),
        1 => target().prop_map(|target| ("context_edit", format!(r#","targetId":"{target}","replacement":null"#))),
        1 => Just(("custom", ",\"customType\":\"x\",\"data\":{\"deep\":[[[{}]]]}".to_owned())),
        1 => Just(("future", String::new())),
    ]
}

fn message() -> impl Strategy<Value = String> {
    let role = select(vec![
        "user",
        "user",
        "assistant",
        "assistant",
        "toolResult",
        "system",
        "strange",
    ]);
    (role, vec(text(), 0..3), 0..4u8, 0..100u32).prop_map(|(role, texts, shape, time)| {
        let blocks: Vec<_> = texts
            .iter()
            .map(|text| format!(r#"{{"type":"text","text":"{text}"}}"#))
            .collect();
        let content = match shape {
            0 => format!("\"{}\"", texts.concat()),
            1 => format!(r#"[{{"type":"thinking","thinking":"hm"}},{},null]"#, blocks.join(","))
                .replace("},,", "},"),
            _ => format!("[{}]", blocks.join(",")),
        };
        format!(
            r#"{{"content":{content},"role":"{role}","timestamp":17724420{time:02}000,"model":"m","usage":{{"input":1,"cost":{{"total":0.5}}}}}}"#
        )
    })
}
