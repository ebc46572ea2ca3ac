use crate::{Corpus, Labels, Provider, Ranking, Scratch, SearchRequest};

/// All that a search looks at.
#[derive(Debug, Clone, Copy)]
pub struct Searchable<'a, P> {
    /// Where postings come from.
    pub provider: &'a P,
    /// Turns and sessions.
    pub corpus: &'a Corpus,
    /// Tags, names and unread marks of the sessions.
    pub labels: &'a Labels,
    /// The turns that stand for the entries of [`Scope::live`](crate::Scope::live), ascending: left out.
    pub live_turns: &'a [u32],
}

/// Answers a request: reads the query, plans, looks postings up, ranks, and tries less exact ways when too little is
/// found.
pub fn search<P: Provider>(
    request: &SearchRequest,
    searchable: &Searchable<'_, P>,
    scratch: &mut Scratch,
) -> Result<Ranking, P::Error> {
    let _ = (request, searchable, scratch);
    Ok(Ranking::default())
}
