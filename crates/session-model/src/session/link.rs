//! Finds every entry's parent by its name.

use std::{collections::HashMap, io};

use super::{
    Session,
    builder::{Draft, same_bytes},
};
use crate::{DiagnosticKind, Diagnostics, EntryId, Link, Node, NodeKind, ReadAt, SessionId, hash::Keyed};

impl Draft {
    /// Finds every entry's parent.
    ///
    /// An id can be there twice. A reference then means the nearest entry before it that has the id, as that is what
    /// its writer knew; so a line that is added later never changes what earlier lines mean. (Pi takes the last one in
    /// the file; see [`PiView`](crate::PiView).) Only where no entry before has the id, the first one behind is meant.
    pub(super) fn link(
        mut self,
        fallback: &SessionId,
        source: &impl ReadAt,
        diagnostics: &mut Diagnostics,
    ) -> io::Result<Session> {
        let mut links = Vec::with_capacity(self.nodes.len());
        let mut unknown = Vec::new();
        let mut repeated_messages = 0;
        // The entry put into the table last.
        let mut previous: Option<(u32, &EntryId)> = None;
        let mut by_id: HashMap<&EntryId, u32, Keyed> =
            HashMap::with_capacity_and_hasher(self.nodes.len(), Keyed::default());
        for (position, (node, parent)) in self.nodes.iter().zip(&self.parents).enumerate() {
            if let Some(id) = &node.id
                && let Some(&known) = by_id.get(id)
            {
                let known = known as usize;
                let repeats = alike(&self.nodes[known], node)
                    && self.parents[known] == *parent
                    && same_bytes(source, self.nodes[known].place, node.place)?;
                if repeats {
                    repeated_messages += u64::from(node.kind == NodeKind::Message);
                    links.push((Link::Repeat, None));
                    diagnostics.push(DiagnosticKind::RepeatedEntry, node.place.line, node.place.offset);
                    continue;
                }
                diagnostics.push(DiagnosticKind::DuplicateId, node.place.line, node.place.offset);
            }
            links.push(match parent {
                None => (Link::Root, None),
                // Nearly every entry continues the one before it, and that needs no table.
                Some(parent) if previous.is_some_and(|(_, id)| id == parent) => {
                    (Link::Direct, previous.map(|(position, _)| position))
                }
                Some(parent) => match by_id.get(parent) {
                    Some(&found) => (Link::Direct, Some(found)),
                    None => {
                        unknown.push(position);
                        (Link::Gap, None)
                    }
                },
            });
            if let Some(id) = &node.id {
                by_id.insert(id, position as u32);
                previous = Some((position as u32, id));
            }
        }
        if !unknown.is_empty() {
            by_id.clear();
            for (position, node) in self.nodes.iter().enumerate().rev() {
                if let Some(id) = node.id.as_ref().filter(|_| links[position].0 != Link::Repeat) {
                    by_id.insert(id, position as u32);
                }
            }
            for position in unknown {
                let found = self.parents[position]
                    .as_ref()
                    .and_then(|parent| by_id.get(parent));
                match found {
                    Some(&found) => links[position] = (Link::Direct, Some(found)),
                    None => {
                        let place = self.nodes[position].place;
                        diagnostics.push(DiagnosticKind::MissingParent, place.line, place.offset);
                    }
                }
            }
        }
        drop(by_id);
        for (node, (link, parent)) in self.nodes.iter_mut().zip(links) {
            (node.link, node.parent) = (link, parent);
        }
        bridge_gaps(&mut self.nodes);
        cut_cycles(&mut self.nodes, diagnostics);
        let is_named = |(position, parent): (usize, Option<EntryId>)| {
            let named = !matches!(self.nodes[position].link, Link::Root | Link::Direct);
            parent.filter(|_| named).map(|parent| (position as u32, parent))
        };
        let named = self
            .parents
            .into_iter()
            .enumerate()
            .filter_map(is_named)
            .collect();
        let id = self.header.as_ref().and_then(|header| header.id.clone());
        self.nodes.shrink_to_fit();
        Ok(Session {
            id: id
                .filter(|id| !id.as_str().is_empty())
                .unwrap_or_else(|| fallback.clone()),
            header: self.header,
            nodes: self.nodes,
            named,
            facts: self.facts,
            models: self.models,
            tally: self.tally,
            repeated_messages,
            texts: self.texts,
        })
    }
}

/// Two entries with one id can be the same one written twice: everything that the outline knows of them is equal.
fn alike(one: &Node, other: &Node) -> bool {
    one.kind == other.kind
        && one.role == other.role
        && one.time == other.time
        && one.text_length == other.text_length
        && one.place.length == other.place.length
}

/// An entry behind a gap continues the entry before it that is no copy.
fn bridge_gaps(nodes: &mut [Node]) {
    let mut last = None;
    for (position, node) in nodes.iter_mut().enumerate() {
        match node.link {
            Link::Repeat => continue,
            Link::Gap => node.parent = last,
            _ => {}
        }
        last = Some(position as u32);
    }
}

/// Cuts every circle of parents at one link: at a gap where it has one, else at its first entry in the file. Linear.
fn cut_cycles(nodes: &mut [Node], diagnostics: &mut Diagnostics) {
    const NEW: u32 = 0;
    // A parent that stands before its child cannot close a circle on its own.
    let forward =
        |(position, node): (usize, &Node)| node.parent.is_some_and(|parent| parent as usize >= position);
    if !nodes.iter().enumerate().any(forward) {
        return;
    }
    // Number of the walk that saw the node.
    let mut seen = vec![NEW; nodes.len()];
    for start in 0..nodes.len() {
        let walk = start as u32 + 1;
        let mut at = start;
        loop {
            if seen[at] == walk {
                let cut = weakest(nodes, at);
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

/// The member of a circle whose link is cut.
fn weakest(nodes: &[Node], member: usize) -> usize {
    let rank = |at: usize| (nodes[at].link != Link::Gap, at);
    let (mut weakest, mut at) = (member, member);
    loop {
        if rank(at) < rank(weakest) {
            weakest = at;
        }
        // Every member of a circle has a parent.
        at = nodes[at].parent.map_or(member, |parent| parent as usize);
        if at == member {
            return weakest;
        }
    }
}
