use lookback_session_model::{BranchState, EntryId, Role, SessionId, SessionSummary, Timestamp};
use serde::Serialize;
use smol_str::SmolStr;

use crate::{Explanation, Snippet, Warning};

/// The answer to a [`SearchRequest`](crate::SearchRequest).
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchReply {
    /// The hits of this page, best first.
    pub hits: Vec<Hit>,
    /// How many sessions match, on all pages; forks folded into another session are not counted.
    pub sessions_matched: usize,
    /// How many hits this page has.
    pub returned: usize,
    /// How many hits stand before this page.
    pub offset: usize,
    /// The offset of the next page, `None` on the last one.
    pub next_offset: Option<usize>,
    /// How many sessions were searched, after the filters of scope and query.
    pub sessions_searched: usize,
    /// What was searched beside the exact words.
    pub relaxed: Vec<Relaxation>,
    /// What was not understood or left out.
    pub warnings: Vec<Warning>,
}

/// One hit.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Hit {
    /// Its place among all hits, from 1.
    pub rank: usize,
    /// Its score; only the order means something.
    pub score: f32,
    /// The session.
    pub session: SessionSummary,
    /// The tags of the session.
    pub tags: Vec<SmolStr>,
    /// The entry that matched.
    pub entry: EntryId,
    /// Who speaks in it.
    pub role: Role,
    /// When it was said.
    pub timestamp: Option<Timestamp>,
    /// How it stands to the branch that the session is on.
    pub branch: BranchState,
    /// The leaf of a branch that the entry is on: what to resume.
    pub leaf: Option<EntryId>,
    /// The text around the match.
    pub snippet: Snippet,
    /// Other sessions that hold the same entry, or were folded into this one.
    pub also_in: Vec<SessionId>,
    /// How the score came about, when asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<Explanation>,
}

/// A word that was searched in another way because the exact one found too little.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Relaxation {
    /// The word as it was typed.
    pub word: String,
    /// What was done.
    pub step: RelaxationStep,
    /// The terms that were searched, most frequent first, at most ten of them.
    pub terms: Vec<SmolStr>,
    /// How many terms were searched.
    pub term_count: usize,
}

/// A way to find more.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum RelaxationStep {
    /// Longer words that start with it.
    Prefix,
    /// Longer words that contain it.
    Infix,
    /// The parts of an identifier, or the characters of a CJK run, each for itself.
    Fragments,
    /// Words that differ by a slip of the keyboard.
    Typo,
}
