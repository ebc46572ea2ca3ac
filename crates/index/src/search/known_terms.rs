use std::sync::{Mutex, MutexGuard, PoisonError};

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
}

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
}
