//! Needles in ASCII: blocks of bytes are looked at for two letters of each needle side by side or with a joint between
//! them; where a block has them, the needle is matched byte by byte.

use std::ops::Range;

use fearless_simd::{Level, dispatch, prelude::*, u8x64};
use lookback_ranker::analysis::PIECE_CHARS;
use memchr::memchr2_iter;

use crate::sample::Sample;

/// Bytes looked at together.
const BLOCK: usize = 64;

/// A term or a piece of one, folded: small letters, digits, and rarely `+` or `#`.
#[derive(Debug)]
pub(super) struct AsciiNeedle {
    text: Box<[u8]>,
    /// The place of the rarest two neighbours in the text.
    pair_at: usize,
    /// These two, with [`CASE`] set.
    first: u8,
    second: u8,
    /// A whole term: where a small letter goes on before or behind, it is none.
    whole: bool,
}

/// What an ASCII letter and its other case differ in. Signs and digits collide with others when it is set, which costs
/// a look and no match.
const CASE: u8 = 0x20;

/// Where scanning stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    /// A needle matches at this place.
    Match(usize),
    /// A letter beyond ASCII, a mark or an escape stands here.
    Odd(usize),
}

impl Event {
    pub(super) fn at(self) -> usize {
        match self {
            Self::Match(at) | Self::Odd(at) => at,
        }
    }
}

/// Characters that may stand between two letters of a term: `user_name`, `re-index`, `don't`. Case is set.
const fn is_joint(cased: u8) -> bool {
    cased == b'-' || cased == b'_' | CASE || cased == b'\''
}

impl AsciiNeedle {
    /// `None` for a single letter.
    pub(super) fn new(text: &str, whole: bool, sample: &Sample) -> Option<Self> {
        let text: Box<[u8]> = text.as_bytes().into();
        let pair_at =
            (0..text.len().checked_sub(1)?).min_by_key(|&at| sample.pair(text[at], text[at + 1]))?;
        Some(Self {
            pair_at,
            first: text[pair_at] | CASE,
            second: text[pair_at + 1] | CASE,
            // Pieces of very long words begin and end inside them.
            whole: whole && text.len() < PIECE_CHARS,
            text,
        })
    }

    /// Whether the needle stands around the first letter of its pair at `at`.
    fn matches(&self, bytes: &[u8], at: usize) -> bool {
        let same = |byte: u8, wanted: u8| byte.to_ascii_lowercase() == wanted;
        let mut end = at;
        for (index, &wanted) in self.text[self.pair_at..].iter().enumerate() {
            if index > 0 {
                end = skip_joints(bytes, end);
            }
            if !bytes.get(end).is_some_and(|&byte| same(byte, wanted)) {
                return false;
            }
            end += 1;
        }
        let mut start = at;
        for &wanted in self.text[..self.pair_at].iter().rev() {
            while start > 0 && is_joint(bytes[start - 1] | CASE) {
                start -= 1;
            }
            if start == 0 || !same(bytes[start - 1], wanted) {
                return false;
            }
            start -= 1;
        }
        (!self.whole || (may_start(bytes, start) && may_end(bytes, end))) && !is_structure(bytes, start, end)
    }

    /// How often the needle stands in some bytes.
    pub(super) fn count(&self, bytes: &[u8]) -> usize {
        let starts = memchr2_iter(self.first, self.first & !CASE, bytes);
        starts.filter(|&at| self.matches(bytes, at)).count()
    }
}

fn skip_joints(bytes: &[u8], mut at: usize) -> usize {
    while bytes.get(at).is_some_and(|&byte| is_joint(byte | CASE)) {
        at += 1;
    }
    at
}

/// Whether a term can begin here: not inside a word, unless a capital starts a part of it.
fn may_start(bytes: &[u8], at: usize) -> bool {
    let Some(&before) = at.checked_sub(1).and_then(|before| bytes.get(before)) else {
        return true;
    };
    if !before.is_ascii_alphanumeric() || bytes[at].is_ascii_uppercase() || !bytes[at].is_ascii_alphanumeric()
    {
        return true;
    }
    // The letter before may belong to an escape, `\n` or `\u000a`.
    let escaped = bytes[at.saturating_sub(6)..at].contains(&b'\\');
    // Very long words are cut into pieces, which begin anywhere.
    let in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte >= 0x80 || **byte == b'\\';
    escaped
        || bytes[..at]
            .iter()
            .rev()
            .take(PIECE_CHARS)
            .take_while(in_word)
            .count()
            == PIECE_CHARS
}

/// Whether a term can end before this byte.
fn may_end(bytes: &[u8], at: usize) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    !bytes.get(at).is_some_and(goes_on) || !bytes[at - 1].is_ascii_alphanumeric()
}

/// Whether a match is not in a text, but in the structure of the line: a key, or a value that is the whole string of
/// another key than those that hold texts. A quotation mark inside a text has a backslash before it.
fn is_structure(bytes: &[u8], start: usize, end: usize) -> bool {
    let Some(before) = bytes[..start].strip_suffix(b"\"") else {
        return false;
    };
    if before.ends_with(b"\\") || bytes.get(end) != Some(&b'"') {
        return false;
    }
    if bytes.get(end + 1) == Some(&b':') {
        return true;
    }
    before
        .strip_suffix(b"\":")
        .is_some_and(super::strings::is_other_key)
}

/// All needles of a search.
#[derive(Debug)]
pub(super) struct AsciiNeedles {
    list: Vec<AsciiNeedle>,
    /// The widest vectors of this machine.
    level: Level,
}

impl AsciiNeedles {
    pub(super) fn new(list: Vec<AsciiNeedle>) -> Self {
        Self {
            list,
            level: Level::new(),
        }
    }

    pub(super) fn events<'a>(&'a self, bytes: &'a [u8]) -> Events<'a> {
        Events {
            needles: &self.list,
            level: self.level,
            bytes,
            block: 0,
            end: 0,
            pairs: 0,
            odd: 0,
        }
    }
}

/// A walk over the places that have to be looked at.
#[derive(Debug)]
pub(super) struct Events<'a> {
    needles: &'a [AsciiNeedle],
    level: Level,
    bytes: &'a [u8],
    /// The block that was looked at last.
    block: usize,
    end: usize,
    /// Its bytes, from the lowest bit on, that may begin the pair of a needle.
    pairs: u64,
    /// Its bytes that may begin something odd.
    odd: u64,
}

impl Events<'_> {
    /// The next place in a range, which never goes back. Odd characters before `odd_from` are passed over.
    pub(super) fn next(&mut self, range: Range<usize>, odd_from: usize) -> Option<Event> {
        let Range { start: from, end } = range;
        if from >= self.end {
            (self.pairs, self.odd, self.end) = (0, 0, from);
        } else if from > self.block {
            let behind = u64::MAX << (from - self.block);
            (self.pairs, self.odd) = (self.pairs & behind, self.odd & behind);
        }
        loop {
            while self.pairs | self.odd != 0 {
                let bit = (self.pairs | self.odd).trailing_zeros();
                let (at, is_odd) = (self.block + bit as usize, self.odd >> bit & 1 != 0);
                if at >= end {
                    return None;
                }
                if is_odd {
                    // It stays for the next call, which may pass it over.
                    if at >= odd_from && super::odd::is_odd(self.bytes, at) {
                        return Some(Event::Odd(at));
                    }
                    self.odd &= self.odd - 1;
                } else {
                    let byte = self.bytes[at] | CASE;
                    let is_match =
                        |needle: &AsciiNeedle| needle.first == byte && needle.matches(self.bytes, at);
                    if self.needles.iter().any(is_match) {
                        return Some(Event::Match(at));
                    }
                    self.pairs &= self.pairs - 1;
                }
            }
            if self.end >= end {
                return None;
            }
            self.next_block(end);
        }
    }

    /// Goes to the next block before `end` that has something. What is behind may be a line that nobody looks at.
    #[inline(never)]
    fn next_block(&mut self, end: usize) {
        dispatch!(self.level, simd => self.next_block_with(simd, end));
    }

    #[inline(always)]
    fn next_block_with<S: Simd>(&mut self, simd: S, end: usize) {
        simd.vectorize(
            #[inline(always)]
            || {
                let mut at = self.end;
                // One byte more than a block: the second letter of the last pair.
                while let Some((block, next)) = self
                    .bytes
                    .get(at..)
                    .and_then(<[u8]>::first_chunk::<BLOCK>)
                    .zip(self.bytes.get(at + 1..).and_then(<[u8]>::first_chunk::<BLOCK>))
                {
                    let (pairs, odd) = look(simd, block, next, self.needles);
                    if pairs | odd != 0 {
                        (self.block, self.end, self.pairs, self.odd) = (at, at + BLOCK, pairs, odd);
                        return;
                    }
                    at += BLOCK;
                    if at >= end {
                        (self.block, self.end) = (at, at);
                        return;
                    }
                }
                // The last bytes, as if nothing came behind them.
                let rest = &self.bytes[at..];
                let length = rest.len().min(BLOCK);
                let mut padded = [0; BLOCK + 1];
                padded[..rest.len()].copy_from_slice(rest);
                (self.block, self.end) = (at, at + length);
                if let (Some(block), Some(next)) = (padded.first_chunk(), padded[1..].first_chunk()) {
                    (self.pairs, self.odd) = look(simd, block, next, self.needles);
                }
            },
        );
    }
}

/// The bytes of a block that may begin the pair of a needle, and those that may begin something odd, one bit each.
/// `next` is the block one byte on.
#[inline(always)]
fn look<S: Simd>(simd: S, block: &[u8; BLOCK], next: &[u8; BLOCK], needles: &[AsciiNeedle]) -> (u64, u64) {
    let (block, next): (u8x64<S>, u8x64<S>) = ((*block).simd_into(simd), (*next).simd_into(simd));
    let (here, there) = (block | u8x64::splat(simd, CASE), next | u8x64::splat(simd, CASE));
    let joint = there.simd_eq(u8x64::splat(simd, b'-'))
        | there.simd_eq(u8x64::splat(simd, b'_' | CASE))
        | there.simd_eq(u8x64::splat(simd, b'\''));
    // Nothing is less than zero.
    let mut pairs = here.simd_lt(u8x64::splat(simd, 0));
    for needle in needles {
        let second = there.simd_eq(u8x64::splat(simd, needle.second)) | joint;
        pairs |= here.simd_eq(u8x64::splat(simd, needle.first)) & second;
    }
    let pairs = pairs.to_bitmask();
    let unusual = block.simd_ge(u8x64::splat(simd, 0x80))
        | (block.simd_eq(u8x64::splat(simd, b'\\')) & next.simd_eq(u8x64::splat(simd, b'u')));
    let odd = unusual.to_bitmask();
    if odd == 0 {
        return (pairs, 0);
    }
    // Not the middle of a character, and none of the many blocks of plain Han and Hangul.
    let mut plain = 0;
    for (first, last) in [(0x80, 0xc1), (0xe4, 0xe9), (0xeb, 0xec)] {
        let within = (block - u8x64::splat(simd, first)).simd_le(u8x64::splat(simd, last - first));
        plain |= within.to_bitmask();
    }
    (pairs, odd & !plain)
}
