//! The structural walk: finds where the members of an object begin and end.
//!
//! Nearly all bytes of a session file are inside strings that nobody asks for (tool output, thinking, images), so a
//! string is passed over by looking for its closing quote and nothing else. Everything between strings is checked as
//! strictly as JSON demands. What is not checked in strings that are passed over: their escapes.

use memchr::memchr;

/// A range of bytes of the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: usize,
    pub(crate) end: usize,
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
    pub(crate) at: usize,
}

/// What to do about control characters inside strings, which JSON forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    /// The line has none outside its end, or they do not matter.
    Ignore,
    /// A string with a control character makes the line malformed.
    Refuse,
}

/// The members of one object: key, shape and span of the value, in the order of the text. Keys are raw bytes.
#[derive(Debug, Default)]
pub(crate) struct Members {
    list: Vec<(Span, Shape, Span)>,
}

impl Members {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// The value of `key`; the last one when the key is there twice, as in every JSON parser.
    pub(crate) fn get(&self, line: &[u8], key: &str) -> Option<(Shape, Span)> {
        self.list
            .iter()
            .rev()
            .find(|(name, ..)| key_is(&line[name.start..name.end], key))
            .map(|&(_, shape, span)| (shape, span))
    }

    /// The raw bytes of a string value.
    pub(crate) fn string<'a>(&self, line: &'a [u8], key: &str) -> Option<&'a [u8]> {
        match self.get(line, key) {
            Some((Shape::String, span)) => Some(&line[span.start..span.end]),
            _ => None,
        }
    }

    /// A number value.
    pub(crate) fn number(&self, line: &[u8], key: &str) -> Option<f64> {
        match self.get(line, key) {
            Some((Shape::Number, span)) => std::str::from_utf8(&line[span.start..span.end])
                .ok()?
                .parse()
                .ok(),
            _ => None,
        }
    }

    /// A boolean value.
    pub(crate) fn bool(&self, line: &[u8], key: &str) -> Option<bool> {
        match self.get(line, key) {
            Some((Shape::Bool(value), _)) => Some(value),
            _ => None,
        }
    }
}

/// Compares a raw key with a name; escapes in keys are legal, so a key with one is decoded first.
pub(super) fn key_is(raw: &[u8], name: &str) -> bool {
    raw == name.as_bytes()
        || (memchr(b'\\', raw).is_some() && super::decode(raw).is_ok_and(|key| key == name))
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
    control: Control,
}

impl Walker {
    /// Reads the object at `from` and lists its members; a member named `nested` that is an object is listed too,
    /// so that it is not walked twice. Returns the position behind the object.
    pub(crate) fn object(
        &mut self,
        line: &[u8],
        from: usize,
        control: Control,
        members: &mut Members,
        mut nested: Option<(&str, &mut Members)>,
    ) -> Result<usize, Malformed> {
        let mut cursor = Cursor {
            line,
            at: from,
            control,
        };
        members.clear();
        cursor.space();
        cursor.expect(b'{')?;
        cursor.space();
        if cursor.peek() == Some(b'}') {
            return Ok(cursor.at + 1);
        }
        loop {
            let key = cursor.key()?;
            cursor.space();
            let start = cursor.at;
            let value = match &mut nested {
                Some((name, inner)) if key_is(&line[key.start..key.end], name) => {
                    inner.clear();
                    if cursor.peek() == Some(b'{') {
                        cursor.at = self.object(line, start, control, inner, None)?;
                        (
                            Shape::Object,
                            Span {
                                start,
                                end: cursor.at,
                            },
                        )
                    } else {
                        self.value(&mut cursor)?
                    }
                }
                _ => self.value(&mut cursor)?,
            };
            members.list.push((key, value.0, value.1));
            cursor.space();
            match cursor.next()? {
                b',' => cursor.space(),
                b'}' => return Ok(cursor.at),
                _ => return Err(Malformed { at: cursor.at - 1 }),
            }
        }
    }

    /// Reads any value at `from`: its shape, its span and the position behind it.
    pub(crate) fn any(
        &mut self,
        line: &[u8],
        from: usize,
        control: Control,
    ) -> Result<(Shape, Span, usize), Malformed> {
        let mut cursor = Cursor {
            line,
            at: from,
            control,
        };
        cursor.space();
        let (shape, span) = self.value(&mut cursor)?;
        Ok((shape, span, cursor.at))
    }

    /// Calls `each` for every element of an array that was walked before.
    pub(crate) fn elements(
        &mut self,
        line: &[u8],
        array: Span,
        mut each: impl FnMut(&mut Self, Shape, Span),
    ) -> Result<(), Malformed> {
        let mut cursor = Cursor {
            line,
            at: array.start + 1,
            control: Control::Ignore,
        };
        cursor.space();
        if cursor.peek() == Some(b']') {
            return Ok(());
        }
        loop {
            cursor.space();
            let (shape, span) = self.value(&mut cursor)?;
            each(self, shape, span);
            cursor.space();
            match cursor.next()? {
                b',' => {}
                _ => return Ok(()),
            }
        }
    }

    /// Passes over the value at the cursor.
    fn value(&mut self, cursor: &mut Cursor<'_>) -> Result<(Shape, Span), Malformed> {
        match cursor.peek() {
            Some(b'"') => Ok((Shape::String, cursor.string()?)),
            Some(open @ (b'{' | b'[')) => {
                let start = cursor.at;
                self.container(cursor)?;
                let shape = if open == b'{' { Shape::Object } else { Shape::Array };
                Ok((
                    shape,
                    Span {
                        start,
                        end: cursor.at,
                    },
                ))
            }
            _ => cursor.scalar(),
        }
    }

    /// Passes over an object or array. Iterative: depth costs a byte of the stack, not a call.
    fn container(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Malformed> {
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
                        cursor.space();
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
                    return Ok(());
                };
                cursor.space();
                match (cursor.next()?, in_object) {
                    (b',', true) => {
                        cursor.space();
                        cursor.key()?;
                        cursor.space();
                        continue 'value;
                    }
                    (b',', false) => {
                        cursor.space();
                        continue 'value;
                    }
                    (b'}', true) | (b']', false) => {
                        self.stack.pop();
                    }
                    _ => return Err(Malformed { at: cursor.at - 1 }),
                }
            }
        }
    }
}

impl Cursor<'_> {
    #[inline]
    fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline]
    fn next(&mut self) -> Result<u8, Malformed> {
        let byte = self.peek().ok_or(Malformed { at: self.at })?;
        self.at += 1;
        Ok(byte)
    }

    #[inline]
    fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(Malformed { at: self.at })
        }
    }

    #[inline]
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// A key and the colon behind it.
    fn key(&mut self) -> Result<Span, Malformed> {
        let key = self.string()?;
        self.space();
        self.expect(b':')?;
        Ok(key)
    }

    /// The string at the cursor: the span between its quotes.
    fn string(&mut self) -> Result<Span, Malformed> {
        self.expect(b'"')?;
        let start = self.at;
        let mut from = start;
        loop {
            let Some(found) = memchr(b'"', &self.line[from..]) else {
                return Err(Malformed { at: self.line.len() });
            };
            let quote = from + found;
            // Every quote looks back over the backslashes in front of it only: linear over the string.
            let slashes = self.line[from..quote]
                .iter()
                .rev()
                .take_while(|&&byte| byte == b'\\')
                .count();
            if slashes % 2 == 0 {
                self.at = quote + 1;
                let span = Span { start, end: quote };
                if self.control == Control::Refuse
                    && let Some(bad) = self.line[start..quote].iter().position(|&byte| byte < 0x20)
                {
                    return Err(Malformed { at: start + bad });
                }
                return Ok(span);
            }
            from = quote + 1;
        }
    }

    fn scalar(&mut self) -> Result<(Shape, Span), Malformed> {
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
            _ => return Err(Malformed { at: start }),
        };
        self.at += length;
        Ok((shape, Span { start, end: self.at }))
    }
}

fn is_number(text: &[u8]) -> bool {
    let digits = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let mut rest = text.strip_prefix(b"-").unwrap_or(text);
    let whole = digits(rest);
    if whole == 0 || (whole > 1 && rest[0] == b'0') {
        return false;
    }
    rest = &rest[whole..];
    if let Some(fraction) = rest.strip_prefix(b".") {
        let length = digits(fraction);
        if length == 0 {
            return false;
        }
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let exponent = exponent
            .strip_prefix(b"+")
            .or(exponent.strip_prefix(b"-"))
            .unwrap_or(exponent);
        let length = digits(exponent);
        return length > 0 && length == exponent.len();
    }
    rest.is_empty()
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
        ] {
            assert_eq!(
                serde_json::from_str::<serde_json::Value>(text).is_ok(),
                whole(text, Control::Refuse).is_ok(),
                "{text}"
            );
        }
        for text in [
            "{",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1,}"#,
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
            assert!(whole(text, Control::Refuse).is_err(), "{text}");
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
    fn the_last_of_two_keys_wins_and_keys_may_have_escapes() {
        let line = br#"{"a":1,"\u0061":"two","m":{"x":1},"m":{"y":"z"}}"#;
        let (mut walker, mut top, mut inner) = (Walker::default(), Members::default(), Members::default());
        let end = walker
            .object(line, 0, Control::Refuse, &mut top, Some(("m", &mut inner)))
            .unwrap();
        assert_eq!(end, line.len());
        assert_eq!(top.string(line, "a"), Some(&b"two"[..]));
        assert_eq!(inner.get(line, "x"), None);
        assert_eq!(inner.string(line, "y"), Some(&b"z"[..]));
    }
}
