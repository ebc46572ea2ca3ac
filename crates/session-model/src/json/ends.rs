//! Lines of messages as Pi writes them, looked at at their ends; the rest is passed over unread.

use fearless_simd::{Level, dispatch, prelude::*, u8x64};
use memchr::{memchr, memrchr};

use super::{Span, cursor::skip, number::value};

const BLOCK: usize = 64;

/// Longer numbers are left to the walk.
const MOST_DIGITS: usize = 15;

/// The id of a message and the number of its time, where the line begins and ends as Pi writes it, and nothing tells that
/// it is damaged. What lies between is not looked at.
pub(crate) fn glimpse(level: Level, line: &[u8]) -> Option<(&str, f64)> {
    let (time, _) = time_at_end(line)?;
    let (id, behind) = plain_string(line, skip(line, 0, MESSAGE_HEAD)?)?;
    let parent_at = skip(line, behind, b",\"parentId\":")?;
    let id = str::from_utf8(&line[id.range()]).ok()?;
    // An escape or a control character would make another id of it.
    if id.bytes().any(|byte| byte < b' ' || byte == b'\\') || is_odd(level, line, parent_at) {
        return None;
    }
    Some((id, value(&line[time.range()])?))
}

const MESSAGE_HEAD: &[u8; 24] = b"{\"type\":\"message\",\"id\":\"";

/// A short string whose first byte is at `start`, and the place behind its closing quote.
#[inline]
fn plain_string(line: &[u8], start: usize) -> Option<(Span, usize)> {
    const MOST: usize = 64;
    let rest = line.get(start..)?;
    let length = memchr(b'"', &rest[..rest.len().min(MOST)])?;
    // Other escapes are decoded with the string.
    if length > 0 && rest[length - 1] == b'\\' {
        return None;
    }
    let end = start + length;
    Some((Span::new(start, end), end + 1))
}

/// The time of a message that ends the line: the number of `,"timestamp":1772442000000`, behind which nothing stands but
/// members with plain strings, numbers and the like; and where that begins.
#[inline]
fn time_at_end(line: &[u8]) -> Option<(Span, usize)> {
    /// Pi writes three at most.
    const MOST: usize = 8;
    let mut rest = line.strip_suffix(b"}}")?;
    for _ in 0..MOST {
        let end = rest.len();
        let start = value_at_end(rest)?;
        let (key, before) = key_at_end(&rest[..start])?;
        match key {
            b"timestamp" => return number_at(line, start, end).map(|span| (span, before)),
            b"role" | b"content" => return None,
            // It could be any.
            key if key.contains(&b'\\') => return None,
            _ => {}
        }
        rest = &rest[..before];
    }
    None
}

/// Where the plain value begins that stands at the end of some bytes.
#[inline]
fn value_at_end(bytes: &[u8]) -> Option<usize> {
    match bytes.strip_suffix(b"\"") {
        Some(rest) => string_start(rest),
        None => {
            let length = bytes
                .iter()
                .rev()
                .take(MOST_DIGITS + 1)
                .take_while(|byte| byte.is_ascii_alphanumeric())
                .count();
            Some(bytes.len() - length)
        }
    }
}

/// The key before the value that stands behind some bytes, and where the comma before it is.
#[inline]
fn key_at_end(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let rest = bytes.strip_suffix(b"\":")?;
    let start = string_start(rest)?;
    let before = rest[..start].strip_suffix(b",")?;
    Some((&rest[start + 1..], before.len()))
}

/// The opening quote of the short string that ends behind some bytes.
#[inline]
fn string_start(bytes: &[u8]) -> Option<usize> {
    const MOST: usize = 128;
    let from = bytes.len().saturating_sub(MOST);
    let start = from + memrchr(b'"', &bytes[from..])?;
    // An escaped quote opens nothing.
    (start > 0 && bytes[start - 1] != b'\\').then_some(start)
}

#[inline]
fn number_at(line: &[u8], start: usize, end: usize) -> Option<Span> {
    let digits = &line[start..end];
    let is_plain = (1..=MOST_DIGITS).contains(&digits.len())
        && digits[0] != b'0'
        && digits.iter().all(u8::is_ascii_digit);
    is_plain.then(|| Span::new(start, end))
}

/// True where the line from `from` on shows that it is not one record, or not as it was written: a control character, or
/// what stands neither inside of a string nor twice in one record, `}{"` or another `"parentId":`.
fn is_odd(level: Level, line: &[u8], from: usize) -> bool {
    let rest = &line[from..];
    dispatch!(level, simd => is_odd_with(simd, rest))
}

#[inline(always)]
fn is_odd_with<S: Simd>(simd: S, bytes: &[u8]) -> bool {
    simd.vectorize(
        #[inline(always)]
        || {
            let (ones, _) = bytes.as_chunks::<BLOCK>();
            let (nexts, _) = bytes.get(1..).unwrap_or_default().as_chunks::<BLOCK>();
            let mut at = 0;
            for (one, next) in ones.iter().zip(nexts) {
                let found = suspicious(simd, one, next);
                if found != 0 && is_odd_at_any(bytes, at, found) {
                    return true;
                }
                at += BLOCK;
            }
            // A block may be left that has no neighbour.
            let rest = &bytes[at..];
            let mut padded = [b' '; BLOCK + 1];
            padded[..rest.len()].copy_from_slice(rest);
            let (Some(one), Some(next)) = (padded.first_chunk(), padded.last_chunk()) else {
                return true;
            };
            let found = suspicious(simd, one, next);
            found != 0 && is_odd_at_any(bytes, at, found)
        },
    )
}

/// The places of a block that have to be looked at. The other block begins one byte later.
#[inline(always)]
fn suspicious<S: Simd>(simd: S, one: &[u8; BLOCK], next: &[u8; BLOCK]) -> u64 {
    let [quote, letter, closing, opening, space] =
        [b'"', b'p', b'}', b'{', b' '].map(|byte| u8x64::splat(simd, byte));
    let (one, next): (u8x64<S>, u8x64<S>) = ((*one).simd_into(simd), (*next).simd_into(simd));
    let key = one.simd_eq(quote) & next.simd_eq(letter);
    let seam = one.simd_eq(closing) & next.simd_eq(opening);
    (key | seam | one.simd_lt(space)).to_bitmask()
}

/// Whether one of the suspicious places of a block is odd indeed.
#[inline(never)]
fn is_odd_at_any(bytes: &[u8], block: usize, mut suspicious: u64) -> bool {
    while suspicious != 0 {
        let at = block + suspicious.trailing_zeros() as usize;
        match bytes.get(at..).unwrap_or_default() {
            [b'"', rest @ ..] if !rest.starts_with(b"parentId\":") => {}
            [b'}', b'{', next, ..] if *next != b'"' => {}
            [b'}', b'{'] => {}
            _ => return true,
        }
        suspicious &= suspicious - 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = r#"{"type":"message","id":"a","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"#;

    /// The time of the message in the line, where it is seen.
    fn time(line: &str) -> Option<f64> {
        let (id, time) = glimpse(Level::new(), line.as_bytes())?;
        assert_eq!(id, "a");
        Some(time)
    }

    #[test]
    fn the_ends_of_lines_as_pi_writes_them_are_seen() {
        for (rest, expected) in [
            (
                r#""user","content":"a \" b","timestamp":1772442001000}}"#,
                1_772_442_001_000.0,
            ),
            (
                r#""toolResult","content":[{"type":"text","text":"}{ x"}],"timestamp":7}}"#,
                7.0,
            ),
            (
                r#""assistant","content":"a","timestamp":17,"responseId":"x/y","durationMs":9,"ok":true,"level":"low"}}"#,
                17.0,
            ),
            (r#""user","content":"b, \"timestamp\":2","timestamp":1}}"#, 1.0),
        ] {
            assert_eq!(time(&format!("{HEAD}{rest}")), Some(expected), "{rest}");
        }
    }

    #[test]
    fn nothing_is_seen_of_what_is_odd() {
        let next = format!(r#"{HEAD}"user","content":"b","timestamp":1}}}}"#);
        for rest in [
            &*format!(r#""toolResult","content":"abc{next}"#),
            &*format!(r#""toolResult","content":"abc","timestamp":1}}}}{next}"#),
            r#""toolResult","content":[]}}"#,
            r#""toolResult","timestamp":01}}"#,
            r#""toolResult","timestamp":1234567890123456}}"#,
            r#""toolResult","timestamp":1.5}}"#,
            r#""toolResult","timestamp":1}} "#,
            "\"toolResult\",\"content\":\"a\tb\",\"timestamp\":1}}",
            r#""user","content":"b","timestamp":1}"#,
            r#""user","content":"b","timestamp":1,"role":"assistant"}}"#,
            r#""user","content":"b","timestamp":1,"content":"c"}}"#,
            r#""user","content":"b","timestamp":1,"r\u006fle":"assistant"}}"#,
            r#""user","content":"b","timestamp":1,"note":"\",\"timestamp\":2}}"#,
            r#""user","content":"b","timestamp":1,"note":{"a":1}}}"#,
            r#""user","content":"b, \"timestamp\":2,\"a\":1}}"#,
        ] {
            assert_eq!(time(&format!("{HEAD}{rest}")), None, "{rest}");
        }
    }

    #[test]
    fn what_is_odd_is_found_at_every_place() {
        let level = Level::new();
        for length in 0..200 {
            let plain = vec![b'x'; length];
            assert!(!is_odd(level, &plain, 0));
            for at in 0..=length {
                for odd in [&b"\t"[..], b"}{\"", b"\"parentId\":", b"\n"] {
                    let line = [&plain[..at], odd, &plain[at..]].concat();
                    assert!(is_odd(level, &line, 0), "{}", line.escape_ascii());
                    assert!(is_odd(level, &line, at));
                    assert!(!is_odd(level, &line, at + odd.len()));
                }
            }
        }
    }
}
