//! Lines too long to keep: their structure and short values are copied, the text of long strings is left in the file.

use memchr::memchr2;

/// Strings up to this length are copied.
const SHORT: usize = 64 << 10;
/// The condensed line may have this length; what is longer is no session entry that makes sense.
const MOST: usize = 24 << 20;
/// Of a broken line this much is kept for the recovery of records behind the damage.
const TAIL: usize = 4 << 20;

/// A string whose text was left out: where the text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Elision {
    /// Position behind the opening quote in the condensed line; the closing quote follows at once.
    pub(crate) at: usize,
    /// Offset of the text in the file.
    pub(crate) offset: u64,
    /// Length of the text in the file, escapes as they are.
    pub(crate) length: u64,
}

/// What became of a long line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condensed {
    Line,
    Broken { skipped: u64 },
    Oversized,
}

/// The members of entries and messages that are read; the values of all others are left out of a condensed line.
const ENTRY_MEMBERS: &[&str] = &[
    "type",
    "id",
    "parentId",
    "timestamp",
    "message",
    "version",
    "cwd",
    "parentSession",
    "content",
    "summary",
    "firstKeptEntryId",
    "firstKeptEntryIndex",
    "targetId",
    "replacement",
    "label",
    "name",
    "customType",
    "provider",
    "modelId",
    "model",
    "thinkingLevel",
    "fromId",
    "usage",
    "kind",
    "display",
    "tokensBefore",
    "systemMessage",
];
const MESSAGE_MEMBERS: &[&str] = &[
    "role",
    "content",
    "timestamp",
    "usage",
    "model",
    "provider",
    "stopReason",
    "errorMessage",
    "toolCallId",
    "toolName",
    "isError",
    "command",
    "output",
    "exitCode",
    "cancelled",
    "truncated",
    "excludeFromContext",
    "responseId",
];

/// A machine that takes a line in pieces of any size.
#[derive(Debug, Default)]
pub(crate) struct Condenser {
    out: Vec<u8>,
    elisions: Vec<Elision>,
    /// The last bytes of the line, as in the file.
    tail: Vec<u8>,
    /// Offset in the file of the next byte.
    offset: u64,
    length: u64,
    depth: u32,
    string: Option<OpenString>,
    /// The last string that ended at depth 1 or 2, a key if a colon follows.
    last: (usize, usize),
    /// Depth-1 key of the value being read is `message`.
    in_message: bool,
    /// Values are not copied until the one that began at this depth ends; position of `out` to put `null` at.
    skipping: Option<(u32, usize)>,
    broken: bool,
    oversized: bool,
    /// A control character was seen; carriage returns at the end of the line do not count.
    control: bool,
    /// The bytes that were fed end in carriage returns.
    returns: bool,
}

#[derive(Debug, Clone, Copy)]
struct OpenString {
    /// Position in `out` behind the opening quote.
    start: usize,
    offset: u64,
    /// The byte before was a backslash that escapes the next one.
    escaped: bool,
    /// Too long to copy: the copy was taken back.
    elided: bool,
}

impl Condenser {
    pub(crate) fn begin(&mut self, offset: u64) {
        // Buffers keep their memory only while they are small.
        let (mut out, mut tail) = (std::mem::take(&mut self.out), std::mem::take(&mut self.tail));
        out.clear();
        tail.clear();
        out.shrink_to(SHORT);
        *self = Self {
            out,
            tail,
            offset,
            ..Self::default()
        };
    }

    /// The condensed line, or the tail of a broken one.
    pub(crate) fn bytes(&self) -> &[u8] {
        if self.broken { &self.tail } else { &self.out }
    }

    /// The last bytes of the line, as in the file.
    pub(crate) fn tail(&self) -> &[u8] {
        &self.tail
    }

    pub(crate) fn has_control(&self) -> bool {
        self.control
    }

    pub(crate) fn elisions(&self) -> &[Elision] {
        &self.elisions
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        self.keep_tail(bytes);
        self.note_control(bytes);
        self.length += bytes.len() as u64;
        let base = self.offset;
        self.offset += bytes.len() as u64;
        let mut at = 0;
        while at < bytes.len() && !self.broken && !self.oversized {
            at = match self.string {
                Some(open) => self.in_string(open, bytes, at),
                None => self.structure(bytes[at], base + at as u64).map_or_else(
                    || {
                        self.broken = true;
                        at
                    },
                    |()| at + 1,
                ),
            };
            self.oversized |= self.out.len() > MOST;
        }
        if self.oversized {
            self.out = Vec::new();
        }
    }

    pub(crate) fn finish(&mut self) -> Condensed {
        if self.oversized {
            return Condensed::Oversized;
        }
        self.broken |= self.depth != 0 || self.string.is_some();
        if self.broken {
            Condensed::Broken {
                skipped: self.length - self.tail.len() as u64,
            }
        } else {
            Condensed::Line
        }
    }

    fn note_control(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let returns = bytes.iter().rev().take_while(|&&byte| byte == b'\r').count();
        let inner = &bytes[..bytes.len() - returns];
        let lowest = inner.iter().fold(u8::MAX, |lowest, &byte| lowest.min(byte));
        self.control |= lowest < 0x20 || (self.returns && !inner.is_empty());
        self.returns = returns > 0;
    }

    fn keep_tail(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(TAIL)..];
        if self.tail.len() + bytes.len() > 2 * TAIL {
            // Moved once per TAIL bytes, so every byte is moved at most once more.
            let surplus = self.tail.len() - (TAIL - bytes.len()).min(self.tail.len());
            self.tail.drain(..surplus);
        }
        self.tail.extend_from_slice(bytes);
    }

    /// Goes on inside a string; returns the position behind what was used.
    fn in_string(&mut self, mut open: OpenString, bytes: &[u8], mut at: usize) -> usize {
        if open.escaped {
            self.copy(&mut open, &bytes[at..=at]);
            open.escaped = false;
            at += 1;
        }
        let rest = &bytes[at..];
        let stop = memchr2(b'"', b'\\', rest).unwrap_or(rest.len());
        self.copy(&mut open, &rest[..stop]);
        at += stop;
        match bytes.get(at) {
            None => {
                self.string = Some(open);
                at
            }
            Some(b'\\') => {
                self.copy(&mut open, b"\\");
                open.escaped = true;
                self.string = Some(open);
                at + 1
            }
            Some(_) => {
                let end = self.offset - (bytes.len() - at) as u64;
                if self.skipping.is_none() {
                    if open.elided {
                        self.elisions.push(Elision {
                            at: open.start,
                            offset: open.offset,
                            length: end - open.offset,
                        });
                    }
                    self.last = (open.start, self.out.len());
                    self.out.push(b'"');
                }
                self.string = None;
                at + 1
            }
        }
    }

    fn copy(&mut self, open: &mut OpenString, bytes: &[u8]) {
        if self.skipping.is_some() || open.elided {
            return;
        }
        if self.out.len() - open.start + bytes.len() > SHORT {
            self.out.truncate(open.start);
            open.elided = true;
        } else {
            self.out.extend_from_slice(bytes);
        }
    }

    /// One byte outside of strings; `None` when the brackets do not match.
    fn structure(&mut self, byte: u8, offset: u64) -> Option<()> {
        let closing = matches!(byte, b'}' | b']');
        if let Some((depth, at)) = self.skipping
            && ((closing || byte == b',') && self.depth == depth)
        {
            self.skipping = None;
            self.out.truncate(at);
            self.out.extend_from_slice(b"null");
        }
        if closing {
            self.depth = self.depth.checked_sub(1)?;
        }
        if self.skipping.is_none() {
            self.out.push(byte);
        }
        match byte {
            b'"' => {
                let start = self.out.len();
                self.string = Some(OpenString {
                    start,
                    offset: offset + 1,
                    escaped: false,
                    elided: false,
                });
            }
            b'{' | b'[' => self.depth += 1,
            b':' if self.skipping.is_none() && self.depth <= 2 => self.key(),
            _ => {}
        }
        Some(())
    }

    /// A colon at depth 1 or 2: the last string was a key.
    fn key(&mut self) {
        let key = &self.out[self.last.0..self.last.1];
        let known = |names: &[&str]| names.iter().any(|name| name.as_bytes() == key);
        let wanted = match self.depth {
            1 => {
                self.in_message = key == b"message";
                known(ENTRY_MEMBERS)
            }
            2 if self.in_message => known(MESSAGE_MEMBERS),
            _ => true,
        };
        if !wanted {
            self.skipping = Some((self.depth, self.out.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condense(line: &str, piece: usize) -> (Condensed, String, Vec<Elision>) {
        let mut condenser = Condenser::default();
        condenser.begin(100);
        line.as_bytes()
            .chunks(piece)
            .for_each(|piece| condenser.feed(piece));
        let result = condenser.finish();
        (
            result,
            String::from_utf8(condenser.bytes().to_vec()).unwrap(),
            condenser.elisions().to_vec(),
        )
    }

    #[test]
    fn long_strings_and_unknown_members_are_left_out() {
        let long = "x\\\"y".repeat(SHORT / 3);
        let line = format!(
            r#"{{"type":"message","data":{{"a":["{long}",1]}},"message":{{"role":"user","details":[1,{{"b":2}}],"content":[{{"type":"text","text":"{long}"}},{{"type":"text","text":"short, \"quoted\""}}]}},"id":"a1"}}"#
        );
        let expected = r#"{"type":"message","data":null,"message":{"role":"user","details":null,"content":[{"type":"text","text":""},{"type":"text","text":"short, \"quoted\""}]},"id":"a1"}"#;
        for piece in [1, 7, 1000, line.len()] {
            let (result, out, elisions) = condense(&line, piece);
            assert_eq!(
                (result, out.as_str()),
                (Condensed::Line, expected),
                "pieces of {piece}"
            );
            assert_eq!(elisions.len(), 1);
            let found = &line[elisions[0].offset as usize - 100..][..elisions[0].length as usize];
            assert_eq!(found, long);
            assert_eq!(&out[elisions[0].at - 1..=elisions[0].at], "\"\"");
        }
    }

    #[test]
    fn of_a_broken_line_the_end_is_kept() {
        let line = format!(
            r#"{{"type":"message","message":{{"content":"{}{{"type":"label","id":"x"}}"#,
            "z".repeat(9 << 20)
        );
        let (result, out, _) = condense(&line, 256 << 10);
        let Condensed::Broken { skipped } = result else {
            panic!("{result:?}")
        };
        assert_eq!(&line[skipped as usize..], out);
        assert!(out.len() >= TAIL && out.len() <= 2 * TAIL + (256 << 10));
    }
}
