//! Finding sessions and entries.

use std::cmp::Reverse;

use camino::Utf8Path;
use lookback_session_model::{EntryId, SessionFile, SessionSummary, Tree};

use crate::{
    EntryLocation, IndexError,
    snapshot::{KnownFile, Snapshot},
};

/// All sessions, the one with the latest activity first.
pub(crate) fn sessions(snapshot: &Snapshot) -> Vec<SessionSummary> {
    let mut sessions: Vec<SessionSummary> = snapshot.files.iter().flat_map(summaries).collect();
    sessions.sort_by(|a, b| {
        Reverse(a.modified)
            .cmp(&Reverse(b.modified))
            .then_with(|| a.id.cmp(&b.id))
            .then_with(|| a.path.cmp(&b.path))
    });
    sessions
}

fn summaries(file: &KnownFile) -> impl Iterator<Item = SessionSummary> {
    let head = file.head();
    head.sessions.iter().map(|row| head.summary(row))
}

/// See [`Index::find_session`](crate::Index::find_session).
pub(crate) fn find_session(snapshot: &Snapshot, named: &str) -> Result<SessionSummary, IndexError> {
    let not_found = || IndexError::SessionNotFound {
        named: named.to_owned(),
    };
    if named.is_empty() {
        return Err(not_found());
    }
    let mut fitting: Vec<SessionSummary> = Vec::new();
    let mut exact: Vec<SessionSummary> = Vec::new();
    for session in sessions(snapshot) {
        if session.id.as_str() == named {
            exact.push(session);
        } else if session.id.as_str().starts_with(named) {
            fitting.push(session);
        }
    }
    // Two files with one id are copies of one session: the one with the latest activity is meant.
    if let Some(first) = exact.into_iter().next() {
        return Ok(first);
    }
    let first_id = fitting.first().map(|session| session.id.clone());
    if fitting
        .iter()
        .any(|session| Some(&session.id) != first_id.as_ref())
    {
        return Err(IndexError::SessionAmbiguous {
            named: named.to_owned(),
            candidates: fitting,
        });
    }
    fitting
        .into_iter()
        .next()
        .or_else(|| by_path(snapshot, Utf8Path::new(named)))
        .ok_or_else(not_found)
}

fn by_path(snapshot: &Snapshot, path: &Utf8Path) -> Option<SessionSummary> {
    if let Some(file) = known(snapshot, path) {
        return summaries(file).next();
    }
    let name = path.file_name()?;
    let real = path.canonicalize_utf8().ok()?;
    snapshot
        .files
        .iter()
        .filter(|file| file.path().file_name() == Some(name) || real.file_name() == file.path().file_name())
        .find(|file| file.path().canonicalize_utf8().is_ok_and(|known| known == real))
        .and_then(|file| summaries(file).next())
}

fn known<'a>(snapshot: &'a Snapshot, path: &Utf8Path) -> Option<&'a KnownFile> {
    snapshot
        .files
        .binary_search_by(|file| file.path().as_str().cmp(path.as_str()))
        .ok()
        .map(|at| &snapshot.files[at])
}

/// What the index knows of a file's outline.
pub(crate) fn known_outline(snapshot: &Snapshot, path: &Utf8Path) -> Option<SessionFile> {
    let file = known(snapshot, path)?;
    snapshot.outline(file).ok()?.decode(path, &file.head().sessions)
}

/// See [`Index::locate`](crate::Index::locate).
pub(crate) fn locate(snapshot: &Snapshot, entry: &EntryId) -> Result<Vec<EntryLocation>, IndexError> {
    let mut locations = Vec::new();
    for file in &snapshot.files {
        let outline = snapshot.outline(file)?;
        let holds = (0..file.head().sessions.len() as u32).any(|session| {
            outline
                .nodes(session)
                .is_some_and(|nodes| nodes.contains(entry.as_str()))
        });
        if !holds {
            continue;
        }
        let Some(whole) = outline.decode(file.path(), &file.head().sessions) else {
            return Err(snapshot.layers[file.layer as usize].fault("an outline cannot be read"));
        };
        for (session, summary) in whole.sessions().iter().zip(summaries(file)) {
            if let Some(node) = session.position_of(entry.as_str()) {
                locations.push(EntryLocation {
                    session: summary,
                    node,
                    branch: Tree::new(session).state(node),
                });
            }
        }
    }
    locations.sort_by(|a, b| {
        let (a, b) = (&a.session, &b.session);
        a.created
            .cmp(&b.created)
            .then_with(|| a.id.cmp(&b.id))
            .then_with(|| a.path.cmp(&b.path))
    });
    Ok(locations)
}
