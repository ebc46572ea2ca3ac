//! A scan: list, read, judge.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use camino::{Utf8Path, Utf8PathBuf};

use crate::{
    Control, Detail, Error, Inventory, Item, Phase, ScanRequest, Scope, Skipped,
    bounded::{self, Refused},
    control::Signals,
    discover::{Candidate, discover},
    limits, paths,
    session::{Session, Unfit},
};

/// Everything that a scan found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Scan {
    /// The sessions that wait, the one written last first; those of the same time by path.
    pub items: Vec<Item>,
    /// How much was looked at.
    pub inventory: Inventory,
    /// What was not used, and why.
    pub skipped: Skipped,
    /// Whether the request asked for details.
    pub(crate) details: bool,
}

impl Scan {
    /// Looks for sessions that wait. Files are only read; nothing is written, locked or kept open.
    ///
    /// # Errors
    /// [`Error::Folder`] when the folder cannot be listed, [`Error::Cancelled`] and [`Error::Superseded`] as
    /// `control` says. Files that cannot be used are no error: they are counted in [`Scan::skipped`].
    pub fn run(request: &ScanRequest<'_>, control: &Control<'_>) -> Result<Self, Error> {
        control.check(Phase::BeforeDiscovery)?;
        let signals = control.signals();
        let found = discover(&request.scope, request.active_path.as_deref(), signals)?;
        control.check(Phase::AfterDiscovery)?;
        let chosen = &found.candidates[..found.candidates.len().min(request.max_sessions)];
        let workspace = match &request.scope {
            Scope::Workspace { cwd, .. } => Some(paths::normal(cwd)),
            Scope::All { .. } => None,
        };
        let sessions = read_all(chosen, workspace.as_deref(), signals)?;
        control.check(Phase::AfterReads)?;
        let mut scan = Self {
            items: Vec::new(),
            inventory: Inventory {
                available: found.available,
                candidates: found.candidates.len(),
                scanned: chosen.len(),
                discovery_truncated: found.truncated,
                scan_truncated: found.candidates.len() > chosen.len(),
                ..Inventory::default()
            },
            skipped: found.skipped,
            details: request.details,
        };
        for (candidate, session) in chosen.iter().zip(sessions) {
            scan.take(candidate, session, request);
        }
        scan.count();
        control.check(Phase::BeforeReturn)?;
        Ok(scan)
    }

    /// The items that a panel shows.
    pub fn shown(&self) -> &[Item] {
        &self.items[..self.inventory.shown]
    }

    fn take(&mut self, candidate: &Candidate, session: Result<Session, Reason>, request: &ScanRequest<'_>) {
        let skipped = &mut self.skipped;
        let session = match session {
            Ok(session) => session,
            Err(reason) => {
                *match reason {
                    Reason::Refused(Refused::Oversized) => &mut skipped.oversized,
                    // A cancelled scan ends before it gets here.
                    Reason::Refused(_) | Reason::Unfit(Unfit::Cancelled) => &mut skipped.unreadable,
                    Reason::Unfit(Unfit::NotUtf8) => &mut skipped.invalid_utf8,
                    Reason::Unfit(Unfit::Malformed) => &mut skipped.malformed,
                    Reason::Unfit(Unfit::Foreign) => &mut skipped.foreign,
                } += 1;
                return;
            }
        };
        if request.active_id.as_deref() == Some(session.id.as_str()) {
            skipped.active += 1;
            return;
        }
        skipped.damaged_lines += session.damaged_lines;
        let Some((state, message)) = session.state else {
            return;
        };
        if !request.states.has(state) {
            return;
        }
        if let (Some(marks), Some(message)) = (request.done, &message)
            && marks.is_done(&session.id, message)
        {
            skipped.done += 1;
            return;
        }
        let detail = request.details.then(|| Detail {
            state,
            message_id: message.as_ref().map(|message| message.entry_id.clone()),
            message_time: message.as_ref().and_then(|message| message.timestamp),
            stop_reason: session.stop_reason,
        });
        self.items.push(Item {
            id: session.id,
            path: candidate.path.clone(),
            cwd: session.cwd,
            name: session.name,
            modified: candidate.modified,
            message_count: session.message_count,
            message: message.map(|message| message.preview).unwrap_or_default(),
            detail,
        });
    }

    fn count(&mut self) {
        let inventory = &mut self.inventory;
        inventory.unread = self.items.len();
        inventory.shown = self.items.len().min(limits::SHOWN_ITEMS);
        inventory.display_truncated = inventory.unread > inventory.shown;
        inventory.truncated =
            inventory.discovery_truncated || inventory.scan_truncated || inventory.display_truncated;
    }
}

/// Why a candidate is no session of this scan.
enum Reason {
    Refused(Refused),
    Unfit(Unfit),
}

/// Reads all candidates, a few at a time; the results are in the order of the candidates.
fn read_all(
    candidates: &[Candidate],
    workspace: Option<&Utf8Path>,
    signals: Signals<'_>,
) -> Result<Vec<Result<Session, Reason>>, Error> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut bytes = Vec::new();
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(Candidate { path, .. }) = candidates.get(number) else {
                return done;
            };
            done.push((number, read_one(path, workspace, &mut bytes, signals)));
            if signals.is_cancelled() {
                return done;
            }
        }
    };
    let mut done = thread::scope(|scope| {
        let helpers: Vec<_> = (1..candidates.len().min(limits::MAX_READERS))
            // A machine without room for more threads gets the same answer, only later.
            .map_while(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut done = work();
        for helper in helpers {
            match helper.join() {
                Ok(others) => done.extend(others),
                // Only the caller's own callback can panic there.
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    signals.check()?;
    done.sort_unstable_by_key(|&(number, _)| number);
    Ok(done.into_iter().map(|(_, session)| session).collect())
}

fn read_one(
    path: &Utf8PathBuf,
    workspace: Option<&Utf8Path>,
    bytes: &mut Vec<u8>,
    signals: Signals<'_>,
) -> Result<Session, Reason> {
    bounded::read(path, bytes, signals).map_err(Reason::Refused)?;
    Session::read(bytes, workspace, signals).map_err(Reason::Unfit)
}
