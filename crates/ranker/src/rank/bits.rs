/// A set of ordinals, one bit each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    pub(crate) fn new(size: usize) -> Self {
        Self {
            words: vec![0; size.div_ceil(64)],
        }
    }

    pub(crate) fn insert(&mut self, ordinal: u32) {
        if let Some(word) = self.words.get_mut(ordinal as usize / 64) {
            *word |= 1 << (ordinal % 64);
        }
    }

    #[inline]
    pub(crate) fn contains(&self, ordinal: u32) -> bool {
        self.words
            .get(ordinal as usize / 64)
            .is_some_and(|word| word >> (ordinal % 64) & 1 == 1)
    }

    pub(crate) fn unite(&mut self, other: &Self) {
        self.combine(other, |one, other| one | other);
    }

    pub(crate) fn intersect(&mut self, other: &Self) {
        self.combine(other, |one, other| one & other);
    }

    pub(crate) fn subtract(&mut self, other: &Self) {
        self.combine(other, |one, other| one & !other);
    }

    fn combine(&mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) {
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            *word = combine(*word, *other);
        }
    }

    /// Keeps what is to be kept.
    pub(crate) fn retain(&mut self, mut keeps: impl FnMut(u32) -> bool) {
        for (start, word) in (0u32..).step_by(64).zip(&mut self.words) {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                if !keeps(start + bit) {
                    *word &= !(1 << bit);
                }
            }
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The ordinals, ascending.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(index, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let bit = rest.trailing_zeros();
                    rest &= rest - 1;
                    index as u32 * 64 + bit
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_come_back_in_order() {
        let mut bits = Bits::new(200);
        for ordinal in [3, 64, 199, 0, 500] {
            bits.insert(ordinal);
        }
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 3, 64, 199]);
        assert_eq!(bits.count(), 4);
        assert!(bits.contains(3) && !bits.contains(65) && !bits.contains(500));
    }
}
