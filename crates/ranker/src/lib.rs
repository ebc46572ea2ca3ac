//! Query language, text analysis, ranking policies, grouping and snippets: pure functions.
//!
//! Nothing here reads a file, a clock or a global. An engine brings a [`Provider`] of postings and a [`Corpus`] with
//! the facts about turns and sessions; [`search`] reads the query, decides what to look up, asks the provider, and
//! ranks. Two engines that hold the same text therefore give the same hits in the same order.
//!
//! ```text
//! SearchRequest ── query::parse ── plan ── Provider::postings ── rank ── Ranking ── snippet::cut ── SearchReply
//!                                    │                             │
//!                                    └── Vocabulary (forms,        └── Corpus, Labels, Policy
//!                                        prefixes, typos)
//! ```
//!
//! # How an engine uses it
//!
//! 1. It cuts the text of every turn with [`analysis::Tokens`] and stores terms, frequencies and positions under a
//!    dense ordinal of the turn. [`analysis::VERSION`] belongs to what it stores.
//! 2. For each generation of its store it builds a [`Corpus`] (turns in order of their ordinals) and [`Labels`].
//! 3. It implements [`Vocabulary`] and [`Provider`]. With positions of single terms at hand, [`resolve`] and
//!    [`resolve_in`] answer phrases and neighbourhoods.
//! 4. It calls [`search`] and makes each [`RankedHit`] a [`Hit`]: the entry of the turn and its snippet by
//!    [`snippet::best_of`] with [`Ranking::matcher`]. A hit without a turn shows what the engine likes, for example the
//!    first turn of the session.
//!
//! ```
//! use std::convert::Infallible;
//!
//! use lookback_ranker::memory::{MemoryIndex, MemoryPostings};
//! use lookback_ranker::{
//!     Annotations, Labels, Leaf, Posting, Provider, Scratch, SearchRequest, Searchable, SnippetOptions, Vocabulary,
//!     resolve, search, snippet,
//! };
//! use lookback_session_model::{BranchState, Role};
//!
//! /// An engine would ask its store; this one keeps everything in memory.
//! struct Engine(MemoryPostings);
//!
//! impl Vocabulary for Engine {
//!     type Error = Infallible;
//!     fn document_frequency(&self, term: &str) -> Result<u32, Infallible> {
//!         self.0.document_frequency(term)
//!     }
//!     fn terms_with_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
//!         self.0.terms_with_prefix(prefix, visit)
//!     }
//!     fn terms_containing(&self, infix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
//!         self.0.terms_containing(infix, visit)
//!     }
//!     fn terms_within_distance(
//!         &self,
//!         term: &str,
//!         distance: u8,
//!         visit: &mut dyn FnMut(&str, u32),
//!     ) -> Result<(), Infallible> {
//!         self.0.terms_within_distance(term, distance, visit)
//!     }
//! }
//!
//! impl Provider for Engine {
//!     fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), Infallible> {
//!         resolve(leaf, &self.0, out)
//!     }
//! }
//!
//! let texts = ["Why is the job queue slow?", "The queue waits for redis; the cache is cold."];
//! let mut index = MemoryIndex::default();
//! let session = index.add_session("s1", "/home/dev/shop", "2026-03-02T09:00:00Z");
//! index.add_turn(session, Role::User, BranchState::Active, texts[0]);
//! index.add_turn(session, Role::Assistant, BranchState::Active, texts[1]);
//! let (corpus, postings) = index.finish();
//!
//! let ranking = search(
//!     &SearchRequest::new("redis queue"),
//!     &Searchable {
//!         provider: &Engine(postings),
//!         corpus: &corpus,
//!         labels: &Labels::new(&corpus, &Annotations::default()),
//!         live_turns: &[],
//!     },
//!     &mut Scratch::default(),
//! )
//! .unwrap();
//! let turn = ranking.hits[0].turn.unwrap();
//! let snippet = snippet::cut(texts[turn as usize], &ranking.matcher, &SnippetOptions::default()).unwrap();
//! assert_eq!(snippet.text, "The queue waits for redis; the cache is cold.");
//! assert_eq!(snippet.highlights, [4..9, 20..25]);
//! ```
//!
//! How queries are written is in `docs/query-language.md`, how hits are ordered in `docs/ranking.md`.

pub mod analysis;
pub mod memory;
pub mod query;
pub mod snippet;

mod corpus;
mod explanation;
mod labels;
mod plan;
mod policy;
mod posting;
mod provider;
mod rank;
mod ranking;
mod reply;
mod request;
mod scale;
mod scratch;
mod search;
mod warning;

pub use corpus::{Annotations, Corpus, Holder, NONE, Turn};
pub use explanation::{Explanation, Operation};
pub use labels::Labels;
pub use policy::{
    Boosts, Factors, Forks, FormWeights, Grouping, Joining, LabelScore, Policy, Rarity, Recency, Relaxing,
    Saturation, ScaleWeights,
};
pub use posting::{Leaf, Phrase, Posting, Slot};
pub use provider::{Provider, TermSource, Vocabulary, resolve, resolve_in};
pub use rank::Ceiling;
pub use ranking::{RankedHit, Ranking};
pub use reply::{Hit, Relaxation, RelaxationStep, SearchReply};
pub use request::{LiveContext, Scope, SearchRequest};
pub use scale::Scale;
pub use scratch::Scratch;
pub use search::{Searchable, search, search_parsed};
pub use snippet::{Snippet, SnippetOptions};
pub use warning::Warning;
