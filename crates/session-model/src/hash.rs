//! Hashing: a keyed one for tables of ids, and one that stays the same across versions.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Hashes short keys much faster than the standard hasher. Every table has a key of its own, so that a hostile file
/// cannot be made of ids that collide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keyed {
    start: u64,
    factor: u64,
}

impl Default for Keyed {
    fn default() -> Self {
        let random = RandomState::new();
        Self {
            start: random.hash_one(1u8),
            factor: random.hash_one(2u8) | 1,
        }
    }
}

impl BuildHasher for Keyed {
    type Hasher = KeyedHasher;

    fn build_hasher(&self) -> KeyedHasher {
        KeyedHasher {
            state: self.start,
            factor: self.factor,
        }
    }
}

pub(crate) struct KeyedHasher {
    state: u64,
    factor: u64,
}

impl KeyedHasher {
    /// Both halves of the product: every bit of the input reaches every bit of the state.
    fn fold(&mut self, word: u64) {
        let product = u128::from(self.state ^ word) * u128::from(self.factor ^ word.rotate_left(32));
        self.state = (product as u64) ^ ((product >> 64) as u64) ^ self.factor;
    }
}

impl Hasher for KeyedHasher {
    fn write(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.fold(little_endian(word));
        }
        self.fold(little_endian(words.remainder()) ^ (bytes.len() as u64) << 56);
    }

    fn write_u8(&mut self, byte: u8) {
        self.state = self.state.rotate_left(8) ^ u64::from(byte);
    }

    fn finish(&self) -> u64 {
        self.state
    }
}

/// Up to eight bytes as a number.
fn little_endian(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(word)
}

/// A hash that is the same on every machine and in every version. It does not withstand an attacker.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stable(u64);

impl Stable {
    const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;

    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let mut words = bytes.chunks_exact(8);
        for word in &mut words {
            self.word(little_endian(word));
        }
        self.word(little_endian(words.remainder()));
        self.word(bytes.len() as u64);
    }

    pub(crate) fn word(&mut self, word: u64) {
        let product = u128::from(self.0 ^ word) * u128::from(Self::PRIME);
        self.0 = (product as u64) ^ ((product >> 64) as u64).rotate_left(17) ^ word.rotate_left(41);
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn similar_ids_do_not_collide() {
        let keyed = Keyed::default();
        let ids: Vec<String> = (0..100_000u32).map(|number| format!("{number:08x}")).collect();
        let hashes: HashSet<u64> = ids.iter().map(|id| keyed.hash_one(id.as_str())).collect();
        assert_eq!(hashes.len(), ids.len());
        // A table uses the low bits.
        let low: HashSet<u64> = hashes.iter().map(|hash| hash & 0xffff).collect();
        assert!(low.len() > 45_000, "{}", low.len());
    }

    #[test]
    fn the_stable_hash_tells_order_and_length_apart() {
        let hash = |parts: &[&[u8]]| {
            let mut hash = Stable::new();
            parts.iter().for_each(|part| hash.feed(part));
            hash.finish()
        };
        let all: HashSet<u64> = [
            hash(&[]),
            hash(&[b""]),
            hash(&[b"\0"]),
            hash(&[b"ab", b"c"]),
            hash(&[b"a", b"bc"]),
            hash(&[b"12345678"]),
            hash(&[b"12345678", b""]),
        ]
        .into();
        assert_eq!(all.len(), 7);
        assert_eq!(hash(&[b"lookback"]), hash(&[b"lookback"]));
    }
}
