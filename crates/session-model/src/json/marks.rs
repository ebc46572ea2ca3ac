//! What a line holds, found in one pass over its bytes: where its strings begin and end, whether an escape is wrong,
//! whether there are control characters or bytes above ASCII.
//!
//! Looking for one quote after the other costs a mispredicted branch each, and there is one every twenty bytes. So
//! blocks of 64 bytes are turned into bit masks, one bit per byte, with the widest vectors that the machine has, and
//! escapes are settled by arithmetic on the masks.

use fearless_simd::{Level, dispatch, prelude::*, u8x64};

const BLOCK: usize = 64;
/// So many bytes are marked at first where it is not known how far the walk will come; then four times as many, and so on.
const FIRST_PIECE: usize = 4 * BLOCK;
const LARGEST_PIECE: usize = 64 << 10;

/// The marks of a line, from a place outside of strings on.
#[derive(Debug)]
pub(crate) struct Marks {
    level: Level,
    /// One bit for every marked byte from `base` on: a quote that no backslash escapes. None is set behind a bad escape, so
    /// that the string with it has no end.
    quotes: Vec<u64>,
    base: usize,
    /// The bytes before are marked.
    end: usize,
    /// The bytes from here on are never marked.
    limit: usize,
    /// So many bytes are marked next.
    piece: usize,
    /// 1 when the last marked byte escapes the one behind it.
    carry: u64,
    /// The first escape that JSON does not know.
    bad: usize,
    /// Bytes below 0x20 were seen.
    control: bool,
    /// Bytes above ASCII were seen.
    high: bool,
}

impl Default for Marks {
    fn default() -> Self {
        Self {
            level: Level::new(),
            quotes: Vec::new(),
            base: 0,
            end: 0,
            limit: 0,
            piece: 0,
            carry: 0,
            bad: usize::MAX,
            control: false,
            high: false,
        }
    }
}

impl Marks {
    /// Marks the whole line. Carriage returns at its end are left out: they are no control characters that matter.
    pub(super) fn whole(&mut self, line: &[u8]) {
        let returns = line.iter().rev().take_while(|&&byte| byte == b'\r').count();
        self.begin(0, line.len() - returns);
        self.mark(line, self.limit);
    }

    /// Begins to mark a line at `base`, up to `limit`; more is marked as it is asked for.
    pub(super) fn begin(&mut self, base: usize, limit: usize) {
        (self.base, self.end, self.limit, self.piece) = (base, base, limit, FIRST_PIECE);
        self.quotes.clear();
        (self.carry, self.bad) = (0, usize::MAX);
        (self.control, self.high) = (false, false);
    }

    /// The first quote from `at` on, which must not lie before the marks began.
    #[inline(always)]
    pub(super) fn quote_from(&mut self, line: &[u8], at: usize) -> Option<usize> {
        let place = at - self.base;
        if let Some(word) = self.quotes.get(place / BLOCK) {
            let word = word >> (place % BLOCK);
            if word != 0 {
                return Some(at + word.trailing_zeros() as usize);
            }
        }
        self.quote_behind(line, place)
    }

    /// The same, where it is not in a marked block with the place.
    #[inline(never)]
    fn quote_behind(&mut self, line: &[u8], place: usize) -> Option<usize> {
        let mut word = place / BLOCK;
        let mut mask = u64::MAX << (place % BLOCK);
        if self.base + place < self.end {
            (word, mask) = (word + 1, u64::MAX);
        }
        loop {
            while let Some(quotes) = self.quotes.get(word) {
                let found = quotes & mask;
                if found != 0 {
                    return Some(self.base + word * BLOCK + found.trailing_zeros() as usize);
                }
                (word, mask) = (word + 1, u64::MAX);
            }
            if self.end == self.limit || self.bad < self.end {
                return None;
            }
            self.mark(line, self.limit.min(self.end + self.piece));
            self.piece = (4 * self.piece).min(LARGEST_PIECE);
        }
    }

    /// The first escape that JSON does not know among the marked bytes.
    pub(super) fn bad(&self) -> Option<usize> {
        (self.bad < self.end).then_some(self.bad)
    }

    /// The first control character inside of a string, of those strings that begin and end in a range of marked bytes.
    pub(super) fn control_in_string(&mut self, line: &[u8], mut at: usize, end: usize) -> Option<usize> {
        while let Some(start) = self.quote_from(line, at).filter(|&start| start < end) {
            let close = self.quote_from(line, start + 1)?.min(end);
            let control = line[start..close].iter().position(|&byte| byte < 0x20);
            if let Some(control) = control {
                return Some(start + control);
            }
            at = close + 1;
        }
        None
    }

    /// There are control characters among the marked bytes.
    pub(crate) fn control(&self) -> bool {
        self.control
    }

    /// There are bytes above ASCII among the marked bytes.
    pub(crate) fn high(&self) -> bool {
        self.high
    }

    /// Marks the bytes up to `to`: whole blocks, unless the line ends there.
    fn mark(&mut self, line: &[u8], to: usize) {
        let needed = (to - self.base).div_ceil(BLOCK);
        self.quotes.resize(needed, 0);
        dispatch!(self.level, simd => self.mark_with(simd, line, to));
        self.end = to;
        if self.bad < to {
            let bad = self.bad - self.base;
            self.quotes[bad / BLOCK] &= (1 << (bad % BLOCK)) - 1;
            self.quotes[bad / BLOCK + 1..].fill(0);
        }
    }

    #[inline(always)]
    fn mark_with<S: Simd>(&mut self, simd: S, line: &[u8], to: usize) {
        simd.vectorize(
            #[inline(always)]
            || {
                let [quote, slash, letter_n, letter_t, space] =
                    [b'"', b'\\', b'n', b't', b' '].map(|byte| u8x64::splat(simd, byte));
                let (mut lowest, mut all) = (space, space);
                let mut carry = self.carry;
                let mut at = self.end;
                let first = (at - self.base) / BLOCK;
                let (blocks, rest) = line[at..to].as_chunks::<BLOCK>();
                let mut padded = [b' '; BLOCK];
                padded[..rest.len()].copy_from_slice(rest);
                let last: &[[u8; BLOCK]] = if rest.is_empty() { &[] } else { &[padded] };
                for (block, word) in blocks.iter().chain(last).zip(&mut self.quotes[first..]) {
                    let bytes: u8x64<S> = (*block).simd_into(simd);
                    let quotes = bytes.simd_eq(quote).to_bitmask();
                    let slashes = bytes.simd_eq(slash).to_bitmask();
                    lowest = lowest.min(bytes);
                    all |= bytes;
                    *word = quotes;
                    if slashes | carry != 0 {
                        let escaped = escaped(slashes, &mut carry);
                        *word &= !escaped;
                        // Nearly all escapes are these; the others are looked at one by one.
                        let letters = bytes.simd_eq(letter_n) | bytes.simd_eq(letter_t);
                        let others = escaped & !(quotes | slashes | letters.to_bitmask());
                        if others != 0 {
                            self.bad = self.bad.min(first_bad(line, at, others));
                        }
                    }
                    at += BLOCK;
                }
                self.carry = carry;
                self.control |= lowest.simd_lt(space).any_true();
                self.high |= all.simd_ge(u8x64::splat(simd, 0x80)).any_true();
            },
        );
    }
}

/// The bytes behind a backslash that is not escaped itself: in a run of backslashes every second one escapes. `carry` is
/// 1 when the byte before the block escapes its first one.
#[inline(always)]
fn escaped(slashes: u64, carry: &mut u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let slashes = slashes & !*carry;
    let follows = (slashes << 1) | *carry;
    // Adding a run's first bit to the run carries to the first byte behind it; whether that is escaped depends on
    // whether the run began and ended on bits of the same parity.
    let odd_starts = slashes & !EVEN & !follows;
    let (sums, overflow) = odd_starts.overflowing_add(slashes);
    *carry = u64::from(overflow);
    (EVEN ^ (sums << 1)) & follows
}

/// The first byte of a block behind a backslash that makes no escape with it.
#[inline(never)]
fn first_bad(line: &[u8], block: usize, mut escaped: u64) -> usize {
    while escaped != 0 {
        let at = block + escaped.trailing_zeros() as usize;
        if !is_escape(line, at) {
            return at;
        }
        escaped &= escaped - 1;
    }
    usize::MAX
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

    /// All quotes and the first bad escape, in each way to mark and with every kind of vectors the machine has.
    fn all(line: &[u8], from: usize) -> (Vec<usize>, usize) {
        let found = levels().into_iter().flat_map(|level| {
            let mut marks = Marks {
                level,
                ..Marks::default()
            };
            marks.begin(from, line.len());
            marks.mark(line, line.len());
            let at_once = quotes(&mut marks, line, from);
            marks.begin(from, line.len());
            [at_once, quotes(&mut marks, line, from)]
        });
        let mut found: Vec<_> = found.collect();
        found.dedup();
        assert_eq!(found.len(), 1, "{}", line.escape_ascii());
        found.remove(0)
    }

    fn levels() -> Vec<Level> {
        let best = Level::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        let others = [
            best.as_avx2().map(Level::Avx2),
            best.as_sse4_2().map(Level::Sse4_2),
            best.as_sse2().map(Level::Sse2),
        ];
        #[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
        let others = [];
        others.into_iter().flatten().chain([best]).collect()
    }

    fn quotes(marks: &mut Marks, line: &[u8], from: usize) -> (Vec<usize>, usize) {
        let (mut found, mut at) = (Vec::new(), from);
        while let Some(quote) = marks.quote_from(line, at) {
            found.push(quote);
            at = quote + 1;
        }
        (found, marks.bad().unwrap_or(usize::MAX))
    }

    /// The same, byte by byte.
    fn slowly(line: &[u8], from: usize) -> (Vec<usize>, usize) {
        let (mut found, mut bad, mut at) = (Vec::new(), usize::MAX, from);
        while at < line.len() {
            match line[at] {
                b'\\' => {
                    at += 1;
                    if at < line.len() && !is_escape(line, at) {
                        bad = at;
                        break;
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
            for before in [0, 58, 60, 61, 63, 125, 255] {
                let mut line = vec![b'.'; before];
                line.extend_from_slice(&word);
                // An escape that ends with the line is no escape, and no string ends there.
                assert_eq!(all(&line, 0), slowly(&line, 0), "{}", line.escape_ascii());
                line.extend_from_slice(&[b'y'; 70]);
                assert_eq!(all(&line, 0), slowly(&line, 0), "{}", line.escape_ascii());
            }
        }
    }

    #[test]
    fn long_runs_of_backslashes_reach_over_blocks() {
        for length in 0..300 {
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

    #[test]
    fn kinds_of_bytes_are_told_apart() {
        let mut marks = Marks::default();
        let mut kinds = |line: &[u8]| {
            // What was marked before is forgotten.
            marks.whole(b"\x01\xff");
            marks.whole(line);
            (marks.control(), marks.high())
        };
        for before in [0, 1, 63, 64, 65, 130] {
            let mut seen = |bytes: &[u8]| kinds(&[&vec![b' '; before], bytes].concat());
            assert_eq!(seen(b""), (false, false));
            assert_eq!(seen(b"plain\x7f\r\r"), (false, false));
            assert_eq!(seen(b"a\rb"), (true, false));
            assert_eq!(seen(b"a\tb"), (true, false));
            assert_eq!(seen(b"\0"), (true, false));
            assert_eq!(seen("a\u{e9}b".as_bytes()), (false, true));
            assert_eq!(seen(b"\x1f\x80"), (true, true));
        }
    }
}
