//! Pi session files: entries, tree, branches, context, lineage and text, read-only.
//!
//! The main types, and how they meet:
//!
//! - [`Discovery`] finds the session files under some roots.
//! - [`SessionFile`] reads one of them once, front to back, into an outline: a [`Node`] for every entry, without its text.
//!   A file holds one [`Session`] as a rule. [`SessionFile::resume`] later reads only what was appended.
//! - [`Tree`] is what a reader wants to see of a session: branches, the tip, what was abandoned or summarised away; its
//!   [`Turn`]s are the units of search. [`PiView`] is what Pi itself makes of the file, bug for bug: whether it opens,
//!   where its leaf is, what the model's context holds, its row in Pi's list. [`Lineage`] knows which session was forked
//!   from which.
//! - [`SessionReader`] streams the records with their contents instead; [`EntryReader`] reads single ones by their place.
//!   [`Fields`] says what of them is decoded. All three read any [`ReadAt`].
//! - What is odd in a file becomes a [`Diagnostic`], and the rest is read; only the operating system's refusals are errors
//!   ([`OpenError`]). No file is ever changed.
//!
//! ```
//! use lookback_session_model::{BranchState, PiView, SessionFile, Tree};
//!
//! let bytes = br#"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/dev"}
//! {"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"user","content":"Redis or SQLite?"}}
//! {"type":"message","id":"a2","parentId":"a1","timestamp":"2026-03-02T09:00:02.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Redis."}]}}
//! {"type":"message","id":"a3","parentId":"a1","timestamp":"2026-03-02T09:00:09.000Z","message":{"role":"assistant","content":[{"type":"text","text":"SQLite."}]}}
//! "#;
//! let file = SessionFile::from_bytes("2026_s1.jsonl".into(), bytes, 1 << 20);
//! let session = &file.sessions()[0];
//! assert_eq!(file.summary(session).title, "Redis or SQLite?");
//!
//! let tree = Tree::new(session);
//! assert_eq!(tree.fork_points(), [0]);
//! assert_eq!(tree.path_to(tree.tip().unwrap()), [0, 2]);
//! assert_eq!(tree.state(1), BranchState::Abandoned);
//! assert_eq!(session.kept_text(1).unwrap().as_str(), "Redis.");
//! assert_eq!(tree.turns().len(), 3);
//!
//! assert_eq!(PiView::new(&file).refusal(), None);
//! ```
//!
//! `docs/session-format.md` describes the format as it is read, and what becomes of odd input. The folder `examples/` of
//! this crate has programs to try: `tree` draws a session, `inspect` prints Pi's view of a file as JSON, `throughput` and
//! `limits` measure.

mod condense;
mod context;
mod diagnostic;
mod discover;
mod entry;
mod error;
mod fields;
mod frame;
mod glimpse;
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
pub use glimpse::LineGlimpse;
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
