use std::fmt;

use serde::{Deserialize, Serialize};

/// Something odd in a session file that did not keep the rest from being read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnostic {
    /// What is odd.
    pub kind: DiagnosticKind,
    /// Number of the line, from 1.
    pub line: u64,
    /// Offset of the line's first byte.
    pub offset: u64,
}

/// The kinds of odd things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The file begins with a byte order mark, so Pi cannot read its header.
    ByteOrderMark,
    /// The line is not JSON; nothing could be saved from it.
    DamagedLine,
    /// The line is not JSON, but whole records inside it were saved.
    RecoveredLine,
    /// The last line has no end and is no whole record yet: it may still be being written.
    UnfinishedLine,
    /// Bytes that are not UTF-8 were replaced by U+FFFD.
    ReplacedBytes,
    /// The line is JSON, but neither an object nor a list.
    NotARecord,
    /// The entry's kind is unknown; it keeps its place in the tree.
    UnknownKind,
    /// An entry of version 2 or later without an id that is a string.
    MissingId,
    /// Two different entries have the same id; references mean the nearest one before them.
    DuplicateId,
    /// The same entry is in the file before, byte for byte; it is shown once.
    RepeatedEntry,
    /// The entry's parent is not in the file.
    MissingParent,
    /// The entry's chain of parents leads back to itself.
    ParentCycle,
    /// A second header: the file holds another session from here on.
    SecondHeader,
    /// The first record is not a header; Pi does not open the file.
    MissingHeader,
    /// The header has no id that is a string; Pi does not open the file.
    HeaderWithoutId,
    /// The message has content that Pi cannot list.
    InvalidContent,
    /// The session name is not a string.
    InvalidName,
    /// The line is too large to be kept even without its long strings.
    OversizedLine,
    /// The file changed while it was read.
    ChangedWhileReading,
}

impl DiagnosticKind {
    /// True when text of the file is lost or was in danger: the line counts as damaged.
    pub fn is_damage(self) -> bool {
        matches!(
            self,
            Self::DamagedLine | Self::RecoveredLine | Self::OversizedLine
        )
    }

    fn sentence(self) -> &'static str {
        match self {
            Self::ByteOrderMark => "the file begins with a byte order mark; Pi does not open it",
            Self::DamagedLine => "the line is damaged and was skipped",
            Self::RecoveredLine => "the line is damaged; the whole records in it were recovered",
            Self::UnfinishedLine => "the last line is unfinished; it is read when it is complete",
            Self::ReplacedBytes => "bytes that are not UTF-8 were replaced",
            Self::NotARecord => "the line is no record",
            Self::UnknownKind => "the kind of entry is unknown",
            Self::MissingId => "the entry has no id",
            Self::DuplicateId => "an earlier entry has the same id",
            Self::RepeatedEntry => "the same entry is in the file before",
            Self::MissingParent => "the entry's parent is not in the file",
            Self::ParentCycle => "the entry's chain of parents is a circle",
            Self::SecondHeader => "another session begins here",
            Self::MissingHeader => "the file does not begin with a session header; Pi does not open it",
            Self::HeaderWithoutId => "the session header has no id; Pi does not open the file",
            Self::InvalidContent => {
                "the message's content is neither text nor blocks; Pi does not list the file"
            }
            Self::InvalidName => "the session name is not text; Pi does not list the file",
            Self::OversizedLine => "the line is too large and was skipped",
            Self::ChangedWhileReading => "the file changed while it was read",
        }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.kind.sentence())
    }
}

/// The odd things of one file: the first hundred one by one, all of them counted.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    counts: std::collections::BTreeMap<DiagnosticKind, u64>,
}

/// More than this many are counted, not kept: a hostile file must not fill the memory with complaints.
const KEPT: usize = 100;

impl Diagnostics {
    pub(crate) fn push(&mut self, kind: DiagnosticKind, line: u64, offset: u64) {
        *self.counts.entry(kind).or_default() += 1;
        if self.list.len() < KEPT {
            self.list.push(Diagnostic { kind, line, offset });
        }
    }

    /// Forgets all of one kind.
    pub(crate) fn forget(&mut self, kind: DiagnosticKind) {
        self.counts.remove(&kind);
        self.list.retain(|diagnostic| diagnostic.kind != kind);
    }

    /// Adds what another look at the same file found.
    pub(crate) fn append(&mut self, other: &Self) {
        for (kind, count) in &other.counts {
            *self.counts.entry(*kind).or_default() += count;
        }
        let room = KEPT.saturating_sub(self.list.len());
        self.list.extend(other.list.iter().take(room).cloned());
        self.list.sort_by_key(|diagnostic| diagnostic.line);
    }

    /// The first hundred, in the order of their lines.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: DiagnosticKind) -> u64 {
        self.counts.get(&kind).copied().unwrap_or(0)
    }

    /// How many lines are damaged.
    pub fn damaged_lines(&self) -> u64 {
        self.counts
            .iter()
            .filter(|(kind, _)| kind.is_damage())
            .map(|(_, count)| count)
            .sum()
    }

    /// How many there are in all.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
