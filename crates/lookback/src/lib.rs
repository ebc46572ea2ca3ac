//! Find, read, tag and resume what was done in past sessions of the Pi coding agent.
//!
//! [`Lookback`] is the one type to hold: it opens the folders, brings the index up to date, searches, lists, reads and
//! tags. [`Surroundings::locate`] finds the folders as Pi does, from values that the host read from its environment; the
//! library itself reads neither the environment nor the clock.
//!
//! ```no_run
//! use lookback::{Lookback, SearchRequest, Timestamp};
//!
//! let lookback = Lookback::builder()
//!     .root("/home/dev/.pi/agent/sessions")
//!     .cache("/home/dev/.cache/lookback")
//!     .data("/home/dev/.pi/agent/pi-recall")
//!     .open()?;
//! lookback.sync(&Default::default())?;
//! let reply = lookback.search(&SearchRequest { now: Timestamp::EPOCH, ..SearchRequest::new("borrow checker") })?;
//! for hit in &reply.hits {
//!     println!("{}: {}", hit.session.title, hit.snippet.text);
//! }
//! # Ok::<(), lookback::Error>(())
//! ```
//!
//! The crates below can be used by themselves: they are re-exported as [`session_model`], [`ranker`], [`index`],
//! [`scan`], [`waiting`] and [`tags`].

mod answer;
mod branches;
mod checkup;
mod error;
mod export;
mod inspect;
mod list;
mod locations;
mod open;
pub mod redact;
mod sessions;
mod status;
mod sync;
pub mod tables;
mod tagging;
pub mod tools;
mod transcript;
mod unread;

pub use lookback_index as index;
pub use lookback_ranker as ranker;
pub use lookback_scan as scan;
pub use lookback_session_model as session_model;
pub use lookback_tags as tags;
pub use lookback_unread as waiting;

pub use answer::{Answer, AnswerOptions, Engine, Failure, Scanned, Source, State};
pub use branches::{BranchRow, BranchTree};
pub use checkup::{Area, Check, CheckState, Checkup};
pub use error::Error;
pub use export::{Export, ExportFormat, ExportRequest};
pub use inspect::{Inspection, ListRow, Oddity, Opens, inspect};
pub use list::{ListReply, ListRequest, ListedSession};
pub use locations::{Locations, Surroundings};
pub use open::{Builder, Lookback};
pub use sessions::Located;
pub use status::Status;
pub use sync::SyncRequest;
pub use tagging::Tagged;
pub use transcript::{ReadRequest, Speaker, Transcript, TranscriptMessage};
pub use unread::{UnreadControl, UnreadRequest};

pub use lookback_index::{Progress, SyncReport, SyncState};
pub use lookback_ranker::{Hit, LiveContext, Policy, Scope, SearchReply, SearchRequest, Snippet, Warning};
pub use lookback_session_model::{
    BranchState, Diagnostic, EntryId, Role, SessionId, SessionSummary, Timestamp, harmless_line,
    harmless_lines,
};
pub use lookback_tags::Tag;

/// The examples of the documentation, so that they are compiled and run.
#[cfg(doctest)]
mod documentation {
    #[doc = include_str!("../../../README.md")]
    struct Readme;
    #[doc = include_str!("../../../docs/extending.md")]
    struct Extending;
}
