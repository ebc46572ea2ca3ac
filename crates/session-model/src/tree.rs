use crate::{BranchState, Link, NodeKind, Session};

/// The branches of a session, as a reader wants to see them.
///
/// Pi puts its leaf on the last line of the file, whatever that is: a rename written from another window can move it
/// to a dead branch. The tree therefore has a *tip* of its own: Pi's leaf, unless the newest message is on another
/// path; then that message. Gaps (see [`Link`]) do not end a path.
///
/// Costs a few passes over the entries and about 20 bytes for each.
#[derive(Debug)]
pub struct Tree<'a> {
    session: &'a Session,
    /// Children of node n: `children[offsets[n]..offsets[n + 1]]`, in file order.
    offsets: Vec<u32>,
    children: Vec<u32>,
    roots: Vec<u32>,
    tip: Option<u32>,
    newest_message: Option<u32>,
    states: Vec<BranchState>,
}

impl<'a> Tree<'a> {
    /// Builds the tree of a session.
    pub fn new(session: &'a Session) -> Self {
        let nodes = session.nodes();
        let mut offsets = vec![0u32; nodes.len() + 1];
        let mut roots = Vec::new();
        for (position, node) in nodes.iter().enumerate() {
            match node.parent {
                Some(parent) => offsets[parent as usize + 1] += 1,
                None if node.link == Link::Repeat => {}
                None => roots.push(position as u32),
            }
        }
        for at in 1..offsets.len() {
            offsets[at] += offsets[at - 1];
        }
        let mut next = offsets.clone();
        let mut children = vec![0; offsets[nodes.len()] as usize];
        for (position, node) in nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                let slot = &mut next[parent as usize];
                children[*slot as usize] = position as u32;
                *slot += 1;
            }
        }
        let mut tree = Self {
            session,
            offsets,
            children,
            roots,
            tip: None,
            newest_message: None,
            states: Vec::new(),
        };
        tree.newest_message = tree.find_newest_message();
        tree.tip = tree.find_tip();
        tree.states = tree.find_states();
        tree
    }

    /// The session.
    pub fn session(&self) -> &'a Session {
        self.session
    }

    /// Entries without a parent, in file order.
    pub fn roots(&self) -> &[u32] {
        &self.roots
    }

    /// The entries that continue this one, in file order.
    pub fn children(&self, node: u32) -> &[u32] {
        let (start, end) = (self.offsets[node as usize], self.offsets[node as usize + 1]);
        &self.children[start as usize..end as usize]
    }

    /// The end of the branch that a reader wants to see first. `None` in a session without entries.
    pub fn tip(&self) -> Option<u32> {
        self.tip
    }

    /// The newest message by time; of several at one time the last in the file.
    pub fn newest_message(&self) -> Option<u32> {
        self.newest_message
    }

    /// How an entry stands to the tip's branch.
    pub fn state(&self, node: u32) -> BranchState {
        self.states[node as usize]
    }

    /// Entries that nothing continues, in file order, the tip first where it is one.
    pub fn leaves(&self) -> Vec<u32> {
        let is_leaf = |&node: &u32| self.children(node).is_empty() && is_shown(self.session, node);
        let all = (0..self.session.nodes().len() as u32).filter(is_leaf);
        let mut leaves: Vec<u32> = all.collect();
        leaves.sort_by_key(|&leaf| Some(leaf) != self.tip);
        leaves
    }

    /// Entries that several others continue, in file order.
    pub fn fork_points(&self) -> Vec<u32> {
        (0..self.session.nodes().len() as u32)
            .filter(|&node| self.children(node).len() > 1)
            .collect()
    }

    /// The entries from the root to this one.
    pub fn path_to(&self, node: u32) -> Vec<u32> {
        path_to(self.session, node)
    }

    /// The end of the branch that runs through an entry: the tip, or else the last leaf in the file behind the entry.
    pub fn leaf_behind(&self, node: u32) -> u32 {
        if self.states[node as usize] != BranchState::Abandoned
            && let Some(tip) = self.tip
        {
            return tip;
        }
        let (mut last, mut open) = (node, vec![node]);
        let mut found_leaf = false;
        while let Some(at) = open.pop() {
            let children = self.children(at);
            if children.is_empty() && (!found_leaf || at > last) {
                (last, found_leaf) = (at, true);
            }
            open.extend_from_slice(children);
        }
        last
    }

    fn find_newest_message(&self) -> Option<u32> {
        let messages = self
            .session
            .nodes()
            .iter()
            .enumerate()
            .filter(|(_, node)| node.kind == NodeKind::Message && node.link != Link::Repeat);
        messages
            .max_by_key(|(position, node)| (node.time, *position))
            .map(|(position, _)| position as u32)
    }

    fn find_tip(&self) -> Option<u32> {
        let last = (0..self.session.nodes().len() as u32)
            .rev()
            .find(|&node| is_shown(self.session, node))?;
        let Some(newest) = self.newest_message else {
            return Some(last);
        };
        let mut at = Some(last);
        while let Some(node) = at {
            if node == newest {
                return Some(last);
            }
            at = self.session.nodes()[node as usize].parent;
        }
        Some(newest)
    }

    fn find_states(&self) -> Vec<BranchState> {
        let nodes = self.session.nodes();
        let mut states = vec![BranchState::Abandoned; nodes.len()];
        let Some(tip) = self.tip else { return states };
        let path = self.path_to(tip);
        let compaction = path
            .iter()
            .rposition(|&node| nodes[node as usize].kind == NodeKind::Compaction);
        let (mut kept, compacted) = match compaction {
            Some(at) => {
                let first_kept = self.session.first_kept(path[at]);
                let is_kept =
                    |&node: &u32| first_kept.is_some() && nodes[node as usize].id.as_ref() == first_kept;
                (path[..at].iter().position(is_kept).unwrap_or(at), at)
            }
            None => (0, 0),
        };
        kept = kept.min(compacted);
        for (at, &node) in path.iter().enumerate() {
            states[node as usize] = if at < kept {
                BranchState::Compacted
            } else {
                BranchState::Active
            };
        }
        states
    }
}

/// False for a copy of an entry.
fn is_shown(session: &Session, node: u32) -> bool {
    session.nodes()[node as usize].link != Link::Repeat
}

/// The entries from the root to this one.
pub(crate) fn path_to(session: &Session, node: u32) -> Vec<u32> {
    let mut path = vec![node];
    let mut at = node;
    while let Some(parent) = session.nodes()[at as usize].parent {
        path.push(parent);
        at = parent;
    }
    path.reverse();
    path
}

impl Session {
    /// True when an entry stands behind a gap: what it continues is missing from the file.
    pub fn is_behind_gap(&self, node: u32) -> bool {
        self.nodes()[node as usize].link == Link::Gap
    }
}
