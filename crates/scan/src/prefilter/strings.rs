//! The string of a line in which a place is: whether it can be a text, told without parsing the line.

use memchr::{memchr, memrchr};

/// A string is looked at for its beginning so many quotation marks back, and so many bytes.
const MOST_QUOTES: usize = 16;
const MOST_BYTES: usize = 8 << 10;

/// Where the string around a place ends, if it is the whole value of a key that holds no text. `None` where that is not
/// sure.
///
/// In a line that is JSON, or has a whole record in it, the last quotation mark before a place inside of a string that
/// nothing escapes is the one that opens the string. Before it, up to the quotation mark before that, stands structure.
pub(super) fn end_of_other(line: &[u8], place: usize) -> Option<usize> {
    let from = place.saturating_sub(MOST_BYTES);
    let mut before = &line[from..place];
    for _ in 0..MOST_QUOTES {
        let quote = memrchr(b'"', before)?;
        before = &before[..quote];
        if !ends_escaping(before) {
            let value = before.strip_suffix(b"\":")?;
            return is_other_key(value).then(|| closing_quote(line, place));
        }
    }
    None
}

/// Whether a line up to the end of a key ends in a key that is known, and none of those that hold texts.
pub(super) fn is_other_key(line: &[u8]) -> bool {
    // A key with an escape in it could be any, so it is none of these.
    let length = line
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let (rest, key) = line.split_at(line.len() - length);
    rest.ends_with(b"\"") && !rest.ends_with(b"\\\"") && !matches!(key, b"text" | b"content")
}

/// Whether the next byte is escaped.
fn ends_escaping(bytes: &[u8]) -> bool {
    bytes.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// The end of the string in which a place is.
fn closing_quote(line: &[u8], place: usize) -> usize {
    let mut at = place;
    while let Some(found) = memchr(b'"', &line[at..]) {
        let quote = at + found;
        if !ends_escaping(&line[..quote]) {
            return quote;
        }
        at = quote + 1;
    }
    line.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is behind the string around `*`.
    fn rest(line: &str) -> Option<&str> {
        let place = line.find('*').unwrap();
        end_of_other(line.as_bytes(), place).map(|end| &line[end..])
    }

    #[test]
    fn values_of_other_keys_are_no_texts() {
        for (line, expected) in [
            (r#"{"thinking":"one * two","text":"x"}"#, r#"","text":"x"}"#),
            (
                r#"{"thinking":"\"one\" * \"two\\","text":"x"}"#,
                r#"","text":"x"}"#,
            ),
            (r#"{"a":{"command":"*"}}"#, r#""}}"#),
            (r#"{"":"*"}"#, r#""}"#),
            (r#"{"thinking":"one * two"#, ""),
        ] {
            assert_eq!(rest(line), Some(expected), "{line}");
        }
    }

    #[test]
    fn everything_else_may_be_one() {
        let many_quotes = format!(r#"{{"thinking":"{}*"}}"#, r#"\""#.repeat(MOST_QUOTES));
        let long = format!(r#"{{"thinking":"{}*"}}"#, "x".repeat(MOST_BYTES));
        for line in [
            r#"{"text":"one * two"}"#,
            r#"{"content":"*"}"#,
            r#"{"content":["*"]}"#,
            r#"{"te\u0078t":"*"}"#,
            r#"{"a\"text":"*"}"#,
            r#"{"thinking": "*"}"#,
            r#"{"thinking":"x","n":1*}"#,
            r#"{"thinking":"torn {"text":"*"}"#,
            "one * two",
            &many_quotes,
            &long,
        ] {
            assert_eq!(rest(line), None, "{line}");
        }
    }
}
