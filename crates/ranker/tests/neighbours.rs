//! Words near one another: what they are looked up for.

use std::{cell::Cell, convert::Infallible};

use lookback_ranker::memory::MemoryPostings;
use lookback_ranker::{Leaf, Policy, Posting, Provider, Scratch, Searchable, Vocabulary, search};

use crate::corpora::{Library, request};

/// Counts the turns in which a leaf is looked for by itself.
struct Counting<'a> {
    postings: &'a MemoryPostings,
    turns: Cell<usize>,
}

impl Vocabulary for Counting<'_> {
    type Error = Infallible;

    fn document_frequency(&self, term: &str) -> Result<u32, Infallible> {
        self.postings.document_frequency(term)
    }

    fn terms_with_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        self.postings.terms_with_prefix(prefix, visit)
    }

    fn terms_containing(&self, infix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        self.postings.terms_containing(infix, visit)
    }

    fn terms_within_distance(
        &self,
        term: &str,
        distance: u8,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), Infallible> {
        self.postings.terms_within_distance(term, distance, visit)
    }
}

impl Provider for Counting<'_> {
    fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), Infallible> {
        assert!(!matches!(leaf, Leaf::Near { .. }), "in all turns");
        self.postings.postings(leaf, out)
    }

    fn postings_in(&self, leaf: &Leaf, turns: &[u32], out: &mut Vec<Posting>) -> Result<(), Infallible> {
        self.turns.set(self.turns.get() + turns.len());
        self.postings.postings_in(leaf, turns, out)
    }
}

/// What costs most of a search with words that are often together.
#[test]
fn where_neighbours_stand_is_read_only_for_sessions_that_can_be_on_the_page() {
    let mut library = Library::default();
    for i in 0..50 {
        let (few, many) = ("the firmware of a turbine ", "something else ".repeat(60));
        library.session(
            &format!("little{i}"),
            "2024-01-01T00:00:00Z",
            &[&format!("{few}{many}"), "yes"],
        );
    }
    for i in 0..3 {
        let much = "the firmware of a turbine ".repeat(4);
        library.session(&format!("much{i}"), "2026-03-10T12:00:00Z", &[&much, &much]);
    }
    let searcher = library.searcher();
    let provider = Counting {
        postings: &searcher.provider,
        turns: Cell::new(0),
    };
    let searchable = Searchable {
        provider: &provider,
        corpus: &searcher.corpus,
        labels: &searcher.labels,
        live_turns: &[],
    };
    let mut request = request("turbine firmware", Policy::default());
    let mut answer = |limit: usize| {
        provider.turns.set(0);
        request.limit = limit;
        let Ok(ranking) = search(&request, &searchable, &mut Scratch::default());
        (ranking.hits, ranking.sessions_matched, provider.turns.get())
    };
    let (all, matched, read) = answer(100);
    assert_eq!((all.len(), matched, read), (53, 53, 56));
    let (page, matched, read) = answer(3);
    assert_eq!((&page[..], matched, read), (&all[..3], 53, 6));
}
