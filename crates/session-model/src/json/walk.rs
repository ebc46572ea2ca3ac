//! The structural walk: finds where the members of an object begin and end.
//!
//! Nearly all bytes of a session file are inside strings that nobody asks for (tool output, thinking, images), so a
//! string is passed over by looking for its closing quote. A line is checked as strictly as any JSON parser does it,
//! for Pi skips a line that is not JSON, whatever it holds.

use super::{
    Block, Blocks, Control, Key, Malformed, Marks, Members, Shape, Span,
    blocks::Element,
    cursor::{Cursor, Value},
    head::entry_head,
    keys::Take,
};

/// Whose content is listed block by block while a message is walked over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Content {
    /// All but that of tool results, which is most of a file.
    Spoken,
    All,
}

/// Walks one line. Reusable, so that its buffers are allocated once.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    pub(super) marks: Marks,
    /// The closing brackets of the value being passed over.
    pub(super) stack: Vec<u8>,
}

impl Walker {
    /// Takes up a line that is to be walked as a whole. What is refused on request but not there needs no search.
    pub(crate) fn take_up(&mut self, line: &[u8], control: Control) -> Control {
        self.marks.whole(line);
        if self.marks.control() {
            control
        } else {
            Control::Ignore
        }
    }

    /// Takes up a line that is to be walked from `from` on, nobody knows how far.
    pub(crate) fn take_up_at(&mut self, line: &[u8], from: usize) {
        self.marks.begin(from, line.len());
    }

    /// What the line holds that was taken up last.
    pub(crate) fn marks(&self) -> &Marks {
        &self.marks
    }

    /// Reads the record at `from` of the line that was taken up: its members, those of its message, and the blocks of the
    /// message's content. Returns the position behind it.
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
        let Self { marks, stack } = self;
        let head = entry_head(line, from, marks, members);
        let mut cursor = Cursor::new(line, head.unwrap_or(from), marks);
        if head.is_none() && !cursor.open()? {
            return Ok(cursor.at);
        }
        cursor.members(stack, members, |cursor, stack, key, _| {
            if key != Key::Message {
                return cursor.value(stack);
            }
            // A second message replaces the first.
            message.clear();
            blocks.clear();
            if cursor.peek() != Some(b'{') {
                return cursor.value(stack);
            }
            let start = cursor.at;
            if cursor.open()? {
                cursor.members(stack, message, |cursor, stack, key, message| {
                    if key != Key::Content {
                        return cursor.value(stack);
                    }
                    blocks.clear();
                    let skipped =
                        content == Content::Spoken && message.string(line, Key::Role) == Some(b"toolResult");
                    if skipped || cursor.peek() != Some(b'[') {
                        return cursor.value(stack);
                    }
                    cursor.blocks(stack, blocks)
                })?;
            }
            Ok((Shape::Object, Span::new(start, cursor.at)))
        })?;
        let end = cursor.at;
        self.check_control(line, from, end, control)?;
        Ok(end)
    }

    /// Reads the object at `from` of the line that was taken up.
    pub(crate) fn object(
        &mut self,
        line: &[u8],
        from: usize,
        members: &mut Members,
    ) -> Result<(), Malformed> {
        members.clear();
        let mut cursor = Cursor::new(line, from, &mut self.marks);
        if cursor.open()? {
            cursor.members(&mut self.stack, members, |cursor, stack, _, _| {
                cursor.value(stack)
            })?;
        }
        Ok(())
    }

    /// Reads any value at `from` of the line that was taken up: its shape, its span and the position behind it.
    pub(crate) fn any(
        &mut self,
        line: &[u8],
        from: usize,
        control: Control,
    ) -> Result<(Shape, Span, usize), Malformed> {
        let mut cursor = Cursor::new(line, from, &mut self.marks);
        let (shape, span) = cursor.value(&mut self.stack)?;
        let end = cursor.at;
        self.check_control(line, from, end, control)?;
        Ok((shape, span, end))
    }

    /// Refuses control characters in the strings of what was walked. Nearly no line has any, so they have a pass of their
    /// own.
    fn check_control(
        &mut self,
        line: &[u8],
        from: usize,
        end: usize,
        control: Control,
    ) -> Result<(), Malformed> {
        if control == Control::Refuse
            && let Some(at) = self.marks.control_in_string(line, from, end)
        {
            return Err(Malformed::new(at));
        }
        Ok(())
    }

    /// Calls `each` for every block of an array of the line that was taken up; tells whether there is a null among its
    /// elements.
    pub(crate) fn each_block(
        &mut self,
        line: &[u8],
        array: Span,
        mut each: impl FnMut(&Block),
    ) -> Result<bool, Malformed> {
        let mut cursor = Cursor::new(line, array.start(), &mut self.marks);
        let mut has_null = false;
        cursor.elements(&mut self.stack, |element| {
            match element {
                Element::Block(block) => each(block),
                Element::Null => has_null = true,
                Element::Other => {}
            }
            true
        })?;
        Ok(has_null)
    }
}

impl Cursor<'_> {
    /// Lists the blocks of the array at the cursor.
    pub(super) fn blocks(&mut self, stack: &mut Vec<u8>, blocks: &mut Blocks) -> Value {
        let start = self.at;
        let complete = self.elements(stack, |element| blocks.add(element))?;
        let span = Span::new(start, self.at);
        if complete {
            blocks.complete(span);
        }
        Ok((Shape::Array, span))
    }

    /// Walks over the elements of an array; `each` answers whether it wants more. Returns its last answer.
    fn elements(
        &mut self,
        stack: &mut Vec<u8>,
        mut each: impl FnMut(&Element) -> bool,
    ) -> Result<bool, Malformed> {
        let mut wanted = true;
        self.expect(b'[')?;
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(wanted);
        }
        loop {
            if wanted && self.peek() == Some(b'{') {
                let mut block = Block::default();
                if self.open()? {
                    self.members(stack, &mut block, |cursor, stack, _, _| cursor.value(stack))?;
                }
                wanted = each(&Element::Block(block));
            } else {
                let (shape, _) = self.value(stack)?;
                if wanted {
                    wanted = each(if shape == Shape::Null {
                        &Element::Null
                    } else {
                        &Element::Other
                    });
                }
            }
            if !self.more(b']')? {
                return Ok(wanted);
            }
        }
    }

    /// Reads the object whose next key is at the cursor. `value` reads the value of a member that is known by name.
    #[inline]
    fn members<T: Take>(
        &mut self,
        stack: &mut Vec<u8>,
        members: &mut T,
        mut value: impl FnMut(&mut Self, &mut Vec<u8>, Key, &T) -> Value,
    ) -> Result<(), Malformed> {
        loop {
            let name = self.key()?;
            match Key::of(&self.line[name.range()]) {
                Some(key) => {
                    let (shape, span) = value(self, stack, key, members)?;
                    members.take(key, shape, span);
                }
                None => {
                    self.value(stack)?;
                }
            }
            if !self.more(b'}')? {
                return Ok(());
            }
        }
    }

    /// Passes over the value at the cursor.
    #[inline]
    pub(super) fn value(&mut self, stack: &mut Vec<u8>) -> Value {
        match self.peek() {
            Some(b'"') => Ok((Shape::String, self.string()?)),
            Some(b'{') => Ok((Shape::Object, self.container(stack)?)),
            Some(b'[') => Ok((Shape::Array, self.container(stack)?)),
            _ => self.scalar(),
        }
    }

    /// Passes over an object or array. Iterative: depth costs a byte of the stack, not a call.
    fn container(&mut self, stack: &mut Vec<u8>) -> Result<Span, Malformed> {
        let start = self.at;
        stack.clear();
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.string()?;
                }
                Some(opening @ (b'{' | b'[')) => {
                    let closing = opening + 2;
                    self.at += 1;
                    self.space();
                    if self.peek() == Some(closing) {
                        self.at += 1;
                    } else {
                        stack.push(closing);
                        if closing == b'}' {
                            self.key()?;
                        }
                        continue;
                    }
                }
                _ => {
                    self.scalar()?;
                }
            }
            loop {
                let Some(&closing) = stack.last() else {
                    return Ok(Span::new(start, self.at));
                };
                if self.more(closing)? {
                    if closing == b'}' {
                        self.key()?;
                    }
                    break;
                }
                stack.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(line: &str, control: Control) -> Result<usize, Malformed> {
        let mut walker = Walker::default();
        let control = walker.take_up(line.as_bytes(), control);
        walker.any(line.as_bytes(), 0, control).map(|(.., end)| end)
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
        let (mut members, mut message, mut blocks) =
            (Members::default(), Members::default(), Blocks::default());
        let mut walker = Walker::default();
        walker.take_up_at(line, 0);
        let parts = (&mut members, &mut message, &mut blocks);
        let end = walker.record(line, 0, Control::Ignore, Content::Spoken, parts);
        assert_eq!(end, Ok(10));
        assert_eq!(members.string(line, Key::Id), Some(&b"a"[..]));
    }

    #[test]
    fn the_last_of_two_keys_wins_and_keys_may_have_escapes() {
        let line = br#"{"id":1,"\u0069d":"two","message":{"role":"x","content":[{"type":"a"}]},"message":{"content":[{"type":"b"},null,3],"text":"z"}}"#;
        let (mut top, mut message, mut blocks) = (Members::default(), Members::default(), Blocks::default());
        let mut walker = Walker::default();
        walker.take_up(line, Control::Refuse);
        let end = walker
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
