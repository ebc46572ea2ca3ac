//! The outline of a session file, and how it is read.

mod builder;
mod link;
mod read;

use camino::{Utf8Path, Utf8PathBuf};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{
    Diagnostics, EntryId, FileStamp, Header, Link, Node, Position, SessionId, SessionSummary, Text,
    Timestamp, node::Fact, tally::Tally,
};
pub use read::Resumed;

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
    /// The first record that Pi's list sees is a header; `None` where it sees no record.
    listed: Option<bool>,
    /// What Pi counts, where that differs from the first session's own tally.
    pi: Option<PiSums>,
    /// The last line has no end, and something was taken from it: a later reading must begin anew.
    open_ended: bool,
    /// Hash of some bytes before `position`: tells an append from a rewrite.
    fingerprint: u64,
}

/// Pi takes the whole file as one session, and does not see what was recovered.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct PiSums {
    /// What its list counts.
    pub(crate) tally: Tally,
    /// The session name after opening. The list can have another one: it splits lines at more than line feeds.
    pub(crate) name: Option<String>,
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
    /// Messages in the tally that are copies, see [`Link::Repeat`].
    repeated_messages: u64,
    /// Texts kept while the file was read, by node.
    #[serde(skip)]
    texts: Vec<(u32, Text)>,
}

impl SessionFile {
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
        let own = self.sessions.first().map(|session| &session.tally);
        self.pi.as_ref().map(|pi| &pi.tally).or(own)
    }

    /// The session name as Pi shows it after opening the file.
    pub(crate) fn pi_name(&self) -> Option<&str> {
        match &self.pi {
            Some(pi) => pi.name.as_deref(),
            None => self.sessions.first()?.tally.name.as_deref(),
        }
    }

    /// The first record that Pi's list sees is a header.
    pub(crate) fn is_listed(&self) -> bool {
        self.listed == Some(true)
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
            message_count: session.tally.message_count - session.repeated_messages,
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

    /// The position of the entry with this id; the last one where two different entries have it. Linear.
    pub fn position_of(&self, id: &str) -> Option<u32> {
        let found = self.nodes.iter().rposition(|node| {
            node.link != Link::Repeat && node.id.as_ref().is_some_and(|known| known.as_str() == id)
        });
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
            Link::Gap | Link::Cut | Link::Repeat => {
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

/// The session id that a file name carries: what follows the first `_` of `<time>_<id>.jsonl`.
pub(crate) fn id_from_path(path: &Utf8Path) -> SessionId {
    let stem = path.file_stem().unwrap_or_default();
    SessionId::new(stem.split_once('_').map_or(stem, |(_, id)| id))
}
