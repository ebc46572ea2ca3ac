//! What the session files hold, as rows: for notebooks, data frames and everything else that counts.
//!
//! [`Lookback::rows`](crate::Lookback::rows) reads the session files as they are now, with all cores and without an
//! index, and hands out batches of rows in an order that depends on nothing but the files. A [`RowKind`] says which
//! rows, a [`Filter`] which of them, a [`Collect`] what becomes of them. Memory is bounded by the batches under way and
//! the outlines of the files under way; the texts of a file are never all in memory.
//!
//! ```no_run
//! use lookback::tables::{Collect, Filter, Messages, MessageRow};
//!
//! /// Counts characters.
//! #[derive(Default)]
//! struct Characters(usize);
//!
//! impl Collect<Messages> for Characters {
//!     type Batch = usize;
//!     fn push(&mut self, row: &MessageRow<'_>) {
//!         self.0 += row.text.chars().count();
//!     }
//!     fn is_full(&self) -> bool {
//!         self.0 > 1 << 20
//!     }
//!     fn take(&mut self) -> Option<usize> {
//!         (self.0 > 0).then(|| std::mem::take(&mut self.0))
//!     }
//! }
//!
//! let lookback = lookback::Lookback::builder().root("/home/dev/.pi/agent/sessions").open()?;
//! let counts = lookback.rows(Messages::conversation(), Filter::default(), Characters::default);
//! let characters: usize = counts.flatten().sum();
//! # Ok::<(), lookback::Error>(())
//! ```
//!
//! # Entries that stand in several files
//!
//! A fork begins with copies of its parent's entries. Counted twice, they would double their costs. So sessions are
//! read in *families*: forks with what they were forked from, forks of one missing file with each other, and copies of
//! one file. In a family the oldest session that has an entry owns it; everywhere else the row names the owner in
//! [`EntryFacts::copied_from`]. This looks at all members of a family, whatever the filter leaves out.

mod branches;
mod calls;
mod entries;
mod family;
mod filter;
mod messages;
mod plan;
mod scan;
mod sessions;
mod stream;
mod tags;
mod usage;
mod warnings;

pub use branches::{BranchEnds, BranchRow};
pub use calls::{CallResult, ToolCallRow, ToolCalls};
pub use entries::EntryFacts;
pub use filter::Filter;
pub use messages::{MessageRow, Messages, Voice};
pub use scan::{RowKind, Scan};
pub use sessions::{SessionRow, Sessions};
pub use stream::{Collect, Interrupted, Rows};
pub use tags::{TagRow, Tags};
pub use usage::{Spending, UsageRow};
pub use warnings::{WarningRow, Warnings};

#[cfg(test)]
mod tests;
