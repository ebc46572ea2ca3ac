//! What a scan looks for.

use camino::{Utf8Path, Utf8PathBuf};

use crate::{Error, States, UserMessage, limits, paths};

/// Which session files a scan looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// The files of one folder, as far as their header names one workspace.
    Workspace {
        /// The folder with the session files.
        folder: Utf8PathBuf,
        /// The workspace: the folder that the agent works in.
        cwd: Utf8PathBuf,
    },
    /// The files of all project folders under some roots, and those in the roots themselves.
    All {
        /// The folders that hold the project folders.
        roots: Vec<Utf8PathBuf>,
    },
}

/// Sessions that a person took out of the list without answering.
///
/// Where the marks are kept is not the business of this crate. Any closure of the same shape will do:
///
/// ```
/// use lookback_unread::{DoneMarks, UserMessage};
///
/// let marks = |session: &str, message: &UserMessage| session == "s1" && message.entry_id == "a3";
/// let asked = |entry_id: &str| UserMessage { entry_id: entry_id.to_owned(), ..UserMessage::default() };
/// assert!(marks.is_done("s1", &asked("a3")));
/// assert!(!marks.is_done("s1", &asked("a7")), "a newer message ends the mark");
/// ```
pub trait DoneMarks: Sync {
    /// Whether the session is marked, and the mark was set at this message, the session's last one from the user.
    fn is_done(&self, session_id: &str, message: &UserMessage) -> bool;
}

impl<F: Fn(&str, &UserMessage) -> bool + Sync> DoneMarks for F {
    fn is_done(&self, session_id: &str, message: &UserMessage) -> bool {
        self(session_id, message)
    }
}

/// What a scan looks for. The default is the plain list: only unanswered messages, the newest hundred candidates.
#[derive(Clone)]
pub struct ScanRequest<'a> {
    pub(crate) scope: Scope,
    pub(crate) active_id: Option<String>,
    pub(crate) active_path: Option<Utf8PathBuf>,
    pub(crate) max_sessions: usize,
    pub(crate) states: States,
    pub(crate) details: bool,
    pub(crate) done: Option<&'a dyn DoneMarks>,
}

impl<'a> ScanRequest<'a> {
    /// Looks at the session files in `folder` that belong to the workspace `cwd`.
    ///
    /// # Errors
    /// [`Error::RelativeWorkspace`] when `cwd` is not absolute.
    pub fn workspace(folder: impl Into<Utf8PathBuf>, cwd: impl Into<Utf8PathBuf>) -> Result<Self, Error> {
        let (folder, cwd) = (folder.into(), cwd.into());
        if !cwd.is_absolute() {
            return Err(Error::RelativeWorkspace { path: cwd });
        }
        Ok(Self::new(Scope::Workspace { folder, cwd }))
    }

    /// Looks at the sessions of all workspaces under `roots`. Costs a listing of every project folder.
    pub fn all(roots: impl IntoIterator<Item = impl Into<Utf8PathBuf>>) -> Self {
        Self::new(Scope::All {
            roots: roots.into_iter().map(Into::into).collect(),
        })
    }

    fn new(scope: Scope) -> Self {
        Self {
            scope,
            active_id: None,
            active_path: None,
            max_sessions: limits::DEFAULT_SESSIONS,
            states: States::UNREAD,
            details: false,
            done: None,
        }
    }

    /// Leaves out the session with this id: the one that is open. Default: none.
    #[must_use]
    pub fn active_id(mut self, id: impl Into<String>) -> Self {
        self.active_id = Some(id.into());
        self
    }

    /// Leaves out the session file at this path, before it is read. Default: none.
    #[must_use]
    pub fn active_path(mut self, path: impl AsRef<Utf8Path>) -> Self {
        self.active_path = Some(paths::normal(path.as_ref()));
        self
    }

    /// How many candidates are read, the newest ones: 1 to [`MAX_SESSIONS`](limits::MAX_SESSIONS), at up to
    /// [`MAX_FILE_BYTES`](limits::MAX_FILE_BYTES) each. Default: [`DEFAULT_SESSIONS`](limits::DEFAULT_SESSIONS).
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn max_sessions(mut self, sessions: usize) -> Result<Self, Error> {
        self.max_sessions = in_range("maxSessions", sessions, 1, limits::MAX_SESSIONS)?;
        Ok(self)
    }

    /// Which sessions are listed, by how they end. Default: [`States::UNREAD`].
    #[must_use]
    pub fn states(mut self, states: States) -> Self {
        self.states = states;
        self
    }

    /// Adds to every item how the session ends and what a done-mark needs, and to every page what was skipped.
    /// Default: no, and the JSON has the fields of the plain list and no others.
    #[must_use]
    pub fn details(mut self, details: bool) -> Self {
        self.details = details;
        self
    }

    /// Hides sessions that are marked as done. Default: none is.
    #[must_use]
    pub fn done(mut self, marks: &'a dyn DoneMarks) -> Self {
        self.done = Some(marks);
        self
    }
}

impl std::fmt::Debug for ScanRequest<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScanRequest")
            .field("scope", &self.scope)
            .field("active_id", &self.active_id)
            .field("active_path", &self.active_path)
            .field("max_sessions", &self.max_sessions)
            .field("states", &self.states)
            .field("details", &self.details)
            .field("done", &self.done.is_some())
            .finish()
    }
}

pub(crate) fn in_range(what: &'static str, value: usize, min: usize, max: usize) -> Result<usize, Error> {
    if (min..=max).contains(&value) {
        Ok(value)
    } else {
        Err(Error::OutOfRange {
            what,
            value,
            min,
            max,
        })
    }
}
