//! Decoding of JSON strings: escapes, halves of surrogate pairs, bytes that are not UTF-8.

use std::borrow::Cow;

use memchr::memchr;

/// An escape that JSON does not know: Pi's own parser refuses the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InvalidString;

/// What stands between two quotes of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Raw<'a> {
    /// The line is UTF-8.
    Text(&'a str),
    /// It is not, or was not looked at.
    Bytes(&'a [u8]),
}

impl<'a> Raw<'a> {
    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// Decodes a string. Bytes that are not UTF-8 and halves of surrogate pairs become U+FFFD.
pub(crate) fn decode(raw: Raw<'_>) -> Result<Cow<'_, str>, InvalidString> {
    let bytes = raw.bytes();
    let Some(first) = memchr(b'\\', bytes) else {
        return Ok(match raw {
            Raw::Text(text) => Cow::Borrowed(text),
            Raw::Bytes(bytes) => String::from_utf8_lossy(bytes),
        });
    };
    let mut decoded = String::with_capacity(bytes.len());
    match raw {
        Raw::Text(text) => unescape(text, first, &mut decoded)?,
        Raw::Bytes(bytes) => {
            let used = decode_into(bytes, true, &mut decoded)?;
            debug_assert_eq!(used, bytes.len());
        }
    }
    Ok(Cow::Owned(decoded))
}

/// Decodes a text whose first backslash is known.
fn unescape(text: &str, first: usize, decoded: &mut String) -> Result<(), InvalidString> {
    let bytes = text.as_bytes();
    let (mut at, mut slash) = (0, Some(first));
    while let Some(next) = slash {
        decoded.push_str(&text[at..next]);
        // With all bytes at hand every escape can be told.
        let Some((character, used)) = escape(&bytes[next..], true)? else {
            return Err(InvalidString);
        };
        decoded.push(character);
        at = next + used;
        slash = memchr(b'\\', &bytes[at..]).map(|found| at + found);
    }
    decoded.push_str(&text[at..]);
    Ok(())
}

/// Decodes as much of `raw` as can be decided and appends it to `text`; returns how many bytes were used.
///
/// Fewer bytes than given are used only when more may follow (`last` is false) and `raw` ends inside an escape, a
/// surrogate pair or a UTF-8 sequence: the rest belongs in front of the next piece. So a string of any length can be
/// decoded in pieces.
pub(crate) fn decode_into(raw: &[u8], last: bool, text: &mut String) -> Result<usize, InvalidString> {
    let mut at = 0;
    while at < raw.len() {
        let plain = memchr(b'\\', &raw[at..]).map_or(raw.len(), |found| at + found);
        let end = if plain == raw.len() && !last {
            at + whole_characters(&raw[at..])
        } else {
            plain
        };
        text.push_str(&lossy(&raw[at..end]));
        at = end;
        if at < plain || at == raw.len() {
            break;
        }
        match escape(&raw[at..], last)? {
            Some((character, used)) => {
                text.push(character);
                at += used;
            }
            None => break,
        }
    }
    Ok(at)
}

/// Bytes as text; what is not UTF-8 is replaced. The check is several times faster than the replacing.
fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    simdutf8::basic::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// The character of the escape at the start of `raw` and its length; `None` when more bytes are needed to tell.
fn escape(raw: &[u8], last: bool) -> Result<Option<(char, usize)>, InvalidString> {
    let Some(&kind) = raw.get(1) else {
        return if last { Err(InvalidString) } else { Ok(None) };
    };
    let character = match kind {
        b'"' | b'\\' | b'/' => kind as char,
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode_escape(raw, last),
        _ => return Err(InvalidString),
    };
    Ok(Some((character, 2)))
}

fn unicode_escape(raw: &[u8], last: bool) -> Result<Option<(char, usize)>, InvalidString> {
    if raw.len() < 6 {
        return if last { Err(InvalidString) } else { Ok(None) };
    }
    let first = hex(&raw[2..6])?;
    match first {
        0xD800..=0xDBFF => {
            let rest = &raw[6..];
            // Only a full `\uXXXX` behind it can be the other half.
            if rest.len() < 6 && !last && b"\\u".starts_with(&rest[..rest.len().min(2)]) {
                return Ok(None);
            }
            if rest.len() >= 6 && rest.starts_with(b"\\u") {
                let second = hex(&rest[2..6])?;
                if (0xDC00..=0xDFFF).contains(&second) {
                    let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                    return Ok(Some((
                        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
                        12,
                    )));
                }
            }
            Ok(Some((char::REPLACEMENT_CHARACTER, 6)))
        }
        // The second half of a pair without the first is no character: from_u32 says so.
        code => Ok(Some((
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
            6,
        ))),
    }
}

fn hex(digits: &[u8]) -> Result<u32, InvalidString> {
    digits.iter().try_fold(0, |code, &digit| {
        let value = (digit as char).to_digit(16).ok_or(InvalidString)?;
        Ok(code << 4 | value)
    })
}

/// The length of `bytes` without an unfinished UTF-8 sequence at its end.
fn whole_characters(bytes: &[u8]) -> usize {
    let from = bytes.len().saturating_sub(3);
    for start in (from..bytes.len()).rev() {
        let needed = match bytes[start] {
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            0x80..=0xBF => continue,
            _ => return bytes.len(),
        };
        return if bytes.len() - start < needed {
            start
        } else {
            bytes.len()
        };
    }
    bytes.len()
}

/// Raw JSON as text that every JSON parser takes: UTF-8, without halves of surrogate pairs.
pub(crate) fn repair(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    let bytes = text.as_bytes();
    let mut repaired = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = memchr(b'\\', &bytes[at..]) {
        at += found;
        match unicode_escape(&bytes[at..], true) {
            Ok(Some((char::REPLACEMENT_CHARACTER, used))) if bytes.get(at + 1) == Some(&b'u') => {
                repaired.push_str(&text[copied..at]);
                repaired.push_str("\\ufffd");
                at += used;
                copied = at;
            }
            Ok(Some((_, used))) if bytes.get(at + 1) == Some(&b'u') => at += used,
            // Any other escape is two ASCII bytes; at the very end of damaged text it may be one.
            _ => at = (at + 2).min(bytes.len()),
        }
    }
    if copied == 0 {
        return text.into_owned();
    }
    repaired.push_str(&text[copied..]);
    repaired
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both ways of decoding must agree.
    fn decode(raw: &[u8]) -> Result<String, InvalidString> {
        let decoded = super::decode(Raw::Bytes(raw)).map(Cow::into_owned);
        if let Ok(text) = std::str::from_utf8(raw) {
            assert_eq!(decoded, super::decode(Raw::Text(text)).map(Cow::into_owned));
        }
        decoded
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(
            decode(br#"a\n\t\"\\\/\u00e9\ud83e\udd80"#).unwrap(),
            "a\n\t\"\\/é🦀"
        );
        for wrong in [&br"\x"[..], br"\u12", br"\u12g4", br"\"] {
            assert_eq!(decode(wrong), Err(InvalidString), "{wrong:?}");
        }
    }

    #[test]
    fn halves_of_pairs_and_bad_bytes_become_replacement_characters() {
        assert_eq!(decode(br"a\ud83db").unwrap(), "a\u{fffd}b");
        assert_eq!(decode(br"\udc00").unwrap(), "\u{fffd}");
        assert_eq!(decode(br"\ud83e\u0041").unwrap(), "\u{fffd}A");
        assert_eq!(decode(b"a\xff\xfeb").unwrap(), "a\u{fffd}\u{fffd}b");
        assert_eq!(
            repair(br#"{"a":"\ud83d","b":"\\ud83d","c":"\ud83e\udd80"}"#),
            r#"{"a":"\ufffd","b":"\\ud83d","c":"\ud83e\udd80"}"#
        );
    }

    #[test]
    fn a_string_decoded_in_pieces_is_the_same_string() {
        let raw = "é🦀\\n\\ud83e\\udd80\\ud83dx\\u00e9日本\\\\ end".as_bytes();
        let whole = decode(raw).unwrap();
        for size in 1..raw.len() {
            let (mut text, mut pending) = (String::new(), Vec::new());
            let mut pieces = raw.chunks(size).peekable();
            while let Some(piece) = pieces.next() {
                pending.extend_from_slice(piece);
                let used = decode_into(&pending, pieces.peek().is_none(), &mut text).unwrap();
                pending.drain(..used);
            }
            assert_eq!(text, whole, "pieces of {size} bytes");
        }
    }
}
