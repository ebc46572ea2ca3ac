//! One line as a record: header, entry, or neither.

use smol_str::SmolStr;

use crate::{
    BashExecution, ContentShape, Cost, Entry, EntryId, EntryKind, Fields, Header, Message, NameChange, Place,
    ReadAt, Role, SessionId, Text, Timestamp, ToolCall, Usage,
    condense::Elision,
    json::{Control, InvalidString, Malformed, Members, Shape, Span, Walker, decode, decode_into, repair},
};

/// What one record of a line is.
#[derive(Debug)]
pub(crate) enum Record {
    Header(Header),
    Entry(Entry),
    /// A number, a text or `true`: Pi keeps it as an entry without anything, except that it chokes on it when it
    /// migrates a file of version 1.
    Scalar(Entry),
    /// JSON that Pi passes over: `null`, `false`, `0`, `""`.
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
        Self::Malformed { at: malformed.at }
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
    block: Members,
    cost: Members,
}

/// The line that is parsed, and where the strings are that were left out of it.
pub(crate) struct LineText<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) elisions: &'a [Elision],
    pub(crate) source: &'a dyn ReadAt,
}

/// Strings left in the file are decoded in pieces of this size.
const PIECE: usize = 1 << 20;

impl LineText<'_> {
    fn raw(&self, span: Span) -> &[u8] {
        &self.bytes[span.start..span.end]
    }

    fn elision(&self, span: Span) -> Option<&Elision> {
        if self.elisions.is_empty() || span.start != span.end {
            return None;
        }
        self.elisions
            .binary_search_by_key(&span.start, |elision| elision.at)
            .ok()
            .map(|found| &self.elisions[found])
    }

    /// The decoded string at `span`, wherever its text is.
    fn string(&self, span: Span) -> Result<String, ParseError> {
        let Some(elision) = self.elision(span) else {
            return Ok(decode(self.raw(span))?.into_owned());
        };
        let mut text = String::new();
        let mut piece = vec![0; PIECE];
        let (mut offset, end, mut pending) = (elision.offset, elision.offset + elision.length, 0);
        while offset < end {
            let wanted = usize::try_from(end - offset)
                .unwrap_or(usize::MAX)
                .min(PIECE - pending);
            let read = self
                .source
                .read_at(offset, &mut piece[pending..pending + wanted])
                .map_err(ParseError::Io)?;
            if read == 0 {
                return Err(ParseError::Malformed { at: usize::MAX });
            }
            offset += read as u64;
            let filled = pending + read;
            let used = decode_into(&piece[..filled], offset == end, &mut text)?;
            piece.copy_within(used..filled, 0);
            pending = filled - used;
        }
        Ok(text)
    }

    fn small(&self, members: &Members, key: &str) -> Result<Option<SmolStr>, InvalidString> {
        members
            .string(self.bytes, key)
            .map(|raw| decode(raw).map(SmolStr::new))
            .transpose()
    }

    fn word(&self, members: &Members, key: &str) -> Result<SmolStr, InvalidString> {
        Ok(self.small(members, key)?.unwrap_or_default())
    }

    fn id(&self, members: &Members, key: &str) -> Result<Option<EntryId>, InvalidString> {
        members
            .string(self.bytes, key)
            .map(|raw| decode(raw).map(EntryId::new))
            .transpose()
    }

    fn time(&self, members: &Members, key: &str) -> Result<Option<Timestamp>, InvalidString> {
        Ok(match members.get(self.bytes, key) {
            Some((Shape::String, span)) => Timestamp::parse(&decode(self.raw(span))?),
            Some((Shape::Number, _)) => members.number(self.bytes, key).and_then(Timestamp::from_number),
            _ => None,
        })
    }
}

impl Parser {
    /// Parses the whole line as one record, as strictly as Pi does.
    pub(crate) fn line(
        &mut self,
        line: &LineText<'_>,
        control: Control,
        place: Place,
        fields: Fields,
    ) -> Result<Record, ParseError> {
        let bytes = line.bytes;
        let start = bytes
            .iter()
            .position(|byte| !is_json_space(*byte))
            .unwrap_or(bytes.len());
        if bytes.get(start) == Some(&b'{') {
            let end = self.walker.object(
                bytes,
                start,
                control,
                &mut self.top,
                Some(("message", &mut self.message)),
            )?;
            if !bytes[end..].iter().all(|byte| is_json_space(*byte)) {
                return Err(ParseError::Malformed { at: end });
            }
            return self.record(line, place, fields);
        }
        let (shape, span, end) = self.walker.any(bytes, start, control)?;
        if !bytes[end..].iter().all(|byte| is_json_space(*byte)) {
            return Err(ParseError::Malformed { at: end });
        }
        let nothing = match shape {
            Shape::Null | Shape::Bool(false) => true,
            Shape::String => span.start == span.end && line.elision(span).is_none(),
            Shape::Number => std::str::from_utf8(line.raw(span)).is_ok_and(|text| text.parse() == Ok(0.0)),
            _ => false,
        };
        Ok(match shape {
            _ if nothing => Record::Nothing,
            Shape::Array | Shape::Object => Record::Entry(scrap(place)),
            _ => Record::Scalar(scrap(place)),
        })
    }

    /// Parses the record that begins at `start`, wherever it ends; control characters in strings are let pass.
    /// The record is `None` where something stands that is JSON but no record of a session. Also returns its end.
    pub(crate) fn record_at(
        &mut self,
        line: &LineText<'_>,
        start: usize,
        place: Place,
        fields: Fields,
    ) -> Result<(Option<Record>, usize), ParseError> {
        let end = self.walker.object(
            line.bytes,
            start,
            Control::Ignore,
            &mut self.top,
            Some(("message", &mut self.message)),
        )?;
        let kind = self.top.string(line.bytes, "type").unwrap_or_default();
        let has_string = |key| self.top.string(line.bytes, key).is_some();
        let plausible = match kind {
            b"session" => has_string("id") || has_string("cwd"),
            b"message" => matches!(self.top.get(line.bytes, "message"), Some((Shape::Object, _))),
            // Blocks inside messages have types and ids as well, but never both of these.
            _ => has_string("timestamp") && self.top.get(line.bytes, "parentId").is_some(),
        };
        if !plausible {
            return Ok((None, end));
        }
        let mut record = self.record(
            line,
            Place {
                length: (end - start) as u64,
                ..place
            },
            fields,
        )?;
        if let Record::Header(header) = &mut record {
            header.raw = repair(&line.bytes[start..end]);
        }
        Ok((Some(record), end))
    }

    fn record(&mut self, line: &LineText<'_>, place: Place, fields: Fields) -> Result<Record, ParseError> {
        let top = &self.top;
        let type_name = line.small(top, "type")?;
        if type_name.as_deref() == Some("session") {
            return Ok(Record::Header(header(line, top, place)?));
        }
        let id = line.id(top, "id")?;
        let parent_id = line
            .id(top, "parentId")?
            .filter(|parent| !parent.as_str().is_empty());
        let timestamp = line.time(top, "timestamp")?;
        let kind = match type_name.as_deref() {
            Some("message") => EntryKind::Message(Box::new(self.message(line, fields)?)),
            Some("model_change") => EntryKind::ModelChange {
                provider: line.word(top, "provider")?,
                model: line.word(top, "modelId")?,
            },
            Some("thinking_level_change") => EntryKind::ThinkingLevelChange {
                level: line.word(top, "thinkingLevel")?,
            },
            Some("usage") => EntryKind::Usage {
                kind: line.word(top, "kind")?,
                provider: line.word(top, "provider")?,
                model: line.word(top, "model")?,
                usage: usage(
                    &mut self.walker,
                    &mut self.block,
                    &mut self.cost,
                    line,
                    top,
                    fields,
                ),
            },
            Some("compaction") => EntryKind::Compaction {
                summary: plain_text(line, top, "summary", fields.has(Fields::SUMMARIES))?,
                first_kept: line.id(top, "firstKeptEntryId")?,
                tokens_before: top.number(line.bytes, "tokensBefore"),
                system_message: match top.get(line.bytes, "systemMessage") {
                    Some((Shape::Object, span)) => {
                        self.walker
                            .object(line.bytes, span.start, Control::Ignore, &mut self.cost, None)?;
                        let content = self.cost.get(line.bytes, "content");
                        Some(blocks(&mut self.walker, &mut self.block, line, content, Wanted::TEXT)?.text)
                    }
                    _ => None,
                },
                first_kept_index: top.number(line.bytes, "firstKeptEntryIndex"),
                usage: usage(
                    &mut self.walker,
                    &mut self.block,
                    &mut self.cost,
                    line,
                    top,
                    fields,
                ),
            },
            Some("branch_summary") => EntryKind::BranchSummary {
                summary: plain_text(line, top, "summary", true)?,
                from_id: line.small(top, "fromId")?,
                usage: usage(
                    &mut self.walker,
                    &mut self.block,
                    &mut self.cost,
                    line,
                    top,
                    fields,
                ),
            },
            Some("custom") => EntryKind::Custom {
                custom_type: line.word(top, "customType")?,
            },
            Some("custom_message") => EntryKind::CustomMessage {
                custom_type: line.word(top, "customType")?,
                display: top.bool(line.bytes, "display").unwrap_or(true),
                text: if fields.has(Fields::OTHER_TEXT) {
                    let content = top.get(line.bytes, "content");
                    blocks(&mut self.walker, &mut self.block, line, content, Wanted::TEXT)?.text
                } else {
                    Text::default()
                },
            },
            Some("context_edit") => EntryKind::ContextEdit {
                target: line.id(top, "targetId")?,
                replacement: match top.get(line.bytes, "replacement") {
                    Some((Shape::Object, span)) => {
                        self.walker
                            .object(line.bytes, span.start, Control::Ignore, &mut self.cost, None)?;
                        let content = self.cost.get(line.bytes, "content");
                        let wanted = if fields.has(Fields::OTHER_TEXT) {
                            Wanted::TEXT
                        } else {
                            Wanted::default()
                        };
                        Some(blocks(&mut self.walker, &mut self.block, line, content, wanted)?.text)
                    }
                    _ => None,
                },
            },
            Some("label") => EntryKind::Label {
                target: line.id(top, "targetId")?,
                label: top
                    .get(line.bytes, "label")
                    .and_then(|(shape, span)| (shape == Shape::String).then(|| line.string(span)))
                    .transpose()?,
            },
            Some("session_info") => EntryKind::SessionInfo {
                name: name_change(line, top)?,
            },
            _ => EntryKind::Unknown { type_name },
        };
        Ok(Record::Entry(Entry {
            id,
            parent_id,
            timestamp,
            kind,
            place,
        }))
    }

    fn message(&mut self, line: &LineText<'_>, fields: Fields) -> Result<Message, ParseError> {
        if !matches!(self.top.get(line.bytes, "message"), Some((Shape::Object, _))) {
            return Ok(Message {
                content: ContentShape::Invalid,
                ..Message::default()
            });
        }
        let members = &self.message;
        let role_name = line.small(members, "role")?;
        let role = role_name.as_deref().map(Role::from_name);
        let content = members.get(line.bytes, "content");
        let mut message = Message {
            role,
            time_number: members.number(line.bytes, "timestamp"),
            ..Message::default()
        };
        message.timestamp = message.time_number.and_then(Timestamp::from_number);
        message.content = match content {
            None => ContentShape::Absent,
            Some((Shape::String | Shape::Array, _)) => ContentShape::Present,
            Some(_) => ContentShape::Invalid,
        };
        let mut wanted = Wanted::default();
        match role {
            Some(Role::User) => {
                wanted = Wanted {
                    text: fields.has(Fields::TEXT),
                    images: true,
                    ..wanted
                }
            }
            Some(Role::Assistant) => {
                wanted = Wanted {
                    text: fields.has(Fields::TEXT),
                    thinking: fields.has(Fields::THINKING),
                    calls: fields.has(Fields::TOOL_CALLS),
                    images: true,
                };
                message.provider = line.small(members, "provider")?;
                message.model = line.small(members, "model")?;
                message.stop_reason = line.small(members, "stopReason")?;
                message.response_id = line.small(members, "responseId")?;
                if let Some((Shape::String, span)) = members.get(line.bytes, "errorMessage") {
                    message.error_message = Some(line.string(span)?);
                }
                message.usage = usage(
                    &mut self.walker,
                    &mut self.block,
                    &mut self.cost,
                    line,
                    members,
                    fields,
                );
            }
            Some(Role::ToolResult) => {
                wanted.text = fields.has(Fields::TOOL_RESULTS);
                message.tool_call_id = line.small(members, "toolCallId")?;
                message.tool_name = line.small(members, "toolName")?;
                message.is_error = members.bool(line.bytes, "isError").unwrap_or(false);
                message.usage = usage(
                    &mut self.walker,
                    &mut self.block,
                    &mut self.cost,
                    line,
                    members,
                    fields,
                );
            }
            Some(Role::BashExecution) => message.bash = Some(Box::new(bash(line, members, fields)?)),
            _ => wanted.text = fields.has(Fields::OTHER_TEXT),
        }
        if role == Some(Role::Other) || role_name.as_deref() == Some("hookMessage") {
            message.role_name = role_name;
        }
        if wanted != Wanted::default() {
            let found = blocks(&mut self.walker, &mut self.block, line, content, wanted)?;
            message.text = found.text;
            message.thinking = found.thinking;
            message.tool_calls = found.calls;
            message.tool_call_count = found.call_count;
            message.images = found.images;
            if found.has_null {
                message.content = ContentShape::Invalid;
            }
        }
        Ok(message)
    }
}

pub(crate) fn is_json_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// White space as JavaScript's `trim` sees it.
pub(crate) fn js_trim(text: &str) -> &str {
    text.trim_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

/// A record that is JSON but no object: Pi keeps it as an entry without anything.
fn scrap(place: Place) -> Entry {
    Entry {
        id: None,
        parent_id: None,
        timestamp: None,
        kind: EntryKind::Unknown { type_name: None },
        place,
    }
}

fn header(line: &LineText<'_>, top: &Members, place: Place) -> Result<Header, ParseError> {
    let text = |key| match top.get(line.bytes, key) {
        Some((Shape::String, span)) => line.string(span).map(Some),
        _ => Ok(None),
    };
    let version = match top.get(line.bytes, "version") {
        None | Some((Shape::Null, _)) => Some(1.0),
        Some((Shape::Number, _)) => top.number(line.bytes, "version"),
        // JavaScript compares these as numbers.
        Some((Shape::String, span)) => match js_trim(&line.string(span)?) {
            "" => Some(0.0),
            text => text.parse().ok(),
        },
        Some((Shape::Bool(value), _)) => Some(f64::from(u8::from(value))),
        Some(_) => None,
    };
    Ok(Header {
        id: text("id")?.map(SessionId::from),
        version,
        timestamp: line.time(top, "timestamp")?,
        cwd: text("cwd")?.unwrap_or_default(),
        parent_session: text("parentSession")?,
        raw: repair(line.bytes),
        place,
    })
}

fn name_change(line: &LineText<'_>, top: &Members) -> Result<NameChange, ParseError> {
    Ok(match top.get(line.bytes, "name") {
        None | Some((Shape::Null, _)) => NameChange::Cleared,
        Some((Shape::String, span)) => match js_trim(&line.string(span)?) {
            "" => NameChange::Cleared,
            name => NameChange::Set(name.to_owned()),
        },
        Some(_) => NameChange::Invalid,
    })
}

fn plain_text(line: &LineText<'_>, members: &Members, key: &str, wanted: bool) -> Result<Text, ParseError> {
    match members.get(line.bytes, key) {
        Some((Shape::String, span)) if wanted => Ok(Text::new(line.string(span)?)),
        _ => Ok(Text::default()),
    }
}

fn bash(line: &LineText<'_>, members: &Members, fields: Fields) -> Result<BashExecution, ParseError> {
    let flag = |key| members.bool(line.bytes, key).unwrap_or(false);
    Ok(BashExecution {
        command: plain_text(line, members, "command", true)?.into_string(),
        output: plain_text(line, members, "output", fields.has(Fields::TOOL_RESULTS))?.into_string(),
        exit_code: members.number(line.bytes, "exitCode"),
        cancelled: flag("cancelled"),
        truncated: flag("truncated"),
        excluded_from_context: flag("excludeFromContext"),
    })
}

/// Which blocks of a content are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Wanted {
    text: bool,
    thinking: bool,
    calls: bool,
    images: bool,
}

impl Wanted {
    const TEXT: Self = Self {
        text: true,
        thinking: false,
        calls: false,
        images: false,
    };
}

#[derive(Default)]
struct Blocks {
    text: Text,
    thinking: Text,
    calls: Vec<ToolCall>,
    call_count: u32,
    images: u32,
    /// A null among the blocks.
    has_null: bool,
}

fn blocks(
    walker: &mut Walker,
    block: &mut Members,
    line: &LineText<'_>,
    content: Option<(Shape, Span)>,
    wanted: Wanted,
) -> Result<Blocks, ParseError> {
    let mut found = Blocks::default();
    let array = match content {
        Some((Shape::String, span)) => {
            if wanted.text {
                found.text = Text::new(line.string(span)?);
            }
            return Ok(found);
        }
        Some((Shape::Array, span)) => span,
        _ => return Ok(found),
    };
    let (mut texts, mut thoughts) = (0, 0);
    let mut failed = None;
    walker.elements(line.bytes, array, |walker, shape, span| {
        found.has_null |= shape == Shape::Null;
        if shape != Shape::Object || failed.is_some() {
            return;
        }
        let mut read = || -> Result<(), ParseError> {
            walker.object(line.bytes, span.start, Control::Ignore, block, None)?;
            match block.string(line.bytes, "type") {
                Some(b"text") if wanted.text => {
                    if let Some((Shape::String, text)) = block.get(line.bytes, "text") {
                        found.text.push(&line.string(text)?, texts == 0);
                        texts += 1;
                    }
                }
                Some(b"thinking") if wanted.thinking => {
                    if let Some((Shape::String, text)) = block.get(line.bytes, "thinking") {
                        found.thinking.push(&line.string(text)?, thoughts == 0);
                        thoughts += 1;
                    }
                }
                Some(b"toolCall") => {
                    found.call_count = found.call_count.saturating_add(1);
                    if wanted.calls {
                        let arguments = block.get(line.bytes, "arguments");
                        found.calls.push(ToolCall {
                            id: line.word(block, "id")?,
                            name: line.word(block, "name")?,
                            arguments: arguments.map_or_else(
                                || "null".to_owned(),
                                |(shape, span)| raw_json(line, shape, span),
                            ),
                        });
                    }
                }
                Some(b"image") => found.images = found.images.saturating_add(1),
                _ => {}
            }
            Ok(())
        };
        failed = read().err();
    })?;
    match failed {
        Some(error) => Err(error),
        None => Ok(found),
    }
}

/// A value as JSON text. Long strings that were left out of the line stay out.
fn raw_json(line: &LineText<'_>, shape: Shape, span: Span) -> String {
    match shape {
        Shape::String => format!("\"{}\"", repair(line.raw(span))),
        _ => repair(line.raw(span)),
    }
}

fn usage(
    walker: &mut Walker,
    members: &mut Members,
    cost: &mut Members,
    line: &LineText<'_>,
    owner: &Members,
    fields: Fields,
) -> Option<Box<Usage>> {
    if !fields.has(Fields::USAGE) {
        return None;
    }
    let (Shape::Object, span) = owner.get(line.bytes, "usage")? else {
        return None;
    };
    walker
        .object(
            line.bytes,
            span.start,
            Control::Ignore,
            members,
            Some(("cost", cost)),
        )
        .ok()?;
    if !matches!(members.get(line.bytes, "cost"), Some((Shape::Object, _))) {
        cost.clear();
    }
    let tokens = |key| members.number(line.bytes, key);
    let dollars = |key| cost.number(line.bytes, key);
    Some(Box::new(Usage {
        input: tokens("input"),
        output: tokens("output"),
        cache_read: tokens("cacheRead"),
        cache_write: tokens("cacheWrite"),
        reasoning: tokens("reasoning"),
        total_tokens: tokens("totalTokens"),
        cost: Cost {
            input: dollars("input"),
            output: dollars("output"),
            cache_read: dollars("cacheRead"),
            cache_write: dollars("cacheWrite"),
            total: dollars("total"),
        },
    }))
}
