//! The sessions that match, with what they can be worth, and how good one has to be.

use std::{
    cmp::{Ordering, Reverse},
    collections::BinaryHeap,
};

use super::bits::Bits;
use super::bounds::{Bound, Bounds};
use super::groups::{Group, TurnWorth, coverage_factor, folder_factor, recency_factor, with_labels};
use super::score::Scoring;
use crate::{Policy, SearchRequest};

/// A session that matches.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) session: u32,
    /// What its text is multiplied by, once it is settled.
    pub(super) factor: f32,
    /// Its score is not higher.
    pub(super) bound: f32,
}

/// Whether bounds are bounds under a policy: of one with negative weights, nobody knows what is most.
pub(super) fn are_bounds(policy: &Policy, candidates: &[Candidate]) -> bool {
    let Policy {
        scales,
        saturation,
        forms,
        boosts,
        factors,
        ..
    } = policy;
    let shares = [saturation.b, saturation.session_b, factors.coverage];
    let weights = [
        scales.turn,
        scales.exchange,
        scales.session,
        saturation.k1,
        forms.word_form,
        forms.derived_form,
        forms.parts,
        forms.fragment,
        forms.prefix,
        forms.infix,
        forms.typo,
        forms.stop_word,
        forms.name,
        forms.phrase,
        boosts.whole_query,
        boosts.neighbours,
        boosts.tags,
        boosts.name,
        boosts.session_id,
        factors.compacted,
        factors.abandoned,
        factors.unanswered,
    ];
    weights.into_iter().all(|weight| weight >= 0.0)
        && shares.into_iter().all(|share| (0.0..=1.0).contains(&share))
        && candidates.iter().all(|candidate| candidate.factor >= 0.0)
}

/// Rounding must not make a bound lower than a score.
pub(super) const ROUNDING: f32 = 1.0001;

/// Every session that matches. How recent a session is, [`settle`] puts in: for most it does not matter, and an
/// exponential function for each would be dear.
pub(super) fn candidates(
    scoring: &Scoring<'_>,
    request: &SearchRequest,
    bounds: &Bounds,
    worth: &TurnWorth<'_>,
) -> Vec<Candidate> {
    let mut coverage = Coverage { known: [None; 64] };
    let most_recent = scoring.policy.recency.most();
    let best_branch = worth.branch.into_iter().fold(1.0, f32::max);
    let best_answer = scoring.policy.factors.unanswered.max(1.0);
    let mut candidate = |session: u32, bound: Bound| {
        let label = scoring.label_hit(session);
        let found = bound.found | label.found;
        let covered = coverage.factor(scoring, found);
        let folder = folder_factor(scoring, request, session);
        let (factor, most) = match most_recent {
            Some(most) => (covered * folder, most),
            None => (covered * recency_factor(scoring, request, session) * folder, 1.0),
        };
        let text = bound.text * best_branch * best_answer;
        Candidate {
            session,
            factor,
            bound: with_labels(scoring, text, label) * factor * most * ROUNDING,
        }
    };
    let mut candidates: Vec<Candidate> = bounds
        .matching()
        .map(|(session, bound)| candidate(session, bound))
        .collect();
    if !scoring.label_scores.is_empty() {
        let mut known = Bits::new(scoring.corpus.session_count());
        bounds.matching().for_each(|(session, _)| known.insert(session));
        let by_label = scoring.label_hits().filter(|session| !known.contains(*session));
        candidates.extend(by_label.map(|session| candidate(session, Bound::default())));
    }
    candidates
}

/// The factors for the words that sessions have, as far as they were worked out: most queries have few words, and sessions
/// have the same of them again and again.
struct Coverage {
    /// By the bits of the words that were found.
    known: [Option<f32>; 64],
}

impl Coverage {
    fn factor(&mut self, scoring: &Scoring<'_>, found: u64) -> f32 {
        match usize::try_from(found).ok().and_then(|at| self.known.get_mut(at)) {
            Some(known) => *known.get_or_insert_with(|| coverage_factor(scoring, found)),
            None => coverage_factor(scoring, found),
        }
    }
}

/// Puts the recency of a session into its factor and its bound, where it is not yet.
pub(super) fn settle(candidate: &mut Candidate, scoring: &Scoring<'_>, request: &SearchRequest) {
    if let Some(most) = scoring.policy.recency.most() {
        let recency = recency_factor(scoring, request, candidate.session);
        candidate.factor *= recency;
        candidate.bound *= recency / most * ROUNDING;
    }
}

/// How good a session has to be for a place among those that are wanted, or among the near equals of the best.
pub(super) struct Least {
    /// The best scores so far, as many as are wanted; the lowest on top.
    scores: BinaryHeap<Reverse<Ordered>>,
    best: f32,
    within: f32,
}

impl Least {
    pub(super) fn new(groups: &[Group], within: f32) -> Self {
        Self {
            scores: groups.iter().map(|group| Reverse(Ordered(group.score))).collect(),
            best: groups.iter().map(|group| group.score).fold(0.0, f32::max),
            within,
        }
    }

    pub(super) fn admits(&self, bound: f32) -> bool {
        let lowest = self.scores.peek().map_or(f32::NEG_INFINITY, |lowest| lowest.0.0);
        bound >= lowest || self.within > 0.0 && bound >= self.best * (1.0 - self.within)
    }

    pub(super) fn add(&mut self, score: f32) {
        self.best = self.best.max(score);
        if let Some(mut lowest) = self.scores.peek_mut()
            && lowest.0 < Ordered(score)
        {
            lowest.0 = Ordered(score);
        }
    }
}

/// A score in its order.
#[derive(Debug, Clone, Copy)]
struct Ordered(f32);

impl Ord for Ordered {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Ordered {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Ordered {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Ordered {}
