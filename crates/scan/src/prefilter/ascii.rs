//! Needles in ASCII: blocks of bytes are looked at for two letters of each needle side by side or with a joint between
//! them; where a block has them, the needle is matched byte by byte.

use lookback_ranker::analysis::PIECE_CHARS;

/// Bytes looked at together.
const BLOCK: usize = 64;

/// A term or a piece of one, folded: small letters, digits, and rarely `+` or `#`.
#[derive(Debug)]
pub(super) struct AsciiNeedle {
    text: Box<[u8]>,
    /// The place of the rarest two neighbours in the text.
    pair_at: usize,
    /// These two, with [`CASE`] set.
    pair: (u8, u8),
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
    pub(super) fn new(text: &str, whole: bool) -> Option<Self> {
        let text: Box<[u8]> = text.as_bytes().into();
        let commonness = |at: &usize| commonness(text[*at]) * commonness(text[*at + 1]);
        let pair_at = (0..text.len().checked_sub(1)?).min_by_key(commonness)?;
        Some(Self {
            pair_at,
            pair: (text[pair_at] | CASE, text[pair_at + 1] | CASE),
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
        !self.whole || (may_start(bytes, start) && may_end(bytes, end))
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
    if !before.is_ascii_alphanumeric() || bytes[at].is_ascii_uppercase() || !bytes[at].is_ascii_alphanumeric() {
        return true;
    }
    // The letter before may belong to an escape, `\n` or `\u000a`.
    let escaped = bytes[at.saturating_sub(6)..at].contains(&b'\\');
    // Very long words are cut into pieces, which begin anywhere.
    let in_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte >= 0x80 || **byte == b'\\';
    escaped || bytes[..at].iter().rev().take(PIECE_CHARS).take_while(in_word).count() == PIECE_CHARS
}

/// Whether a term can end before this byte.
fn may_end(bytes: &[u8], at: usize) -> bool {
    let goes_on = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    !bytes.get(at).is_some_and(goes_on) || !bytes[at - 1].is_ascii_alphanumeric()
}

/// About how often a byte occurs in the text and code of sessions, in parts of a thousand.
fn commonness(byte: u8) -> u32 {
    match byte {
        b'e' => 90,
        b't' => 70,
        b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 55,
        b'l' | b'c' | b'd' => 35,
        b'u' | b'p' | b'm' | b'h' => 25,
        b'f' | b'g' | b'b' | b'y' | b'w' | b'0'..=b'3' => 15,
        b'v' | b'k' | b'4'..=b'9' | b'x' => 8,
        _ => 2,
    }
}

/// The next place at or behind `from` that has to be looked at. Odd characters before `odd_from` are passed over.
pub(super) fn next_event(bytes: &[u8], from: usize, needles: &[AsciiNeedle], odd_from: usize) -> Option<Event> {
    let mut at = from;
    loop {
        let rest = &bytes[at..];
        // One byte more than a block: the second letter of the last pair.
        let Some((block, next)) = rest
            .first_chunk::<BLOCK>()
            .zip(rest.get(1..).and_then(<[u8]>::first_chunk::<BLOCK>))
        else {
            return exact_event(bytes, at..bytes.len(), needles, odd_from);
        };
        let seen = look(block, next, needles);
        if seen != 0
            && let Some(event) =
                exact_event(bytes, at..at + BLOCK, if seen & PAIR == 0 { &[] } else { needles }, odd_from)
        {
            return Some(event);
        }
        at += BLOCK;
    }
}

/// A block has a needle's pair.
const PAIR: u8 = 1;
/// A block has a byte beyond ASCII or an escape.
const ODD: u8 = 2;

/// What a block may have. `next` is the block one byte on. Written so that the compiler makes vector instructions of
/// it: no branches, bytes only.
#[inline]
fn look(block: &[u8; BLOCK], next: &[u8; BLOCK], needles: &[AsciiNeedle]) -> u8 {
    let (mut pair, mut odd) = (0u8, 0u8);
    let (mut here, mut there, mut joint) = ([0u8; BLOCK], [0u8; BLOCK], [0u8; BLOCK]);
    for k in 0..BLOCK {
        here[k] = block[k] | CASE;
        there[k] = next[k] | CASE;
        let cased = there[k];
        joint[k] = u8::from(cased == b'-') | u8::from(cased == b'_' | CASE) | u8::from(cased == b'\'');
        odd |= block[k] >> 7 | (u8::from(block[k] == b'\\') & u8::from(next[k] == b'u'));
    }
    for needle in needles {
        let (first, second) = needle.pair;
        for k in 0..BLOCK {
            pair |= u8::from(here[k] == first) & (u8::from(there[k] == second) | joint[k]);
        }
    }
    pair * PAIR | odd * ODD
}

/// The first match or odd character in a range.
fn exact_event(
    bytes: &[u8],
    range: std::ops::Range<usize>,
    needles: &[AsciiNeedle],
    odd_from: usize,
) -> Option<Event> {
    for at in range {
        let byte = bytes[at];
        if byte >= 0x80 || (byte == b'\\' && bytes.get(at + 1) == Some(&b'u')) {
            if at >= odd_from && super::odd::is_odd(bytes, at) {
                return Some(Event::Odd(at));
            }
            continue;
        }
        let cased = byte | CASE;
        for needle in needles {
            if needle.pair.0 == cased && needle.matches(bytes, at) {
                return Some(Event::Match(at));
            }
        }
    }
    None
}
