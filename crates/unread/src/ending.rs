//! Follows the messages of a session to the state in which it ends.

use lookback_session_model::{ContentShape, Entry, EntryId, EntryKind, Message, Role, Timestamp};

use crate::{State, UserMessage, limits, parts, text};

/// What is known of a session after its messages so far.
#[derive(Debug, Default)]
pub(crate) struct Ending {
    last: Last,
    /// The last user message.
    user: Option<UserMessage>,
    /// Why the last message ended, where it is the model's.
    pub(crate) stop_reason: Option<String>,
    /// Something could be seen since the last user message: text, or tools at work.
    answered: bool,
    newest: Newest,
}

/// The last message.
#[derive(Debug, Default)]
enum Last {
    /// There is none.
    #[default]
    Nothing,
    User {
        pictures: bool,
    },
    Assistant {
        has_text: bool,
        has_calls: bool,
        broke_off: bool,
    },
    ToolResult,
    /// A command the user ran, a system message, a message of an extension, an unknown role.
    Other,
}

/// The newest message by time.
#[derive(Debug, Default)]
struct Newest {
    time: Option<Timestamp>,
    /// The message, while it is one of the user's with text that nothing continues.
    question: Option<(EntryId, UserMessage)>,
}

impl Ending {
    /// Takes the next entry, in file order; `line` is its record.
    pub(crate) fn follow(&mut self, entry: &Entry, line: &[u8]) {
        if let (Some((question, _)), Some(parent)) = (&self.newest.question, &entry.parent_id)
            && question == parent
            && matches!(entry.kind, EntryKind::Message(_))
        {
            self.newest.question = None;
        }
        let EntryKind::Message(message) = &entry.kind else {
            return;
        };
        let Some(role) = message.role else {
            // A record that says nothing about who speaks is passed over.
            return;
        };
        if role == Role::User && message.content == ContentShape::Absent {
            return;
        }
        self.stop_reason = None;
        self.last = match role {
            Role::User => self.user(entry, message, line),
            Role::Assistant => self.assistant(message),
            Role::ToolResult => {
                self.answered = true;
                Last::ToolResult
            }
            _ => Last::Other,
        };
        self.watch_newest(entry, role);
    }

    /// The text of the last user message, where it has any.
    pub(crate) fn question(&self) -> Option<&str> {
        let user = self.user.as_ref()?;
        (!user.preview.is_empty()).then_some(user.preview.as_str())
    }

    fn user(&mut self, entry: &Entry, message: &Message, line: &[u8]) -> Last {
        let blocks = message.text.blocks().take(parts::text_parts(line));
        self.answered = false;
        self.user = Some(UserMessage {
            entry_id: entry_id(entry),
            timestamp: entry.time(),
            preview: text::preview(blocks, limits::PREVIEW_UNITS),
        });
        Last::User {
            pictures: message.images > 0,
        }
    }

    fn assistant(&mut self, message: &Message) -> Last {
        let has_text = !text::trim(message.text.as_str()).is_empty();
        let has_calls = message.tool_call_count > 0;
        self.answered |= has_text || has_calls;
        self.stop_reason = message
            .stop_reason
            .as_deref()
            .map(|reason| text::cut(reason, limits::ID_UNITS).to_owned());
        Last::Assistant {
            has_text,
            has_calls,
            broke_off: matches!(message.stop_reason.as_deref(), Some("error" | "aborted")),
        }
    }

    fn watch_newest(&mut self, entry: &Entry, role: Role) {
        let time = entry.time();
        if time.is_none() || time < self.newest.time {
            return;
        }
        self.newest.time = time;
        self.newest.question = match (&self.user, &entry.id) {
            (Some(user), Some(id)) if role == Role::User && !user.preview.is_empty() => {
                Some((id.clone(), user.clone()))
            }
            _ => None,
        };
    }

    /// The state, and the user message that waits.
    pub(crate) fn state(self) -> Option<(State, Option<UserMessage>)> {
        let state = match self.last {
            Last::User { .. } if self.question().is_some() => Some(State::Unread),
            Last::User { pictures: true } => Some(State::Picture),
            Last::Assistant {
                has_text: false,
                broke_off: true,
                ..
            } => Some(State::Failed),
            Last::Assistant { has_calls: true, .. } | Last::ToolResult => Some(State::Interrupted),
            Last::Assistant { .. } if !self.answered && self.user.is_some() => Some(State::Failed),
            Last::Nothing | Last::User { .. } | Last::Assistant { .. } | Last::Other => None,
        };
        match (state, self.newest.question) {
            (Some(state), _) => Some((state, self.user)),
            (None, Some((_, question))) => Some((State::OtherBranch, Some(question))),
            (None, None) => None,
        }
    }
}

/// The id of an entry. One that has none, or one of absurd length, is named by its line, which never changes either.
fn entry_id(entry: &Entry) -> String {
    match &entry.id {
        Some(id) if text::units(id.as_str()) <= limits::ID_UNITS => id.as_str().to_owned(),
        _ => format!("line-{}", entry.place.line),
    }
}
