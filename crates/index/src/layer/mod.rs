//! Layers: what one commit adds to the index, in one file that never changes.
//!
//! A layer holds a segment of postings (or none), which turn each of its documents is, the records of the session
//! files that were read for it, and the numbers of files that are gone. Of several records of one file that in the
//! last layer holds. A document is alive when the record of its file lists it; nothing is ever marked as deleted.

mod contents;
mod file;

pub(crate) use contents::{Documents, LayerContents};
pub(crate) use file::{Layer, Record};
