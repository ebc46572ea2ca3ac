use std::collections::HashMap;

use lookback_ranker::analysis::edit_distance;
use memchr::memmem;
use tantivy::termdict::TermDictionary;

use super::postings::{OpenLayer, Postings};
use crate::IndexError;

/// The terms of a layer in a row, to be searched for parts and for slips of the keyboard. Made when it is first asked
/// for.
#[derive(Debug)]
pub(crate) struct TermTable {
    /// All terms, each behind a line feed, which no term has.
    text: Vec<u8>,
    /// Where each term starts.
    starts: Vec<u32>,
    /// Which characters each term has, see [`characters`].
    characters: Vec<u32>,
}

impl TermTable {
    pub(crate) fn new(terms: &TermDictionary) -> std::io::Result<Self> {
        let mut table = Self {
            text: vec![b'\n'],
            starts: Vec::with_capacity(terms.num_terms()),
            characters: Vec::with_capacity(terms.num_terms()),
        };
        let mut stream = terms.stream()?;
        while stream.advance() {
            let term = stream.key();
            table.starts.push(table.text.len() as u32);
            table.characters.push(characters(term));
            table.text.extend_from_slice(term);
            table.text.push(b'\n');
        }
        Ok(table)
    }

    fn term(&self, at: usize) -> &str {
        let start = self.starts[at] as usize;
        let end = self
            .starts
            .get(at + 1)
            .map_or(self.text.len(), |next| *next as usize);
        std::str::from_utf8(&self.text[start..end - 1]).unwrap_or_default()
    }

    fn each_containing<'a>(&'a self, infix: &str, mut visit: impl FnMut(&'a str)) {
        let mut from = 0;
        let finder = memmem::Finder::new(infix);
        while let Some(found) = finder.find(&self.text[from..]) {
            let at = self
                .starts
                .partition_point(|start| *start as usize <= from + found)
                .saturating_sub(1);
            visit(self.term(at));
            match self.starts.get(at + 1) {
                Some(next) => from = *next as usize,
                None => break,
            }
        }
    }

    fn each_within<'a>(&'a self, term: &str, distance: u8, mut visit: impl FnMut(&'a str)) {
        let wanted = characters(term.as_bytes());
        let length = term.chars().count();
        for at in 0..self.starts.len() {
            // An edit brings in and takes out one character at most.
            if (self.characters[at] ^ wanted).count_ones() > 2 * u32::from(distance) {
                continue;
            }
            let known = self.term(at);
            if known.len().abs_diff(term.len()) <= 4 * usize::from(distance)
                && known.chars().count().abs_diff(length) <= usize::from(distance)
                && edit_distance(term, known, usize::from(distance)).is_some()
            {
                visit(known);
            }
        }
    }
}

/// One bit for each ASCII letter or digit pair that occurs. Other bytes have none: a change of one character can change
/// several of its bytes.
fn characters(term: &[u8]) -> u32 {
    let mut set = 0;
    for byte in term {
        match byte {
            b'a'..=b'z' => set |= 1 << (byte - b'a'),
            b'0'..=b'9' => set |= 1 << (26 + (byte - b'0') / 2),
            _ => {}
        }
    }
    set
}

impl<'a> Postings<'a> {
    pub(super) fn each_with_prefix(
        &self,
        prefix: &str,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        let mut counts = Counts::default();
        for layer in self.layers() {
            let layer = layer?;
            let terms = layer.segment.inverted.terms();
            let mut stream = terms
                .range()
                .ge(prefix)
                .into_stream()
                .map_err(|error| layer.fault(&error))?;
            while stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
                let count = layer.frequency(stream.value())?;
                let term = std::str::from_utf8(stream.key()).unwrap_or_default();
                counts.add(term, count);
            }
        }
        counts.tell(visit);
        Ok(())
    }

    pub(super) fn each_containing(
        &self,
        infix: &str,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        self.each_in_tables(visit, |table, found| table.each_containing(infix, found))
    }

    pub(super) fn each_within(
        &self,
        term: &str,
        distance: u8,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        self.each_in_tables(visit, |table, found| table.each_within(term, distance, found))
    }

    fn each_in_tables(
        &self,
        visit: &mut dyn FnMut(&str, u32),
        look: impl Fn(&'a TermTable, &mut dyn FnMut(&'a str)),
    ) -> Result<(), IndexError> {
        let mut counts = Counts::default();
        for layer in self.layers() {
            let layer = layer?;
            let table = layer.layer.term_table(layer.segment)?;
            let mut failed = None;
            look(table, &mut |term| match frequency(&layer, term) {
                Ok(count) => counts.add(term, count),
                Err(error) => failed = Some(error),
            });
            if let Some(error) = failed {
                return Err(error);
            }
        }
        counts.tell(visit);
        Ok(())
    }
}

fn frequency(layer: &OpenLayer<'_>, term: &str) -> Result<u32, IndexError> {
    match layer.term_info(term)? {
        Some(info) => layer.frequency(&info),
        None => Ok(0),
    }
}

/// Terms with the number of their turns, over all layers.
#[derive(Default)]
struct Counts {
    counts: HashMap<String, u32>,
}

impl Counts {
    fn add(&mut self, term: &str, count: u32) {
        // A term of which only outdated text is left is no term any more.
        if count == 0 {
            return;
        }
        match self.counts.get_mut(term) {
            Some(known) => *known += count,
            None => {
                self.counts.insert(term.to_owned(), count);
            }
        }
    }

    fn tell(self, visit: &mut dyn FnMut(&str, u32)) {
        for (term, count) in &self.counts {
            visit(term, *count);
        }
    }
}
