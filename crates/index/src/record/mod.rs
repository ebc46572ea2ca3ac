//! What the index knows of a session file beside its postings.
//!
//! A record has two parts. The *head* is what every search needs of every file: stamp, list rows, turns; all heads are
//! decoded when an index is opened. The *outline* is what a later sync resumes from and what names the entries of a
//! hit; it is read for single files only.

mod bytes;
mod head;
mod nodes;
mod outline;
mod substitute;
mod turns;

pub(crate) use head::{FileHead, FileId, SessionRow};
use nodes::NodeBlocks;
pub(crate) use outline::Outline;
pub(crate) use turns::{TurnRow, TurnTable};
