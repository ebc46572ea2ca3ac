use std::collections::BTreeMap;

use super::admission::{Admission, starts_with};
use super::bits::Bits;
use super::condition::turns_that_hold;
use super::formula::{Damped, Saturated};
use crate::plan::{Concept, Plan};
use crate::posting::Leaf;
use crate::scratch::{GroupCell, Occurrence, Scratch, TurnCell};
use crate::{Corpus, Labels, Policy, Posting, SearchRequest};

/// Everything that scores follow from, for counting them up and for taking them apart.
pub(super) struct Scoring<'a> {
    pub(super) plan: &'a Plan,
    pub(super) postings: &'a [Vec<Posting>],
    pub(super) corpus: &'a Corpus,
    pub(super) labels: &'a Labels,
    pub(super) policy: &'a Policy,
    pub(super) admission: &'a Admission<'a>,
    /// The turns that the query's condition holds for; `None` when any turn with a concept matches.
    pub(super) matching: Option<Bits>,
    /// The concepts that add to scores.
    pub(super) scored: Vec<usize>,
    /// What the concepts of `scored` are worth, at each scale.
    pub(super) worth: Vec<Worth>,
    /// What the whole query as a phrase is worth.
    pub(super) whole_query: Worth,
    /// What the neighbours of the plan are worth, in their order.
    pub(super) neighbours: Vec<Worth>,
    pub(super) turn_saturation: Saturated,
    pub(super) exchange_saturation: Saturated,
    pub(super) session_saturation: Damped,
    /// What tags, names and ids add to sessions.
    pub(super) label_scores: BTreeMap<u32, LabelHit>,
    /// The stamp of the query in the scratch.
    pub(super) query: u32,
}

/// The rarity of a concept at each scale, and in how many turns it occurs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Worth {
    pub(super) weight: f32,
    pub(super) turns: usize,
    pub(super) turn: f32,
    pub(super) exchange: f32,
    pub(super) session: f32,
}

/// How the rarity of a concept follows from the units that have it.
#[derive(Debug, Clone, Copy)]
enum Counted {
    /// All of them have the word itself.
    Alike,
    /// Those that have it in a weaker form only count as so much less: a common relative must not make the word common.
    ByQuality,
    /// It does not; it is known.
    Given(Worth),
}

/// What the labels of a session add.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LabelHit {
    pub(super) tags: f32,
    pub(super) name: f32,
    pub(super) id: f32,
    pub(super) found: u64,
}

impl<'a> Scoring<'a> {
    /// Counts up the scores of turns, exchanges and sessions in `scratch`.
    pub(super) fn count(
        plan: &'a Plan,
        postings: &'a [Vec<Posting>],
        corpus: &'a Corpus,
        labels: &'a Labels,
        request: &'a SearchRequest,
        admission: &'a Admission<'a>,
        scratch: &mut Scratch,
    ) -> Self {
        let policy = &request.policy;
        let (turns, exchanges, sessions) = (
            corpus.turn_count(),
            corpus.exchange_count(),
            corpus.session_count(),
        );
        let saturated = |b, units| Saturated::new(policy, b, corpus.total_length, units);
        let query = scratch.start(turns, exchanges, sessions);
        let mut scoring = Self {
            plan,
            postings,
            corpus,
            labels,
            policy,
            admission,
            matching: plan
                .condition
                .as_ref()
                .map(|condition| turns_that_hold(condition, plan, postings, corpus, policy.and_scale)),
            scored: plan.scored(),
            worth: Vec::new(),
            whole_query: Worth::default(),
            neighbours: Vec::new(),
            turn_saturation: saturated(policy.saturation.b, turns),
            exchange_saturation: saturated(policy.saturation.b, exchanges),
            session_saturation: Damped::new(
                policy,
                policy.saturation.session_b,
                corpus.total_length,
                sessions,
            ),
            label_scores: BTreeMap::new(),
            query,
        };
        for (bit, index) in scoring.scored.clone().into_iter().enumerate() {
            let concept = &plan.concepts[index];
            let worth = scoring.count_concept(concept, 1 << bit.min(63), scratch);
            scoring.count_labels(concept, &worth, 1 << bit.min(63));
            scoring.worth.push(worth);
        }
        scoring.count_whole_query(scratch);
        scoring.count_neighbours(scratch);
        scoring.count_ids();
        scoring
    }

    fn count_concept(&mut self, concept: &Concept, bit: u64, scratch: &mut Scratch) -> Worth {
        let mut merged = std::mem::take(&mut scratch.merged);
        self.merge(concept, &mut merged, &mut scratch.spare);
        let rarity = if concept.variants.iter().all(|variant| variant.weight == 1.0) {
            Counted::Alike
        } else {
            Counted::ByQuality
        };
        let worth = self.count_occurrences(&mut merged, concept.weight, rarity, bit, scratch);
        scratch.merged = merged;
        worth
    }

    /// The occurrences of a concept: those of its variants together.
    fn merge(&self, concept: &Concept, merged: &mut Vec<Occurrence>, spare: &mut Vec<Occurrence>) {
        merged.clear();
        for variant in &concept.variants {
            let list = self.postings.get(variant.leaf).map_or(&[][..], Vec::as_slice);
            let occurrences = list
                .iter()
                .map(|posting| self.occurrence(posting, variant.weight));
            if merged.is_empty() {
                merged.extend(occurrences);
            } else if !list.is_empty() {
                spare.clear();
                merge_two(merged, occurrences, spare);
                std::mem::swap(merged, spare);
            }
        }
    }

    fn occurrence(&self, posting: &Posting, weight: f32) -> Occurrence {
        let row = &self.corpus.rows[posting.turn as usize];
        Occurrence {
            turn: posting.turn,
            session: row.session,
            exchange: row.exchange,
            length: row.length,
            tf: posting.tf * weight,
            quality: weight,
        }
    }

    /// Counts the occurrences of one concept.
    fn count_occurrences(
        &mut self,
        occurrences: &mut Vec<Occurrence>,
        weight: f32,
        rarity: Counted,
        bit: u64,
        scratch: &mut Scratch,
    ) -> Worth {
        let mut worth = match rarity {
            Counted::Given(worth) => worth,
            _ => Worth::default(),
        };
        let is_given = matches!(rarity, Counted::Given(_));
        worth.weight = weight;
        worth.turns = occurrences.len();
        let filtered = !self.admission.is_open() || self.matching.is_some();
        if !is_given {
            let found = match rarity {
                Counted::ByQuality => occurrences.iter().map(|occurrence| occurrence.quality).sum(),
                _ => occurrences.len() as f32,
            };
            worth.turn = self.policy.rarity.of(found, self.corpus.turn_count());
            if filtered && self.counts_groups() {
                // Rarity does not depend on filters.
                self.add_up(occurrences, scratch);
                self.set_rarity(rarity, &mut worth, scratch);
            }
        }
        if filtered {
            occurrences.retain_mut(|occurrence| match self.admit(occurrence.turn) {
                Some(session) => {
                    occurrence.session = session;
                    true
                }
                None => false,
            });
        }
        if self.counts_groups() {
            self.add_up(occurrences, scratch);
            if !is_given && !filtered {
                self.set_rarity(rarity, &mut worth, scratch);
            }
            self.score_groups(&worth, bit, scratch);
        }
        let by = weight * worth.turn;
        let (query, saturation) = (self.query, self.turn_saturation);
        for occurrence in occurrences {
            let cell = &mut scratch.turns[occurrence.turn as usize];
            if cell.query != query {
                *cell = TurnCell {
                    query,
                    score: 0.0,
                    session: occurrence.session,
                    exchange: occurrence.exchange,
                };
                scratch.touched_turns.push(occurrence.turn);
            }
            cell.score += by * saturation.of_quality(occurrence.tf, occurrence.quality, occurrence.length);
        }
        worth
    }

    /// Whether anything but single turns counts.
    fn counts_groups(&self) -> bool {
        let scales = self.policy.scales;
        scales.exchange > 0.0 || scales.session > 0.0 || self.policy.factors.coverage > 0.0
    }

    /// Adds up the frequencies of a concept per exchange and session.
    fn add_up(&self, occurrences: &[Occurrence], scratch: &mut Scratch) {
        let concept = scratch.next_stamp();
        add_up(
            occurrences,
            |occurrence| occurrence.exchange,
            concept,
            &mut scratch.exchanges,
            &mut scratch.touched_exchanges,
        );
        add_up(
            occurrences,
            |occurrence| occurrence.session,
            concept,
            &mut scratch.sessions,
            &mut scratch.touched_sessions,
        );
    }

    /// Rarity by how many exchanges and sessions were added up.
    fn set_rarity(&self, counted: Counted, worth: &mut Worth, scratch: &Scratch) {
        let rarity = self.policy.rarity;
        let found = |touched: &[u32], cells: &[GroupCell]| match counted {
            Counted::ByQuality => touched.iter().map(|group| cells[*group as usize].quality).sum(),
            _ => touched.len() as f32,
        };
        let exchanges = found(&scratch.touched_exchanges, &scratch.exchanges);
        worth.exchange = rarity.of(exchanges, self.corpus.exchange_count());
        let sessions = found(&scratch.touched_sessions, &scratch.sessions);
        worth.session = rarity.of(sessions, self.corpus.session_count());
    }

    /// Scores the exchanges and sessions that were added up.
    fn score_groups(&self, worth: &Worth, bit: u64, scratch: &mut Scratch) {
        let corpus = self.corpus;
        let by = worth.weight * worth.exchange;
        for &exchange in &scratch.touched_exchanges {
            let cell = scratch.exchanges[exchange as usize].of_query(self.query);
            let length = corpus.exchange_length[exchange as usize];
            cell.score += by * self.exchange_saturation.of_quality(cell.tf, cell.quality, length);
        }
        let by = worth.weight * worth.session;
        for &session in &scratch.touched_sessions {
            let cell = scratch.sessions[session as usize].of_query(self.query);
            let length = corpus.session_length[session as usize];
            cell.score += by * self.session_saturation.of_quality(cell.tf, cell.quality, length);
            cell.found |= bit;
        }
    }

    /// The session that a matching turn counts for.
    pub(super) fn admit(&self, turn: u32) -> Option<u32> {
        if self
            .matching
            .as_ref()
            .is_some_and(|matching| !matching.contains(turn))
        {
            return None;
        }
        self.admission.admit(turn)
    }

    /// The query as one phrase is worth as much as all its words, at every scale.
    fn count_whole_query(&mut self, scratch: &mut Scratch) {
        if let Some(leaf) = self.plan.whole_query {
            let weight = self.policy.boosts.whole_query;
            self.whole_query = self.count_together(leaf, weight, |_| true, scratch);
        }
    }

    /// Neighbours of the query that are near one another are worth as much as both, at every scale.
    fn count_neighbours(&mut self, scratch: &mut Scratch) {
        let weight = self.policy.boosts.neighbours;
        for neighbours in &self.plan.neighbours {
            let both = |concept| neighbours.concepts.contains(&concept);
            let worth = self.count_together(neighbours.leaf, weight, both, scratch);
            self.neighbours.push(worth);
        }
    }

    /// Counts a leaf as rare as some concepts together.
    fn count_together(
        &mut self,
        leaf: usize,
        weight: f32,
        is_part: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> Worth {
        let mut rarity = Worth::default();
        for (_, worth) in self
            .scored
            .iter()
            .zip(&self.worth)
            .filter(|(concept, _)| is_part(**concept))
        {
            rarity.turn += worth.weight * worth.turn;
            rarity.exchange += worth.weight * worth.exchange;
            rarity.session += worth.weight * worth.session;
        }
        let postings = self.postings.get(leaf).map_or(&[][..], Vec::as_slice);
        let mut merged = std::mem::take(&mut scratch.merged);
        merged.clear();
        merged.extend(postings.iter().map(|posting| self.occurrence(posting, 1.0)));
        let worth = self.count_occurrences(&mut merged, weight, Counted::Given(rarity), 0, scratch);
        scratch.merged = merged;
        worth
    }

    fn count_labels(&mut self, concept: &Concept, worth: &Worth, bit: u64) {
        let boosts = self.policy.boosts;
        if self.admission.looks_at_turns() {
            return;
        }
        let labels = self.labels;
        for (terms, boost, is_tag) in [
            (&labels.tag_terms, boosts.tags, true),
            (&labels.name_terms, boosts.name, false),
        ] {
            if boost <= 0.0 || terms.count() == 0 {
                continue;
            }
            let saturation = Saturated::new(
                self.policy,
                self.policy.saturation.b,
                terms.total_length,
                terms.count(),
            );
            let mut found: BTreeMap<u32, f32> = BTreeMap::new();
            for variant in &concept.variants {
                for (session, tf) in label_postings(&self.plan.leaves[variant.leaf], &terms.postings) {
                    *found.entry(session).or_default() += tf * variant.weight;
                }
            }
            // The rarity of the word among labels, which are few: its rarity in texts says nothing about them.
            let rarity = self
                .policy
                .rarity
                .of(found.len() as f32, self.corpus.turn_count() + terms.count());
            for (session, tf) in found {
                if !self.admission.admits_session(session) {
                    continue;
                }
                let length = terms.lengths.get(&session).copied().unwrap_or(0);
                let score = boost * worth.weight * rarity * saturation.of_quality(tf, 1.0, length);
                let hit = self.label_scores.entry(session).or_default();
                *(if is_tag { &mut hit.tags } else { &mut hit.name }) += score;
                hit.found |= bit;
            }
        }
    }

    fn count_ids(&mut self) {
        if self.admission.looks_at_turns() {
            return;
        }
        for id in &self.plan.ids {
            for (session, summary) in (0..).zip(&self.corpus.summaries) {
                if starts_with(summary, id) && self.admission.admits_session(session) {
                    self.label_scores.entry(session).or_default().id = self.policy.boosts.session_id;
                }
            }
        }
    }

    /// The sessions whose labels make a match of their own: a condition is about text.
    pub(super) fn label_hits(&self) -> impl Iterator<Item = (u32, LabelHit)> + '_ {
        let asks_for_text = self.matching.is_some();
        self.label_scores
            .iter()
            .filter(move |(_, hit)| !asks_for_text || hit.id > 0.0)
            .map(|(session, hit)| (*session, *hit))
    }

    /// The share of the query's words, by what they are worth, that a session has.
    pub(super) fn coverage(&self, found: u64) -> f32 {
        let (mut all, mut has) = (0.0, 0.0);
        for (bit, (index, worth)) in self.scored.iter().zip(&self.worth).enumerate() {
            if self.plan.concepts[*index].optional || worth.turns == 0 {
                continue;
            }
            let value = worth.weight * worth.turn;
            all += value;
            if found >> bit.min(63) & 1 == 1 {
                has += value;
            }
        }
        if all > 0.0 { has / all } else { 1.0 }
    }
}

/// Adds up the frequencies of a concept per group. Neighbouring turns are mostly of one group, so sums are kept at
/// hand until the group changes; a group that comes again goes on where it was.
fn add_up(
    occurrences: &[Occurrence],
    group_of: impl Fn(&Occurrence) -> u32,
    concept: u32,
    cells: &mut [GroupCell],
    touched: &mut Vec<u32>,
) {
    touched.clear();
    let mut rest = occurrences.iter();
    let Some(first) = rest.next() else {
        return;
    };
    let mut group = group_of(first);
    let (mut tf, mut quality) = (first.tf, first.quality);
    for occurrence in rest {
        let next = group_of(occurrence);
        if next == group {
            tf += occurrence.tf;
            quality = quality.max(occurrence.quality);
        } else {
            cells[group as usize].add(concept, group, tf, quality, touched);
            (group, tf, quality) = (next, occurrence.tf, occurrence.quality);
        }
    }
    cells[group as usize].add(concept, group, tf, quality, touched);
}

impl GroupCell {
    fn add(&mut self, concept: u32, group: u32, tf: f32, quality: f32, touched: &mut Vec<u32>) {
        if self.concept == concept {
            self.tf += tf;
            self.quality = self.quality.max(quality);
        } else {
            (self.concept, self.tf, self.quality) = (concept, tf, quality);
            touched.push(group);
        }
    }

    /// The cell, emptied when it is of another query.
    fn of_query(&mut self, query: u32) -> &mut Self {
        if self.query != query {
            (self.query, self.score, self.found) = (query, 0.0, 0);
        }
        self
    }
}

/// Merges occurrences into others, both by ascending turn.
fn merge_two(one: &[Occurrence], other: impl Iterator<Item = Occurrence>, out: &mut Vec<Occurrence>) {
    let mut rest = one;
    for occurrence in other {
        let before = rest
            .iter()
            .take_while(|known| known.turn < occurrence.turn)
            .count();
        out.extend_from_slice(&rest[..before]);
        rest = &rest[before..];
        match rest.split_first() {
            Some((same, after)) if same.turn == occurrence.turn => {
                out.push(Occurrence {
                    tf: same.tf + occurrence.tf,
                    quality: same.quality.max(occurrence.quality),
                    ..*same
                });
                rest = after;
            }
            _ => out.push(occurrence),
        }
    }
    out.extend_from_slice(rest);
}

/// Where a leaf occurs in labels. Labels are short: the words of a phrase need not stand side by side.
fn label_postings(
    leaf: &Leaf,
    postings: &std::collections::HashMap<smol_str::SmolStr, Vec<(u32, f32)>>,
) -> BTreeMap<u32, f32> {
    let any_of = |terms: &[smol_str::SmolStr]| {
        let mut found: BTreeMap<u32, f32> = BTreeMap::new();
        for (session, tf) in terms.iter().filter_map(|term| postings.get(term)).flatten() {
            *found.entry(*session).or_default() += tf;
        }
        found
    };
    match leaf {
        Leaf::Terms(terms) => any_of(terms),
        Leaf::Phrase(phrase) => {
            let mut slots = phrase.slots.iter().map(|slot| any_of(&slot.terms));
            let mut common = slots.next().unwrap_or_default();
            for slot in slots {
                common.retain(|session, tf| match slot.get(session) {
                    Some(other) => {
                        *tf = tf.min(*other);
                        true
                    }
                    None => false,
                });
            }
            common
        }
        Leaf::Near { .. } => BTreeMap::new(),
    }
}
