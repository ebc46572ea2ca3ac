use std::hash::{BuildHasher, BuildHasherDefault};

use hashbrown::{HashTable, hash_table::Entry};
use lookback_ranker::analysis::Tokens;
use rustc_hash::FxHasher;

/// One occurrence of a term: its number, times two, plus one where the next token stands at the next position.
pub(super) type Occurrence = u32;

/// The terms of a segment that is being made, and what each word comes to.
///
/// Text repeats itself: nearly all words were seen before, and for these the analysis is one look into a table.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    terms: Texts,
    short_words: HashTable<ShortWord>,
    long_words: Texts,
    /// What the long words come to, by their numbers.
    long_analysed: Vec<Analysed>,
    /// Of all words that come to several.
    occurrences: Vec<Occurrence>,
}

/// A word of which the table holds every byte: looking one up touches no other memory.
#[derive(Debug, Clone, Copy)]
struct ShortWord {
    key: ShortKey,
    analysed: Analysed,
}

/// A word of up to 16 bytes as numbers: the same only for the same word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct ShortKey {
    first: u64,
    last: u64,
    length: u32,
}

#[derive(Debug, Clone, Copy)]
struct Analysed {
    count: u32,
    /// The occurrence itself where it is only one, otherwise where they begin.
    at: u32,
}

/// Longer stretches of text are hardly ever met again.
const LONGEST_WORD: usize = 48;

impl ShortKey {
    fn new(word: &str) -> Option<Self> {
        let bytes = word.as_bytes();
        // Both ends overlap, and the length tells by how much.
        let (first, last) = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            (u64::from_le_bytes(*first), u64::from_le_bytes(*last))
        } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            (
                u64::from(u32::from_le_bytes(*first)),
                u64::from(u32::from_le_bytes(*last)),
            )
        } else {
            let byte = |at: usize| u64::from(bytes.get(at).copied().unwrap_or(0));
            (byte(0) | byte(1) << 8 | byte(2) << 16, 0)
        };
        (bytes.len() <= 16).then_some(Self {
            first,
            last,
            length: bytes.len() as u32,
        })
    }

    fn hash(&self) -> u64 {
        BuildHasherDefault::<FxHasher>::default().hash_one(self)
    }
}

impl Vocabulary {
    /// Appends the occurrences that a stretch of text comes to.
    pub(super) fn analyse(&mut self, stretch: &str, out: &mut Vec<Occurrence>) {
        let analysed = if let Some(key) = ShortKey::new(stretch) {
            let hash = key.hash();
            match self.short_words.find(hash, |known| known.key == key) {
                Some(known) => known.analysed,
                None => {
                    let analysed = self.analyse_anew(stretch);
                    self.short_words
                        .insert_unique(hash, ShortWord { key, analysed }, |known| known.key.hash());
                    analysed
                }
            }
        } else if stretch.len() <= LONGEST_WORD {
            let (word, is_new) = self.long_words.number(stretch);
            if is_new {
                let analysed = self.analyse_anew(stretch);
                self.long_analysed.push(analysed);
            }
            self.long_analysed[word as usize]
        } else {
            return self.tokens(stretch, out);
        };
        let Analysed { count, at } = analysed;
        if count == 1 {
            out.push(at);
        } else {
            out.extend_from_slice(&self.occurrences[at as usize..][..count as usize]);
        }
    }

    fn analyse_anew(&mut self, word: &str) -> Analysed {
        let mut found = std::mem::take(&mut self.occurrences);
        let start = found.len();
        self.tokens(word, &mut found);
        let count = (found.len() - start) as u32;
        let at = if count == 1 { found.pop() } else { None };
        self.occurrences = found;
        Analysed {
            count,
            at: at.unwrap_or(start as u32),
        }
    }

    fn tokens(&mut self, stretch: &str, out: &mut Vec<Occurrence>) {
        let mut tokens = Tokens::new(stretch);
        let first = out.len();
        let mut position = 0;
        while let Some(token) = tokens.next_token() {
            // Wholes stand where their first part does.
            if token.position > position && out.len() > first {
                *out.last_mut().unwrap_or(&mut 0) |= 1;
            }
            position = token.position;
            let (term, _) = self.terms.number(token.term);
            out.push(term << 1);
        }
        if tokens.length() > position && out.len() > first {
            *out.last_mut().unwrap_or(&mut 0) |= 1;
        }
    }

    /// The terms, by their numbers.
    pub(super) fn into_terms(self) -> Texts {
        self.terms
    }

    /// Bytes of memory.
    pub(super) fn memory(&self) -> usize {
        self.terms.memory()
            + table_memory(&self.short_words)
            + self.long_words.memory()
            + self.long_analysed.capacity() * size_of::<Analysed>()
            + self.occurrences.capacity() * size_of::<Occurrence>()
    }
}

fn table_memory<T>(table: &HashTable<T>) -> usize {
    // A byte beside each, and an eighth stays free.
    table.capacity() * (size_of::<T>() + 1) * 8 / 7
}

/// Texts with numbers, each once, in one row.
#[derive(Debug, Default)]
pub(super) struct Texts {
    bytes: String,
    /// Where each text ends.
    ends: Vec<u32>,
    numbers: HashTable<Numbered>,
}

#[derive(Debug, Clone, Copy)]
struct Numbered {
    /// Most texts differ in it, so that few are compared, and none are hashed again when the table grows.
    hash: u32,
    number: u32,
}

impl Texts {
    /// The number of a text, and whether it is a new one.
    fn number(&mut self, text: &str) -> (u32, bool) {
        let hash = hash(text);
        let (bytes, ends) = (&mut self.bytes, &mut self.ends);
        let is_same = |known: &Numbered| known.hash == hash && slice(bytes, ends, known.number) == text;
        match self
            .numbers
            .entry(spread(hash), is_same, |known| spread(known.hash))
        {
            Entry::Occupied(known) => (known.get().number, false),
            Entry::Vacant(vacant) => {
                let number = ends.len() as u32;
                bytes.push_str(text);
                ends.push(bytes.len() as u32);
                vacant.insert(Numbered { hash, number });
                (number, true)
            }
        }
    }

    pub(super) fn get(&self, number: u32) -> &str {
        slice(&self.bytes, &self.ends, number)
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The numbers in the order of the bytes of their texts.
    pub(super) fn sorted(&self) -> Vec<u32> {
        // The first bytes decide nearly all comparisons, without a look at the texts.
        let mut keys: Vec<(u64, u32)> = (0..self.len() as u32)
            .map(|number| (first_bytes(self.get(number)), number))
            .collect();
        keys.sort_unstable_by(|(a, one), (b, other)| {
            a.cmp(b).then_with(|| self.get(*one).cmp(self.get(*other)))
        });
        keys.into_iter().map(|(_, number)| number).collect()
    }

    fn memory(&self) -> usize {
        self.bytes.capacity() + self.ends.capacity() * size_of::<u32>() + table_memory(&self.numbers)
    }
}

fn slice<'a>(bytes: &'a str, ends: &[u32], number: u32) -> &'a str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &bytes[start as usize..ends[number] as usize]
}

fn hash(text: &str) -> u32 {
    (BuildHasherDefault::<FxHasher>::default().hash_one(text) >> 7) as u32
}

/// The table takes both ends of its hashes.
fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

/// Eight bytes as a number that is ordered like the text.
fn first_bytes(text: &str) -> u64 {
    let mut first = [0; 8];
    let length = text.len().min(8);
    first[..length].copy_from_slice(&text.as_bytes()[..length]);
    u64::from_be_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_come_to_the_same_every_time() {
        let mut vocabulary = Vocabulary::default();
        let mut first = Vec::new();
        let words = [
            "getUserName",
            "user",
            "User",
            "数据库",
            "c++",
            "-",
            "a-b_c",
            "aaaaaaaa",
            "aaaaaaaaa",
            "aaaaaaaaaaaaaaaaa",
        ];
        for word in words {
            vocabulary.analyse(word, &mut first);
        }
        let mut again = Vec::new();
        for word in words {
            vocabulary.analyse(word, &mut again);
        }
        assert_eq!(first, again);
        let long = "long".repeat(40);
        vocabulary.analyse(&long, &mut again);
        let terms = vocabulary.into_terms();
        let found: Vec<(&str, u32)> = first
            .iter()
            .map(|occurrence| (terms.get(occurrence >> 1), occurrence & 1))
            .collect();
        let expected = [
            ("getusername", 0),
            ("get", 1),
            ("user", 1),
            ("name", 1),
            ("user", 1),
            ("user", 1),
            ("数据", 1),
            ("据库", 1),
            ("库", 1),
            ("c++", 0),
            ("c", 1),
            ("abc", 0),
            ("a", 1),
            ("bc", 0),
            ("b", 1),
            ("c", 1),
            ("aaaaaaaa", 1),
            ("aaaaaaaaa", 1),
            ("aaaaaaaaaaaaaaaaa", 1),
        ];
        assert_eq!(found, expected);
        let sorted: Vec<&str> = terms
            .sorted()
            .into_iter()
            .map(|number| terms.get(number))
            .collect();
        assert!(sorted.is_sorted() && sorted.len() == terms.len());
    }
}
