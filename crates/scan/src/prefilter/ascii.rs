//! Needles in ASCII: blocks of bytes are looked at for two letters of each needle side by side or with a joint between
//! them; where a block has them, the needle is matched byte by byte.

use std::ops::Range;

use lookback_ranker::analysis::PIECE_CHARS;

use crate::sample::Sample;

/// Bytes looked at together.
const BLOCK: usize = 64;
/// Bytes in a vector register of any machine.
const LANES: usize = 16;

/// A term or a piece of one, folded: small letters, digits, and rarely `+` or `#`.
#[derive(Debug)]
pub(super) struct AsciiNeedle {
    text: Box<[u8]>,
    /// The place of the rarest two neighbours in the text.
    pair_at: usize,
    /// These two, with [`CASE`] set, as often as there are lanes.
    first: [u8; LANES],
    second: [u8; LANES],
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
            first: [text[pair_at] | CASE; LANES],
            second: [text[pair_at + 1] | CASE; LANES],
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
        let first = self.first[0];
        let starts = bytes
            .iter()
            .enumerate()
            .filter(|(_, byte)| **byte | CASE == first);
        starts.filter(|(at, _)| self.matches(bytes, *at)).count()
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
    let Some(before) = before.strip_suffix(b"\":") else {
        return false;
    };
    // A key with an escape in it could be any, so it is none of these.
    let length = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric())
        .count();
    let (rest, key) = before.split_at(before.len() - length);
    rest.ends_with(b"\"") && !rest.ends_with(b"\\\"") && !matches!(key, b"text" | b"content")
}

/// All needles of a search.
#[derive(Debug)]
pub(super) struct AsciiNeedles {
    list: Vec<AsciiNeedle>,
    /// For each byte whether it begins the pair of a needle ([`PAIR`]) or something odd ([`ODD`]).
    kinds: [u8; 256],
}

impl AsciiNeedles {
    pub(super) fn new(list: Vec<AsciiNeedle>) -> Self {
        let mut kinds = [0; 256];
        for byte in 0..=u8::MAX {
            let is_first = list.iter().any(|needle| needle.first[0] == byte | CASE);
            let kind = &mut kinds[usize::from(byte)];
            *kind |= u8::from(is_first && byte < 0x80) * PAIR;
            *kind |= u8::from(begins_odd(byte) || byte == b'\\') * ODD;
        }
        Self { list, kinds }
    }

    /// The next place at or behind `from` that has to be looked at. Odd characters before `odd_from` are passed over.
    pub(super) fn next_event(&self, bytes: &[u8], from: usize, odd_from: usize) -> Option<Event> {
        let mut at = from;
        loop {
            let (begin, seen) = next_block(bytes, at, &self.list);
            let end = (begin + BLOCK).min(bytes.len());
            if let Some(event) = self.exact_event(bytes, begin..end, seen, odd_from) {
                return Some(event);
            }
            if end == bytes.len() {
                return None;
            }
            at = end;
        }
    }

    /// The first match or odd character in a range, of the kinds that were seen there.
    fn exact_event(&self, bytes: &[u8], range: Range<usize>, seen: u8, odd_from: usize) -> Option<Event> {
        for (at, &byte) in range.clone().zip(&bytes[range]) {
            let kind = self.kinds[usize::from(byte)] & seen;
            if kind == 0 {
                continue;
            }
            if kind & ODD != 0 && at >= odd_from && super::odd::is_odd(bytes, at) {
                return Some(Event::Odd(at));
            }
            let is_match = |needle: &AsciiNeedle| needle.first[0] == byte | CASE && needle.matches(bytes, at);
            if kind & PAIR != 0 && self.list.iter().any(is_match) {
                return Some(Event::Match(at));
            }
        }
        None
    }
}

/// The next block that has something, or the last bytes, which are no whole block.
#[inline(never)]
fn next_block(bytes: &[u8], from: usize, needles: &[AsciiNeedle]) -> (usize, u8) {
    let mut at = from;
    // One byte more than a block: the second letter of the last pair.
    while let Some((block, next)) = bytes
        .get(at..)
        .and_then(<[u8]>::first_chunk::<BLOCK>)
        .zip(bytes.get(at + 1..).and_then(<[u8]>::first_chunk::<BLOCK>))
    {
        let seen = look(block, next, needles);
        if seen != 0 {
            return (at, seen);
        }
        at += BLOCK;
    }
    (at, PAIR | ODD)
}

/// A block has a needle's pair.
const PAIR: u8 = 1;
/// A block has a byte beyond ASCII or an escape.
const ODD: u8 = 2;

/// What a block may have. `next` is the block one byte on. Written so that the compiler makes vector instructions of
/// it: bytes in lanes, no branches.
#[inline(always)]
fn look(block: &[u8; BLOCK], next: &[u8; BLOCK], needles: &[AsciiNeedle]) -> u8 {
    let (mut pair, mut odd) = ([0u8; LANES], [0u8; LANES]);
    for from in (0..BLOCK).step_by(LANES) {
        let (block, next) = (&block[from..from + LANES], &next[from..from + LANES]);
        let (mut here, mut there, mut joint) = ([0u8; LANES], [0u8; LANES], [0u8; LANES]);
        for k in 0..LANES {
            here[k] = block[k] | CASE;
            there[k] = next[k] | CASE;
            joint[k] = mask(there[k] == b'-') | mask(there[k] == b'_' | CASE) | mask(there[k] == b'\'');
            odd[k] |= (block[k] & 0x80) | (mask(block[k] == b'\\') & mask(next[k] == b'u'));
        }
        for needle in needles {
            for k in 0..LANES {
                pair[k] |= mask(here[k] == needle.first[k]) & (mask(there[k] == needle.second[k]) | joint[k]);
            }
        }
    }
    let any = |lanes: [u8; LANES]| u128::from_ne_bytes(lanes) != 0;
    (u8::from(any(pair)) * PAIR) | (u8::from(any(odd)) * ODD)
}

#[inline]
fn mask(is: bool) -> u8 {
    u8::from(is).wrapping_neg()
}

/// Whether a byte begins a character that has to be looked at: not the middle of one, and none of the many blocks of
/// plain Han and Hangul.
#[inline]
fn begins_odd(byte: u8) -> bool {
    byte >= 0xc2 && !matches!(byte, 0xe4..=0xe9 | 0xeb..=0xec)
}
