//! What the walk says of a line: where values are, what they are, and where it stopped being JSON.

use std::ops::Range;

/// A range of bytes of the line. Half the size of a range of `usize`, so that results fit into registers; no line that is
/// at hand comes near four gigabytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
}

impl Span {
    #[inline(always)]
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self {
            start: start as u32,
            end: end as u32,
        }
    }

    #[inline(always)]
    pub(crate) fn start(self) -> usize {
        self.start as usize
    }

    #[inline(always)]
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start == self.end
    }
}

/// What kind of value a span holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// The span is what stands between the quotes.
    String,
    Number,
    Bool(bool),
    Null,
    Array,
    Object,
}

/// The line is not JSON: where the walk found out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed {
    at: u32,
}

impl Malformed {
    #[cold]
    pub(super) fn new(at: usize) -> Self {
        Self { at: at as u32 }
    }

    pub(crate) fn at(self) -> usize {
        self.at as usize
    }
}

/// What to do about control characters inside strings, which JSON forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    /// They are taken for text.
    Ignore,
    /// A string with a control character makes the line malformed.
    Refuse,
}
