//! What kinds of bytes a line holds.

use memchr::{memchr, memmem};

/// One pass over a line that the compiler turns into vector instructions.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bytes {
    /// Control characters other than carriage returns at the end.
    pub(super) control: bool,
    /// Bytes above ASCII.
    pub(super) high: bool,
}

impl Bytes {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let end = bytes.len() - bytes.iter().rev().take_while(|&&byte| byte == b'\r').count();
        let (mut lowest, mut high) = (u8::MAX, 0);
        for &byte in &bytes[..end] {
            lowest = lowest.min(byte);
            high |= byte;
        }
        Self {
            control: lowest < 0x20,
            high: high >= 0x80,
        }
    }

    /// Pi's list reads with a line reader that also splits lines at a lone carriage return, U+2028 and U+2029.
    pub(super) fn splits(self, bytes: &[u8]) -> bool {
        let lone_return =
            || memchr(b'\r', bytes).is_some_and(|first| bytes[first..].iter().any(|&byte| byte != b'\r'));
        // Both characters begin with the same two bytes.
        let separator = || {
            memmem::find_iter(bytes, b"\xe2\x80")
                .any(|found| matches!(bytes.get(found + 2), Some(0xa8 | 0xa9)))
        };
        (self.control && lone_return()) || (self.high && separator())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_bytes_are_told_apart() {
        let kinds = |bytes: &[u8]| {
            let seen = Bytes::of(bytes);
            (seen.control, seen.high, seen.splits(bytes))
        };
        assert_eq!(kinds(b""), (false, false, false));
        assert_eq!(kinds(b"plain\r\r"), (false, false, false));
        assert_eq!(kinds(b"a\rb"), (true, false, true));
        assert_eq!(kinds(b"a\tb"), (true, false, false));
        assert_eq!(kinds("a\u{2028}b".as_bytes()), (false, true, true));
        assert_eq!(kinds("a\u{2029}".as_bytes()), (false, true, true));
        assert_eq!(kinds("caf\u{e9} \u{2026}".as_bytes()), (false, true, false));
    }
}
