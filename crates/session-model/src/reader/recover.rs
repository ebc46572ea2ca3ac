//! Records inside damaged lines.

use std::io;

use memchr::{memchr_iter, memmem};

use super::{Item, SessionReader};
use crate::{
    DiagnosticKind, Place, ReadAt,
    frame::Line,
    json::Control,
    parse::{LineText, ParseError},
};

impl<S: ReadAt> SessionReader<S> {
    /// Looks for whole records in a damaged line: an append that was cut off and the next one behind it, records
    /// behind a run of NUL bytes, lines that end in a lone carriage return, control characters inside strings.
    /// `skipped` bytes of the line are not at hand; the first `start` of the others are no part of a record.
    pub(super) fn recover(&mut self, line: &Line, skipped: u64, start: usize) -> io::Result<()> {
        let bytes = &self.lines.damaged_bytes(line)[start..];
        let base = line.offset + skipped + start as u64;
        let text = LineText::new(bytes, &[], self.lines.source());
        let mut found = Vec::new();
        // Every candidate may be walked to the end of the line before it turns out to be none.
        let mut budget = bytes.len().saturating_mul(8).saturating_add(64 << 10);
        let mut at = 0;
        let mut candidates = Candidates::new(bytes);
        while let Some(candidate) = candidates.next(at) {
            let rest = bytes.len() - candidate;
            if budget < rest {
                break;
            }
            let place = Place {
                line: line.number,
                offset: base + candidate as u64,
                length: 0,
                recovered: true,
            };
            at = candidate + 1;
            let mut item = None;
            match self
                .parser
                .record_at(&text, candidate, place, self.fields, &mut item)
            {
                Ok(end) => {
                    budget -= end - candidate;
                    // What is JSON but no record may still hold records further in.
                    at = if item.is_some() { end } else { at };
                    found.extend(item);
                }
                Err(ParseError::Malformed { at }) => budget -= at.saturating_sub(candidate).clamp(1, rest),
                Err(ParseError::Io(error)) => return Err(error),
            }
        }
        self.note(
            if found.is_empty() {
                DiagnosticKind::DamagedLine
            } else {
                DiagnosticKind::RecoveredLine
            },
            line,
        );
        for mut item in found {
            self.migrate(&mut item, false);
            self.waiting.push_back(item);
        }
        Ok(())
    }

    /// The damaged line has a record that is whole but for control characters inside its strings.
    pub(super) fn recover_whole(&mut self, line: &Line, mut item: Item) {
        match &mut item {
            Item::Header(header) => header.place.recovered = true,
            Item::Entry(entry) => entry.place.recovered = true,
        }
        self.note(DiagnosticKind::RecoveredLine, line);
        self.migrate(&mut item, false);
        self.waiting.push_back(item);
    }

    /// What Pi's list sees of a line that its line reader splits.
    pub(super) fn pieces(&mut self, line: &Line) -> Vec<Item> {
        let text = String::from_utf8_lossy(self.lines.bytes(line)).into_owned();
        let place = Place {
            line: line.number,
            offset: line.offset,
            length: line.length,
            recovered: false,
        };
        let mut items = Vec::new();
        for piece in text.split(['\r', '\u{2028}', '\u{2029}']) {
            let control = self.parser.take_up(piece.as_bytes(), Control::Refuse);
            let piece = LineText::new(piece.as_bytes(), &[], self.lines.source());
            let mut item = None;
            // What is no JSON is nothing to the list.
            let parsed = self.parser.line(&piece, control, place, self.fields, &mut item);
            items.extend(item.filter(|_| parsed.is_ok()));
        }
        items
    }
}

/// Places in a damaged line where a record may begin: where its type stands first, as Pi writes it; and at the start of
/// the line and behind control characters, where a record may begin with any of its members.
struct Candidates<'a> {
    bytes: &'a [u8],
    /// The next place with a type, once it was looked for.
    typed: Option<usize>,
}

impl<'a> Candidates<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, typed: None }
    }

    /// The first candidate from `from` on, which must not go back. All calls together are linear.
    fn next(&mut self, from: usize) -> Option<usize> {
        let bytes = self.bytes;
        if from == 0 {
            // White space may stand before the first record.
            let first = bytes.iter().position(|byte| !byte.is_ascii_whitespace())?;
            if bytes[first] == b'{' {
                return Some(first);
            }
        }
        let typed = match self.typed {
            Some(typed) if typed >= from => typed,
            _ => memmem::find(&bytes[from..], b"{\"type\":").map_or(bytes.len(), |found| from + found),
        };
        self.typed = Some(typed);
        let behind_control = |&at: &usize| bytes[at - 1] < 0x20;
        let bracket = memchr_iter(b'{', &bytes[from..typed])
            .map(|found| from + found)
            .filter(|&at| at > 0)
            .find(behind_control);
        bracket.or((typed < bytes.len()).then_some(typed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(bytes: &[u8]) -> Vec<usize> {
        let (mut found, mut at) = (Vec::new(), 0);
        let mut candidates = Candidates::new(bytes);
        while let Some(next) = candidates.next(at) {
            found.push(next);
            at = next + 1;
        }
        found
    }

    #[test]
    fn records_begin_at_a_type_or_behind_control_characters() {
        assert!(candidates(b"").is_empty());
        assert_eq!(candidates(b"{\"id\":1}"), [0]);
        assert_eq!(candidates(b"  {\"id\":1}\0\0{\"a\":{\"b\":1}}\r{}"), [2, 12, 26]);
        assert_eq!(candidates(b"x{\"id\":{\"type\":1}}{\"type\":2}"), [7, 18]);
        assert_eq!(candidates(b"{\"type\""), [0]);
    }
}
