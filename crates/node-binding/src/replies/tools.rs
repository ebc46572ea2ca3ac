use lookback::{session_model::EntryId, tools};
use napi_derive::napi;

use super::{Warning, count};

/// What a host registers for a tool.
#[napi(object, object_from_js = false)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// Its name for people.
    pub label: String,
    /// What it does, for the model.
    pub description: String,
    /// One line for the list of tools in the system prompt.
    pub prompt_snippet: String,
    /// Rules for the system prompt. Each names the tool.
    pub prompt_guidelines: Vec<String>,
    /// JSON Schema of the parameters.
    #[napi(ts_type = "Record<string, unknown>")]
    pub parameters: serde_json::Value,
}

/// What a tool gives back.
#[napi(object, object_from_js = false)]
pub struct ToolReply {
    /// For the model to read.
    pub text: String,
    /// For the host to draw.
    pub details: ToolDetails,
}

/// The outline of an answer: counts, ids, what was left out. It is small and holds no transcript.
#[napi(object, object_from_js = false)]
pub struct ToolDetails {
    /// The tool.
    pub tool: String,
    /// What it did: the action of `recall`; `discovery`, `scroll`, `read` or `browse`; `search` or `read`.
    pub mode: String,
    /// Hits, sessions or messages in this answer.
    pub returned: i64,
    /// How many there are in all.
    pub total: i64,
    /// How many stand before those of this answer.
    pub offset: i64,
    /// Where to go on; missing at the end.
    pub next_offset: Option<i64>,
    /// The first twenty hits or sessions.
    pub found: Vec<FoundId>,
    /// The session that was read.
    pub session_id: Option<String>,
    /// The end of the branch that was read: hand it in again to stay on it.
    pub branch_tip: Option<String>,
    /// Texts were cut or messages left out to keep the answer within bounds.
    pub content_truncated: bool,
    /// Secrets that were replaced.
    pub redacted: i64,
    /// The index may not hold everything.
    pub sync_warning: Option<ToolSyncWarning>,
    /// What the reader should know, the first ten.
    pub warnings: Vec<Warning>,
}

/// Where something was found.
#[napi(object, object_from_js = false)]
pub struct FoundId {
    /// The session.
    pub session_id: String,
    /// The entry, for hits.
    pub entry_id: Option<String>,
}

/// Why an answer may miss sessions or be out of date.
#[napi(object, object_from_js = false)]
pub struct ToolSyncWarning {
    /// A folder could not be read to its end; the index could not be brought up to date; another process was writing.
    #[napi(ts_type = "'incomplete-walk' | 'sync-failed' | 'busy'")]
    pub kind: String,
    /// Why it could not be brought up to date.
    pub error: Option<String>,
}

/// What a model is told to make tags.
#[napi(object, object_from_js = false)]
pub struct TaggingPrompt {
    /// Id of the session.
    pub session: String,
    /// The system prompt.
    pub system: String,
    /// The message of the user: the start and the end of the session, framed as past text.
    pub user: String,
    /// Messages of the session in it.
    pub messages: i64,
    /// Characters that were cut from them.
    pub cut_characters: i64,
    /// Different secrets that were replaced.
    pub redacted: i64,
}

impl From<tools::ToolDefinition> for ToolDefinition {
    fn from(definition: tools::ToolDefinition) -> Self {
        Self {
            name: definition.name.to_owned(),
            label: definition.label.to_owned(),
            description: definition.description.to_owned(),
            prompt_snippet: definition.prompt_snippet.to_owned(),
            prompt_guidelines: super::texts(definition.prompt_guidelines),
            parameters: definition.parameters,
        }
    }
}

impl From<tools::ToolReply> for ToolReply {
    fn from(reply: tools::ToolReply) -> Self {
        Self {
            text: reply.text,
            details: ToolDetails::from(reply.details),
        }
    }
}

impl From<tools::ToolDetails> for ToolDetails {
    fn from(details: tools::ToolDetails) -> Self {
        let found = |found: tools::FoundId| FoundId {
            session_id: found.session_id.to_string(),
            entry_id: found.entry_id.as_ref().map(EntryId::to_string),
        };
        let warning = |warning: tools::ToolWarning| Warning {
            code: warning.code.to_owned(),
            message: warning.message,
        };
        Self {
            tool: details.tool.to_owned(),
            mode: details.mode.to_owned(),
            returned: count(details.returned),
            total: count(details.total),
            offset: count(details.offset),
            next_offset: details.next_offset.map(count),
            found: details.found.into_iter().map(found).collect(),
            session_id: details.session_id.map(|id| id.to_string()),
            branch_tip: details.branch_tip.as_ref().map(EntryId::to_string),
            content_truncated: details.content_truncated,
            redacted: count(details.redacted),
            sync_warning: details.sync_warning.map(ToolSyncWarning::from),
            warnings: details.warnings.into_iter().map(warning).collect(),
        }
    }
}

impl From<tools::SyncWarning> for ToolSyncWarning {
    fn from(warning: tools::SyncWarning) -> Self {
        let (kind, error) = match warning {
            tools::SyncWarning::IncompleteWalk => ("incomplete-walk", None),
            tools::SyncWarning::SyncFailed { error } => ("sync-failed", Some(error)),
            tools::SyncWarning::Busy => ("busy", None),
        };
        Self {
            kind: kind.to_owned(),
            error,
        }
    }
}

impl TaggingPrompt {
    pub(crate) fn new(excerpt: tools::TaggingExcerpt, minimum: usize, maximum: usize) -> Self {
        let prompt = tools::tag_prompt(&excerpt, minimum, maximum);
        Self {
            session: excerpt.session.to_string(),
            system: prompt.system,
            user: prompt.user,
            messages: count(excerpt.messages),
            cut_characters: count(excerpt.cut_characters),
            redacted: count(excerpt.redacted),
        }
    }
}
