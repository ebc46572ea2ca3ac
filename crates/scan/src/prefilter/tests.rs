use std::fmt::Write;

use lookback_ranker::analysis::{Tokens, terms};
use proptest::prelude::*;
use smol_str::SmolStr;

use super::*;

fn prefilter(needles: &[(&str, bool)]) -> Prefilter {
    let needles: Vec<Needle> = needles
        .iter()
        .map(|&(text, whole)| Needle {
            text: SmolStr::new(text),
            whole,
        })
        .collect();
    Prefilter::new(&needles, &Sample::new(Vec::new()))
}

fn candidates(prefilter: &Prefilter, lines: &str) -> Vec<String> {
    let mut found = Vec::new();
    prefilter.candidates(
        lines.as_bytes(),
        Passing::Filtered,
        |bytes| {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            (end.unwrap_or(bytes.len()), true)
        },
        |line| {
            found.push(lines[line].to_owned());
            Passing::Filtered
        },
    );
    found
}

#[test]
fn behind_a_candidate_all_lines_can_pass() {
    let lines = "other\ncache\nother\nmute\nother";
    let found = |passing| {
        let mut found = Vec::new();
        let listen = |bytes: &[u8]| {
            let end = bytes.iter().position(|byte| *byte == b'\n');
            (end.unwrap_or(bytes.len()), !bytes.starts_with(b"mute"))
        };
        let visit = |line: Range<usize>| {
            found.push(line.start);
            Passing::All
        };
        prefilter(&[("cache", true)]).candidates(lines.as_bytes(), passing, listen, visit);
        found
    };
    assert_eq!(found(Passing::Filtered), [6, 12, 23]);
    assert_eq!(found(Passing::All), [0, 6, 12, 23]);
}

#[test]
fn where_nearly_all_lines_pass_all_do() {
    let listen = |bytes: &[u8]| {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        (end.unwrap_or(bytes.len()), true)
    };
    for (lines, all) in [
        ("the a\nthe b\nc the\nd\n", true),
        ("the a\nb\nc\n", false),
        ("", false),
    ] {
        let sample = Sample::new(lines.as_bytes().to_vec());
        let filter = prefilter(&[("the", true)]).unless_useless(&sample, listen);
        assert_eq!(candidates(&filter, "other") == ["other"], all, "{lines}");
    }
}

fn passes(needle: &str, line: &str) -> bool {
    candidates(&prefilter(&[(needle, true)]), line) == [line]
}

#[test]
fn a_term_passes_in_every_spelling() {
    for (term, line) in [
        ("username", "{\"user_Name\"}"),
        ("username", "the USER-Name"),
        ("reindex", "re-index"),
        ("reindex", r"re\u002dindex"),
        ("reindex", "re\u{ad}index"),
        ("reindex", r"re\u00adindex"),
        ("dont", "I don't"),
        ("dont", "I don\u{2019}t"),
        ("cafe", "Café"),
        ("cafe", "Cafe\u{301}"),
        ("cafe", r"Caf\u00e9"),
        ("cafe", "ＣＡＦＥ"),
        ("api", r"\ud835\udc1a\ud835\udc29\ud835\udc22"),
        ("kelvin", "\u{212a}elvin"),
        ("fix", "ﬁx"),
        ("strasse", "Straße"),
        ("name", r#"{"text":"name"}"#),
        ("name", r#"{"content":"a \"name\": b"}"#),
        ("name", r#"{"content":["name"]}"#),
        ("name", r#"{"te\u0078t":"name"}"#),
        ("c++", "in C++, too"),
        ("#123", "see a#123"),
        ("cache", r#"{"thinking":"cache","text":"cache"}"#),
        ("cafe", r#"{"thinking":"Café","text":"Café"}"#),
        ("数据", r#"{"thinking":"数据","text":"数据"}"#),
        ("new", r"line\nnew"),
        ("new", r"line\u000anew"),
        ("数据", "的数据库"),
        ("数据", r"\u6570\u636e"),
        ("ガガ", "ｶﾞｶﾞ"),
        ("ガガ", "カ\u{3099}ガ"),
        ("индекс", "ИНДЕКС"),
        ("и", "й"),
    ] {
        assert!(
            line.starts_with('{') || terms(&unescaped(line)).iter().any(|found| found == term),
            "{term} is in {line}"
        );
        assert!(passes(term, line), "{term} in {line}");
    }
}

#[test]
fn other_lines_do_not_pass() {
    for (term, line) in [
        ("cat", "concatenate the catalogue"),
        (
            "cafe",
            "Ein Café? Nein, ein Kaffeehaus".trim_start_matches("Ein Café? "),
        ),
        ("cache", "naïve Größe – “quoted” ⚠️ ✅ 数据库"),
        ("cache", r"\u001b[31mred\u001b[0m"),
        ("数据", "数字 – 据"),
        ("12", "x123 a12"),
        ("name", r#"{"name":"bash"}"#),
        ("user", r#"{"message":{"role":"user","content":[]}}"#),
        ("bash", r#"{"type":"toolCall","name":"bash"}"#),
        (
            "cache",
            r#"{"type":"thinking","thinking":"The cache: \"cache\"","signature":"cache"}"#,
        ),
        ("cafe", r#"{"type":"thinking","thinking":"The Café, caf\u00e9"}"#),
        ("数据", r#"{"type":"thinking","thinking":"的数据库"}"#),
    ] {
        assert!(!passes(term, line), "{term} in {line}");
    }
}

#[test]
fn lines_come_once_and_in_order() {
    let filter = prefilter(&[("one", true), ("two", true), ("三四", true)]);
    let lines = "one two one\n\nnothing here\n三四 one\ntwo\nthree\nOn\u{e9} \u{ff4f}ne";
    assert_eq!(
        candidates(&filter, lines),
        ["one two one", "三四 one", "two", "On\u{e9} \u{ff4f}ne"]
    );
    assert_eq!(candidates(&prefilter(&[]), lines), Vec::<String>::new());
    assert_eq!(
        candidates(&prefilter(&[("x", false)]), "a\nb\n"),
        ["a", "b"],
        "a letter is everywhere"
    );
}

/// What JSON makes of a string's inside.
fn unescaped(raw: &str) -> String {
    serde_json::from_str(&format!("\"{}\"", raw.replace('"', "\\\""))).unwrap()
}

/// The text as the inside of a JSON string; `choices` decides where an escape is written that is not needed.
fn escaped(text: &str, choices: &[u8]) -> String {
    let mut raw = String::new();
    for (at, c) in text.chars().enumerate() {
        let unneeded = choices[at % choices.len()] == 0;
        if unneeded || c < ' ' || matches!(c, '"' | '\\') {
            match c {
                '\n' => raw.push_str("\\n"),
                '"' => raw.push_str("\\\""),
                '\\' => raw.push_str("\\\\"),
                _ => {
                    for unit in c.encode_utf16(&mut [0; 2]) {
                        write!(raw, "\\u{unit:04x}").unwrap();
                    }
                }
            }
        } else {
            raw.push(c);
        }
    }
    raw
}

/// Pieces of text that meet at every seam of the analysis.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-cA-C0-2]{1,4}",
        "[ab]{60,70}",
        "[_'’\\-+#. /\n\"\\\\]{1,2}",
        "[éÉäßøıİſK½²ﬁﬀＡａ１ｶﾞガカ\u{3099}\u{301}\u{308}\u{ad}\u{200d}\u{fe0f}]{1,2}",
        "[数据库東京가각\u{1100}\u{1161}\u{11a8}ー々㍿]{1,3}",
        "[а-яА-Яα-ωΑ-Ωςกขिक𝐀𝐚𝟎⚠️“—]{1,3}",
        "\\PC{0,3}",
        Just("n't".to_owned()),
        Just("'s".to_owned()),
    ];
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn no_term_is_ever_lost(
        text in text(),
        choices in prop::collection::vec(0u8..12, 1..9),
        before in "[ -~é数]{0,80}",
    ) {
        let line = format!("{}\"{}\"", escaped(&before, &[1]), escaped(&text, &choices));
        let mut tokens = Tokens::new(&text);
        while let Some(token) = tokens.next_token() {
            prop_assert!(passes(token.term, &line), "{:?} in {line:?}", token.term);
            let inside: Vec<char> = token.term.chars().collect();
            let part: String = inside[inside.len() / 3..].iter().take(3).collect();
            prop_assert!(
                candidates(&prefilter(&[(&part, false)]), &line) == [line.as_str()],
                "{part:?}, a part of {:?}, in {line:?}", token.term
            );
        }
    }

    #[test]
    fn several_needles_find_what_each_finds(
        lines in prop::collection::vec(text(), 1..6),
        needles in prop::collection::vec("[a-c]{2,3}|[数据库]{2}|[а-в]{2}", 1..4),
        choices in prop::collection::vec(0u8..20, 1..9),
    ) {
        let lines: Vec<String> = lines.iter().map(|line| escaped(line, &choices)).collect();
        let all = lines.join("\n");
        let needles: Vec<(&str, bool)> = needles.iter().map(|needle| (needle.as_str(), true)).collect();
        let found = candidates(&prefilter(&needles), &all);
        for line in &lines {
            let alone = needles.iter().any(|needle| !candidates(&prefilter(&[*needle]), line).is_empty());
            // Needles of other scripts let more lines pass, never fewer.
            prop_assert!(!alone || found.contains(line), "{line:?}");
        }
        prop_assert!(found.is_sorted_by_key(|line| lines.iter().position(|known| known == line)) || lines.len() > 1);
    }
}
