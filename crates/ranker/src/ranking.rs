use crate::{Explanation, Relaxation, Warning, snippet::Matcher};

/// What ranking says about a request: ordinals, which the provider turns into a [`SearchReply`](crate::SearchReply).
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    /// The hits of the page, best first.
    pub hits: Vec<RankedHit>,
    /// How many hits there are on all pages.
    pub hits_total: usize,
    /// How many sessions match.
    pub sessions_matched: usize,
    /// How many sessions the filters leave to be searched.
    pub sessions_searched: usize,
    /// How many hits stand before the page.
    pub offset: usize,
    /// The offset of the next page, `None` on the last one.
    pub next_offset: Option<usize>,
    /// What was searched beside the exact words.
    pub relaxed: Vec<Relaxation>,
    /// What was not understood or left out.
    pub warnings: Vec<Warning>,
    /// Finds the words of the query in texts, for snippets and for choosing the entry of a turn.
    pub matcher: Matcher,
}

/// One hit of a [`Ranking`].
#[derive(Debug, Clone, PartialEq)]
pub struct RankedHit {
    /// Its place among all hits, from 1.
    pub rank: usize,
    /// Its score.
    pub score: f32,
    /// The session: the oldest one that has the turn and passes the filters.
    pub session: u32,
    /// The turn that stands for the session. `None` when only its tags, name or id match, or when a query has
    /// filters and no words.
    pub turn: Option<u32>,
    /// Other sessions that hold a copy of the turn or were folded into this one, ascending.
    pub also_in: Vec<u32>,
    /// How the score came about, when asked for.
    pub explanation: Option<Explanation>,
}
