//! The one error type of the crate.

use camino::Utf8PathBuf;
use lookback_session_model::OpenError;

/// Why there is no answer. Files that cannot be used are no error of a search: they are in its
/// [`Outcome`](crate::Outcome).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScanError {
    /// The path does not lead to a file inside of a session folder, links resolved.
    #[error("{path} is not inside of a session folder")]
    OutsideRoots {
        /// The path that was asked for.
        path: Utf8PathBuf,
    },
    /// The file's name does not end in `.jsonl`.
    #[error("{path} is not a session file")]
    NotASession {
        /// The path that was asked for.
        path: Utf8PathBuf,
    },
    /// Lines are counted from 1.
    #[error("offset is a line number, from 1")]
    NoLine,
    /// The file ends before the line.
    #[error("{path} has {lines} lines; there is no line {line}")]
    BehindTheEnd {
        /// The session file.
        path: Utf8PathBuf,
        /// The line that was asked for.
        line: u64,
        /// How many lines there are.
        lines: u64,
    },
    /// The session file cannot be opened or read.
    #[error(transparent)]
    Session(#[from] OpenError),
    /// The caller's flag was set.
    #[error("reading {path} was cancelled")]
    Cancelled {
        /// The session file.
        path: Utf8PathBuf,
    },
    /// The deadline passed.
    #[error("reading {path} took too long")]
    TimedOut {
        /// The session file.
        path: Utf8PathBuf,
    },
}

impl ScanError {
    /// A stable name for the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::OutsideRoots { .. } => "outside-roots",
            Self::NotASession { .. } => "not-a-session",
            Self::NoLine => "no-line",
            Self::BehindTheEnd { .. } => "behind-the-end",
            Self::Session(error) => error.code(),
            Self::Cancelled { .. } => "cancelled",
            Self::TimedOut { .. } => "timed-out",
        }
    }
}
