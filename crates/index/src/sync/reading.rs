//! From a session file to its turns: what is new, what stays, and the text of what is new.

use std::collections::HashMap;

use camino::Utf8Path;
use lookback_session_model::{
    BranchState, EntryKind, EntryReader, Fields, Message, NodeKind, OpenError, Resumed, Role, Session,
    SessionFile, Tree, Turn,
};

use super::worker::Stop;
use crate::{
    IndexError,
    record::{FileHead, FileId, Outline, SessionRow, TurnRow, TurnTable},
};

/// Bytes of text kept while a file is read; what is beyond is read again, entry by entry.
pub(super) const KEEP: usize = 4 << 20;

/// How a file was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    Anew,
    /// Only behind what was known.
    NewEnd,
}

/// Reads a file; only its new end where the outline says how far it is known.
pub(super) fn read(path: &Utf8Path, outline: Option<SessionFile>) -> Result<(SessionFile, Read), OpenError> {
    match outline {
        None => Ok((SessionFile::read(path, KEEP)?, Read::Anew)),
        Some(outline) => Ok(match outline.resume(KEEP)? {
            Resumed::Extended(file, _) => (file, Read::NewEnd),
            Resumed::Rewritten(file) => (file, Read::Anew),
        }),
    }
}

/// The turns of a file on their way into the index.
pub(super) struct FileTurns<'a> {
    file: &'a SessionFile,
    id: FileId,
    /// The rows of turns that are in the index already, by session and first node.
    known: HashMap<(u32, u32), (&'a TurnRow, &'a [u32])>,
    next_doc: u32,
    texts: Texts<'a>,
}

/// Takes the texts of turns that are new.
pub(super) trait TextSink {
    /// Adds a text as the documents from `doc` on. Returns how many these are, and the number of positions.
    fn add(&mut self, file: FileId, doc: u32, text: &str) -> Result<(u32, u32), Stop>;
}

impl<'a> FileTurns<'a> {
    /// `before` is what was known of the file, where `read` says that its start is as it was.
    pub(super) fn new(file: &'a SessionFile, id: FileId, before: Option<&'a FileHead>, read: Read) -> Self {
        let mut known = HashMap::new();
        if let (Some(head), Read::NewEnd) = (before, read) {
            for row in &head.turns.rows {
                let nodes = head.turns.nodes(row);
                if let Some(first) = nodes.first() {
                    known.insert((row.session, *first), (row, nodes));
                }
            }
        }
        Self {
            file,
            id,
            known,
            next_doc: before.map_or(0, |head| head.next_doc),
            texts: Texts::new(file),
        }
    }

    /// Hands the texts of new turns to `sink` and returns the head of the file's record.
    pub(super) fn index(mut self, sink: &mut dyn TextSink) -> Result<FileHead, Stop> {
        let mut rows: Vec<(TurnRow, Vec<u32>)> = Vec::new();
        for (at, session) in (0..).zip(self.file.sessions()) {
            self.session(at, session, &mut rows, sink)?;
        }
        rows.sort_by_key(|(row, _)| row.doc);
        let mut turns = TurnTable::default();
        for (row, nodes) in rows {
            turns.push(row, nodes);
        }
        let sessions = self.file.sessions();
        Ok(FileHead {
            file: self.id,
            path: self.file.path().to_owned(),
            stamp: self.file.stamp(),
            next_doc: self.next_doc,
            entries: sessions.iter().map(|session| session.nodes().len() as u32).sum(),
            damaged_lines: self.file.diagnostics().damaged_lines(),
            sessions: sessions
                .iter()
                .map(|session| {
                    let own_id = session.header().is_some_and(|header| header.id.is_some());
                    SessionRow::new(self.file.summary(session), session.models(), own_id)
                })
                .collect(),
            turns,
        })
    }

    fn session(
        &mut self,
        at: u32,
        session: &Session,
        rows: &mut Vec<(TurnRow, Vec<u32>)>,
        sink: &mut dyn TextSink,
    ) -> Result<(), Stop> {
        let tree = Tree::new(session);
        let leaves = leaves_behind(&tree);
        let positions = message_positions(session);
        for turn in tree.turns() {
            let (Some(&first), Some(&last)) = (turn.nodes.first(), turn.nodes.last()) else {
                continue;
            };
            let known = self
                .known
                .get(&(at, first))
                .filter(|(row, nodes)| row.role == turn.role && *nodes == turn.nodes);
            let (doc, docs, length, model) = match known {
                Some((row, _)) => (row.doc, row.docs, row.length, row.model),
                None => {
                    let doc = self.next_doc;
                    let model = self.texts.model(session, &turn);
                    let text = self.texts.of(session, &turn);
                    let (docs, length) = sink.add(self.id, doc, text)?;
                    self.next_doc += docs;
                    (doc, docs, length, model)
                }
            };
            let row = TurnRow {
                doc,
                docs,
                session: at,
                role: turn.role,
                branch: turn.state,
                exchange: turn.exchange,
                key: can_be_a_copy(session, &turn).then_some(turn.key),
                time_ms: turn.time(session).map_or(i64::MIN, |time| time.as_millis()),
                length,
                position: positions[first as usize],
                model,
                leaf: leaves[last as usize],
                nodes: 0..0,
            };
            rows.push((row, turn.nodes));
        }
        Ok(())
    }
}

/// Two turns with the same key are copies only where their entries say who they are and when they were written.
fn can_be_a_copy(session: &Session, turn: &Turn) -> bool {
    turn.nodes.iter().all(|node| {
        let node = &session.nodes()[*node as usize];
        node.id.is_some() && node.time.is_some()
    })
}

/// For every entry how many messages stand before it in the file.
fn message_positions(session: &Session) -> Vec<u32> {
    let mut count = 0;
    session
        .nodes()
        .iter()
        .map(|node| {
            let before = count;
            count += u32::from(node.kind == NodeKind::Message);
            before
        })
        .collect()
}

/// For every entry what [`Tree::leaf_behind`] says. Linear, where asking for each would be quadratic in the length of
/// an abandoned branch.
fn leaves_behind(tree: &Tree<'_>) -> Vec<u32> {
    let nodes = tree.session().nodes();
    let mut leaves: Vec<u32> = (0..nodes.len() as u32).collect();
    let mut open: Vec<u32> = Vec::new();
    let mut missing: Vec<u32> = vec![0; nodes.len()];
    for node in 0..nodes.len() as u32 {
        missing[node as usize] = tree.children(node).len() as u32;
        if missing[node as usize] == 0 {
            open.push(node);
        }
    }
    // Children before their parents.
    while let Some(node) = open.pop() {
        let children = tree.children(node);
        if let Some(last) = children.iter().map(|child| leaves[*child as usize]).max() {
            leaves[node as usize] = last;
        }
        if let Some(parent) = nodes[node as usize].parent {
            missing[parent as usize] -= 1;
            if missing[parent as usize] == 0 {
                open.push(parent);
            }
        }
    }
    if let Some(tip) = tree.tip() {
        for (at, leaf) in (0..).zip(&mut leaves) {
            if tree.state(at) != BranchState::Abandoned {
                *leaf = tip;
            }
        }
    }
    leaves
}

/// The texts of turns, from memory or from the file.
struct Texts<'a> {
    path: &'a Utf8Path,
    /// Opened when it is first needed; `None` inside when the file cannot be opened any more.
    reader: Option<Option<EntryReader<std::fs::File>>>,
    text: String,
}

impl<'a> Texts<'a> {
    fn new(file: &'a SessionFile) -> Self {
        Self {
            path: file.path(),
            reader: None,
            text: String::new(),
        }
    }

    /// The texts of a turn's entries, joined by line feeds. An entry that is gone from the file meanwhile has none:
    /// the file changed, and the next sync reads it again.
    fn of(&mut self, session: &Session, turn: &Turn) -> &str {
        self.text.clear();
        for (place, node) in turn.nodes.iter().enumerate() {
            if place > 0 {
                self.text.push('\n');
            }
            match session.kept_text(*node) {
                Some(text) => self.text.push_str(text.as_str()),
                None => {
                    if let Some(message) = self.message(session, *node, Fields::TEXT) {
                        self.text.push_str(message.text.as_str());
                    }
                }
            }
        }
        &self.text
    }

    /// The model that answered: 1 for the session's first one, 0 when unknown.
    fn model(&mut self, session: &Session, turn: &Turn) -> u32 {
        let models = session.models();
        if turn.role != Role::Assistant || models.is_empty() {
            return 0;
        }
        if models.len() == 1 {
            return 1;
        }
        let last = turn.nodes.last().copied().unwrap_or(0);
        let model = self
            .message(session, last, Fields::NONE)
            .and_then(|message| message.model);
        model
            .and_then(|model| models.iter().position(|known| *known == model))
            .map_or(0, |at| at as u32 + 1)
    }

    fn message(&mut self, session: &Session, node: u32, fields: Fields) -> Option<Message> {
        let path = self.path;
        let reader = self
            .reader
            .get_or_insert_with(|| EntryReader::open(path).ok().map(|(reader, _)| reader));
        let entry = reader
            .as_mut()?
            .read(&session.nodes()[node as usize], fields)
            .ok()??;
        match entry.kind {
            EntryKind::Message(message) => Some(*message),
            _ => None,
        }
    }
}

/// The outline of a file as bytes.
pub(super) fn outline(file: &SessionFile, head: &FileHead) -> Result<Outline, IndexError> {
    Outline::encode(file, &head.sessions).map_err(|error| IndexError::Engine {
        message: error.to_string(),
    })
}
