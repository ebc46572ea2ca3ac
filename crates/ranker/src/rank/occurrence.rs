use crate::Posting;
use crate::corpus::Run;

/// A posting of a part: its variants together.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Occurrence {
    pub(crate) turn: u32,
    /// The frequencies of the variants times their weights, added up.
    pub(crate) tf: f32,
    /// The weight of the best variant.
    pub(crate) quality: f32,
}

impl Occurrence {
    fn new(posting: &Posting, weight: f32) -> Self {
        Self {
            turn: posting.turn,
            tf: posting.tf * weight,
            quality: weight,
        }
    }
}

/// The occurrences of a part, by ascending turn.
#[derive(Debug, Default)]
pub(crate) struct Occurrences {
    pub(super) all: Vec<Occurrence>,
}

impl Occurrences {
    /// Makes them those of some lists with their weights. `spare` is memory to work in.
    pub(super) fn merge(&mut self, lists: &[(&[Posting], f32)], spare: &mut Vec<Occurrence>) {
        let all = &mut self.all;
        all.clear();
        for (list, weight) in lists {
            if all.is_empty() {
                all.extend(list.iter().map(|posting| Occurrence::new(posting, *weight)));
            } else if !list.is_empty() {
                merge_two(all, list, *weight, spare);
                std::mem::swap(all, spare);
            }
        }
    }

    /// Adds those of some turns.
    pub(super) fn add(&mut self, postings: &[Posting]) {
        let more = postings.iter().map(|posting| Occurrence::new(posting, 1.0));
        self.all.extend(more);
        self.all.sort_by_key(|known| known.turn);
        self.all.dedup_by_key(|known| known.turn);
    }

    /// Those in some turns.
    pub(super) fn in_run(&self, run: Run) -> &[Occurrence] {
        let from = self.all.partition_point(|known| known.turn < run.start);
        let rest = &self.all[from..];
        let count = rest.iter().take_while(|known| known.turn < run.end).count();
        &rest[..count]
    }

    /// That of a turn.
    pub(super) fn of_turn(&self, turn: u32) -> Option<Occurrence> {
        let found = self.all.binary_search_by_key(&turn, |known| known.turn);
        found.ok().map(|at| self.all[at])
    }
}

/// How many times as long as another a list must be for leaps over what the other does not have.
pub(super) const MUCH_LONGER: usize = 32;

/// Merges a list into occurrences. Without branches in its loop: which of both comes next, nobody could foretell.
fn merge_two(one: &[Occurrence], other: &[Posting], weight: f32, out: &mut Vec<Occurrence>) {
    out.clear();
    if one.len() / MUCH_LONGER > other.len() {
        return merge_few(one, other, weight, out);
    }
    out.resize(one.len() + other.len(), Occurrence::default());
    let (mut left, mut right, mut count) = (0, 0, 0);
    while let (Some(a), Some(b)) = (one.get(left), other.get(right)) {
        let (has_a, has_b) = (a.turn <= b.turn, b.turn <= a.turn);
        let b = Occurrence::new(b, weight);
        let (tf_a, quality_a) = if has_a { (a.tf, a.quality) } else { (0.0, 0.0) };
        let (tf_b, quality_b) = if has_b { (b.tf, b.quality) } else { (0.0, 0.0) };
        out[count] = Occurrence {
            turn: a.turn.min(b.turn),
            tf: tf_a + tf_b,
            quality: if quality_a > quality_b {
                quality_a
            } else {
                quality_b
            },
        };
        left += usize::from(has_a);
        right += usize::from(has_b);
        count += 1;
    }
    out.truncate(count);
    out.extend_from_slice(&one[left..]);
    out.extend(
        other[right..]
            .iter()
            .map(|posting| Occurrence::new(posting, weight)),
    );
}

/// The same for a list with little in it.
fn merge_few(one: &[Occurrence], other: &[Posting], weight: f32, out: &mut Vec<Occurrence>) {
    out.reserve(one.len() + other.len());
    let mut rest = one;
    for posting in other {
        let (before, behind) = rest.split_at(rest.partition_point(|known| known.turn < posting.turn));
        out.extend_from_slice(before);
        rest = behind;
        let mut own = Occurrence::new(posting, weight);
        if let Some((same, behind)) = rest.split_first()
            && same.turn == own.turn
        {
            own.tf += same.tf;
            own.quality = own.quality.max(same.quality);
            rest = behind;
        }
        out.push(own);
    }
    out.extend_from_slice(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_become_one_by_ascending_turn() {
        let list =
            |turns: &[u32]| -> Vec<Posting> { turns.iter().map(|turn| Posting::new(*turn, 2.0)).collect() };
        let (words, forms, none) = (list(&[1, 4, 6]), list(&[0, 4, 9]), list(&[]));
        let lists = [
            (&none[..], 1.0),
            (&forms[..], 0.5),
            (&words[..], 1.0),
            (&none[..], 0.3),
        ];
        let mut merged = Occurrences::default();
        merged.merge(&lists, &mut Vec::new());
        let known = merged.all.clone();
        let expected = [
            (0, 1.0, 0.5),
            (1, 2.0, 1.0),
            (4, 3.0, 1.0),
            (6, 2.0, 1.0),
            (9, 1.0, 0.5),
        ];
        assert_eq!(
            merged.all,
            expected.map(|(turn, tf, quality)| Occurrence { turn, tf, quality })
        );
        for more in [&[][..], &[0], &[4, 5], &[9, 10], &[0, 1, 2, 3, 4, 5, 6, 7]] {
            let (mut one, mut other) = (Vec::new(), Vec::new());
            merge_two(&known, &list(more), 0.5, &mut one);
            merge_few(&known, &list(more), 0.5, &mut other);
            assert_eq!(one, other, "{more:?}");
        }
    }
}
