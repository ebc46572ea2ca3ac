//! A line, and the decoding of its strings.

use smol_str::SmolStr;

use super::ParseError;
use crate::{
    EntryId, ReadAt, Text, Timestamp,
    condense::Elision,
    json::{InvalidString, Key, Members, Raw, Shape, Span, decode, decode_into, repair},
};

/// The line that is parsed, and where the strings are that were left out of it.
pub(crate) struct LineText<'a> {
    pub(super) bytes: &'a [u8],
    /// The same, or the beginning of it, where it is UTF-8. Checking much at once is cheaper than string by string.
    text: Option<&'a str>,
    elisions: &'a [Elision],
    source: &'a dyn ReadAt,
}

/// Strings left in the file are decoded in pieces of this size.
const PIECE: usize = 1 << 20;

impl<'a> LineText<'a> {
    pub(crate) fn new(bytes: &'a [u8], elisions: &'a [Elision], source: &'a dyn ReadAt) -> Self {
        Self {
            bytes,
            text: simdutf8::basic::from_utf8(bytes).ok(),
            elisions,
            source,
        }
    }

    /// A line without a byte above ASCII: its beginning, in which the small strings are, is checked at once, and the rest
    /// string by string, as far as strings are decoded.
    pub(crate) fn ascii(bytes: &'a [u8], elisions: &'a [Elision], source: &'a dyn ReadAt) -> Self {
        const BEGINNING: usize = 192;
        let beginning = &bytes[..bytes.len().min(BEGINNING)];
        Self {
            bytes,
            text: simdutf8::basic::from_utf8(beginning).ok(),
            elisions,
            source,
        }
    }

    /// True when bytes of the line are not UTF-8.
    pub(crate) fn is_broken(&self) -> bool {
        self.text.is_none()
    }

    #[inline]
    pub(super) fn raw(&self, span: Span) -> Raw<'a> {
        // Spans end at quotes, which are no part of another character.
        match self.text.and_then(|text| text.get(span.range())) {
            Some(text) => Raw::Text(text),
            None => {
                let bytes = &self.bytes[span.range()];
                simdutf8::basic::from_utf8(bytes).map_or(Raw::Bytes(bytes), Raw::Text)
            }
        }
    }

    /// The raw value of a member that is a string.
    #[inline]
    pub(super) fn raw_string(&self, members: &Members, key: Key) -> Option<Raw<'a>> {
        match members.get(key) {
            Some((Shape::String, span)) => Some(self.raw(span)),
            _ => None,
        }
    }

    pub(super) fn elision(&self, span: Span) -> Option<&Elision> {
        if self.elisions.is_empty() || !span.is_empty() {
            return None;
        }
        self.elisions
            .binary_search_by_key(&span.start(), |elision| elision.at)
            .ok()
            .map(|found| &self.elisions[found])
    }

    /// The decoded string at `span`, wherever its text is.
    pub(super) fn string(&self, span: Span) -> Result<String, ParseError> {
        match self.elision(span) {
            Some(elision) => self.string_in_file(elision),
            None => Ok(decode(self.raw(span))?.into_owned()),
        }
    }

    fn string_in_file(&self, elision: &Elision) -> Result<String, ParseError> {
        // What is not filled is not there for the system, while growing step by step would move the text again and
        // again.
        let mut text = String::with_capacity(usize::try_from(elision.length).unwrap_or(0));
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
        if text.len() < text.capacity() / 4 * 3 {
            text.shrink_to_fit();
        }
        Ok(text)
    }

    pub(super) fn small(&self, members: &Members, key: Key) -> Result<Option<SmolStr>, InvalidString> {
        self.raw_string(members, key)
            .map(|raw| decode(raw).map(SmolStr::new))
            .transpose()
    }

    pub(super) fn word(&self, members: &Members, key: Key) -> Result<SmolStr, InvalidString> {
        Ok(self.small(members, key)?.unwrap_or_default())
    }

    /// An id. Pi takes any text for one, but an empty one is as good as none.
    pub(super) fn id(&self, members: &Members, key: Key) -> Result<Option<EntryId>, InvalidString> {
        self.raw_string(members, key)
            .filter(|raw| !raw.bytes().is_empty())
            .map(|raw| decode(raw).map(EntryId::new))
            .transpose()
    }

    pub(super) fn time(&self, members: &Members, key: Key) -> Result<Option<Timestamp>, InvalidString> {
        Ok(match members.get(key) {
            Some((Shape::String, span)) => self.time_of(self.raw(span))?,
            Some((Shape::Number, _)) => members.number(self.bytes, key).and_then(Timestamp::from_number),
            _ => None,
        })
    }

    /// The time that a string says.
    #[inline]
    pub(super) fn time_of(&self, raw: Raw<'_>) -> Result<Option<Timestamp>, InvalidString> {
        Ok(match raw {
            // No time has a backslash, so what is one needs no decoding.
            Raw::Text(text) if let Some(time) = Timestamp::parse(text) => Some(time),
            raw => Timestamp::parse(&decode(raw)?),
        })
    }

    /// A text, where it is wanted and one.
    pub(super) fn text(&self, members: &Members, key: Key, wanted: bool) -> Result<Text, ParseError> {
        match members.get(key) {
            Some((Shape::String, span)) if wanted => Ok(Text::new(self.string(span)?)),
            _ => Ok(Text::default()),
        }
    }

    /// True for a string that says this; escapes are legal in every string.
    pub(super) fn says(&self, value: Option<(Shape, Span)>, word: &str) -> bool {
        let Some((Shape::String, span)) = value else {
            return false;
        };
        let bytes = &self.bytes[span.range()];
        bytes == word.as_bytes()
            || (bytes.contains(&b'\\') && decode(Raw::Bytes(bytes)).is_ok_and(|text| text == word))
    }

    /// A value as JSON text. Long strings that were left out of the line stay out.
    pub(super) fn json(&self, shape: Shape, span: Span) -> String {
        match shape {
            Shape::String => format!("\"{}\"", repair(self.raw(span).bytes())),
            _ => repair(self.raw(span).bytes()),
        }
    }
}
