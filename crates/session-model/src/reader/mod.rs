//! A session file as a stream of records.

mod migrate;
mod recover;
mod splits;

use std::{collections::VecDeque, io};

use camino::Utf8Path;

pub(crate) use self::migrate::index_to_id;
use self::splits::splits;
use crate::{
    DiagnosticKind, Diagnostics, Entry, EntryId, Fields, FileStamp, Header, OpenError, Place, ReadAt,
    SessionId,
    frame::{Form, Line, Lines},
    json::Control,
    open_session_file,
    parse::{LineText, OutlinedMessage, ParseError, Parsed, Parser, js_trim},
};

/// A record of a session file, in file order.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// A header: the first record as a rule, but a file can hold a second one, or none.
    Header(Header),
    /// Everything else.
    Entry(Entry),
}

/// What comes next of a file.
#[derive(Debug)]
pub(crate) enum Step {
    /// A record, which is handed out.
    Item,
    /// A message, which [`SessionReader::take_outlined`] hands out. Comes only where an outline is made.
    Outlined,
    /// Pi's list, whose line reader also splits lines at a lone carriage return, U+2028 and U+2029, sees the line with
    /// this number otherwise. Comes before the records of the line.
    Pieces(u64, Vec<Item>),
    End,
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
    /// Records of the line that were not handed out yet.
    waiting: VecDeque<Item>,
    outlined: Option<OutlinedMessage>,
    position: Position,
    /// The version that decides how Pi reads the file: that of the first header.
    version: Option<Option<f64>>,
    /// Id given to the last entry of a version 1 file.
    previous: Option<EntryId>,
    /// Id of the last header.
    header_id: Option<SessionId>,
    unfinished: bool,
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
            waiting: VecDeque::new(),
            outlined: None,
            position,
            version,
            previous: None,
            header_id: None,
            unfinished: false,
        }
    }

    /// The next record; `None` at the end.
    ///
    /// # Errors
    /// When the operating system cannot read the file.
    pub fn next_item(&mut self) -> io::Result<Option<Item>> {
        let mut item = None;
        self.next(false, &mut item)?;
        Ok(item)
    }

    /// The next record, put into `item`; for an outline, plain messages and what Pi's list sees otherwise as well.
    pub(crate) fn next(&mut self, for_outline: bool, item: &mut Option<Item>) -> io::Result<Step> {
        *item = None;
        loop {
            if let Some(waiting) = self.waiting.pop_front() {
                *item = Some(waiting);
                return Ok(Step::Item);
            }
            let Some(line) = self.lines.next()? else {
                return Ok(Step::End);
            };
            let splits = self.read_line(&line, for_outline, item)?;
            if line.terminated {
                self.position.offset = line.offset + line.length + 1;
                self.position.lines = line.number;
            }
            if splits && for_outline {
                let pieces = self.pieces(&line);
                if let Some(item) = item.take() {
                    self.waiting.push_front(item);
                }
                return Ok(Step::Pieces(line.number, pieces));
            }
            if item.is_some() {
                return Ok(Step::Item);
            }
            if self.outlined.is_some() {
                return Ok(Step::Outlined);
            }
        }
    }

    /// The plain message that was read last.
    pub(crate) fn take_outlined(&mut self) -> Option<OutlinedMessage> {
        self.outlined.take()
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

    pub(crate) fn source(&self) -> &S {
        self.lines.source()
    }

    /// The source, or what of it is at hand.
    pub(crate) fn lines(&self) -> &Lines<S> {
        &self.lines
    }

    /// The end up to which is read.
    pub fn end(&self) -> u64 {
        self.end
    }

    fn note(&mut self, kind: DiagnosticKind, line: &Line) {
        self.diagnostics.push(kind, line.number, line.offset);
    }

    /// Reads a line: its record goes into `item` (or `outlined`), or else the records recovered from it are `waiting`. Tells
    /// whether Pi's list splits the line.
    fn read_line(&mut self, line: &Line, for_outline: bool, item: &mut Option<Item>) -> io::Result<bool> {
        let at_end = !line.terminated && line.offset + line.length == self.end;
        match line.form {
            Form::Oversized => {
                self.note(DiagnosticKind::OversizedLine, line);
                return Ok(false);
            }
            Form::Tail { .. } if at_end => {
                self.unfinished(line);
                return Ok(false);
            }
            Form::Tail { skipped } => {
                self.recover(line, skipped, 0)?;
                return Ok(false);
            }
            Form::Whole { .. } | Form::Condensed => {}
        }
        let bytes = self.lines.bytes(line);
        let start = if line.offset == 0 && bytes.starts_with(b"\xef\xbb\xbf") {
            3
        } else {
            0
        };
        // Lines of white space are nothing, whichever white space it is.
        if bytes.len() - start < 64 && js_trim(&String::from_utf8_lossy(&bytes[start..])).is_empty() {
            return Ok(false);
        }
        let control = self.parser.take_up(&bytes[start..], Control::Refuse);
        let (elisions, source) = (self.lines.elisions(line), self.lines.source());
        let text = if self.parser.marks().high() {
            LineText::new(&bytes[start..], elisions, source)
        } else {
            LineText::ascii(&bytes[start..], elisions, source)
        };
        let place = Place {
            line: line.number,
            offset: line.offset + start as u64,
            length: line.length - start as u64,
            recovered: start > 0,
        };
        let splits = splits(bytes, self.parser.marks());
        // Of the first version, and of lines with anything odd about them, whole entries are made.
        let has_ids = self.version.flatten().is_some_and(|version| version >= 2.0);
        let is_plain = !splits && has_ids && start == 0 && line.form != Form::Condensed && !text.is_broken();
        if is_plain && for_outline && self.fields == Fields::OUTLINE {
            match self.parser.outlined(&text, place) {
                Ok(None) => {}
                Ok(outlined) => {
                    self.outlined = outlined;
                    self.position.records += 1;
                    return Ok(false);
                }
                Err(ParseError::Io(error)) => return Err(error),
                // What is wrong is for the walk to tell.
                Err(ParseError::Malformed { .. }) => {}
            }
        }
        let parsed = self.parser.line(&text, control, place, self.fields, item);
        // The text of long strings is not at hand, but what stands in it counts all the same.
        let hidden_control = line.form == Form::Condensed && self.lines.has_control(line);
        let replaced = text.is_broken();
        if start > 0 {
            self.note(DiagnosticKind::ByteOrderMark, line);
        }
        let lone_return = splits && self.parser.marks().control();
        match parsed {
            Ok(parsed) => {
                if replaced {
                    self.note(DiagnosticKind::ReplacedBytes, line);
                }
                if hidden_control && let Some(item) = item.take() {
                    self.recover_whole(line, item);
                } else if let Some(item) = item {
                    // What stands behind a byte order mark Pi does not see.
                    self.migrate(item, parsed == Parsed::Scalar && start == 0);
                }
                Ok(splits)
            }
            Err(ParseError::Io(error)) => Err(error),
            // Another process may be writing it at this moment. Pi does not write lone carriage returns.
            Err(ParseError::Malformed { .. }) if at_end && !lone_return => {
                self.unfinished(line);
                Ok(splits)
            }
            Err(ParseError::Malformed { .. }) => {
                let skipped = self.lines.damage_begins(line);
                self.recover(line, skipped, start)?;
                Ok(splits)
            }
        }
    }

    fn unfinished(&mut self, line: &Line) {
        self.unfinished = true;
        self.note(DiagnosticKind::UnfinishedLine, line);
    }

    /// Takes what was odd so far out of the reader.
    pub(crate) fn take_diagnostics(&mut self) -> Diagnostics {
        std::mem::take(&mut self.diagnostics)
    }
}
