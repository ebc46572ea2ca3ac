//! The full-text index over Pi sessions: schema, sync and search on Tantivy.
//!
//! [`Index`] is the one type to hold: [`Index::sync`] brings it up to the present state of the session folders,
//! [`Index::search`] answers from the last commit. The index is disposable: whatever is wrong with it, it is built
//! again from the session files, which are only ever read. Its form on disk is described in `docs/storage.md`.
//!
//! ```
//! use camino::{Utf8Path, Utf8PathBuf};
//! use lookback_index::{Index, SyncOptions};
//! use lookback_ranker::{Annotations, SearchRequest};
//!
//! # let temporary = tempfile::tempdir()?;
//! # let folder = Utf8Path::from_path(temporary.path()).ok_or("a name that is text")?;
//! let sessions = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sessions"));
//! let index = Index::open(&folder.join("cache"))?;
//!
//! let report = index.sync(&SyncOptions::new(&[sessions]))?;
//! assert!(report.complete && report.failed.is_empty());
//!
//! let reply = index.search(&SearchRequest::new("timeout"), &Annotations::default())?;
//! for hit in &reply.hits {
//!     println!("{}: {}", hit.session.title, hit.snippet.text);
//! }
//! assert!(reply.sessions_matched > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
