//! Lines that Pi's list takes for several.

use memchr::{memchr, memmem};

use crate::json::Marks;

/// Pi's list reads with a line reader that also splits lines at a lone carriage return, U+2028 and U+2029.
pub(super) fn splits(line: &[u8], marks: &Marks) -> bool {
    (marks.control() && has_lone_return(line)) || (marks.high() && has_separator(line))
}

/// A carriage return that is not at the end of the line.
fn has_lone_return(line: &[u8]) -> bool {
    memchr(b'\r', line).is_some_and(|first| line[first..].iter().any(|&byte| byte != b'\r'))
}

/// Both characters begin with the same two bytes.
fn has_separator(line: &[u8]) -> bool {
    memmem::find_iter(line, b"\xe2\x80").any(|found| matches!(line.get(found + 2), Some(0xa8 | 0xa9)))
}

#[cfg(test)]
mod tests {
    use crate::json::{Control, Walker};

    #[test]
    fn lines_split_at_returns_inside_and_at_separators() {
        let splits = |line: &[u8]| {
            let mut walker = Walker::default();
            walker.take_up(line, Control::Refuse);
            super::splits(line, walker.marks())
        };
        for line in [&b"a\rb"[..], "a\u{2028}b".as_bytes(), "a\u{2029}".as_bytes()] {
            assert!(splits(line), "{}", line.escape_ascii());
        }
        for line in [
            &b""[..],
            b"plain\r\r",
            b"a\tb",
            "caf\u{e9} \u{2026} \u{2027}".as_bytes(),
        ] {
            assert!(!splits(line), "{}", line.escape_ascii());
        }
    }
}
