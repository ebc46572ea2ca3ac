//! Postings become an order of sessions.

mod admission;
mod admitted;
mod bits;
mod bounds;
mod candidates;
mod ceiling;
mod condition;
mod explain;
mod formula;
mod groups;
mod labels;
mod latest;
mod occurrence;
mod pair;
mod rarity;
mod score;
mod session;

use std::cmp::Ordering;

use crate::plan::Plan;
use crate::{Corpus, Posting, Provider, RankedHit, Ranking, Scratch, SearchRequest, Searchable, Warning};

use admission::Admission;
pub(crate) use bounds::Bounds;
pub use ceiling::Ceiling;
use groups::{Group, session_groups, turn_groups};
use latest::show_latest_turns;
pub(crate) use occurrence::{Occurrence, Occurrences};
use score::Scoring;
pub(crate) use session::Cells;
use session::Sessions;

/// Ranks what was found. `postings` are those of the plan's leaves, in their order; what takes positions beyond them is
/// looked up for the turns that it matters for.
pub(crate) fn rank<P: Provider>(
    plan: &mut Plan,
    postings: &[Vec<Posting>],
    searchable: &Searchable<'_, P>,
    request: &SearchRequest,
    scratch: &mut Scratch,
) -> Result<Ranking, P::Error> {
    let &Searchable {
        provider,
        corpus,
        labels,
        live_turns,
    } = searchable;
    let admission = Admission::new(plan, request, corpus, labels, live_turns);
    let mut ranking = Ranking {
        offset: request.offset,
        sessions_searched: admission.session_count(),
        ..Ranking::default()
    };
    if corpus.session_count() == 0 || plan.is_empty() {
        return Ok(ranking);
    }
    let scoring = Scoring::new(plan, postings, corpus, labels, request, &admission, scratch);
    let Scratch { bounds, cells, .. } = scratch;
    let mut sessions = Sessions::new(&scoring, cells);
    let groups = if request.policy.grouping.hits_per_session > 1 {
        turn_groups(&scoring, request, bounds, &mut sessions, provider)?
    } else {
        session_groups(&scoring, request, bounds, &mut sessions, provider)?
    };
    ranking.sessions_matched = groups.sessions_matched;
    ranking.hits_total = groups.hits_total;
    let left_out = live_matches(&admission, postings, live_turns);
    let mut page = page_of(&groups.groups, request, corpus);
    show_latest_turns(&scoring, &mut sessions, &mut page);
    let shown = request.offset.saturating_add(page.len());
    ranking.next_offset = (shown < ranking.hits_total && !page.is_empty()).then_some(shown);
    ranking.hits = page
        .iter()
        .enumerate()
        .map(|(index, group)| RankedHit {
            rank: request.offset + index + 1,
            score: group.score,
            session: group.session,
            turn: group.turn,
            also_in: also_in(group, &groups.folded, corpus),
            explanation: request
                .explain
                .then(|| explain::explain(&scoring, request, group, &sessions.pairs)),
        })
        .collect();
    let parts = scoring.parts.into_iter().map(|part| part.occurrences);
    let most = scoring.pairs.into_iter().map(|pair| pair.most);
    scratch.occurrences.extend(parts.chain(most));
    scratch.occurrences.truncate(MAX_LISTS);
    if left_out > 0 {
        plan.warn(Warning::LiveContextLeftOut { turns: left_out });
    }
    Ok(ranking)
}

/// Lists of occurrences that are kept from query to query.
const MAX_LISTS: usize = 16;

/// How many turns of the present context would have matched.
fn live_matches(admission: &Admission<'_>, postings: &[Vec<Posting>], live_turns: &[u32]) -> usize {
    let matches = |turn: &&u32| {
        admission.is_live(**turn)
            && postings
                .iter()
                .any(|list| list.binary_search_by_key(*turn, |posting| posting.turn).is_ok())
    };
    live_turns.iter().filter(matches).count()
}

/// The groups of the wanted page, in order: score, then time, then session id, then place.
fn page_of(groups: &[Group], request: &SearchRequest, corpus: &Corpus) -> Vec<Group> {
    let from = request.offset.min(groups.len());
    let limit = request.limit.min(SearchRequest::MAX_LIMIT);
    let to = from.saturating_add(limit).min(groups.len());
    let mut page = first_groups(groups, to, |one, other| compare(one, other, corpus));
    page.drain(..from.min(page.len()));
    page
}

/// The first `count` groups, in order. Most groups are passed over after one look at their score.
fn first_groups(groups: &[Group], count: usize, order: impl Fn(&Group, &Group) -> Ordering) -> Vec<Group> {
    if count == 0 {
        return Vec::new();
    }
    let mut first: Vec<Group> = Vec::with_capacity(groups.len().min(2 * count));
    let mut least = f32::NEG_INFINITY;
    for group in groups {
        if group.score.total_cmp(&least).is_lt() {
            continue;
        }
        first.push(*group);
        if first.len() == 2 * count {
            first.select_nth_unstable_by(count - 1, &order);
            first.truncate(count);
            least = first[count - 1].score;
        }
    }
    first.sort_unstable_by(&order);
    first.truncate(count);
    first
}

fn compare(one: &Group, other: &Group, corpus: &Corpus) -> Ordering {
    let id = |group: &Group| corpus.summary(group.session).map(|summary| summary.id.as_str());
    other
        .score
        .total_cmp(&one.score)
        .then_with(|| other.time_ms.cmp(&one.time_ms))
        .then_with(|| id(one).cmp(&id(other)))
        .then_with(|| one.session.cmp(&other.session))
        .then_with(|| other.turn.cmp(&one.turn))
}

/// The other sessions of a hit: those with a copy of its turn, and those that were folded into it.
fn also_in(group: &Group, folded: &[(u32, u32)], corpus: &Corpus) -> Vec<u32> {
    let mut others: Vec<u32> = Vec::new();
    if let Some(turn) = group.turn {
        others.extend(corpus.turn(turn).map(|turn| turn.session));
        others.extend(corpus.holders(turn).iter().map(|holder| holder.session));
    }
    others.extend(
        folded
            .iter()
            .filter(|(into, _)| *into == group.session)
            .map(|(_, fork)| *fork),
    );
    others.sort_unstable();
    others.dedup();
    others.retain(|session| *session != group.session && (*session as usize) < corpus.session_count());
    others
}
