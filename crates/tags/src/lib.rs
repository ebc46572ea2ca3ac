//! Durable store of what a user says about sessions: tags, and marks that a session needs no answer.
//!
//! [`TagStore`] and [`DoneStore`] each keep one small JSON file in a data folder. A store hands out snapshots
//! ([`TagSnapshot`], [`DoneSnapshot`]) that answer every question without touching the disk again, and makes changes
//! that are on disk when the call returns. Both can be used by many threads and processes at once.
//!
//! ```
//! use lookback_tags::{TagStore, parse_tags};
//!
//! # let folder = tempfile::tempdir()?;
//! # let data_dir = camino::Utf8Path::from_path(folder.path()).ok_or("path is not UTF-8")?;
//! let store = TagStore::open(data_dir);
//! let now_ms = 1_760_000_000_000;
//!
//! store.add("session-1", &parse_tags("#Codebase #rust").tags, now_ms)?;
//! store.set_generated("session-1", &parse_tags("rust search temporary").tags, now_ms)?;
//! let outcome = store.remove("session-1", &parse_tags("temporary").tags, now_ms)?;
//!
//! let tags = outcome.snapshot.get("session-1").ok_or("the session has tags")?;
//! assert_eq!(tags.effective().map(|tag| tag.as_str()).collect::<Vec<_>>(), ["codebase", "rust", "search"]);
//!
//! // What was removed by hand is not generated again.
//! let again = store.set_generated("session-1", &parse_tags("search temporary").tags, now_ms)?;
//! assert!(!again.changed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What holds
//!
//! - A change that was acknowledged survives the end of the process and, as far as the hardware is honest, a power
//!   failure. One that fails leaves the stored state as it was ([`Error::NotDurable`] says when it does not).
//! - Readers take no lock and see the state before or after a change, never a part of it.
//! - Changes of several processes are made one after the other, each on top of what it finds.
//! - Nothing in a file is lost because this crate does not know it, and no file is overwritten because it is damaged,
//!   too new or of another kind.
//!
//! The files, their locks and their backups are described in `docs/storage.md`. Keys are session ids, so tags stay
//! with a session when its file is moved or rewritten.

mod disk;
mod done;
mod error;
mod format;
mod notice;
mod session_tags;
mod store;
mod tag;
mod tag_snapshot;
mod tag_store;

#[cfg(feature = "fail-points")]
#[doc(hidden)]
pub use disk::fail_points;

pub use done::{DoneMark, DoneOutcome, DoneSnapshot, DoneStore};
pub use error::{Error, FileKind};
pub use notice::{Damage, Notice};
pub use session_tags::{SessionTags, TagEdit};
pub use store::{DEFAULT_LOCK_WAIT, DEFAULT_MAX_BYTES, MAX_SESSION_ID_BYTES};
pub use tag::{MAX_TAG_UNITS, ParsedTags, Tag, parse_tags};
pub use tag_snapshot::{TagCount, TagSnapshot};
pub use tag_store::{TagOutcome, TagStore};
