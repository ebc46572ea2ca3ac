use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use smol_str::SmolStr;

use super::{
    known_terms::MANY,
    postings::{OpenLayer, Postings},
    term_table::{END, TermTable},
};
use crate::IndexError;

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
        let known = &self.snapshot.known_terms;
        if let Some(terms) = known.with_beginning(prefix) {
            terms.iter().for_each(|(term, count)| visit(term, *count));
            return Ok(());
        }
        let mut found = Vec::new();
        for layer in self.layers() {
            let layer = layer?;
            found.push(match layer.layer.known_term_table() {
                Some(table) => {
                    let terms = table.with_prefix(prefix);
                    Terms::Known(
                        terms
                            .map(|at| self.with_frequency(&layer, table, at))
                            .collect::<Result<_, _>>()?,
                    )
                }
                None => read_with_prefix(&layer, prefix)?,
            });
        }
        let mut terms = Vec::new();
        tell(&found, &mut |term, count| {
            visit(term, count);
            if terms.len() <= MANY {
                terms.push((SmolStr::new(term), count));
            }
        });
        known.note_beginning(prefix, terms);
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
            look(table, &mut |at| match self.with_frequency(&layer, table, at) {
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

    fn with_frequency(
        &self,
        layer: &OpenLayer<'_>,
        table: &'a TermTable,
        at: usize,
    ) -> Result<(&'a str, u32), IndexError> {
        let term = table.term(at);
        Ok((term, self.frequency(layer, term, at as u64)?))
    }
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
    use super::*;

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
