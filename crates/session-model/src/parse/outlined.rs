//! Plain messages, as an outline needs them.

use smol_str::SmolStr;

use super::{LineText, ParseError, Parser, recent::Word};
use crate::{
    ContentShape, EntryId, Link, Node, NodeKind, Place, Role, Text, Timestamp,
    json::{PlainMessage, number},
    tally::Said,
};

/// A message of user, assistant or tool that is as Pi writes it, without what an outline does not need: most of a file's
/// lines, so no [`Entry`](crate::Entry) is made of them.
#[derive(Debug)]
pub(crate) struct OutlinedMessage {
    id: EntryId,
    pub(crate) parent_id: Option<EntryId>,
    written: Option<Timestamp>,
    role: Role,
    time_number: Option<f64>,
    time: Option<Timestamp>,
    pub(crate) text: Text,
    pub(crate) model: Option<SmolStr>,
    pub(crate) place: Place,
}

impl Parser {
    /// The message of a line that was taken up, where it is a plain one.
    pub(crate) fn outlined(
        &mut self,
        line: &LineText<'_>,
        place: Place,
    ) -> Result<Option<OutlinedMessage>, ParseError> {
        let Some(plain) = self.walker.plain(line.bytes, &mut self.texts) else {
            return Ok(None);
        };
        let PlainMessage {
            id,
            parent,
            written,
            role,
            model,
            time,
        } = plain;
        let recent = &mut self.recent;
        // The id last: nearly always the parent is the entry before.
        let parent_id = recent.id(parent.map(|span| line.raw(span)))?;
        let Some(id) = recent.id(Some(line.raw(id)))? else {
            return Ok(None);
        };
        let mut text = Text::default();
        for (place, span) in self.texts.iter().enumerate() {
            text.push(line.string(*span)?, place == 0);
        }
        let time_number = time.and_then(|span| number(&line.bytes[span.range()]));
        Ok(Some(OutlinedMessage {
            id,
            parent_id,
            written: line.time_of(line.raw(written))?,
            role,
            time_number,
            time: time_number.and_then(Timestamp::from_number),
            text,
            model: recent.word(Word::Model, model.map(|span| line.raw(span)))?,
            place,
        }))
    }
}

impl OutlinedMessage {
    pub(crate) fn said(&self) -> Said<'_> {
        Said {
            role: Some(self.role),
            content: ContentShape::Present,
            is_missing: false,
            time_number: self.time_number,
            time: self.time,
            written: self.written,
            text: &self.text,
        }
    }

    /// The outline; the parent is found when all entries are known.
    pub(crate) fn node(&self) -> Node {
        Node {
            id: Some(self.id.clone()),
            parent: None,
            link: Link::Root,
            kind: NodeKind::Message,
            role: Some(self.role),
            text_length: u32::try_from(self.text.as_str().len()).unwrap_or(u32::MAX),
            time: self.time.or(self.written),
            place: self.place,
        }
    }
}
