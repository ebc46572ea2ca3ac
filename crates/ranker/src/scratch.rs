use crate::Posting;
use crate::rank::{Bounds, Cells, Occurrence, Occurrences};

/// Memory that ranking reuses from query to query: dense arrays that are never cleared, only stamped. One per thread;
/// start with the default, it grows to the size of the corpus.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) bounds: Bounds,
    pub(crate) cells: Cells,
    /// Lists for postings, kept for their memory: fresh ones of that size cost more than what is done with them.
    pub(crate) lists: Vec<Vec<Posting>>,
    /// The same for occurrences.
    pub(crate) occurrences: Vec<Occurrences>,
    /// Where they are merged.
    pub(crate) merging: Vec<Occurrence>,
}
