use serde::{Deserialize, Serialize};

use crate::{Entry, EntryId, EntryKind, Place, Role, Timestamp};

/// One entry in the outline of a session: what the tree needs, without text. About 100 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// The entry's id; `None` for records without one.
    pub id: Option<EntryId>,
    /// The entry that this one continues, as a position in [`Session::nodes`](crate::Session::nodes).
    pub parent: Option<u32>,
    /// How `parent` was found.
    pub link: Link,
    /// What the entry is.
    pub kind: NodeKind,
    /// Who speaks, for messages.
    pub role: Option<Role>,
    /// Length in bytes of the text that can be searched: that of user and assistant.
    pub text_length: u32,
    /// When it happened.
    pub time: Option<Timestamp>,
    /// Where the entry stands in the file.
    pub place: Place,
}

/// How the parent of an entry was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Link {
    /// The entry names no parent: it is a root.
    Root,
    /// The parent is the one the entry names.
    Direct,
    /// The parent it names is not in the file; the entry before it in the file takes its place, and a gap is between.
    Gap,
    /// The entry is its own ancestor; its link was cut, so that the walk ends here.
    Cut,
    /// The same entry is in the file before, byte for byte: this copy is no part of the tree.
    Repeat,
}

/// The kind of an entry, without its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum NodeKind {
    /// See [`EntryKind::Message`].
    Message,
    /// See [`EntryKind::ModelChange`].
    ModelChange,
    /// See [`EntryKind::ThinkingLevelChange`].
    ThinkingLevelChange,
    /// See [`EntryKind::Usage`].
    Usage,
    /// See [`EntryKind::Compaction`].
    Compaction,
    /// See [`EntryKind::BranchSummary`].
    BranchSummary,
    /// See [`EntryKind::Custom`].
    Custom,
    /// See [`EntryKind::CustomMessage`].
    CustomMessage,
    /// See [`EntryKind::ContextEdit`].
    ContextEdit,
    /// See [`EntryKind::Label`].
    Label,
    /// See [`EntryKind::SessionInfo`].
    SessionInfo,
    /// See [`EntryKind::Unknown`].
    Unknown,
}

impl NodeKind {
    pub(crate) fn of(kind: &EntryKind) -> Self {
        match kind {
            EntryKind::Message(_) => Self::Message,
            EntryKind::ModelChange { .. } => Self::ModelChange,
            EntryKind::ThinkingLevelChange { .. } => Self::ThinkingLevelChange,
            EntryKind::Usage { .. } => Self::Usage,
            EntryKind::Compaction { .. } => Self::Compaction,
            EntryKind::BranchSummary { .. } => Self::BranchSummary,
            EntryKind::Custom { .. } => Self::Custom,
            EntryKind::CustomMessage { .. } => Self::CustomMessage,
            EntryKind::ContextEdit { .. } => Self::ContextEdit,
            EntryKind::Label { .. } => Self::Label,
            EntryKind::SessionInfo { .. } => Self::SessionInfo,
            EntryKind::Unknown { .. } => Self::Unknown,
        }
    }
}

impl Node {
    /// The outline of an entry; its parent is found when all entries are known.
    pub(crate) fn of(entry: &Entry) -> Self {
        let message = entry.message();
        let searchable = message.filter(|message| matches!(message.role, Some(Role::User | Role::Assistant)));
        let text_length = searchable.map_or(0, |message| message.text.as_str().len());
        Self {
            id: entry.id.clone(),
            parent: None,
            link: Link::Root,
            kind: NodeKind::of(&entry.kind),
            role: message.and_then(|message| message.role),
            text_length: u32::try_from(text_length).unwrap_or(u32::MAX),
            time: entry.time(),
            place: entry.place,
        }
    }

    /// True for messages of user or assistant with text: what is indexed and searched.
    pub fn has_text(&self) -> bool {
        self.text_length > 0
    }
}

/// A fact that some kinds of entries hold beside their place in the tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Fact {
    /// A compaction and the first entry it keeps.
    FirstKept(Option<EntryId>),
    /// An edit: its target.
    Edits(Option<EntryId>),
    /// A label set or taken away.
    Labels {
        target: Option<EntryId>,
        label: Option<String>,
    },
}

impl Fact {
    pub(crate) fn of(kind: &EntryKind) -> Option<Self> {
        Some(match kind {
            EntryKind::Compaction { first_kept, .. } => Self::FirstKept(first_kept.clone()),
            EntryKind::ContextEdit { target, .. } => Self::Edits(target.clone()),
            EntryKind::Label { target, label } => Self::Labels {
                target: target.clone(),
                label: label.clone().filter(|label| !label.is_empty()),
            },
            _ => return None,
        })
    }
}
