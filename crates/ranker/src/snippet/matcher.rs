use std::ops::Range;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::starts::Starts;
use crate::analysis::Tokens;
use crate::posting::Phrase;

/// Finds the words and phrases of a query in texts.
#[derive(Debug, Clone, Default)]
pub struct Matcher {
    /// Which patterns use a term.
    terms: FxHashMap<SmolStr, Vec<Use>>,
    patterns: Vec<Pattern>,
    /// How words and first words of phrases begin.
    starts: Starts,
}

#[derive(Debug, Clone, Copy)]
struct Use {
    pattern: u32,
    /// The slot of a phrase; 0 for a word.
    slot: u32,
}

#[derive(Debug, Clone)]
struct Pattern {
    /// The part of the query that it stands for: matches of the same part are worth no more for being many.
    concept: u32,
    weight: f32,
    /// Offsets of the slots; one for a word.
    offsets: Vec<u32>,
}

/// An occurrence of a part of the query in a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// Where it stands, in bytes.
    pub range: Range<usize>,
    /// The part of the query.
    pub concept: u32,
    /// What it is worth.
    pub weight: f32,
}

impl Matcher {
    /// Adds words that stand for a part of the query.
    pub fn add_terms<'t>(&mut self, concept: u32, weight: f32, terms: impl IntoIterator<Item = &'t SmolStr>) {
        let pattern = self.patterns.len() as u32;
        self.patterns.push(Pattern {
            concept,
            weight,
            offsets: vec![0],
        });
        for term in terms {
            self.starts.add(term);
            self.terms
                .entry(term.clone())
                .or_default()
                .push(Use { pattern, slot: 0 });
        }
    }

    /// Adds a phrase that stands for a part of the query.
    pub fn add_phrase(&mut self, concept: u32, weight: f32, phrase: &Phrase) {
        let pattern = self.patterns.len() as u32;
        self.patterns.push(Pattern {
            concept,
            weight,
            offsets: phrase.slots.iter().map(|slot| slot.offset).collect(),
        });
        for (slot, place) in (0..).zip(&phrase.slots) {
            for term in &place.terms {
                if slot == 0 {
                    self.starts.add(term);
                }
                self.terms
                    .entry(term.clone())
                    .or_default()
                    .push(Use { pattern, slot });
            }
        }
    }

    /// True when there is nothing to find.
    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// The occurrences in a text, by ascending start. Looks through at least `scan_bytes` of it, and on until
    /// something is found.
    pub fn find(&self, text: &str, scan_bytes: usize) -> Vec<Match> {
        let mut found = Vec::new();
        if self.terms.is_empty() {
            return found;
        }
        // Phrases under way: pattern, next slot, position of the start, where it began, where it ended last.
        let mut open: Vec<Started> = Vec::new();
        let mut tokens = Tokens::new(text);
        loop {
            // Positions count up from wherever cutting begins: that is enough for phrases, which are cut to their end.
            if open.is_empty()
                && let Some(border) = tokens.border()
            {
                match self.starts.next(text, border) {
                    Some(next) => tokens.go_on_at(next),
                    None => break,
                }
            }
            let Some(token) = tokens.next_token() else { break };
            if token.start > scan_bytes && !found.is_empty() {
                break;
            }
            open.retain(|started| started.next_position >= token.position);
            let Some(uses) = self.terms.get(token.term) else {
                continue;
            };
            for use_ in uses {
                let pattern = &self.patterns[use_.pattern as usize];
                if pattern.offsets.len() == 1 {
                    found.push(Match {
                        range: token.start..token.end,
                        concept: pattern.concept,
                        weight: pattern.weight,
                    });
                } else if use_.slot == 0 {
                    open.push(Started {
                        pattern: use_.pattern,
                        slot: 1,
                        first_position: token.position,
                        next_position: token.position + pattern.offsets[1],
                        start: token.start,
                    });
                } else {
                    advance(&mut open, *use_, pattern, token.position, token.end, &mut found);
                }
            }
        }
        found.sort_by_key(|found| (found.range.start, found.range.end, found.concept));
        found
    }
}

struct Started {
    pattern: u32,
    slot: u32,
    first_position: u32,
    next_position: u32,
    start: usize,
}

fn advance(
    open: &mut Vec<Started>,
    use_: Use,
    pattern: &Pattern,
    position: u32,
    end: usize,
    found: &mut Vec<Match>,
) {
    let mut index = 0;
    while index < open.len() {
        let started = &mut open[index];
        let fits =
            started.pattern == use_.pattern && started.slot == use_.slot && started.next_position == position;
        if !fits {
            index += 1;
            continue;
        }
        match pattern.offsets.get(started.slot as usize + 1) {
            Some(offset) => {
                started.slot += 1;
                started.next_position = started.first_position + offset;
                index += 1;
            }
            None => {
                found.push(Match {
                    range: started.start..end,
                    concept: pattern.concept,
                    weight: pattern.weight,
                });
                open.swap_remove(index);
            }
        }
    }
}
