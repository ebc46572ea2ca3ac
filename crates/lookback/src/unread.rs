use std::sync::atomic::AtomicBool;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{Role, SessionFile, Timestamp};
use lookback_unread::{Control, Page, PageRequest, Phase, Scan, ScanRequest, State, UserMessage};
use serde::{Deserialize, Serialize};

use crate::{Error, Located, Lookback};

/// Which waiting sessions to list. The defaults give the plain list of one workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct UnreadRequest {
    /// The workspace: the folder that the sessions belong to. Default: all workspaces.
    pub cwd: Option<Utf8PathBuf>,
    /// The folder with the workspace's session files. Default: Pi's own place for it under the session folders.
    pub folder: Option<Utf8PathBuf>,
    /// How the sessions end. Empty stands for unanswered messages only.
    pub states: Vec<State>,
    /// Looked for in name, message and workspace, whatever its case. At most 120 characters.
    pub query: String,
    /// Sessions before the page, 0 to 500.
    pub offset: usize,
    /// Sessions on the page, 1 to 100.
    pub limit: usize,
    /// How many files are read, the newest ones: 1 to 500.
    pub max_sessions: usize,
    /// The session that is open: left out.
    pub active_id: Option<String>,
    /// Its file: left out before it is read.
    pub active_path: Option<Utf8PathBuf>,
    /// Also list sessions that were marked as done.
    pub include_done: bool,
    /// Add to every session how it ends, and to the page what was skipped.
    pub details: bool,
}

impl Default for UnreadRequest {
    fn default() -> Self {
        Self {
            cwd: None,
            folder: None,
            states: Vec::new(),
            query: String::new(),
            offset: 0,
            limit: lookback_unread::limits::MAX_PAGE_ITEMS,
            max_sessions: lookback_unread::limits::DEFAULT_SESSIONS,
            active_id: None,
            active_path: None,
            include_done: false,
            details: false,
        }
    }
}

/// How a scan talks with its caller.
#[derive(Clone, Copy, Default)]
pub struct UnreadControl<'a> {
    /// Set it to end the scan at the next chunk. Default: never set.
    pub cancel: Option<&'a AtomicBool>,
    /// Asked before the look into the folder, after the reading, and before the answer, whether the session that the
    /// scan is for is still the same. Default: it is.
    pub still_valid: Option<&'a dyn Fn(Phase) -> bool>,
}

impl std::fmt::Debug for UnreadControl<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("UnreadControl").finish_non_exhaustive()
    }
}

impl Lookback {
    /// Lists sessions that wait for an answer. Needs no index; every call looks anew, within fixed bounds.
    ///
    /// # Errors
    /// [`Error::Unread`] for values out of bounds, a cancelled scan, and a folder that cannot be listed.
    pub fn unread(&self, request: &UnreadRequest, control: UnreadControl<'_>) -> Result<Page, Error> {
        let page = PageRequest::new(&request.query, request.offset, request.limit)?;
        Ok(self.scan_unread(request, control)?.page(&page))
    }

    /// The same without paging, for hosts that keep what was found.
    ///
    /// # Errors
    /// As [`Lookback::unread`].
    pub fn scan_unread(&self, request: &UnreadRequest, control: UnreadControl<'_>) -> Result<Scan, Error> {
        let marks = if request.include_done {
            None
        } else {
            Some(self.done.snapshot()?)
        };
        let is_done = |session: &str, message: &UserMessage| {
            let time = message.timestamp.map(Timestamp::as_millis);
            marks
                .as_ref()
                .is_some_and(|marks| marks.is_done(session, &message.entry_id, time))
        };
        let mut scan = match &request.cwd {
            Some(cwd) => {
                let folder = request
                    .folder
                    .clone()
                    .unwrap_or_else(|| self.workspace_folder(cwd));
                ScanRequest::workspace(folder, cwd.clone())?
            }
            None => ScanRequest::all(
                request
                    .folder
                    .as_ref()
                    .map_or(self.roots.as_slice(), std::slice::from_ref),
            ),
        };
        if let Some(id) = &request.active_id {
            scan = scan.active_id(id);
        }
        if let Some(path) = &request.active_path {
            scan = scan.active_path(path);
        }
        if !request.states.is_empty() {
            scan = scan.states(request.states.iter().copied().collect());
        }
        scan = scan
            .max_sessions(request.max_sessions)?
            .details(request.details)
            .done(&is_done);
        let valid = |phase| control.still_valid.is_none_or(|still_valid| still_valid(phase));
        let never = AtomicBool::new(false);
        let control = Control::new()
            .cancel(control.cancel.unwrap_or(&never))
            .still_valid(&valid);
        Ok(Scan::run(&scan, &control)?)
    }

    /// Takes a session out of the list until its user writes again.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`]; [`Error::Request`] when the session has no message of the user.
    pub fn mark_done(&self, session: &str, now: Timestamp) -> Result<Located, Error> {
        let found = self.locate(session)?;
        let file = SessionFile::read(&found.path, 0)?;
        let outline = file.sessions().iter().find(|session| session.id() == &found.id);
        let last = outline.and_then(|outline| {
            outline
                .nodes()
                .iter()
                .rev()
                .find(|node| node.role == Some(Role::User))
        });
        let Some((id, time)) = last.and_then(|node| Some((node.id.as_ref()?, node.time))) else {
            return Err(Error::Request {
                what: format!(
                    "session {} has no message that could wait for an answer",
                    found.id
                ),
            });
        };
        self.done.mark(
            found.id.as_str(),
            id.as_str(),
            time.map(Timestamp::as_millis),
            now.as_millis(),
        )?;
        Ok(found)
    }

    /// Puts a session back into the list.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`]; when the file of the marks cannot be written.
    pub fn unmark_done(&self, session: &str) -> Result<Located, Error> {
        let found = self.locate(session)?;
        self.done.unmark(found.id.as_str())?;
        Ok(found)
    }

    /// Where the session files of a workspace lie: Pi's folder for it in the first session folder that has one; a
    /// session folder without such folders is flat and holds the files itself.
    fn workspace_folder(&self, cwd: &Utf8Path) -> Utf8PathBuf {
        let name = crate::locations::workspace_folder_name(cwd);
        let own = self
            .roots
            .iter()
            .map(|root| root.join(&name))
            .find(|folder| folder.is_dir());
        own.or_else(|| self.roots.first().cloned()).unwrap_or_default()
    }
}
