use std::collections::HashMap;

use lookback_session_model::BranchState;

use super::admission::same_folder;
use super::latest::put_later_sessions_first;
use super::score::{LabelHit, Scoring};
use crate::policy::LabelScore;
use crate::scratch::{BestCell, GroupCell, Run, Scratch, TurnCell};
use crate::{Forks, NONE, SearchRequest};

/// A hit before it has a place: a session with the turn that stands for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Group {
    pub(super) session: u32,
    /// The turn that is shown.
    pub(super) turn: Option<u32>,
    /// The turn that the score is of.
    pub(super) best: Option<u32>,
    pub(super) score: f32,
    /// What the score was multiplied by to put near equals in the order of their times.
    pub(super) place: f32,
    /// What decides between equal scores: the later one comes first.
    pub(super) time_ms: i64,
}

/// All hits of a query, in no order yet.
#[derive(Debug, Default)]
pub(super) struct Groups {
    pub(super) groups: Vec<Group>,
    pub(super) sessions_matched: usize,
    /// Sessions that are part of another one's hit: the hit's session, the folded one.
    pub(super) folded: Vec<(u32, u32)>,
}

/// One hit per session.
pub(super) fn session_groups(
    scoring: &Scoring<'_>,
    request: &SearchRequest,
    scratch: &mut Scratch,
) -> Groups {
    let corpus = scoring.corpus;
    if scoring.plan.concepts.is_empty() && scoring.plan.ids.is_empty() {
        return filtered_groups(scoring, request, scratch);
    }
    let mut sessions = best_turns(scoring, scratch);
    for (session, _) in scoring.label_hits() {
        let best = &mut scratch.best[session as usize];
        if best.query != scoring.query {
            *best = BestCell {
                query: scoring.query,
                turn: NONE,
                ..BestCell::default()
            };
            sessions.push(session);
        }
    }
    // Sessions mostly have the same words as the one before.
    let mut last = None;
    let groups = sessions
        .iter()
        .map(|&session| {
            let best = scratch.best[session as usize];
            let text = text_score(scoring, scratch, session, best);
            let words = found(scoring, scratch, session);
            let coverage = match last {
                Some((known, coverage)) if known == words => coverage,
                _ => coverage_factor(scoring, words),
            };
            last = Some((words, coverage));
            let factor = coverage
                * recency_factor(scoring, request, session)
                * folder_factor(scoring, request, session);
            Group {
                session,
                turn: (best.turn != NONE).then_some(best.turn),
                best: (best.turn != NONE).then_some(best.turn),
                score: text * factor,
                place: 1.0,
                time_ms: corpus.modified_ms[session as usize],
            }
        })
        .collect();
    let mut groups = fold_families(scoring, groups);
    put_later_sessions_first(scoring, scratch, &mut groups.groups);
    groups
}

/// Several hits per session: every matching turn, until its session has enough.
pub(super) fn turn_groups(scoring: &Scoring<'_>, request: &SearchRequest, scratch: &mut Scratch) -> Groups {
    let corpus = scoring.corpus;
    let worth = TurnWorth::new(scoring);
    let mut groups: Vec<Group> = scratch
        .touched_turns
        .iter()
        .map(|&turn| {
            let session = scratch.turns[turn as usize].session;
            let time_ms = corpus.time_ms[turn as usize];
            let recency = scoring.policy.recency.factor(request.now.as_millis(), time_ms);
            Group {
                session,
                turn: Some(turn),
                best: Some(turn),
                place: 1.0,
                score: worth.of(
                    scratch.turns[turn as usize],
                    &scratch.exchanges,
                    corpus.rows[turn as usize].branch,
                ) * answer_factor(scoring, turn)
                    * recency
                    * folder_factor(scoring, request, session),
                time_ms,
            }
        })
        .collect();
    if scoring.plan.concepts.is_empty() {
        groups = filtered_groups(scoring, request, scratch).groups;
    }
    groups.sort_unstable_by(|one, other| super::compare(one, other, corpus));
    let mut counts: HashMap<u32, u32> = HashMap::new();
    groups.retain(|group| {
        let count = counts.entry(group.session).or_default();
        *count += 1;
        *count <= scoring.policy.grouping.hits_per_session
    });
    Groups {
        groups,
        sessions_matched: counts.len(),
        folded: Vec::new(),
    }
}

/// The sessions that filters leave, when there is nothing else to go by; the latest ones first.
fn filtered_groups(scoring: &Scoring<'_>, request: &SearchRequest, scratch: &mut Scratch) -> Groups {
    let corpus = scoring.corpus;
    let mut sessions = Vec::new();
    if scoring.admission.looks_at_turns() {
        for turn in 0..corpus.turn_count() as u32 {
            if let Some(session) = scoring.admission.admit(turn) {
                let best = &mut scratch.best[session as usize];
                if best.query != scoring.query {
                    best.query = scoring.query;
                    best.turn = turn;
                    sessions.push(session);
                } else if corpus.time_ms[turn as usize] >= corpus.time_ms[best.turn as usize] {
                    best.turn = turn;
                }
            }
        }
    } else {
        sessions.extend(
            (0..corpus.session_count() as u32).filter(|session| scoring.admission.admits_session(*session)),
        );
    }
    let groups = sessions
        .iter()
        .map(|&session| {
            let best = scratch.best[session as usize];
            Group {
                session,
                turn: (best.query == scoring.query).then_some(best.turn),
                best: None,
                place: 1.0,
                score: session_factor(scoring, request, session, 0),
                time_ms: corpus.modified_ms[session as usize],
            }
        })
        .collect();
    fold_families(scoring, groups)
}

/// Finds the best turn of every session; returns the sessions.
///
/// Turns are met mostly session by session, so the best one so far is kept at hand until the session changes.
fn best_turns(scoring: &Scoring<'_>, scratch: &mut Scratch) -> Vec<u32> {
    let corpus = scoring.corpus;
    let worth = TurnWorth::new(scoring);
    let later = scoring.policy.grouping.later_turn;
    let query = scoring.query;
    let Scratch {
        turns,
        exchanges,
        best,
        runs,
        touched_turns,
        ..
    } = scratch;
    runs.clear();
    let mut sessions = Vec::new();
    let mut at = 0;
    while let Some(&first) = touched_turns.get(at) {
        let session = turns[first as usize].session;
        let mut found = BestCell {
            query,
            turn: first,
            value: 0.0,
            key: f32::NEG_INFINITY,
            run: runs.len() as u32,
        };
        let from = at as u32;
        while let Some(&turn) = touched_turns.get(at) {
            let cell = turns[turn as usize];
            if cell.session != session {
                break;
            }
            let value = worth.of(cell, exchanges, corpus.rows[turn as usize].branch);
            let mut key = value;
            if later > 0.0 {
                key += later * corpus.position[turn as usize] as f32;
            }
            if key >= found.key {
                let other = BestCell {
                    turn,
                    value,
                    key,
                    ..found
                };
                if is_better(&other, &found, &corpus.time_ms) {
                    found = other;
                }
            }
            at += 1;
        }
        let cell = &mut best[session as usize];
        let is_known = cell.query == query;
        runs.push(Run {
            from,
            to: at as u32,
            before: if is_known { cell.run } else { NONE },
        });
        if !is_known {
            sessions.push(session);
        }
        if !is_known || is_better(&found, cell, &corpus.time_ms) {
            *cell = found;
        }
        cell.run = found.run;
    }
    sessions
}

/// The greater key wins, then the later turn.
#[inline]
fn is_better(one: &BestCell, other: &BestCell, time_ms: &[i64]) -> bool {
    one.key > other.key
        || one.key == other.key
            && (time_ms[one.turn as usize], one.turn) > (time_ms[other.turn as usize], other.turn)
}

/// What turns are worth with the exchange around them; the weights of a policy at hand.
pub(super) struct TurnWorth {
    query: u32,
    turn: f32,
    exchange: f32,
    compacted: f32,
    abandoned: f32,
}

impl TurnWorth {
    pub(super) fn new(scoring: &Scoring<'_>) -> Self {
        let policy = scoring.policy;
        Self {
            query: scoring.query,
            turn: policy.scales.turn,
            exchange: policy.scales.exchange,
            compacted: policy.factors.compacted,
            abandoned: policy.factors.abandoned,
        }
    }

    #[inline]
    pub(super) fn of(&self, cell: TurnCell, exchanges: &[GroupCell], branch: BranchState) -> f32 {
        let mut text = self.turn * cell.score;
        if self.exchange > 0.0 {
            let around = &exchanges[cell.exchange as usize];
            if around.query == self.query {
                text += self.exchange * around.score;
            }
        }
        match branch {
            BranchState::Active => text,
            BranchState::Compacted => text * self.compacted,
            BranchState::Abandoned => text * self.abandoned,
        }
    }
}

pub(super) fn branch_factor(scoring: &Scoring<'_>, turn: u32) -> f32 {
    match scoring.corpus.rows[turn as usize].branch {
        BranchState::Active => 1.0,
        BranchState::Compacted => scoring.policy.factors.compacted,
        BranchState::Abandoned => scoring.policy.factors.abandoned,
    }
}

/// What the text of a session counts that was found by a turn nobody answered.
pub(super) fn answer_factor(scoring: &Scoring<'_>, turn: u32) -> f32 {
    let exchange = scoring.corpus.rows[turn as usize].exchange as usize;
    if scoring.corpus.exchange_answered[exchange] {
        1.0
    } else {
        scoring.policy.factors.unanswered
    }
}

/// The score of a session before what is multiplied.
fn text_score(scoring: &Scoring<'_>, scratch: &Scratch, session: u32, best: BestCell) -> f32 {
    let cell = scratch.sessions[session as usize];
    let whole = if cell.query == scoring.query {
        scoring.policy.scales.session * cell.score
    } else {
        0.0
    };
    let label = label_hit(scoring, session);
    let labels = label.tags + label.name;
    let answered = if best.turn == NONE {
        1.0
    } else {
        answer_factor(scoring, best.turn)
    };
    let text = (best.value + whole) * answered;
    let joined = match scoring.policy.boosts.labels {
        LabelScore::Added => text + labels,
        LabelScore::Separate => text.max(labels),
    };
    joined + label.id
}

pub(super) fn label_hit(scoring: &Scoring<'_>, session: u32) -> LabelHit {
    scoring.label_scores.get(&session).copied().unwrap_or_default()
}

/// The concepts that a session has, in its text or its labels.
pub(super) fn found(scoring: &Scoring<'_>, scratch: &Scratch, session: u32) -> u64 {
    let cell = scratch.sessions[session as usize];
    let text = if cell.query == scoring.query {
        cell.found
    } else {
        0
    };
    text | label_hit(scoring, session).found
}

/// What the score of a session is multiplied by.
pub(super) fn session_factor(
    scoring: &Scoring<'_>,
    request: &SearchRequest,
    session: u32,
    found: u64,
) -> f32 {
    coverage_factor(scoring, found)
        * recency_factor(scoring, request, session)
        * folder_factor(scoring, request, session)
}

fn recency_factor(scoring: &Scoring<'_>, request: &SearchRequest, session: u32) -> f32 {
    let modified = scoring.corpus.modified_ms[session as usize];
    scoring.policy.recency.factor(request.now.as_millis(), modified)
}

pub(super) fn coverage_factor(scoring: &Scoring<'_>, found: u64) -> f32 {
    let share = scoring.policy.factors.coverage;
    if share > 0.0 {
        1.0 - share + share * scoring.coverage(found)
    } else {
        1.0
    }
}

pub(super) fn folder_factor(scoring: &Scoring<'_>, request: &SearchRequest, session: u32) -> f32 {
    let is_here = request.scope.current_cwd.as_ref().is_some_and(|current| {
        scoring
            .corpus
            .summary(session)
            .is_some_and(|summary| same_folder(&summary.cwd, current.as_str()))
    });
    if is_here {
        scoring.policy.factors.same_folder
    } else {
        1.0
    }
}

/// Makes forks part of the hit of the session they came from, where the policy says so.
fn fold_families(scoring: &Scoring<'_>, groups: Vec<Group>) -> Groups {
    if scoring.policy.grouping.forks == Forks::FoldCopies {
        return Groups {
            sessions_matched: groups.len(),
            groups,
            folded: Vec::new(),
        };
    }
    let mut matched = vec![NONE; scoring.corpus.session_count()];
    for (index, group) in (0..).zip(&groups) {
        matched[group.session as usize] = index;
    }
    let mut folded = Vec::new();
    let mut scores: Vec<f32> = groups.iter().map(|group| group.score).collect();
    let mut kept = vec![true; groups.len()];
    for (index, group) in groups.iter().enumerate() {
        // The topmost ancestor that matches. A chain has no more links than there are sessions, so a cycle ends.
        let mut top = index;
        let mut at = group.session;
        for _ in 0..scoring.corpus.session_count() {
            at = scoring.corpus.parent.get(at as usize).copied().unwrap_or(NONE);
            if at == NONE || at == group.session {
                break;
            }
            match matched.get(at as usize) {
                Some(&ancestor) if ancestor != NONE => top = ancestor as usize,
                _ => {}
            }
        }
        if top != index {
            kept[index] = false;
            folded.push((groups[top].session, group.session));
            scores[top] = scores[top].max(group.score);
        }
    }
    let groups: Vec<Group> = groups
        .into_iter()
        .zip(scores)
        .zip(kept)
        .filter_map(|((group, score), kept)| kept.then_some(Group { score, ..group }))
        .collect();
    Groups {
        sessions_matched: groups.len(),
        groups,
        folded,
    }
}
