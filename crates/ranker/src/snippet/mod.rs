//! The piece of a text that shows why it was found.
//!
//! A [`Matcher`] comes with a [`Ranking`](crate::Ranking) and knows the terms and phrases of the query; [`cut`] finds the
//! densest window of their occurrences in the text of an entry.

mod graphemes;
mod matcher;
mod starts;
mod window;

use std::ops::Range;

use serde::Serialize;

pub use matcher::{Match, Matcher};
pub use window::{beginning, best_of, cut};

/// How a snippet is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SnippetOptions {
    /// Characters as a reader counts them (graphemes), at most. Default: 200.
    pub graphemes: usize,
    /// Bytes of a text that are looked through before the best match so far must do. Default: 1 MiB.
    pub scan_bytes: usize,
}

impl Default for SnippetOptions {
    fn default() -> Self {
        Self {
            graphemes: 200,
            scan_bytes: 1 << 20,
        }
    }
}

/// A piece of a text with the matches in it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Snippet {
    /// The piece, with every run of white space as one space. Control characters are kept: who shows it on a terminal
    /// makes it safe.
    pub text: String,
    /// The matches in it, in bytes, ascending, without overlaps.
    pub highlights: Vec<Range<usize>>,
    /// Text was left out before it.
    pub cut_before: bool,
    /// Text was left out after it.
    pub cut_after: bool,
}

impl Snippet {
    /// The matches in UTF-16 units, as JavaScript counts.
    pub fn highlights_utf16(&self) -> Vec<Range<usize>> {
        self.converted(char::len_utf16)
    }

    /// The matches in code points, as Python counts.
    pub fn highlights_code_points(&self) -> Vec<Range<usize>> {
        self.converted(|_| 1)
    }

    fn converted(&self, units: impl Fn(char) -> usize) -> Vec<Range<usize>> {
        let mut chars = self.text.char_indices().peekable();
        let mut count = 0;
        let mut until = |byte: usize| {
            while let Some((_, c)) = chars.next_if(|(offset, _)| *offset < byte) {
                count += units(c);
            }
            count
        };
        self.highlights
            .iter()
            .map(|range| until(range.start)..until(range.end))
            .collect()
    }
}
