use std::ops::Range;

use lookback_ranker::analysis::edit_distance;
use memchr::memmem;
use tantivy::termdict::TermDictionary;

use super::{
    pieces::{Pieces, TERMS_OF_BLOCK},
    spellings::Spellings,
};

/// What stands behind each term of a table; no term has it.
pub(super) const END: char = '\n';

/// The terms of a layer in a row, to be searched for parts and for slips of the keyboard. Made when it is first asked
/// for.
#[derive(Debug)]
pub(crate) struct TermTable {
    /// All terms, each between line feeds.
    text: String,
    /// Where each term starts, and where the one behind the last would.
    starts: Vec<u32>,
    /// Which blocks of terms can have a piece.
    pieces: Pieces,
    /// Those that are words.
    spellings: Spellings,
}

impl TermTable {
    /// The table of a dictionary with `count` terms.
    ///
    /// # Errors
    /// When the terms are no text, or are not as many.
    pub(crate) fn new(terms: &TermDictionary, count: usize) -> std::io::Result<Self> {
        let invalid = |what: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, what);
        let mut text = vec![END as u8];
        let mut starts = Vec::with_capacity(count + 1);
        let mut spellings = Spellings::default();
        let mut stream = terms.stream()?;
        while stream.advance() {
            let term = std::str::from_utf8(stream.key()).map_err(|_| invalid("terms that are no text"))?;
            if starts.len() == count {
                // Damage can make a dictionary that has no end.
                return Err(invalid("more terms than there are"));
            }
            spellings.add(starts.len() as u32, term);
            starts.push(text.len() as u32);
            text.extend_from_slice(term.as_bytes());
            text.push(END as u8);
        }
        let terms = starts.len();
        starts.push(text.len() as u32);
        let mut pieces = Pieces::new(terms);
        for (block, from) in (0..terms).step_by(TERMS_OF_BLOCK).enumerate() {
            let to = terms.min(from + TERMS_OF_BLOCK);
            pieces.add(block, &text[starts[from] as usize..starts[to] as usize]);
        }
        let text = String::from_utf8(text).map_err(|_| invalid("terms that are no text"))?;
        Ok(Self {
            text,
            starts,
            pieces,
            spellings,
        })
    }

    /// Number of terms.
    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    pub(super) fn term(&self, at: usize) -> &str {
        let (start, next) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        &self.text[start..next - 1]
    }

    /// The ordinals of the terms that start with `prefix`.
    pub(super) fn with_prefix(&self, prefix: &str) -> Range<usize> {
        let first = |is_before: &dyn Fn(&str) -> bool| {
            let (mut from, mut to) = (0, self.count());
            while from < to {
                let middle = from + (to - from) / 2;
                if is_before(self.term(middle)) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            from
        };
        first(&|term| term < prefix)..first(&|term| term < prefix || term.starts_with(prefix))
    }

    /// Visits the ordinals of the terms that contain `infix`, ascending. With [`END`] behind it, of those that end so.
    pub(super) fn each_containing(&self, infix: &str, visit: &mut dyn FnMut(usize)) {
        let finder = memmem::Finder::new(infix);
        self.pieces.each_run(infix.as_bytes(), |blocks| {
            let from = blocks.start * TERMS_OF_BLOCK;
            let to = self.count().min(blocks.end * TERMS_OF_BLOCK);
            self.each_found(&finder, from..to, visit);
        });
    }

    /// Visits those of some terms that have what is looked for.
    fn each_found(&self, finder: &memmem::Finder<'_>, terms: Range<usize>, visit: &mut dyn FnMut(usize)) {
        let end = self.starts[terms.end] as usize;
        let mut at = terms.start;
        let mut from = self.starts[at] as usize;
        while let Some(found) = finder.find(&self.text.as_bytes()[from..end]) {
            let place = (from + found) as u32;
            // Where many terms have it, the next one is near.
            let near = &self.starts[at..self.starts.len().min(at + 16)];
            at += match near.iter().position(|start| *start > place) {
                Some(beyond) => beyond - 1,
                None => self.starts[at..=terms.end].partition_point(|start| *start <= place) - 1,
            };
            if at >= terms.end {
                return;
            }
            visit(at);
            at += 1;
            from = self.starts[at] as usize;
        }
    }

    /// Visits the ordinals of the words within so many edits of another, ascending.
    pub(super) fn each_within(&self, word: &str, distance: u8, visit: &mut dyn FnMut(usize)) {
        let distance = usize::from(distance);
        for at in self.spellings.near(word, distance) {
            if edit_distance(word, self.term(at as usize), distance).is_some() {
                visit(at as usize);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tantivy::{
        directory::FileSlice,
        postings::TermInfo,
        termdict::{TermDictionary, TermDictionaryBuilder},
    };

    use super::*;

    /// A way to look through a table.
    type Look<'a> = dyn Fn(&mut dyn FnMut(usize)) + 'a;

    fn table(terms: &[&str]) -> TermTable {
        let mut builder = TermDictionaryBuilder::create(Vec::new()).unwrap();
        for term in terms {
            builder.insert(term, &TermInfo::default()).unwrap();
        }
        let dictionary = TermDictionary::open(FileSlice::from(builder.finish().unwrap())).unwrap();
        TermTable::new(&dictionary, terms.len()).unwrap()
    }

    #[test]
    fn a_table_finds_what_a_look_at_every_term_finds() {
        let terms = [
            "a",
            "aa",
            "aaa",
            "ab",
            "abba",
            "bab",
            "book",
            "bookkeeper",
            "e0382",
            "kepper",
            "keeper",
            "naïve",
            "数据",
            "数据库",
        ];
        let mut terms = terms.to_vec();
        let many: Vec<String> = (0..200).map(|number| format!("x{number:03}")).collect();
        terms.extend(many.iter().map(String::as_str));
        terms.sort_unstable();
        let table = table(&terms);
        let found = |look: &Look<'_>| {
            let mut found = Vec::new();
            look(&mut |at| found.push(table.term(at)));
            found
        };
        let expected = |fits: &dyn Fn(&str) -> bool| {
            let fitting = terms.iter().copied().filter(|term| fits(term));
            fitting.collect::<Vec<&str>>()
        };
        for word in [
            "a", "b", "aa", "x1", "x19", "9", "keeper", "据", "库", "ï", "0", "nothing", "x199", "book",
        ] {
            assert_eq!(
                found(&|visit| table.with_prefix(word).for_each(visit)),
                expected(&|term| term.starts_with(word)),
                "{word}*"
            );
            assert_eq!(
                found(&|visit| table.each_containing(word, visit)),
                expected(&|term| term.contains(word)),
                "*{word}*"
            );
            let end = format!("{word}{END}");
            assert_eq!(
                found(&|visit| table.each_containing(&end, visit)),
                expected(&|term| term.ends_with(word)),
                "*{word}"
            );
            for distance in [1, 2] {
                assert_eq!(
                    found(&|visit| table.each_within(word, distance, visit)),
                    expected(&|term| term.chars().all(char::is_alphabetic)
                        && edit_distance(word, term, distance.into()).is_some()),
                    "{word}~{distance}"
                );
            }
        }
    }
}
