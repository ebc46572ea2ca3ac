use crate::plan::{Plan, Step, pair_neighbours, plan, relax};
use crate::query::{self, ParseOptions, Query};
use crate::rank::rank;
use crate::{Corpus, Labels, Posting, Provider, Ranking, Scratch, SearchRequest};

/// All that a search looks at.
#[derive(Debug)]
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
///
/// Fails only where the provider does.
pub fn search<P: Provider>(
    request: &SearchRequest,
    searchable: &Searchable<'_, P>,
    scratch: &mut Scratch,
) -> Result<Ranking, P::Error> {
    let query = query::parse(
        &request.query,
        &ParseOptions {
            typing: request.typing,
        },
    );
    search_parsed(&query, request, searchable, scratch)
}

/// The same for a query that was read already; `request.query` is not looked at.
pub fn search_parsed<P: Provider>(
    query: &Query,
    request: &SearchRequest,
    searchable: &Searchable<'_, P>,
    scratch: &mut Scratch,
) -> Result<Ranking, P::Error> {
    let mut search = Search {
        plan: plan(query, request, searchable.provider)?,
        postings: Vec::new(),
        spare_lists: std::mem::take(&mut scratch.lists),
        request,
        searchable,
    };
    search.look_up()?;
    if !request.exact {
        search.relax_unknown_words()?;
    }
    let mut ranking = search.rank(scratch)?;
    if !request.exact {
        let relaxing = request.policy.relaxation;
        for (step, below) in [
            (Step::LongerWords, relaxing.longer_words_below),
            (Step::Typos, relaxing.typos_below),
        ] {
            let finds_enough = ranking.sessions_matched >= below as usize;
            if !finds_enough && search.relax(&search.relaxable(false), step)? {
                ranking = search.rank(scratch)?;
            }
        }
    }
    ranking.matcher = search.plan.matcher(&search.postings, request.policy.rarity);
    ranking.warnings = search.plan.warnings;
    ranking.relaxed = search.plan.relaxed;
    scratch.lists = search.spare_lists;
    scratch.lists.append(&mut search.postings);
    scratch.lists.truncate(MAX_LISTS);
    Ok(ranking)
}

struct Search<'a, P> {
    plan: Plan,
    /// The postings of the plan's leaves, as far as they were looked up.
    postings: Vec<Vec<Posting>>,
    /// Lists to be used again.
    spare_lists: Vec<Vec<Posting>>,
    request: &'a SearchRequest,
    searchable: &'a Searchable<'a, P>,
}

/// Lists of postings that are kept from query to query.
const MAX_LISTS: usize = 64;

/// Words of a query up to which each unknown one is looked for in other ways: in a pasted page most unknown words are
/// numbers and names that nobody misses.
const MAX_RELAXED: usize = 16;

impl<P: Provider> Search<'_, P> {
    /// Looks up the leaves that are new.
    fn look_up(&mut self) -> Result<(), P::Error> {
        for leaf in &self.plan.leaves[self.postings.len()..] {
            let mut list = self.spare_lists.pop().unwrap_or_default();
            list.clear();
            self.searchable.provider.postings(leaf, &mut list)?;
            let turns = self.searchable.corpus.turn_count();
            // A store that is ahead of its corpus, or out of order, must not be able to break ranking.
            if list.last().is_some_and(|posting| posting.turn as usize >= turns) {
                list.retain(|posting| (posting.turn as usize) < turns);
            }
            debug_assert!(list.is_sorted_by(|one, other| one.turn < other.turn));
            self.postings.push(list);
        }
        Ok(())
    }

    /// Words that occur nowhere are looked for in other ways, however much the others find.
    fn relax_unknown_words(&mut self) -> Result<(), P::Error> {
        let relaxing = self.request.policy.relaxation;
        for (step, below) in [
            (Step::LongerWords, relaxing.longer_words_below),
            (Step::Typos, relaxing.typos_below),
        ] {
            let unknown = self.relaxable(true);
            if below > 0 && !unknown.is_empty() {
                self.relax(&unknown, step)?;
            }
        }
        Ok(())
    }

    /// The concepts that could be relaxed: all, or those that occur nowhere.
    fn relaxable(&self, only_unknown: bool) -> Vec<usize> {
        let mut concepts = self.plan.scored();
        if concepts.len() > MAX_RELAXED {
            return Vec::new();
        }
        concepts.retain(|concept| !only_unknown || !self.plan.occurs(*concept, &self.postings));
        concepts
    }

    /// True when there is another way to find one of the concepts.
    fn relax(&mut self, concepts: &[usize], step: Step) -> Result<bool, P::Error> {
        let changed = relax(
            &mut self.plan,
            concepts,
            step,
            &self.request.policy,
            self.searchable.provider,
        )?;
        if changed {
            self.look_up()?;
        }
        Ok(changed)
    }

    fn rank(&mut self, scratch: &mut Scratch) -> Result<Ranking, P::Error> {
        pair_neighbours(&mut self.plan, &self.postings, &self.request.policy);
        rank(
            &mut self.plan,
            &self.postings,
            self.searchable,
            self.request,
            scratch,
        )
    }
}
