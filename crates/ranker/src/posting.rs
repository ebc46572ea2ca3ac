use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

/// One turn in which a leaf of a query occurs.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Posting {
    /// The dense ordinal of the turn in the [`Corpus`](crate::Corpus).
    pub turn: u32,
    /// How often the leaf occurs there.
    pub tf: f32,
}

impl Posting {
    /// A posting of `turn` with a term frequency of `tf`.
    pub const fn new(turn: u32, tf: f32) -> Self {
        Self { turn, tf }
    }
}

/// One thing that a [`Provider`](crate::Provider) looks up: where a term, a phrase or a neighbourhood occurs.
///
/// A plan holds each leaf once, however often the query uses it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Leaf {
    /// Turns with at least one of these terms; their frequencies add up. One term for an exact word, several for
    /// word forms, prefixes, infixes and typos. Never empty, sorted, without repeats.
    Terms(Vec<SmolStr>),
    /// Turns in which the phrase occurs; the frequency is the number of its occurrences.
    Phrase(Phrase),
    /// Turns in which all operands stand within `distance` positions of one another, in any order.
    Near {
        /// The words or phrases.
        operands: Vec<Phrase>,
        /// How many positions may lie between the first and the last of them beyond their own lengths.
        distance: u32,
    },
}

/// Terms at fixed positions relative to one another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Phrase {
    /// The places of the phrase, by ascending offset. Never empty; the first offset is 0.
    pub slots: Vec<Slot>,
}

/// One place of a [`Phrase`].
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Slot {
    /// Position relative to the start of the phrase.
    pub offset: u32,
    /// The terms that fit here: one for a word, several for the open end of a prefix.
    pub terms: Vec<SmolStr>,
}

impl Phrase {
    /// The phrase of terms that follow one another without a gap.
    pub fn of_terms<T: AsRef<str>>(terms: impl IntoIterator<Item = T>) -> Self {
        let slots = terms
            .into_iter()
            .zip(0..)
            .map(|(term, offset)| Slot {
                offset,
                terms: vec![SmolStr::new(term)],
            })
            .collect();
        Self { slots }
    }

    /// Number of positions from the first to the last place, both included.
    pub fn span(&self) -> u32 {
        self.slots.last().map_or(0, |slot| slot.offset + 1)
    }
}

impl Leaf {
    /// The leaf of a single term.
    pub fn term(term: impl AsRef<str>) -> Self {
        Self::Terms(vec![SmolStr::new(term)])
    }

    /// The leaf of any of some terms; sorts them and drops repeats.
    pub fn any_of(mut terms: Vec<SmolStr>) -> Self {
        terms.sort_unstable();
        terms.dedup();
        Self::Terms(terms)
    }
}
