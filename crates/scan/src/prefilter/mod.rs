//! Which lines of a file can hold a word of the query, told from their raw bytes at the speed of memory.
//!
//! A line that is let pass may still not match; a line that is not let pass never does. What a text says and how its
//! bytes look differs in case, in joints inside identifiers (`user_name` is found as `username`), in JSON escapes, and
//! in everything that folding makes equal (`Café`, `cafe`, `ｃａｆｅ`). So there are three ways to pass:
//!
//! 1. [`ascii`]: the needle stands there in ASCII, in any case, with any joints inside. One pass of vector
//!    instructions over the bytes for all needles together.
//! 2. [`odd`]: letters beyond ASCII, marks or escapes stand inside a word that folds to something with the needle. Only
//!    words with such characters are looked at.
//! 3. Needles that are not ASCII: scripts without cases and marks (Han, kana, Hangul) are searched as their bytes. All
//!    lines with other letters beyond ASCII pass, as unusual forms of these or as what the needle may be a form of.
//!
//! What stands in a string that is the value of another key than those of texts ([`strings`]) lets no line pass.

mod ascii;
mod odd;
mod strings;
#[cfg(test)]
mod tests;

use std::ops::Range;

use memchr::memmem;

use crate::{interest::Needle, sample::Sample};
use ascii::{AsciiNeedle, AsciiNeedles, Event, Events};

/// Beyond so many needles looking at every line costs no more.
const MOST_NEEDLES: usize = 24;

/// Where so many lines of a hundred pass, all do.
const ENOUGH_PASS: usize = 75;

/// Which lines are candidates, of those in which somebody speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passing {
    /// Those that can match.
    Filtered,
    All,
}

/// Finds candidate lines.
#[derive(Debug)]
pub(crate) struct Prefilter {
    ascii: AsciiNeedles,
    /// Needles of plain Han, kana or Hangul.
    grams: Vec<memmem::Finder<'static>>,
    /// Some needles are not ASCII: every line with a letter beyond ASCII passes, plain Han, kana and Hangul apart.
    odd_passes: bool,
    /// The texts of the ASCII needles, for words with odd letters.
    texts: Vec<String>,
    /// Every line passes.
    everything: bool,
}

impl Prefilter {
    pub(crate) fn new(needles: &[Needle], sample: &Sample) -> Self {
        let mut prefilter = Self {
            ascii: AsciiNeedles::new(Vec::new()),
            grams: Vec::new(),
            odd_passes: false,
            texts: Vec::new(),
            everything: needles.len() > MOST_NEEDLES,
        };
        let mut ascii_needles = Vec::new();
        for needle in needles {
            let text = needle.text.as_str();
            if text.is_ascii() {
                // A single letter is everywhere.
                match AsciiNeedle::new(text, needle.whole, sample) {
                    Some(ascii) => ascii_needles.push(ascii),
                    None => prefilter.everything = true,
                }
                prefilter.texts.push(text.to_owned());
            } else {
                prefilter.odd_passes = true;
                if text.chars().all(odd::is_plain_gram) {
                    let finder = memmem::Finder::new(text.as_bytes()).into_owned();
                    prefilter.grams.push(finder);
                }
            }
        }
        prefilter.ascii = AsciiNeedles::new(ascii_needles);
        prefilter
    }

    /// Lets every line pass if nearly all of them would in the sample: to find that out for each one costs more than to
    /// look at the few others.
    pub(crate) fn unless_useless(mut self, sample: &Sample, listen: impl Fn(&[u8]) -> (usize, bool)) -> Self {
        let count = |prefilter: &Self| {
            let mut count = 0;
            let visit = |_| {
                count += 1;
                Passing::Filtered
            };
            prefilter.candidates(sample.bytes(), Passing::Filtered, &listen, visit);
            count
        };
        let passing = count(&self);
        let everything = Self {
            everything: true,
            ..Self::new(&[], sample)
        };
        self.everything |= passing > 0 && passing * 100 >= count(&everything) * ENOUGH_PASS;
        self
    }

    /// Visits the candidates among whole lines, by ascending place. The ranges are without line ends. `listen` tells where
    /// a line ends and whether it can hold text; lines that cannot are passed over. `passing` holds
    /// for the lines up to the first candidate, the answer of `visit` for those behind each.
    pub(crate) fn candidates(
        &self,
        lines: &[u8],
        mut passing: Passing,
        listen: impl Fn(&[u8]) -> (usize, bool),
        mut visit: impl FnMut(Range<usize>) -> Passing,
    ) {
        let mut grams = Grams::new(&self.grams, lines);
        let mut events = self.ascii.events(lines);
        let mut start = 0;
        while start < lines.len() {
            let (length, may_speak) = listen(&lines[start..]);
            let line = start..start + length;
            start = line.end + 1;
            let passes = self.everything || passing == Passing::All;
            if may_speak && (passes || self.may_match(lines, line.clone(), &mut events, &mut grams)) {
                passing = visit(line);
            }
        }
    }

    fn may_match(
        &self,
        lines: &[u8],
        line: Range<usize>,
        events: &mut Events<'_>,
        grams: &mut Grams<'_>,
    ) -> bool {
        let mut at = line.start;
        // Odd characters before this place were looked at.
        let mut odd_from = at;
        while at < line.end {
            let found = events.next(at..line.end, odd_from);
            let gram = grams.next(at..line.end);
            let place = found.map_or(line.end, |event| event.at()).min(gram);
            if place >= line.end {
                break;
            }
            if let Some(Event::Odd(_)) = found
                && gram != place
                && !self.odd_passes
            {
                let (passes, end) = odd::word_folds_to_any(lines, place, odd_from, &self.texts);
                if !passes {
                    at = place;
                    odd_from = end;
                    continue;
                }
            }
            match strings::end_of_other(&lines[line.clone()], place - line.start) {
                Some(end) => at = line.start + end,
                None => return true,
            }
            odd_from = odd_from.max(at);
        }
        false
    }
}

/// About how many lines of the sample a term lets pass.
pub(crate) fn commonness(term: &str, sample: &Sample) -> usize {
    if !term.is_ascii() {
        return memmem::find_iter(sample.bytes(), term.as_bytes()).count();
    }
    match AsciiNeedle::new(term, true, sample) {
        Some(needle) => needle.count(sample.bytes()),
        None => usize::MAX,
    }
}

/// The next occurrence of any of some byte strings, each looked for once, and only where somebody asks.
struct Grams<'a> {
    lines: &'a [u8],
    /// Finder, and before which place there is nothing behind the place that was asked for last.
    finders: Vec<(&'a memmem::Finder<'static>, Option<usize>)>,
}

impl<'a> Grams<'a> {
    fn new(finders: &'a [memmem::Finder<'static>], lines: &'a [u8]) -> Self {
        Self {
            lines,
            finders: finders.iter().map(|finder| (finder, None)).collect(),
        }
    }

    /// The first occurrence in a range, which never goes back; its end when there is none.
    fn next(&mut self, range: Range<usize>) -> usize {
        let mut nearest = range.end;
        for (finder, found) in &mut self.finders {
            let known = found.filter(|found| *found >= range.start);
            let at = known.unwrap_or_else(|| {
                let within = finder.find(&self.lines[range.clone()]);
                within.map_or(range.end, |offset| range.start + offset)
            });
            *found = Some(at);
            nearest = nearest.min(at);
        }
        nearest
    }
}
