//! The plain words of the corpus and how often each occurs.

use std::collections::HashSet;

use super::english::{ACCENTED_WORDS, FUNCTION_WORDS, WORK_WORDS};
use super::random::Random;

/// Different plain words. Identifiers, paths and numbers come on top.
const TERMS: usize = 40_000;

/// Steps of the table that turns a random number into a rank.
const STEPS: usize = 1 << 14;

/// Words by rank; the word of rank k occurs about 1/k as often as the first one (Zipf's law).
pub(crate) struct Vocabulary {
    words: Vec<Box<str>>,
    /// Rank at each step of the cumulated frequency, so that a draw costs a look-up and no logarithm.
    ranks: Vec<u32>,
}

impl Vocabulary {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::derived(seed, 0x766f_6361);
        let mut seen = HashSet::new();
        let mut words: Vec<Box<str>> = Vec::with_capacity(TERMS);
        let mut add = |word: String| {
            if words.len() < TERMS && seen.insert(word.clone()) {
                words.push(word.into());
            }
        };
        FUNCTION_WORDS
            .split_whitespace()
            .for_each(|word| add(word.to_owned()));
        // The bare words first: their forms are rarer than they are.
        WORK_WORDS
            .split_whitespace()
            .for_each(|word| add(word.to_owned()));
        for ending in ["s", "ing", "ed", "er"] {
            WORK_WORDS
                .split_whitespace()
                .for_each(|word| add(inflected(word, ending)));
        }
        ACCENTED_WORDS
            .split_whitespace()
            .for_each(|word| add(word.to_owned()));
        // More rounds than needed; `add` ignores what is known already and whatever comes after the last term.
        for _ in 0..TERMS {
            let stem = invented(&mut random);
            add(stem.clone());
            for ending in ["s", "ed", "ing", "tion", "able"] {
                if random.chance(0.3) {
                    add(inflected(&stem, ending));
                }
            }
        }
        let last = words.len() as f64;
        let ranks = (0..=STEPS)
            .map(|step| last.powf(step as f64 / STEPS as f64) as u32 - 1)
            .map(|rank| rank.min(words.len() as u32 - 1))
            .collect();
        Self { words, ranks }
    }

    /// A word, frequent ones more often.
    pub(crate) fn word(&self, random: &mut Random) -> &str {
        let draw = random.next();
        let step = (draw as usize) % STEPS;
        let (low, high) = (self.ranks[step], self.ranks[step + 1]);
        // Far down one step spans many ranks; the upper half of the draw picks one of them.
        let rank = low + ((draw >> 32) % u64::from((high - low).max(1))) as u32;
        &self.words[rank as usize]
    }

    /// The rank of a word that is rare in general and can therefore mark a subject.
    pub(crate) fn subject(&self, random: &mut Random) -> u32 {
        random.between(600, self.words.len()) as u32
    }

    /// A frequent word of software work, in its bare form.
    pub(crate) fn work_word(&self, random: &mut Random) -> &str {
        let first = FUNCTION_WORDS.split_whitespace().count();
        &self.words[random.between(first, first + 300)]
    }

    pub(crate) fn at(&self, rank: u32) -> &str {
        &self.words[rank as usize]
    }
}

/// English spelling as far as it is regular: `cache` + `ing` is `caching`, `query` + `s` is `queries`.
fn inflected(word: &str, ending: &str) -> String {
    let vowel = ending.starts_with(['e', 'i', 'a']);
    if let (Some(stem), true) = (word.strip_suffix('e'), vowel) {
        return format!("{stem}{ending}");
    }
    match (word.strip_suffix('y'), ending) {
        (Some(stem), "s") => format!("{stem}ies"),
        _ if ending == "s" && word.ends_with(['s', 'x', 'h']) => format!("{word}es"),
        _ => format!("{word}{ending}"),
    }
}

/// A word that could be English but hardly is.
fn invented(random: &mut Random) -> String {
    const ONSETS: &[&str] = &[
        "b", "br", "c", "ch", "cl", "cr", "d", "dr", "f", "fl", "g", "gl", "gr", "h", "j", "k", "l", "m",
        "n", "p", "pl", "pr", "qu", "r", "s", "sc", "sh", "sl", "sp", "st", "str", "t", "th", "tr", "v", "w",
        "z",
    ];
    const VOWELS: &[&str] = &["a", "e", "i", "o", "u", "ai", "ea", "ee", "oa", "ou", "io"];
    const CODAS: &[&str] = &[
        "", "", "", "n", "r", "l", "s", "t", "m", "nd", "rt", "ck", "st", "nt", "sk", "x",
    ];
    let mut word = String::new();
    for _ in 0..[1, 2, 2, 2, 3][random.below(5)] {
        word.push_str(random.one_of(ONSETS));
        word.push_str(random.one_of(VOWELS));
        if random.chance(0.5) {
            word.push_str(random.one_of(CODAS));
        }
    }
    word
}
