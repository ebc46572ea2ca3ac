use std::{collections::HashMap, io};

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{
    DiagnosticKind, Diagnostics, Entry, EntryId, Fields, FileStamp, Header, Item, Link, Node, OpenError,
    Place, Position, ReadAt, SessionId, SessionReader, SessionSummary, Text, Timestamp, node::Fact,
    open_session_file, tally::Tally,
};

/// The outline of a session file: every entry's place in the tree, without its text.
///
/// A file holds one session as a rule; old versions of Pi could write a second header into it, and then it holds two.
/// Memory grows with the number of entries (about 150 bytes each), not with their size.
///
/// ```no_run
/// use lookback_session_model::SessionFile;
///
/// let file = SessionFile::read("session.jsonl".into(), 0)?;
/// for session in file.sessions() {
///     println!("{}: {} entries", session.id(), session.nodes().len());
/// }
/// for diagnostic in file.diagnostics() {
///     println!("{}: {diagnostic}", file.path());
/// }
/// # Ok::<(), lookback_session_model::OpenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionFile {
    path: Utf8PathBuf,
    stamp: FileStamp,
    position: Position,
    sessions: Vec<Session>,
    diagnostics: Diagnostics,
    /// The part of the diagnostics that lines tell by themselves; the rest comes from the tree.
    line_diagnostics: Diagnostics,
    first: FirstRecord,
    /// The first record that Pi's list sees is a header.
    listed: bool,
    /// What Pi's list counts, where that differs from the first session's own tally.
    pi_tally: Option<Tally>,
    /// The last line has no end, though it is whole: a later reading must begin anew.
    open_ended: bool,
    /// Hash of some bytes before `position`: tells an append from a rewrite.
    fingerprint: u64,
}

/// What became of a file since it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Resumed {
    /// Only lines were added. The entries from this position on are new (in the only session of the file).
    Extended(SessionFile, u32),
    /// Something else changed, so the file was read anew.
    Rewritten(SessionFile),
}

/// What the first record of a file is: it decides whether Pi opens the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum FirstRecord {
    None,
    Header,
    HeaderWithoutId,
    Other,
}

/// One session: its header and the outline of its entries in file order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Session {
    id: SessionId,
    header: Option<Header>,
    nodes: Vec<Node>,
    /// The parent that an entry names, where its link is not [`Link::Direct`].
    named: Vec<(u32, EntryId)>,
    facts: Vec<(u32, Fact)>,
    models: Vec<SmolStr>,
    tally: Tally,
    /// Texts kept while the file was read, by node.
    #[serde(skip)]
    texts: Vec<(u32, Text)>,
}

impl SessionFile {
    /// Reads a session file once, front to back. Up to `keep` bytes of searchable text are kept in memory for
    /// [`Session::kept_text`]; what does not fit is read again when it is asked for.
    ///
    /// # Errors
    /// [`OpenError`] when there is no regular file or it cannot be read. Damage inside is no error, see
    /// [`SessionFile::diagnostics`].
    pub fn read(path: &Utf8Path, keep: usize) -> Result<Self, OpenError> {
        let (mut reader, stamp) = SessionReader::open(path, FIELDS)?;
        let builder = Builder::new(path, keep);
        Self::collect(builder, stamp, &mut reader)
            .and_then(|file| file.settle(&reader))
            .map_err(|source| io_error(path, source))
    }

    /// Goes on where this reading ended: reads only what was appended since. Where more than that happened, the file
    /// is read anew. The result is the same as that of [`SessionFile::read`], except for the texts that are kept:
    /// of an extended file, only those of the new entries.
    ///
    /// # Errors
    /// As [`SessionFile::read`].
    pub fn resume(self, keep: usize) -> Result<Resumed, OpenError> {
        let path = self.path.clone();
        let (file, stamp) = open_session_file(&path)?;
        let appended = self
            .can_resume(&file, stamp)
            .map_err(|source| io_error(&path, source))?;
        if !appended {
            return Self::read(&path, keep).map(Resumed::Rewritten);
        }
        let known = self
            .sessions
            .first()
            .map_or(0, |session| session.nodes.len() as u32);
        let position = self.position;
        let version = self
            .sessions
            .first()
            .and_then(|session| session.header.as_ref())
            .and_then(|header| header.version);
        let (builder, lines) = Builder::from_file(self, keep);
        let mut reader = SessionReader::resume(file, stamp.size, FIELDS, position, version);
        let extended = Self::collect(builder, stamp, &mut reader).and_then(|file| file.settle(&reader));
        let mut extended = extended.map_err(|source| io_error(&path, source))?;
        if extended.sessions.len() != 1 {
            return Self::read(&path, keep).map(Resumed::Rewritten);
        }
        extended.diagnostics.append(&lines);
        extended.line_diagnostics.append(&lines);
        Ok(Resumed::Extended(extended, known))
    }

    /// True when the file was only appended to, as far as a look at a few of its bytes can tell.
    fn can_resume(&self, file: &std::fs::File, stamp: FileStamp) -> io::Result<bool> {
        let [session] = self.sessions.as_slice() else {
            return Ok(false);
        };
        let old = session
            .header
            .as_ref()
            .is_none_or(|header| header.version.is_none_or(|version| version < 2.0));
        if old || self.open_ended || !self.stamp.same_file(&stamp) || stamp.size < self.position.offset {
            return Ok(false);
        }
        Ok(fingerprint(file, self.position.offset)? == self.fingerprint)
    }

    /// Notes whether the file changed while it was read, and what its end looks like.
    fn settle(mut self, reader: &SessionReader<std::fs::File>) -> io::Result<Self> {
        let now = FileStamp::of(&reader.source().metadata()?);
        // Growing is what session files do; shrinking, or another time at the same length, is a rewrite under our feet.
        if now.size < self.stamp.size
            || (now.size == self.stamp.size && now.modified_ns != self.stamp.modified_ns)
        {
            self.diagnostics.push(DiagnosticKind::ChangedWhileReading, 0, 0);
        }
        self.fingerprint = fingerprint(reader.source(), self.position.offset)?;
        Ok(self)
    }

    /// Reads the bytes of a session file in memory, as if they were the file at `path`.
    pub fn from_bytes(path: &Utf8Path, bytes: &[u8], keep: usize) -> Self {
        let mut reader = SessionReader::from_bytes(bytes, FIELDS);
        let stamp = FileStamp {
            size: bytes.len() as u64,
            ..FileStamp::default()
        };
        // Memory can always be read.
        Self::collect(Builder::new(path, keep), stamp, &mut reader)
            .unwrap_or_else(|_| Builder::new(path, keep).finish(stamp))
    }

    fn collect<S: ReadAt>(
        mut builder: Builder,
        stamp: FileStamp,
        reader: &mut SessionReader<S>,
    ) -> io::Result<Self> {
        while let Some(item) = reader.next_item()? {
            builder.add(item, reader.pieces_in_list());
        }
        let mut file = builder.finish(stamp);
        file.position = reader.position();
        file.open_ended = file.position.offset < reader.end() && !reader.is_unfinished();
        file.line_diagnostics = reader.take_diagnostics();
        file.diagnostics.append(&file.line_diagnostics);
        Ok(file)
    }

    /// The path that was read.
    pub fn path(&self) -> &Utf8Path {
        &self.path
    }

    /// The state of the file that was read.
    pub fn stamp(&self) -> FileStamp {
        self.stamp
    }

    /// How far it was read: behind the last line that had an end.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The sessions, one as a rule; none only where the file has no record at all.
    pub fn sessions(&self) -> &[Session] {
        &self.sessions
    }

    /// What was odd.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    pub(crate) fn first_record(&self) -> FirstRecord {
        self.first
    }

    pub(crate) fn pi_tally(&self) -> Option<&Tally> {
        self.pi_tally
            .as_ref()
            .or(self.sessions.first().map(|session| &session.tally))
    }

    /// The first record that Pi's list sees is a header.
    pub(crate) fn is_listed(&self) -> bool {
        self.listed
    }

    /// The row of a list for one of the sessions.
    pub fn summary(&self, session: &Session) -> SessionSummary {
        let mtime = i64::try_from(self.stamp.modified_ns / 1_000_000)
            .ok()
            .and_then(Timestamp::from_millis);
        let header = session.header.as_ref();
        SessionSummary {
            id: session.id.clone(),
            path: self.path.clone(),
            cwd: header.map(|header| header.cwd.clone()).unwrap_or_default(),
            title: session.tally.title().to_owned(),
            name: session.tally.name.clone(),
            created: header.and_then(|header| header.timestamp),
            modified: session.tally.modified(header, mtime),
            message_count: session.tally.message_count,
            parent_session: header.and_then(|header| header.parent_session.clone()),
        }
    }
}

impl Session {
    /// The id of the header, or else the one in the file's name.
    pub fn id(&self) -> &SessionId {
        &self.id
    }

    /// The header; `None` where the file has none.
    pub fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The entries in file order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The models that were chosen or answered, each once, in the order of their first use.
    pub fn models(&self) -> &[SmolStr] {
        &self.models
    }

    /// The position of the entry with this id; the last one where two have it.
    pub fn position_of(&self, id: &str) -> Option<u32> {
        let found = self
            .nodes
            .iter()
            .rposition(|node| node.id.as_ref().is_some_and(|known| known.as_str() == id));
        found.and_then(|position| u32::try_from(position).ok())
    }

    /// The searchable text of an entry, where it was kept; see [`SessionFile::read`].
    pub fn kept_text(&self, node: u32) -> Option<&Text> {
        let found = self
            .texts
            .binary_search_by_key(&node, |(position, _)| *position)
            .ok()?;
        Some(&self.texts[found].1)
    }

    /// The id of the parent that an entry names, whether it is in the file or not.
    pub fn named_parent(&self, node: u32) -> Option<&EntryId> {
        let at = &self.nodes[node as usize];
        match at.link {
            Link::Root => None,
            Link::Direct => at
                .parent
                .and_then(|parent| self.nodes[parent as usize].id.as_ref()),
            Link::Gap | Link::Cut => {
                let found = self
                    .named
                    .binary_search_by_key(&node, |(position, _)| *position)
                    .ok()?;
                Some(&self.named[found].1)
            }
        }
    }

    pub(crate) fn facts(&self) -> &[(u32, Fact)] {
        &self.facts
    }

    pub(crate) fn first_kept(&self, node: u32) -> Option<&EntryId> {
        let found = self
            .facts
            .iter()
            .find(|(position, fact)| *position == node && matches!(fact, Fact::FirstKept(_)));
        match found {
            Some((_, Fact::FirstKept(first_kept))) => first_kept.as_ref(),
            _ => None,
        }
    }
}

/// What the outline needs: text for titles and turns, and whether a summary is empty.
const FIELDS: Fields = Fields::TEXT;

fn io_error(path: &Utf8Path, source: io::Error) -> OpenError {
    OpenError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A hash of the first and the last bytes of the part of a file that was read.
fn fingerprint(file: &impl ReadAt, end: u64) -> io::Result<u64> {
    const HEAD: u64 = 1 << 10;
    const TAIL: u64 = 4 << 10;
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for (start, stop) in [(0, HEAD.min(end)), (end.saturating_sub(TAIL), end)] {
        let mut buffer = vec![0; (stop - start) as usize];
        let mut filled = 0;
        while filled < buffer.len() {
            match file.read_at(start + filled as u64, &mut buffer[filled..])? {
                0 => break,
                read => filled += read,
            }
        }
        for &byte in &buffer[..filled] {
            // FNV-1a: stable across versions, and these are few bytes.
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}

/// The session id that a file name carries: what follows the first `_` of `<time>_<id>.jsonl`.
pub(crate) fn id_from_path(path: &Utf8Path) -> SessionId {
    let stem = path.file_stem().unwrap_or_default();
    SessionId::new(stem.split_once('_').map_or(stem, |(_, id)| id))
}

struct Builder {
    path: Utf8PathBuf,
    keep: usize,
    sessions: Vec<Draft>,
    first: FirstRecord,
    pi: PiTally,
    diagnostics: Diagnostics,
}

/// A session while it is read: the parents are still names.
struct Draft {
    header: Option<Header>,
    nodes: Vec<Node>,
    parents: Vec<Option<EntryId>>,
    facts: Vec<(u32, Fact)>,
    models: Vec<SmolStr>,
    tally: Tally,
    texts: Vec<(u32, Text)>,
}

/// Pi's list counts the whole file as one session, and not what was recovered.
#[derive(Default)]
struct PiTally {
    tally: Tally,
    /// It differs from the tally of the first session.
    differs: bool,
    /// The first record of the list's view was seen, and was a header.
    begun: Option<bool>,
}

impl PiTally {
    fn add(&mut self, item: &Item) {
        match (item, self.begun) {
            (Item::Header(_), None) => self.begun = Some(true),
            (Item::Entry(_), None) => self.begun = Some(false),
            (Item::Entry(entry), Some(_)) => self.tally.add(entry),
            (Item::Header(_), Some(_)) => {}
        }
    }
}

impl Builder {
    fn new(path: &Utf8Path, keep: usize) -> Self {
        Self {
            path: path.to_owned(),
            keep,
            sessions: Vec::new(),
            first: FirstRecord::None,
            pi: PiTally::default(),
            diagnostics: Diagnostics::default(),
        }
    }

    /// Goes on with a file that was read before. Also returns what its lines told.
    fn from_file(file: SessionFile, keep: usize) -> (Self, Diagnostics) {
        let mut lines = file.line_diagnostics;
        lines.forget(DiagnosticKind::UnfinishedLine);
        let first_tally = file.sessions.first().map(|session| session.tally.clone());
        let pi = PiTally {
            differs: file.pi_tally.is_some(),
            tally: file.pi_tally.or(first_tally).unwrap_or_default(),
            begun: (file.first != FirstRecord::None).then_some(file.listed),
        };
        let sessions = file.sessions.into_iter().map(Draft::from).collect();
        let builder = Self {
            path: file.path,
            keep,
            sessions,
            first: file.first,
            pi,
            diagnostics: Diagnostics::default(),
        };
        (builder, lines)
    }

    fn add(&mut self, item: Item, pieces: Option<Vec<Item>>) {
        let recovered = match &item {
            Item::Header(header) => header.place.recovered,
            Item::Entry(entry) => entry.place.recovered,
        };
        if !recovered && self.first == FirstRecord::None {
            self.first = match &item {
                Item::Header(header) if header.id.is_some() => FirstRecord::Header,
                Item::Header(_) => FirstRecord::HeaderWithoutId,
                Item::Entry(_) => FirstRecord::Other,
            };
        }
        match pieces {
            Some(pieces) => {
                self.pi.differs = true;
                pieces.iter().for_each(|piece| self.pi.add(piece));
            }
            None if recovered => self.pi.differs = true,
            None => self.pi.add(&item),
        }
        match item {
            Item::Header(header) => self.header(header),
            Item::Entry(entry) => self.entry(entry),
        }
    }

    fn header(&mut self, header: Header) {
        let Some(last) = self.sessions.last_mut() else {
            self.sessions.push(Draft::new(Some(header)));
            return;
        };
        match &last.header {
            // Entries before the only header belong to it.
            None => {
                self.diagnostics.push(
                    DiagnosticKind::MissingHeader,
                    header.place.line,
                    header.place.offset,
                );
                last.header = Some(header);
            }
            // The same header written twice.
            Some(known) if known.id == header.id => {}
            Some(_) => {
                self.diagnostics.push(
                    DiagnosticKind::SecondHeader,
                    header.place.line,
                    header.place.offset,
                );
                self.pi.differs = true;
                self.sessions.push(Draft::new(Some(header)));
            }
        }
    }

    fn entry(&mut self, mut entry: Entry) {
        if self.sessions.is_empty() {
            self.sessions.push(Draft::new(None));
        }
        let Some(session) = self.sessions.last_mut() else {
            return;
        };
        // Four billion entries do not fit into any file that can be read here.
        let Ok(position) = u32::try_from(session.nodes.len()) else {
            return;
        };
        session.tally.add(&entry);
        if let Some(fact) = Fact::of(&entry.kind) {
            if let Fact::Model { model, .. } = &fact {
                if !model.is_empty() && !session.models.contains(model) {
                    session.models.push(model.clone());
                }
            } else {
                session.facts.push((position, fact));
            }
        }
        let node = Node::of(&entry);
        if let crate::EntryKind::Message(message) = &mut entry.kind
            && node.has_text()
            && node.text_length as usize <= self.keep
        {
            self.keep -= node.text_length as usize;
            session.texts.push((position, std::mem::take(&mut message.text)));
        }
        session.nodes.push(node);
        session.parents.push(entry.parent_id);
    }

    fn finish(mut self, stamp: FileStamp) -> SessionFile {
        let fallback = id_from_path(&self.path);
        if self
            .sessions
            .first()
            .is_some_and(|session| session.header.is_none())
        {
            let place = self.sessions[0].nodes.first().map(|node| node.place);
            let place = place.unwrap_or(Place {
                line: 1,
                offset: 0,
                length: 0,
                recovered: false,
            });
            self.diagnostics
                .push(DiagnosticKind::MissingHeader, place.line, place.offset);
        }
        let mut diagnostics = self.diagnostics;
        let sessions = self
            .sessions
            .into_iter()
            .map(|draft| draft.link(&fallback, &mut diagnostics))
            .collect();
        SessionFile {
            path: self.path,
            stamp,
            position: Position::default(),
            sessions,
            diagnostics,
            first: self.first,
            listed: self.pi.begun == Some(true),
            pi_tally: self.pi.differs.then_some(self.pi.tally),
            line_diagnostics: Diagnostics::default(),
            open_ended: false,
            fingerprint: 0,
        }
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

    /// Finds every entry's parent. Of two entries with one id references mean the later, as in Pi.
    fn link(mut self, fallback: &SessionId, diagnostics: &mut Diagnostics) -> Session {
        let mut by_id = HashMap::with_capacity(self.nodes.len());
        for (position, node) in self.nodes.iter().enumerate() {
            let Some(id) = &node.id else { continue };
            if by_id.insert(id.clone(), position as u32).is_some() {
                diagnostics.push(DiagnosticKind::DuplicateId, node.place.line, node.place.offset);
            }
        }
        for (position, parent) in self.parents.iter().enumerate() {
            let node = &mut self.nodes[position];
            let Some(parent) = parent else {
                (node.link, node.parent) = (Link::Root, None);
                continue;
            };
            match by_id.get(parent) {
                Some(&found) => (node.link, node.parent) = (Link::Direct, Some(found)),
                None => {
                    (node.link, node.parent) =
                        (Link::Gap, position.checked_sub(1).map(|before| before as u32));
                    diagnostics.push(DiagnosticKind::MissingParent, node.place.line, node.place.offset);
                }
            }
        }
        drop(by_id);
        cut_cycles(&mut self.nodes, diagnostics);
        let is_named = |(position, parent): (usize, Option<EntryId>)| {
            let named = matches!(self.nodes[position].link, Link::Gap | Link::Cut);
            parent.filter(|_| named).map(|parent| (position as u32, parent))
        };
        let named = self
            .parents
            .into_iter()
            .enumerate()
            .filter_map(is_named)
            .collect();
        let id = self
            .header
            .as_ref()
            .and_then(|header| header.id.clone())
            .unwrap_or_else(|| fallback.clone());
        self.nodes.shrink_to_fit();
        Session {
            id,
            header: self.header,
            nodes: self.nodes,
            named,
            facts: self.facts,
            models: self.models,
            tally: self.tally,
            texts: self.texts,
        }
    }
}

/// Cuts every circle of parents at one link: at a gap where it has one, else at its first entry in the file. Linear.
fn cut_cycles(nodes: &mut [Node], diagnostics: &mut Diagnostics) {
    const NEW: u32 = 0;
    // Number of the walk that saw the node.
    let mut seen = vec![NEW; nodes.len()];
    for start in 0..nodes.len() {
        let walk = start as u32 + 1;
        let mut at = start;
        loop {
            if seen[at] == walk {
                let mut cut = at;
                let mut member = at;
                loop {
                    let better =
                        (nodes[member].link != Link::Gap, member) < (nodes[cut].link != Link::Gap, cut);
                    cut = if better { member } else { cut };
                    // Every node of a circle has a parent.
                    member = nodes[member].parent.map_or(at, |parent| parent as usize);
                    if member == at {
                        break;
                    }
                }
                (nodes[cut].parent, nodes[cut].link) = (None, Link::Cut);
                diagnostics.push(
                    DiagnosticKind::ParentCycle,
                    nodes[cut].place.line,
                    nodes[cut].place.offset,
                );
                break;
            }
            if seen[at] != NEW {
                break;
            }
            seen[at] = walk;
            match nodes[at].parent {
                Some(parent) => at = parent as usize,
                None => break,
            }
        }
    }
}
