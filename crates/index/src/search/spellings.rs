//! Words by their letters: which of them a slip of the keyboard can have made of another.

/// Words of letters alone, by their length, each with the letters it has.
///
/// Most terms of a vocabulary are no words: identifiers with digits, hashes, paths. What is left, by length, is a
/// fraction of it, and most of that is passed over by a look at one number.
#[derive(Debug, Default)]
pub(super) struct Spellings {
    /// The words of so many characters, longest last.
    by_length: Vec<Words>,
}

#[derive(Debug, Default)]
struct Words {
    /// The places of the words among the terms.
    places: Vec<u32>,
    /// Which letters each has, see [`letters`].
    letters: Vec<u64>,
}

/// Characters from which on lengths are not told apart.
const LONGEST: usize = 64;

impl Spellings {
    /// Adds the term at a place; terms come in the order of their places.
    pub(super) fn add(&mut self, place: u32, term: &str) {
        let is_word = if term.is_ascii() {
            term.bytes().all(|byte| byte.is_ascii_alphabetic())
        } else {
            term.chars().all(char::is_alphabetic)
        };
        if is_word {
            let length = length(term);
            if self.by_length.len() <= length {
                self.by_length.resize_with(length + 1, Words::default);
            }
            let words = &mut self.by_length[length];
            words.places.push(place);
            words.letters.push(letters(term.as_bytes()));
        }
    }

    /// The places of all words that can be within so many edits of another, ascending. Most of these are.
    pub(super) fn near(&self, word: &str, distance: usize) -> Vec<u32> {
        let wanted = letters(word.as_bytes());
        let length = length(word);
        let lengths = length.saturating_sub(distance)..=length + distance;
        let mut near = Vec::new();
        for words in lengths.filter_map(|length| self.by_length.get(length)) {
            // Eight at a time: hardly ever is one of them near.
            for (sets, places) in words.letters.chunks(8).zip(words.places.chunks(8)) {
                let mut different = [u64::MAX; 8];
                for (different, set) in different.iter_mut().zip(sets) {
                    *different = set ^ wanted;
                }
                // An edit brings in and takes out one letter at most: without so many bits, nothing is left. Cheaper
                // than counting all bits, on processors that cannot count them at once.
                for _ in 0..2 * distance {
                    for different in &mut different {
                        *different &= different.wrapping_sub(1);
                    }
                }
                if different
                    .iter()
                    .fold(false, |any, different| any | (*different == 0))
                {
                    let found = places
                        .iter()
                        .zip(&different)
                        .filter(|(_, different)| **different == 0);
                    near.extend(found.map(|(place, _)| *place));
                }
            }
        }
        near.sort_unstable();
        near
    }
}

fn length(term: &str) -> usize {
    term.chars().count().min(LONGEST)
}

/// One bit for each ASCII letter that occurs, and one for each that occurs again. Other letters have none: a change of
/// one of them can change several bytes.
fn letters(term: &[u8]) -> u64 {
    let mut set = 0;
    for byte in term {
        if let b'a'..=b'z' = byte {
            let bit = 1 << (byte - b'a');
            set |= if set & bit == 0 { bit } else { bit << 26 };
        }
    }
    set
}
