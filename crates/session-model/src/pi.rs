//! The file as Pi sees it: what opens, where the leaf is, what the model's context holds. Bug for bug.

use std::collections::HashMap;

use crate::{
    DiagnosticKind, EntryId, Header, Link, Node, NodeKind, Role, Session, SessionFile, SessionId, Timestamp,
    node::Fact, session::FirstRecord,
};

/// One entry of a file: the session it belongs to and its position there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryRef {
    /// Position in [`SessionFile::sessions`].
    pub session: u32,
    /// Position in [`Session::nodes`].
    pub node: u32,
}

/// What Pi makes of a file when it opens it.
///
/// Pi takes the whole file as one session, skips lines that are not JSON, and knows neither gaps nor recovered
/// records. Use it to say what Pi will show; use [`Tree`](crate::Tree) to show what is there.
#[derive(Debug)]
pub struct PiView<'a> {
    file: &'a SessionFile,
    entries: Vec<EntryRef>,
    /// Position in `entries` of the last entry with an id, which is the one that references mean.
    by_id: HashMap<&'a str, u32>,
}

/// Pi's list row of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct PiListRow {
    /// The id of the header.
    pub id: Option<SessionId>,
    /// The folder in the header.
    pub cwd: String,
    /// The session name.
    pub name: Option<String>,
    /// The first text of the user, or `(no messages)`.
    pub first_message: String,
    /// Messages of all roles on all branches.
    pub message_count: u64,
    /// Time of the header.
    pub created: Option<Timestamp>,
    /// Last activity; `None` where Pi computes a time that is none.
    pub modified: Option<Timestamp>,
    /// The file it was forked from.
    pub parent_session: Option<String>,
}

impl<'a> PiView<'a> {
    /// Looks at a file as Pi does.
    pub fn new(file: &'a SessionFile) -> Self {
        let mut entries = Vec::new();
        for (session, outline) in file.sessions().iter().enumerate() {
            let own = outline
                .nodes()
                .iter()
                .enumerate()
                .filter(|(_, node)| !node.place.recovered);
            entries.extend(own.map(|(node, _)| EntryRef {
                session: session as u32,
                node: node as u32,
            }));
        }
        let mut view = Self {
            file,
            entries,
            by_id: HashMap::new(),
        };
        for (position, &entry) in view.entries.iter().enumerate() {
            if let Some(id) = &view.node(entry).id {
                view.by_id.insert(id.as_str(), position as u32);
            }
        }
        view
    }

    /// The outline of an entry.
    pub fn node(&self, entry: EntryRef) -> &'a Node {
        &self.session(entry).nodes()[entry.node as usize]
    }

    fn session(&self, entry: EntryRef) -> &'a Session {
        &self.file.sessions()[entry.session as usize]
    }

    fn id(&self, entry: EntryRef) -> Option<&'a EntryId> {
        self.node(entry).id.as_ref()
    }

    /// The header that Pi goes by.
    pub fn header(&self) -> Option<&'a Header> {
        self.file.sessions().first().and_then(Session::header)
    }

    /// The entries in file order.
    pub fn entries(&self) -> &[EntryRef] {
        &self.entries
    }

    /// Why Pi would not open the file; `None` when it would.
    pub fn refusal(&self) -> Option<&'static str> {
        match self.file.first_record() {
            // Pi makes a new session of an empty file.
            FirstRecord::None if self.file.stamp().size == 0 => None,
            FirstRecord::None => Some("the file holds no session: no line in it is a record"),
            FirstRecord::HeaderWithoutId => Some("the session header has no id"),
            FirstRecord::Other => Some("the file does not begin with a session header"),
            FirstRecord::Header if self.is_linear() && self.has_scalars() => {
                Some("a line of this version 1 file is no record, and Pi fails to migrate it")
            }
            // Pi's walk to the root would never end.
            FirstRecord::Header => self
                .circle_behind(self.context_leaf())
                .then_some("the parents of its leaf form a circle, which Pi walks for ever"),
        }
    }

    /// The leaf: the last entry of the file. `None` when there is none, or when it has no id.
    pub fn leaf(&self) -> Option<EntryRef> {
        self.entries
            .last()
            .copied()
            .filter(|&entry| self.id(entry).is_some())
            .and_then(|entry| self.find(self.id(entry)?))
    }

    /// The leaf of the context: where the last entry has no id Pi falls back to it all the same.
    fn context_leaf(&self) -> Option<EntryRef> {
        self.leaf().or(self.entries.last().copied())
    }

    /// The entry that an id means.
    pub fn find(&self, id: &EntryId) -> Option<EntryRef> {
        self.by_id
            .get(id.as_str())
            .map(|&position| self.entries[position as usize])
    }

    /// Version 1: every entry continues the one before.
    fn is_linear(&self) -> bool {
        self.header()
            .and_then(|header| header.version)
            .is_some_and(|version| version < 2.0)
    }

    fn has_scalars(&self) -> bool {
        self.file.diagnostics().count(DiagnosticKind::NotARecord) > 0
    }

    fn parent(&self, entry: EntryRef) -> Option<EntryRef> {
        if self.is_linear() {
            let before = self.entries.binary_search(&entry).ok()?.checked_sub(1)?;
            return Some(self.entries[before]);
        }
        self.find(self.session(entry).named_parent(entry.node)?)
    }

    fn circle_behind(&self, leaf: Option<EntryRef>) -> bool {
        let mut steps = 0;
        let mut at = leaf;
        while let Some(entry) = at {
            steps += 1;
            if steps > self.entries.len() {
                return true;
            }
            at = self.parent(entry);
        }
        false
    }

    /// From the root to an entry. Where Pi would walk a circle for ever, the walk ends at the first entry seen again.
    fn path_to(&self, entry: EntryRef) -> Vec<EntryRef> {
        let mut path = vec![entry];
        let circle = self.circle_behind(Some(entry));
        let mut seen = std::collections::HashSet::from([(entry.session, entry.node)]);
        let mut at = entry;
        while let Some(parent) = self.parent(at) {
            if circle && !seen.insert((parent.session, parent.node)) {
                break;
            }
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The active branch: from the root to the leaf.
    pub fn active_branch(&self) -> Vec<EntryRef> {
        self.leaf().map(|leaf| self.path_to(leaf)).unwrap_or_default()
    }

    /// The entries that make up the model's context: after the last compaction of the active branch, that compaction
    /// first, then what it kept, then what followed.
    pub fn context(&self) -> Vec<EntryRef> {
        let Some(leaf) = self.context_leaf() else {
            return Vec::new();
        };
        let path = self.path_to(leaf);
        let Some(&compaction) = path
            .iter()
            .rev()
            .find(|&&entry| self.node(entry).kind == NodeKind::Compaction)
        else {
            return path;
        };
        let Some(at) = path
            .iter()
            .position(|&entry| self.id(entry) == self.id(compaction))
        else {
            return path;
        };
        let first_kept = self.session(compaction).first_kept(compaction.node);
        let mut context = vec![compaction];
        let mut kept = false;
        for &entry in &path[..at] {
            kept |= first_kept.is_some() && self.id(entry) == first_kept;
            let node = self.node(entry);
            if kept && !(node.kind == NodeKind::Message && node.role == Some(Role::System)) {
                context.push(entry);
            }
        }
        context.extend_from_slice(&path[at + 1..]);
        context
    }

    /// For every entry of a context the edit that applies to it: the last one inside the context.
    pub(crate) fn edits(&self, context: &[EntryRef]) -> HashMap<&'a str, EntryRef> {
        let mut edits = HashMap::new();
        for &entry in context {
            if self.node(entry).kind != NodeKind::ContextEdit {
                continue;
            }
            let facts = self.session(entry).facts();
            let found = facts.binary_search_by_key(&entry.node, |(position, _)| *position);
            if let Ok(found) = found
                && let (_, Fact::Edits(Some(target))) = &facts[found]
            {
                edits.insert(target.as_str(), entry);
            }
        }
        edits
    }

    /// Entries without a parent in the file, in file order.
    pub fn roots(&self) -> Vec<EntryRef> {
        let is_root = |&entry: &EntryRef| match self.session(entry).named_parent(entry.node) {
            None => true,
            Some(parent) => Some(parent) == self.id(entry) || self.find(parent).is_none(),
        };
        // Pi keeps one tree node per id, so of two entries with one id it shows the later in both places.
        let shown = |entry: EntryRef| self.id(entry).and_then(|id| self.find(id)).unwrap_or(entry);
        self.entries.iter().copied().filter(is_root).map(shown).collect()
    }

    /// Labels by the id of their entry; the latest in the file wins, whatever branch it is on.
    pub fn labels(&self) -> Vec<(&'a EntryId, &'a str)> {
        let mut labels: HashMap<&EntryId, &str> = HashMap::new();
        let mut order = Vec::new();
        for session in self.file.sessions() {
            for (position, fact) in session.facts() {
                let Fact::Labels {
                    target: Some(target),
                    label,
                } = fact
                else {
                    continue;
                };
                if session.nodes()[*position as usize].place.recovered {
                    continue;
                }
                match label {
                    Some(label) => {
                        labels.insert(target, label);
                        order.push(target);
                    }
                    None => {
                        labels.remove(target);
                    }
                }
            }
        }
        let mut listed = Vec::new();
        for target in order {
            if self.find(target).is_some()
                && let Some(label) = labels.remove(target)
            {
                listed.push((target, label));
            }
        }
        listed
    }

    /// The session name: the last one given in the file.
    pub fn session_name(&self) -> Option<&'a str> {
        self.file.pi_name()
    }

    /// The row of the file in Pi's list; `None` where Pi does not list it.
    pub fn list_row(&self) -> Option<PiListRow> {
        if !self.file.is_listed() {
            return None;
        }
        let (header, tally) = (self.header()?, self.file.pi_tally()?);
        if tally.unlistable {
            return None;
        }
        let mtime = i64::try_from(self.file.stamp().modified_ns / 1_000_000)
            .ok()
            .and_then(Timestamp::from_millis);
        Some(PiListRow {
            id: header.id.clone(),
            cwd: header.cwd.clone(),
            name: tally.name.clone(),
            first_message: tally
                .first_message
                .clone()
                .unwrap_or_else(|| "(no messages)".to_owned()),
            message_count: tally.message_count,
            created: header.timestamp,
            modified: tally.modified_in_pi(Some(header), mtime),
            parent_session: header.parent_session.clone(),
        })
    }

    /// True when an entry's parent link is one that Pi follows too.
    pub fn follows(&self, entry: EntryRef) -> bool {
        self.node(entry).link == Link::Direct && self.parent(entry).is_some()
    }
}
