//! What was said last holds: of nearly equal turns and sessions the later one is what a searcher wants to see.

use std::collections::BTreeMap;

use super::groups::{Group, TurnWorth, answer_factor, branch_factor, found};
use super::score::Scoring;
use crate::scratch::Scratch;

/// The share of the query's words, by their worth, that sessions must have to be near equals: those that share little
/// more than a word need not be about one matter.
const SAME_MATTER: f32 = 0.75;

/// Puts those of the best hits that are of one folder and have the same words in the order of their times: they
/// exchange their scores.
pub(super) fn put_later_sessions_first(scoring: &Scoring<'_>, scratch: &Scratch, groups: &mut [Group]) {
    let within = scoring.policy.grouping.latest_session_within;
    // One word is no matter: sessions that share it need not have anything else in common.
    if within <= 0.0 || scoring.scored.len() < 2 {
        return;
    }
    let best = groups.iter().map(|group| group.score).fold(0.0, f32::max);
    let least = best * (1.0 - within);
    let mut matters: BTreeMap<(&str, u64), Vec<usize>> = BTreeMap::new();
    for (index, group) in groups.iter().enumerate() {
        if group.score < least || group.score <= 0.0 || group.best.is_none() {
            continue;
        }
        let words = found(scoring, scratch, group.session);
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
pub(super) fn show_latest_turns(scoring: &Scoring<'_>, scratch: &Scratch, page: &mut [Group]) {
    let within = scoring.policy.grouping.latest_turn_within;
    if within <= 0.0 || scoring.policy.grouping.hits_per_session > 1 {
        return;
    }
    let worth = TurnWorth::new(scoring);
    let value = |turn: u32| {
        let branch = scoring.corpus.rows[turn as usize].branch;
        worth.of(scratch.turns[turn as usize], &scratch.exchanges, branch)
    };
    let own = |turn: u32| scratch.turns[turn as usize].score;
    let standing = |turn: u32| branch_factor(scoring, turn) * answer_factor(scoring, turn);
    let moment = |turn: u32| (scoring.corpus.time_ms[turn as usize], turn);
    for group in page {
        let (Some(best), Some(mut shown)) = (group.best, group.turn) else {
            continue;
        };
        let mut at = scratch.best[group.session as usize].run;
        while let Some(run) = scratch.runs.get(at as usize) {
            for &turn in &scratch.touched_turns[run.from as usize..run.to as usize] {
                if moment(turn) > moment(shown)
                    && own(turn) >= own(best) * (1.0 - within)
                    && value(turn) >= value(best) * (1.0 - within)
                    && standing(turn) >= standing(best)
                {
                    shown = turn;
                }
            }
            at = run.before;
        }
        group.turn = Some(shown);
    }
}
