//! Words that are worth more near one another: at most so much, until somebody reads where they stand.
//!
//! Reading positions is the dearest of all a search does, and most turns that have both words are in sessions that come
//! nowhere near the page. So it is done for those sessions alone whose score it can matter for.

use super::occurrence::{MUCH_LONGER, Occurrence, Occurrences};
use super::rarity::Worth;
use crate::plan::Concept;
use crate::posting::Leaf;

/// Two words of the query that are worth more near one another.
pub(super) struct Pair<'a> {
    /// Where they are near one another.
    pub(super) leaf: &'a Leaf,
    pub(super) concepts: [usize; 2],
    pub(super) worth: Worth,
    /// The turns with both words, each as if they were near one another there as often as they can be.
    pub(super) most: Occurrences,
}

/// A word and where it occurs.
#[derive(Clone, Copy)]
pub(super) struct Word<'a> {
    occurrences: &'a Occurrences,
    /// How many of the weakest form weigh as much as the word.
    weakest: f32,
}

impl<'a> Word<'a> {
    pub(super) fn new(concept: &Concept, occurrences: &'a Occurrences) -> Self {
        let weights = concept.variants.iter().map(|variant| variant.weight);
        Self {
            occurrences,
            weakest: weights.fold(f32::INFINITY, f32::min).recip(),
        }
    }

    /// How often the word can be in a turn: one form is as good as the best one there, the others may all be the weakest.
    #[inline]
    fn most(&self, Occurrence { tf, quality, .. }: Occurrence) -> f32 {
        1.0 + (tf - quality).max(0.0) * self.weakest
    }
}

/// The turns with both words. No place of a word counts in two neighbourhoods, so that there are no more of them than of
/// the rarer word.
pub(super) fn most_often(one: Word<'_>, other: Word<'_>, out: &mut Occurrences) {
    let (few, many) = match one.occurrences.all.len() <= other.occurrences.all.len() {
        true => (one, other),
        false => (other, one),
    };
    out.all.clear();
    let both = |a: Occurrence, b: Occurrence| Occurrence {
        turn: a.turn,
        tf: few.most(a).min(many.most(b)),
        quality: 1.0,
    };
    let (a, b) = (&few.occurrences.all, &many.occurrences.all);
    if b.len() / MUCH_LONGER > a.len() {
        let mut rest = b.as_slice();
        for one in a {
            rest = &rest[rest.partition_point(|other| other.turn < one.turn)..];
            if let Some(other) = rest.first().filter(|other| other.turn == one.turn) {
                out.all.push(both(*one, *other));
            }
        }
        return;
    }
    out.all.resize(a.len(), Occurrence::default());
    let (mut at, mut place, mut count) = (0, 0, 0);
    // Without a branch on what they are, as nobody could foretell which list goes on.
    while let (Some(one), Some(other)) = (a.get(at).copied(), b.get(place).copied()) {
        out.all[count] = both(one, other);
        count += usize::from(one.turn == other.turn);
        at += usize::from(one.turn <= other.turn);
        place += usize::from(other.turn <= one.turn);
    }
    out.all.truncate(count);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Posting;

    #[test]
    fn words_are_together_as_often_as_the_rarer_one_at_most() {
        let list = |postings: &[(u32, f32)]| -> Vec<Posting> {
            postings
                .iter()
                .map(|(turn, tf)| Posting::new(*turn, *tf))
                .collect()
        };
        let occurrences = |lists: &[(&[Posting], f32)]| {
            let mut all = Occurrences::default();
            all.merge(lists, &mut Vec::new());
            all
        };
        let (word, form) = (
            list(&[(1, 2.0), (3, 1.0), (5, 1.0), (9, 4.0)]),
            list(&[(3, 2.0), (9, 3.0)]),
        );
        let one = occurrences(&[(&word, 1.0), (&form, 0.5)]);
        let other = occurrences(&[(&list(&[(0, 1.0), (3, 9.0), (5, 3.0), (8, 1.0), (9, 9.0)]), 1.0)]);
        let one = Word {
            occurrences: &one,
            weakest: 2.0,
        };
        let other = Word {
            occurrences: &other,
            weakest: 1.0,
        };
        for (one, other) in [(one, other), (other, one)] {
            let mut most = Occurrences::default();
            most_often(one, other, &mut most);
            let found: Vec<(u32, f32)> = most.all.iter().map(|found| (found.turn, found.tf)).collect();
            // Turn 3 has three of the first word, turn 9 seven; of the three and more that a weaker form may be, none too few.
            assert_eq!(found, [(3, 3.0), (5, 1.0), (9, 9.0)]);
            assert!(most.all.iter().all(|found| found.quality == 1.0));
        }
        let long: Vec<Posting> = (0..500).map(|turn| Posting::new(turn, 1.0)).collect();
        let long = occurrences(&[(&long, 1.0)]);
        let long = Word {
            occurrences: &long,
            weakest: 1.0,
        };
        let mut most = Occurrences::default();
        most_often(one, long, &mut most);
        let turns: Vec<u32> = most.all.iter().map(|found| found.turn).collect();
        assert_eq!(turns, [1, 3, 5, 9]);
    }
}
