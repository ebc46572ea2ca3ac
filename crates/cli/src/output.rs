//! The lines of `--json`, as `docs/json-output.md` describes them. Nothing else may be printed there.

use lookback::{BranchState, EntryId, Role, SessionId, SessionSummary, Timestamp};
use serde::Serialize;

/// A session in a list or a hit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Session<'a> {
    id: &'a SessionId,
    path: &'a str,
    cwd: &'a str,
    title: &'a str,
    name: Option<&'a str>,
    created: Option<Timestamp>,
    modified: Option<Timestamp>,
    message_count: u64,
    parent_session: Option<&'a str>,
    tags: Vec<&'a str>,
}

impl<'a> Session<'a> {
    pub(crate) fn new(summary: &'a SessionSummary, tags: impl IntoIterator<Item = &'a str>) -> Self {
        Self {
            id: &summary.id,
            path: summary.path.as_str(),
            cwd: &summary.cwd,
            title: &summary.title,
            name: summary.name.as_deref(),
            created: summary.created,
            modified: summary.modified,
            message_count: summary.message_count,
            parent_session: summary.parent_session.as_deref(),
            tags: tags.into_iter().collect(),
        }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entry<'a> {
    pub(crate) id: &'a EntryId,
    pub(crate) role: Role,
    pub(crate) timestamp: Option<Timestamp>,
    pub(crate) branch: BranchState,
    pub(crate) leaf: Option<&'a EntryId>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Snippet<'a> {
    pub(crate) text: &'a str,
    /// Start and end in bytes of the text.
    pub(crate) highlights: Vec<[usize; 2]>,
}

/// One line.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub(crate) enum Line<'a> {
    Hit {
        rank: usize,
        score: f32,
        session: Session<'a>,
        entry: Entry<'a>,
        snippet: Snippet<'a>,
        also_in: &'a [SessionId],
        #[serde(skip_serializing_if = "Option::is_none")]
        explanation: Option<serde_json::Value>,
    },
    Session {
        #[serde(flatten)]
        session: Session<'a>,
    },
    Message {
        id: Option<&'a EntryId>,
        role: &'a str,
        timestamp: Option<Timestamp>,
        text: &'a str,
        anchor: &'a str,
    },
    Row {
        #[serde(flatten)]
        row: &'a lookback::BranchRow,
    },
    Damage {
        path: &'a str,
        #[serde(flatten)]
        diagnostic: &'a lookback::Diagnostic,
        message: String,
    },
    Check {
        #[serde(flatten)]
        check: &'a lookback::Check,
    },
    Repair {
        #[serde(flatten)]
        check: &'a lookback::Check,
    },
    Tag {
        tag: &'a str,
        sessions: usize,
    },
    Summary {
        #[serde(flatten)]
        summary: serde_json::Value,
    },
}
