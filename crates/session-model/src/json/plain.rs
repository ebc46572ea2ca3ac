//! Short cuts through what Pi writes on nearly every line: strings without escapes, and objects of numbers.
//!
//! Each of them either passes what the walk would pass as well, or says nothing. Then the walk looks.

use super::{Key, Members, Shape, Span, keys::Take, number::plain_number};

/// So many words are looked at for the end of a string; longer ones are left to the walk.
const WORDS: usize = 8;

/// Passes the members that every entry begins with, `{"type":…,"id":…,"parentId":…,"timestamp":…,`, and takes them.
/// Returns the place of the key behind them.
pub(super) fn entry_head(line: &[u8], from: usize, members: &mut Members) -> Option<usize> {
    let kind = quoted(line, skip(line, from, b"{\"type\":\"")?)?;
    let id = quoted(line, skip(line, kind.1, b",\"id\":\"")?)?;
    let parent = skip(line, id.1, b",\"parentId\":")?;
    let (parent, behind) = match skip(line, parent, b"\"") {
        Some(start) => {
            let (span, behind) = quoted(line, start)?;
            ((Shape::String, span), behind)
        }
        None => {
            let behind = skip(line, parent, b"null")?;
            ((Shape::Null, Span::new(parent, behind)), behind)
        }
    };
    let time = quoted(line, skip(line, behind, b",\"timestamp\":\"")?)?;
    let behind = skip(line, time.1, b",")?;
    // No white space: a key follows at once.
    if line.get(behind) != Some(&b'"') {
        return None;
    }
    members.take(Key::Type, Shape::String, kind.0);
    members.take(Key::Id, Shape::String, id.0);
    members.take(Key::ParentId, parent.0, parent.1);
    members.take(Key::Timestamp, Shape::String, time.0);
    Some(behind)
}

/// Passes an object whose values are numbers or such objects, as tokens and their cost are written. Returns the place
/// behind it.
pub(super) fn numbers(line: &[u8], from: usize) -> Option<usize> {
    let mut at = skip(line, from, b"{\"")?;
    let mut depth = 1;
    loop {
        at = quoted(line, at)?.1;
        let [b':', first, second] = *line.get(at..)?.first_chunk()? else {
            return None;
        };
        at += 1;
        if first == b'{' {
            if second != b'"' {
                return None;
            }
            depth += 1;
            at += 2;
            continue;
        }
        at += plain_number(&line[at..])?;
        while *line.get(at)? == b'}' {
            at += 1;
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
        at = skip(line, at, b",\"")?;
    }
}

/// The place behind `literal`, where it stands at `at`.
#[inline(always)]
fn skip<const N: usize>(line: &[u8], at: usize, literal: &[u8; N]) -> Option<usize> {
    let there: &[u8; N] = line.get(at..)?.first_chunk()?;
    (there == literal).then_some(at + N)
}

/// The string that begins behind the quote before `start`, and the place behind its closing quote. No string with
/// escapes or control characters, none near the end of the line.
#[inline(always)]
fn quoted(line: &[u8], start: usize) -> Option<(Span, usize)> {
    const ONES: u64 = u64::MAX / 0xff;
    const HIGH: u64 = ONES << 7;
    // A high bit for each byte that is zero; wrong ones only above the first right one.
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let (words, _) = line.get(start..)?.as_chunks::<8>();
    for (number, word) in words.iter().take(WORDS).enumerate() {
        let word = u64::from_le_bytes(*word);
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let stops = zero(word ^ (ONES * u64::from(b'"'))) | zero(word ^ (ONES * u64::from(b'\\'))) | control;
        if stops != 0 {
            let end = start + 8 * number + stops.trailing_zeros() as usize / 8;
            return (line[end] == b'"').then_some((Span::new(start, end), end + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_of_an_entry_is_passed() {
        let line = br#"{"type":"message","id":"0123abcd","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{}}"#;
        let mut members = Members::default();
        let behind = entry_head(line, 0, &mut members).unwrap();
        assert!(line[behind..].starts_with(b"\"message\""));
        assert_eq!(members.string(line, Key::Id), Some(&b"0123abcd"[..]));
        assert_eq!(members.get(Key::ParentId).unwrap().0, Shape::Null);
        assert_eq!(
            members.string(line, Key::Timestamp),
            Some(&b"2026-03-02T09:00:01.000Z"[..])
        );
    }

    #[test]
    fn what_is_not_plain_is_left_to_the_walk() {
        for line in [
            &br#"{ "type":"message","id":"a","parentId":"b","timestamp":"c","message":{}}"#[..],
            br#"{"type":"message","id":"\u0061","parentId":"b","timestamp":"c","message":{}}"#,
            br#"{"type":"message","id":"a","parentId":"b\"","timestamp":"c","message":{}}"#,
            br#"{"type":"message","id":"a","parentId":7,"timestamp":"c","message":{}}"#,
            br#"{"type":"message","id":"a","parentId":"b","timestamp":"c" ,"message":{}}"#,
            br#"{"type":"message","id":"a","parentId":"b","timestamp":"c", "message":{}}"#,
            br#"{"type":"message","id":"a","parentId":"b","timestamp":"c"}              "#,
            b"{\"type\":\"mess\tage\",\"id\":\"a\",\"parentId\":\"b\",\"timestamp\":\"c\",\"message\":{}}",
        ] {
            let mut members = Members::default();
            assert_eq!(entry_head(line, 0, &mut members), None, "{}", line.escape_ascii());
            assert_eq!(members.get(Key::Type), None);
        }
    }

    #[test]
    fn objects_of_numbers_are_passed() {
        let passed = |text: &str| numbers(format!("{text},\"padding\":0").as_bytes(), 0);
        for whole in [
            r#"{"input":1}"#,
            r#"{"input":10,"cost":{"total":0.25,"of":{"x":0}},"output":7}"#,
        ] {
            assert_eq!(passed(whole), Some(whole.len()), "{whole}");
        }
        for other in [
            "{}",
            r#"{"a":-1}"#,
            r#"{"a":1e5}"#,
            r#"{"a":01}"#,
            r#"{"a":1.}"#,
            r#"{"a":"b"}"#,
            r#"{"a":null}"#,
            r#"{"a":{}}"#,
            r#"{"a":1,}"#,
            r#"{"a":1 }"#,
            r#"{"a":1]"#,
            r#"{"a\u0062":1}"#,
            r#"{"a":}"#,
        ] {
            assert_eq!(passed(other), None, "{other}");
        }
    }

    #[test]
    fn strings_end_where_they_end() {
        for length in 0..70 {
            for before in 0..9 {
                let line = [
                    &vec![b'.'; before][..],
                    &vec![b'\xe9'; length],
                    b"\"!#[]^\x7f\x80 and more",
                ]
                .concat();
                let expected = (length < 8 * WORDS).then(|| before + length + 1);
                assert_eq!(
                    quoted(&line, before).map(|found| found.1),
                    expected,
                    "{length} {before}"
                );
            }
        }
        for stop in *b"\\\n\0\x1f" {
            assert_eq!(quoted(&[b'a', stop, b'"', b'a', b'a', b'a', b'a', b'a'], 0), None);
        }
    }
}
