//! A provider in memory: the model that engines are tested against, and enough for a search without an index.
//!
//! ```
//! use lookback_ranker::{Annotations, Labels, Scratch, SearchRequest, Searchable, memory::MemoryIndex, search};
//! use lookback_session_model::{BranchState, Role};
//!
//! let mut index = MemoryIndex::default();
//! let session = index.add_session("s1", "/home/dev/shop", "2026-03-02T09:00:00Z");
//! index.add_turn(session, Role::User, BranchState::Active, "Why does getUserName return null?");
//! index.add_turn(session, Role::Assistant, BranchState::Active, "The cache is empty until login.");
//! let (corpus, provider) = index.finish();
//! let labels = Labels::new(&corpus, &Annotations::default());
//!
//! let searchable = Searchable { provider: &provider, corpus: &corpus, labels: &labels, live_turns: &[] };
//! let ranking = search(&SearchRequest::new("user name"), &searchable, &mut Scratch::default()).unwrap();
//! assert_eq!(ranking.hits.len(), 1);
//! assert_eq!(ranking.hits[0].turn, Some(0));
//! ```

use std::collections::BTreeMap;
use std::convert::Infallible;

use camino::Utf8PathBuf;
use lookback_session_model::{BranchState, Role, SessionId, SessionSummary, Timestamp};
use smol_str::SmolStr;

use crate::analysis::{Tokens, edit_distance};
use crate::{
    Corpus, Holder, Leaf, NONE, Posting, Provider, TermSource, Turn, Vocabulary, resolve, resolve_in,
};

/// Collects sessions and turns.
#[derive(Debug, Default)]
pub struct MemoryIndex {
    summaries: Vec<SessionSummary>,
    parents: Vec<u32>,
    models: Vec<SmolStr>,
    turns: Vec<(Turn, Vec<Holder>)>,
    postings: MemoryPostings,
    /// The exchange that the next answer of each session belongs to.
    exchanges: Vec<Option<u32>>,
    exchange_count: u32,
}

/// The postings of a [`MemoryIndex`], a complete [`Provider`].
#[derive(Debug, Clone, Default)]
pub struct MemoryPostings {
    /// Turns and positions of each term.
    terms: BTreeMap<SmolStr, Vec<(u32, Vec<u32>)>>,
}

impl MemoryIndex {
    /// Adds a session that was last used at an ISO 8601 time; returns its ordinal.
    pub fn add_session(&mut self, id: &str, cwd: &str, modified: &str) -> u32 {
        self.add_summary(
            SessionSummary {
                id: SessionId::new(id),
                path: Utf8PathBuf::from(format!("{id}.jsonl")),
                cwd: cwd.to_owned(),
                title: id.to_owned(),
                name: None,
                created: Timestamp::parse(modified),
                modified: Timestamp::parse(modified),
                message_count: 0,
                parent_session: None,
            },
            NONE,
        )
    }

    /// Adds a session; returns its ordinal. `parent` is the session it was forked from, or [`NONE`].
    pub fn add_summary(&mut self, summary: SessionSummary, parent: u32) -> u32 {
        self.summaries.push(summary);
        self.parents.push(parent);
        self.exchanges.push(None);
        self.summaries.len() as u32 - 1
    }

    /// Adds a turn that only its own session has, said when the session was last used; returns its ordinal. A turn of
    /// the user starts an exchange, others belong to the one before.
    pub fn add_turn(&mut self, session: u32, role: Role, branch: BranchState, text: &str) -> u32 {
        let exchange = match self.exchanges.get(session as usize).copied().flatten() {
            Some(exchange) if role != Role::User => exchange,
            _ => {
                self.exchange_count += 1;
                self.exchange_count - 1
            }
        };
        if let Some(current) = self.exchanges.get_mut(session as usize) {
            *current = Some(exchange);
        }
        let position = self
            .turns
            .iter()
            .filter(|(turn, _)| turn.session == session)
            .count() as u32;
        let time_ms = self
            .summaries
            .get(session as usize)
            .and_then(|summary| summary.modified);
        let turn = Turn {
            session,
            exchange,
            role,
            branch,
            time_ms: time_ms.map_or(i64::MIN, Timestamp::as_millis),
            length: 0,
            position,
            model: NONE,
        };
        self.push(turn, &[], text)
    }

    /// Adds a turn as it is, with its length counted; returns its ordinal. Exchange ordinals are the caller's.
    pub fn push(&mut self, turn: Turn, copies: &[Holder], text: &str) -> u32 {
        let ordinal = self.turns.len() as u32;
        self.exchange_count = self.exchange_count.max(turn.exchange.saturating_add(1));
        let length = self.postings.add(ordinal, text);
        self.turns.push((Turn { length, ..turn }, copies.to_vec()));
        ordinal
    }

    /// The ordinal of a model's name.
    pub fn model_ordinal(&mut self, name: &str) -> u32 {
        match self.models.iter().position(|known| known == name) {
            Some(at) => at as u32,
            None => {
                self.models.push(SmolStr::new(name));
                self.models.len() as u32 - 1
            }
        }
    }

    /// The summary of a session, to be changed.
    pub fn summary_mut(&mut self, session: u32) -> Option<&mut SessionSummary> {
        self.summaries.get_mut(session as usize)
    }

    /// The corpus and its postings.
    pub fn finish(self) -> (Corpus, MemoryPostings) {
        let mut corpus = Corpus::new(self.summaries, self.parents);
        for name in &self.models {
            corpus.model_ordinal(name);
        }
        corpus.reserve(self.turns.len());
        for (turn, copies) in &self.turns {
            corpus.push_turn(*turn, copies);
        }
        (corpus, self.postings)
    }
}

impl MemoryPostings {
    /// Adds the text of a turn; returns its length. Turns come by ascending ordinal.
    pub fn add(&mut self, turn: u32, text: &str) -> u32 {
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next_token() {
            let position = token.position;
            let postings = match self.terms.get_mut(token.term) {
                Some(postings) => postings,
                None => self.terms.entry(SmolStr::new(token.term)).or_default(),
            };
            match postings.last_mut() {
                Some((last, positions)) if *last == turn => positions.push(position),
                _ => postings.push((turn, vec![position])),
            }
        }
        tokens.length()
    }
}

impl Vocabulary for MemoryPostings {
    type Error = Infallible;

    fn document_frequency(&self, term: &str) -> Result<u32, Infallible> {
        Ok(self.terms.get(term).map_or(0, Vec::len) as u32)
    }

    fn terms_with_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        let range = (std::ops::Bound::Included(prefix), std::ops::Bound::Unbounded);
        for (term, postings) in self.terms.range::<str, _>(range) {
            if !term.starts_with(prefix) {
                break;
            }
            visit(term, postings.len() as u32);
        }
        Ok(())
    }

    fn terms_containing(&self, infix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        for (term, postings) in &self.terms {
            if term.contains(infix) {
                visit(term, postings.len() as u32);
            }
        }
        Ok(())
    }

    fn terms_within_distance(
        &self,
        term: &str,
        distance: u8,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), Infallible> {
        for (known, postings) in &self.terms {
            if edit_distance(term, known, usize::from(distance)).is_some() {
                visit(known, postings.len() as u32);
            }
        }
        Ok(())
    }
}

impl TermSource for MemoryPostings {
    type Error = Infallible;

    fn posting_count(&self, term: &str) -> Result<usize, Infallible> {
        Ok(self.terms.get(term).map_or(0, Vec::len))
    }

    fn term_postings(&self, term: &str, out: &mut Vec<Posting>) -> Result<(), Infallible> {
        if let Some(postings) = self.terms.get(term) {
            out.extend(
                postings
                    .iter()
                    .map(|(turn, positions)| Posting::new(*turn, positions.len() as f32)),
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
        let Some(postings) = self.terms.get(term) else {
            return Ok(());
        };
        for turn in turns {
            if let Ok(at) = postings.binary_search_by_key(turn, |(turn, _)| *turn) {
                visit(*turn, &postings[at].1);
            }
        }
        Ok(())
    }
}

impl Provider for MemoryPostings {
    fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), Infallible> {
        resolve(leaf, self, out)
    }

    fn postings_in(&self, leaf: &Leaf, turns: &[u32], out: &mut Vec<Posting>) -> Result<(), Infallible> {
        resolve_in(leaf, turns, self, out)
    }
}
