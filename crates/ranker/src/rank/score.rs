use std::collections::BTreeMap;

use super::admission::Admission;
use super::admitted::Admitted;
use super::bits::Bits;
use super::condition::turns_that_hold;
use super::formula::{Damped, Saturated};
use super::labels::LabelHit;
use super::occurrence::Occurrences;
use super::pair::{Pair, Word, most_often};
use super::rarity::Worth;
use crate::plan::{Concept, Plan};
use crate::scratch::Scratch;
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
    /// What filters leave of the turns with a posting; `None` when it is all of them.
    pub(super) admitted: Option<Admitted>,
    /// The concepts that add to scores.
    pub(super) scored: Vec<usize>,
    /// What the concepts of `scored` are worth, at each scale.
    pub(super) worth: Vec<Worth>,
    /// What the whole query as a phrase is worth.
    pub(super) whole_query: Worth,
    /// What adds to scores, in the order in which it does.
    pub(super) parts: Vec<Part>,
    /// The neighbours of the plan, in their order; they add to scores after `parts`.
    pub(super) pairs: Vec<Pair<'a>>,
    pub(super) turn_saturation: Saturated,
    pub(super) exchange_saturation: Saturated,
    pub(super) session_saturation: Damped,
    /// What tags, names and ids add to sessions.
    pub(super) label_scores: BTreeMap<u32, LabelHit>,
}

/// Something that adds to scores: a concept, the whole query.
pub(super) struct Part {
    pub(super) occurrences: Occurrences,
    pub(super) worth: Worth,
    /// What it sets in the words that a session has.
    pub(super) bit: u64,
}

impl<'a> Scoring<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        postings: &'a [Vec<Posting>],
        corpus: &'a Corpus,
        labels: &'a Labels,
        request: &'a SearchRequest,
        admission: &'a Admission<'a>,
        scratch: &mut Scratch,
    ) -> Self {
        let policy = &request.policy;
        let saturated = |units| Saturated::new(policy, policy.saturation.b, corpus.total_length, units);
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
            admitted: None,
            scored: plan.scored(),
            worth: Vec::new(),
            whole_query: Worth::default(),
            parts: Vec::new(),
            pairs: Vec::new(),
            turn_saturation: saturated(corpus.turn_count()),
            exchange_saturation: saturated(corpus.exchange_count()),
            session_saturation: Damped::new(
                policy,
                policy.saturation.session_b,
                corpus.total_length,
                corpus.session_count(),
            ),
            label_scores: BTreeMap::new(),
        };
        scoring.admitted = Admitted::new(&scoring);
        let Scratch {
            bounds,
            occurrences: spare,
            merging,
            ..
        } = scratch;
        bounds.start(corpus, scoring.scored.len() + plan.neighbours.len() + 1);
        let mut merged = |lists: &[(&[Posting], f32)], spare: &mut Vec<Occurrences>| {
            let mut occurrences = spare.pop().unwrap_or_default();
            occurrences.merge(lists, merging);
            occurrences
        };
        for (place, index) in scoring.scored.clone().into_iter().enumerate() {
            let concept = &plan.concepts[index];
            let occurrences = merged(&scoring.lists(concept), spare);
            let found = bounds.take(&occurrences, &scoring);
            let worth = Worth::of(concept.weight, occurrences.all.len(), found, corpus, policy);
            let bit = bit_of(place);
            bounds.add(&worth, bit, &scoring);
            scoring.count_labels(concept, &worth, bit);
            scoring.worth.push(worth);
            scoring.parts.push(Part {
                occurrences,
                worth,
                bit,
            });
        }
        // The query as one phrase is worth as much as all its words; neighbours that are near one another, as both.
        if let Some(leaf) = plan.whole_query {
            scoring.whole_query = scoring.together(policy.boosts.whole_query, |_| true);
            let worth = scoring.whole_query;
            let occurrences = merged(&[(scoring.list(leaf), 1.0)], spare);
            bounds.take(&occurrences, &scoring);
            bounds.add(&worth, 0, &scoring);
            scoring.parts.push(Part {
                occurrences,
                worth,
                bit: 0,
            });
        }
        for neighbours in &plan.neighbours {
            let [Some(one), Some(other)] = neighbours.concepts.map(|concept| scoring.word(concept)) else {
                continue;
            };
            let mut most = spare.pop().unwrap_or_default();
            most_often(one, other, &mut most);
            let both = |concept| neighbours.concepts.contains(&concept);
            let worth = scoring.together(policy.boosts.neighbours, both);
            bounds.take(&most, &scoring);
            bounds.add(&worth, 0, &scoring);
            scoring.pairs.push(Pair {
                leaf: &neighbours.leaf,
                concepts: neighbours.concepts,
                worth,
                most,
            });
        }
        scoring.count_ids();
        scoring
    }

    /// Whether anything but single turns counts.
    pub(super) fn counts_groups(&self) -> bool {
        let scales = self.policy.scales;
        scales.exchange > 0.0 || scales.session > 0.0 || self.policy.factors.coverage > 0.0
    }

    /// A concept with its occurrences.
    fn word(&self, concept: usize) -> Option<Word<'_>> {
        let place = self.scored.iter().position(|scored| *scored == concept)?;
        Some(Word::new(
            &self.plan.concepts[concept],
            &self.parts.get(place)?.occurrences,
        ))
    }

    pub(super) fn lists(&self, concept: &Concept) -> Vec<(&'a [Posting], f32)> {
        concept
            .variants
            .iter()
            .map(|variant| (self.list(variant.leaf), variant.weight))
            .collect()
    }

    /// The leaves that add to scores. Turns with neighbours have the words themselves, too.
    pub(super) fn leaves(&self) -> impl Iterator<Item = usize> + '_ {
        let variants = self
            .scored
            .iter()
            .flat_map(|concept| &self.plan.concepts[*concept].variants);
        variants.map(|variant| variant.leaf).chain(self.plan.whole_query)
    }

    pub(super) fn list(&self, leaf: usize) -> &'a [Posting] {
        self.postings.get(leaf).map_or(&[], Vec::as_slice)
    }

    /// As rare as some concepts together.
    fn together(&self, weight: f32, is_part: impl Fn(usize) -> bool) -> Worth {
        let mut rarity = Worth {
            weight,
            ..Worth::default()
        };
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
        rarity
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

    /// The share of the query's words, by what they are worth, that a session has.
    pub(super) fn coverage(&self, found: u64) -> f32 {
        let (mut all, mut has) = (0.0, 0.0);
        for (bit, (index, worth)) in self.scored.iter().zip(&self.worth).enumerate() {
            if self.plan.concepts[*index].optional || worth.turns == 0 {
                continue;
            }
            let value = worth.weight * worth.turn;
            all += value;
            if found & bit_of(bit) != 0 {
                has += value;
            }
        }
        if all > 0.0 { has / all } else { 1.0 }
    }
}

/// What stands for the concept of this place among those that are scored.
fn bit_of(place: usize) -> u64 {
    1 << place.min(63)
}
