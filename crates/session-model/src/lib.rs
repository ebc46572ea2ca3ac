//! Pi session files: entries, tree, branches, context, lineage and text, read-only.

mod condense;
mod context;
mod diagnostic;
mod discover;
mod entry;
mod error;
mod fields;
mod frame;
mod harmless;
mod hash;
mod id;
mod json;
mod lineage;
mod listing;
mod lookup;
mod node;
mod parse;
mod pi;
mod reader;
mod session;
mod source;
mod tally;
mod text;
mod time;
mod tree;
mod turn;
mod usage;

pub use context::{ContextMessage, ContextRole};
pub use diagnostic::{Diagnostic, DiagnosticKind, Diagnostics};
pub use discover::{Discovery, FoundFile, SkipReason, Skipped};
pub use entry::{
    BashExecution, ContentShape, Entry, EntryKind, Header, Message, NameChange, Place, Role, ToolCall,
};
pub use error::OpenError;
pub use fields::Fields;
pub use harmless::{HarmlessChars, harmless_line, harmless_lines};
pub use id::{EntryId, SessionId};
pub use lineage::{Lineage, Parent};
pub use listing::{BranchState, SessionSummary};
pub use lookup::EntryReader;
pub use node::{Link, Node, NodeKind};
pub use pi::{EntryRef, PiListRow, PiView};
pub use reader::{Item, Position, SessionReader};
pub use session::{Resumed, Session, SessionFile};
pub use source::{FileStamp, ReadAt, open_session_file};
pub use text::Text;
pub use time::Timestamp;
pub use tree::Tree;
pub use turn::Turn;
pub use usage::{Cost, Usage};
