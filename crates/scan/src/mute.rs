//! Lines that cannot hold text of user or assistant: most bytes of a file are results of tools.

use fearless_simd::{Level, dispatch, prelude::*, u8x64};
use memchr::{memchr, memmem};

const BLOCK: usize = 64;

/// Bytes of a line in which its role stands as a rule.
const ROLE_WITHIN: usize = 256;

/// Tells lines in which somebody may speak from all others.
#[derive(Debug)]
pub(crate) struct Ears {
    level: Level,
    role: memmem::Finder<'static>,
    speakers: [memmem::Finder<'static>; 2],
    escape: memmem::Finder<'static>,
}

impl Ears {
    pub(crate) fn new() -> Self {
        Self {
            level: Level::new(),
            role: memmem::Finder::new("\"role\":\""),
            speakers: ["\"assistant\"", "\"user\""].map(memmem::Finder::new),
            escape: memmem::Finder::new("\\u00"),
        }
    }

    /// The end of the first line of `bytes`, and false where it cannot hold text of user or assistant.
    pub(crate) fn listen(&self, bytes: &[u8]) -> (usize, bool) {
        let head = &bytes[..bytes.len().min(ROLE_WITHIN)];
        // Pi writes the role near the start.
        if let Some(at) = self.role.find(head)
            && memchr(b'\n', &head[..at]).is_none()
        {
            let role = &bytes[at + self.role.needle().len()..];
            if role.starts_with(b"toolResult\"")
                && let Some(end) = dispatch!(self.level, simd => end_of_mute(simd, bytes, at))
            {
                return (end, false);
            }
            if role.starts_with(b"user\"") || role.starts_with(b"assistant\"") {
                return (end_of_line(bytes), true);
            }
        }
        let end = end_of_line(bytes);
        (end, self.may_speak(&bytes[..end]))
    }

    /// The same without a look at what Pi writes where.
    fn may_speak(&self, line: &[u8]) -> bool {
        self.speakers.iter().any(|role| role.find(line).is_some())
            // It may be written with escapes, for what it is worth.
            || self.escape.find_iter(line).any(|at| is_letter_escaped(&line[at..]))
    }
}

fn end_of_line(bytes: &[u8]) -> usize {
    memchr(b'\n', bytes).unwrap_or(bytes.len())
}

/// Whether an escape stands for an ASCII character that needs none.
fn is_letter_escaped(bytes: &[u8]) -> bool {
    matches!(bytes, [b'\\', b'u', b'0', b'0', b'2'..=b'7', ..])
}

/// The end of a line whose role, at `role`, is none that speaks. `None` where it names a role a second time, as the next
/// record in a damaged line does, or where anything could be named with escapes.
#[inline(always)]
fn end_of_mute<S: Simd>(simd: S, bytes: &[u8], role: usize) -> Option<usize> {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut at = 0;
            let (ones, _) = bytes.as_chunks::<BLOCK>();
            let (nexts, _) = bytes.get(1..).unwrap_or_default().as_chunks::<BLOCK>();
            for (one, next) in ones.iter().zip(nexts) {
                let found = telling(simd, one, next);
                if found != 0
                    && let Some(end) = told(bytes, at, found, role)
                {
                    return end;
                }
                at += BLOCK;
            }
            let rest = &bytes[at..];
            let mut padded = [b' '; BLOCK + 1];
            padded[..rest.len()].copy_from_slice(rest);
            if let (Some(one), Some(next)) = (padded.first_chunk(), padded.last_chunk())
                && let Some(end) = told(bytes, at, telling(simd, one, next), role)
            {
                return end;
            }
            Some(bytes.len())
        },
    )
}

/// The places of a block that have to be looked at. The other block begins one byte later.
#[inline(always)]
fn telling<S: Simd>(simd: S, one: &[u8; BLOCK], next: &[u8; BLOCK]) -> u64 {
    let [feed, quote, letter_r, slash, letter_u] =
        [b'\n', b'"', b'r', b'\\', b'u'].map(|byte| u8x64::splat(simd, byte));
    let (one, next): (u8x64<S>, u8x64<S>) = ((*one).simd_into(simd), (*next).simd_into(simd));
    let key = one.simd_eq(quote) & next.simd_eq(letter_r);
    let escape = one.simd_eq(slash) & next.simd_eq(letter_u);
    (one.simd_eq(feed) | key | escape).to_bitmask()
}

/// What the first telling place of a block says about the line: its end, or that it may speak.
#[inline(never)]
fn told(bytes: &[u8], block: usize, mut telling: u64, role: usize) -> Option<Option<usize>> {
    while telling != 0 {
        let at = block + telling.trailing_zeros() as usize;
        match bytes[at] {
            b'\n' => return Some(Some(at)),
            b'"' if at != role && bytes[at..].starts_with(b"\"role\"") => return Some(None),
            _ if is_letter_escaped(&bytes[at..]) => return Some(None),
            _ => {}
        }
        telling &= telling - 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listen(line: &str) -> bool {
        let ears = Ears::new();
        let alone = ears.listen(line.as_bytes());
        assert_eq!(alone.0, line.len());
        let next = "{\"role\":\"user\",\"x\":\"\\u0041\"}";
        assert_eq!(ears.listen(format!("{line}\n{next}").as_bytes()), alone);
        alone.1
    }

    #[test]
    fn lines_of_others_are_passed_over() {
        for length in 0..200 {
            let text = "x".repeat(length);
            assert!(!listen(&format!(
                r#"{{"role":"toolResult","content":"{text}\u001b"}}"#
            )));
            assert!(listen(&format!(
                r#"{{"role":"toolResult","content":"{text}{{"role":"user"}}"#
            )));
            assert!(listen(&format!(
                r#"{{"role":"toolResult","content":"{text}","r\u006fle":"user"}}"#
            )));
            assert!(listen(&format!(r#"{{"content":"{text}","role":"user"}}"#)));
            assert!(listen(&format!(r#"{{"role":"user","content":"{text}"}}"#)));
            assert!(!listen(&format!(r#"{{"content":"{text}","role":"toolResult"}}"#)));
            assert!(listen(&format!(
                r#"{{"role":"toolResult","content":"{text}","role" :"assistant"}}"#
            )));
        }
        for line in [
            "",
            "{}",
            r#"{"type":"session"}"#,
            r#"{"role":"system","content":"\"user\""}"#,
        ] {
            assert!(!listen(line), "{line}");
        }
        assert!(listen(r#"{"role":"\u0075ser"}"#));
    }
}
