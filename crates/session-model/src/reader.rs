use std::io;

use camino::Utf8Path;
use memchr::memmem;

use crate::{
    DiagnosticKind, Diagnostics, Entry, EntryId, EntryKind, Fields, FileStamp, Header, OpenError, Place,
    ReadAt,
    frame::{Form, Line, Lines},
    json::Control,
    open_session_file,
    parse::{LineText, ParseError, Parser, Record, is_json_space, js_trim},
};

/// A record of a session file, in file order.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A header: the first record as a rule, but a file can hold a second one, or none.
    Header(Header),
    /// Everything else.
    Entry(Entry),
}

/// Where a reading ended, and where a later one can go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// Offset behind the last line that had an end.
    pub offset: u64,
    /// Number of lines before that offset.
    pub lines: u64,
    /// Number of records before that offset, as Pi counts them.
    pub records: u64,
}

/// Reads a session file record by record, in memory that does not grow with the file.
///
/// It reads the file as long as it was when it was opened: what is appended meanwhile is for the next reading. What
/// is odd becomes a [`Diagnostic`](crate::Diagnostic); only the operating system's errors end a reading early.
///
/// ```
/// use lookback_session_model::{Fields, Item, SessionReader};
///
/// let bytes = br#"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/dev"}
/// {"type":"session_info","id":"a1","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","name":"Parser"}
/// "#;
/// let mut reader = SessionReader::from_bytes(bytes, Fields::TEXT);
/// let mut entries = 0;
/// while let Some(item) = reader.next_item()? {
///     if let Item::Entry(entry) = item {
///         assert_eq!(entry.place.line, 2);
///         entries += 1;
///     }
/// }
/// assert_eq!(entries, 1);
/// assert!(reader.diagnostics().is_empty());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct SessionReader<S> {
    lines: Lines<S>,
    parser: Parser,
    fields: Fields,
    end: u64,
    diagnostics: Diagnostics,
    /// Records of a damaged line that were not handed out yet, the next one last.
    recovered: Vec<Item>,
    position: Position,
    /// The version that decides how Pi reads the file: that of the first header.
    version: Option<Option<f64>>,
    /// Id given to the last entry of a version 1 file.
    previous: Option<EntryId>,
    /// Numbers of the records that are headers, for version 1 files.
    header_records: Vec<u64>,
    unfinished: bool,
    /// The line that was read last, and whether Pi's list splits it.
    current: Option<Line>,
    splits: bool,
}

impl SessionReader<std::fs::File> {
    /// Opens a session file. Links, FIFOs and devices are refused.
    ///
    /// # Errors
    /// [`OpenError`] when there is no regular file or it cannot be read.
    pub fn open(path: &Utf8Path, fields: Fields) -> Result<(Self, FileStamp), OpenError> {
        let (file, stamp) = open_session_file(path)?;
        Ok((Self::new(file, stamp.size, fields), stamp))
    }
}

impl<'a> SessionReader<&'a [u8]> {
    /// Reads bytes in memory.
    pub fn from_bytes(bytes: &'a [u8], fields: Fields) -> Self {
        Self::new(bytes, bytes.len() as u64, fields)
    }
}

impl<S: ReadAt> SessionReader<S> {
    /// Reads `source` from its start up to `end`.
    pub fn new(source: S, end: u64, fields: Fields) -> Self {
        Self::with(source, end, fields, Position::default(), None)
    }

    /// Goes on behind `position` in a file of version 2 or later, the version of its first header.
    pub(crate) fn resume(
        source: S,
        end: u64,
        fields: Fields,
        position: Position,
        version: Option<f64>,
    ) -> Self {
        Self::with(source, end, fields, position, Some(version))
    }

    fn with(source: S, end: u64, fields: Fields, position: Position, version: Option<Option<f64>>) -> Self {
        Self {
            lines: Lines::new(source, position.offset, position.lines, end),
            parser: Parser::default(),
            fields,
            end,
            diagnostics: Diagnostics::default(),
            recovered: Vec::new(),
            position,
            version,
            previous: None,
            header_records: vec![0],
            unfinished: false,
            current: None,
            splits: false,
        }
    }

    /// The next record; `None` at the end.
    ///
    /// # Errors
    /// When the operating system cannot read the file.
    pub fn next_item(&mut self) -> io::Result<Option<Item>> {
        loop {
            if let Some(item) = self.recovered.pop() {
                return Ok(Some(item));
            }
            let Some(line) = self.lines.next()? else {
                return Ok(None);
            };
            let item = self.read_line(&line)?;
            if line.terminated {
                self.position.offset = line.offset + line.length + 1;
                self.position.lines = line.number;
            }
            if item.is_some() {
                return Ok(item);
            }
        }
    }

    /// What was odd so far.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// Behind the last line that had an end.
    pub fn position(&self) -> Position {
        self.position
    }

    /// True when the last line had no end and was no whole record.
    pub fn is_unfinished(&self) -> bool {
        self.unfinished
    }

    /// What Pi's list sees of the line that was read last, where that differs: its line reader also splits lines at
    /// a lone carriage return, U+2028 and U+2029, so that a message with one of them is lost there.
    pub(crate) fn pieces_in_list(&mut self) -> Option<Vec<Item>> {
        let line = self.current.filter(|_| std::mem::take(&mut self.splits))?;
        let text = String::from_utf8_lossy(self.lines.bytes(&line)).into_owned();
        let mut items = Vec::new();
        for piece in text.split(['\r', '\u{2028}', '\u{2029}']) {
            let line_text = LineText {
                bytes: piece.as_bytes(),
                elisions: &[],
                source: self.lines.source(),
            };
            let place = Place {
                line: line.number,
                offset: line.offset,
                length: line.length,
                recovered: false,
            };
            match self.parser.line(&line_text, Control::Refuse, place, self.fields) {
                Ok(Record::Header(header)) => items.push(Item::Header(header)),
                Ok(Record::Entry(entry)) => items.push(Item::Entry(entry)),
                Ok(Record::Nothing) | Err(_) => {}
            }
        }
        Some(items)
    }

    pub(crate) fn source(&self) -> &S {
        self.lines.source()
    }

    /// The end up to which is read.
    pub fn end(&self) -> u64 {
        self.end
    }

    fn note(&mut self, kind: DiagnosticKind, line: &Line) {
        self.diagnostics.push(kind, line.number, line.offset);
    }

    fn read_line(&mut self, line: &Line) -> io::Result<Option<Item>> {
        (self.current, self.splits) = (Some(*line), false);
        match line.form {
            Form::Oversized => {
                self.note(DiagnosticKind::OversizedLine, line);
                return Ok(None);
            }
            Form::Tail { skipped } => {
                self.recover(line, 0, line.offset + skipped)?;
                return Ok(self.recovered.pop());
            }
            Form::Whole { .. } | Form::Condensed => {}
        }
        let bytes = self.lines.bytes(line);
        let marked = line.offset == 0 && bytes.starts_with(b"\xef\xbb\xbf");
        let start = if marked { 3 } else { 0 };
        let seen = Bytes::of(bytes);
        // Lines of white space are nothing, whichever white space it is.
        if bytes.len() - start < 64 && js_trim(&String::from_utf8_lossy(&bytes[start..])).is_empty() {
            return Ok(None);
        }
        self.splits = seen.splits(bytes);
        let control = if seen.control {
            Control::Refuse
        } else {
            Control::Ignore
        };
        let text = LineText {
            bytes: &bytes[start..],
            elisions: self.lines.elisions(line),
            source: self.lines.source(),
        };
        let place = Place {
            line: line.number,
            offset: line.offset + start as u64,
            length: line.length - start as u64,
            recovered: marked,
        };
        let parsed = self.parser.line(&text, control, place, self.fields);
        let replaced = seen.high && std::str::from_utf8(bytes).is_err();
        if marked {
            self.note(DiagnosticKind::ByteOrderMark, line);
        }
        match parsed {
            Ok(record) => {
                if replaced {
                    self.note(DiagnosticKind::ReplacedBytes, line);
                }
                Ok(self.take(record))
            }
            Err(ParseError::Io(error)) => Err(error),
            Err(ParseError::Malformed { .. })
                if !line.terminated && line.offset + line.length == self.end =>
            {
                // Another process may be writing it at this moment.
                self.unfinished = true;
                self.note(DiagnosticKind::UnfinishedLine, line);
                Ok(None)
            }
            Err(ParseError::Malformed { .. }) => {
                self.recover(line, start, line.offset + start as u64)?;
                Ok(self.recovered.pop())
            }
        }
    }

    /// Gives a record of an undamaged line its place among the records as Pi counts them.
    fn take(&mut self, record: Record) -> Option<Item> {
        let item = match record {
            Record::Nothing => return None,
            Record::Header(header) => Item::Header(header),
            Record::Entry(entry) => Item::Entry(entry),
        };
        Some(self.migrate(item))
    }

    /// The view of old versions that Pi has after migrating them; nothing is written.
    fn migrate(&mut self, item: Item) -> Item {
        let (number, recovered) = match &item {
            Item::Header(header) => (self.position.records, header.place.recovered),
            Item::Entry(entry) => (self.position.records, entry.place.recovered),
        };
        if !recovered {
            self.position.records += 1;
        }
        match item {
            Item::Header(header) => {
                self.version.get_or_insert(header.version);
                if !recovered && number > 0 {
                    self.header_records.push(number);
                }
                if header.id.is_none() {
                    self.diagnostics.push(
                        DiagnosticKind::HeaderWithoutId,
                        header.place.line,
                        header.place.offset,
                    );
                }
                Item::Header(header)
            }
            Item::Entry(mut entry) => {
                if self.version.flatten().is_some_and(|version| version < 2.0) {
                    self.number_entry(&mut entry, number, recovered);
                }
                if entry.id.is_none() {
                    let kind = match &entry.kind {
                        EntryKind::Unknown { type_name: None } => DiagnosticKind::NotARecord,
                        _ => DiagnosticKind::MissingId,
                    };
                    self.diagnostics.push(kind, entry.place.line, entry.place.offset);
                } else if matches!(entry.kind, EntryKind::Unknown { .. }) {
                    self.diagnostics
                        .push(DiagnosticKind::UnknownKind, entry.place.line, entry.place.offset);
                }
                self.note_odd_content(&entry);
                Item::Entry(entry)
            }
        }
    }

    /// Version 1: every entry continues the one before, and its id is its number. Pi draws random ids here, new ones
    /// at every look, until it rewrites the file.
    fn number_entry(&mut self, entry: &mut Entry, number: u64, recovered: bool) {
        let id = if recovered {
            EntryId::new(format!("v1-line-{}", entry.place.line))
        } else {
            EntryId::new(format!("v1-{number}"))
        };
        entry.parent_id = self.previous.replace(id.clone());
        entry.id = Some(id);
        if let EntryKind::Compaction {
            first_kept,
            first_kept_index: Some(index),
            ..
        } = &mut entry.kind
        {
            let target = *index as u64;
            let exists = *index >= 0.0
                && index.fract() == 0.0
                && target < number
                && !self.header_records.contains(&target);
            if exists {
                *first_kept = Some(EntryId::new(format!("v1-{target}")));
            }
        }
    }

    fn note_odd_content(&mut self, entry: &Entry) {
        let kind = match &entry.kind {
            EntryKind::Message(message) if message.content == crate::ContentShape::Invalid => {
                DiagnosticKind::InvalidContent
            }
            EntryKind::SessionInfo {
                name: crate::NameChange::Invalid,
            } => DiagnosticKind::InvalidName,
            _ => return,
        };
        self.diagnostics.push(kind, entry.place.line, entry.place.offset);
    }

    /// Looks for whole records in a damaged line: an append that was cut off and the next one behind it, records
    /// behind a run of NUL bytes, lines that end in a lone carriage return, control characters inside strings.
    fn recover(&mut self, line: &Line, start: usize, base: u64) -> io::Result<()> {
        let all = self.lines.bytes(line);
        let bytes = &all[start..];
        let text = LineText {
            bytes,
            elisions: self.lines.elisions(line),
            source: self.lines.source(),
        };
        let base = if line.form == Form::Condensed {
            line.offset
        } else {
            base
        };
        let mut found = Vec::new();
        // Every candidate may be walked to the end of the line before it turns out to be none.
        let mut budget = bytes.len().saturating_mul(8).saturating_add(64 << 10);
        let mut at = 0;
        while let Some(candidate) = next_candidate(bytes, at) {
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
            match self.parser.record_at(&text, candidate, place, self.fields) {
                Ok((record, end)) => {
                    budget -= end - candidate;
                    // What is JSON but no record may still hold records further in.
                    at = if record.is_some() { end } else { at };
                    found.extend(match record {
                        Some(Record::Header(header)) => Some(Item::Header(header)),
                        Some(Record::Entry(entry)) => Some(Item::Entry(entry)),
                        Some(Record::Nothing) | None => None,
                    });
                }
                Err(ParseError::Malformed { at }) => budget -= at.saturating_sub(candidate).clamp(1, rest),
                Err(ParseError::Io(error)) => return Err(error),
            }
        }
        let kind = if found.is_empty() {
            DiagnosticKind::DamagedLine
        } else {
            DiagnosticKind::RecoveredLine
        };
        self.note(kind, line);
        for item in found {
            let item = self.migrate(item);
            self.recovered.insert(0, item);
        }
        Ok(())
    }

    /// Takes what was odd so far out of the reader.
    pub(crate) fn take_diagnostics(&mut self) -> Diagnostics {
        std::mem::take(&mut self.diagnostics)
    }
}

/// The next place in a damaged line where a record may begin.
fn next_candidate(bytes: &[u8], from: usize) -> Option<usize> {
    let rest = &bytes[from..];
    let typed = memmem::find(rest, b"{\"type\":").map(|found| from + found);
    let first = rest
        .iter()
        .position(|&byte| !is_json_space(byte) && byte >= 0x20)
        .map(|found| from + found);
    // At the start, and behind control characters, a record may begin with any of its members.
    match first {
        Some(first) if bytes[first] == b'{' && (first == 0 || bytes[first - 1] < 0x20) => {
            Some(typed.map_or(first, |typed| typed.min(first)))
        }
        _ => typed,
    }
}

/// What kinds of bytes a line holds. One pass that the compiler turns into vector instructions.
struct Bytes {
    /// Control characters other than a carriage return at the end.
    control: bool,
    /// Bytes above ASCII.
    high: bool,
}

impl Bytes {
    fn of(bytes: &[u8]) -> Self {
        let end = bytes
            .iter()
            .rposition(|&byte| byte != b'\r')
            .map_or(0, |last| last + 1);
        let (mut control, mut high) = (0u8, 0u8);
        for &byte in &bytes[..end] {
            control |= u8::from(byte < 0x20);
            high |= byte;
        }
        Self {
            control: control != 0,
            high: high >= 0x80,
        }
    }

    /// Pi's list reads with a line reader that also splits at a lone CR, U+2028 and U+2029.
    fn splits(&self, bytes: &[u8]) -> bool {
        (self.control && bytes[..bytes.len().saturating_sub(1)].contains(&b'\r'))
            || (self.high
                && (memmem::find(bytes, "\u{2028}".as_bytes()).is_some()
                    || memmem::find(bytes, "\u{2029}".as_bytes()).is_some()))
    }
}
