//! Where the strings of a line begin and end, found 64 bytes at a time.
//!
//! Looking for one quote after the other costs a mispredicted branch each, and there is one every twenty bytes. So
//! whole blocks are turned into bit masks, one bit per byte, and escapes are settled by arithmetic on the masks.

use wide::u8x16;

const BLOCK: usize = 64;

/// The quotes of a line that no backslash escapes, in order, from a place outside of strings on.
#[derive(Debug)]
pub(super) struct Quotes {
    /// Where the block begins.
    base: usize,
    /// Quotes of the block that were not handed out yet.
    mask: u64,
    /// 1 when the last byte of the block escapes the first byte of the next.
    carry: u64,
    /// The first escape that JSON does not know.
    bad: usize,
}

impl Quotes {
    pub(super) fn from(line: &[u8], base: usize) -> Self {
        let mut quotes = Self {
            base,
            mask: 0,
            carry: 0,
            bad: usize::MAX,
        };
        quotes.load(line);
        quotes
    }

    /// The end of the string that begins with the next quote, where both quotes are in one block and everything up to
    /// there is right. `None` says nothing, and nothing was passed.
    #[inline(always)]
    pub(super) fn string_in_block(&mut self) -> Option<usize> {
        let closing = self.mask & self.mask.wrapping_sub(1);
        if closing == 0 {
            return None;
        }
        let end = self.base + closing.trailing_zeros() as usize;
        if self.bad < end {
            return None;
        }
        self.mask = closing & (closing - 1);
        Some(end)
    }

    /// The next quote.
    #[inline(always)]
    pub(super) fn next(&mut self, line: &[u8]) -> Option<usize> {
        if self.mask == 0 {
            self.advance(line);
            if self.mask == 0 {
                return None;
            }
        }
        let at = self.base + self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        Some(at)
    }

    /// Goes on to the next block that has a quote.
    fn advance(&mut self, line: &[u8]) {
        let (blocks, rest) = line
            .get(self.base + BLOCK..)
            .unwrap_or_default()
            .as_chunks::<BLOCK>();
        for block in blocks {
            self.base += BLOCK;
            self.read(line, block);
            if self.mask != 0 {
                return;
            }
        }
        if !rest.is_empty() {
            self.base += BLOCK;
            self.load(line);
        }
    }

    /// Goes on at `at`, outside of strings, where no backslash stands between the quote handed out last and there.
    #[inline]
    pub(super) fn pass_plain(&mut self, line: &[u8], at: usize) {
        let passed = at - self.base;
        if passed < BLOCK {
            self.mask &= u64::MAX << passed;
        } else {
            (self.base, self.carry) = (at, 0);
            self.load(line);
        }
    }

    /// The first bad escape of all that was looked at, which may lie behind the quote handed out last.
    #[inline]
    pub(super) fn bad(&self) -> usize {
        self.bad
    }

    fn load(&mut self, line: &[u8]) {
        let rest = &line[self.base..];
        match rest.first_chunk() {
            Some(block) => self.read(line, block),
            None => {
                let mut padded = [0; BLOCK];
                padded[..rest.len()].copy_from_slice(rest);
                self.read(line, &padded);
            }
        }
    }

    #[inline(always)]
    fn read(&mut self, line: &[u8], block: &[u8; BLOCK]) {
        let lane = |at: usize| {
            let mut lane = [0; 16];
            lane.copy_from_slice(&block[at..at + 16]);
            u8x16::new(lane)
        };
        let lanes = [lane(0), lane(16), lane(32), lane(48)];
        let (quote, slash) = (u8x16::splat(b'"'), u8x16::splat(b'\\'));
        let quotes = lanes.map(|lane| lane.simd_eq(quote));
        let slashes = lanes.map(|lane| lane.simd_eq(slash));
        // Inside of long texts most blocks have no backslash, and images have no quote either.
        let any_slash = (slashes[0] | slashes[1]) | (slashes[2] | slashes[3]);
        let any_quote = (quotes[0] | quotes[1]) | (quotes[2] | quotes[3]);
        if u64::from((any_slash | any_quote).to_bitmask()) | self.carry == 0 {
            self.mask = 0;
            return;
        }
        let quotes = bits(quotes);
        let slashes = bits(slashes);
        if slashes | self.carry == 0 {
            self.mask = quotes;
            return;
        }
        let escaped = self.escaped(slashes);
        self.mask = quotes & !escaped;
        // Nearly all escapes are these; the others are looked at one by one.
        let mut others = escaped & !(quotes | slashes | either_mask(&lanes, b'n', b't'));
        while others != 0 {
            let at = self.base + others.trailing_zeros() as usize;
            if !is_escape(line, at) {
                self.bad = self.bad.min(at);
            }
            others &= others - 1;
        }
    }

    /// The bytes behind a backslash that is not escaped itself: in a run of backslashes every second one escapes.
    #[inline]
    fn escaped(&mut self, slashes: u64) -> u64 {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let slashes = slashes & !self.carry;
        let follows = (slashes << 1) | self.carry;
        // Adding a run's first bit to the run carries to the first byte behind it; whether that is escaped depends on
        // whether the run began and ended on bits of the same parity.
        let odd_starts = slashes & !EVEN & !follows;
        let (sums, overflow) = odd_starts.overflowing_add(slashes);
        self.carry = u64::from(overflow);
        (EVEN ^ (sums << 1)) & follows
    }
}

#[inline(always)]
fn either_mask(lanes: &[u8x16; 4], one: u8, other: u8) -> u64 {
    let (one, other) = (u8x16::splat(one), u8x16::splat(other));
    bits(lanes.map(|lane| lane.simd_eq(one) | lane.simd_eq(other)))
}

/// One bit for every byte.
#[inline(always)]
fn bits(lanes: [u8x16; 4]) -> u64 {
    let [first, second, third, fourth] = lanes.map(|lane| u64::from(lane.to_bitmask()));
    first | second << 16 | third << 32 | fourth << 48
}

/// True when the byte at `at`, behind a backslash, makes an escape.
fn is_escape(line: &[u8], at: usize) -> bool {
    match line.get(at) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => true,
        Some(b'u') => line
            .get(at + 1..at + 5)
            .is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(line: &[u8], from: usize) -> (Vec<usize>, usize) {
        let mut quotes = Quotes::from(line, from);
        let found = std::iter::from_fn(|| quotes.next(line)).collect();
        (found, quotes.bad())
    }

    /// The same, byte by byte.
    fn slowly(line: &[u8], from: usize) -> (Vec<usize>, usize) {
        let (mut found, mut bad, mut at) = (Vec::new(), usize::MAX, from);
        while at < line.len() {
            match line[at] {
                b'\\' => {
                    at += 1;
                    if at < line.len() && !is_escape(line, at) {
                        bad = bad.min(at);
                    }
                }
                b'"' => found.push(at),
                _ => {}
            }
            at += 1;
        }
        (found, bad)
    }

    #[test]
    fn quotes_are_those_that_no_backslash_escapes() {
        // Every pattern of these bytes at every place around the border of two blocks.
        let bytes = [b'"', b'\\', b'x', b'n'];
        for pattern in 0..4u32.pow(6) {
            let word: Vec<u8> = (0..6)
                .map(|place| bytes[(pattern >> (2 * place)) as usize % 4])
                .collect();
            for before in [0, 1, 57, 58, 59, 60, 61, 62, 63, 64, 125] {
                let mut line = vec![b'.'; before];
                line.extend_from_slice(&word);
                let (mut found, mut expected) = (all(&line, 0), slowly(&line, 0));
                // An escape that ends with the line is no escape, and no string ends there.
                found.1 = found.1.min(line.len());
                expected.1 = expected.1.min(line.len());
                assert_eq!(found, expected, "{:?}", String::from_utf8_lossy(&line));
                line.extend_from_slice(&[b'y'; 70]);
                assert_eq!(
                    all(&line, 0),
                    slowly(&line, 0),
                    "{:?}",
                    String::from_utf8_lossy(&line)
                );
            }
        }
    }

    #[test]
    fn long_runs_of_backslashes_reach_over_blocks() {
        for length in 0..200 {
            for before in 0..3 {
                let line = [&vec![b'.'; before][..], &vec![b'\\'; length], b"\"n\""].concat();
                assert_eq!(all(&line, 0), slowly(&line, 0), "{length} {before}");
                assert_eq!(all(&line, before), slowly(&line, before), "{length} {before}");
            }
        }
    }

    #[test]
    fn escapes_of_four_digits_need_them() {
        assert_eq!(all(br#""\u00e9\ud83d""#, 0).1, usize::MAX);
        assert_eq!(all(br#""\u00g9""#, 0).1, 2);
        assert_eq!(all(br#""\/\b\f\r\x""#, 0).1, 10);
    }
}
