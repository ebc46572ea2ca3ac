//! The index: whether it can be used, and whether every byte of it is as it was written.

use lookback_index::IndexState;

use super::{
    Area, Check, CheckState,
    access::{self, Wanted},
    locks, sentence,
};
use crate::{Error, Lookback};

pub(super) const REBUILD: &str =
    "`lookback doctor --repair` builds it again; nothing is lost with it, tags are kept elsewhere";

pub(super) fn check(lookback: &Lookback, checks: &mut Vec<Check>) {
    let failed = |error: &dyn std::error::Error, code| {
        Check::new(Area::Index, CheckState::Problem, code, sentence(error))
    };
    let index = match lookback.index() {
        Ok(index) => index,
        Err(error) => {
            let check = failed(&error, error.code());
            checks.push(
                check.advise("searches go through the session files until the cache folder can be used"),
            );
            return;
        }
    };
    let folder = index.folder();
    access::check(Area::Index, folder, Wanted::PrivateFolder, checks);
    for entry in folder.read_dir_utf8().into_iter().flatten().flatten() {
        access::check(Area::Index, entry.path(), Wanted::PrivateFile, checks);
        if entry.file_name().ends_with(".lock") {
            locks::check(Area::Index, entry.path(), checks);
        }
    }
    let (status, verification) = match index.status().and_then(|status| Ok((status, index.verify()?))) {
        Ok(looked) => looked,
        Err(error) => {
            checks.push(failed(&error, error.code()).at(folder));
            return;
        }
    };
    let check = |state, code, message: String| Check::new(Area::Index, state, code, message).at(folder);
    for damage in &verification.damage {
        checks.push(check(CheckState::Problem, "damaged", format!("is damaged: {damage}")).advise(REBUILD));
    }
    match status.state {
        IndexState::Missing => {
            let message = "does not exist yet; the first search makes it".to_owned();
            checks.push(check(CheckState::Notice, "missing", message));
        }
        IndexState::Outdated => {
            let message = "an older version wrote it; the next search builds it again".to_owned();
            checks.push(check(CheckState::Notice, "outdated", message));
        }
        IndexState::Partial => {
            let message = "its first build was interrupted; the next search goes on".to_owned();
            checks.push(check(CheckState::Notice, "partial", message));
        }
        // Damage has been told above.
        IndexState::Damaged => {}
        IndexState::Ready => {}
    }
    if verification.is_sound() && verification.files > 0 {
        let message = format!(
            "all {} bytes in {} files are as they were written; {} sessions, {} turns, format {}",
            verification.bytes, verification.files, status.sessions, status.turns, status.format
        );
        checks.push(check(CheckState::Ok, "sound", message));
    }
}

/// True when the index is ours and damaged.
pub(super) fn is_damaged(lookback: &Lookback) -> Result<bool, Error> {
    Ok(!lookback.index()?.verify()?.is_sound())
}
