//! Pi's session files: which are there, which are damaged, which Pi would refuse.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicU64, Ordering},
};

use lookback_index::Progress;
use lookback_session_model::{Discovery, FoundFile, PiView, SessionFile, SessionId, SkipReason};
use rayon::prelude::*;

use super::{Area, Check, CheckState, sentence};
use crate::Lookback;

/// So many files with problems are named; the rest is counted.
const NAMED: usize = 100;

/// Looks at the session folders; answers the ids of all sessions in them.
pub(super) fn check(
    lookback: &Lookback,
    progress: &(dyn Fn(Progress) + Sync),
    checks: &mut Vec<Check>,
) -> HashSet<SessionId> {
    let found = Discovery::look(&lookback.roots, |folder| lookback.is_excluded(folder));
    for root in &lookback.roots {
        checks.push(if found.missing_roots.contains(root) {
            notice("folder-missing", "does not exist; Pi makes it when it is used").at(root)
        } else {
            let files = found.files.iter().filter(|file| file.path.starts_with(root));
            let (count, bytes) = files.fold((0, 0), |(count, bytes), file| {
                (count + 1, bytes + file.stamp.size)
            });
            let message = format!(
                "{count} session file{} with {bytes} bytes",
                if count == 1 { "" } else { "s" }
            );
            Check::new(Area::Sessions, CheckState::Ok, "folder", message).at(root)
        });
    }
    passed_over(&found, checks);
    let looks = look_at_all(&found.files, progress);
    let sound = looks.iter().filter(|look| look.oddities.is_empty()).count();
    let message = format!("{sound} of {} files are whole, and Pi opens them", looks.len());
    checks.push(Check::new(Area::Sessions, CheckState::Ok, "files-read", message));
    let mut known = HashSet::new();
    let mut oddities = Vec::new();
    for look in looks {
        known.extend(look.ids);
        oddities.extend(look.oddities);
    }
    // What is wrong goes before what is worth knowing, should there be more than can be named.
    oddities.sort_by_key(|oddity| std::cmp::Reverse(oddity.state));
    let unnamed = oddities.split_off(oddities.len().min(NAMED));
    checks.extend(oddities);
    if let Some(worst) = unnamed.iter().map(|oddity| oddity.state).max() {
        let message = format!(
            "{} more findings in session files are not named here",
            unnamed.len()
        );
        checks.push(Check::new(Area::Sessions, worst, "more-files", message));
    }
    known
}

fn notice(code: &'static str, message: impl Into<String>) -> Check {
    Check::new(Area::Sessions, CheckState::Notice, code, message)
}

fn problem(code: &'static str, message: impl Into<String>) -> Check {
    Check::new(Area::Sessions, CheckState::Problem, code, message)
}

fn passed_over(found: &Discovery, checks: &mut Vec<Check>) {
    for skipped in &found.skipped {
        let check = match skipped.reason {
            // The user asked for it.
            SkipReason::Excluded => continue,
            SkipReason::Unreadable => {
                problem("unreadable", "cannot be read").advise("look at its permissions")
            }
            SkipReason::Link => notice("passed-over", "is a symbolic link to a file and is not followed"),
            SkipReason::Name => notice("passed-over", "has a name that is not text"),
            SkipReason::TooDeep => notice("passed-over", "lies too deep"),
            SkipReason::NotAFile => notice("passed-over", "is neither a file nor a folder"),
            _ => notice("passed-over", "is passed over"),
        };
        checks.push(check.at(&skipped.path));
    }
    let unnamed = found.skipped_count.saturating_sub(found.skipped.len() as u64);
    if unnamed > 0 {
        checks.push(notice("passed-over", format!("{unnamed} more are passed over")));
    }
    if !found.complete {
        let message = "a session folder could not be read to its end; sessions may be missing";
        checks.push(problem("folders-incomplete", message));
    }
}

/// What became of one file.
#[derive(Default)]
struct Look {
    ids: Vec<SessionId>,
    oddities: Vec<Check>,
}

fn look_at_all(files: &[FoundFile], progress: &(dyn Fn(Progress) + Sync)) -> Vec<Look> {
    let bytes_total = files.iter().map(|file| file.stamp.size).sum();
    let (files_done, bytes_done) = (AtomicU64::new(0), AtomicU64::new(0));
    let look_at = |file: &FoundFile| {
        let look = look_at(file);
        let bytes_done = bytes_done.fetch_add(file.stamp.size, Ordering::Relaxed) + file.stamp.size;
        let files_done = files_done.fetch_add(1, Ordering::Relaxed) + 1;
        progress(Progress {
            files_done,
            files_total: files.len() as u64,
            bytes_done,
            bytes_total,
        });
        look
    };
    files.par_iter().map(look_at).collect()
}

fn look_at(found: &FoundFile) -> Look {
    let mut look = Look::default();
    let file = match SessionFile::read(&found.path, 0) {
        Ok(file) => file,
        Err(error) => {
            look.oddities
                .push(problem("unreadable", sentence(&error)).at(&found.path));
            return look;
        }
    };
    look.ids
        .extend(file.sessions().iter().map(|session| session.id().clone()));
    let view = PiView::new(&file);
    let mut oddity = |check: Check| look.oddities.push(check.at(&found.path));
    if let Some(reason) = view.refusal() {
        oddity(problem("pi-refuses", format!("Pi does not open it: {reason}")));
    } else if view.list_row().is_none() {
        oddity(notice(
            "pi-does-not-list",
            "Pi opens it, but leaves it out of its list",
        ));
    }
    let damaged = file.diagnostics().damaged_lines();
    let first = file
        .diagnostics()
        .iter()
        .find(|diagnostic| diagnostic.kind.is_damage());
    if damaged > 0 {
        let first = first.map_or_else(String::new, |first| format!(", the first: {first}"));
        let lines = if damaged == 1 { "line is" } else { "lines are" };
        let check = problem("damaged-lines", format!("{damaged} {lines} damaged{first}"));
        oddity(
            check.advise("`lookback inspect FILE` names them; everything else in the file is found and read"),
        );
    }
    look
}
