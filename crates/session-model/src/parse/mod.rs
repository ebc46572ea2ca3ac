//! One line as a record: header, entry, or neither.

mod line;
mod message;
mod outlined;
mod recent;

pub(crate) use self::{line::LineText, outlined::OutlinedMessage};
use self::{
    message::{Wanted, usage},
    recent::{Recent, Word},
};
use crate::{
    Entry, EntryKind, Fields, Header, Item, NameChange, Place, SessionId, Text,
    json::{
        Blocks, Content, Control, InvalidString, Key, Malformed, Marks, Members, Shape, Span, Walker, repair,
    },
};

/// What a line turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parsed {
    /// A record of a session.
    Record,
    /// A number, a text or `true`: Pi keeps it as an entry without anything, except that it chokes on it when it
    /// migrates a file of version 1.
    Scalar,
    /// JSON that Pi passes over (`null`, `false`, `0`, `""`), or that is no record of a session.
    Nothing,
}

/// Why there is no record.
#[derive(Debug)]
pub(crate) enum ParseError {
    /// Not JSON as Pi reads it; how far the walk came.
    Malformed {
        at: usize,
    },
    Io(std::io::Error),
}

impl From<Malformed> for ParseError {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed { at: malformed.at() }
    }
}

impl From<InvalidString> for ParseError {
    fn from(_: InvalidString) -> Self {
        // The walk had passed the whole line before a string of it was decoded.
        Self::Malformed { at: usize::MAX }
    }
}

/// The buffers of the parser, reused from line to line.
#[derive(Debug, Default)]
pub(crate) struct Parser {
    walker: Walker,
    top: Members,
    message: Members,
    blocks: Blocks,
    inner: Members,
    cost: Members,
    recent: Recent,
    /// Text blocks of a plain message.
    texts: Vec<Span>,
}

impl Parser {
    /// Takes up a line that is to be parsed as a whole. What is refused on request but not there needs no search.
    pub(crate) fn take_up(&mut self, line: &[u8], control: Control) -> Control {
        self.walker.take_up(line, control)
    }

    /// Parses the whole line, which was taken up, as one record, as strictly as Pi does. Records are large: they are made where they belong,
    /// in `item`, and not handed from function to function.
    pub(crate) fn line(
        &mut self,
        line: &LineText<'_>,
        control: Control,
        place: Place,
        fields: Fields,
        item: &mut Option<Item>,
    ) -> Result<Parsed, ParseError> {
        let bytes = line.bytes;
        let start = bytes
            .iter()
            .position(|byte| !is_json_space(*byte))
            .unwrap_or(bytes.len());
        if bytes.get(start) == Some(&b'{') {
            let end = self.walk(bytes, start, control, fields)?;
            if !bytes[end..].iter().all(|byte| is_json_space(*byte)) {
                return Err(ParseError::Malformed { at: end });
            }
            self.record(line, place, fields, item)?;
            return Ok(Parsed::Record);
        }
        let (shape, span, end) = self.walker.any(bytes, start, control)?;
        if !bytes[end..].iter().all(|byte| is_json_space(*byte)) {
            return Err(ParseError::Malformed { at: end });
        }
        let nothing = match shape {
            Shape::Null | Shape::Bool(false) => true,
            Shape::String => span.is_empty() && line.elision(span).is_none(),
            Shape::Number => crate::json::number(line.raw(span).bytes()) == Some(0.0),
            _ => false,
        };
        if nothing {
            return Ok(Parsed::Nothing);
        }
        *item = Some(Item::Entry(Entry {
            id: None,
            parent_id: None,
            timestamp: None,
            kind: EntryKind::Unknown { type_name: None },
            place,
        }));
        Ok(match shape {
            Shape::Array | Shape::Object => Parsed::Record,
            _ => Parsed::Scalar,
        })
    }

    /// Parses the record that begins at `start`, wherever it ends; control characters in strings are let pass.
    /// Where something stands that is JSON but no record of a session, there is no item. Returns its end.
    pub(crate) fn record_at(
        &mut self,
        line: &LineText<'_>,
        start: usize,
        place: Place,
        fields: Fields,
        item: &mut Option<Item>,
    ) -> Result<usize, ParseError> {
        self.walker.take_up_at(line.bytes, start);
        let end = self.walk(line.bytes, start, Control::Ignore, fields)?;
        let kind = self.top.string(line.bytes, Key::Type).unwrap_or_default();
        let has_string = |key| self.top.string(line.bytes, key).is_some();
        let plausible = match kind {
            b"session" => has_string(Key::Id) || has_string(Key::Cwd),
            b"message" => matches!(self.top.get(Key::Message), Some((Shape::Object, _))),
            // Blocks inside messages have types and ids as well, but never both of these.
            _ => has_string(Key::Timestamp) && self.top.get(Key::ParentId).is_some(),
        };
        if !plausible {
            return Ok(end);
        }
        let place = Place {
            length: (end - start) as u64,
            ..place
        };
        self.record(line, place, fields, item)?;
        if let Some(Item::Header(header)) = item {
            header.raw = repair(&line.bytes[start..end]);
        }
        Ok(end)
    }

    /// What the line holds that was parsed last.
    pub(crate) fn marks(&self) -> &Marks {
        self.walker.marks()
    }

    fn walk(
        &mut self,
        bytes: &[u8],
        start: usize,
        control: Control,
        fields: Fields,
    ) -> Result<usize, Malformed> {
        let content = if fields.has(Fields::TOOL_RESULTS) {
            Content::All
        } else {
            Content::Spoken
        };
        let parts = (&mut self.top, &mut self.message, &mut self.blocks);
        self.walker.record(bytes, start, control, content, parts)
    }

    fn record(
        &mut self,
        line: &LineText<'_>,
        place: Place,
        fields: Fields,
        item: &mut Option<Item>,
    ) -> Result<(), ParseError> {
        let top = &self.top;
        let recent = &mut self.recent;
        let type_name = recent.word(Word::Type, line.raw_string(top, Key::Type))?;
        if type_name.as_deref() == Some("session") {
            *item = Some(Item::Header(header(line, top, place)?));
            return Ok(());
        }
        // The id last: nearly always the parent is the entry before.
        let parent_id = recent.id(line.raw_string(top, Key::ParentId))?;
        let id = recent.id(line.raw_string(top, Key::Id))?;
        let timestamp = line.time(top, Key::Timestamp)?;
        let kind = match type_name.as_deref() {
            Some("message") => EntryKind::Message(self.message(line, fields)?),
            Some("model_change") => EntryKind::ModelChange {
                provider: line.word(top, Key::Provider)?,
                model: line.word(top, Key::ModelId)?,
            },
            Some("thinking_level_change") => EntryKind::ThinkingLevelChange {
                level: line.word(top, Key::ThinkingLevel)?,
            },
            Some("usage") => EntryKind::Usage {
                kind: line.word(top, Key::Kind)?,
                provider: line.word(top, Key::Provider)?,
                model: line.word(top, Key::Model)?,
                usage: self.usage(line, fields)?,
            },
            Some("compaction") => EntryKind::Compaction {
                summary: line.text(top, Key::Summary, fields.has(Fields::SUMMARIES))?,
                first_kept: line.id(top, Key::FirstKeptEntryId)?,
                tokens_before: top.number(line.bytes, Key::TokensBefore),
                first_kept_index: top.number(line.bytes, Key::FirstKeptEntryIndex),
                system_message: self.text_inside(line, Key::SystemMessage, fields.has(Fields::OTHER_TEXT))?,
                usage: self.usage(line, fields)?,
            },
            Some("branch_summary") => EntryKind::BranchSummary {
                summary: line.text(top, Key::Summary, true)?,
                from_id: line.small(top, Key::FromId)?,
                usage: self.usage(line, fields)?,
            },
            Some("custom") => EntryKind::Custom {
                custom_type: line.word(top, Key::CustomType)?,
            },
            Some("custom_message") => EntryKind::CustomMessage {
                custom_type: line.word(top, Key::CustomType)?,
                display: top.bool(Key::Display).unwrap_or(true),
                text: if fields.has(Fields::OTHER_TEXT) {
                    self.content(line, self.top.get(Key::Content), Wanted::TEXT)?
                        .0
                        .text
                } else {
                    Text::default()
                },
            },
            Some("context_edit") => EntryKind::ContextEdit {
                target: line.id(top, Key::TargetId)?,
                replacement: self.text_inside(line, Key::Replacement, fields.has(Fields::OTHER_TEXT))?,
            },
            Some("label") => EntryKind::Label {
                target: line.id(top, Key::TargetId)?,
                label: match top.get(Key::Label) {
                    Some((Shape::String, span)) => Some(line.string(span)?),
                    _ => None,
                },
            },
            Some("session_info") => EntryKind::SessionInfo {
                name: name_change(line, top)?,
            },
            _ => EntryKind::Unknown { type_name },
        };
        *item = Some(Item::Entry(Entry {
            id,
            parent_id,
            timestamp,
            kind,
            place,
        }));
        Ok(())
    }

    fn usage(
        &mut self,
        line: &LineText<'_>,
        fields: Fields,
    ) -> Result<Option<Box<crate::Usage>>, ParseError> {
        if !fields.has(Fields::USAGE) {
            return Ok(None);
        }
        usage(
            &mut self.walker,
            (&mut self.inner, &mut self.cost),
            line,
            &self.top,
        )
    }

    /// The text of the content of a member that is an object; where it is something else but null, an empty text.
    fn text_inside(
        &mut self,
        line: &LineText<'_>,
        key: Key,
        wanted: bool,
    ) -> Result<Option<Text>, ParseError> {
        match self.top.get(key) {
            None | Some((Shape::Null, _)) => Ok(None),
            Some((Shape::Object, span)) if wanted => {
                self.walker.object(line.bytes, span.start(), &mut self.inner)?;
                let content = self.inner.get(Key::Content);
                Ok(Some(self.content(line, content, Wanted::TEXT)?.0.text))
            }
            Some(_) => Ok(Some(Text::default())),
        }
    }
}

pub(crate) fn is_json_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// White space as JavaScript's `trim` sees it.
pub(crate) fn js_trim(text: &str) -> &str {
    text.trim_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

fn header(line: &LineText<'_>, top: &Members, place: Place) -> Result<Header, ParseError> {
    let text = |key| match top.get(key) {
        Some((Shape::String, span)) => line.string(span).map(Some),
        _ => Ok(None),
    };
    Ok(Header {
        id: text(Key::Id)?.map(SessionId::from),
        version: version(line, top)?,
        timestamp: line.time(top, Key::Timestamp)?,
        cwd: text(Key::Cwd)?.unwrap_or_default(),
        parent_session: text(Key::ParentSession)?,
        raw: repair(line.bytes),
        place,
    })
}

/// The version as JavaScript compares it with numbers.
fn version(line: &LineText<'_>, top: &Members) -> Result<Option<f64>, ParseError> {
    Ok(match top.get(Key::Version) {
        None | Some((Shape::Null, _)) => Some(1.0),
        Some((Shape::Number, _)) => top.number(line.bytes, Key::Version),
        Some((Shape::String, span)) => match js_trim(&line.string(span)?) {
            "" => Some(0.0),
            // Unlike JavaScript, Rust knows `inf` and `nan`.
            text if text
                .bytes()
                .any(|byte| byte.is_ascii_alphabetic() && !byte.eq_ignore_ascii_case(&b'e')) =>
            {
                None
            }
            text => text.parse().ok(),
        },
        Some((Shape::Bool(value), _)) => Some(f64::from(u8::from(value))),
        // An empty list is zero.
        Some((Shape::Array, span)) if line.raw(span).bytes()[1..].trim_ascii_start() == b"]" => Some(0.0),
        Some(_) => None,
    })
}

fn name_change(line: &LineText<'_>, top: &Members) -> Result<NameChange, ParseError> {
    Ok(match top.get(Key::Name) {
        None | Some((Shape::Null, _)) => NameChange::Cleared,
        Some((Shape::String, span)) => match js_trim(&line.string(span)?) {
            "" => NameChange::Cleared,
            name => NameChange::Set(name.to_owned()),
        },
        Some(_) => NameChange::Invalid,
    })
}
