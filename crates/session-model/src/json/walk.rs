//! The structural walk: finds where the members of an object begin and end.
//!
//! Nearly all bytes of a session file are inside strings that nobody asks for (tool output, thinking, images), so a
//! string is passed over by looking for its closing quote. A line is checked as strictly as any JSON parser does it,
//! for Pi skips a line that is not JSON, whatever it holds.

use std::ops::Range;

use super::{
    Block, Blocks, Key, Members,
    blocks::Element,
    keys::Take,
    number::{is_number, plain_number},
    plain::{entry_head, numbers},
    quotes::Quotes,
};

/// A range of bytes of the line. Half the size of a range of `usize`, so that results fit into registers; no line that is
/// at hand comes near four gigabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    #[inline(always)]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    #[inline(always)]
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    #[inline(always)]
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// What kind of value a span holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The span is what stands between the quotes.
    String,
    Number,
    Bool(bool),
    Null,
    Array,
    Object,
}

/// The line is not JSON: where the walk found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    at: u32,
}

impl Malformed {
    #[cold]
    fn new(at: usize) -> Self {
        Self { at: at as u32 }
    }

    pub(crate) fn at(self) -> usize {
        self.at as usize
    }
}

/// What to do about control characters inside strings, which JSON forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    /// The line has none outside its end, or they do not matter.
    Ignore,
    /// A string with a control character makes the line malformed.
    Refuse,
}

/// Whose content is listed block by block while a message is walked over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// All but that of tool results, which is most of a file.
    Spoken,
    All,
}

/// Walks one line. Reusable, so that its bracket stack is allocated once.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    /// Open brackets of the value being passed over: true for an object.
    stack: Vec<bool>,
}

struct Cursor<'a> {
    line: &'a [u8],
    at: usize,
    quotes: Quotes,
    control: Control,
}

type Value = Result<(Shape, Span), Malformed>;

impl Walker {
    /// Reads the record at `from`: its members, those of its message, and the blocks of the message's content.
    /// Returns the position behind it.
    pub(crate) fn record(
        &mut self,
        line: &[u8],
        from: usize,
        control: Control,
        content: Content,
        parts: (&mut Members, &mut Members, &mut Blocks),
    ) -> Result<usize, Malformed> {
        let (members, message, blocks) = parts;
        members.clear();
        let (mut cursor, is_open) = match entry_head(line, from, members) {
            Some(at) => (Cursor::new(line, at, control), true),
            None => {
                let mut cursor = Cursor::new(line, from, control);
                let is_open = cursor.open()?;
                (cursor, is_open)
            }
        };
        if !is_open {
            return Ok(cursor.at);
        }
        self.rest_of_members(&mut cursor, members, |walker, cursor, key, _| {
            if key != Key::Message {
                return walker.value(cursor);
            }
            // A second message replaces the first.
            message.clear();
            blocks.clear();
            if cursor.peek() != Some(b'{') {
                return walker.value(cursor);
            }
            let start = cursor.at;
            walker.members(cursor, message, |walker, cursor, key, message| {
                if key == Key::Usage
                    && let Some(end) = numbers(line, cursor.at)
                {
                    let span = Span::new(cursor.at, end);
                    cursor.pass_plain(end);
                    return Ok((Shape::Object, span));
                }
                if key != Key::Content {
                    return walker.value(cursor);
                }
                blocks.clear();
                let skipped =
                    content == Content::Spoken && message.string(line, Key::Role) == Some(b"toolResult");
                if skipped || cursor.peek() != Some(b'[') {
                    return walker.value(cursor);
                }
                walker.blocks(cursor, blocks)
            })?;
            Ok((Shape::Object, Span::new(start, cursor.at)))
        })?;
        Ok(cursor.at)
    }

    /// Reads the object at `from`. Returns the position behind it.
    pub(crate) fn object(
        &mut self,
        line: &[u8],
        from: usize,
        members: &mut Members,
    ) -> Result<usize, Malformed> {
        members.clear();
        let mut cursor = Cursor::new(line, from, Control::Ignore);
        self.members(&mut cursor, members, |walker, cursor, _, _| walker.value(cursor))?;
        Ok(cursor.at)
    }

    /// Reads any value at `from`: its shape, its span and the position behind it.
    pub(crate) fn any(
        &mut self,
        line: &[u8],
        from: usize,
        control: Control,
    ) -> Result<(Shape, Span, usize), Malformed> {
        let mut cursor = Cursor::new(line, from, control);
        let (shape, span) = self.value(&mut cursor)?;
        Ok((shape, span, cursor.at))
    }

    /// Calls `each` for every block of an array that was walked before; tells whether there is a null among its
    /// elements.
    pub(crate) fn each_block(
        &mut self,
        line: &[u8],
        array: Span,
        mut each: impl FnMut(&Block),
    ) -> Result<bool, Malformed> {
        let mut cursor = Cursor::new(line, array.start(), Control::Ignore);
        let mut has_null = false;
        self.elements(&mut cursor, |element| {
            match element {
                Element::Block(block) => each(block),
                Element::Null => has_null = true,
                Element::Other => {}
            }
            true
        })?;
        Ok(has_null)
    }

    /// Lists the blocks of the array at the cursor.
    fn blocks(&mut self, cursor: &mut Cursor<'_>, blocks: &mut Blocks) -> Value {
        let start = cursor.at;
        let complete = self.elements(cursor, |element| blocks.add(element))?;
        let span = Span::new(start, cursor.at);
        if complete {
            blocks.complete(span);
        }
        Ok((Shape::Array, span))
    }

    /// Walks over the elements of an array; `each` answers whether it wants more. Returns its last answer.
    fn elements(
        &mut self,
        cursor: &mut Cursor<'_>,
        mut each: impl FnMut(&Element) -> bool,
    ) -> Result<bool, Malformed> {
        let mut wanted = true;
        cursor.expect(b'[')?;
        cursor.space();
        if cursor.peek() == Some(b']') {
            cursor.at += 1;
            return Ok(wanted);
        }
        loop {
            if wanted && cursor.peek() == Some(b'{') {
                let mut block = Block::default();
                self.members(cursor, &mut block, |walker, cursor, _, _| walker.value(cursor))?;
                wanted = each(&Element::Block(block));
            } else {
                let (shape, _) = self.value(cursor)?;
                if wanted {
                    wanted = each(if shape == Shape::Null {
                        &Element::Null
                    } else {
                        &Element::Other
                    });
                }
            }
            cursor.space();
            match cursor.next()? {
                b',' => cursor.space(),
                b']' => return Ok(wanted),
                _ => return Err(Malformed::new(cursor.at - 1)),
            }
        }
    }

    /// Reads the object at the cursor. `value` reads the value of a member that is known by name.
    #[inline]
    fn members<T: Take>(
        &mut self,
        cursor: &mut Cursor<'_>,
        members: &mut T,
        value: impl FnMut(&mut Self, &mut Cursor<'_>, Key, &T) -> Value,
    ) -> Result<(), Malformed> {
        if cursor.open()? {
            self.rest_of_members(cursor, members, value)
        } else {
            Ok(())
        }
    }

    /// Reads the object whose next key is at the cursor.
    #[inline]
    fn rest_of_members<T: Take>(
        &mut self,
        cursor: &mut Cursor<'_>,
        members: &mut T,
        mut value: impl FnMut(&mut Self, &mut Cursor<'_>, Key, &T) -> Value,
    ) -> Result<(), Malformed> {
        loop {
            let name = cursor.key()?;
            match Key::of(&cursor.line[name.range()]) {
                Some(key) => {
                    let (shape, span) = value(self, cursor, key, members)?;
                    members.take(key, shape, span);
                }
                None => {
                    self.value(cursor)?;
                }
            }
            cursor.space();
            match cursor.next()? {
                b',' => cursor.space(),
                b'}' => return Ok(()),
                _ => return Err(Malformed::new(cursor.at - 1)),
            }
        }
    }

    /// Passes over the value at the cursor.
    #[inline]
    fn value(&mut self, cursor: &mut Cursor<'_>) -> Value {
        match cursor.peek() {
            Some(b'"') => Ok((Shape::String, cursor.string()?)),
            Some(b'{') => Ok((Shape::Object, self.container(cursor)?)),
            Some(b'[') => Ok((Shape::Array, self.container(cursor)?)),
            _ => cursor.scalar(),
        }
    }

    /// Passes over an object or array. Iterative: depth costs a byte of the stack, not a call.
    fn container(&mut self, cursor: &mut Cursor<'_>) -> Result<Span, Malformed> {
        let start = cursor.at;
        self.stack.clear();
        'value: loop {
            match cursor.peek() {
                Some(b'"') => {
                    cursor.string()?;
                }
                Some(b'{') => {
                    cursor.at += 1;
                    cursor.space();
                    if cursor.peek() == Some(b'}') {
                        cursor.at += 1;
                    } else {
                        self.stack.push(true);
                        cursor.key()?;
                        continue 'value;
                    }
                }
                Some(b'[') => {
                    cursor.at += 1;
                    cursor.space();
                    if cursor.peek() == Some(b']') {
                        cursor.at += 1;
                    } else {
                        self.stack.push(false);
                        continue 'value;
                    }
                }
                _ => {
                    cursor.scalar()?;
                }
            }
            loop {
                let Some(&in_object) = self.stack.last() else {
                    return Ok(Span::new(start, cursor.at));
                };
                cursor.space();
                match (cursor.next()?, in_object) {
                    (b',', true) => {
                        cursor.space();
                        cursor.key()?;
                        continue 'value;
                    }
                    (b',', false) => {
                        cursor.space();
                        continue 'value;
                    }
                    (b'}', true) | (b']', false) => {
                        self.stack.pop();
                    }
                    _ => return Err(Malformed::new(cursor.at - 1)),
                }
            }
        }
    }
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte from `from` on that is no white space.
    fn new(line: &'a [u8], from: usize, control: Control) -> Self {
        let mut cursor = Self {
            line,
            at: from,
            quotes: Quotes::from(line, from),
            control,
        };
        cursor.space();
        cursor
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline]
    fn next(&mut self) -> Result<u8, Malformed> {
        let Some(byte) = self.peek() else {
            return Err(Malformed::new(self.at));
        };
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(Malformed::new(self.at))
        }
    }

    #[inline]
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The opening bracket of an object; true when a key follows, false behind an empty object.
    #[inline]
    fn open(&mut self) -> Result<bool, Malformed> {
        self.space();
        self.expect(b'{')?;
        self.space();
        let is_empty = self.peek() == Some(b'}');
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// Goes on at `end`, outside of strings; there is no backslash before it that was not looked at.
    #[inline]
    fn pass_plain(&mut self, end: usize) {
        self.at = end;
        self.quotes.pass_plain(self.line, end);
    }

    /// A key, the colon behind it, and the space behind that.
    #[inline(always)]
    fn key(&mut self) -> Result<Span, Malformed> {
        let key = self.string()?;
        // Pi writes no space.
        if let Some(&[b':', next]) = self.line[self.at..].first_chunk()
            && next > b' '
        {
            self.at += 1;
            return Ok(key);
        }
        self.space();
        self.expect(b':')?;
        self.space();
        Ok(key)
    }

    /// The string at the cursor: the span between its quotes.
    #[inline(always)]
    fn string(&mut self) -> Result<Span, Malformed> {
        if self.peek() != Some(b'"') {
            return Err(Malformed::new(self.at));
        }
        let start = self.at + 1;
        // The cursor has looked at every byte outside of strings, so this quote is the next one.
        if self.control == Control::Ignore
            && let Some(end) = self.quotes.string_in_block()
        {
            self.at = end + 1;
            return Ok(Span::new(start, end));
        }
        self.long_string(start)
    }

    #[inline(never)]
    fn long_string(&mut self, start: usize) -> Result<Span, Malformed> {
        self.quotes.next(self.line);
        let Some(end) = self.quotes.next(self.line) else {
            return Err(Malformed::new(self.line.len()));
        };
        if self.quotes.bad() < end {
            return Err(Malformed::new(self.quotes.bad()));
        }
        self.at = end + 1;
        if self.control == Control::Refuse
            && let Some(bad) = self.line[start..end].iter().position(|&byte| byte < 0x20)
        {
            return Err(Malformed::new(start + bad));
        }
        Ok(Span::new(start, end))
    }

    #[inline(always)]
    fn scalar(&mut self) -> Value {
        let start = self.at;
        if let Some(length) = plain_number(&self.line[start..]) {
            self.at += length;
            return Ok((Shape::Number, Span::new(start, self.at)));
        }
        self.any_scalar()
    }

    #[inline(never)]
    fn any_scalar(&mut self) -> Value {
        let start = self.at;
        let rest = &self.line[start..];
        let length = rest
            .iter()
            .position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\t' | b'\r' | b'\n'))
            .unwrap_or(rest.len());
        let shape = match &rest[..length] {
            b"true" => Shape::Bool(true),
            b"false" => Shape::Bool(false),
            b"null" => Shape::Null,
            number if is_number(number) => Shape::Number,
            _ => return Err(Malformed::new(start)),
        };
        self.at += length;
        Ok((shape, Span::new(start, self.at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(line: &str, control: Control) -> Result<usize, Malformed> {
        Walker::default()
            .any(line.as_bytes(), 0, control)
            .map(|(.., end)| end)
    }

    #[test]
    fn accepts_what_json_accepts_and_nothing_else() {
        for text in [
            r#"{}"#,
            r#"[]"#,
            r#"{"a":[1,-0.5e+3,true,false,null,"x\"y\\"],"b":{"c":{}}}"#,
            "42",
            r#""x""#,
            " [ 1 , { } ] ",
            "{",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1,}"#,
            r#"{"a":1 "b":2}"#,
            r#"{"a":"b" "c"}"#,
            r#"{\"a":1}"#,
            r#"["\x"]"#,
            r#"["\u12"]"#,
            r#"["\ud83d"]"#,
            "[1,]",
            "[1 2]",
            "[1}",
            "NaN",
            "01",
            "1.",
            "-",
            "tru",
            r#"{"a":"b"#,
            "{a:1}",
            "1e",
            "",
            "]",
        ] {
            let expected = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
            assert_eq!(whole(text, Control::Refuse).is_ok(), expected, "{text}");
        }
    }

    #[test]
    fn control_characters_in_strings_are_refused_on_request() {
        assert!(whole("{\"a\":\"x\ty\"}", Control::Refuse).is_err());
        assert!(whole("{\"a\":\"x\ty\"}", Control::Ignore).is_ok());
        assert!(whole("{\t\"a\":\t\"xy\"}\r", Control::Refuse).is_ok());
    }

    #[test]
    fn depth_costs_no_calls() {
        let deep = "[".repeat(1_000_000) + &"]".repeat(1_000_000);
        assert_eq!(whole(&deep, Control::Refuse), Ok(deep.len()));
    }

    #[test]
    fn what_stands_behind_a_record_does_not_matter() {
        let line = br#"{"id":"a"} \x " "#;
        let mut members = Members::default();
        assert_eq!(Walker::default().object(line, 0, &mut members), Ok(10));
        assert_eq!(members.string(line, Key::Id), Some(&b"a"[..]));
    }

    #[test]
    fn the_last_of_two_keys_wins_and_keys_may_have_escapes() {
        let line = br#"{"id":1,"\u0069d":"two","message":{"role":"x","content":[{"type":"a"}]},"message":{"content":[{"type":"b"},null,3],"text":"z"}}"#;
        let (mut top, mut message, mut blocks) = (Members::default(), Members::default(), Blocks::default());
        let end = Walker::default()
            .record(
                line,
                0,
                Control::Refuse,
                Content::Spoken,
                (&mut top, &mut message, &mut blocks),
            )
            .unwrap();
        assert_eq!(end, line.len());
        assert_eq!(top.string(line, Key::Id), Some(&b"two"[..]));
        assert_eq!(message.get(Key::Role), None);
        assert_eq!(message.string(line, Key::Text), Some(&b"z"[..]));
        let (_, array) = message.get(Key::Content).unwrap();
        let (listed, has_null) = blocks.of(array).unwrap();
        assert_eq!((listed.len(), has_null), (1, true));
        let (_, kind) = listed[0].kind.unwrap();
        assert_eq!(&line[kind.range()], b"b");
    }
}
