use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use lookback_ranker::analysis::edit_distance;
use memchr::memmem;
use tantivy::termdict::TermDictionary;

use super::postings::{OpenLayer, Postings};
use crate::IndexError;

/// What stands behind each term of a table; no term has it.
const END: char = '\n';

/// The terms of a layer in a row, to be searched for parts and for slips of the keyboard. Made when it is first asked
/// for.
#[derive(Debug)]
pub(crate) struct TermTable {
    /// All terms, each between line feeds.
    text: String,
    /// Where each term starts, and where the one behind the last would.
    starts: Vec<u32>,
    /// Which characters each term has, see [`characters`].
    characters: Vec<u64>,
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
        let mut sets = Vec::with_capacity(count);
        let mut stream = terms.stream()?;
        while stream.advance() {
            let term = stream.key();
            if starts.len() == count {
                // Damage can make a dictionary that has no end.
                return Err(invalid("more terms than there are"));
            }
            starts.push(text.len() as u32);
            sets.push(characters(term));
            text.extend_from_slice(term);
            text.push(END as u8);
        }
        starts.push(text.len() as u32);
        let text = String::from_utf8(text).map_err(|_| invalid("terms that are no text"))?;
        Ok(Self {
            text,
            starts,
            characters: sets,
        })
    }

    /// Number of terms.
    fn count(&self) -> usize {
        self.characters.len()
    }

    fn term(&self, at: usize) -> &str {
        let (start, next) = (self.starts[at] as usize, self.starts[at + 1] as usize);
        &self.text[start..next - 1]
    }

    /// The ordinals of the terms that start with `prefix`.
    fn with_prefix(&self, prefix: &str) -> std::ops::Range<usize> {
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

    fn each_containing(&self, infix: &str, visit: &mut dyn FnMut(usize)) {
        let mut from = 0;
        let mut at = 0;
        let finder = memmem::Finder::new(infix);
        while let Some(found) = finder.find(&self.text.as_bytes()[from..]) {
            let place = (from + found) as u32;
            // Where many terms have it, the next one is near.
            let near = &self.starts[at..self.starts.len().min(at + 16)];
            at += match near.iter().position(|start| *start > place) {
                Some(beyond) => beyond - 1,
                None => self.starts[at..].partition_point(|start| *start <= place) - 1,
            };
            visit(at);
            at += 1;
            from = self.starts[at] as usize;
        }
    }

    fn each_within(&self, term: &str, distance: u8, visit: &mut dyn FnMut(usize)) {
        let wanted = characters(term.as_bytes());
        let length = term.chars().count();
        let distance = usize::from(distance);
        for (at, set) in self.characters.iter().enumerate() {
            // An edit brings in and takes out one character at most: without so many bits, nothing is left. Cheaper than
            // counting all bits, on processors that cannot count them at once.
            let mut different = set ^ wanted;
            for _ in 0..2 * distance {
                different &= different.wrapping_sub(1);
            }
            if different != 0 {
                continue;
            }
            let known = self.term(at);
            if known.len().abs_diff(term.len()) <= 4 * distance
                && known.chars().count().abs_diff(length) <= distance
                && edit_distance(term, known, distance).is_some()
            {
                visit(at);
            }
        }
    }
}

/// One bit for each ASCII letter that occurs, one for each that occurs again, and one for each pair of digits. Other
/// bytes have none: a change of one character can change several of its bytes.
fn characters(term: &[u8]) -> u64 {
    let mut set = 0;
    for byte in term {
        match byte {
            b'a'..=b'z' => {
                let bit = 1 << (byte - b'a');
                set |= if set & bit == 0 { bit } else { bit << 26 };
            }
            b'0'..=b'9' => set |= 1 << (52 + (byte - b'0') / 2),
            _ => {}
        }
    }
    set
}

/// Terms of one layer, ascending, with the numbers of their turns.
enum Terms<'a> {
    /// Of a table.
    Known(Vec<(&'a str, u32)>),
    /// From the dictionary: all terms in a row, and where each ends.
    Read { text: String, ends: Vec<(usize, u32)> },
}

impl Terms<'_> {
    fn get(&self, at: usize) -> Option<(&str, u32)> {
        match self {
            Self::Known(terms) => terms.get(at).copied(),
            Self::Read { text, ends } => {
                let (end, count) = *ends.get(at)?;
                let start = at.checked_sub(1).map_or(0, |before| ends[before].0);
                Some((&text[start..end], count))
            }
        }
    }
}

impl<'a> Postings<'a> {
    pub(super) fn each_with_prefix(
        &self,
        prefix: &str,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        let mut found = Vec::new();
        for layer in self.layers() {
            let layer = layer?;
            found.push(match layer.layer.known_term_table() {
                Some(table) => {
                    let terms = table.with_prefix(prefix);
                    Terms::Known(
                        terms
                            .map(|at| with_frequency(&layer, table, at))
                            .collect::<Result<_, _>>()?,
                    )
                }
                None => read_with_prefix(&layer, prefix)?,
            });
        }
        tell(&found, visit);
        Ok(())
    }

    pub(super) fn each_containing(
        &self,
        infix: &str,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        self.each_in_tables(visit, |table, found| table.each_containing(infix, found))
    }

    pub(super) fn each_with_suffix(
        &self,
        suffix: &str,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        let suffix = format!("{suffix}{END}");
        self.each_in_tables(visit, |table, found| table.each_containing(&suffix, found))
    }

    pub(super) fn each_within(
        &self,
        term: &str,
        distance: u8,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        self.each_in_tables(visit, |table, found| table.each_within(term, distance, found))
    }

    /// Makes the tables that are missing side by side; those that cannot be made so are left to who needs them.
    fn make_tables(&self) {
        let layers = self.snapshot.layers.iter();
        let missing: Vec<_> = layers
            .filter(|layer| layer.known_term_table().is_none())
            .collect();
        let Some((_, others)) = missing.split_first() else {
            return;
        };
        thread::scope(|scope| {
            for layer in others {
                let work = || catch_unwind(AssertUnwindSafe(|| layer.term_table().map(drop)));
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            let _ = catch_unwind(AssertUnwindSafe(|| missing[0].term_table().map(drop)));
        });
    }

    fn each_in_tables(
        &self,
        visit: &mut dyn FnMut(&str, u32),
        look: impl Fn(&'a TermTable, &mut dyn FnMut(usize)),
    ) -> Result<(), IndexError> {
        self.make_tables();
        let mut found = Vec::new();
        for layer in self.layers() {
            let layer = layer?;
            let Some(table) = layer.layer.term_table()? else {
                continue;
            };
            let mut terms = Vec::new();
            let mut failed = None;
            look(table, &mut |at| match with_frequency(&layer, table, at) {
                Ok(term) => terms.push(term),
                Err(error) => failed = Some(error),
            });
            if let Some(error) = failed {
                return Err(error);
            }
            found.push(Terms::Known(terms));
        }
        tell(&found, visit);
        Ok(())
    }
}

fn with_frequency<'a>(
    layer: &OpenLayer<'_>,
    table: &'a TermTable,
    at: usize,
) -> Result<(&'a str, u32), IndexError> {
    let term = table.term(at);
    Ok((term, layer.frequency(at as u64, || layer.term_info(term))?))
}

/// The terms with a prefix, from the dictionary: for the first searches of a process, which a table would hold up.
fn read_with_prefix(layer: &OpenLayer<'_>, prefix: &str) -> Result<Terms<'static>, IndexError> {
    let (mut text, mut ends) = (String::new(), Vec::new());
    let terms = layer.segment.inverted.terms();
    let stream = terms.range().ge(prefix).into_stream();
    let mut stream = stream.map_err(|error| layer.fault(&error))?;
    while stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
        let count = layer.frequency(stream.term_ord(), || Ok(Some(stream.value().clone())))?;
        text += std::str::from_utf8(stream.key()).map_err(|error| layer.fault(&error))?;
        ends.push((text.len(), count));
    }
    Ok(Terms::Read { text, ends })
}

/// Tells the terms of all layers, ascending, each once with its turns in all of them.
fn tell(layers: &[Terms<'_>], visit: &mut dyn FnMut(&str, u32)) {
    let mut places = vec![0; layers.len()];
    loop {
        let heads = layers.iter().zip(&places).map(|(terms, at)| terms.get(*at));
        let Some(least) = heads.flatten().map(|(term, _)| term).min() else {
            return;
        };
        let mut count = 0;
        for (terms, at) in layers.iter().zip(&mut places) {
            if let Some((_, more)) = terms.get(*at).filter(|(term, _)| *term == least) {
                count += more;
                *at += 1;
            }
        }
        // A term of which only outdated text is left is no term any more.
        if count > 0 {
            visit(least, count);
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
                    expected(&|term| edit_distance(word, term, distance.into()).is_some()),
                    "{word}~{distance}"
                );
            }
        }
    }

    #[test]
    fn terms_of_several_layers_are_told_once() {
        let layers = [
            Terms::Known(vec![("a", 1), ("c", 2), ("d", 0)]),
            Terms::Known(Vec::new()),
            Terms::Read {
                text: "bcd".to_owned(),
                ends: vec![(1, 5), (2, 3), (3, 0)],
            },
        ];
        let mut told = Vec::new();
        tell(&layers, &mut |term, count| told.push((term.to_owned(), count)));
        let expected = [("a", 1), ("b", 5), ("c", 5)];
        assert_eq!(told, expected.map(|(term, count)| (term.to_owned(), count)));
    }
}
