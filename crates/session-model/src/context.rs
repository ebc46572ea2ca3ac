use std::io;

use crate::{Entry, EntryId, EntryKind, EntryReader, EntryRef, Fields, PiView, ReadAt, Role, SessionFile};

/// One message of the model's context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContextMessage {
    /// The entry it comes from.
    pub entry: EntryRef,
    /// Who speaks in it.
    pub role: ContextRole,
    /// Its text, after context edits.
    pub text: String,
}

/// Who speaks in the model's context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextRole {
    /// One of the roles in the file.
    Message(Role),
    /// The summary of a compaction.
    CompactionSummary,
    /// The summary of a branch that was left.
    BranchSummary,
}

impl ContextRole {
    /// The name Pi gives it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Message(role) => role.name(),
            Self::CompactionSummary => "compactionSummary",
            Self::BranchSummary => "branchSummary",
        }
    }
}

impl SessionFile {
    /// The messages that Pi would give to the model, in order: after compaction, summaries and context edits.
    /// `reader` must read this file. Entries that are gone from it are left out.
    ///
    /// # Errors
    /// When the operating system cannot read the file.
    pub fn context_messages<S: ReadAt>(
        &self,
        reader: &mut EntryReader<S>,
    ) -> io::Result<Vec<ContextMessage>> {
        let view = PiView::new(self);
        let context = view.context();
        let edits = view.edits(&context);
        let mut messages = Vec::new();
        for (at, &entry) in context.iter().enumerate() {
            let node = view.node(entry);
            let Some(read) = reader.read(node, Fields::ALL)? else {
                continue;
            };
            // Of several compactions only the first in the context speaks.
            if at > 0 && matches!(read.kind, EntryKind::Compaction { .. }) {
                continue;
            }
            let edit = match node.id.as_ref().map(EntryId::as_str).and_then(|id| edits.get(id)) {
                Some(&edit) => reader.read(view.node(edit), Fields::ALL)?,
                None => None,
            };
            let edit = edit.and_then(|edit| match edit.kind {
                EntryKind::ContextEdit { replacement, .. } => Some(replacement),
                _ => None,
            });
            if edit == Some(None) {
                continue;
            }
            let replacement = edit.flatten().map(crate::Text::into_string);
            for (role, text) in spoken(read) {
                let text = match (&replacement, role) {
                    (
                        Some(replacement),
                        ContextRole::Message(Role::User | Role::Assistant | Role::ToolResult | Role::Custom),
                    ) => replacement.clone(),
                    _ => text,
                };
                messages.push(ContextMessage { entry, role, text });
            }
        }
        Ok(messages)
    }
}

/// What one entry says in the context, without edits.
fn spoken(entry: Entry) -> Vec<(ContextRole, String)> {
    match entry.kind {
        EntryKind::Message(message) => {
            let text = match message.bash {
                Some(bash) => format!("{}\n{}", bash.command, bash.output),
                None => message.text.into_string(),
            };
            vec![(ContextRole::Message(message.role.unwrap_or(Role::Other)), text)]
        }
        EntryKind::CustomMessage { text, .. } => {
            vec![(ContextRole::Message(Role::Custom), text.into_string())]
        }
        EntryKind::BranchSummary { summary, .. } if !summary.is_empty() => {
            vec![(ContextRole::BranchSummary, summary.into_string())]
        }
        EntryKind::Compaction {
            summary,
            system_message,
            ..
        } => {
            let system = system_message.map(|text| (ContextRole::Message(Role::System), text.into_string()));
            system
                .into_iter()
                .chain([(ContextRole::CompactionSummary, summary.into_string())])
                .collect()
        }
        _ => Vec::new(),
    }
}
