//! Messages and the blocks of their content.

use super::{LineText, ParseError, Parser, recent::Word};
use crate::{
    BashExecution, ContentShape, Cost, Fields, Message, Role, Text, Timestamp, ToolCall, Usage,
    json::{Block, Key, Members, Shape, Span, Walker},
};

/// Which blocks of a content are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Wanted {
    text: bool,
    thinking: bool,
    calls: bool,
    /// Of the content of user and assistant the images are counted, and nulls that Pi stumbles over noted.
    counts: bool,
}

impl Wanted {
    pub(super) const TEXT: Self = Self {
        text: true,
        thinking: false,
        calls: false,
        counts: false,
    };
}

/// What was found in a content.
#[derive(Default)]
pub(super) struct Found {
    pub(super) text: Text,
    thinking: Text,
    calls: Vec<ToolCall>,
    call_count: u32,
    images: u32,
    texts: u32,
    thoughts: u32,
}

impl Parser {
    pub(super) fn message(
        &mut self,
        line: &LineText<'_>,
        fields: Fields,
    ) -> Result<Box<Message>, ParseError> {
        // In its box from the start: it is too large to be moved about.
        let mut message: Box<Message> = Box::default();
        match self.top.get(Key::Message) {
            Some((Shape::Object, _)) => {}
            None | Some((Shape::Null, _)) => {
                (message.content, message.missing) = (ContentShape::Invalid, true);
                return Ok(message);
            }
            // Pi sees a message without anything.
            Some(_) => return Ok(message),
        }
        let members = &self.message;
        let recent = &mut self.recent;
        let role_name = recent.word(Word::Role, line.raw_string(members, Key::Role))?;
        let role = role_name.as_deref().map(Role::from_name);
        let content = members.get(Key::Content);
        message.role = role;
        message.time_number = members.number(line.bytes, Key::Timestamp);
        message.timestamp = message.time_number.and_then(Timestamp::from_number);
        message.content = match content {
            None => ContentShape::Absent,
            Some((Shape::String | Shape::Array, _)) => ContentShape::Present,
            Some(_) => ContentShape::Invalid,
        };
        let mut wanted = Wanted::default();
        let details = !fields.has(Fields::OUTLINE);
        match role {
            Some(Role::User) => {
                (wanted.text, wanted.counts) = (fields.has(Fields::TEXT), true);
            }
            Some(Role::Assistant) => {
                wanted = Wanted {
                    text: fields.has(Fields::TEXT),
                    thinking: fields.has(Fields::THINKING),
                    calls: fields.has(Fields::TOOL_CALLS),
                    counts: true,
                };
                message.model = recent.word(Word::Model, line.raw_string(members, Key::Model))?;
                if details {
                    message.provider =
                        recent.word(Word::Provider, line.raw_string(members, Key::Provider))?;
                    message.stop_reason =
                        recent.word(Word::StopReason, line.raw_string(members, Key::StopReason))?;
                    message.response_id = line.small(members, Key::ResponseId)?;
                    if let Some((Shape::String, span)) = members.get(Key::ErrorMessage) {
                        message.error_message = Some(line.string(span)?);
                    }
                }
            }
            Some(Role::ToolResult) => {
                wanted.text = fields.has(Fields::TOOL_RESULTS);
                if details {
                    message.tool_call_id = line.small(members, Key::ToolCallId)?;
                    message.tool_name = recent.word(Word::Tool, line.raw_string(members, Key::ToolName))?;
                }
                message.is_error = members.bool(Key::IsError).unwrap_or(false);
            }
            Some(Role::BashExecution) if details => {
                message.bash = Some(Box::new(bash(line, members, fields)?))
            }
            _ => wanted.text = fields.has(Fields::OTHER_TEXT),
        }
        if matches!(role, Some(Role::Assistant | Role::ToolResult)) && fields.has(Fields::USAGE) {
            let owner = &self.message;
            message.usage = usage(&mut self.walker, (&mut self.inner, &mut self.cost), line, owner)?;
        }
        if role == Some(Role::Other) || role_name.as_deref() == Some("hookMessage") {
            message.role_name = role_name;
        }
        if wanted != Wanted::default() {
            let (found, has_null) = self.content(line, content, wanted)?;
            message.text = found.text;
            message.thinking = found.thinking;
            message.tool_calls = found.calls;
            message.tool_call_count = found.call_count;
            message.images = found.images;
            if has_null && wanted.counts {
                message.content = ContentShape::Invalid;
            }
        }
        Ok(message)
    }

    /// What is wanted of a content, and whether it has a null among its blocks.
    pub(super) fn content(
        &mut self,
        line: &LineText<'_>,
        content: Option<(Shape, Span)>,
        wanted: Wanted,
    ) -> Result<(Found, bool), ParseError> {
        let mut found = Found::default();
        let array = match content {
            Some((Shape::String, span)) => {
                if wanted.text {
                    found.text = Text::new(line.string(span)?);
                }
                return Ok((found, false));
            }
            Some((Shape::Array, span)) => span,
            _ => return Ok((found, false)),
        };
        if let Some((blocks, has_null)) = self.blocks.of(array) {
            for block in blocks {
                found.add(line, block, wanted)?;
            }
            return Ok((found, has_null));
        }
        let mut failed = None;
        let has_null = self.walker.each_block(line.bytes, array, |block| {
            if failed.is_none() {
                failed = found.add(line, block, wanted).err();
            }
        })?;
        failed.map_or(Ok((found, has_null)), Err)
    }
}

impl Found {
    fn add(&mut self, line: &LineText<'_>, block: &Block, wanted: Wanted) -> Result<(), ParseError> {
        let kind = block.kind;
        if line.says(kind, "text") {
            if let Some((Shape::String, text)) = block.text
                && wanted.text
            {
                self.text.push(line.string(text)?, self.texts == 0);
                self.texts = self.texts.saturating_add(1);
            }
        } else if line.says(kind, "toolCall") {
            self.call_count = self.call_count.saturating_add(1);
            if wanted.calls {
                self.calls.push(call(line, block)?);
            }
        } else if line.says(kind, "thinking") {
            if let Some((Shape::String, thinking)) = block.thinking
                && wanted.thinking
            {
                self.thinking.push(line.string(thinking)?, self.thoughts == 0);
                self.thoughts = self.thoughts.saturating_add(1);
            }
        } else if line.says(kind, "image") {
            self.images = self.images.saturating_add(1);
        }
        Ok(())
    }
}

fn call(line: &LineText<'_>, block: &Block) -> Result<ToolCall, ParseError> {
    let word = |value| match value {
        Some((Shape::String, span)) => line.string(span).map(Into::into),
        _ => Ok(smol_str::SmolStr::default()),
    };
    Ok(ToolCall {
        id: word(block.id)?,
        name: word(block.name)?,
        arguments: block
            .arguments
            .map_or_else(|| "null".to_owned(), |(shape, span)| line.json(shape, span)),
    })
}

fn bash(line: &LineText<'_>, members: &Members, fields: Fields) -> Result<BashExecution, ParseError> {
    let flag = |key| members.bool(key).unwrap_or(false);
    Ok(BashExecution {
        command: line.text(members, Key::Command, true)?.into_string(),
        output: line
            .text(members, Key::Output, fields.has(Fields::TOOL_RESULTS))?
            .into_string(),
        exit_code: members.number(line.bytes, Key::ExitCode),
        cancelled: flag(Key::Cancelled),
        truncated: flag(Key::Truncated),
        excluded_from_context: flag(Key::ExcludeFromContext),
    })
}

/// The tokens and cost that an entry or message says it used. `buffers` are for its members and those of its cost.
pub(super) fn usage(
    walker: &mut Walker,
    buffers: (&mut Members, &mut Members),
    line: &LineText<'_>,
    owner: &Members,
) -> Result<Option<Box<Usage>>, ParseError> {
    let (members, cost) = buffers;
    let Some((Shape::Object, span)) = owner.get(Key::Usage) else {
        return Ok(None);
    };
    walker.object(line.bytes, span.start(), members)?;
    cost.clear();
    if let Some((Shape::Object, span)) = members.get(Key::Cost) {
        walker.object(line.bytes, span.start(), cost)?;
    }
    let tokens = |key| members.number(line.bytes, key);
    let dollars = |key| cost.number(line.bytes, key);
    Ok(Some(Box::new(Usage {
        input: tokens(Key::Input),
        output: tokens(Key::Output),
        cache_read: tokens(Key::CacheRead),
        cache_write: tokens(Key::CacheWrite),
        reasoning: tokens(Key::Reasoning),
        total_tokens: tokens(Key::TotalTokens),
        cost: Cost {
            input: dollars(Key::Input),
            output: dollars(Key::Output),
            cache_read: dollars(Key::CacheRead),
            cache_write: dollars(Key::CacheWrite),
            total: dollars(Key::Total),
        },
    })))
}
