//! Where the terms of a query stand, in memory: what ranking asks, answered from what was gathered.

use std::{cell::RefCell, collections::BTreeMap, convert::Infallible, ops::Bound};

use lookback_ranker::{Leaf, Posting, Provider, TermSource, Vocabulary, resolve, resolve_in};
use smol_str::SmolStr;

use crate::interest::Interests;

/// A store of postings that knows the limits of its knowledge.
#[derive(Debug, Default)]
pub(crate) struct Postings {
    ids: BTreeMap<SmolStr, u32>,
    terms: Vec<TermPostings>,
    /// What was gathered.
    interests: Interests,
    /// What was asked for and not gathered.
    missing: RefCell<Interests>,
}

/// Turns and positions of one term.
#[derive(Debug, Default)]
struct TermPostings {
    /// Ascending.
    turns: Vec<u32>,
    /// Where the positions of each turn begin.
    starts: Vec<u32>,
    positions: Vec<u32>,
}

impl Postings {
    pub(crate) fn new(interests: Interests) -> Self {
        Self {
            interests,
            ..Self::default()
        }
    }

    /// The number under which occurrences of a term are added.
    pub(crate) fn id(&mut self, term: &SmolStr) -> u32 {
        match self.ids.get(term) {
            Some(&id) => id,
            None => {
                let id = self.terms.len() as u32;
                self.ids.insert(term.clone(), id);
                self.terms.push(TermPostings::default());
                id
            }
        }
    }

    /// Adds an occurrence. Turns come by ascending ordinal, positions ascending.
    pub(crate) fn add(&mut self, id: u32, turn: u32, position: u32) {
        let term = &mut self.terms[id as usize];
        if term.turns.last() != Some(&turn) {
            term.turns.push(turn);
            term.starts.push(term.positions.len() as u32);
        }
        term.positions.push(position);
    }

    /// What was asked for and not gathered since this was asked last.
    pub(crate) fn take_missing(&self) -> Interests {
        self.missing.take()
    }

    fn note_missing(&self, leaf: &Leaf) {
        if !self.interests.has_leaf(leaf) {
            self.missing.borrow_mut().add_leaf(leaf);
        }
    }

    fn term(&self, term: &str) -> Option<&TermPostings> {
        self.ids.get(term).map(|&id| &self.terms[id as usize])
    }
}

impl TermPostings {
    fn positions(&self, at: usize) -> &[u32] {
        let end = self
            .starts
            .get(at + 1)
            .map_or(self.positions.len(), |&end| end as usize);
        &self.positions[self.starts[at] as usize..end]
    }
}

impl Vocabulary for Postings {
    type Error = Infallible;

    fn document_frequency(&self, term: &str) -> Result<u32, Infallible> {
        if !self.interests.has_all_of(term) {
            self.missing.borrow_mut().add_term(term);
        }
        Ok(self.term(term).map_or(0, |term| term.turns.len() as u32))
    }

    fn terms_with_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        if !self.interests.has_prefix(prefix) {
            self.missing.borrow_mut().add_prefix(prefix);
        }
        let range = (Bound::Included(prefix), Bound::Unbounded);
        for (term, &id) in self.ids.range::<str, _>(range) {
            if !term.starts_with(prefix) {
                break;
            }
            visit(term, self.terms[id as usize].turns.len() as u32);
        }
        Ok(())
    }

    fn terms_containing(&self, infix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        if !self.interests.has_infix(infix) {
            self.missing.borrow_mut().add_infix(infix);
        }
        for (term, &id) in &self.ids {
            if term.contains(infix) {
                visit(term, self.terms[id as usize].turns.len() as u32);
            }
        }
        Ok(())
    }

    fn terms_within_distance(&self, _: &str, _: u8, _: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        // Any word could be one: only an index knows all words.
        self.missing.borrow_mut().typos = true;
        Ok(())
    }
}

impl TermSource for Postings {
    type Error = Infallible;

    fn posting_count(&self, term: &str) -> Result<usize, Infallible> {
        Ok(self.term(term).map_or(0, |term| term.turns.len()))
    }

    fn term_postings(&self, term: &str, out: &mut Vec<Posting>) -> Result<(), Infallible> {
        if let Some(term) = self.term(term) {
            out.extend(
                (0..term.turns.len()).map(|at| Posting::new(term.turns[at], term.positions(at).len() as f32)),
            );
        }
        Ok(())
    }

    fn term_positions(
        &self,
        term: &str,
        turns: &[u32],
        visit: &mut dyn FnMut(u32, &[u32]),
    ) -> Result<(), Infallible> {
        let Some(term) = self.term(term) else {
            return Ok(());
        };
        for turn in turns {
            if let Ok(at) = term.turns.binary_search(turn) {
                visit(*turn, term.positions(at));
            }
        }
        Ok(())
    }
}

impl Provider for Postings {
    fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), Infallible> {
        self.note_missing(leaf);
        resolve(leaf, self, out)
    }

    fn postings_in(&self, leaf: &Leaf, turns: &[u32], out: &mut Vec<Posting>) -> Result<(), Infallible> {
        self.note_missing(leaf);
        resolve_in(leaf, turns, self, out)
    }
}
