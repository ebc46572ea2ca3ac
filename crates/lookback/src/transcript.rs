use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{
    BranchState, DiagnosticKind, Entry, EntryId, EntryKind, EntryReader, Fields, Link, NodeKind, PiView,
    Role, Session, SessionFile, SessionId, Timestamp, Tree,
};
use serde::{Deserialize, Serialize};

use crate::{Error, sessions};

/// What to read of a session. The defaults read a whole session within bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ReadRequest {
    /// The session: its id, the start of it, or the path of its file.
    pub session: String,
    /// Read around this entry: its id, or an anchor of an earlier answer.
    pub around: Option<String>,
    /// So many messages before and after that entry. Default: 5.
    pub window: usize,
    /// Stay on the branch that ends at this entry.
    pub branch_tip: Option<String>,
    /// Of a whole session, read so many messages from the start. Default: 20.
    pub head: usize,
    /// And so many from the end. Default: 10.
    pub tail: usize,
    /// Characters of text in all. Default: 50,000.
    pub characters: usize,
}

impl Default for ReadRequest {
    fn default() -> Self {
        Self {
            session: String::new(),
            around: None,
            window: 5,
            branch_tip: None,
            head: 20,
            tail: 10,
            characters: 50_000,
        }
    }
}

impl ReadRequest {
    /// Reads a whole session without bounds.
    pub fn everything(session: impl Into<String>) -> Self {
        Self {
            session: session.into(),
            head: usize::MAX,
            tail: 0,
            characters: usize::MAX,
            ..Self::default()
        }
    }
}

/// One branch of a session, or a part of it, as a conversation.
///
/// It has the text of user and assistant, summaries of compactions and branches, and a mark where an entry is missing.
/// Tool calls and their results, thinking, and changes of settings are no part of a conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Transcript {
    /// The session.
    pub session: SessionId,
    /// Its file.
    pub path: Utf8PathBuf,
    /// The messages, in the order of the branch.
    pub messages: Vec<TranscriptMessage>,
    /// The end of the branch: hand it in again to stay on this branch.
    pub branch_tip: Option<EntryId>,
    /// Messages of the branch before the first one here.
    pub before: usize,
    /// Messages of the branch after the last one here.
    pub after: usize,
    /// Messages left out between the head and the tail.
    pub omitted: usize,
    /// Messages of the branch in all.
    pub total: usize,
    /// Something was left out or cut.
    pub truncated: bool,
    /// Characters of text that were cut.
    pub cut_characters: usize,
    /// What a reader should know.
    pub warnings: Vec<String>,
}

/// One message of a transcript.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct TranscriptMessage {
    /// The entry; for a gap the id of the entry that is missing.
    pub id: Option<EntryId>,
    /// Who speaks.
    pub role: Speaker,
    /// When.
    pub timestamp: Option<Timestamp>,
    /// What.
    pub text: String,
    /// Names this very line of the file, also where two entries have the same id: `<session id>:<line>`.
    pub anchor: String,
    /// How the entry stands to the newest branch.
    #[serde(skip)]
    pub branch: BranchState,
}

/// Who speaks in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Speaker {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The summary of a branch that was left.
    BranchSummary,
    /// The summary that took the place of earlier messages in the model's context.
    CompactionSummary,
    /// Nobody: the entry that should stand here is not in the file.
    Gap,
}

impl Speaker {
    /// The name of the speaker.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::BranchSummary => "branchSummary",
            Self::CompactionSummary => "compactionSummary",
            Self::Gap => "gap",
        }
    }
}

/// A place on a branch: an entry, or the gap in front of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Gap(u32),
    Entry(u32),
}

/// Reads from the session with this id in a file.
pub(crate) fn read(path: &Utf8Path, id: &SessionId, request: &ReadRequest) -> Result<Transcript, Error> {
    let file = SessionFile::read(path, 0)?;
    let session = sessions::of_file(&file, path, id)?;
    let tree = Tree::new(session);
    let find = |name: &str| {
        find_entry(session, name).ok_or_else(|| Error::EntryNotFound {
            session: session.id().clone(),
            entry: name.into(),
        })
    };
    let anchor = request.around.as_deref().map(find).transpose()?;
    let wanted_tip = request.branch_tip.as_deref().map(find).transpose()?;
    let tip = wanted_tip
        .or_else(|| anchor.map(|anchor| tree.leaf_behind(anchor)))
        .or(tree.tip());
    let path_nodes = tip.map(|tip| tree.path_to(tip)).unwrap_or_default();
    if let (Some(anchor), Some(tip)) = (anchor, tip)
        && !path_nodes.contains(&anchor)
    {
        let id = |node: u32| {
            session.nodes()[node as usize]
                .id
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default()
        };
        return Err(Error::NotOnBranch {
            entry: id(anchor),
            branch_tip: id(tip),
        });
    }
    let places: Vec<Place> = path_nodes
        .iter()
        .flat_map(|&node| places_of(session, node))
        .collect();
    let (chosen, omitted) = choose(&places, &path_nodes, anchor, request);
    let (before, after) = match (chosen.first(), chosen.last()) {
        (Some(&first), Some(&last)) => (first, places.len() - 1 - last),
        _ => (0, 0),
    };
    let mut transcript = Transcript {
        session: session.id().clone(),
        path: path.to_owned(),
        messages: Vec::with_capacity(chosen.len()),
        branch_tip: tip.and_then(|tip| session.nodes()[tip as usize].id.clone()),
        before,
        after,
        omitted,
        total: places.len(),
        truncated: omitted > 0,
        cut_characters: 0,
        warnings: warnings(&file, &tree),
    };
    let (mut reader, _) = EntryReader::open(path)?;
    for &at in &chosen {
        let message = message(session, &tree, &mut reader, places[at]).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })?;
        match message {
            Some(message) => transcript.messages.push(message),
            None => transcript
                .warnings
                .push("an entry changed while it was read; read again".to_owned()),
        }
    }
    cut_texts(&mut transcript, request.characters);
    Ok(transcript)
}

/// The entry that a name means: an entry id, an anchor (`<session>:<line>`), or a line (`L12`).
fn find_entry(session: &Session, name: &str) -> Option<u32> {
    let by_line = |line: &str| {
        let line: u64 = line.parse().ok()?;
        session
            .nodes()
            .iter()
            .position(|node| node.place.line == line)
            .map(|at| at as u32)
    };
    session
        .position_of(name)
        .or_else(|| {
            name.strip_prefix(session.id().as_str())?
                .strip_prefix(':')
                .and_then(by_line)
        })
        .or_else(|| name.strip_prefix('L').and_then(by_line))
}

/// What of an entry belongs to a conversation.
fn places_of(session: &Session, node: u32) -> impl Iterator<Item = Place> {
    let at = &session.nodes()[node as usize];
    let gap = (at.link == Link::Gap && session.named_parent(node).is_some()).then_some(Place::Gap(node));
    let spoken = match at.kind {
        NodeKind::Message => at.has_text(),
        NodeKind::BranchSummary | NodeKind::Compaction => true,
        _ => false,
    };
    gap.into_iter().chain(spoken.then_some(Place::Entry(node)))
}

/// Positions of the places to read, ascending, and how many are left out in the middle.
fn choose(places: &[Place], path: &[u32], anchor: Option<u32>, request: &ReadRequest) -> (Vec<usize>, usize) {
    let Some(anchor) = anchor else {
        let total = places.len();
        if total <= request.head.saturating_add(request.tail) {
            return ((0..total).collect(), 0);
        }
        let tail = total - request.tail;
        return (
            (0..request.head).chain(tail..total).collect(),
            tail - request.head,
        );
    };
    // An entry that is no message itself stands for the next one on its branch, or else the last.
    let behind: HashSet<u32> = path.iter().copied().skip_while(|&node| node != anchor).collect();
    let at = places
        .iter()
        .position(|place| matches!(place, Place::Entry(node) if behind.contains(node)));
    let Some(at) = at.or(places.len().checked_sub(1)) else {
        return (Vec::new(), 0);
    };
    let end = at
        .saturating_add(request.window)
        .saturating_add(1)
        .min(places.len());
    ((at.saturating_sub(request.window)..end).collect(), 0)
}

fn message(
    session: &Session,
    tree: &Tree<'_>,
    reader: &mut EntryReader<std::fs::File>,
    place: Place,
) -> std::io::Result<Option<TranscriptMessage>> {
    let node = match place {
        Place::Gap(node) => {
            let line = session.nodes()[node as usize].place.line;
            return Ok(Some(TranscriptMessage {
                id: session.named_parent(node).cloned(),
                role: Speaker::Gap,
                timestamp: None,
                text: "[an entry is missing from the file here]".to_owned(),
                anchor: format!("{}:{line}", session.id()),
                branch: tree.state(node),
            }));
        }
        Place::Entry(node) => node,
    };
    let outline = &session.nodes()[node as usize];
    let Some(entry) = reader.read(outline, Fields::TEXT.with(Fields::SUMMARIES))? else {
        return Ok(None);
    };
    let Entry {
        id,
        timestamp,
        kind,
        place,
        ..
    } = entry;
    let (role, time, text) = match kind {
        EntryKind::Message(message) => {
            let role = if message.role == Some(Role::User) {
                Speaker::User
            } else {
                Speaker::Assistant
            };
            (role, message.timestamp.or(timestamp), message.text)
        }
        EntryKind::BranchSummary { summary, .. } => (Speaker::BranchSummary, timestamp, summary),
        EntryKind::Compaction { summary, .. } => (Speaker::CompactionSummary, timestamp, summary),
        _ => return Ok(None),
    };
    let anchor = format!("{}:{}", session.id(), place.line);
    let id = id.or_else(|| outline.id.clone());
    Ok(Some(TranscriptMessage {
        id,
        role,
        timestamp: time,
        text: text.into_string(),
        anchor,
        branch: tree.state(node),
    }))
}

/// Cuts texts until all of them fit, the longest first, so that short messages stay whole.
fn cut_texts(transcript: &mut Transcript, most: usize) {
    let lengths: Vec<usize> = transcript
        .messages
        .iter()
        .map(|message| message.text.chars().count())
        .collect();
    if lengths.iter().sum::<usize>() <= most {
        return;
    }
    // The largest length that every text may have: texts below it leave their share to the others.
    let mut sorted = lengths.clone();
    sorted.sort_unstable();
    let (mut left, mut cap) = (most, 0);
    for (position, &length) in sorted.iter().enumerate() {
        let share = left / (sorted.len() - position);
        if length > share {
            cap = share;
            break;
        }
        left -= length;
    }
    for (message, length) in transcript
        .messages
        .iter_mut()
        .zip(lengths)
        .filter(|(_, length)| *length > cap)
    {
        let end = message
            .text
            .char_indices()
            .nth(cap)
            .map_or(message.text.len(), |(at, _)| at);
        message.text.truncate(end);
        message
            .text
            .push_str(&format!(" […{} more characters]", length - cap));
        transcript.cut_characters += length - cap;
    }
    transcript.truncated = true;
}

fn warnings(file: &SessionFile, tree: &Tree<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    let view = PiView::new(file);
    if let Some(refusal) = view.refusal() {
        warnings.push(format!("Pi does not open this file: {refusal}"));
    } else if let (Some(leaf), Some(tip)) = (view.leaf(), tree.tip()) {
        let session = tree.session();
        let same_session = file
            .sessions()
            .get(leaf.session as usize)
            .is_some_and(|known| known.id() == session.id());
        if same_session && tree.state(leaf.node) == BranchState::Abandoned {
            let id = |node: u32| {
                session.nodes()[node as usize]
                    .id
                    .as_ref()
                    .map_or("?", EntryId::as_str)
            };
            let messages = |node: u32| {
                tree.path_to(node)
                    .iter()
                    .filter(|&&at| session.nodes()[at as usize].has_text())
                    .count()
            };
            warnings.push(format!(
                "Pi opens this session at entry {}, which has {} of its {} messages; the newest message is {}",
                id(leaf.node),
                messages(leaf.node),
                messages(tip),
                id(tip)
            ));
        }
    }
    let damaged = file.diagnostics().damaged_lines();
    if damaged > 0 {
        warnings.push(format!(
            "{damaged} damaged lines in {}; `lookback inspect` names them",
            file.path()
        ));
    }
    if file.diagnostics().count(DiagnosticKind::ParentCycle) > 0 {
        warnings.push("the entries form a circle; the walk stops at the first one seen again".to_owned());
    }
    warnings
}
