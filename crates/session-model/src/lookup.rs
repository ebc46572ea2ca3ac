use std::io;

use camino::Utf8Path;

use crate::{
    Entry, EntryKind, Fields, FileStamp, Item, Node, OpenError, ReadAt, Role,
    frame::Lines,
    json::Control,
    open_session_file,
    parse::{LineText, ParseError, Parser},
    reader::index_to_id,
};

/// Reads single entries of a session file again, by their place in its outline.
///
/// Costs one read of the entry's own bytes. An entry that is not there any more, because the file changed since its
/// outline was made, is `None`, never another entry's text.
#[derive(Debug)]
pub struct EntryReader<S> {
    source: S,
    parser: Parser,
}

impl EntryReader<std::fs::File> {
    /// Opens the file; also tells its present state.
    ///
    /// # Errors
    /// [`OpenError`] when there is no regular file or it cannot be read.
    pub fn open(path: &Utf8Path) -> Result<(Self, FileStamp), OpenError> {
        let (file, stamp) = open_session_file(path)?;
        Ok((Self::new(file), stamp))
    }
}

impl<S: ReadAt> EntryReader<S> {
    /// Reads from `source`.
    pub fn new(source: S) -> Self {
        Self {
            source,
            parser: Parser::default(),
        }
    }

    /// The entry at a node's place, with the fields that are asked for. In files of version 1 its id is that of the
    /// outline, and it names no parent: the outline has it.
    ///
    /// # Errors
    /// When the operating system cannot read the file.
    pub fn read(&mut self, node: &Node, fields: Fields) -> io::Result<Option<Entry>> {
        let place = node.place;
        let mut lines = Lines::new(
            &self.source,
            place.offset,
            place.line.saturating_sub(1),
            place.offset + place.length,
        );
        let Some(line) = lines.next()? else {
            return Ok(None);
        };
        if line.length != place.length {
            return Ok(None);
        }
        let text = LineText::new(lines.bytes(&line), lines.elisions(&line), &self.source);
        // A recovered record may have control characters in its strings.
        let mut item = None;
        let control = self.parser.take_up(lines.bytes(&line), Control::Ignore);
        match self.parser.line(&text, control, place, fields, &mut item) {
            Ok(_) => {}
            Err(ParseError::Io(error)) => return Err(error),
            Err(ParseError::Malformed { .. }) => return Ok(None),
        }
        let Some(Item::Entry(mut entry)) = item else {
            return Ok(None);
        };
        if let Some(id) = &node.id
            && let Some(number) = id.as_str().strip_prefix("v1-")
        {
            entry.id = Some(id.clone());
            entry.parent_id = None;
            // Recovered entries have no number.
            index_to_id(&mut entry.kind, number.parse().unwrap_or(0));
        }
        let role = match &mut entry.kind {
            EntryKind::Message(message) => {
                // Whether `hookMessage` is a role depends on the version of the file, which the outline knows.
                if message.role == Some(Role::Custom) && node.role == Some(Role::Other) {
                    message.role = node.role;
                }
                message.role
            }
            _ => None,
        };
        Ok((entry.id == node.id && role == node.role && entry.time() == node.time).then_some(entry))
    }
}
