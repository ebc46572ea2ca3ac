use std::io;

use camino::Utf8PathBuf;
use lookback_session_model::{OpenError, SessionId};

/// What can go wrong. [`Error::code`] gives a stable name for programs; the text says what to do next where that is
/// not plain.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A session file cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A session file cannot be read to its end.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: Utf8PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file holds no record.
    #[error("{path} holds no session")]
    EmptySession {
        /// The file.
        path: Utf8PathBuf,
    },
    /// No session has this id.
    #[error("no session has the id {id}, and none begins with it; `lookback list` shows the ids")]
    SessionNotFound {
        /// What was asked for.
        id: String,
    },
    /// Several sessions begin with this id.
    #[error("{id} is the start of several session ids: {}{}; give more of it", .candidates.join(", "), and_more(.more))]
    AmbiguousSession {
        /// What was asked for.
        id: String,
        /// The first of the ids, as far as they must be typed to be told apart.
        candidates: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// A path leads out of the session folders.
    #[error("{path} is not in a session folder; add its folder with --sessions")]
    OutsideRoots {
        /// The path.
        path: Utf8PathBuf,
    },
    /// The session has no such entry.
    #[error("session {session} has no entry {entry}")]
    EntryNotFound {
        /// The session.
        session: SessionId,
        /// What was asked for.
        entry: String,
    },
    /// The entry is not on the branch that was asked for.
    #[error(
        "entry {entry} is not on the branch that ends at {branch_tip}; leave the branch tip out to follow the entry's own branch"
    )]
    NotOnBranch {
        /// The entry.
        entry: String,
        /// The end of the branch.
        branch_tip: String,
    },
    /// A request makes no sense.
    #[error("{what}")]
    Request {
        /// What is wrong with it.
        what: String,
    },
    /// The cache folder cannot be used.
    #[error("{message}")]
    IndexRefused {
        /// The code of the reason.
        code: &'static str,
        /// The reason.
        message: String,
    },
    /// The search through the files.
    #[error(transparent)]
    Scan(#[from] lookback_scan::ScanError),
    /// The index.
    #[error(transparent)]
    Index(#[from] lookback_index::IndexError),
    /// The look for unread sessions.
    #[error(transparent)]
    Unread(#[from] lookback_unread::Error),
    /// The tags.
    #[error(transparent)]
    Tags(#[from] lookback_tags::Error),
}

impl Error {
    /// A stable name for the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Open(error) => error.code(),
            Self::Read { .. } => "io",
            Self::EmptySession { .. } => "empty-session",
            Self::SessionNotFound { .. } => "session-not-found",
            Self::AmbiguousSession { .. } => "ambiguous-session",
            Self::OutsideRoots { .. } => "outside-roots",
            Self::EntryNotFound { .. } => "entry-not-found",
            Self::NotOnBranch { .. } => "not-on-branch",
            Self::Request { .. } => "bad-request",
            Self::IndexRefused { code, .. } => code,
            Self::Scan(error) => error.code(),
            Self::Index(error) => error.code(),
            Self::Unread(error) => error.code(),
            Self::Tags(error) => error.code(),
        }
    }
}

/// The end of a list that was cut; nothing where it was not.
pub(crate) fn and_more(more: &usize) -> String {
    match more {
        0 => String::new(),
        more => format!(", and {more} more"),
    }
}
