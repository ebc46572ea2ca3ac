//! The words of a text that matter, found without a look at the others.
//!
//! Most words of most texts are plain: ASCII letters and digits, with no capital behind the first, and nothing at their
//! ends that could join them to something. A plain word is one term at one position, so bit masks of 64 bytes at a time
//! tell where such words begin, how many there are, and which of them begin as a term that matters does. What is not
//! plain is cut into terms by the ranker, stretch by stretch; texts repeat their identifiers, so what became of a stretch
//! is remembered.

use std::ops::{ControlFlow, Range};

use fearless_simd::{Level, dispatch, prelude::*, u8x64};
use lookback_ranker::analysis::{MAX_TERM_CHARS, Tokens};
use smol_str::SmolStr;

use crate::interest::{Beginnings, TermFilter};

const BLOCK: usize = 64;

/// Bytes of text that are looked at at once: some milliseconds at worst, so that a scan can be stopped.
const PIECE: usize = 256 << 10;

/// Stretches that are remembered, and how long they are at most.
const REMEMBERED: usize = 1 << 11;
const LONGEST_REMEMBERED: usize = 64;

/// Finds words that matter. Keeps its memory between texts.
#[derive(Debug)]
pub(crate) struct Words<'a> {
    filter: &'a TermFilter,
    beginnings: Beginnings,
    level: Level,
    masks: Vec<Masks>,
    memory: Vec<Stretch>,
}

/// A block of text, one bit for each byte.
#[derive(Debug, Clone, Copy, Default)]
struct Masks {
    /// A stretch begins: bytes that can be in a word, join two, or make more of one.
    starts: u64,
    /// The word here is not plain.
    special: u64,
    /// The stretch that begins here can be a term that matters.
    likely: u64,
}

/// What became of a stretch.
#[derive(Debug, Default)]
struct Stretch {
    text: String,
    length: u32,
    found: Vec<(SmolStr, u32)>,
}

impl<'a> Words<'a> {
    pub(crate) fn new(filter: &'a TermFilter) -> Self {
        Self {
            filter,
            beginnings: filter.beginnings(),
            level: Level::new(),
            masks: Vec::new(),
            memory: Vec::new(),
        }
    }

    /// Tells of each term that matters with its position, positions ascending, as [`Tokens`] gives them, until somebody
    /// breaks. Returns how many positions the text has. Long texts `pause` from time to time.
    pub(crate) fn each<B>(
        &mut self,
        text: &str,
        mut pause: impl FnMut() -> ControlFlow<B>,
        mut found: impl FnMut(&str, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B, u32> {
        let mut rest = text;
        let mut position = 0;
        while rest.len() > PIECE {
            // Nothing about a word depends on what is beyond a space.
            let Some(space) = rest.as_bytes()[..PIECE].iter().rposition(u8::is_ascii_whitespace) else {
                break;
            };
            let (piece, behind) = rest.split_at(space);
            position = self.piece(piece, position, &mut pause, &mut found)?;
            rest = behind;
            pause()?;
        }
        self.piece(rest, position, &mut pause, &mut found)
    }

    fn piece<B>(
        &mut self,
        text: &str,
        mut position: u32,
        pause: &mut impl FnMut() -> ControlFlow<B>,
        found: &mut impl FnMut(&str, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B, u32> {
        let bytes = text.as_bytes();
        self.mark(bytes);
        let mut done = 0;
        for block in 0..self.masks.len() {
            let mut special = self.masks[block].special;
            while special != 0 {
                let at = block * BLOCK + special.trailing_zeros() as usize;
                special &= special - 1;
                if at < done {
                    continue;
                }
                let before = bytes[done..at].iter().rev().take_while(|byte| is_inside(**byte));
                let start = at - before.count();
                let behind = bytes[at..].iter().take_while(|byte| is_inside(**byte));
                let end = at + behind.count();
                position = self.plain(bytes, done..start, position, found)?;
                position = self.special(&text[start..end], position, pause, found)?;
                done = end;
            }
        }
        self.plain(bytes, done..bytes.len(), position, found)
    }

    /// Plain words between spaces and signs.
    #[inline]
    fn plain<B>(
        &self,
        bytes: &[u8],
        range: Range<usize>,
        mut position: u32,
        found: &mut impl FnMut(&str, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B, u32> {
        let mut at = range.start;
        while at < range.end {
            let block = at / BLOCK;
            let masks = self.masks[block];
            let begin = block * BLOCK;
            let mut within = u64::MAX << (at - begin);
            if range.end < begin + BLOCK {
                within &= (1 << (range.end - begin)) - 1;
            }
            let starts = masks.starts & within;
            let mut likely = masks.likely & within;
            while likely != 0 {
                let bit = likely & likely.wrapping_neg();
                likely ^= bit;
                let start = begin + bit.trailing_zeros() as usize;
                let length = bytes[start..range.end]
                    .iter()
                    .take(MAX_TERM_CHARS)
                    .take_while(|byte| byte.is_ascii_alphanumeric())
                    .count();
                let mut term = [0; MAX_TERM_CHARS];
                let term = &mut term[..length];
                term.copy_from_slice(&bytes[start..start + length]);
                term.make_ascii_lowercase();
                if let Ok(term) = str::from_utf8(term)
                    && self.filter.matches(term)
                {
                    found(term, position + (starts & (bit - 1)).count_ones())?;
                }
            }
            position += starts.count_ones();
            at = begin + BLOCK;
        }
        ControlFlow::Continue(position)
    }

    fn special<B>(
        &mut self,
        text: &str,
        position: u32,
        pause: &mut impl FnMut() -> ControlFlow<B>,
        found: &mut impl FnMut(&str, u32) -> ControlFlow<B>,
    ) -> ControlFlow<B, u32> {
        if text.len() > LONGEST_REMEMBERED {
            let mut tokens = Tokens::new(text);
            let mut told = 0;
            while let Some(token) = tokens.next_token() {
                if token.start - told > PIECE {
                    told = token.start;
                    pause()?;
                }
                if self.filter.matches(token.term) {
                    found(token.term, position + token.position)?;
                }
            }
            return ControlFlow::Continue(position + tokens.length());
        }
        if self.memory.is_empty() {
            self.memory.resize_with(REMEMBERED, Stretch::default);
        }
        let stretch = &mut self.memory[slot(text.as_bytes())];
        if stretch.text != text {
            stretch.found.clear();
            let mut tokens = Tokens::new(text);
            while let Some(token) = tokens.next_token() {
                if self.filter.matches(token.term) {
                    stretch.found.push((SmolStr::new(token.term), token.position));
                }
            }
            stretch.length = tokens.length();
            stretch.text.clear();
            stretch.text.push_str(text);
        }
        for (term, at) in &stretch.found {
            found(term, position + at)?;
        }
        ControlFlow::Continue(position + stretch.length)
    }

    fn mark(&mut self, bytes: &[u8]) {
        self.masks.clear();
        let Self {
            masks, beginnings, ..
        } = self;
        dispatch!(self.level, simd => mark_with(simd, bytes, beginnings, masks));
    }
}

/// The place of a stretch in the memory.
fn slot(text: &[u8]) -> usize {
    let mut hash = text.len() as u64;
    let (words, rest) = text.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    for word in words.iter().chain([&last]) {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
    (hash >> 32) as usize % REMEMBERED
}

/// As in [`lookback_ranker::analysis::stretches`].
fn is_inside(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte >= 0x80 || matches!(byte, b'_' | b'-' | b'\'' | b'+' | b'#')
}

#[inline(always)]
fn mark_with<S: Simd>(simd: S, bytes: &[u8], beginnings: &Beginnings, masks: &mut Vec<Masks>) {
    simd.vectorize(
        #[inline(always)]
        || {
            let mut inside_before = 0;
            let (ones, _) = bytes.as_chunks::<BLOCK>();
            let (nexts, _) = bytes.get(1..).unwrap_or_default().as_chunks::<BLOCK>();
            let mut done = 0;
            for (one, next) in ones.iter().zip(nexts) {
                masks.push(masks_of(simd, one, next, beginnings, &mut inside_before));
                done += BLOCK;
            }
            let rest = &bytes[done..];
            let mut padded = [b' '; BLOCK + 1];
            padded[..rest.len()].copy_from_slice(rest);
            if let (Some(one), Some(next)) = (padded.first_chunk(), padded.last_chunk())
                && !rest.is_empty()
            {
                masks.push(masks_of(simd, one, next, beginnings, &mut inside_before));
            }
        },
    );
}

/// The masks of a block. The other block begins one byte later.
#[inline(always)]
fn masks_of<S: Simd>(
    simd: S,
    one: &[u8; BLOCK],
    next: &[u8; BLOCK],
    beginnings: &Beginnings,
    inside_before: &mut u64,
) -> Masks {
    let one: u8x64<S> = (*one).simd_into(simd);
    let cased = one | u8x64::splat(simd, 0x20);
    let letters = (cased - u8x64::splat(simd, b'a')).simd_lt(u8x64::splat(simd, 26));
    let capitals = (one - u8x64::splat(simd, b'A')).simd_lt(u8x64::splat(simd, 26));
    let digits = (one - u8x64::splat(simd, b'0')).simd_lt(u8x64::splat(simd, 10));
    let joints = one.simd_eq(u8x64::splat(simd, b'_'))
        | one.simd_eq(u8x64::splat(simd, b'-'))
        | one.simd_eq(u8x64::splat(simd, b'\''))
        | one.simd_eq(u8x64::splat(simd, b'+'))
        | one.simd_eq(u8x64::splat(simd, b'#'))
        | one.simd_ge(u8x64::splat(simd, 0x80));
    let inside = (letters | digits | joints).to_bitmask();
    let starts = inside & !(inside << 1 | *inside_before);
    *inside_before = inside >> (BLOCK - 1);
    let mut special = joints.to_bitmask() | (capitals.to_bitmask() & !starts);
    // A word that fills a block may be longer than a term can be.
    special |= u64::from(inside == u64::MAX);
    let likely = match beginnings {
        Beginnings::Any => starts,
        Beginnings::Pairs(pairs) => {
            let next: u8x64<S> = (*next).simd_into(simd);
            let next = next | u8x64::splat(simd, 0x20);
            // Nothing is less than zero.
            let mut any = next.simd_lt(u8x64::splat(simd, 0));
            for &(first, second) in pairs {
                let first = cased.simd_eq(u8x64::splat(simd, first));
                any |= match second {
                    Some(second) => first & next.simd_eq(u8x64::splat(simd, second)),
                    None => first,
                };
            }
            any.to_bitmask() & starts
        }
    };
    Masks {
        starts,
        special,
        likely,
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use lookback_ranker::{Policy, SearchRequest};
    use proptest::prelude::*;

    use super::*;
    use crate::interest::Interests;

    fn filter(query: &str) -> TermFilter {
        let request = SearchRequest {
            policy: Policy::memory(),
            ..SearchRequest::new(query)
        };
        Interests::of(&request).0.filter()
    }

    fn check(query: &str, text: &str) {
        let filter = filter(query);
        let mut expected = Vec::new();
        let mut tokens = Tokens::new(text);
        while let Some(token) = tokens.next_token() {
            if filter.matches(token.term) {
                expected.push((token.term.to_owned(), token.position));
            }
        }
        let mut words = Words::new(&filter);
        // The second time stretches are remembered.
        for _ in 0..2 {
            let mut seen = Vec::new();
            let length = words.each(
                text,
                || ControlFlow::<Infallible>::Continue(()),
                |term, position| {
                    seen.push((term.to_owned(), position));
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(
                length,
                ControlFlow::Continue(tokens.length()),
                "{query}: {text:?}"
            );
            assert_eq!(seen, expected, "{query}: {text:?}");
        }
    }

    const QUERIES: &[&str] = &[
        "user",
        "a",
        "get the user name of it",
        "u*",
        "us*",
        "*se*",
        "getUserName",
        "c++ #12",
        "数据 ガス",
        "\"the user\" x1 don't",
        "a b c d e f g h i j k",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

        #[test]
        fn words_are_those_of_the_tokens(
            query in prop::sample::select(QUERIES),
            text in prop::collection::vec(prop::sample::select(vec![
                "a", "b", "C", "us", "user", "User", "USER", "name", "the ", "get", "x1", "1", "_", "-", "'", "’", "+",
                "#", "c++", "#12", ".", "/", " ", " ", " ", "\n", ",", "(", "\0", "\u{7f}", "é", "e\u{301}", "\u{ad}",
                "数", "据", "ガ", "カ\u{3099}", "½", "😀", "don't", "0123456789abcdef0123456789abcdef",
            ]), 0..60),
        ) {
            check(query, &text.concat());
        }

        #[test]
        fn words_of_any_text(query in prop::sample::select(QUERIES), text in "\\PC{0,90}") {
            check(query, &text);
        }

        #[test]
        fn long_words(query in prop::sample::select(QUERIES), before in " {0,66}", unit in "[a-zA-Z0-9_数é'-]{1,9}", times in 1usize..60) {
            check(query, &format!("{before}{} user", unit.repeat(times)));
        }
    }

    #[test]
    fn long_texts_are_read_in_pieces() {
        for unit in ["the user's getUserName, ", "user", "用户 user\n"] {
            check("user", &unit.repeat(PIECE / 8));
        }
    }

    #[test]
    fn who_breaks_is_told_no_more() {
        let filter = filter("user");
        let mut words = Words::new(&filter);
        let mut calls = 0;
        let stopped = words.each(
            "user user",
            || ControlFlow::Continue(()),
            |_, _| {
                calls += 1;
                ControlFlow::Break("stop")
            },
        );
        assert_eq!((stopped, calls), (ControlFlow::Break("stop"), 1));
    }
}
