use std::{collections::BTreeSet, io, ops::ControlFlow};

use lookback_session_model::{Entry, EntryKind, Fields, Node, NodeKind, Role};

use super::{EntryFacts, RowKind, Scan};

/// Who speaks in a [`MessageRow`]: a role of Pi's messages, or one of the two kinds of summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Voice {
    /// A message of this role.
    Role(Role),
    /// The summary of a branch that was left.
    BranchSummary,
    /// The summary that took the place of earlier messages in the model's context.
    CompactionSummary,
}

impl Voice {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Role(Role::System),
        Self::Role(Role::User),
        Self::Role(Role::Assistant),
        Self::Role(Role::ToolResult),
        Self::Role(Role::BashExecution),
        Self::Role(Role::Custom),
        Self::Role(Role::Other),
        Self::BranchSummary,
        Self::CompactionSummary,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Role(role) => role.name(),
            Self::BranchSummary => "branchSummary",
            Self::CompactionSummary => "compactionSummary",
        }
    }

    /// The voice with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|voice| voice.name() == name)
    }

    fn of(node: &Node) -> Option<Self> {
        match node.kind {
            NodeKind::Message => Some(Self::Role(node.role.unwrap_or(Role::Other))),
            NodeKind::CustomMessage => Some(Self::Role(Role::Custom)),
            NodeKind::BranchSummary => Some(Self::BranchSummary),
            NodeKind::Compaction => Some(Self::CompactionSummary),
            _ => None,
        }
    }
}

/// Messages, one by one, on all branches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Messages {
    /// Who speaks in them.
    pub voices: BTreeSet<Voice>,
    /// Their text is wanted. Without it, rows have empty text, and reading is faster.
    pub text: bool,
}

impl Messages {
    /// What user and assistant said to each other.
    pub fn conversation() -> Self {
        Self {
            voices: [Role::User, Role::Assistant].map(Voice::Role).into(),
            text: true,
        }
    }

    /// Messages of all roles, results of tools with all their text among them, and summaries.
    pub fn all() -> Self {
        Self {
            voices: Voice::ALL.into(),
            text: true,
        }
    }
}

/// One message.
#[derive(Debug, Clone, Copy)]
pub struct MessageRow<'a> {
    /// Where and when.
    pub at: EntryFacts<'a>,
    /// Who speaks.
    pub voice: Voice,
    /// What is said. For bash executions the command, and the output from the next line on.
    pub text: &'a str,
    /// Number of pictures.
    pub images: u32,
    /// Number of tool calls.
    pub tool_calls: u32,
    /// For assistant messages: the provider that answered.
    pub provider: Option<&'a str>,
    /// For assistant messages: the model that answered.
    pub model: Option<&'a str>,
    /// For assistant messages: why the answer ended.
    pub stop_reason: Option<&'a str>,
    /// For assistant messages: the error that ended it.
    pub error: Option<&'a str>,
    /// For results of tools: the tool.
    pub tool: Option<&'a str>,
    /// For results of tools: the call.
    pub call: Option<&'a str>,
    /// For results of tools: the tool failed.
    pub is_error: Option<bool>,
    /// For bash executions: the exit code, where the command ended by itself.
    pub exit_code: Option<f64>,
    /// For compactions: the size of the context before, in tokens.
    pub tokens_before: Option<f64>,
}

impl RowKind for Messages {
    type Row<'a> = MessageRow<'a>;

    fn scan(
        &self,
        scan: &Scan<'_>,
        emit: &mut dyn FnMut(&MessageRow<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let wanted = |_, node: &Node| {
            scan.filter.spans(node.time) && Voice::of(node).is_some_and(|voice| self.voices.contains(&voice))
        };
        scan.entries(self.fields(), wanted, |_, at, entry| {
            match row(at, &entry, self.text) {
                Some((row, None)) => emit(&row),
                Some((row, Some(text))) => emit(&MessageRow { text: &text, ..row }),
                None => ControlFlow::Continue(()),
            }
        })
    }
}

impl Messages {
    fn fields(&self) -> Fields {
        if !self.text {
            return Fields::NONE;
        }
        let of_voice = |voice: &Voice| match voice {
            Voice::Role(Role::User | Role::Assistant) => Fields::TEXT,
            Voice::Role(Role::ToolResult | Role::BashExecution) => Fields::TOOL_RESULTS,
            Voice::Role(_) => Fields::OTHER_TEXT,
            Voice::BranchSummary | Voice::CompactionSummary => Fields::SUMMARIES,
        };
        self.voices
            .iter()
            .fold(Fields::NONE, |fields, voice| fields.with(of_voice(voice)))
    }
}

/// The row of an entry, and its text where that is not the entry's own.
fn row<'a>(at: EntryFacts<'a>, entry: &'a Entry, text: bool) -> Option<(MessageRow<'a>, Option<String>)> {
    let empty = MessageRow {
        at,
        voice: Voice::Role(Role::Other),
        text: "",
        images: 0,
        tool_calls: 0,
        provider: None,
        model: None,
        stop_reason: None,
        error: None,
        tool: None,
        call: None,
        is_error: None,
        exit_code: None,
        tokens_before: None,
    };
    let row = match &entry.kind {
        EntryKind::Message(message) => {
            let role = message.role.unwrap_or(Role::Other);
            let row = MessageRow {
                voice: Voice::Role(role),
                text: message.text.as_str(),
                images: message.images,
                tool_calls: message.tool_call_count,
                provider: message.provider.as_deref(),
                model: message.model.as_deref(),
                stop_reason: message.stop_reason.as_deref(),
                error: message.error_message.as_deref(),
                tool: message.tool_name.as_deref(),
                call: message.tool_call_id.as_deref(),
                is_error: (role == Role::ToolResult).then_some(message.is_error),
                ..empty
            };
            if let Some(bash) = &message.bash {
                let said = text.then(|| format!("{}\n{}", bash.command, bash.output));
                let exit_code = bash.exit_code;
                return Some((MessageRow { exit_code, ..row }, said));
            }
            row
        }
        EntryKind::CustomMessage { text, .. } => MessageRow {
            voice: Voice::Role(Role::Custom),
            text: text.as_str(),
            ..empty
        },
        EntryKind::BranchSummary { summary, .. } => MessageRow {
            voice: Voice::BranchSummary,
            text: summary.as_str(),
            ..empty
        },
        EntryKind::Compaction {
            summary,
            tokens_before,
            ..
        } => MessageRow {
            voice: Voice::CompactionSummary,
            text: summary.as_str(),
            tokens_before: *tokens_before,
            ..empty
        },
        _ => return None,
    };
    Some((row, None))
}
