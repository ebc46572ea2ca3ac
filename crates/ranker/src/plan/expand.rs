use smol_str::SmolStr;

use crate::Vocabulary;
use crate::analysis::{Kinship, WordFamily, edit_distance, irregular_forms};

/// Terms that a wildcard or a single character stands for, at most.
pub(crate) const MAX_EXPANSION: usize = 512;

/// Terms that fit an open end of a phrase, at most.
pub(crate) const MAX_SLOT: usize = 256;

/// Forms of a word that are searched, at most.
const MAX_FORMS: usize = 12;

/// Typos of a word that are searched, at most.
const MAX_TYPOS: usize = 5;

/// The letters that a word must have before its forms or typos are looked for.
const MIN_LETTERS: usize = 4;

/// Terms that were found in the vocabulary, the most frequent first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Expansion {
    pub(crate) terms: Vec<SmolStr>,
    /// How many there are, searched or not.
    pub(crate) fitting: usize,
}

impl Expansion {
    pub(crate) fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// The best `limit` candidates: least rank, then the most frequent, then by spelling.
    fn best(mut candidates: Vec<(usize, u32, SmolStr)>, limit: usize) -> Self {
        let order = |one: &(usize, u32, SmolStr), other: &(usize, u32, SmolStr)| {
            one.0
                .cmp(&other.0)
                .then(other.1.cmp(&one.1))
                .then_with(|| one.2.cmp(&other.2))
        };
        let fitting = candidates.len();
        if fitting > limit {
            candidates.select_nth_unstable_by(limit, order);
            candidates.truncate(limit);
        }
        candidates.sort_unstable_by(order);
        Self {
            terms: candidates.into_iter().map(|(_, _, term)| term).collect(),
            fitting,
        }
    }
}

/// Which longer words a piece stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Open {
    /// Words that start with it.
    End,
    /// Words that end with it.
    Start,
    /// Words that contain it.
    Both,
}

/// The terms that contain a piece at the place that is not open.
pub(crate) fn longer_words<V: Vocabulary>(
    vocabulary: &V,
    piece: &str,
    open: Open,
    limit: usize,
) -> Result<Expansion, V::Error> {
    let mut candidates = Vec::new();
    let mut visit = |term: &str, count: u32| candidates.push((0, count, SmolStr::new(term)));
    match open {
        Open::End => vocabulary.terms_with_prefix(piece, &mut visit)?,
        Open::Both => vocabulary.terms_containing(piece, &mut visit)?,
        Open::Start => vocabulary.terms_containing(piece, &mut |term, count| {
            if term.ends_with(piece) {
                visit(term, count);
            }
        })?,
    }
    Ok(Expansion::best(candidates, limit))
}

/// The other forms of a word that the vocabulary has: those of number and tense, and other parts of speech.
pub(crate) fn word_forms<V: Vocabulary>(
    vocabulary: &V,
    word: &str,
) -> Result<(Expansion, Expansion), V::Error> {
    let mut inflected = Vec::new();
    let mut derived = Vec::new();
    if word.len() >= MIN_LETTERS && word.bytes().all(|byte| byte.is_ascii_lowercase()) {
        let family = WordFamily::of(word);
        // The last letter of a stem can differ between forms (study, studies); of a short one it says too much.
        let stem = family.stem();
        let cut = if stem.len() > MIN_LETTERS {
            stem.len() - 1
        } else {
            stem.len()
        };
        let shared = stem
            .bytes()
            .zip(word.bytes())
            .take(cut)
            .take_while(|(one, other)| one == other)
            .count();
        vocabulary.terms_with_prefix(&word[..shared], &mut |term, count| {
            if term != word && term.bytes().all(|byte| byte.is_ascii_lowercase()) {
                match family.kinship(term) {
                    Some(Kinship::Inflected) => inflected.push((0, count, SmolStr::new(term))),
                    Some(Kinship::Derived) => derived.push((0, count, SmolStr::new(term))),
                    None => {}
                }
            }
        })?;
    }
    for form in irregular_forms(word) {
        if *form != word && !inflected.iter().any(|(_, _, term)| term == form) {
            let count = vocabulary.document_frequency(form)?;
            if count > 0 {
                inflected.push((0, count, SmolStr::new(form)));
            }
        }
    }
    Ok((
        Expansion::best(inflected, MAX_FORMS),
        Expansion::best(derived, MAX_FORMS),
    ))
}

/// The words that a slip of the keyboard may have made of another.
pub(crate) fn typos<V: Vocabulary>(vocabulary: &V, word: &str) -> Result<Expansion, V::Error> {
    let letters = word.chars().count();
    // Codes, versions and hashes are right or wrong; so are words of three letters.
    if letters < MIN_LETTERS || !word.chars().all(char::is_alphabetic) {
        return Ok(Expansion::default());
    }
    let distance = if letters < 8 { 1 } else { 2 };
    let first = word.chars().next();
    let mut candidates = Vec::new();
    vocabulary.terms_within_distance(word, distance, &mut |term, count| {
        if term != word
            && term.chars().all(char::is_alphabetic)
            && let Some(found) = edit_distance(word, term, usize::from(distance))
        {
            // The first letter is rarely wrong.
            let rank = 2 * found + usize::from(term.chars().next() != first);
            candidates.push((rank, count, SmolStr::new(term)));
        }
    })?;
    // A nearer word makes the farther ones unlikely.
    let nearest = candidates.iter().map(|(rank, _, _)| *rank).min().unwrap_or(0);
    candidates.retain(|(rank, _, _)| *rank <= nearest + 1);
    Ok(Expansion::best(candidates, MAX_TYPOS))
}
