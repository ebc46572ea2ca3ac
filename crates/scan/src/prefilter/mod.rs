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

use memchr::{memchr, memmem, memrchr};

use crate::{interest::Needle, sample::Sample};
use ascii::{AsciiNeedle, AsciiNeedles};

/// Beyond so many needles looking at every line costs no more.
const MOST_NEEDLES: usize = 24;

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

    /// Visits the candidates among whole lines, by ascending place. The ranges are without line ends. Lines that cannot
    /// hold text by `may_speak` are passed over; it is asked once for each line in which something was found.
    pub(crate) fn candidates(
        &self,
        lines: &[u8],
        may_speak: impl Fn(&[u8]) -> bool,
        mut visit: impl FnMut(Range<usize>),
    ) {
        if self.everything {
            let mut start = 0;
            while start < lines.len() {
                let line = line_around(lines, start);
                start = line.end + 1;
                if may_speak(&lines[line.clone()]) {
                    visit(line);
                }
            }
            return;
        }
        let mut grams = Grams::new(&self.grams, lines);
        let mut events = self.ascii.events(lines);
        let mut at = 0;
        // Odd characters before this place were looked at.
        let mut odd_from = 0;
        // The line of the last event.
        let mut line = 0..0;
        while at < lines.len() {
            let found = events.next(at, odd_from);
            let gram = grams.next(at);
            let place = found.map_or(lines.len(), |event| event.at()).min(gram);
            if place >= lines.len() {
                return;
            }
            if place >= line.end {
                line = line_around(lines, place);
                if !may_speak(&lines[line.clone()]) {
                    at = line.end + 1;
                    odd_from = at;
                    continue;
                }
            }
            if let Some(ascii::Event::Odd(_)) = found
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
            if let Some(end) = strings::end_of_other(&lines[line.clone()], place - line.start) {
                at = line.start + end;
                odd_from = odd_from.max(at);
                continue;
            }
            at = line.end + 1;
            odd_from = at;
            visit(line.clone());
        }
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

/// The line at a place.
fn line_around(lines: &[u8], place: usize) -> Range<usize> {
    let start = memrchr(b'\n', &lines[..place]).map_or(0, |end| end + 1);
    let end = memchr(b'\n', &lines[place..]).map_or(lines.len(), |found| place + found);
    start..end
}

/// The next occurrence of any of some byte strings, each looked for once.
struct Grams<'a> {
    lines: &'a [u8],
    /// Finder and where it found something last.
    finders: Vec<(&'a memmem::Finder<'static>, usize)>,
}

impl<'a> Grams<'a> {
    fn new(finders: &'a [memmem::Finder<'static>], lines: &'a [u8]) -> Self {
        let first = |finder: &memmem::Finder<'static>| finder.find(lines).unwrap_or(lines.len());
        Self {
            lines,
            finders: finders.iter().map(|finder| (finder, first(finder))).collect(),
        }
    }

    /// The first occurrence at or behind `from`; the end when there is none.
    fn next(&mut self, from: usize) -> usize {
        let mut nearest = self.lines.len();
        for (finder, found) in &mut self.finders {
            if *found < from {
                *found = finder
                    .find(&self.lines[from..])
                    .map_or(self.lines.len(), |offset| from + offset);
            }
            nearest = nearest.min(*found);
        }
        nearest
    }
}
