//! Framing: a file as lines, each ending at `\n` and nowhere else.

use std::{cell::RefCell, io};

use memchr::memchr;

use crate::{
    ReadAt,
    condense::{Condensed, Condenser, Elision},
};

/// Bytes that are read at once.
const CHUNK: usize = 256 << 10;
/// Lines up to this length are handed out as they are; longer ones are condensed.
const WHOLE_LINE: usize = 4 << 20;

thread_local! {
    /// The buffer of the last reading. A fresh one costs as much as a small file: its pages must come from the system
    /// and be zeroed, a few thousand times when a few thousand sessions are read.
    static SPARE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// One line. Its bytes are in [`Lines::bytes`] until the next one is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line {
    /// From 1.
    pub(crate) number: u64,
    pub(crate) offset: u64,
    /// Length in the file, without the line end.
    pub(crate) length: u64,
    /// It ends with a line feed. Only the last line can lack it.
    pub(crate) terminated: bool,
    /// How its bytes are held.
    pub(crate) form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// As in the file: the range of the buffer.
    Whole { start: usize, end: usize },
    /// Too long to keep: without the text of its long strings.
    Condensed,
    /// Too long to keep and broken: only its last megabytes, which begin this far into the line.
    Tail { skipped: u64 },
    /// Too long even without its long strings.
    Oversized,
}

/// Reads lines one after the other, in memory that does not depend on the file.
#[derive(Debug)]
pub(crate) struct Lines<S> {
    source: S,
    /// Bytes from here on are not read: the file as it was when the reading began.
    end: u64,
    /// The bytes are looked at where the source has them in memory, not in the buffer.
    in_memory: bool,
    buffer: Vec<u8>,
    /// The part of the bytes at hand that was not handed out yet.
    start: usize,
    filled: usize,
    /// Offset in the file of the first byte at hand.
    base: u64,
    number: u64,
    condenser: Condenser,
}

impl<S: ReadAt> Lines<S> {
    /// The lines of `source` from `offset` (the start of line `number + 1`) up to `end`.
    pub(crate) fn new(source: S, offset: u64, number: u64, end: u64) -> Self {
        // A line that is too long to be handed out is condensed, and that goes by pieces.
        let all = source
            .in_memory()
            .map_or(0, |bytes| bytes.len().min(WHOLE_LINE - 1));
        if end <= all as u64 && offset <= end {
            return Self {
                source,
                end,
                in_memory: true,
                buffer: Vec::new(),
                start: offset as usize,
                filled: end as usize,
                base: 0,
                number,
                condenser: Condenser::default(),
            };
        }
        Self {
            source,
            end,
            in_memory: false,
            buffer: SPARE.try_with(RefCell::take).unwrap_or_default(),
            start: 0,
            filled: 0,
            base: offset,
            number,
            condenser: Condenser::default(),
        }
    }

    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    /// The bytes that were read.
    #[inline]
    fn at_hand(&self) -> &[u8] {
        if self.in_memory {
            self.source.in_memory().unwrap_or_default()
        } else {
            &self.buffer
        }
    }

    /// The bytes of the line that was handed out last.
    pub(crate) fn bytes(&self, line: &Line) -> &[u8] {
        match line.form {
            Form::Whole { start, end } => &self.at_hand()[start..end],
            Form::Condensed | Form::Tail { .. } => self.condenser.bytes(),
            Form::Oversized => &[],
        }
    }

    /// The bytes of a damaged line that are at hand, as in the file: all of them, or the last of a long one.
    pub(crate) fn damaged_bytes(&self, line: &Line) -> &[u8] {
        match line.form {
            Form::Whole { start, end } => &self.at_hand()[start..end],
            Form::Condensed | Form::Tail { .. } => self.condenser.tail(),
            Form::Oversized => &[],
        }
    }

    /// How far into the line [`Lines::damaged_bytes`] begin.
    pub(crate) fn damage_begins(&self, line: &Line) -> u64 {
        line.length - self.damaged_bytes(line).len() as u64
    }

    /// True when a long line has a control character, in the strings that were left out as well.
    pub(crate) fn has_control(&self, line: &Line) -> bool {
        line.form == Form::Condensed && self.condenser.has_control()
    }

    /// The strings left out of the line that was handed out last.
    pub(crate) fn elisions(&self, line: &Line) -> &[Elision] {
        if line.form == Form::Condensed {
            self.condenser.elisions()
        } else {
            &[]
        }
    }

    pub(crate) fn next(&mut self) -> io::Result<Option<Line>> {
        let mut searched = self.start;
        loop {
            if let Some(found) = memchr(b'\n', &self.at_hand()[searched..self.filled]) {
                let end = searched + found;
                let line = self.line(
                    end - self.start,
                    true,
                    Form::Whole {
                        start: self.start,
                        end,
                    },
                );
                self.start = end + 1;
                return Ok(Some(line));
            }
            let pending = self.filled - self.start;
            if pending >= WHOLE_LINE {
                return self.long_line().map(Some);
            }
            let already = self.filled;
            let moved = self.start;
            if self.fill()? == 0 {
                if pending == 0 {
                    return Ok(None);
                }
                let form = Form::Whole {
                    start: self.start,
                    end: self.filled,
                };
                let line = self.line(pending, false, form);
                self.start = self.filled;
                return Ok(Some(line));
            }
            // Filling may have moved the pending bytes to the front.
            searched = already - (moved - self.start);
        }
    }

    fn line(&mut self, length: usize, terminated: bool, form: Form) -> Line {
        self.number += 1;
        Line {
            number: self.number,
            offset: self.base + self.start as u64,
            length: length as u64,
            terminated,
            form,
        }
    }

    /// Reads one more chunk behind the pending bytes.
    fn fill(&mut self) -> io::Result<usize> {
        let next = self.base + self.filled as u64;
        let wanted = usize::try_from(self.end.saturating_sub(next))
            .unwrap_or(usize::MAX)
            .min(CHUNK);
        if wanted == 0 {
            return Ok(0);
        }
        if self.start > 0 && self.filled + wanted > self.buffer.len() {
            self.buffer.copy_within(self.start..self.filled, 0);
            self.base += self.start as u64;
            self.filled -= self.start;
            self.start = 0;
        }
        if self.filled + wanted > self.buffer.len() {
            self.buffer.resize(self.filled + wanted, 0);
        }
        loop {
            match self
                .source
                .read_at(next, &mut self.buffer[self.filled..self.filled + wanted])
            {
                Ok(read) => {
                    self.filled += read;
                    return Ok(read);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Feeds the pending bytes and all that follows to the condenser, up to the end of the line.
    fn long_line(&mut self) -> io::Result<Line> {
        let offset = self.base + self.start as u64;
        self.number += 1;
        self.condenser.begin(offset);
        let terminated = loop {
            let pending = &self.buffer[self.start..self.filled];
            if let Some(found) = memchr(b'\n', pending) {
                self.condenser.feed(&pending[..found]);
                self.start += found + 1;
                break true;
            }
            self.condenser.feed(pending);
            self.start = self.filled;
            // Nothing is pending, so the chunk goes to the front of the buffer.
            self.base += self.filled as u64;
            (self.start, self.filled) = (0, 0);
            if self.fill()? == 0 {
                break false;
            }
        };
        let length = self.base + self.start as u64 - u64::from(terminated) - offset;
        let form = match self.condenser.finish() {
            Condensed::Line => Form::Condensed,
            Condensed::Broken { skipped } => Form::Tail { skipped },
            Condensed::Oversized => Form::Oversized,
        };
        // The buffer grew to the size of a long line; most lines are short.
        if self.start == self.filled && self.buffer.len() > CHUNK {
            self.base += self.filled as u64;
            (self.start, self.filled) = (0, 0);
            self.buffer.truncate(CHUNK);
            self.buffer.shrink_to_fit();
        }
        Ok(Line {
            number: self.number,
            offset,
            length,
            terminated,
            form,
        })
    }
}

/// Reads the source, or its bytes that are at hand: as they were when they were read.
impl<S: ReadAt> ReadAt for Lines<S> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let start = offset.checked_sub(self.base).map(usize::try_from);
        let there = match start {
            Some(Ok(start)) if start < self.filled => &self.at_hand()[start..self.filled],
            _ => return self.source.read_at(offset, buffer),
        };
        let length = there.len().min(buffer.len());
        buffer[..length].copy_from_slice(&there[..length]);
        Ok(length)
    }
}

impl<S> Drop for Lines<S> {
    fn drop(&mut self) {
        let buffer = std::mem::take(&mut self.buffer);
        if !buffer.is_empty() && buffer.len() <= 2 * CHUNK {
            // A thread that is ending has no use for it.
            let _ = SPARE.try_with(|spare| spare.replace(buffer));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that gives a few bytes at a time.
    struct Drip<'a>(&'a [u8], usize);

    impl ReadAt for Drip<'_> {
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            let length = buffer.len().min(self.1);
            self.0.read_at(offset, &mut buffer[..length])
        }
    }

    #[test]
    fn lines_are_the_same_however_the_bytes_arrive() {
        let bytes = b"one\n\ntwo\r\nthree\xe2\x80\xa8still\nlast";
        for drip in 1..bytes.len() {
            let mut lines = Lines::new(Drip(bytes, drip), 0, 0, bytes.len() as u64);
            let mut seen = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                let text = lines.bytes(&line).to_vec();
                assert_eq!(&bytes[line.offset as usize..][..line.length as usize], text);
                seen.push((line.number, String::from_utf8(text).unwrap(), line.terminated));
            }
            let texts: Vec<_> = seen.iter().map(|(_, text, _)| text.as_str()).collect();
            assert_eq!(
                texts,
                ["one", "", "two\r", "three\u{2028}still", "last"],
                "{drip} bytes at a time"
            );
            assert_eq!(
                seen.iter().map(|line| line.0).collect::<Vec<_>>(),
                [1, 2, 3, 4, 5]
            );
            assert!(!seen[4].2);
        }
    }

    #[test]
    fn reading_stops_at_the_given_end() {
        let mut lines = Lines::new(&b"one\ntwo\nthree\n"[..], 4, 1, 6);
        let line = lines.next().unwrap().unwrap();
        assert_eq!(
            (line.number, line.offset, line.terminated, lines.bytes(&line)),
            (2, 4, false, &b"tw"[..])
        );
        assert!(lines.next().unwrap().is_none());
    }
}
