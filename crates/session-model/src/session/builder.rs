//! From records to outlines: sorts the records of a file into its sessions.

use std::io;

use camino::{Utf8Path, Utf8PathBuf};
use smol_str::SmolStr;

use super::{FirstRecord, PiSums, Session, SessionFile, id_from_path};
use crate::{
    DiagnosticKind, Diagnostics, Entry, EntryId, EntryKind, FileStamp, Header, Item, NameChange, Node, Place,
    Position, ReadAt, Role, Text, node::Fact, parse::OutlinedMessage, tally::Tally,
};

pub(super) struct Builder {
    path: Utf8PathBuf,
    keep: usize,
    sessions: Vec<Draft>,
    first: FirstRecord,
    /// The first record that Pi's list sees is a header; `None` before it.
    listed: Option<bool>,
    /// What Pi counts, from the moment on where it differs from the tally of the first session.
    pi: Option<PiSums>,
    /// The line whose pieces Pi's list was given instead of its records.
    split_line: u64,
    /// What lines told by themselves.
    lines: Diagnostics,
}

/// A session while it is read: the parents are still names.
pub(super) struct Draft {
    pub(super) header: Option<Header>,
    pub(super) nodes: Vec<Node>,
    pub(super) parents: Vec<Option<EntryId>>,
    pub(super) facts: Vec<(u32, Fact)>,
    pub(super) models: Vec<SmolStr>,
    pub(super) tally: Tally,
    pub(super) texts: Vec<(u32, Text)>,
}

impl Builder {
    pub(super) fn new(path: &Utf8Path, keep: usize) -> Self {
        Self {
            path: path.to_owned(),
            keep,
            sessions: Vec::new(),
            first: FirstRecord::None,
            listed: None,
            pi: None,
            split_line: 0,
            lines: Diagnostics::default(),
        }
    }

    /// Goes on with a file that was read before.
    pub(super) fn from_file(file: SessionFile, keep: usize) -> Self {
        let mut lines = file.line_diagnostics;
        lines.forget(DiagnosticKind::UnfinishedLine);
        Self {
            path: file.path,
            keep,
            sessions: file.sessions.into_iter().map(Draft::from).collect(),
            first: file.first,
            listed: file.listed,
            pi: file.pi,
            split_line: 0,
            lines,
        }
    }

    /// From here on Pi counts otherwise than the first session's tally. Called before the second session begins.
    fn differ(&mut self) -> &mut PiSums {
        let tally = self.sessions.first().map(|session| &session.tally);
        self.pi.get_or_insert_with(|| PiSums {
            tally: tally.cloned().unwrap_or_default(),
            name: tally.and_then(|tally| tally.name.clone()),
        })
    }

    /// The pieces in which Pi's list reads a line, instead of the records that follow from that line.
    pub(super) fn pieces(&mut self, line: u64, pieces: &[Item]) {
        self.differ();
        self.split_line = line;
        pieces.iter().for_each(|piece| self.listed(piece));
    }

    /// Shows a record to Pi's list.
    fn listed(&mut self, item: &Item) {
        match (item, self.listed) {
            (Item::Header(_), None) => self.listed = Some(true),
            (Item::Entry(_), None) => self.listed = Some(false),
            (Item::Entry(entry), Some(_)) => {
                if let Some(pi) = &mut self.pi {
                    pi.tally.add(entry);
                }
            }
            (Item::Header(_), Some(_)) => {}
        }
    }

    pub(super) fn add(&mut self, item: Item) {
        let place = match &item {
            Item::Header(header) => header.place,
            Item::Entry(entry) => entry.place,
        };
        if place.recovered {
            self.differ();
        } else {
            if self.first == FirstRecord::None {
                self.first = match &item {
                    Item::Header(header) if header.id.is_some() => FirstRecord::Header,
                    Item::Header(_) => FirstRecord::HeaderWithoutId,
                    Item::Entry(_) => FirstRecord::Other,
                };
            }
            if place.line != self.split_line {
                self.listed(&item);
            }
            if let (Some(pi), Item::Entry(entry)) = (&mut self.pi, &item)
                && let EntryKind::SessionInfo { name } = &entry.kind
            {
                pi.name = match name {
                    NameChange::Set(name) => Some(name.clone()),
                    NameChange::Cleared | NameChange::Invalid => None,
                };
            }
        }
        match item {
            Item::Header(header) => self.header(header),
            Item::Entry(entry) => self.entry(entry),
        }
    }

    /// Adds a message as Pi writes it.
    pub(super) fn message(&mut self, message: OutlinedMessage) {
        if self.first == FirstRecord::None {
            self.first = FirstRecord::Other;
        }
        if message.place.line != self.split_line {
            match (self.listed, &mut self.pi) {
                (None, _) => self.listed = Some(false),
                (Some(_), Some(pi)) => pi.tally.add_message(&message.said()),
                (Some(_), None) => {}
            }
        }
        let Some((session, position)) = self.session() else {
            return;
        };
        session.tally.add_message(&message.said());
        if let Some(model) = &message.model {
            session.uses(model);
        }
        self.push(position, message.node(), message.parent_id, message.text);
    }

    /// The session that entries belong to now, and the position of the next one.
    fn session(&mut self) -> Option<(&mut Draft, u32)> {
        if self.sessions.is_empty() {
            self.sessions.push(Draft::new(None));
        }
        let session = self.sessions.last_mut()?;
        // Four billion entries do not fit into any file that can be read here.
        let position = u32::try_from(session.nodes.len()).ok()?;
        Some((session, position))
    }

    fn push(&mut self, position: u32, node: Node, parent: Option<EntryId>, text: Text) {
        let Some(session) = self.sessions.last_mut() else {
            return;
        };
        if node.has_text() && node.text_length as usize <= self.keep {
            self.keep -= node.text_length as usize;
            session.texts.push((position, text));
        }
        session.nodes.push(node);
        session.parents.push(parent);
    }

    fn header(&mut self, header: Header) {
        let place = header.place;
        let Some(last) = self.sessions.last_mut() else {
            self.sessions.push(Draft::new(Some(header)));
            return;
        };
        match &last.header {
            // Entries before the only header belong to it.
            None => {
                last.header = Some(header);
                self.lines
                    .push(DiagnosticKind::MissingHeader, place.line, place.offset);
            }
            // The same header written twice.
            Some(known) if known.id == header.id => {}
            Some(_) => {
                self.differ();
                self.sessions.push(Draft::new(Some(header)));
                self.lines
                    .push(DiagnosticKind::SecondHeader, place.line, place.offset);
            }
        }
    }

    fn entry(&mut self, mut entry: Entry) {
        let Some((session, position)) = self.session() else {
            return;
        };
        session.tally.add(&entry);
        if let Some(model) = used_model(&entry.kind) {
            session.uses(model);
        } else if let Some(fact) = Fact::of(&entry.kind) {
            session.facts.push((position, fact));
        }
        let node = Node::of(&entry);
        let text = match &mut entry.kind {
            EntryKind::Message(message) => std::mem::take(&mut message.text),
            _ => Text::default(),
        };
        self.push(position, node, entry.parent_id, text);
    }

    /// Builds the trees. `lines` is what the reader noted, `source` what was read.
    pub(super) fn finish(
        mut self,
        stamp: FileStamp,
        position: Position,
        lines: &Diagnostics,
        source: &impl ReadAt,
    ) -> io::Result<SessionFile> {
        let fallback = id_from_path(&self.path);
        let mut diagnostics = Diagnostics::default();
        if let Some(first) = self.sessions.first()
            && first.header.is_none()
        {
            let (line, offset) = first
                .nodes
                .first()
                .map_or((1, 0), |node| (node.place.line, node.place.offset));
            diagnostics.push(DiagnosticKind::MissingHeader, line, offset);
        }
        let mut sessions = Vec::with_capacity(self.sessions.len());
        for draft in self.sessions {
            sessions.push(draft.link(&fallback, source, &mut diagnostics)?);
        }
        self.lines.append(lines);
        diagnostics.append(&self.lines);
        Ok(SessionFile {
            path: self.path,
            stamp,
            position,
            sessions,
            diagnostics,
            line_diagnostics: self.lines,
            first: self.first,
            listed: self.listed,
            pi: self.pi,
            open_ended: false,
            fingerprint: 0,
        })
    }
}

impl From<Session> for Draft {
    fn from(session: Session) -> Self {
        let parents = (0..session.nodes.len() as u32)
            .map(|node| session.named_parent(node).cloned())
            .collect();
        Self {
            header: session.header,
            nodes: session.nodes,
            parents,
            facts: session.facts,
            models: session.models,
            tally: session.tally,
            texts: Vec::new(),
        }
    }
}

impl Draft {
    fn new(header: Option<Header>) -> Self {
        Self {
            header,
            nodes: Vec::new(),
            parents: Vec::new(),
            facts: Vec::new(),
            models: Vec::new(),
            tally: Tally::default(),
            texts: Vec::new(),
        }
    }
}

impl Draft {
    /// Notes a model that was chosen or answered.
    fn uses(&mut self, model: &SmolStr) {
        if !model.is_empty() && !self.models.contains(model) {
            self.models.push(model.clone());
        }
    }
}

/// The model that was chosen or answered.
fn used_model(kind: &EntryKind) -> Option<&SmolStr> {
    match kind {
        EntryKind::ModelChange { model, .. } => Some(model),
        EntryKind::Message(message) if message.role == Some(Role::Assistant) => message.model.as_ref(),
        _ => None,
    }
}

/// True when two records of a file are the same bytes.
pub(super) fn same_bytes(source: &impl ReadAt, one: Place, other: Place) -> io::Result<bool> {
    const PIECE: usize = 64 << 10;
    if one.length != other.length {
        return Ok(false);
    }
    let size = usize::try_from(one.length).unwrap_or(usize::MAX).min(PIECE);
    let (mut left, mut right) = (vec![0; size], vec![0; size]);
    let mut done = 0;
    while done < one.length {
        let size = usize::try_from(one.length - done)
            .unwrap_or(usize::MAX)
            .min(PIECE);
        let (left, right) = (&mut left[..size], &mut right[..size]);
        if read_full(source, one.offset + done, left)? < size
            || read_full(source, other.offset + done, right)? < size
            || left != right
        {
            return Ok(false);
        }
        done += size as u64;
    }
    Ok(true)
}

/// Fills the buffer from `offset` on, as far as there are bytes.
pub(super) fn read_full(source: &impl ReadAt, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match source.read_at(offset + filled as u64, &mut buffer[filled..]) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}
