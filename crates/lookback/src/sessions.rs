//! Finding a session by what a user types: a full id, the start of one, or a path.

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use lookback_session_model::{Discovery, Session, SessionFile, SessionId, SessionSummary};

use crate::Error;

/// A session that was found: its id and its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The session id.
    pub id: SessionId,
    /// The session file.
    pub path: Utf8PathBuf,
}

/// Finds a session among those that are known, and else among the files that lie there now.
///
/// `known` are the sessions of the index. A session that was written a moment ago is found by the id in its file's
/// name. A path is taken only inside one of the roots, links resolved.
pub(crate) fn locate(
    text: &str,
    known: &[SessionSummary],
    roots: &[Utf8PathBuf],
    cwd: Option<&Utf8Path>,
) -> Result<Located, Error> {
    if text.is_empty() || text.contains('\0') {
        return Err(Error::Request {
            what: "a session id cannot be empty or hold NUL".to_owned(),
        });
    }
    if text.contains(['/', '\\']) || text.ends_with(".jsonl") {
        return by_path(text, known, roots, cwd);
    }
    by_id(text, known).or_else(|error| match error {
        Error::SessionNotFound { .. } => by_file_name(text, roots),
        other => Err(other),
    })
}

fn by_id(text: &str, known: &[SessionSummary]) -> Result<Located, Error> {
    let located = |summary: &SessionSummary| Located {
        id: summary.id.clone(),
        path: summary.path.clone(),
    };
    if let Some(exact) = known.iter().find(|summary| summary.id.as_str() == text) {
        return Ok(located(exact));
    }
    let mut matching: Vec<&SessionSummary> = known
        .iter()
        .filter(|summary| summary.id.as_str().starts_with(text))
        .collect();
    // Two files can hold the same session: an imported copy.
    matching.sort_by(|a, b| a.id.cmp(&b.id).then_with(|| a.path.cmp(&b.path)));
    matching.dedup_by(|a, b| a.id == b.id);
    match matching.as_slice() {
        [] => Err(Error::SessionNotFound { id: text.to_owned() }),
        [only] => Ok(located(only)),
        several => Err(ambiguous(text, several.iter().map(|summary| summary.id.as_str()))),
    }
}

/// For sessions that no index knows yet.
fn by_file_name(text: &str, roots: &[Utf8PathBuf]) -> Result<Located, Error> {
    let found = Discovery::look(roots, |_| false);
    let id_of = |path: &Utf8Path| {
        path.file_stem()
            .map(|stem| stem.split_once('_').map_or(stem, |(_, id)| id).to_owned())
    };
    let mut matching: Vec<(String, Utf8PathBuf)> = Vec::new();
    for file in found.files {
        if let Some(id) = id_of(&file.path).filter(|id| id.starts_with(text)) {
            matching.push((id, file.path));
        }
    }
    if let Some(exact) = matching.iter().position(|(id, _)| id == text) {
        matching = vec![matching.swap_remove(exact)];
    }
    match matching.as_slice() {
        [] => Err(Error::SessionNotFound { id: text.to_owned() }),
        [(_, path)] => first_session(path),
        several => Err(ambiguous(text, several.iter().map(|(id, _)| id.as_str()))),
    }
}

fn by_path(
    text: &str,
    known: &[SessionSummary],
    roots: &[Utf8PathBuf],
    cwd: Option<&Utf8Path>,
) -> Result<Located, Error> {
    let path = cwd.map_or_else(|| Utf8PathBuf::from(text), |cwd| cwd.join(text));
    if let Some(summary) = known.iter().find(|summary| summary.path == path) {
        return Ok(Located {
            id: summary.id.clone(),
            path: summary.path.clone(),
        });
    }
    // The last part stays as it is: a link there is refused when it is opened.
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(Error::OutsideRoots { path });
    };
    let Ok(folder) = fs::canonicalize(folder.as_std_path()) else {
        return Err(lookback_session_model::OpenError::NotFound { path }.into());
    };
    let inside = roots
        .iter()
        .filter_map(|root| fs::canonicalize(root.as_std_path()).ok())
        .any(|root| folder.starts_with(root));
    match Utf8PathBuf::from_path_buf(folder) {
        Ok(folder) if inside && name.ends_with(".jsonl") => first_session(&folder.join(name)),
        _ => Err(Error::OutsideRoots { path }),
    }
}

/// The session with this id in a file that was read, or its first one: a path may name a file whose header was replaced.
pub(crate) fn of_file<'a>(
    file: &'a SessionFile,
    path: &Utf8Path,
    id: &SessionId,
) -> Result<&'a Session, Error> {
    file.sessions()
        .iter()
        .find(|session| session.id() == id)
        .or(file.sessions().first())
        .ok_or_else(|| Error::EmptySession {
            path: path.to_owned(),
        })
}

fn first_session(path: &Utf8Path) -> Result<Located, Error> {
    let file = SessionFile::read(path, 0)?;
    let session = file.sessions().first().ok_or_else(|| Error::EmptySession {
        path: path.to_owned(),
    })?;
    Ok(Located {
        id: session.id().clone(),
        path: path.to_owned(),
    })
}

/// Shows as much of each id as tells them apart, at least one character more than was typed.
fn ambiguous<'a>(text: &str, ids: impl Iterator<Item = &'a str> + Clone) -> Error {
    const SHOWN: usize = 5;
    let mut length = text.len() + 1;
    let all: Vec<&str> = ids.collect();
    let head = |id: &'a str, length: usize| id.char_indices().nth(length).map_or(id, |(end, _)| &id[..end]);
    let longest = all.iter().map(|id| id.len()).max().unwrap_or(0);
    while length < longest {
        let mut heads: Vec<&str> = all.iter().map(|id| head(id, length)).collect();
        heads.sort_unstable();
        heads.dedup();
        if heads.len() == all.len() {
            break;
        }
        length += 1;
    }
    let candidates: Vec<String> = all
        .iter()
        .take(SHOWN)
        .map(|id| head(id, length).to_owned())
        .collect();
    Error::AmbiguousSession {
        id: text.to_owned(),
        more: all.len() - candidates.len(),
        candidates,
    }
}
