//! Puts right what can be put right without losing anything.

use camino::Utf8Path;
use lookback_tags::{Error, Notice};

use super::{Area, Check, CheckState, access::Wanted, index, sentence};
use crate::{Lookback, SyncRequest};

impl Lookback {
    /// Repairs what [`Lookback::checkup`] finds, as far as nothing can be lost by it: a damaged index is built again, a
    /// damaged file of tags or marks is set aside and its backup put in its place, and files of Lookback's own that
    /// are open to other users are closed. Session files are Pi's and are left alone.
    ///
    /// Answers what was done; what could not be done is among it as a problem.
    pub fn repair(&self, request: &SyncRequest<'_>) -> Vec<Check> {
        let mut done = Vec::new();
        self.repair_index(request, &mut done);
        let tags = self.tags.repair().map(|outcome| outcome.notices);
        store(Area::Tags, self.tags.path(), tags, &mut done);
        let marks = self.done.repair().map(|outcome| outcome.notices);
        store(Area::Done, self.done.path(), marks, &mut done);
        self.close_to_others(&mut done);
        done
    }

    fn repair_index(&self, request: &SyncRequest<'_>, done: &mut Vec<Check>) {
        let rebuilt = match index::is_damaged(self) {
            // Whatever cannot be used cannot be repaired either; the checkup says why.
            Ok(false) | Err(_) => return,
            Ok(true) => self.reindex(request),
        };
        done.push(match rebuilt {
            Ok(report) => {
                let message = format!("the index was built again from {} session files", report.files);
                Check::new(Area::Index, CheckState::Ok, "rebuilt", message)
            }
            Err(error) => Check::new(Area::Index, CheckState::Problem, error.code(), sentence(&error)),
        });
    }

    /// Takes the permissions of other users away from files that only Lookback writes.
    fn close_to_others(&self, done: &mut Vec<Check>) {
        let mut close = |area, path: &Utf8Path, wanted| {
            if let Some(check) = close(area, path, wanted) {
                done.push(check);
            }
        };
        if let Ok(index) = self.index() {
            close(Area::Index, index.folder(), Wanted::PrivateFolder);
            for entry in index.folder().read_dir_utf8().into_iter().flatten().flatten() {
                close(Area::Index, entry.path(), Wanted::PrivateFile);
            }
        }
        for path in self.tags.files() {
            close(Area::Tags, &path, Wanted::PrivateFile);
        }
        for path in self.done.files() {
            close(Area::Done, &path, Wanted::PrivateFile);
        }
    }
}

/// What the repair of a store came to.
fn store(area: Area, path: &Utf8Path, repaired: Result<Vec<Notice>, Error>, done: &mut Vec<Check>) {
    let check = |state, code, message: String| Check::new(area, state, code, message).at(path);
    match repaired {
        Ok(notices) => done.extend(notices.iter().map(|notice| {
            let (state, code) = match notice {
                Notice::UsedBackup { .. } | Notice::NoGoodCopy { .. } => (CheckState::Ok, "restored"),
                Notice::BackupNotWritten { .. } => (CheckState::Problem, notice.code()),
                _ => (CheckState::Notice, notice.code()),
            };
            check(state, code, notice.to_string())
        })),
        Err(error) => done.push(check(CheckState::Problem, error.code(), sentence(&error))),
    }
}

#[cfg(unix)]
fn close(area: Area, path: &Utf8Path, wanted: Wanted) -> Option<Check> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    let metadata = std::fs::symlink_metadata(path).ok()?;
    let is_ours = metadata.uid() == rustix::process::geteuid().as_raw();
    let is_wanted = match wanted {
        Wanted::PrivateFile => metadata.is_file(),
        Wanted::PrivateFolder | Wanted::Folder => metadata.is_dir(),
    };
    if !is_ours || !is_wanted || metadata.mode() & 0o077 == 0 {
        return None;
    }
    let closed = fs_err::set_permissions(path, std::fs::Permissions::from_mode(wanted.mode()));
    Some(match closed {
        Ok(()) => Check::new(area, CheckState::Ok, "closed", "is closed to other users now").at(path),
        Err(error) => Check::new(area, CheckState::Problem, "not-closed", error.to_string()).at(path),
    })
}

#[cfg(not(unix))]
fn close(_area: Area, _path: &Utf8Path, _wanted: Wanted) -> Option<Check> {
    None
}
