//! Finds Pi sessions that end in an unanswered user message, within fixed bounds and without any index.
//!
//! A [`ScanRequest`] says where to look, [`Scan::run`] looks, and [`Scan::page`] hands out what was found in pieces
//! that fit a model. A [`Control`] lets the caller cancel a scan, or void it when the session it was made for is left.
//!
//! ```
//! use lookback_unread::{Control, PageRequest, Scan, ScanRequest};
//!
//! # let folder = tempfile::tempdir()?;
//! # let sessions = camino::Utf8Path::from_path(folder.path()).ok_or("path is not UTF-8")?;
//! # fs_err::write(sessions.join("s1.jsonl"), concat!(
//! #     r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/dev/app"}"#, "\n",
//! #     r#"{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"Why is CI red?"}}"#, "\n",
//! # ))?;
//! let request = ScanRequest::workspace(sessions, "/home/dev/app")?.active_id("s2");
//! let scan = Scan::run(&request, &Control::new())?;
//! assert_eq!(scan.items[0].message, "Why is CI red?");
//!
//! let page = scan.page(&PageRequest::new("ci is", 0, 20)?);
//! assert_eq!((page.total, page.next_offset), (0, None));
//! assert!(page.to_json().starts_with(r#"{"total":0,"items":[],"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What "unread" means
//!
//! The last message in the file is from the user and has text. It is no read receipt. Answers that failed, results of
//! tools and messages that are only pictures do not count; [`State`] has names for such endings, and a request can ask
//! for them with [`ScanRequest::states`]. `docs/unread.md` explains each state, every bound, and the JSON of a page.
//!
//! # What holds
//!
//! - Memory and time are bounded by [`limits`], whatever lies in the folder. Links are not followed, FIFOs and devices
//!   are not waited for.
//! - A file that cannot be used is counted in [`Skipped`] and hides no other.
//! - The same folder gives the same list: files are ordered by the time of their last change, then by path.

mod bounded;
mod control;
mod discover;
mod ending;
mod error;
mod item;
pub mod limits;
mod page;
mod parts;
mod paths;
mod request;
mod scan;
mod session;
mod state;
mod text;

pub use control::{Control, Phase, ReadEvent};
pub use error::Error;
pub use item::{Detail, Inventory, Item, Skipped, UserMessage};
pub use limits::Limits;
pub use page::{Page, PageInventory, PageRequest};
pub use request::{DoneMarks, ScanRequest, Scope};
pub use scan::Scan;
pub use state::{State, States};
