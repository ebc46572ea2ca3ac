use std::ops::{Range, RangeInclusive};

use super::graphemes::{ahead, are_more_than, backwards, end_of, start_of};
use super::{Match, Matcher, Snippet, SnippetOptions};

/// Cuts the piece around the densest matches; `None` when nothing matches.
pub fn cut(text: &str, matcher: &Matcher, options: &SnippetOptions) -> Option<Snippet> {
    best_of([text], matcher, options).map(|(_, snippet)| snippet)
}

/// The text that matches best, and its snippet: which entry of a turn to name. The first one where several are alike.
pub fn best_of<'t>(
    texts: impl IntoIterator<Item = &'t str>,
    matcher: &Matcher,
    options: &SnippetOptions,
) -> Option<(usize, Snippet)> {
    let mut best: Option<Candidate<'_>> = None;
    for (index, text) in texts.into_iter().enumerate() {
        let matches = matcher.find(text, options.scan_bytes);
        if let Some((first, last, score)) = densest(text, &matches, options)
            && best.as_ref().is_none_or(|best| score > best.score)
        {
            best = Some(Candidate {
                index,
                text,
                score,
                window: first..=last,
                matches,
            });
        }
    }
    let best = best?;
    let window = &best.matches[best.window];
    let wanted = window.first()?.range.start..window.iter().map(|found| found.range.end).max()?;
    Some((best.index, snippet(best.text, wanted, &best.matches, options)))
}

/// A text with its densest matches.
struct Candidate<'t> {
    index: usize,
    text: &'t str,
    score: f32,
    matches: Vec<Match>,
    /// Which of the matches.
    window: RangeInclusive<usize>,
}

/// The beginning of a text, for hits whose match is not in it.
pub fn beginning(text: &str, options: &SnippetOptions) -> Snippet {
    snippet(text, 0..0, &[], options)
}

/// What a match that repeats a part of the query is worth beside its first one.
const REPEAT_WORTH: f32 = 0.05;

/// The matches that fit into one snippet and are worth most: every part of the query once, repeats a little. The
/// first window where several are alike.
fn densest(text: &str, matches: &[Match], options: &SnippetOptions) -> Option<(usize, usize, f32)> {
    let mut best: Option<(usize, usize, f32)> = None;
    let mut inside = Inside::default();
    let mut left = 0;
    for right in 0..matches.len() {
        inside.add(&matches[right]);
        while left < right && is_too_long(text, matches[left].range.start..matches[right].range.end, options)
        {
            inside.remove(&matches[left]);
            left += 1;
        }
        let score = inside.score();
        if best.is_none_or(|(_, _, least)| score > least) {
            best = Some((left, right, score));
        }
    }
    best
}

fn is_too_long(text: &str, range: Range<usize>, options: &SnippetOptions) -> bool {
    range.start < range.end && are_more_than(&text[range], options.graphemes)
}

/// The matches of a window, counted per part of the query.
#[derive(Default)]
struct Inside {
    /// Part of the query, its matches and their weights.
    concepts: Vec<(u32, Vec<f32>)>,
}

impl Inside {
    fn add(&mut self, found: &Match) {
        match self
            .concepts
            .iter_mut()
            .find(|(concept, _)| *concept == found.concept)
        {
            Some((_, weights)) => weights.push(found.weight),
            None => self.concepts.push((found.concept, vec![found.weight])),
        }
    }

    fn remove(&mut self, found: &Match) {
        if let Some(at) = self
            .concepts
            .iter()
            .position(|(concept, _)| *concept == found.concept)
        {
            let weights = &mut self.concepts[at].1;
            if let Some(weight) = weights.iter().position(|weight| *weight == found.weight) {
                weights.swap_remove(weight);
            }
            if weights.is_empty() {
                self.concepts.swap_remove(at);
            }
        }
    }

    fn score(&self) -> f32 {
        self.concepts
            .iter()
            .map(|(_, weights)| {
                let best = weights.iter().copied().fold(0.0, f32::max);
                // The logarithm keeps a word repeated all over from outweighing a second word.
                best * (1.0 + REPEAT_WORTH * (weights.len() as f32).ln())
            })
            .sum()
    }
}

/// The piece of about the wanted length around `wanted`, with all matches inside it.
fn snippet(text: &str, wanted: Range<usize>, matches: &[Match], options: &SnippetOptions) -> Snippet {
    let window = widen(text, wanted, options.graphemes);
    let mut out = Snippet {
        cut_before: !text[..window.start].trim().is_empty(),
        cut_after: !text[window.end..].trim().is_empty(),
        ..Snippet::default()
    };
    let mut map = Folded::new(&text[window.clone()]);
    for found in matches {
        let start = found.range.start.max(window.start);
        let end = found.range.end.min(window.end);
        if start >= end {
            continue;
        }
        let range = map.offset(start - window.start)..map.offset(end - window.start);
        match out.highlights.last_mut() {
            _ if range.is_empty() => {}
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => out.highlights.push(range),
        }
    }
    out.text = map.text;
    out
}

/// Grows a range to about `graphemes` characters: first to what it must hold, then evenly, a third before it.
fn widen(text: &str, wanted: Range<usize>, graphemes: usize) -> Range<usize> {
    let wanted = start_of(text, wanted.start)..end_of(text, wanted.end);
    let held = ahead(&text[wanted.clone()], graphemes);
    let core = wanted.start..wanted.start + held.bytes(graphemes);
    let spare = graphemes.saturating_sub(held.count());
    let before = backwards(&text[..core.start], spare);
    let after = ahead(&text[core.end..], spare);
    let take_before = before
        .count()
        .min((spare / 3).max(spare.saturating_sub(after.count())));
    let take_after = after.count().min(spare - take_before);
    let start = core.start - before.bytes(take_before);
    let end = core.end + after.bytes(take_after);
    word_start(text, start, core.start)..word_end(text, end, core.end)
}

/// Characters that are given up so that a snippet starts and ends with a whole word.
const WORD_SLACK: usize = 20;

/// A start at or after `start` where a word begins, if one is near.
fn word_start(text: &str, start: usize, limit: usize) -> usize {
    if start == 0 || text[..start].ends_with(char::is_whitespace) {
        return start;
    }
    let near = text[start..limit]
        .char_indices()
        .take(WORD_SLACK)
        .find(|(_, c)| c.is_whitespace());
    near.map_or(start, |(offset, c)| start + offset + c.len_utf8())
}

/// An end at or before `end` where a word ends, if one is near.
fn word_end(text: &str, end: usize, limit: usize) -> usize {
    if end == text.len() || text[end..].starts_with(char::is_whitespace) {
        return end;
    }
    let near = text[limit..end]
        .char_indices()
        .rev()
        .take(WORD_SLACK)
        .find(|(_, c)| c.is_whitespace());
    near.map_or(end, |(offset, _)| limit + offset)
}

/// What [`Folded::new`] does, without a look at what kind of character each is.
fn fold_ascii(source: &str, text: &mut String, shifts: &mut Vec<(usize, usize)>) {
    let is_space = |byte: &u8| matches!(byte, b'\t'..=b'\r' | b' ');
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(skipped) = bytes[at..].iter().position(|byte| !is_space(byte)) {
        at += skipped;
        let length = bytes[at..].iter().position(is_space).unwrap_or(bytes.len() - at);
        if !text.is_empty() {
            text.push(' ');
        }
        shifts.push((at, text.len()));
        text.push_str(&source[at..at + length]);
        at += length;
    }
}

/// A text with runs of white space folded to single spaces, none at its ends, and where its bytes went.
struct Folded {
    text: String,
    /// Source offset and folded offset where they begin to differ otherwise than before, ascending.
    shifts: Vec<(usize, usize)>,
    /// The next shift to look at: offsets are asked for in ascending order, nearly.
    source_end: usize,
}

impl Folded {
    fn new(source: &str) -> Self {
        let mut text = String::with_capacity(source.len());
        // One mark per word is enough: inside it both move alike.
        let mut shifts = Vec::with_capacity(source.len() / 4);
        if source.is_ascii() {
            fold_ascii(source, &mut text, &mut shifts);
            return Self {
                source_end: source.len(),
                text,
                shifts,
            };
        }
        let mut at = 0;
        for word in source.split_whitespace() {
            // The distance of two places in one text; what lies between words is white space.
            at += source[at..].find(|c: char| !c.is_whitespace()).unwrap_or(0);
            if !text.is_empty() {
                text.push(' ');
            }
            shifts.push((at, text.len()));
            text.push_str(word);
            at += word.len();
        }
        Self {
            source_end: source.len(),
            text,
            shifts,
        }
    }

    /// Where a byte of the source went; bytes of folded space go to the end of the word before.
    fn offset(&mut self, source: usize) -> usize {
        let at = self.shifts.partition_point(|(from, _)| *from <= source);
        let Some((from, to)) = at.checked_sub(1).map(|at| self.shifts[at]) else {
            return 0;
        };
        let next = self
            .shifts
            .get(at)
            .map_or(self.text.len(), |(_, to)| to.saturating_sub(1));
        debug_assert!(source <= self.source_end);
        (to + (source - from)).min(next.max(to))
    }
}
