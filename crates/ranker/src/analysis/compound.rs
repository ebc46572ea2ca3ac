use super::class::{continues, is_gram, is_invisible_joiner, is_word};
use super::tokens::after_apostrophe;

/// A word with its parts: letters and digits, joined by `_` inside a word and by `-` between words.
#[derive(Debug, Default)]
pub(super) struct Compound {
    pub(super) parts: Vec<Part>,
    /// Number of words that hyphens join.
    pub(super) words: u32,
}

/// A part of a compound: as much as one would say as a word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Characters without marks.
    pub(super) chars: usize,
    /// Which of the words that hyphens join it belongs to.
    pub(super) word: u32,
}

/// Reads the compound at `start`, which is a letter or digit. Returns where scanning goes on.
pub(super) fn split_compound(text: &str, start: usize, compound: &mut Compound) -> usize {
    compound.parts.clear();
    compound.words = 1;
    let mut segment = start;
    let mut at = start;
    let mut before = '\0';
    let bytes = text.as_bytes();
    loop {
        // Most text is this; decoding characters one by one would take half of the time.
        let plain = bytes[at..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        if plain > 0 {
            at += plain;
            before = char::from(bytes[at - 1]);
        }
        let Some(c) = text[at..].chars().next() else {
            split_segment(text, segment, at, compound);
            return at;
        };
        let next = at + c.len_utf8();
        if is_word(c) || continues(c) && !is_gram(c) {
            before = c;
            at = next;
        } else if c == '_' {
            split_segment(text, segment, at, compound);
            let behind = at + text[at..].bytes().take_while(|byte| *byte == b'_').count();
            if !starts_with_word(text, behind) {
                return behind;
            }
            at = behind;
            segment = at;
        } else if c == '-' && starts_with_word(text, next) {
            split_segment(text, segment, at, compound);
            compound.words += 1;
            at = next;
            segment = at;
        } else if is_invisible_joiner(c) && starts_with_word(text, next) {
            at = next;
        } else if let Some((keeps_suffix, end)) = after_apostrophe(text, at, before) {
            split_segment(text, segment, if keeps_suffix { end } else { at }, compound);
            return end;
        } else {
            split_segment(text, segment, at, compound);
            return at;
        }
    }
}

fn starts_with_word(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_some_and(is_word)
}

/// Splits a run of letters and digits where small letters meet capital ones.
fn split_segment(text: &str, start: usize, end: usize, compound: &mut Compound) {
    if start >= end {
        return;
    }
    let word = compound.words - 1;
    let run = &text[start..end];
    if run.is_ascii() && !run.as_bytes()[1..].iter().any(u8::is_ascii_uppercase) {
        compound.parts.push(Part {
            start,
            end,
            chars: run.len(),
            word,
        });
        return;
    }
    let mut from = start;
    let mut chars = 0;
    if may_be_camel(run) {
        let mut humps = letters(run).peekable();
        let mut previous = '\0';
        while let Some((offset, c)) = humps.next() {
            let next = humps.peek().map(|(_, c)| *c);
            let starts_part = c.is_uppercase()
                && (previous.is_lowercase()
                    || previous.is_numeric()
                    || previous.is_uppercase()
                        && next.is_some_and(char::is_lowercase)
                        && !is_plural(&run[offset..]));
            if starts_part && chars > 0 {
                compound.parts.push(Part {
                    start: from,
                    end: start + offset,
                    chars,
                    word,
                });
                from = start + offset;
                chars = 0;
            }
            chars += 1;
            previous = c;
        }
    } else if run.is_ascii() {
        chars = run.len();
    } else {
        chars = run.chars().filter(|c| !continues(*c)).count();
    }
    compound.parts.push(Part {
        start: from,
        end,
        chars,
        word,
    });
}

/// `APIs`, `IDs`: the last capital and an `s` are no part.
fn is_plural(tail: &str) -> bool {
    let mut chars = tail.chars();
    chars.next();
    chars.as_str().trim_start_matches(continues) == "s"
}

/// The letters of a run without their marks, so that case does not depend on how a mark is written.
fn letters(run: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    run.char_indices()
        .filter(|(_, c)| !continues(*c))
        .map(|(offset, c)| {
            let mut base = None;
            if !c.is_ascii() {
                unicode_normalization::char::decompose_canonical(c, |piece| {
                    base.get_or_insert(piece);
                });
            }
            (offset, base.unwrap_or(c))
        })
}

/// Whether capitals inside a run can start parts. In hashes, keys and other random text they do not.
fn may_be_camel(run: &str) -> bool {
    let mut has_small = false;
    let mut has_inner_capital = false;
    let mut digit_runs = 0;
    let mut previous_is_digit = false;
    for (index, c) in letters(run) {
        let is_digit = c.is_ascii_digit();
        digit_runs += usize::from(is_digit && !previous_is_digit);
        previous_is_digit = is_digit;
        if index > 0 && c.is_uppercase() {
            has_inner_capital = true;
        } else if c.is_lowercase() {
            has_small = true;
        }
    }
    let is_hex_literal = run.starts_with("0x") || run.starts_with("0X");
    has_small && has_inner_capital && digit_runs < 3 && !is_hex_literal
}
