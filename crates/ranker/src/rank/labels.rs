//! What tags, names and ids of sessions add.

use std::collections::{BTreeMap, HashMap};

use smol_str::SmolStr;

use super::admission::starts_with;
use super::formula::Saturated;
use super::rarity::Worth;
use super::score::Scoring;
use crate::plan::Concept;
use crate::posting::Leaf;

/// What the labels of a session add.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct LabelHit {
    pub(super) tags: f32,
    pub(super) name: f32,
    pub(super) id: f32,
    pub(super) found: u64,
}

impl Scoring<'_> {
    /// Adds what tags and names give for a concept.
    pub(super) fn count_labels(&mut self, concept: &Concept, worth: &Worth, bit: u64) {
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

    /// Adds what words give that are the start of a session's id.
    pub(super) fn count_ids(&mut self) {
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
    pub(super) fn label_hits(&self) -> impl Iterator<Item = u32> + '_ {
        let asks_for_text = self.matching.is_some();
        self.label_scores
            .iter()
            .filter(move |(_, hit)| !asks_for_text || hit.id > 0.0)
            .map(|(session, _)| *session)
    }

    /// What the labels of a session add.
    pub(super) fn label_hit(&self, session: u32) -> LabelHit {
        // Mostly there are none at all.
        if self.label_scores.is_empty() {
            return LabelHit::default();
        }
        self.label_scores.get(&session).copied().unwrap_or_default()
    }
}

/// Where a leaf occurs in labels. Labels are short: the words of a phrase need not stand side by side.
fn label_postings(leaf: &Leaf, postings: &HashMap<SmolStr, Vec<(u32, f32)>>) -> BTreeMap<u32, f32> {
    let any_of = |terms: &[SmolStr]| {
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
