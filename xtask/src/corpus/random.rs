//! A tiny generator of random numbers whose sequence is part of the corpus format.
//!
//! A crate would do as well, but most of them reserve the right to change their sequence with a new version, and
//! then benchmarks of two years could no longer be compared.

/// SplitMix64: one addition and one mix per number, and any seed is a good seed.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// An independent sequence for a named part of a whole: the same parts give the same sequence.
    pub(crate) fn derived(seed: u64, part: u64) -> Self {
        Self::new(mix(seed ^ mix(part.wrapping_add(0x9E37_79B9_7F4A_7C15))))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.state)
    }

    /// A number in `0..n`; `n` must not be 0.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// A number in `low..high`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low)
    }

    /// A number in `[0, 1)`.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    pub(crate) fn one_of<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    /// A size with a heavy tail (log-logistic). The smaller `shape`, the heavier; 1.6 and up has a usable mean.
    pub(crate) fn heavy(&mut self, median: f64, shape: f64, most: usize) -> usize {
        let u = self.unit().clamp(1e-9, 1.0 - 1e-9);
        ((median * (u / (1.0 - u)).powf(1.0 / shape)) as usize).clamp(1, most)
    }
}

/// The finaliser of SplitMix64: every input bit reaches every output bit.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}
