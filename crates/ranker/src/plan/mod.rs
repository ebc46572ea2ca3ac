//! A query becomes things to look up: which terms and phrases stand for each of its words, and what they are worth.

mod build;
mod expand;
mod loose;
mod neighbours;
mod pattern;
mod question;
mod relax;

use crate::posting::{Leaf, Posting};
use crate::query::Filter;
use crate::snippet::Matcher;
use crate::{Rarity, Relaxation, Warning};

pub(crate) use build::plan;
pub(crate) use neighbours::{Neighbours, pair_neighbours};
pub(crate) use relax::{Step, relax};

/// Parts of a query that are searched at most; of a longer query the rarest ones.
pub(crate) const MAX_CONCEPTS: usize = 64;

/// Words of an implicit list beyond which only the rarest known ones are searched: a pasted trace is not a question.
pub(crate) const LONG_LIST: usize = 32;

/// What a query looks up and how the answers fit together.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// What the provider looks up, each thing once.
    pub(crate) leaves: Vec<Leaf>,
    pub(crate) concepts: Vec<Concept>,
    /// What must hold for a turn to match; `None` when any concept will do.
    pub(crate) condition: Option<Condition>,
    /// The leaf of the query as one phrase.
    pub(crate) whole_query: Option<usize>,
    /// Words of the query that are worth more near one another.
    pub(crate) neighbours: Vec<Neighbours>,
    /// Words that may be the start of a session id.
    pub(crate) ids: Vec<String>,
    pub(crate) filters: Vec<Filter>,
    /// Parts of words are asked for that no word has, and nothing else.
    pub(crate) fits_nothing: bool,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) relaxed: Vec<Relaxation>,
}

/// A part of the query that is scored as one: a word with its forms, a phrase, a neighbourhood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Concept {
    /// As it was typed.
    pub(crate) text: String,
    pub(crate) weight: f32,
    pub(crate) variants: Vec<Variant>,
    /// It adds to the score of turns that match by other concepts, and makes no match of its own.
    pub(crate) optional: bool,
    /// How it could be found less exactly.
    pub(crate) origin: Origin,
}

/// One way to find a concept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Variant {
    pub(crate) leaf: usize,
    pub(crate) weight: f32,
}

/// Where a concept comes from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// A word: longer words and typos can stand for it, or its parts.
    Word(pattern::Pattern),
    /// Something that is meant as it is.
    Fixed,
}

/// A condition on turns. Concepts are named by their index.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Condition {
    /// At least one of these concepts occurs.
    Any(Vec<usize>),
    /// All of these hold, within the policy's scale.
    All(Vec<Condition>),
    /// At least one of these holds.
    Either(Vec<Condition>),
    /// The first holds and none of the others in the same turn.
    Without(Box<Condition>, Vec<Condition>),
}

impl Plan {
    /// The index of a leaf, added if it is new.
    pub(crate) fn leaf(&mut self, leaf: Leaf) -> usize {
        match self.leaves.iter().position(|known| *known == leaf) {
            Some(at) => at,
            None => {
                self.leaves.push(leaf);
                self.leaves.len() - 1
            }
        }
    }

    /// True when no session can be an answer: parts of words are asked for that no word has, or there is nothing to
    /// look up and no filter.
    pub(crate) fn is_empty(&self) -> bool {
        self.fits_nothing || self.concepts.is_empty() && self.filters.is_empty() && self.ids.is_empty()
    }

    pub(crate) fn warn(&mut self, warning: Warning) {
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Whether any variant of a concept occurs anywhere.
    pub(crate) fn occurs(&self, concept: usize, postings: &[Vec<Posting>]) -> bool {
        self.concepts[concept]
            .variants
            .iter()
            .any(|variant| postings.get(variant.leaf).is_some_and(|list| !list.is_empty()))
    }

    /// What finds the words of the query in texts. Where the policy lets rare words count more, they are worth more:
    /// beside the commonest of the query, not of all texts, so that an engine that looks at no others shows the same.
    pub(crate) fn matcher(&self, postings: &[Vec<Posting>], rarity: Rarity) -> Matcher {
        let mut matcher = Matcher::default();
        let turns_with = |variant: &Variant| postings.get(variant.leaf).map_or(0, Vec::len);
        let scored = self.scored();
        let variants = scored.iter().flat_map(|index| &self.concepts[*index].variants);
        let commonest = variants.map(turns_with).max().unwrap_or(0);
        for index in scored {
            let concept = &self.concepts[index];
            for variant in &concept.variants {
                let found = turns_with(variant);
                let rarity = match rarity {
                    Rarity::Flat => 1.0,
                    Rarity::InverseFrequency => 1.0 + ((commonest as f32 + 1.0) / (found as f32 + 1.0)).ln(),
                };
                let weight = concept.weight * variant.weight * rarity;
                match &self.leaves[variant.leaf] {
                    Leaf::Terms(terms) => matcher.add_terms(index as u32, weight, terms),
                    Leaf::Phrase(phrase) => matcher.add_phrase(index as u32, weight, phrase),
                    Leaf::Near { operands, .. } => {
                        for operand in operands {
                            matcher.add_phrase(index as u32, weight, operand);
                        }
                    }
                }
            }
        }
        matcher
    }

    /// The concepts that hits must not have, and that are not asked for elsewhere in the query.
    fn excluded(&self) -> Vec<usize> {
        fn collect(condition: &Condition, gone: bool, wanted: &mut Vec<usize>, unwanted: &mut Vec<usize>) {
            match condition {
                Condition::Any(concepts) => (if gone { unwanted } else { wanted }).extend(concepts),
                Condition::All(conditions) | Condition::Either(conditions) => {
                    conditions
                        .iter()
                        .for_each(|condition| collect(condition, gone, wanted, unwanted));
                }
                Condition::Without(kept, without) => {
                    collect(kept, gone, wanted, unwanted);
                    without
                        .iter()
                        .for_each(|condition| collect(condition, true, wanted, unwanted));
                }
            }
        }
        let (mut wanted, mut unwanted) = (Vec::new(), Vec::new());
        if let Some(condition) = &self.condition {
            collect(condition, false, &mut wanted, &mut unwanted);
        }
        unwanted.retain(|concept| !wanted.contains(concept));
        unwanted
    }

    /// The concepts that add to scores: all but the excluded ones.
    pub(crate) fn scored(&self) -> Vec<usize> {
        let excluded = self.excluded();
        (0..self.concepts.len())
            .filter(|index| !excluded.contains(index))
            .collect()
    }
}
