//! Messages as Pi writes them, read from front to end: the members stand in a known order, so each is one comparison and
//! not a search. As strict as the walk, to which everything else is left.

use super::{
    Key, Span, Walker,
    cursor::{Cursor, skip},
    number::plain_number,
};
use crate::Role;

/// Where the parts of a plain message stand that an outline needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainMessage {
    pub(crate) id: Span,
    /// `None` for null.
    pub(crate) parent: Option<Span>,
    /// The time of the entry, a string.
    pub(crate) written: Span,
    pub(crate) role: Role,
    /// Of an assistant.
    pub(crate) model: Option<Span>,
    /// The time of the message, a number.
    pub(crate) time: Option<Span>,
}

impl Walker {
    /// Reads the line that was taken up, if it is a plain message of user, assistant or tool. `texts` are its text blocks,
    /// where somebody speaks.
    pub(crate) fn plain(&mut self, line: &[u8], texts: &mut Vec<Span>) -> Option<PlainMessage> {
        texts.clear();
        if self.marks.control() {
            return None;
        }
        let Self { marks, stack } = self;
        let mut cursor = Cursor { line, at: 0, marks };
        cursor.eat(b"{\"type\":\"message\",\"id\":\"")?;
        let id = cursor.quoted()?;
        cursor.eat(b",\"parentId\":")?;
        let parent = match cursor.eat(b"\"") {
            Some(()) => Some(cursor.quoted()?),
            None => {
                cursor.eat(b"null")?;
                None
            }
        };
        cursor.eat(b",\"timestamp\":\"")?;
        let written = cursor.quoted()?;
        cursor.eat(b",\"message\":{\"role\":\"")?;
        let mut message = PlainMessage {
            id,
            parent,
            written,
            role: Role::ToolResult,
            model: None,
            time: None,
        };
        if cursor.eat(b"assistant\",\"content\":").is_some() {
            message.role = Role::Assistant;
            cursor.plain_blocks(stack, texts)?;
            cursor.eat(b",\"api\":\"")?;
            cursor.quoted()?;
            cursor.eat(b",\"provider\":\"")?;
            cursor.quoted()?;
            cursor.eat(b",\"model\":\"")?;
            message.model = Some(cursor.quoted()?);
            cursor.eat(b",\"usage\":")?;
            cursor.usage(stack)?;
        } else if cursor.eat(b"toolResult\",\"toolCallId\":\"").is_some() {
            cursor.quoted()?;
            cursor.eat(b",\"toolName\":\"")?;
            cursor.quoted()?;
            cursor.eat(b",\"content\":")?;
            cursor.result(stack)?;
        } else {
            cursor.eat(b"user\",\"content\":")?;
            message.role = Role::User;
            if cursor.eat(b"\"").is_some() {
                texts.push(cursor.quoted()?);
            } else {
                cursor.plain_blocks(stack, texts)?;
            }
        }
        cursor.other_members(stack, &mut message)?;
        (cursor.at == line.len()).then_some(message)
    }
}

impl Cursor<'_> {
    /// Passes a literal that stands here.
    #[inline(always)]
    fn eat<const N: usize>(&mut self, literal: &[u8; N]) -> Option<()> {
        self.at = skip(self.line, self.at, literal)?;
        Some(())
    }

    /// The string whose opening quote was passed.
    #[inline(always)]
    fn quoted(&mut self) -> Option<Span> {
        let end = self.marks.quote_from(self.line, self.at)?;
        let span = Span::new(self.at, end);
        self.at = end + 1;
        Some(span)
    }

    #[inline(always)]
    fn number(&mut self) -> Option<Span> {
        let length = plain_number(&self.line[self.at..])?;
        let span = Span::new(self.at, self.at + length);
        self.at += length;
        Some(span)
    }

    /// A key and the number behind it.
    #[inline(always)]
    fn count<const N: usize>(&mut self, key: &[u8; N]) -> Option<Span> {
        self.eat(key)?;
        self.number()
    }

    /// The blocks of a content that are text, of blocks as Pi writes them.
    #[inline]
    fn plain_blocks(&mut self, stack: &mut Vec<u8>, texts: &mut Vec<Span>) -> Option<()> {
        self.eat(b"[")?;
        if self.eat(b"]").is_some() {
            return Some(());
        }
        loop {
            if self.eat(b"{\"type\":\"toolCall\",\"id\":\"").is_some() {
                self.quoted()?;
                self.eat(b",\"name\":\"")?;
                self.quoted()?;
                self.eat(b",\"arguments\":")?;
                self.value(stack).ok()?;
            } else if self.eat(b"{\"type\":\"text\",\"text\":\"").is_some() {
                texts.push(self.quoted()?);
                if self.eat(b",\"textSignature\":\"").is_some() {
                    self.quoted()?;
                }
            } else {
                self.eat(b"{\"type\":\"thinking\",\"thinking\":\"")?;
                self.quoted()?;
                if self.eat(b",\"thinkingSignature\":\"").is_some() {
                    self.quoted()?;
                }
            }
            self.eat(b"}")?;
            if self.eat(b",").is_none() {
                return self.eat(b"]");
            }
        }
    }

    /// The content of a tool result.
    #[inline]
    fn result(&mut self, stack: &mut Vec<u8>) -> Option<()> {
        let start = self.at;
        if self.eat(b"[{\"type\":\"text\",\"text\":\"").is_some() {
            self.quoted()?;
            if self.eat(b"}]").is_some() {
                return Some(());
            }
            self.at = start;
        }
        matches!(self.peek(), Some(b'[' | b'"')).then_some(())?;
        self.value(stack).ok().map(drop)
    }

    /// What an answer used.
    #[inline]
    fn usage(&mut self, stack: &mut Vec<u8>) -> Option<()> {
        let start = self.at;
        if self.plain_usage().is_some() {
            return Some(());
        }
        self.at = start;
        self.value(stack).ok().map(drop)
    }

    #[inline]
    fn plain_usage(&mut self) -> Option<()> {
        self.count(b"{\"input\":")?;
        self.count(b",\"output\":")?;
        self.count(b",\"cacheRead\":")?;
        self.count(b",\"cacheWrite\":")?;
        // Not there in old files.
        let _ = self.count(b",\"totalTokens\":");
        self.count(b",\"cost\":{\"input\":")?;
        self.count(b",\"output\":")?;
        self.count(b",\"cacheRead\":")?;
        self.count(b",\"cacheWrite\":")?;
        self.count(b",\"total\":")?;
        self.eat(b"}}")
    }

    /// The other members of a message, in any order, and the ends of message and entry.
    #[inline]
    fn other_members(&mut self, stack: &mut Vec<u8>, message: &mut PlainMessage) -> Option<()> {
        loop {
            if self.eat(b",\"timestamp\":").is_some() {
                message.time = Some(self.number()?);
            } else if self.eat(b",\"stopReason\":\"").is_some()
                || self.eat(b",\"responseId\":\"").is_some()
                || self.eat(b",\"thinkingLevel\":\"").is_some()
            {
                self.quoted()?;
            } else if self.eat(b",\"durationMs\":").is_some() {
                self.number()?;
            } else if self.eat(b",\"isError\":false").is_some() {
            } else if self.eat(b",\"").is_some() {
                let name = self.quoted()?;
                // A second one of what was read, or one with escapes. At the others an outline does not look.
                let counts = Key::of(&self.line[name.range()]);
                if let Some(Key::Role | Key::Content | Key::Model | Key::Timestamp) = counts {
                    return None;
                }
                self.eat(b":")?;
                self.value(stack).ok()?;
            } else {
                return self.eat(b"}}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::{Blocks, Content, Control, Members, Shape};

    const HEAD: &str = r#"{"type":"message","id":"a","parentId":"b","timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"#;
    const USAGE: &str = r#"{"input":1,"output":20,"cacheRead":0,"cacheWrite":3,"totalTokens":24,"cost":{"input":0.1,"output":0,"cacheRead":0,"cacheWrite":0,"total":0.25}}"#;

    /// Reads the line as a plain message and walks over it: both take the same. False where it is no plain message.
    fn is_plain(line: &str) -> bool {
        let line = line.as_bytes();
        let (mut walker, mut texts) = (Walker::default(), Vec::new());
        let control = walker.take_up(line, Control::Refuse);
        let Some(plain) = walker.plain(line, &mut texts) else {
            return false;
        };
        let (mut top, mut message, mut blocks) = (Members::default(), Members::default(), Blocks::default());
        let parts = (&mut top, &mut message, &mut blocks);
        let end = walker.record(line, 0, control, Content::All, parts);
        assert_eq!(end, Ok(line.len()));
        let string = |span| (Shape::String, span);
        assert_eq!(top.get(Key::Id), Some(string(plain.id)));
        assert_eq!(
            top.string(line, Key::ParentId),
            plain.parent.map(|span| &line[span.range()])
        );
        assert_eq!(top.get(Key::Timestamp), Some(string(plain.written)));
        assert_eq!(
            message.string(line, Key::Role),
            Some(plain.role.name().as_bytes())
        );
        assert_eq!(
            message.get(Key::Timestamp),
            plain.time.map(|span| (Shape::Number, span))
        );
        if plain.role == Role::Assistant {
            assert_eq!(message.get(Key::Model), plain.model.map(string));
        }
        if plain.role != Role::ToolResult {
            let walked: Vec<Span> = match message.get(Key::Content) {
                Some((Shape::String, span)) => vec![span],
                Some((_, array)) => {
                    let (listed, has_null) = blocks.of(array).unwrap();
                    assert!(!has_null);
                    listed
                        .iter()
                        .filter(|block| &line[block.kind.unwrap().1.range()] == b"text")
                        .map(|block| block.text.unwrap().1)
                        .collect()
                }
                None => panic!("a message without content"),
            };
            assert_eq!(texts, walked);
        }
        true
    }

    #[test]
    fn messages_of_pi_are_plain() {
        for rest in [
            r#""user","content":"a \" b","timestamp":1772442001000}}"#.to_owned(),
            r#""user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"timestamp":7}}"#.to_owned(),
            r#""user","content":[]}}"#.to_owned(),
            format!(r#""assistant","content":[],"api":"x","provider":"p","model":"m","usage":{USAGE},"stopReason":"stop","timestamp":7}}}}"#),
            format!(
                r#""assistant","content":[{{"type":"thinking","thinking":"t","thinkingSignature":"s"}},{{"type":"text","text":"a","textSignature":"s"}},{{"type":"toolCall","id":"c","name":"bash","arguments":{{"command":["ls",{{"a":null}}]}}}}],"api":"x","provider":"p","model":"m","usage":{USAGE},"stopReason":"toolUse","timestamp":7,"responseId":"r","more":[1,{{}}]}}}}"#
            ),
            r#""assistant","content":[],"api":"x","provider":"p","model":"m","usage":{"input":1e3},"timestamp":7}}"#.to_owned(),
            r#""toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"}{ x"}],"isError":false,"timestamp":7}}"#.to_owned(),
            r#""toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"image","data":"x"},null],"details":{"a":[1]},"isError":true,"timestamp":7}}"#.to_owned(),
        ] {
            assert!(is_plain(&format!("{HEAD}{rest}")), "{rest}");
        }
    }

    #[test]
    fn everything_else_is_left_to_the_walk() {
        for rest in [
            r#""user","content":"b","timestamp":1}"#,
            r#""user","content":"b","timestamp":1}} "#,
            r#""user","content":"b","timestamp":1}}x"#,
            r#""user","content":"b","timestamp":01}}"#,
            r#""user","content":"b","timestamp":"1"}}"#,
            r#""user","content":"b","timestamp":1,"role":"assistant"}}"#,
            r#""user","content":"b","timestamp":1,"content":"c"}}"#,
            r#""user","content":"b","timestamp":1,"r\u006fle":"assistant"}}"#,
            r#""user","content":"b","timestamp":1,"time\u0073tamp":2}}"#,
            r#""user","content":"\x","timestamp":1}}"#,
            r#""user","content":"b", "timestamp":1}}"#,
            r#""user","content":"b","more":,"timestamp":1}}"#,
            r#""user","content":"b","more":[1,],"timestamp":1}}"#,
            r#""user","content":null,"timestamp":1}}"#,
            r#""user","content":[null],"timestamp":1}}"#,
            r#""user","content":[{"type":"text","text":"a","text":"b"}],"timestamp":1}}"#,
            r#""user","content":[{"type":"text","text":"a"},],"timestamp":1}}"#,
            r#""user","content":[{"type":"text","text":"a"}"#,
            "\"user\",\"content\":\"a\tb\",\"timestamp\":1}}",
            r#""assistant","content":"b","timestamp":1}}"#,
            r#""assistant","content":[],"api":"x","provider":"p","model":"m","usage":{"input":1,"output":},"timestamp":1}}"#,
            r#""toolResult","toolCallId":"c","toolName":"bash","content":7,"isError":false,"timestamp":7}}"#,
            r#""toolResult","toolCallId":"c","toolName":"bash","content":[{"type":"text","text":"a"},],"timestamp":7}}"#,
            r#""bashExecution","command":"ls","path":"p","timestamp":1}}"#,
        ] {
            assert!(!is_plain(&format!("{HEAD}{rest}")), "{rest}");
        }
    }
}
