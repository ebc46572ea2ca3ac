//! Whether the text of one message can be what a query looks for.

use std::{io, ops::ControlFlow};

use lookback_ranker::{Leaf, Phrase, resolve};
use smol_str::SmolStr;

use crate::{
    interest::{Interests, TermFilter},
    options::ScanOptions,
    postings::Postings,
    sift::stopped,
    words::Words,
};

/// Whether a turn with some text matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    /// Not by this text.
    No,
    /// With the text before or behind, perhaps.
    Perhaps,
    Yes,
}

/// What a text must have so that its session is worth reading.
#[derive(Debug)]
pub(crate) struct Evidence {
    /// Each of these terms is enough.
    enough: TermFilter,
    /// Phrases and neighbourhoods, each with its reach.
    joint: Vec<(Leaf, u32)>,
}

impl Evidence {
    pub(crate) fn of(interests: &Interests) -> Self {
        let joint = interests.joint().map(|leaf| (leaf.clone(), reach(leaf)));
        Self {
            enough: interests.free_filter(),
            joint: joint.collect(),
        }
    }

    /// Whether a turn matches for having this text. `words` are those that are worth writing down.
    ///
    /// # Errors
    /// When the scan is to stop.
    pub(crate) fn is_in(
        &self,
        text: &str,
        words: &mut Words<'_>,
        options: &ScanOptions<'_>,
    ) -> io::Result<Match> {
        let mut noted: Vec<(SmolStr, u32)> = Vec::new();
        let walk = words.each(
            text,
            || match options.stop() {
                Some(_) => ControlFlow::Break(Err(stopped())),
                None => ControlFlow::Continue(()),
            },
            |term, position| {
                if self.enough.matches(term) {
                    return ControlFlow::Break(Ok(Match::Yes));
                }
                noted.push((SmolStr::new(term), position));
                ControlFlow::Continue(())
            },
        );
        match walk {
            ControlFlow::Break(decided) => decided,
            ControlFlow::Continue(length) => Ok(self.joint_in(&noted, length)),
        }
    }

    /// Whether a phrase or neighbourhood is in a text of so many positions, or may begin or end in its neighbours.
    fn joint_in(&self, noted: &[(SmolStr, u32)], length: u32) -> Match {
        if noted.is_empty() {
            return Match::No;
        }
        let mut postings = Postings::default();
        for (term, position) in noted {
            let id = postings.id(term);
            postings.add(id, 0, *position);
        }
        let mut found = Vec::new();
        let each = self.joint.iter().map(|(leaf, reach)| {
            let leads_out = |position: u32| position < *reach || position.saturating_add(*reach) >= length;
            let is_near_end = noted.iter().any(|(_, position)| leads_out(*position));
            let Ok(()) = resolve(leaf, &postings, &mut found);
            if !found.is_empty() {
                Match::Yes
            } else if is_near_end {
                Match::Perhaps
            } else {
                Match::No
            }
        });
        each.max().unwrap_or(Match::No)
    }
}

/// How many positions two words of one occurrence can be apart at most.
fn reach(leaf: &Leaf) -> u32 {
    let width = |phrase: &Phrase| phrase.slots.last().map_or(0, |slot| slot.offset);
    match leaf {
        Leaf::Terms(_) => 0,
        Leaf::Phrase(phrase) => width(phrase),
        Leaf::Near { operands, distance } => operands
            .iter()
            .map(|operand| width(operand).saturating_add(1))
            .fold(*distance, u32::saturating_add),
    }
}

#[cfg(test)]
mod tests {
    use lookback_ranker::{Policy, SearchRequest};

    use super::*;

    fn is_in(query: &str, text: &str) -> Match {
        let request = SearchRequest {
            policy: Policy::memory(),
            ..SearchRequest::new(query)
        };
        let interests = Interests::of(&request).0;
        let filter = interests.filter();
        let mut words = Words::new(&filter);
        let evidence = Evidence::of(&interests);
        evidence.is_in(text, &mut words, &ScanOptions::default()).unwrap()
    }

    #[test]
    fn one_word_is_enough() {
        let text = "a text in which the size of something is told";
        assert_eq!(is_in("cache size", text), Match::Yes);
        let text = "a text in which neither of them stands";
        assert_eq!(is_in("cache size", text), Match::No);
    }

    #[test]
    fn a_phrase_must_be_whole_or_lead_out_of_the_text() {
        let phrase = "\"connection refused\"";
        for (text, expected) in [
            ("then the connection refused to open", Match::Yes),
            ("then the refused connection was open", Match::No),
            // The next text may go on.
            ("then there was a connection", Match::Perhaps),
            // The text before may begin it.
            ("refused it was", Match::Perhaps),
            ("it refused a connection there", Match::No),
        ] {
            assert_eq!(is_in(phrase, text), expected, "{text}");
        }
    }

    #[test]
    fn neighbours_must_be_near_or_lead_out_of_the_text() {
        let near = "NEAR(connection refused, 1)";
        let far = "one two three four connection one two three four refused one two three four";
        assert_eq!(is_in(near, far), Match::No);
        let side_by_side = far.replace("connection one two three", "connection");
        assert_eq!(is_in(near, &side_by_side), Match::Yes);
        assert_eq!(is_in(near, "one two three four connection one"), Match::Perhaps);
    }
}
