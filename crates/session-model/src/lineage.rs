use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};

use crate::{SessionSummary, session::id_from_path};

/// Which session was forked from which, over a set of sessions.
///
/// A fork names its parent by the absolute path that the parent had at that time. Folders move and links change, so
/// a parent is looked for by its path, then by its file name, then by the session id in that name.
#[derive(Debug)]
pub struct Lineage {
    parents: Vec<Parent>,
}

/// Where a session comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Parent {
    /// It is no fork.
    None,
    /// The session at this position of the set.
    Known(usize),
    /// A file that is not in the set.
    Missing(String),
}

impl Lineage {
    /// Finds the parents of all sessions of a set. Linear in their number.
    pub fn new(sessions: &[SessionSummary]) -> Self {
        let mut by_path: HashMap<&Utf8Path, usize> = HashMap::new();
        let mut by_name: HashMap<&str, usize> = HashMap::new();
        let mut by_id: HashMap<&str, usize> = HashMap::new();
        for (position, session) in sessions.iter().enumerate().rev() {
            by_path.insert(&session.path, position);
            by_name.insert(session.path.file_name().unwrap_or_default(), position);
            by_id.insert(session.id.as_str(), position);
        }
        let find = |position: usize, session: &SessionSummary| {
            let Some(named) = session
                .parent_session
                .as_deref()
                .filter(|named| !named.is_empty())
            else {
                return Parent::None;
            };
            // The path may come from another system, whose separators are others.
            let name = named.rsplit(['/', '\\']).next().unwrap_or(named);
            let id = id_from_path(Utf8Path::new(name));
            let found = by_path
                .get(Utf8Path::new(named))
                .or_else(|| by_name.get(name))
                .or_else(|| by_id.get(id.as_str()));
            match found {
                // A file cannot be its own parent, whatever its header says.
                Some(&parent) if parent != position => Parent::Known(parent),
                _ => Parent::Missing(named.to_owned()),
            }
        };
        let parents = sessions
            .iter()
            .enumerate()
            .map(|(position, session)| find(position, session))
            .collect();
        Self { parents }
    }

    /// Where the session at a position comes from.
    pub fn parent(&self, session: usize) -> &Parent {
        &self.parents[session]
    }

    /// The ancestors of a session, the nearest first, and the file where the chain leaves the set. Circles end.
    pub fn ancestors(&self, session: usize) -> (Vec<usize>, Option<Utf8PathBuf>) {
        let mut chain = Vec::new();
        let mut at = session;
        loop {
            match &self.parents[at] {
                Parent::None => return (chain, None),
                Parent::Missing(path) => return (chain, Some(path.into())),
                Parent::Known(parent) if *parent == session || chain.contains(parent) => {
                    return (chain, None);
                }
                Parent::Known(parent) => {
                    chain.push(*parent);
                    at = *parent;
                }
            }
        }
    }
}
