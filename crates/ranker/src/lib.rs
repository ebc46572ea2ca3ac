//! Query language, text analysis, ranking policies, grouping and snippets: pure functions.

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
    Boosts, Factors, Forks, FormWeights, Grouping, Joining, Policy, Rarity, Recency, Relaxing, Saturation,
    ScaleWeights,
};
pub use posting::{Leaf, Phrase, Posting, Slot};
pub use provider::{Provider, TermSource, Vocabulary, resolve};
pub use ranking::{RankedHit, Ranking};
pub use reply::{Hit, Relaxation, RelaxationStep, SearchReply};
pub use request::{LiveContext, Scope, SearchRequest};
pub use scale::Scale;
pub use scratch::Scratch;
pub use search::{Searchable, search, search_parsed};
pub use snippet::{Snippet, SnippetOptions};
pub use warning::Warning;
