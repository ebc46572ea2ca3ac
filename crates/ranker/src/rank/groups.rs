use std::collections::BTreeMap;

use lookback_session_model::BranchState;

use super::admission::same_folder;
use super::bounds::Bounds;
use super::candidates::{Candidate, Least, are_bounds, candidates, settle};
use super::labels::LabelHit;
use super::latest::{latest_within, put_later_sessions_first};
use super::score::Scoring;
use super::session::Sessions;
use crate::policy::LabelScore;
use crate::{Corpus, Forks, NONE, Policy, Provider, SearchRequest};

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
    /// The concepts that the session has, in its text or its labels, one bit each.
    pub(super) found: u64,
    /// What decides between equal scores: the later one comes first.
    pub(super) time_ms: i64,
}

/// The hits of a query, in no order yet.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// Those that can be on the page.
    pub(super) groups: Vec<Group>,
    pub(super) hits_total: usize,
    pub(super) sessions_matched: usize,
    /// Sessions that are part of another one's hit: the hit's session, the folded one.
    pub(super) folded: Vec<(u32, u32)>,
}

/// One hit per session. Those that cannot come as far as the page are counted and left out.
pub(super) fn session_groups<P: Provider>(
    scoring: &Scoring<'_>,
    request: &SearchRequest,
    bounds: &Bounds,
    sessions: &mut Sessions<'_, '_>,
    provider: &P,
) -> Result<Groups, P::Error> {
    if scoring.plan.concepts.is_empty() && scoring.plan.ids.is_empty() {
        return Ok(filtered_groups(scoring, request));
    }
    let worth = TurnWorth::new(scoring);
    let mut candidates = candidates(scoring, request, bounds, &worth);
    let sessions_matched = candidates.len();
    let group = |candidate: &Candidate, sessions: &mut Sessions<'_, '_>| {
        let session = candidate.session;
        let label = scoring.label_hit(session);
        let score = sessions.score(session).unwrap_or_default();
        let best = best_turn(scoring, &worth, sessions);
        Group {
            session,
            turn: best.map(|best| best.turn),
            best: best.map(|best| best.turn),
            score: text_score(scoring, score.score, label, best) * candidate.factor,
            place: 1.0,
            found: score.found | label.found,
            time_ms: scoring.corpus.modified_ms[session as usize],
        }
    };
    let wanted = request
        .offset
        .saturating_add(request.limit.min(SearchRequest::MAX_LIMIT));
    let folds = scoring.policy.grouping.forks == Forks::FoldFamilies;
    let prunes = !folds && are_bounds(scoring.policy, &candidates);
    let settled = |candidate: &mut Candidate| settle(candidate, scoring, request);
    let mut groups = Vec::new();
    if prunes && wanted > 0 && sessions_matched > wanted {
        // Those with the highest bounds say how good one has to be.
        let by_bound = |one: &Candidate, other: &Candidate| other.bound.total_cmp(&one.bound);
        candidates.select_nth_unstable_by(wanted - 1, by_bound);
        let rest = candidates.split_off(wanted);
        candidates.iter_mut().for_each(&settled);
        sessions.look_up_pairs(candidates.iter().map(|candidate| candidate.session), provider)?;
        groups.extend(candidates.iter().map(|candidate| group(candidate, sessions)));
        let mut least = Least::new(&groups, latest_within(scoring));
        let mut rest: Vec<Candidate> = rest
            .into_iter()
            .filter(|candidate| least.admits(candidate.bound))
            .collect();
        rest.iter_mut().for_each(&settled);
        rest.sort_unstable_by(by_bound);
        // Those of which nothing has to be looked up go first, the others together: each look-up costs something to start.
        let mut unknown = Vec::new();
        for candidate in rest {
            if !least.admits(candidate.bound) {
                break;
            }
            if sessions.has_pairs(candidate.session) {
                unknown.push(candidate);
            } else {
                let group = group(&candidate, sessions);
                least.add(group.score);
                groups.push(group);
            }
        }
        let mut together = LOOKED_UP_TOGETHER;
        while !unknown.is_empty() {
            let enough = |candidate: &Candidate| least.admits(candidate.bound);
            let count = unknown
                .iter()
                .take(together)
                .take_while(|candidate| enough(candidate))
                .count();
            let rest = unknown.split_off(count);
            sessions.look_up_pairs(unknown.iter().map(|candidate| candidate.session), provider)?;
            for candidate in &unknown {
                let group = group(candidate, sessions);
                least.add(group.score);
                groups.push(group);
            }
            unknown = if count > 0 { rest } else { Vec::new() };
            together *= LOOKED_UP_TOGETHER;
        }
    } else {
        candidates.iter_mut().for_each(&settled);
        sessions.look_up_pairs(candidates.iter().map(|candidate| candidate.session), provider)?;
        groups.extend(candidates.iter().map(|candidate| group(candidate, sessions)));
    }
    let mut groups = match folds {
        true => fold_families(scoring, groups),
        false => Groups {
            sessions_matched,
            hits_total: sessions_matched,
            groups,
            folded: Vec::new(),
        },
    };
    put_later_sessions_first(scoring, &mut groups.groups);
    Ok(groups)
}

/// Sessions whose pairs are looked up together at first; then so many times as many.
const LOOKED_UP_TOGETHER: usize = 16;

/// Several hits per session: its best turns.
pub(super) fn turn_groups<P: Provider>(
    scoring: &Scoring<'_>,
    request: &SearchRequest,
    bounds: &Bounds,
    sessions: &mut Sessions<'_, '_>,
    provider: &P,
) -> Result<Groups, P::Error> {
    if scoring.plan.concepts.is_empty() {
        return Ok(filtered_groups(scoring, request));
    }
    sessions.look_up_pairs(bounds.matching().map(|(session, _)| session), provider)?;
    let corpus = scoring.corpus;
    let worth = TurnWorth::new(scoring);
    let (mut groups, mut of_session) = (Vec::new(), Vec::new());
    let mut sessions_matched = 0;
    for (session, _) in bounds.matching() {
        let Some(score) = sessions.score(session) else {
            continue;
        };
        let folder = folder_factor(scoring, request, session);
        of_session.clear();
        of_session.extend(sessions.cells.matching().iter().map(|&turn| {
            let time_ms = corpus.time_ms[turn as usize];
            let recency = scoring.policy.recency.factor(request.now.as_millis(), time_ms);
            Group {
                session,
                turn: Some(turn),
                best: Some(turn),
                place: 1.0,
                score: worth.of(sessions, turn) * answer_factor(scoring, turn) * recency * folder,
                found: score.found,
                time_ms,
            }
        }));
        let most = scoring.policy.grouping.hits_per_session as usize;
        if of_session.len() > most {
            of_session.sort_unstable_by(|one, other| super::compare(one, other, corpus));
            of_session.truncate(most);
        }
        groups.append(&mut of_session);
        sessions_matched += 1;
    }
    Ok(Groups {
        hits_total: groups.len(),
        groups,
        sessions_matched,
        folded: Vec::new(),
    })
}

/// The sessions that filters leave, when there is nothing else to go by; the latest ones first.
fn filtered_groups(scoring: &Scoring<'_>, request: &SearchRequest) -> Groups {
    let corpus = scoring.corpus;
    // Each session with its latest turn that filters leave, where they look at turns.
    let mut latest: BTreeMap<u32, Option<u32>> = BTreeMap::new();
    if scoring.admission.looks_at_turns() {
        for turn in 0..corpus.turn_count() as u32 {
            if let Some(session) = scoring.admission.admit(turn) {
                let shown = latest.entry(session).or_default();
                let time = |turn: u32| corpus.time_ms[turn as usize];
                if shown.is_none_or(|shown| time(turn) >= time(shown)) {
                    *shown = Some(turn);
                }
            }
        }
    } else {
        let all = 0..corpus.session_count() as u32;
        let admitted = all.filter(|session| scoring.admission.admits_session(*session));
        latest.extend(admitted.map(|session| (session, None)));
    }
    let groups = latest
        .into_iter()
        .map(|(session, turn)| Group {
            session,
            turn,
            best: None,
            place: 1.0,
            score: coverage_factor(scoring, 0)
                * recency_factor(scoring, request, session)
                * folder_factor(scoring, request, session),
            found: 0,
            time_ms: corpus.modified_ms[session as usize],
        })
        .collect();
    fold_families(scoring, groups)
}

/// The turn that stands for a session.
#[derive(Debug, Clone, Copy)]
struct Best {
    turn: u32,
    /// Its score.
    value: f32,
}

/// The best turn of the session that was just scored: the greatest key wins, then the latest turn.
fn best_turn(scoring: &Scoring<'_>, worth: &TurnWorth<'_>, sessions: &Sessions<'_, '_>) -> Option<Best> {
    let corpus = scoring.corpus;
    let later = scoring.policy.grouping.later_turn;
    let moment = |turn: u32| (corpus.time_ms[turn as usize], turn);
    let mut best: Option<(Best, f32)> = None;
    for &turn in sessions.cells.matching() {
        let value = worth.of(sessions, turn);
        let mut key = value;
        if later > 0.0 {
            key += later * corpus.position[turn as usize] as f32;
        }
        let is_better = best.is_none_or(|(best, best_key)| {
            key > best_key || key == best_key && moment(turn) > moment(best.turn)
        });
        if is_better {
            best = Some((Best { turn, value }, key));
        }
    }
    best.map(|(best, _)| best)
}

/// What turns are worth with the exchange around them; the weights of a policy at hand.
pub(super) struct TurnWorth<'a> {
    corpus: &'a Corpus,
    turn: f32,
    exchange: f32,
    /// By the order of [`BranchState`]'s variants.
    pub(super) branch: [f32; 3],
}

impl<'a> TurnWorth<'a> {
    pub(super) fn new(scoring: &Scoring<'a>) -> Self {
        let policy = scoring.policy;
        Self {
            corpus: scoring.corpus,
            turn: policy.scales.turn,
            exchange: policy.scales.exchange,
            branch: BRANCHES.map(|branch| branch_factor(policy, branch)),
        }
    }

    /// Of a turn of the session that was just scored.
    #[inline]
    pub(super) fn of(&self, sessions: &Sessions<'_, '_>, turn: u32) -> f32 {
        let row = &self.corpus.rows[turn as usize];
        let mut text = self.turn * sessions.cells.turn(turn);
        if self.exchange > 0.0 {
            text += self.exchange * sessions.cells.exchange(row.exchange);
        }
        text * self.branch[row.branch as usize]
    }
}

const BRANCHES: [BranchState; 3] = [
    BranchState::Active,
    BranchState::Compacted,
    BranchState::Abandoned,
];

pub(super) fn branch_factor(policy: &Policy, branch: BranchState) -> f32 {
    match branch {
        BranchState::Active => 1.0,
        BranchState::Compacted => policy.factors.compacted,
        BranchState::Abandoned => policy.factors.abandoned,
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

/// The score of a session before what is multiplied. `whole` is what the session as a whole is worth.
fn text_score(scoring: &Scoring<'_>, whole: f32, label: LabelHit, best: Option<Best>) -> f32 {
    let answered = best.map_or(1.0, |best| answer_factor(scoring, best.turn));
    let turn = best.map_or(0.0, |best| best.value);
    let text = (turn + scoring.policy.scales.session * whole) * answered;
    with_labels(scoring, text, label)
}

pub(super) fn with_labels(scoring: &Scoring<'_>, text: f32, label: LabelHit) -> f32 {
    let labels = label.tags + label.name;
    let joined = match scoring.policy.boosts.labels {
        LabelScore::Added => text + labels,
        LabelScore::Separate => text.max(labels),
    };
    joined + label.id
}

pub(super) fn recency_factor(scoring: &Scoring<'_>, request: &SearchRequest, session: u32) -> f32 {
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
            hits_total: groups.len(),
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
        hits_total: groups.len(),
        groups,
        folded,
    }
}
