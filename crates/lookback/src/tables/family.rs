//! Which session files belong together, and which of them an entry belongs to.

use std::{
    collections::HashMap,
    hash::{BuildHasher, RandomState},
};

use lookback_session_model::{Lineage, Node, Parent, SessionId, SessionSummary};

/// Sorts sessions into families: numbers of the given sessions, the oldest first.
///
/// Families come in the order of the first path in them, so that the order of rows depends on the files alone.
pub(super) fn families(sessions: &[SessionSummary], lineage: &Lineage) -> Vec<Vec<usize>> {
    let mut sets = Sets((0..sessions.len()).collect());
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    let mut by_missing: HashMap<&str, usize> = HashMap::new();
    for (position, session) in sessions.iter().enumerate() {
        let other = *by_id.entry(session.id.as_str()).or_insert(position);
        sets.join(position, other);
        match lineage.parent(position) {
            Parent::None => {}
            Parent::Known(parent) => sets.join(position, *parent),
            Parent::Missing(path) => {
                // The name survives when a folder is moved, the path does not.
                let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
                let other = *by_missing.entry(name).or_insert(position);
                sets.join(position, other);
            }
        }
    }
    let mut members: HashMap<usize, Vec<usize>> = HashMap::new();
    for position in 0..sessions.len() {
        members.entry(sets.root(position)).or_default().push(position);
    }
    let mut families: Vec<Vec<usize>> = members.into_values().collect();
    families.sort_by_key(|members| members.iter().map(|&member| &sessions[member].path).min());
    for members in &mut families {
        members.sort_by_key(|&member| {
            let session = &sessions[member];
            (session.created.is_none(), session.created, &session.path)
        });
    }
    families
}

/// Sets of numbers that grow together.
struct Sets(Vec<usize>);

impl Sets {
    fn root(&mut self, mut at: usize) -> usize {
        while self.0[at] != at {
            // Half of the way up is cut at every look: later looks are short.
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0[high] = low;
    }
}

/// Whose entry is it? Knows the entries of a family's older sessions, some 16 bytes for each.
pub(super) struct Owners {
    hasher: RandomState,
    owner_of: HashMap<u64, u32>,
    names: Vec<SessionId>,
}

impl Owners {
    pub(super) fn new() -> Self {
        Self {
            hasher: RandomState::new(),
            owner_of: HashMap::new(),
            names: Vec::new(),
        }
    }

    /// The next session of the family, an older one than those that follow.
    pub(super) fn enter(&mut self, session: &SessionId) {
        self.names.push(session.clone());
    }

    /// Number of the older session that has this entry too. Copies keep id, kind, speaker and time; ids alone are too
    /// short to be unique in a large family.
    pub(super) fn owner(&mut self, node: &Node) -> Option<u32> {
        let id = node.id.as_ref()?;
        let key = self.hasher.hash_one((id, node.kind, node.role, node.time));
        let present = self.names.len() as u32 - 1;
        let owner = *self.owner_of.entry(key).or_insert(present);
        (owner != present).then_some(owner)
    }

    /// The sessions by their numbers.
    pub(super) fn names(&self) -> &[SessionId] {
        &self.names
    }
}
