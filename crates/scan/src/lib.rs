//! Search over Pi sessions without an index: straight from the files, with nothing written anywhere.
//!
//! [`Scanner`] is the one type to hold. [`Scanner::search`] takes the same requests as an index and gives the same
//! replies; beside each hit stands a [`Marker`], and [`Scanner::window`] reads on from there.
//!
//! ```
//! use lookback_ranker::{Annotations, Policy, SearchRequest};
//! use lookback_scan::{ScanOptions, Scanner, WindowRequest};
//!
//! # let folder = tempfile::tempdir()?;
//! # let root = camino::Utf8Path::from_path(folder.path()).ok_or("path is not UTF-8")?.to_owned();
//! # fs_err::create_dir(root.join("--home-dev--"))?;
//! # fs_err::write(root.join("--home-dev--/s1.jsonl"), concat!(
//! #     r#"{"type":"session","version":3,"id":"s1","timestamp":"2026-03-02T09:00:00.000Z","cwd":"/home/dev"}"#, "\n",
//! #     r#"{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-02T09:00:05.000Z","message":{"role":"user","content":"Which k3s ingress do we use?"}}"#, "\n",
//! # ))?;
//! let scanner = Scanner::new([root.clone()]);
//! let request = SearchRequest { policy: Policy::memory(), ..SearchRequest::new("k3s ingress") };
//! let found = scanner.search(&request, &Annotations::default(), &ScanOptions::default());
//! assert!(found.outcome.is_complete());
//! let marker = &found.markers[0];
//! assert_eq!(marker.to_string(), format!("{root}/--home-dev--/s1.jsonl:2 | user: Which k3s ingress do we use?"));
//!
//! let window = scanner.window(&WindowRequest::new(&*marker.path, marker.line), &ScanOptions::default())?;
//! assert!(window.to_string().contains("[09:00] user: Which k3s ingress do we use?"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it searches
//!
//! The query is rehearsed against a store that has nothing, which tells every term the answer can depend on. Where the
//! policy needs nothing of texts that do not match, as `memory` does, files are searched for these terms byte by byte,
//! and only of files with a match it is read what is said in them. Other policies weigh words by their rarity or look at whole
//! sessions, and every file is read. Either way ranking is the ranker's, on the same corpus that an index would have;
//! `docs/scan.md` tells the exceptions, and what everything costs.
//!
//! # What holds
//!
//! - An answer that does not know everything says so: see [`Outcome`].
//! - Memory does not grow with the size of files, only with the number of matches.
//! - Links to files, FIFOs and devices are not read; paths that callers name stay inside of the session folders.

mod confine;
mod digest;
mod error;
mod evidence;
mod hits;
mod interest;
mod library;
mod marker;
mod mute;
mod options;
mod outcome;
mod overview;
mod plain;
mod postings;
mod prefilter;
mod sample;
mod scanner;
mod sift;
mod survey;
mod window;
mod words;

pub use error::ScanError;
pub use marker::Marker;
pub use options::{Progress, ScanOptions, Statistics};
pub use outcome::{DamagedFile, Ended, FailedFile, Outcome, ScanReply};
pub use scanner::Scanner;
pub use window::{Window, WindowItem, WindowRequest};
