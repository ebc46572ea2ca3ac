//! What was said last holds: of nearly equal turns and sessions the later one is what a searcher wants to see.

use std::collections::BTreeMap;

use super::groups::{Group, TurnWorth, answer_factor, branch_factor};
use super::score::Scoring;
use super::session::Sessions;

/// The share of the query's words, by their worth, that sessions must have to be near equals: those that share little
/// more than a word need not be about one matter.
const SAME_MATTER: f32 = 0.75;

/// Within which share of the best score hits come in the order of their times; 0 where none do.
pub(super) fn latest_within(scoring: &Scoring<'_>) -> f32 {
    // One word is no matter: sessions that share it need not have anything else in common.
    if scoring.scored.len() < 2 {
        0.0
    } else {
        scoring.policy.grouping.latest_session_within
    }
}

/// Puts those of the best hits that are of one folder and have the same words in the order of their times: they
/// exchange their scores.
pub(super) fn put_later_sessions_first(scoring: &Scoring<'_>, groups: &mut [Group]) {
    let within = latest_within(scoring);
    if within <= 0.0 {
        return;
    }
    let best = groups.iter().map(|group| group.score).fold(0.0, f32::max);
    let least = best * (1.0 - within);
    let mut matters: BTreeMap<(&str, u64), Vec<usize>> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        if group.score < least || group.score <= 0.0 || group.best.is_none() {
            continue;
        }
        let words = group.found;
        if let Some(summary) = scoring.corpus.summary(group.session)
            && scoring.coverage(words) >= SAME_MATTER
        {
            matters
                .entry((summary.cwd.as_str(), words))
                .or_default()
                .push(index);
        }
    }
    for mut equals in matters.into_values().filter(|equals| equals.len() > 1) {
        let mut scores: Vec<f32> = equals.iter().map(|index| groups[*index].score).collect();
        scores.sort_unstable_by(|one, other| other.total_cmp(one));
        equals.sort_unstable_by(|one, other| {
            let (one, other) = (&groups[*one], &groups[*other]);
            other
                .time_ms
                .cmp(&one.time_ms)
                .then_with(|| other.score.total_cmp(&one.score))
                .then_with(|| one.session.cmp(&other.session))
        });
        for (index, score) in equals.into_iter().zip(scores) {
            let group = &mut groups[index];
            group.place = score / group.score;
            group.score = score;
        }
    }
}

/// Shows hits by the latest of their session's nearly best turns. Turns on a branch that was left, and those that
/// nobody answered, do not stand for better ones.
pub(super) fn show_latest_turns(scoring: &Scoring<'_>, sessions: &mut Sessions<'_, '_>, page: &mut [Group]) {
    let within = scoring.policy.grouping.latest_turn_within;
    if within <= 0.0 || scoring.policy.grouping.hits_per_session > 1 {
        return;
    }
    let worth = TurnWorth::new(scoring);
    let standing = |turn: u32| {
        branch_factor(scoring.policy, scoring.corpus.rows[turn as usize].branch)
            * answer_factor(scoring, turn)
    };
    let moment = |turn: u32| (scoring.corpus.time_ms[turn as usize], turn);
    for group in page {
        let Some(best) = group.best else { continue };
        let mut shown = best;
        if sessions.score(group.session).is_none() {
            continue;
        }
        let own = |turn: u32| sessions.cells.turn(turn);
        let value = |turn: u32| worth.of(sessions, turn);
        for &turn in sessions.cells.matching() {
            if moment(turn) > moment(shown)
                && own(turn) >= own(best) * (1.0 - within)
                && value(turn) >= value(best) * (1.0 - within)
                && standing(turn) >= standing(best)
            {
                shown = turn;
            }
        }
        group.turn = Some(shown);
    }
}
