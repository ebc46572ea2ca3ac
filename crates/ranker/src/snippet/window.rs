use std::ops::Range;

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::{Match, Matcher, Snippet, SnippetOptions};

/// Cuts the piece around the densest matches; `None` when nothing matches.
pub fn cut(text: &str, matcher: &Matcher, options: &SnippetOptions) -> Option<Snippet> {
    let matches = matcher.find(text, options.scan_bytes);
    let (first, last, _) = densest(text, &matches, options)?;
    let wanted =
        matches[first].range.start..matches[first..=last].iter().map(|found| found.range.end).max()?;
    Some(snippet(text, wanted, &matches, options))
}

/// The text that matches best, and its snippet: which entry of a turn to name. The first one where several are alike.
pub fn best_of<'t>(
    texts: impl IntoIterator<Item = &'t str>,
    matcher: &Matcher,
    options: &SnippetOptions,
) -> Option<(usize, Snippet)> {
    let mut best: Option<(f32, usize, &str)> = None;
    for (index, text) in texts.into_iter().enumerate() {
        let matches = matcher.find(text, options.scan_bytes);
        if let Some((_, _, score)) = densest(text, &matches, options)
            && best.is_none_or(|(least, ..)| score > least)
        {
            best = Some((score, index, text));
        }
    }
    let (_, index, text) = best?;
    Some((index, cut(text, matcher, options)?))
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
        // Bytes are a cheap upper bound: only a window that is too long in bytes can be too long in graphemes.
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
    range.end.saturating_sub(range.start) > options.graphemes
        && text[range].graphemes(true).nth(options.graphemes).is_some()
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
    let wanted = grapheme_start(text, wanted.start)..grapheme_end(text, wanted.end);
    let held = text[wanted.clone()]
        .graphemes(true)
        .take(graphemes)
        .map(str::len)
        .collect::<Vec<_>>();
    let core = wanted.start..wanted.start + held.iter().sum::<usize>();
    let spare = graphemes.saturating_sub(held.len());
    let before: Vec<usize> = backwards(text, core.start, spare);
    let after: Vec<usize> = text[core.end..]
        .graphemes(true)
        .take(spare)
        .map(str::len)
        .collect();
    let take_before = before
        .len()
        .min((spare / 3).max(spare.saturating_sub(after.len())));
    let take_after = after.len().min(spare - take_before);
    let start = core.start - before[..take_before].iter().sum::<usize>();
    let end = core.end + after[..take_after].iter().sum::<usize>();
    word_start(text, start, core.start)..word_end(text, end, core.end)
}

/// Lengths of up to `count` graphemes before `end`, nearest first.
fn backwards(text: &str, end: usize, count: usize) -> Vec<usize> {
    text[..end]
        .graphemes(true)
        .rev()
        .take(count)
        .map(str::len)
        .collect()
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

/// The start of the grapheme that `offset` stands in.
fn grapheme_start(text: &str, offset: usize) -> usize {
    if is_grapheme_border(text, offset) {
        return offset;
    }
    GraphemeCursor::new(offset, text.len(), true)
        .prev_boundary(text, 0)
        .ok()
        .flatten()
        .unwrap_or(0)
}

/// The end of the grapheme that ends at `offset` or stands around it.
fn grapheme_end(text: &str, offset: usize) -> usize {
    if is_grapheme_border(text, offset) {
        return offset;
    }
    GraphemeCursor::new(offset, text.len(), true)
        .next_boundary(text, 0)
        .ok()
        .flatten()
        .unwrap_or(text.len())
}

fn is_grapheme_border(text: &str, offset: usize) -> bool {
    GraphemeCursor::new(offset, text.len(), true)
        .is_boundary(text, 0)
        .unwrap_or(true)
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
        let mut shifts = Vec::new();
        let mut space = false;
        for (offset, c) in source.char_indices() {
            if c.is_whitespace() {
                space = !text.is_empty();
                continue;
            }
            if space {
                text.push(' ');
                space = false;
            }
            // One mark per word is enough: inside it both move alike.
            if text.is_empty() || text.ends_with(' ') {
                shifts.push((offset, text.len()));
            }
            text.push(c);
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
