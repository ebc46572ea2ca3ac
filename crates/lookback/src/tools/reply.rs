use lookback_ranker::Hit;
use lookback_session_model::{EntryId, SessionId};
use serde::Serialize;

/// What a tool gives back.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolReply {
    /// For the model to read.
    pub text: String,
    /// For the host to draw. Pi stores it in the session file, so it is small and holds no transcript.
    pub details: ToolDetails,
}

/// The outline of an answer: counts, ids, what was left out. What does not apply is absent from its JSON.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDetails {
    /// The tool.
    pub tool: &'static str,
    /// What it did: the action of `recall`; `discovery`, `scroll`, `read` or `browse`; `search` or `read`.
    pub mode: &'static str,
    /// Hits, sessions or messages in this answer.
    pub returned: usize,
    /// How many there are in all.
    pub total: usize,
    /// How many stand before those of this answer.
    pub offset: usize,
    /// Where to go on; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// The first twenty hits or sessions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<FoundId>,
    /// The session that was read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// The end of the branch that was read: hand it in again to stay on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch_tip: Option<EntryId>,
    /// Texts were cut or messages left out to keep the answer within bounds.
    pub content_truncated: bool,
    /// Secrets that were replaced.
    #[serde(skip_serializing_if = "is_zero")]
    pub redacted: usize,
    /// The index may not hold everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sync_warning: Option<SyncWarning>,
    /// What the reader should know, the first ten.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<ToolWarning>,
}

/// Where something was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundId {
    /// The session.
    pub session_id: SessionId,
    /// The entry, for hits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry_id: Option<EntryId>,
}

impl FoundId {
    pub(crate) fn hit(hit: &Hit) -> Self {
        Self {
            session_id: hit.session.id.clone(),
            entry_id: Some(hit.entry.clone()),
        }
    }

    pub(crate) fn session(session_id: SessionId) -> Self {
        Self {
            session_id,
            entry_id: None,
        }
    }
}

/// Why an answer may miss sessions or be out of date.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum SyncWarning {
    /// A session folder could not be read to its end. Nothing was taken out of the index for that.
    IncompleteWalk,
    /// The index could not be brought up to date; the answer is from what it held.
    SyncFailed {
        /// Why.
        error: String,
    },
    /// Another process was writing the index; the answer is from what it held.
    Busy,
}

/// Something the reader should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolWarning {
    /// A stable name for programs.
    pub code: &'static str,
    /// A sentence.
    pub message: String,
}

impl ToolWarning {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
        }
    }
}

impl ToolDetails {
    /// Hits and sessions that are named.
    pub(crate) const FOUND: usize = 20;
    /// Warnings that are kept.
    pub(crate) const WARNINGS: usize = 10;
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
