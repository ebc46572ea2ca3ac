use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use tantivy::postings::TermInfo;

/// Places that are kept at most, about 100 bytes each.
const MOST: usize = 1 << 14;

/// What was found out about terms in the layers of one commit.
///
/// A search asks for each of its terms several times, and who searches while typing asks for the same again; looking
/// into the dictionaries of all layers costs more than all else that a rare word needs.
#[derive(Debug, Default)]
pub(crate) struct KnownTerms {
    table: Mutex<Table>,
    beginnings: Mutex<Beginnings>,
}

/// Terms with the numbers of their turns.
pub(super) type Counted = Arc<[(SmolStr, u32)]>;

/// The terms that begin so: those of a beginning that was asked for, as for the forms of each word of a query.
#[derive(Debug, Default)]
struct Beginnings {
    terms: FxHashMap<SmolStr, Counted>,
    count: usize,
}

/// More terms with one beginning are not kept: with them, looking them up is not what costs.
pub(super) const MANY: usize = MOST / 16;

#[derive(Debug, Default)]
struct Table {
    /// The row of each term in `places`, which has one place for each layer.
    rows: FxHashMap<SmolStr, u32>,
    places: Vec<Place>,
}

/// What is known of a term in a layer.
#[derive(Debug, Clone, Default)]
pub(super) struct Place {
    /// Where its postings are; `Some(None)` where the layer does not have it.
    pub(super) info: Option<Option<TermInfo>>,
    /// In how many turns it occurs.
    pub(super) turns: Option<u32>,
}

impl KnownTerms {
    /// What is known of a term in one of so many layers.
    pub(super) fn get(&self, term: &str, layer: usize, layers: usize) -> Place {
        let table = self.table();
        let row = table.rows.get(term).map(|row| *row as usize);
        let place = row.and_then(|row| table.places.get(row * layers + layer));
        place.cloned().unwrap_or_default()
    }

    /// Takes note of what was found out.
    pub(super) fn note(&self, term: &str, layer: usize, layers: usize, note: impl FnOnce(&mut Place)) {
        let mut table = self.table();
        let row = match table.rows.get(term) {
            Some(row) => *row as usize,
            None => {
                if table.places.len() + layers > MOST {
                    *table = Table::default();
                }
                let row = table.rows.len();
                table.rows.insert(SmolStr::new(term), row as u32);
                table.places.resize_with((row + 1) * layers, Place::default);
                row
            }
        };
        if let Some(place) = table.places.get_mut(row * layers + layer) {
            note(place);
        }
    }

    /// The terms that begin so, if they were found out before.
    pub(super) fn with_beginning(&self, beginning: &str) -> Option<Counted> {
        self.beginnings().terms.get(beginning).cloned()
    }

    /// Takes note of the terms that begin so.
    pub(super) fn note_beginning(&self, beginning: &str, terms: Vec<(SmolStr, u32)>) {
        if terms.len() > MANY {
            return;
        }
        let mut known = self.beginnings();
        // One more, so that there is an end of beginnings without terms as well.
        let count = known.count + terms.len() + 1;
        if count > MOST {
            *known = Beginnings::default();
        }
        known.count += terms.len() + 1;
        known.terms.insert(SmolStr::new(beginning), terms.into());
    }

    fn beginnings(&self) -> MutexGuard<'_, Beginnings> {
        self.beginnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_noted_is_known_and_the_table_stays_small() {
        let known = KnownTerms::default();
        known.note("word", 1, 2, |place| place.turns = Some(7));
        assert_eq!(known.get("word", 1, 2).turns, Some(7));
        assert_eq!(known.get("word", 0, 2).turns, None);
        assert!(known.get("other", 1, 2).info.is_none());
        for number in 0..MOST {
            known.note(&format!("word{number}"), 0, 2, |place| place.info = Some(None));
        }
        let last = known.get(&format!("word{}", MOST - 1), 0, 2);
        assert!(last.info.is_some_and(|info| info.is_none()));
        assert!(known.table().places.len() <= MOST);
    }

    #[test]
    fn beginnings_are_kept_as_long_as_there_is_room() {
        let known = KnownTerms::default();
        let terms = |count: usize| vec![(SmolStr::new("word"), 1); count];
        known.note_beginning("wo", terms(2));
        assert_eq!(known.with_beginning("wo").map(|terms| terms.len()), Some(2));
        assert!(known.with_beginning("w").is_none());
        known.note_beginning("w", terms(MANY + 1));
        assert!(known.with_beginning("w").is_none(), "too many");
        for number in 0..MOST {
            known.note_beginning(&format!("x{number}"), terms(number % 3));
        }
        let kept: usize = known
            .beginnings()
            .terms
            .values()
            .map(|terms| terms.len() + 1)
            .sum();
        assert!(kept <= MOST && kept == known.beginnings().count);
        assert!(known.with_beginning(&format!("x{}", MOST - 1)).is_some());
    }
}
