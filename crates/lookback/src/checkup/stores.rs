//! Tags and done-marks: what people said, which cannot be made again.

use std::collections::HashSet;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::SessionId;
use lookback_tags::{Error, Notice};

use super::{
    Area, Check, CheckState,
    access::{self, Wanted},
    locks, sentence,
};
use crate::Lookback;

pub(super) fn check(lookback: &Lookback, known: &HashSet<SessionId>, checks: &mut Vec<Check>) {
    let is_known = |id: &str| known.contains(&SessionId::new(id));
    if let Some(folder) = lookback.tags.path().parent() {
        access::check(Area::Tags, folder, Wanted::Folder, checks);
    }

    let snapshot = lookback.tags.snapshot();
    files(Area::Tags, &lookback.tags.files(), checks);
    let looked = snapshot.map(|snapshot| {
        let (mut here, mut gone) = (0, 0);
        for (id, _) in snapshot.tagged() {
            *(if is_known(id) { &mut here } else { &mut gone }) += 1;
        }
        (here, gone, snapshot.notices().to_vec())
    });
    store(Area::Tags, lookback.tags.path(), looked, "have tags", checks);

    let snapshot = lookback.done.snapshot();
    files(Area::Done, &lookback.done.files(), checks);
    let looked = snapshot.map(|snapshot| {
        let (mut here, mut gone) = (0, 0);
        for (id, _) in snapshot.marks() {
            *(if is_known(id) { &mut here } else { &mut gone }) += 1;
        }
        (here, gone, snapshot.notices().to_vec())
    });
    store(
        Area::Done,
        lookback.done.path(),
        looked,
        "are marked as done",
        checks,
    );
}

fn store(
    area: Area,
    path: &Utf8Path,
    looked: Result<(usize, usize, Vec<Notice>), Error>,
    what: &str,
    checks: &mut Vec<Check>,
) {
    let check = |state, code, message: String| Check::new(area, state, code, message).at(path);
    let (here, gone, notices) = match looked {
        Ok(looked) => looked,
        Err(error) => {
            checks.push(check(CheckState::Problem, error.code(), sentence(&error)));
            return;
        }
    };
    for notice in &notices {
        let repair =
            "`lookback doctor --repair` keeps the damaged file aside and puts a good one in its place";
        checks.push(check(CheckState::Problem, notice.code(), notice.to_string()).advise(repair));
    }
    if notices.is_empty() {
        checks.push(check(
            CheckState::Ok,
            "readable",
            format!("{here} sessions {what}"),
        ));
    }
    if gone > 0 {
        let message =
            format!("{gone} more sessions {what}, but their files are in none of these folders; all is kept");
        checks.push(check(CheckState::Notice, "without-session", message));
    }
}

/// The files of a store: who may read them, who holds its locks, and what was set aside.
fn files(area: Area, files: &[Utf8PathBuf], checks: &mut Vec<Check>) {
    for path in files {
        access::check(area, path, Wanted::PrivateFile, checks);
        locks::check(area, path, checks);
    }
    let Some((folder, name)) = files
        .first()
        .and_then(|file| Some((file.parent()?, file.file_name()?)))
    else {
        return;
    };
    let prefix = format!("{name}.damaged-");
    let mut aside: Vec<Utf8PathBuf> = folder
        .read_dir_utf8()
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().starts_with(&prefix))
        .map(|entry| entry.into_path())
        .collect();
    aside.sort();
    for path in aside {
        access::check(area, &path, Wanted::PrivateFile, checks);
        let message = "is a damaged file that was set aside";
        let check = Check::new(area, CheckState::Notice, "set-aside", message).at(path);
        checks.push(check.advise("delete it when nothing in it is missed"));
    }
}
