//! Everything that touches Tantivy, which serves as a store of segments: it writes, reads and merges postings with
//! positions. What belongs to a commit, which documents are alive and who may write is decided by this crate, see
//! [`layer`](crate::layer).

mod inversion;
mod memory_directory;
mod merge;
mod schema;
mod section_directory;
mod segment;
mod vocabulary;

/// Bytes that can be sliced without a copy.
pub(crate) use tantivy::directory::OwnedBytes as Bytes;

pub(crate) use memory_directory::MemoryDirectory;
pub(crate) use merge::merge;
pub(crate) use section_directory::{Section, SectionDirectory, read_exact_at};
pub(crate) use segment::{Component, OpenSegment, Segment, SegmentBuilder, open_segment};
