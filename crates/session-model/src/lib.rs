//! Pi session files: entries, tree, branches, context, lineage and text, read-only.

mod entry;
mod id;
mod json;
mod listing;
mod text;
mod time;
mod usage;

pub use entry::{
    BashExecution, ContentShape, Entry, EntryKind, Header, Message, NameChange, Place, Role, ToolCall,
};
pub use id::{EntryId, SessionId};
pub use listing::{BranchState, SessionSummary};
pub use text::Text;
pub use time::Timestamp;
pub use usage::{Cost, Usage};
