//! The full-text index over Pi sessions: schema, sync and search on Tantivy.
//!
//! [`Index`] is the one type to hold: [`Index::sync`] brings it up to the present state of the session folders,
//! [`Index::search`] answers from the last commit. The index is disposable: whatever is wrong with it, it is built
//! again from the session files, which are only ever read.

mod columns;
mod engine;
mod error;
mod folder;
mod index;
mod layer;
mod location;
mod lookup;
mod panics;
mod record;
mod search;
mod snapshot;
mod status;
mod sync;
mod sync_options;
mod sync_report;

pub use error::IndexError;
pub use index::Index;
pub use location::EntryLocation;
pub use status::{IndexState, Status, Verification};
pub use sync_options::{Progress, SyncOptions};
pub use sync_report::{DamagedLine, FailedFile, SyncReport, SyncState};
