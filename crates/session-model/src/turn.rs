use serde::{Deserialize, Serialize};

use crate::{BranchState, EntryId, Link, Node, NodeKind, Role, Session, Timestamp, Tree, hash::Stable};

/// Consecutive text of one speaker along one branch: the unit that is indexed and found.
///
/// Tool calls in between do not end a turn. Another branch does, and so does a compaction; a turn also ends before
/// the entry with which its text would grow beyond [`Turn::MOST_TEXT`] bytes, so that a night of unattended work does
/// not become one huge turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// [`Role::User`] or [`Role::Assistant`].
    pub role: Role,
    /// The entries with its text, as positions in [`Session::nodes`], in the order of the branch. Never empty.
    pub nodes: Vec<u32>,
    /// Number of its exchange: a user's turn and the answers that follow it on its branch, to the next user's turn.
    pub exchange: u32,
    /// How its last entry stands to the newest branch.
    pub state: BranchState,
    /// The same in every session that has the same entries: forks copy entries with their ids and times.
    pub key: u64,
}

impl Turn {
    /// A turn of several entries has at most this many bytes of text.
    pub const MOST_TEXT: u64 = 64 << 10;

    /// Time of its last entry that has one.
    pub fn time(&self, session: &Session) -> Option<Timestamp> {
        self.nodes
            .iter()
            .rev()
            .find_map(|&node| session.nodes()[node as usize].time)
    }
}

/// What of a turn is known at an entry behind it on a branch.
#[derive(Clone, Copy)]
struct Reach {
    /// The turn of the nearest entry with text.
    turn: Option<u32>,
    /// That entry.
    node: u32,
    /// A compaction stands between.
    closed: bool,
    exchange: Option<u32>,
}

impl Tree<'_> {
    /// The turns of the session, numbered in the order in which their first entries appear in the file, except where
    /// an entry stands before its parent. Linear in the number of entries.
    pub fn turns(&self) -> Vec<Turn> {
        let session = self.session();
        let nodes = session.nodes();
        let mut turns: Vec<Turn> = Vec::new();
        let mut lengths: Vec<u64> = Vec::new();
        let mut exchanges = 0;
        let start = Reach {
            turn: None,
            node: 0,
            closed: false,
            exchange: None,
        };
        let mut reaches = vec![start; nodes.len()];
        for at in self.parents_first() {
            let node = &nodes[at as usize];
            let mut reach = node.parent.map_or(start, |parent| reaches[parent as usize]);
            reach.closed |= node.kind == NodeKind::Compaction;
            if let Some(role) = speaker(node) {
                let open = reach.turn.filter(|&turn| {
                    let (turn, length) = (&turns[turn as usize], lengths[turn as usize]);
                    // Another branch may have continued the turn already.
                    let continued = turn.nodes.last() != Some(&reach.node);
                    turn.role == role
                        && !reach.closed
                        && !continued
                        && length + u64::from(node.text_length) <= Turn::MOST_TEXT
                });
                let turn = open.unwrap_or_else(|| {
                    let same_exchange = reach
                        .exchange
                        .filter(|_| role == Role::Assistant || previous_is_user(&turns, reach.turn));
                    let exchange = same_exchange.unwrap_or_else(|| {
                        exchanges += 1;
                        exchanges - 1
                    });
                    turns.push(Turn {
                        role,
                        nodes: Vec::new(),
                        exchange,
                        state: BranchState::Abandoned,
                        key: 0,
                    });
                    lengths.push(0);
                    turns.len() as u32 - 1
                });
                turns[turn as usize].nodes.push(at);
                lengths[turn as usize] += u64::from(node.text_length);
                reach = Reach {
                    turn: Some(turn),
                    node: at,
                    closed: false,
                    exchange: Some(turns[turn as usize].exchange),
                };
            }
            reaches[at as usize] = reach;
        }
        for turn in &mut turns {
            turn.state = turn
                .nodes
                .last()
                .map_or(BranchState::Abandoned, |&last| self.state(last));
            turn.key = key(nodes, &turn.nodes);
        }
        turns
    }

    /// All entries, every parent before its children; in file order where that is so already.
    fn parents_first(&self) -> Vec<u32> {
        let nodes = self.session().nodes();
        let in_order = nodes
            .iter()
            .enumerate()
            .all(|(at, node)| node.parent.is_none_or(|parent| (parent as usize) < at));
        if in_order {
            return (0..nodes.len() as u32).collect();
        }
        let mut order = Vec::with_capacity(nodes.len());
        let mut open: Vec<u32> = self.roots().iter().rev().copied().collect();
        while let Some(at) = open.pop() {
            order.push(at);
            open.extend(self.children(at).iter().rev());
        }
        order
    }
}

fn previous_is_user(turns: &[Turn], turn: Option<u32>) -> bool {
    turn.is_some_and(|turn| turns[turn as usize].role == Role::User)
}

fn speaker(node: &Node) -> Option<Role> {
    node.role.filter(|role| {
        node.has_text() && node.link != Link::Repeat && matches!(role, Role::User | Role::Assistant)
    })
}

/// A hash of the ids, times and lengths of the entries, stable across versions.
fn key(nodes: &[Node], of: &[u32]) -> u64 {
    let mut hash = Stable::new();
    for &node in of {
        let node = &nodes[node as usize];
        hash.feed(node.id.as_ref().map_or("", EntryId::as_str).as_bytes());
        hash.word(node.time.map_or(i64::MIN, Timestamp::as_millis) as u64);
        hash.word(u64::from(node.text_length));
    }
    hash.finish()
}
