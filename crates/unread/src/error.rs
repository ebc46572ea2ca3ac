//! The one error type of the crate.

use std::io;

use camino::Utf8PathBuf;

use crate::{Phase, limits};

/// Why there is no answer. Files that cannot be used are no error: they are counted in [`Skipped`](crate::Skipped).
///
/// [`Error::code`] is stable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The cancel flag was set.
    #[error("the scan was cancelled")]
    Cancelled,

    /// The caller's session is no longer the one that the scan was for.
    #[error("session changed during scanning; run the scan again")]
    Superseded {
        /// Where it was noticed.
        phase: Phase,
    },

    /// A number outside of its bounds.
    #[error("{what} must be an integer from {min} to {max}")]
    OutOfRange {
        /// Which number: `offset`, `limit` or `maxSessions`.
        what: &'static str,
        /// What was given.
        value: usize,
        /// The smallest that is allowed.
        min: usize,
        /// The largest that is allowed.
        max: usize,
    },

    /// The query is longer than [`QUERY_UNITS`](limits::QUERY_UNITS).
    #[error("query must contain 0-{} characters", limits::QUERY_UNITS)]
    QueryTooLong {
        /// Its length in UTF-16 units, without white space at its ends.
        units: usize,
    },

    /// The query has a NUL character, which no session can be found by.
    #[error("query must not contain NUL characters")]
    QueryHasNul,

    /// Sessions name their workspace by an absolute path, so a relative one could match none.
    #[error("the workspace {path} is not an absolute path")]
    RelativeWorkspace {
        /// What was given.
        path: Utf8PathBuf,
    },

    /// The session folder is there and cannot be listed. A folder that does not exist has no sessions and is no error.
    #[error("cannot list {path}")]
    Folder {
        /// The folder.
        path: Utf8PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

impl Error {
    /// A short name for the kind of error, fit for programs. It never changes for a kind.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Cancelled => "unread-cancelled",
            Self::Superseded { .. } => "unread-superseded",
            Self::OutOfRange { .. } => "unread-out-of-range",
            Self::QueryTooLong { .. } => "unread-query-too-long",
            Self::QueryHasNul => "unread-query-has-nul",
            Self::RelativeWorkspace { .. } => "unread-relative-workspace",
            Self::Folder { .. } => "unread-folder",
        }
    }
}
