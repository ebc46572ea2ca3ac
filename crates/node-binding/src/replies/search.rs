use lookback::{ranker, session_model::EntryId};
use napi_derive::napi;

use super::{AnswerSource, Moment, Session, count, name_of, texts};

/// The answer to a search.
#[napi(object, object_from_js = false)]
pub struct SearchReply {
    /// The hits of this page, best first.
    pub hits: Vec<Hit>,
    /// How many sessions match, on all pages; forks folded into another session are not counted.
    pub sessions_matched: i64,
    /// How many hits this page has.
    pub returned: i64,
    /// How many hits stand before this page.
    pub offset: i64,
    /// The offset of the next page; missing on the last one.
    pub next_offset: Option<i64>,
    /// How many sessions were searched, after the filters of scope and query.
    pub sessions_searched: i64,
    /// What was searched beside the exact words.
    pub relaxed: Vec<Relaxation>,
    /// What was not understood or left out.
    pub warnings: Vec<Warning>,
    /// What the hits come from, and how fresh and whole that is.
    pub source: AnswerSource,
}

/// One hit.
#[napi(object, object_from_js = false)]
pub struct Hit {
    /// Its place among all hits, from 1.
    pub rank: i64,
    /// Its score; only the order means something.
    pub score: f64,
    /// The session.
    pub session: Session,
    /// The entry that matched.
    pub entry: HitEntry,
    /// The text around the match.
    pub snippet: Snippet,
    /// Other sessions that hold the same entry, or were folded into this one.
    pub also_in: Vec<String>,
    /// How the score came about, when asked for.
    pub explanation: Option<Explanation>,
    /// The line of the session file where it stands, from 1, when the files were scanned.
    pub line: Option<i64>,
}

/// The entry that matched.
#[napi(object, object_from_js = false)]
pub struct HitEntry {
    /// Its id.
    pub id: String,
    /// Who speaks in it.
    #[napi(
        ts_type = "'user' | 'assistant' | 'system' | 'toolResult' | 'bashExecution' | 'custom' | 'other'"
    )]
    pub role: String,
    /// When it was said.
    #[napi(ts_type = "Date")]
    pub timestamp: Option<Moment>,
    /// How it stands to the branch that the session is on: on it, on it but taken out of the model's context by a
    /// compaction, or on a branch that was left.
    #[napi(ts_type = "'active' | 'compacted' | 'abandoned'")]
    pub branch: String,
    /// The leaf of a branch that the entry is on: what to resume.
    pub leaf: Option<String>,
}

/// A piece of a text with the matches in it.
#[napi(object, object_from_js = false)]
pub struct Snippet {
    /// The piece, with every run of white space as one space. Control characters are kept: make it safe before you
    /// print it on a terminal. Empty when the session file changed since it was indexed.
    pub text: String,
    /// The matches in it, ascending, without overlaps.
    pub highlights: Vec<Highlight>,
    /// Text was left out before it.
    pub cut_before: bool,
    /// Text was left out after it.
    pub cut_after: bool,
}

/// A match: `text.slice(start, end)`.
#[napi(object, object_from_js = false)]
pub struct Highlight {
    /// Where it begins, in UTF-16 units as JavaScript counts.
    pub start: i64,
    /// Where it ends.
    pub end: i64,
}

/// A word that was searched in another way because the exact one found too little.
#[napi(object, object_from_js = false)]
pub struct Relaxation {
    /// The word as it was typed.
    pub word: String,
    /// What was done.
    #[napi(ts_type = "'prefix' | 'infix' | 'fragments' | 'typo'")]
    pub step: String,
    /// The terms that were searched, most frequent first, at most ten of them.
    pub terms: Vec<String>,
    /// How many terms were searched.
    pub term_count: i64,
}

/// Something that the author of a query should know.
#[napi(object, object_from_js = false)]
pub struct Warning {
    /// A stable name for programs, such as `unclosed-quote`.
    pub code: String,
    /// The same for people.
    pub message: String,
}

/// A score taken apart.
#[napi(object, object_from_js = false)]
pub struct Explanation {
    /// What this number is.
    pub label: String,
    /// The number.
    pub value: f64,
    /// How it follows from the parts.
    #[napi(ts_type = "'given' | 'sum' | 'product'")]
    pub operation: String,
    /// What it follows from.
    pub parts: Vec<Explanation>,
}

impl From<lookback::Answer> for SearchReply {
    fn from(answer: lookback::Answer) -> Self {
        let reply = answer.reply;
        let mut hits: Vec<Hit> = reply.hits.into_iter().map(Hit::from).collect();
        for (hit, marker) in hits.iter_mut().zip(&answer.markers) {
            hit.line = Some(count(marker.line));
        }
        Self {
            hits,
            source: AnswerSource::from(answer.source),
            sessions_matched: count(reply.sessions_matched),
            returned: count(reply.returned),
            offset: count(reply.offset),
            next_offset: reply.next_offset.map(count),
            sessions_searched: count(reply.sessions_searched),
            relaxed: reply.relaxed.into_iter().map(Relaxation::from).collect(),
            warnings: reply.warnings.iter().map(Warning::from).collect(),
        }
    }
}

impl From<ranker::Hit> for Hit {
    fn from(hit: ranker::Hit) -> Self {
        Self {
            rank: count(hit.rank),
            score: f64::from(hit.score),
            session: Session::new(hit.session, hit.tags),
            entry: HitEntry {
                id: hit.entry.to_string(),
                role: name_of(hit.role),
                timestamp: hit.timestamp.map(Moment::from),
                branch: name_of(hit.branch),
                leaf: hit.leaf.as_ref().map(EntryId::to_string),
            },
            snippet: Snippet::from(hit.snippet),
            also_in: texts(hit.also_in),
            explanation: hit.explanation.map(Explanation::from),
            line: None,
        }
    }
}

impl From<ranker::Snippet> for Snippet {
    fn from(snippet: ranker::Snippet) -> Self {
        let highlight = |range: std::ops::Range<usize>| Highlight {
            start: count(range.start),
            end: count(range.end),
        };
        Self {
            highlights: snippet.highlights_utf16().into_iter().map(highlight).collect(),
            text: snippet.text,
            cut_before: snippet.cut_before,
            cut_after: snippet.cut_after,
        }
    }
}

impl From<ranker::Relaxation> for Relaxation {
    fn from(relaxation: ranker::Relaxation) -> Self {
        Self {
            word: relaxation.word,
            step: name_of(relaxation.step),
            terms: texts(relaxation.terms),
            term_count: count(relaxation.term_count),
        }
    }
}

impl From<&ranker::Warning> for Warning {
    fn from(warning: &ranker::Warning) -> Self {
        Self {
            code: warning.code().to_owned(),
            message: warning.to_string(),
        }
    }
}

impl From<ranker::Explanation> for Explanation {
    fn from(explanation: ranker::Explanation) -> Self {
        Self {
            label: explanation.label,
            value: f64::from(explanation.value),
            operation: name_of(explanation.operation),
            parts: explanation.parts.into_iter().map(Self::from).collect(),
        }
    }
}
