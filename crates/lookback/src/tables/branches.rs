use std::{io, ops::ControlFlow};

use lookback_session_model::{BranchState, EntryId, NodeKind, PiView, Role, SessionId, Timestamp, Tree};

use super::{RowKind, Scan};

/// Branches: one row for each entry that nothing continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchEnds;

/// One branch, from the root to its end.
#[derive(Debug, Clone, Copy)]
pub struct BranchRow<'a> {
    /// The session.
    pub session: &'a SessionId,
    /// The folder of the session.
    pub cwd: &'a str,
    /// The last entry.
    pub tip: Option<&'a EntryId>,
    /// Number of its line in the file.
    pub line: u64,
    /// It is the newest branch, the one that a reader sees first.
    pub is_newest: bool,
    /// Pi opens the session at this end.
    pub is_pi_leaf: bool,
    /// The last entry that another branch continues too; `None` where the branch is alone from its root on.
    pub fork_point: Option<&'a EntryId>,
    /// Entries from the root on.
    pub entries: u64,
    /// Messages of user and model with text, from the root on.
    pub messages: u64,
    /// Those behind the fork point.
    pub own_messages: u64,
    /// Compactions on the branch.
    pub compactions: u64,
    /// Time of the first entry behind the fork point.
    pub started: Option<Timestamp>,
    /// Time of the last entry.
    pub ended: Option<Timestamp>,
    /// The older session that has the last entry too.
    pub copied_from: Option<&'a SessionId>,
}

/// What is known of the way from the root to an entry, the entry included.
#[derive(Clone, Copy, Default)]
struct Way {
    entries: u64,
    messages: u64,
    compactions: u64,
    fork: Option<u32>,
    messages_at_fork: u64,
    started: Option<Timestamp>,
}

impl RowKind for BranchEnds {
    type Row<'a> = BranchRow<'a>;

    fn scan(
        &self,
        scan: &Scan<'_>,
        emit: &mut dyn FnMut(&BranchRow<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let view = PiView::new(scan.file);
        let pi_leaf = view.leaf();
        for (position, session) in scan.sessions() {
            let tree = &scan.trees[position];
            let ways = ways(tree);
            let id = |node: u32| session.nodes()[node as usize].id.as_ref();
            for leaf in tree.leaves() {
                let node = &session.nodes()[leaf as usize];
                let way = ways[leaf as usize];
                if !scan.filter.touches(way.started, node.time) {
                    continue;
                }
                let row = BranchRow {
                    session: session.id(),
                    cwd: session.header().map_or("", |header| header.cwd.as_str()),
                    tip: id(leaf),
                    line: node.place.line,
                    is_newest: tree.tip() == Some(leaf) || tree.state(leaf) != BranchState::Abandoned,
                    is_pi_leaf: pi_leaf.is_some_and(|pi| (pi.session as usize, pi.node) == (position, leaf)),
                    fork_point: way.fork.and_then(id),
                    entries: way.entries,
                    messages: way.messages,
                    own_messages: way.messages - way.messages_at_fork,
                    compactions: way.compactions,
                    started: way.started,
                    ended: node.time,
                    copied_from: scan.owner(position, leaf),
                };
                if emit(&row).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// The ways to all entries, each found from that to its parent: linear, however many branches share a stretch.
fn ways(tree: &Tree<'_>) -> Vec<Way> {
    let nodes = tree.session().nodes();
    let mut ways = vec![Way::default(); nodes.len()];
    let mut open: Vec<u32> = tree.roots().to_vec();
    while let Some(at) = open.pop() {
        let node = &nodes[at as usize];
        let mut way = match node.parent {
            Some(parent) => {
                let before = ways[parent as usize];
                if tree.children(parent).len() > 1 {
                    Way {
                        fork: Some(parent),
                        messages_at_fork: before.messages,
                        started: None,
                        ..before
                    }
                } else {
                    before
                }
            }
            None => Way::default(),
        };
        let spoken = node.has_text() && matches!(node.role, Some(Role::User | Role::Assistant));
        way.entries += 1;
        way.messages += u64::from(spoken);
        way.compactions += u64::from(node.kind == NodeKind::Compaction);
        way.started = way.started.or(node.time);
        ways[at as usize] = way;
        open.extend_from_slice(tree.children(at));
    }
    ways
}
