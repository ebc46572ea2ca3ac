//! The query language: text to a typed tree. `docs/query-language.md` is its manual.
//!
//! Parsing never fails. What makes no sense as syntax is searched as text, and a [`Warning`] says so.
//!
//! ```
//! use lookback_ranker::query::{self, Node, ParseOptions};
//!
//! let query = query::parse("redis OR \"job queue\" -cluster role:user", &ParseOptions::default());
//! assert_eq!(query.to_string(), "redis OR \"job queue\" -cluster role:user");
//! assert_eq!(query.filters.len(), 1);
//! assert!(query.warnings.is_empty());
//!
//! // A pasted line is text.
//! let query = query::parse("error: foo(bar) at C:\\src --flag", &ParseOptions::default());
//! assert!(matches!(query.root, Some(Node::List(_))));
//! ```

mod date;
mod filter;
mod lexer;
mod parser;
mod print;

use crate::Warning;

pub use date::When;
pub use filter::{Filter, FilterKind, Property};
pub use parser::parse;

/// Characters of a query that are read.
pub const MAX_QUERY_CHARS: usize = 4096;

/// Parentheses inside one another that are read; deeper ones are ignored. Each adds at most four nodes to a path through
/// the tree: `OR`, `AND`, words side by side, an exclusion.
pub const MAX_NESTING: usize = 32;

/// Positions between the operands of `NEAR` when it names no number.
pub const DEFAULT_NEAR: u32 = 10;

/// Positions between the operands of `NEAR` at most.
pub const MAX_NEAR: u32 = 100;

/// How a query is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParseOptions {
    /// The query is still being typed: its last word is also the start of longer words.
    pub typing: bool,
}

/// A query that was understood.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Query {
    /// What is searched in the text of turns; `None` when there are only filters or nothing.
    pub root: Option<Node>,
    /// What every hit must be like. All of them hold.
    pub filters: Vec<Filter>,
    /// What was taken as text or left out.
    pub warnings: Vec<Warning>,
}

/// A part of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A word as it was typed, which may be a whole identifier, a path or a line without spaces.
    Word(Word),
    /// Words in this order, side by side.
    Phrase(String),
    /// Words or phrases close to one another, in any order.
    Near {
        /// At least two [`Node::Word`]s or [`Node::Phrase`]s.
        operands: Vec<Node>,
        /// Positions that may lie between them.
        distance: u32,
    },
    /// Parts side by side, joined as the policy says. At least two, or one and an exclusion.
    List(Vec<Node>),
    /// All of these.
    And(Vec<Node>),
    /// Any of these.
    Or(Vec<Node>),
    /// None of this. Stands in a [`Node::List`] only, beside something that is searched.
    Not(Box<Node>),
}

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The text, without the stars.
    pub text: String,
    /// What the text is of the words it finds.
    pub part: WordPart,
}

/// What the text of a [`Word`] is of the words it finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WordPart {
    /// The whole word.
    #[default]
    Whole,
    /// The start: `foo*`.
    Prefix,
    /// Any part: `*foo*`.
    Infix,
    /// The end: `*foo`.
    Suffix,
    /// The whole word or the start: the last word while typing. Printed like a whole word.
    Typing,
}

impl Query {
    /// True when there is neither text nor a filter.
    pub fn is_empty(&self) -> bool {
        self.root.is_none() && self.filters.is_empty()
    }
}
