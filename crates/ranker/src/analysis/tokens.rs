use super::class::{continues, is_apostrophe, is_gram, is_word};
use super::compound::{Compound, split_compound};
use super::fold::fold_into;
use super::{MAX_PIECES, MAX_TERM_CHARS, PIECE_CHARS};

/// A token: a term and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token<'a> {
    /// The term, folded.
    pub term: &'a str,
    /// Its position: words, parts and characters are counted, wholes stand at their first part.
    pub position: u32,
    /// How many positions it covers: more than one for a whole with parts.
    pub span: u32,
    /// Where its text starts, in bytes.
    pub start: usize,
    /// Where its text ends, in bytes.
    pub end: usize,
    /// What it is.
    pub kind: TokenKind,
}

/// What a [`Token`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A word without parts.
    Word,
    /// An identifier or hyphenated word as a whole. Its parts follow.
    Whole,
    /// A part of the whole before, or a piece of a very long word.
    Part,
    /// Two characters of a script without spaces, or the last one of a run.
    Gram,
}

/// Walks through the tokens of a text, in order of position, wholes before their parts.
///
/// The term of a token lives until the next step, so that nothing is allocated per token.
#[derive(Debug)]
pub struct Tokens<'t> {
    text: &'t str,
    /// Where scanning goes on.
    at: usize,
    position: u32,
    /// Terms of the tokens in `queue`.
    terms: String,
    queue: Vec<Queued>,
    /// Tokens of the queue that were handed out.
    handed_out: usize,
    /// Kept for its memory.
    compound: Compound,
}

#[derive(Debug, Clone, Copy)]
struct Queued {
    term_start: usize,
    term_end: usize,
    position: u32,
    span: u32,
    start: usize,
    end: usize,
    kind: TokenKind,
}

impl<'t> Tokens<'t> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            position: 0,
            terms: String::new(),
            queue: Vec::new(),
            handed_out: 0,
            compound: Compound::default(),
        }
    }

    /// Steps to the next token. False at the end.
    pub fn advance(&mut self) -> bool {
        if self.handed_out < self.queue.len() {
            self.handed_out += 1;
            return true;
        }
        self.fill()
    }

    /// The token that the last step led to. Without one, an empty token.
    pub fn token(&self) -> Token<'_> {
        match self
            .handed_out
            .checked_sub(1)
            .and_then(|index| self.queue.get(index))
        {
            Some(queued) => Token {
                term: &self.terms[queued.term_start..queued.term_end],
                position: queued.position,
                span: queued.span,
                start: queued.start,
                end: queued.end,
                kind: queued.kind,
            },
            None => Token {
                term: "",
                position: 0,
                span: 0,
                start: 0,
                end: 0,
                kind: TokenKind::Word,
            },
        }
    }

    /// Steps to the next token and returns it.
    pub fn next_token(&mut self) -> Option<Token<'_>> {
        if self.advance() { Some(self.token()) } else { None }
    }

    /// The position that the next token gets: after the last one the length of the text.
    pub fn length(&self) -> u32 {
        self.position
    }

    /// Where the next word is looked for, once all tokens of the last one were handed out.
    pub(crate) fn border(&self) -> Option<usize> {
        (self.handed_out == self.queue.len()).then_some(self.at)
    }

    /// Passes over words: goes on at `at`, where a word may begin and none goes on.
    pub(crate) fn go_on_at(&mut self, at: usize) {
        self.at = at;
    }

    /// Finds the next word and queues its tokens; the first one counts as handed out.
    fn fill(&mut self) -> bool {
        self.queue.clear();
        self.terms.clear();
        self.handed_out = 0;
        while self.queue.is_empty() {
            let Some(start) = self.skip_to_word() else {
                return false;
            };
            if self.plain_word(start) {
                break;
            }
            if self.text[start..].chars().next().is_some_and(is_gram) {
                self.grams(start);
            } else {
                self.word(start);
            }
        }
        self.handed_out = 1;
        true
    }

    /// The start of the next word or run.
    fn skip_to_word(&mut self) -> Option<usize> {
        let bytes = self.text.as_bytes();
        while let Some(byte) = bytes.get(self.at) {
            if byte.is_ascii() {
                if byte.is_ascii_alphanumeric() {
                    return Some(self.at);
                }
                self.at += 1;
            } else {
                let c = self.text[self.at..].chars().next()?;
                if is_word(c) || is_gram(c) {
                    return Some(self.at);
                }
                self.at += c.len_utf8();
            }
        }
        None
    }

    /// Queues a word of ASCII letters and digits that has no parts: most of all words, so they go the short way.
    fn plain_word(&mut self, start: usize) -> bool {
        let bytes = &self.text.as_bytes()[start..];
        let length = bytes
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric())
            .count();
        let goes_on = match bytes.get(length) {
            // What can join it to something, or make it more than a word.
            Some(b'_' | b'-' | b'\'' | b'+' | b'#') => true,
            Some(next) => !next.is_ascii(),
            None => false,
        };
        let is_number_of_issue = start > 0 && self.text.as_bytes()[start - 1] == b'#';
        if length == 0 || length > MAX_TERM_CHARS || goes_on || is_number_of_issue {
            return false;
        }
        if bytes[1..length].iter().any(u8::is_ascii_uppercase) {
            return false;
        }
        self.terms.push_str(&self.text[start..start + length]);
        self.terms.make_ascii_lowercase();
        self.queue.push(Queued {
            term_start: 0,
            term_end: length,
            position: self.position,
            span: 1,
            start,
            end: start + length,
            kind: TokenKind::Word,
        });
        self.position += 1;
        self.at = start + length;
        true
    }

    fn word(&mut self, start: usize) {
        let mut compound = std::mem::take(&mut self.compound);
        self.at = split_compound(self.text, start, &mut compound);
        let first = self.position;
        if compound.parts.len() == 1 && compound.parts[0].chars > MAX_TERM_CHARS {
            self.pieces(start, compound.parts[0].end);
        } else {
            self.wholes(&compound);
        }
        if self.position > first {
            self.signs(start, first);
        }
        self.compound = compound;
    }

    /// Queues the parts of a compound, each whole before its first part.
    fn wholes(&mut self, compound: &Compound) {
        let parts = &compound.parts;
        if let [part] = parts.as_slice() {
            if self.push(TokenKind::Word, part.start, part.end, 1) {
                self.position += 1;
            }
            return;
        }
        for (index, part) in parts.iter().enumerate() {
            if index == 0 && compound.words > 1 {
                self.push_whole(parts);
            }
            let starts_word = index == 0 || parts[index - 1].word != part.word;
            if starts_word {
                let count = parts[index..]
                    .iter()
                    .take_while(|other| other.word == part.word)
                    .count();
                if count > 1 {
                    self.push_whole(&parts[index..index + count]);
                }
            }
            if part.chars > MAX_TERM_CHARS {
                self.pieces(part.start, part.end);
            } else if self.push(TokenKind::Part, part.start, part.end, 1) {
                self.position += 1;
            }
        }
    }

    fn push_whole(&mut self, parts: &[super::compound::Part]) {
        let chars: usize = parts.iter().map(|part| part.chars).sum();
        if chars > MAX_TERM_CHARS {
            // Found by its parts as a phrase.
            return;
        }
        if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
            self.push(TokenKind::Whole, first.start, last.end, parts.len() as u32);
        }
    }

    /// Cuts a very long word.
    fn pieces(&mut self, start: usize, end: usize) {
        let mut from = start;
        for _ in 0..MAX_PIECES {
            if from >= end {
                break;
            }
            let mut bases = 0;
            let to = self.text[from..end]
                .char_indices()
                .find(|(_, c)| {
                    bases += usize::from(!continues(*c));
                    bases > PIECE_CHARS
                })
                .map_or(end, |(offset, _)| from + offset);
            if self.push(TokenKind::Part, from, to, 1) {
                self.position += 1;
            }
            from = to;
        }
    }

    /// `c++`, `c#` and `#123` are words of their own beside the letter or number in them.
    fn signs(&mut self, start: usize, position: u32) {
        let [only] = self.queue.as_slice() else {
            return;
        };
        let only = *only;
        let bytes = self.text.as_bytes();
        let word = &bytes[start..self.at];
        let (from, to) = if word.len() == 1 && word[0].is_ascii_alphabetic() {
            let rest = &bytes[self.at..];
            let signs = match rest {
                [b'+', b'+', ..] => 2,
                [b'#', ..] => 1,
                _ => return,
            };
            let next = self.text[self.at + signs..].chars().next();
            if next.is_some_and(|c| c.is_alphanumeric() || matches!(c, '+' | '#')) {
                return;
            }
            (start, self.at + signs)
        } else if start > 0 && bytes[start - 1] == b'#' && word.iter().all(u8::is_ascii_digit) {
            (start - 1, self.at)
        } else {
            return;
        };
        let term_start = self.terms.len();
        self.terms.push_str(&self.text[from..to].to_ascii_lowercase());
        self.queue.insert(
            0,
            Queued {
                term_start,
                term_end: self.terms.len(),
                position,
                span: 1,
                start: from,
                end: to,
                kind: TokenKind::Whole,
            },
        );
        self.queue[1] = Queued {
            kind: TokenKind::Part,
            ..only
        };
    }

    /// Queues the pairs of a run of characters and its last character.
    fn grams(&mut self, start: usize) {
        let mut previous: Option<(usize, usize)> = None;
        let mut at = start;
        loop {
            let unit = self.unit(at);
            match (previous, unit) {
                (Some((from, _)), Some(to)) => {
                    self.push_gram(from, to);
                    previous = Some((at, to));
                    at = to;
                }
                (None, Some(to)) => {
                    previous = Some((at, to));
                    at = to;
                }
                (Some((from, to)), None) => {
                    self.push_gram(from, to);
                    break;
                }
                (None, None) => break,
            }
            // Bounded memory for books without spaces: the next call goes on behind the pair.
            if self.queue.len() >= 1024
                && let Some((from, _)) = previous
            {
                at = from;
                break;
            }
        }
        self.at = at;
    }

    /// The end of the character at `at` with its marks, when it belongs to a script without spaces.
    fn unit(&self, at: usize) -> Option<usize> {
        let mut chars = self.text[at..].char_indices();
        let (_, first) = chars.next()?;
        if !is_gram(first) {
            return None;
        }
        chars
            .find(|(_, c)| !continues(*c))
            .map_or(Some(self.text.len()), |(offset, _)| Some(at + offset))
    }

    fn push_gram(&mut self, start: usize, end: usize) {
        if self.push(TokenKind::Gram, start, end, 1) {
            self.position += 1;
        }
    }

    /// Queues the term of a piece of the text. False when nothing of it is left after folding.
    fn push(&mut self, kind: TokenKind, start: usize, end: usize, span: u32) -> bool {
        let term_start = self.terms.len();
        fold_into(&self.text[start..end], &mut self.terms);
        if self.terms.len() == term_start {
            return false;
        }
        self.queue.push(Queued {
            term_start,
            term_end: self.terms.len(),
            position: self.position,
            span,
            start,
            end,
            kind,
        });
        true
    }
}

/// Where the word ends that an apostrophe at `at` stands in, and where scanning goes on; see `split_compound`.
pub(super) fn after_apostrophe(text: &str, at: usize, before: char) -> Option<(bool, usize)> {
    let apostrophe = text[at..].chars().next().filter(|c| is_apostrophe(*c))?;
    let suffix_start = at + apostrophe.len_utf8();
    let suffix_length = text[suffix_start..]
        .find(|c: char| !is_word(c) && !continues(c))
        .unwrap_or(text.len() - suffix_start);
    let suffix = &text[suffix_start..suffix_start + suffix_length];
    let end = suffix_start + suffix_length;
    match suffix {
        "t" | "T" if matches!(before, 'n' | 'N') => Some((true, end)),
        "s" | "S" | "re" | "ve" | "ll" | "d" | "m" => Some((false, end)),
        _ => None,
    }
}
