//! Finds the places of a text that are worth a closer look: where a word of the query may begin.

use crate::analysis::{MAX_TERM_CHARS, continues, is_gram, is_plain_gram, is_word};

/// How the terms begin that a text is looked through for.
///
/// A text has hundreds of words and a query a few: cutting all of them into tokens to compare them costs ten times as
/// much as a look at how each begins. A place that is passed over has certainly none of the terms; one that is not may
/// have.
#[derive(Debug, Clone)]
pub(super) struct Starts {
    /// What each byte means, see [`kind`].
    kinds: [u8; 256],
    /// What follows each ASCII letter or digit that terms begin with; empty when none does.
    behind: Vec<Behind>,
    /// Those that are a whole term.
    single: u128,
    /// The other characters that terms begin with, ascending.
    others: Vec<char>,
    /// Those with the characters behind them, ascending.
    other_pairs: Vec<(char, char)>,
    /// The ASCII letters and digits that terms begin with, when they are few enough for [`Self::first_stop`].
    few: Vec<u8>,
}

/// The ASCII letters and digits behind the first one of terms, one bit each.
#[derive(Debug, Clone, Copy, Default)]
struct Behind {
    seconds: u128,
    thirds: u128,
    /// The seconds of terms that have no third.
    lasts: u128,
}

impl Default for Starts {
    fn default() -> Self {
        Self {
            kinds: std::array::from_fn(|byte| kind::of(byte as u8)),
            behind: Vec::new(),
            single: 0,
            others: Vec::new(),
            other_pairs: Vec::new(),
            few: Vec::new(),
        }
    }
}

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// With more letters to look for, nearly every block has one, and a look at each byte is faster.
const FEW: usize = 8;

/// What a byte of a text can be.
mod kind {
    /// ASCII, and no letter or digit.
    pub(super) const BETWEEN: u8 = 0;
    /// A small letter or digit.
    pub(super) const SMALL: u8 = 1;
    pub(super) const CAPITAL: u8 = 2;
    /// Part of a character beyond ASCII.
    pub(super) const BEYOND: u8 = 3;
    /// Beside the others: terms begin with it.
    pub(super) const WANTED: u8 = 4;

    pub(super) fn of(byte: u8) -> u8 {
        match byte {
            b'a'..=b'z' | b'0'..=b'9' => SMALL,
            b'A'..=b'Z' => CAPITAL,
            0x80.. => BEYOND,
            _ => BETWEEN,
        }
    }
}

fn bit(byte: u8) -> u128 {
    1 << (byte & 127)
}

impl Starts {
    /// Terms that begin like this one are looked for.
    pub(super) fn add(&mut self, term: &str) {
        // The sign of `#123` stands before the place where the word is found.
        let term = term.trim_start_matches('#');
        let mut chars = term.chars();
        let Some(first) = chars.next() else { return };
        if !first.is_ascii_alphanumeric() {
            if let Err(at) = self.others.binary_search(&first) {
                self.others.insert(at, first);
            }
            if let Some(second) = chars.next()
                && let Err(at) = self.other_pairs.binary_search(&(first, second))
            {
                self.other_pairs.insert(at, (first, second));
            }
            return;
        }
        let first = first as u8;
        for byte in [first, first.to_ascii_uppercase()] {
            self.kinds[usize::from(byte)] |= kind::WANTED;
        }
        if self.few.len() <= FEW && !self.few.contains(&first) {
            self.few.push(first);
        }
        match chars.next() {
            Some(second) if second.is_ascii_alphanumeric() => {
                self.behind.resize(128, Behind::default());
                let behind = &mut self.behind[usize::from(first)];
                behind.seconds |= bit(second as u8);
                match chars.next() {
                    Some(third) if third.is_ascii_alphanumeric() => behind.thirds |= bit(third as u8),
                    _ => behind.lasts |= bit(second as u8),
                }
            }
            // `c++` is a word of its own beside the letter.
            _ => self.single |= bit(first),
        }
    }

    /// A place at or behind `at` from which on the text has to be cut into tokens; before it, there is none of the
    /// terms. `at` is where a word may begin, as the place that is returned.
    pub(super) fn next(&self, text: &str, at: usize) -> Option<usize> {
        let bytes = text.as_bytes();
        let mut place = at;
        while let Some(byte) = bytes.get(place) {
            if self.few.len() <= FEW
                && byte.is_ascii()
                && let Some(block) = bytes[place..].first_chunk::<BLOCK>()
            {
                let before = if place > at { bytes[place - 1] } else { b' ' };
                match self.first_stop(block, before, bytes, place) {
                    Stop::Candidate(stop) => return Some(word_start(text, at, stop)),
                    // What is in the middle of a run is looked at from its beginning on.
                    Stop::Run => place = run_start(bytes, at, place),
                    Stop::Beyond(stop) if stop > 0 => {
                        place += stop;
                        continue;
                    }
                    Stop::Beyond(_) => {}
                }
            }
            let byte = bytes[place];
            match self.kinds[usize::from(byte)] {
                kind::BETWEEN => place += 1,
                kind::BEYOND => {
                    let c = text[place..].chars().next()?;
                    if !is_gram(c) {
                        if is_word(c) || continues(c) {
                            return Some(word_start(text, at, place));
                        }
                    } else if !self.passes_gram(c, &text[place + c.len_utf8()..]) {
                        return Some(place);
                    }
                    place += c.len_utf8();
                }
                _ => match self.look_at_run(bytes, place) {
                    Run::Candidate => return Some(word_start(text, at, place)),
                    Run::Passed(end) => place = end,
                },
            }
        }
        None
    }

    /// The first place of a block, which stands at `place` behind the byte `last`, that is worth a closer look. Without a
    /// branch for each byte, so that many are looked at in one step.
    fn first_stop(&self, block: &[u8; BLOCK], last: u8, bytes: &[u8], place: usize) -> Stop {
        let mut stops = [0u8; BLOCK];
        for letter in &self.few {
            for (stop, byte) in stops.iter_mut().zip(block) {
                *stop |= u8::from(byte | 0x20 == *letter);
            }
        }
        let mut before = [last; BLOCK];
        before[1..].copy_from_slice(&block[..BLOCK - 1]);
        let mut between = 0;
        for ((stop, byte), before) in stops.iter_mut().zip(block).zip(&before) {
            let follows = u8::from(before.is_ascii_alphanumeric());
            between |= follows ^ 1;
            let begins = (follows ^ 1) | u8::from(byte.is_ascii_uppercase());
            *stop = (*stop & begins) | (byte >> 7);
        }
        if between == 0 {
            // Very long words are cut anywhere.
            return Stop::Run;
        }
        for (at, eight) in stops.as_chunks::<8>().0.iter().enumerate() {
            let mut word = u64::from_le_bytes(*eight);
            while word != 0 {
                let stop = at * 8 + word.trailing_zeros() as usize / 8;
                if !block[stop].is_ascii() {
                    return Stop::Beyond(stop);
                }
                if self.may_begin(bytes, place + stop) {
                    return Stop::Candidate(place + stop);
                }
                word &= word - 1;
            }
        }
        Stop::Beyond(BLOCK)
    }

    /// Looks at the ASCII letters and digits from `start` on.
    fn look_at_run(&self, bytes: &[u8], start: usize) -> Run {
        if self.kinds[usize::from(bytes[start])] & kind::WANTED != 0 && self.may_begin(bytes, start) {
            return Run::Candidate;
        }
        let mut at = start + 1;
        while let Some(byte) = bytes.get(at) {
            match self.kinds[usize::from(*byte)] {
                kind::BETWEEN | kind::BEYOND => break,
                // Only a capital can begin a part in the middle of a run.
                WANTED_CAPITAL if self.may_begin(bytes, at) => return Run::Candidate,
                _ => at += 1,
            }
        }
        // Very long words are cut anywhere.
        if at - start > MAX_TERM_CHARS {
            Run::Candidate
        } else {
            Run::Passed(at)
        }
    }

    /// `at` is a letter or digit that terms begin with.
    #[inline]
    fn may_begin(&self, bytes: &[u8], at: usize) -> bool {
        let first = bytes[at].to_ascii_lowercase();
        match bytes.get(at + 1) {
            Some(second) if second.is_ascii_lowercase() || second.is_ascii_digit() => {
                let Some(behind) = self.behind.get(usize::from(first)) else {
                    return false;
                };
                behind.seconds & bit(*second) != 0
                    && match bytes.get(at + 2) {
                        Some(third) if third.is_ascii_lowercase() || third.is_ascii_digit() => {
                            behind.thirds & bit(*third) != 0
                        }
                        Some(third) if may_join(*third) => true,
                        _ => behind.lasts & bit(*second) != 0,
                    }
            }
            Some(second) if may_join(*second) => true,
            _ => self.single & bit(first) != 0,
        }
    }

    /// Whether no term begins with this character of a script without spaces.
    fn passes_gram(&self, c: char, rest: &str) -> bool {
        let mut rest = rest.chars();
        let next = rest.next();
        // Unless a mark or a final joins it.
        if !is_plain_gram(c) || next.is_some_and(continues) {
            return false;
        }
        if self.others.binary_search(&c).is_err() {
            return true;
        }
        // Two plain characters are a term as they stand.
        next.is_some_and(|next| {
            is_plain_gram(next)
                && self.other_pairs.binary_search(&(c, next)).is_err()
                && !rest.next().is_some_and(continues)
        })
    }
}

/// What joins a letter to the next one, or begins the next part.
fn may_join(byte: u8) -> bool {
    byte.is_ascii_uppercase() || matches!(byte, b'_' | b'-' | b'\'') || !byte.is_ascii()
}

/// Where a block is left.
enum Stop {
    /// A term may begin here.
    Candidate(usize),
    /// The block is part of a run of letters and digits.
    Run,
    /// At a character beyond ASCII, or at the end of the block; counted from its beginning.
    Beyond(usize),
}

/// The start of the run of ASCII letters and digits around `place`, not before `at`.
fn run_start(bytes: &[u8], at: usize, place: usize) -> usize {
    let run = bytes[at..place].iter().rev();
    place - run.take_while(|byte| byte.is_ascii_alphanumeric()).count()
}

const WANTED_CAPITAL: u8 = kind::CAPITAL | kind::WANTED;

enum Run {
    Candidate,
    /// There is none; where the run ends.
    Passed(usize),
}

/// The start of the word that `place` stands in, not before `at`. Words are joined by what may stand inside of one.
fn word_start(text: &str, at: usize, place: usize) -> usize {
    let before = text[at..place].char_indices().rev();
    let joined = before.take_while(|(_, c)| {
        if c.is_ascii() {
            c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '\'')
        } else {
            // A script without spaces ends a word, and white space beyond ASCII does.
            !is_gram(*c) && !c.is_whitespace()
        }
    });
    joined.last().map_or(place, |(offset, _)| at + offset)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::*;
    use crate::analysis::Tokens;

    type Seen = BTreeSet<(usize, usize, String)>;

    fn all_tokens(text: &str) -> Seen {
        let mut tokens = Tokens::new(text);
        let mut seen = Seen::new();
        while let Some(token) = tokens.next_token() {
            seen.insert((token.start, token.end, token.term.to_owned()));
        }
        seen
    }

    /// The tokens of the places that are looked at.
    fn tokens_at_starts(text: &str, starts: &Starts) -> Seen {
        let mut tokens = Tokens::new(text);
        let mut seen = Seen::new();
        loop {
            if let Some(border) = tokens.border() {
                match starts.next(text, border) {
                    Some(next) => tokens.go_on_at(next),
                    None => return seen,
                }
            }
            let Some(token) = tokens.next_token() else {
                return seen;
            };
            seen.insert((token.start, token.end, token.term.to_owned()));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 1_000 } else { 20_000 }))]

        #[test]
        fn no_occurrence_is_passed_over(
            text in "([a-cA-C]{1,3}|[ ._'’#+-]|n't|can't|[0-9]{1,2}|[éÉÄßſK]|a\u{301}|数据|[かが]|か\u{3099}|한|ﾊﾟ|Ａ|Ⅳ|\u{ad}|\u{200d}|ก็|👩|[a-c]{130}|\\PC){0,30}",
            picks in prop::collection::vec(any::<Index>(), 1..4),
        ) {
            let all = all_tokens(&text);
            prop_assume!(!all.is_empty());
            let mut starts = Starts::default();
            let mut wanted = BTreeSet::new();
            let list: Vec<_> = all.iter().collect();
            for pick in picks {
                let term = &pick.get(&list).2;
                starts.add(term);
                wanted.insert(term.as_str());
            }
            let seen = tokens_at_starts(&text, &starts);
            prop_assert!(seen.is_subset(&all), "{:?}", seen.difference(&all));
            for token in all.iter().filter(|token| wanted.contains(token.2.as_str())) {
                prop_assert!(seen.contains(token), "{:?}", token);
            }
        }
    }

    #[test]
    fn most_of_a_text_is_passed_over() {
        let text = "the parser reads the whole file before it prints an error ".repeat(10);
        let mut starts = Starts::default();
        starts.add("parser");
        assert_eq!(tokens_at_starts(&text, &starts).len(), 10);
        let mut starts = Starts::default();
        starts.add("据库");
        assert_eq!(
            tokens_at_starts("我的数据库很慢", &starts).len(),
            4,
            "from the first on"
        );
    }
}
