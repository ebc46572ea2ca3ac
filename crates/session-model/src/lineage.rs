use std::collections::{HashMap, HashSet};

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

    /// The ancestors of a session, the nearest first, and the file where the chain leaves the set. Circles end. Linear
    /// in the length of the chain.
    pub fn ancestors(&self, session: usize) -> (Vec<usize>, Option<Utf8PathBuf>) {
        let (mut chain, mut seen) = (Vec::new(), HashSet::from([session]));
        let mut at = session;
        loop {
            match &self.parents[at] {
                Parent::None => return (chain, None),
                Parent::Missing(path) => return (chain, Some(path.into())),
                Parent::Known(parent) if !seen.insert(*parent) => return (chain, None),
                Parent::Known(parent) => {
                    chain.push(*parent);
                    at = *parent;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SessionId;

    /// Sessions by file name, each with the parent that its header names.
    fn lineage(sessions: &[(&str, Option<&str>)]) -> Lineage {
        let summary = |&(name, parent): &(&str, Option<&str>)| SessionSummary {
            id: id_from_path(Utf8Path::new(name)),
            path: Utf8Path::new("/moved").join(name),
            cwd: String::new(),
            title: String::new(),
            name: None,
            created: None,
            modified: None,
            message_count: 0,
            parent_session: parent.map(str::to_owned),
        };
        Lineage::new(&sessions.iter().map(summary).collect::<Vec<_>>())
    }

    #[test]
    fn a_parent_is_found_by_path_name_or_id() {
        let lineage = lineage(&[
            ("t_a.jsonl", None),
            ("t_b.jsonl", Some("/moved/t_a.jsonl")),
            ("t_c.jsonl", Some("/elsewhere/t_b.jsonl")),
            ("t_d.jsonl", Some(r"C:\sessions\renamed_a.jsonl")),
            ("t_e.jsonl", Some("")),
            ("t_f.jsonl", Some("/elsewhere/t_f.jsonl")),
        ]);
        assert_eq!(lineage.ancestors(2), (vec![1, 0], None));
        assert_eq!(*lineage.parent(3), Parent::Known(0));
        assert_eq!(*lineage.parent(4), Parent::None);
        // No file is its own parent.
        assert!(matches!(lineage.parent(5), Parent::Missing(_)));
    }

    #[test]
    fn circles_end_and_long_chains_are_walked_in_a_moment() {
        let circle = lineage(&[("t_a.jsonl", Some("t_b.jsonl")), ("t_b.jsonl", Some("t_a.jsonl"))]);
        assert_eq!(circle.ancestors(0), (vec![1], None));
        let names: Vec<String> = (0..50_000).map(|number| format!("t_{number}.jsonl")).collect();
        let chain: Vec<_> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                (
                    name.as_str(),
                    at.checked_sub(1).map(|before| names[before].as_str()),
                )
            })
            .collect();
        let lineage = lineage(&chain);
        assert_eq!(lineage.ancestors(49_999).0.len(), 49_999);
        assert_eq!(*lineage.parent(1), Parent::Known(0));
        assert_eq!(id_from_path(Utf8Path::new("t_7.jsonl")), SessionId::new("7"));
    }
}
