use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{
    EntryId, SessionId, Text, Timestamp, Usage,
    json::{Key, Members, Walker},
};

/// Where a record stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// Number of the line, from 1. Lines end at `\n` and nowhere else.
    pub line: u64,
    /// Offset of the record's first byte in the file.
    pub offset: u64,
    /// Length of the record in bytes, without the line end.
    pub length: u64,
    /// The record was found inside a damaged line: Pi itself skips that line.
    pub recovered: bool,
}

/// The first record of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The session id; `None` where the header has none that is a string (Pi then refuses the file).
    pub id: Option<SessionId>,
    /// The format version as Pi understands it: 1 when absent, `None` when it is no number at all.
    pub version: Option<f64>,
    /// When the session was created.
    pub timestamp: Option<Timestamp>,
    /// The folder the session belongs to; empty when absent.
    pub cwd: String,
    /// The file this session was forked from, as written when it was forked.
    pub parent_session: Option<String>,
    /// The whole header as JSON text, unknown fields included, fit for any JSON parser.
    pub raw: String,
    /// Where the header stands.
    pub place: Place,
}

impl Header {
    /// The version that Pi migrates every older file to.
    pub const CURRENT_VERSION: f64 = 3.0;

    /// The header's time is written as text, not as a number.
    pub(crate) fn has_text_for_time(&self) -> bool {
        let raw = self.raw.as_bytes();
        let (mut members, mut walker) = (Members::default(), Walker::default());
        walker.take_up_at(raw, 0);
        walker.object(raw, 0, &mut members).is_ok() && members.string(raw, Key::Timestamp).is_some()
    }

    /// [`Header::raw`] with the version that the header has after Pi opened the file.
    pub fn raw_as_pi_migrates(&self) -> String {
        if self
            .version
            .is_none_or(|version| version >= Self::CURRENT_VERSION)
        {
            return self.raw.clone();
        }
        // The last of two members wins, so the version goes to the end.
        match self.raw.trim_end().strip_suffix('}') {
            Some(members) => format!("{},\"version\":{}}}", members.trim_end(), Self::CURRENT_VERSION),
            None => self.raw.clone(),
        }
    }
}

/// One record of a session after its header.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The entry's id; `None` for records without one (Pi keeps them, but nothing can refer to them).
    pub id: Option<EntryId>,
    /// The id of the entry this one continues; `None` for a root.
    pub parent_id: Option<EntryId>,
    /// When the entry was written.
    pub timestamp: Option<Timestamp>,
    /// What it is.
    pub kind: EntryKind,
    /// Where it stands.
    pub place: Place,
}

impl Entry {
    /// When it happened: the message's own time, or else the time at which the entry was written.
    pub fn time(&self) -> Option<Timestamp> {
        match &self.kind {
            EntryKind::Message(message) => message.timestamp.or(self.timestamp),
            _ => self.timestamp,
        }
    }

    /// The message, where the entry is one.
    pub fn message(&self) -> Option<&Message> {
        match &self.kind {
            EntryKind::Message(message) => Some(message),
            _ => None,
        }
    }
}

/// The kinds of entries that Pi writes. Each holds the fields that were asked for, see `Fields`.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum EntryKind {
    /// A message of the conversation.
    Message(Box<Message>),
    /// Another model was chosen.
    ModelChange {
        /// The provider's name.
        provider: SmolStr,
        /// The model's name at that provider.
        model: SmolStr,
    },
    /// Another thinking level was chosen.
    ThinkingLevelChange {
        /// `off`, `low`, `medium`, …
        level: SmolStr,
    },
    /// Tokens spent outside of messages.
    Usage {
        /// What they were spent on, a free word.
        kind: SmolStr,
        /// The provider's name.
        provider: SmolStr,
        /// The model's name.
        model: SmolStr,
        /// The tokens and their cost.
        usage: Option<Box<Usage>>,
    },
    /// Earlier entries of the branch were replaced by a summary in the model's context.
    Compaction {
        /// The summary.
        summary: Text,
        /// From this entry on, earlier entries stay in the context. For version 1 files derived from an index.
        first_kept: Option<EntryId>,
        /// Size of the context before, in tokens.
        tokens_before: Option<f64>,
        /// The text of the system message that the compaction carries into the context.
        system_message: Option<Text>,
        /// In version 1 files: the number of the first record that is kept, the header being 0.
        first_kept_index: Option<f64>,
        /// Tokens the summary cost.
        usage: Option<Box<Usage>>,
    },
    /// The summary of a branch that was left.
    BranchSummary {
        /// The summary; an empty one is not part of the context.
        summary: Text,
        /// The leaf that was left, or `root`.
        from_id: Option<SmolStr>,
        /// Tokens the summary cost.
        usage: Option<Box<Usage>>,
    },
    /// State of an extension. Never part of the context.
    Custom {
        /// The extension's name for it.
        custom_type: SmolStr,
    },
    /// A message of an extension, part of the context as user text.
    CustomMessage {
        /// The extension's name for it.
        custom_type: SmolStr,
        /// Its text.
        text: Text,
        /// False when it is hidden from the user.
        display: bool,
    },
    /// What another entry contributes to the context was changed or removed.
    ContextEdit {
        /// The entry that was edited.
        target: Option<EntryId>,
        /// The new content; `None` leaves the entry out of the context.
        replacement: Option<Text>,
    },
    /// A label was set on an entry, or taken away.
    Label {
        /// The labelled entry.
        target: Option<EntryId>,
        /// The label; `None` or empty takes it away.
        label: Option<String>,
    },
    /// The session was given a name.
    SessionInfo {
        /// The name; see [`NameChange`].
        name: NameChange,
    },
    /// A kind this version does not know, or a record that is no entry at all. It keeps its place in the tree.
    Unknown {
        /// The name of the kind, where there is one.
        type_name: Option<SmolStr>,
    },
}

/// What a `session_info` entry says about the name of the session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum NameChange {
    /// The session is called so; trimmed, never empty.
    Set(String),
    /// The name was taken away: absent, null, or nothing but white space.
    Cleared,
    /// The name is not a string. Pi cannot list such a file.
    Invalid,
}

/// Who speaks in a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum Role {
    /// The prompt and the tools of the agent.
    System,
    /// The person.
    User,
    /// The model.
    Assistant,
    /// What a tool answered.
    ToolResult,
    /// A command the person ran (`!command`).
    BashExecution,
    /// A message of an extension; `hookMessage` in version 2 files.
    Custom,
    /// A role this version does not know.
    Other,
}

impl Role {
    /// The role by the name it has in session files.
    pub fn from_name(name: &str) -> Self {
        match name {
            "system" => Self::System,
            "user" => Self::User,
            "assistant" => Self::Assistant,
            "toolResult" => Self::ToolResult,
            "bashExecution" => Self::BashExecution,
            "custom" | "hookMessage" => Self::Custom,
            _ => Self::Other,
        }
    }

    /// The name of the role in session files; `other` for unknown ones.
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::ToolResult => "toolResult",
            Self::BashExecution => "bashExecution",
            Self::Custom => "custom",
            Self::Other => "other",
        }
    }
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Message {
    /// Who speaks; `None` when the record has no role that is a string.
    pub role: Option<Role>,
    /// The role's name where [`Role::Other`] hides it.
    pub role_name: Option<SmolStr>,
    /// When it was said, where that is a number; see [`Entry::time`].
    pub timestamp: Option<Timestamp>,
    /// The same as it stands in the file, absurd values included.
    pub(crate) time_number: Option<f64>,
    /// The entry has no message at all, or null for one.
    pub(crate) missing: bool,
    /// The text blocks of the content. Thinking, tool calls and images are no text. For bash executions empty.
    pub text: Text,
    /// What the content is made of, as far as Pi's list cares.
    pub content: ContentShape,
    /// Thinking blocks, when asked for.
    pub thinking: Text,
    /// Number of image blocks.
    pub images: u32,
    /// Tool calls, when asked for.
    pub tool_calls: Vec<ToolCall>,
    /// Number of tool calls, always counted for assistant messages.
    pub tool_call_count: u32,
    /// For tool results: the call that is answered.
    pub tool_call_id: Option<SmolStr>,
    /// For tool results: the tool.
    pub tool_name: Option<SmolStr>,
    /// For tool results: the tool failed.
    pub is_error: bool,
    /// For bash executions: the command and what it printed.
    pub bash: Option<Box<BashExecution>>,
    /// For assistant messages: the provider that answered.
    pub provider: Option<SmolStr>,
    /// For assistant messages: the model that answered.
    pub model: Option<SmolStr>,
    /// For assistant messages: why the answer ended (`stop`, `length`, `toolUse`, `error`, `aborted`, …).
    pub stop_reason: Option<SmolStr>,
    /// For assistant messages: the error that ended it.
    pub error_message: Option<String>,
    /// For assistant messages: the provider's id of the answer; copies in forks keep it.
    pub response_id: Option<SmolStr>,
    /// Tokens and cost, when asked for.
    pub usage: Option<Box<Usage>>,
}

/// What the `content` of a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ContentShape {
    /// The record has no `content`.
    #[default]
    Absent,
    /// A string or an array of blocks.
    Present,
    /// Null, a number, an object, or an array with a null in it: Pi opens such a file but cannot list it.
    Invalid,
}

/// A tool call of the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// The id that its result names.
    pub id: SmolStr,
    /// The tool.
    pub name: SmolStr,
    /// The arguments as JSON text, fit for any JSON parser.
    pub arguments: String,
}

/// A command that the person ran.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BashExecution {
    /// The command line.
    pub command: String,
    /// What it printed, when asked for.
    pub output: String,
    /// Its exit code, where it ended by itself.
    pub exit_code: Option<f64>,
    /// It was cancelled.
    pub cancelled: bool,
    /// The output was cut by Pi.
    pub truncated: bool,
    /// The model does not see it (`!!command`).
    pub excluded_from_context: bool,
}
