//! A place in a line, and the smallest steps from there: space, keys, strings, scalars.

use super::{
    Malformed, Shape, Span,
    marks::Marks,
    number::{is_number, plain_number},
};

pub(super) type Value = Result<(Shape, Span), Malformed>;

pub(super) struct Cursor<'a> {
    pub(super) line: &'a [u8],
    pub(super) at: usize,
    pub(super) marks: &'a mut Marks,
}

/// The place behind `literal`, where it stands at `at`.
#[inline(always)]
pub(super) fn skip<const N: usize>(line: &[u8], at: usize, literal: &[u8; N]) -> Option<usize> {
    let there: &[u8; N] = line.get(at..)?.first_chunk()?;
    (there == literal).then_some(at + N)
}

impl<'a> Cursor<'a> {
    /// A cursor at the first byte from `from` on that is no white space.
    pub(super) fn new(line: &'a [u8], from: usize, marks: &'a mut Marks) -> Self {
        let mut cursor = Self {
            line,
            at: from,
            marks,
        };
        cursor.space();
        cursor
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.line.get(self.at).copied()
    }

    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Malformed> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(Malformed::new(self.at))
        }
    }

    #[inline(always)]
    pub(super) fn space(&mut self) {
        // Pi writes none.
        if self.peek().is_some_and(|byte| byte <= b' ') {
            self.pass_space();
        }
    }

    #[cold]
    fn pass_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.at += 1;
        }
    }

    /// The opening bracket of an object; true when a key follows, false behind an empty object.
    #[inline(always)]
    pub(super) fn open(&mut self) -> Result<bool, Malformed> {
        self.space();
        self.expect(b'{')?;
        self.space();
        let is_empty = self.peek() == Some(b'}');
        self.at += usize::from(is_empty);
        Ok(!is_empty)
    }

    /// What stands behind a member or element: true for a comma, false for the bracket that closes its container.
    #[inline(always)]
    pub(super) fn more(&mut self, closing: u8) -> Result<bool, Malformed> {
        if let Some(&[b',', next]) = self.line[self.at..].first_chunk()
            && next > b' '
        {
            self.at += 1;
            return Ok(true);
        }
        self.space();
        let behind = self.peek();
        self.at += 1;
        if behind == Some(b',') {
            self.space();
            Ok(true)
        } else if behind == Some(closing) {
            Ok(false)
        } else {
            Err(Malformed::new(self.at - 1))
        }
    }

    /// A key, the colon behind it, and the space behind that.
    #[inline(always)]
    pub(super) fn key(&mut self) -> Result<Span, Malformed> {
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
    pub(super) fn string(&mut self) -> Result<Span, Malformed> {
        if self.peek() != Some(b'"') {
            return Err(Malformed::new(self.at));
        }
        let start = self.at + 1;
        let Some(end) = self.marks.quote_from(self.line, start) else {
            return Err(Malformed::new(self.marks.bad().unwrap_or(self.line.len())));
        };
        self.at = end + 1;
        Ok(Span::new(start, end))
    }

    #[inline(always)]
    pub(super) fn scalar(&mut self) -> Value {
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
