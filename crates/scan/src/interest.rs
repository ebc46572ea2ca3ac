//! What a query will ask about, found out before any file is read.

use std::{cell::RefCell, cmp::Reverse, collections::BTreeSet, convert::Infallible};

use lookback_ranker::{
    Annotations, Corpus, Labels, Leaf, Phrase, Posting, Provider, Ranking, Scratch, SearchRequest,
    Searchable, Slot, Vocabulary, search,
};
use smol_str::SmolStr;

/// The terms that the answer to a query depends on.
///
/// They come from a rehearsal: the query is answered by a store that has nothing and writes down what it is asked.
/// A store that has nothing is asked for every way to find a word, so the rehearsal asks for nearly everything that the
/// real search can ask for; where that wants more, it says so and the files are read once more.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Interests {
    /// Terms whose every occurrence counts.
    free: BTreeSet<SmolStr>,
    /// Terms that start so.
    prefixes: BTreeSet<SmolStr>,
    /// Terms that contain this.
    infixes: BTreeSet<SmolStr>,
    /// Phrases and neighbourhoods. Of their terms only the occurrences in turns with all of them count.
    joint: BTreeSet<Leaf>,
    /// Typos were asked for.
    pub(crate) typos: bool,
}

/// A piece of a term that every matching turn has.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Needle {
    pub(crate) text: SmolStr,
    /// It is a whole term, not a part of one.
    pub(crate) whole: bool,
}

impl Interests {
    /// What a request asks for, and what can be said about it without reading anything.
    pub(crate) fn of(request: &SearchRequest) -> (Self, Ranking) {
        let recorder = Recorder::default();
        let corpus = Corpus::default();
        let labels = Labels::new(&corpus, &Annotations::default());
        let searchable = Searchable {
            provider: &recorder,
            corpus: &corpus,
            labels: &labels,
            live_turns: &[],
        };
        let Ok(ranking) = search(request, &searchable, &mut Scratch::default());
        (recorder.interests.into_inner(), ranking)
    }

    /// True when no text is asked for.
    pub(crate) fn is_empty(&self) -> bool {
        self.free.is_empty() && self.prefixes.is_empty() && self.infixes.is_empty() && self.joint.is_empty()
    }

    pub(crate) fn add_term(&mut self, term: &str) {
        if !term.is_empty() && !self.has_all_of(term) {
            self.free.insert(SmolStr::new(term));
        }
    }

    pub(crate) fn add_prefix(&mut self, prefix: &str) {
        self.prefixes.insert(SmolStr::new(prefix));
    }

    pub(crate) fn add_infix(&mut self, infix: &str) {
        self.infixes.insert(SmolStr::new(infix));
    }

    pub(crate) fn add_leaf(&mut self, leaf: &Leaf) {
        match leaf {
            Leaf::Terms(terms) => terms.iter().for_each(|term| self.add_term(term)),
            Leaf::Phrase(_) | Leaf::Near { .. } => {
                if !self.has_leaf(leaf) {
                    self.joint.insert(leaf.clone());
                }
            }
        }
    }

    /// Adds what another round asked for.
    pub(crate) fn extend(&mut self, other: Self) {
        self.free.extend(other.free);
        self.prefixes.extend(other.prefixes);
        self.infixes.extend(other.infixes);
        self.joint.extend(other.joint);
        self.typos |= other.typos;
    }

    /// Every occurrence of the term is gathered.
    pub(crate) fn has_all_of(&self, term: &str) -> bool {
        term.is_empty()
            || self.free.contains(term)
            || self
                .prefixes
                .iter()
                .any(|prefix| term.starts_with(prefix.as_str()))
            || self.infixes.iter().any(|infix| term.contains(infix.as_str()))
    }

    pub(crate) fn has_prefix(&self, wanted: &str) -> bool {
        self.prefixes
            .iter()
            .any(|prefix| wanted.starts_with(prefix.as_str()))
            || self.has_infix(wanted)
    }

    pub(crate) fn has_infix(&self, wanted: &str) -> bool {
        self.infixes.iter().any(|infix| wanted.contains(infix.as_str()))
    }

    /// All that decides about the leaf is gathered.
    pub(crate) fn has_leaf(&self, leaf: &Leaf) -> bool {
        self.joint.contains(leaf) || leaf_terms(leaf).all(|term| self.has_all_of(term))
    }

    /// A turn in which none of these occurs is not matched by anything.
    ///
    /// Of each phrase one place is enough: the one whose terms are rarest by `commonness`.
    pub(crate) fn needles(&self, commonness: impl Fn(&str) -> usize) -> Vec<Needle> {
        let mut needles = BTreeSet::new();
        for (list, whole) in [
            (&self.free, true),
            (&self.prefixes, false),
            (&self.infixes, false),
        ] {
            needles.extend(list.iter().map(|text| Needle {
                text: text.clone(),
                whole,
            }));
        }
        for leaf in &self.joint {
            let phrases = match leaf {
                Leaf::Phrase(phrase) => std::slice::from_ref(phrase),
                Leaf::Near { operands, .. } => operands.as_slice(),
                Leaf::Terms(_) => &[],
            };
            let telling = phrases
                .iter()
                .flat_map(|phrase| &phrase.slots)
                .min_by_key(|slot| telling(slot, &commonness));
            needles.extend(
                telling
                    .into_iter()
                    .flat_map(|slot| &slot.terms)
                    .map(|term| Needle {
                        text: term.clone(),
                        whole: true,
                    }),
            );
        }
        needles.retain(|needle| !needle.text.is_empty());
        needles.into_iter().collect()
    }

    /// Phrases and neighbourhoods.
    pub(crate) fn joint(&self) -> impl Iterator<Item = &Leaf> {
        self.joint.iter()
    }

    /// Tells the terms whose every occurrence counts from all others.
    pub(crate) fn free_filter(&self) -> TermFilter {
        TermFilter::new(
            self.free.iter().cloned().collect(),
            self.prefixes.iter().cloned().collect(),
            self.infixes.iter().cloned().collect(),
        )
    }

    /// Tells the terms that are gathered from all others.
    pub(crate) fn filter(&self) -> TermFilter {
        let mut exact: Vec<SmolStr> = self.free.iter().cloned().collect();
        exact.extend(self.joint.iter().flat_map(leaf_terms).cloned());
        exact.retain(|term| !term.is_empty());
        exact.sort_unstable();
        exact.dedup();
        TermFilter::new(
            exact,
            self.prefixes.iter().cloned().collect(),
            self.infixes.iter().cloned().collect(),
        )
    }
}

/// How well a slot tells turns apart; the least does best. A term that no text has, the empty one, does best of all, and
/// among the rare ones a long one will be rarer still.
fn telling(slot: &Slot, commonness: impl Fn(&str) -> usize) -> (usize, Reverse<usize>) {
    let total = slot
        .terms
        .iter()
        .map(|term| if term.is_empty() { 0 } else { commonness(term) });
    let shortest = slot
        .terms
        .iter()
        .map(|term| if term.is_empty() { usize::MAX } else { term.len() });
    (
        total.fold(0, usize::saturating_add),
        Reverse(shortest.min().unwrap_or(0)),
    )
}

fn phrase_terms(phrase: &Phrase) -> impl Iterator<Item = &SmolStr> {
    phrase.slots.iter().flat_map(|slot| &slot.terms)
}

fn leaf_terms(leaf: &Leaf) -> Box<dyn Iterator<Item = &SmolStr> + '_> {
    match leaf {
        Leaf::Terms(terms) => Box::new(terms.iter()),
        Leaf::Phrase(phrase) => Box::new(phrase_terms(phrase)),
        Leaf::Near { operands, .. } => Box::new(operands.iter().flat_map(phrase_terms)),
    }
}

/// Decides for every word of every text whether it matters.
#[derive(Debug, Clone)]
pub(crate) struct TermFilter {
    /// Sorted.
    exact: Vec<SmolStr>,
    prefixes: Vec<SmolStr>,
    infixes: Vec<SmolStr>,
    /// By first byte: bit 0, an exact term begins so; bit 1, a prefix does.
    first: [u8; 256],
    /// Bit n: an exact term has n bytes; bit 63 stands for all longer ones.
    lengths: u64,
}

impl TermFilter {
    fn new(exact: Vec<SmolStr>, prefixes: Vec<SmolStr>, infixes: Vec<SmolStr>) -> Self {
        let mut first = [0; 256];
        let mut lengths = 0;
        for term in &exact {
            first[usize::from(term.as_bytes()[0])] |= 1;
            lengths |= 1 << term.len().min(63);
        }
        for prefix in &prefixes {
            match prefix.as_bytes().first() {
                Some(&byte) => first[usize::from(byte)] |= 2,
                None => first = first.map(|flags| flags | 2),
            }
        }
        Self {
            exact,
            prefixes,
            infixes,
            first,
            lengths,
        }
    }

    pub(crate) fn matches(&self, term: &str) -> bool {
        let Some(&byte) = term.as_bytes().first() else {
            return false;
        };
        let flags = self.first[usize::from(byte)];
        if flags & 1 != 0
            && self.lengths >> term.len().min(63) & 1 != 0
            && self
                .exact
                .binary_search_by(|known| known.as_str().cmp(term))
                .is_ok()
        {
            return true;
        }
        if flags & 2 != 0
            && self
                .prefixes
                .iter()
                .any(|prefix| term.starts_with(prefix.as_str()))
        {
            return true;
        }
        self.infixes.iter().any(|infix| term.contains(infix.as_str()))
    }
}

/// How the terms that matter begin, as far as they are plain words: ASCII letters and digits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Beginnings {
    /// In too many ways.
    Any,
    /// With one of these, small letters with [`u8::to_ascii_lowercase`]'s bit set; or with one byte alone.
    Pairs(Vec<(u8, Option<u8>)>),
}

/// Beyond so many beginnings every word is looked at.
const MOST_BEGINNINGS: usize = 12;

impl TermFilter {
    pub(crate) fn beginnings(&self) -> Beginnings {
        let mut pairs = Vec::new();
        let terms = self.exact.iter().map(|term| (term, false));
        let prefixes = self.prefixes.iter().map(|prefix| (prefix, true));
        for (text, goes_on) in terms.chain(prefixes) {
            match *text.as_bytes() {
                [] => return Beginnings::Any,
                [first] if !goes_on && !first.is_ascii_alphanumeric() => {}
                // A term of one letter has anything behind it.
                [first] => pairs.push((first | 0x20, None)),
                [first, second, ..] if first.is_ascii() && second.is_ascii() => {
                    pairs.push((first | 0x20, Some(second | 0x20)));
                }
                // No plain word.
                _ => {}
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        if pairs.len() > MOST_BEGINNINGS || !self.infixes.is_empty() {
            return Beginnings::Any;
        }
        Beginnings::Pairs(pairs)
    }
}

/// A store that has nothing and writes down what it is asked for.
#[derive(Debug, Default)]
struct Recorder {
    interests: RefCell<Interests>,
}

impl Vocabulary for Recorder {
    type Error = Infallible;

    fn document_frequency(&self, term: &str) -> Result<u32, Infallible> {
        self.interests.borrow_mut().add_term(term);
        Ok(0)
    }

    fn terms_with_prefix(&self, prefix: &str, _: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        self.interests.borrow_mut().add_prefix(prefix);
        Ok(())
    }

    fn terms_containing(&self, infix: &str, _: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        self.interests.borrow_mut().add_infix(infix);
        Ok(())
    }

    fn terms_within_distance(&self, _: &str, _: u8, _: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        self.interests.borrow_mut().typos = true;
        Ok(())
    }
}

impl Provider for Recorder {
    fn postings(&self, leaf: &Leaf, _: &mut Vec<Posting>) -> Result<(), Infallible> {
        self.interests.borrow_mut().add_leaf(leaf);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use lookback_ranker::Policy;

    use super::*;

    fn interests(query: &str, policy: Policy) -> Interests {
        Interests::of(&SearchRequest {
            policy,
            ..SearchRequest::new(query)
        })
        .0
    }

    fn needles(query: &str) -> Vec<String> {
        let needles = interests(query, Policy::memory()).needles(|term| usize::from(term == "prefilter"));
        needles.iter().map(|needle| needle.text.to_string()).collect()
    }

    #[test]
    fn a_phrase_needs_one_needle() {
        assert_eq!(needles("k3s ingress"), ["ingress", "k3s"]);
        assert_eq!(needles("\"how to resume a session\""), ["session"]);
        assert_eq!(needles("deci*"), ["deci"]);
        assert_eq!(needles("src/interest.rs"), ["interest"]);
        assert_eq!(needles("src/prefilter.rs"), ["src"], "the long one is common");
    }

    #[test]
    fn words_that_are_found_in_other_ways_are_gathered_too() {
        let wide = interests("caches", Policy::balanced());
        assert!(wide.filter().matches("cached"), "another form");
        assert!(wide.filter().matches("subcaches"), "a longer word");
        assert!(!wide.filter().matches("memory"));
        assert!(wide.typos);
        assert!(!interests("caches", Policy::memory()).typos);
    }

    #[test]
    fn what_decides_about_a_leaf_is_known() {
        let phrase = Leaf::Phrase(Phrase::of_terms(["get", "user"]));
        let mut some = Interests::default();
        some.add_leaf(&phrase);
        assert!(some.has_leaf(&phrase));
        assert!(!some.has_leaf(&Leaf::term("get")), "only where the phrase may be");
        some.add_term("get");
        some.add_term("user");
        assert!(some.has_leaf(&Leaf::Phrase(Phrase::of_terms(["user", "get"]))));
    }
}
