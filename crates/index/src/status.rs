use camino::Utf8PathBuf;
use serde::Serialize;

use crate::{
    folder::{Folder, Manifest},
    snapshot::{Snapshot, State},
};

/// What an index holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// Its folder.
    pub folder: Utf8PathBuf,
    /// Whether it can be searched.
    pub state: IndexState,
    /// The format this version writes.
    pub format: u32,
    /// Number of the last commit; it grows with every change.
    pub generation: u64,
    /// Session files.
    pub files: u64,
    /// Sessions; a file can hold more than one.
    pub sessions: u64,
    /// Turns, copies in forks included.
    pub turns: u64,
    /// Entries of all kinds.
    pub entries: u64,
    /// Bytes of the session files at the last sync.
    pub session_bytes: u64,
    /// Damaged lines in session files.
    pub damaged_lines: u64,
    /// Files that the index is made of.
    pub layers: u64,
    /// Their bytes.
    pub index_bytes: u64,
}

/// Whether an index can be searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum IndexState {
    /// There is none yet; the first sync makes it.
    Missing,
    /// It can be searched.
    Ready,
    /// It can be searched, but a first build was interrupted: the next sync goes on.
    Partial,
    /// It is damaged; the next sync builds it again.
    Damaged,
    /// An older version wrote it; the next sync builds it again.
    Outdated,
}

/// What a look at every byte of the index found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Verification {
    /// Files that were read.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// What is damaged, in words; empty when all is well.
    pub damage: Vec<String>,
}

impl Verification {
    /// True when nothing is damaged.
    pub fn is_sound(&self) -> bool {
        self.damage.is_empty()
    }
}

/// See [`Index::status`](crate::Index::status).
pub(crate) fn status(folder: &Folder, state: &State) -> Status {
    let mut status = Status {
        folder: folder.path().to_owned(),
        state: match state {
            State::Missing => IndexState::Missing,
            State::Ready(snapshot) if snapshot.manifest.complete => IndexState::Ready,
            State::Ready(_) => IndexState::Partial,
            State::Outdated => IndexState::Outdated,
            State::Damaged(_) => IndexState::Damaged,
        },
        format: Manifest::FORMAT,
        generation: 0,
        files: 0,
        sessions: 0,
        turns: 0,
        entries: 0,
        session_bytes: 0,
        damaged_lines: 0,
        layers: 0,
        index_bytes: 0,
    };
    if let State::Ready(snapshot) = state {
        status.generation = snapshot.manifest.generation;
        status.layers = snapshot.layers.len() as u64;
        status.index_bytes = snapshot.manifest.layers.iter().map(|layer| layer.length).sum();
        status.files = snapshot.files.len() as u64;
        for file in &snapshot.files {
            let head = file.head();
            status.sessions += head.sessions.len() as u64;
            status.turns += head.turns.rows.len() as u64;
            status.entries += u64::from(head.entries);
            status.session_bytes += head.stamp.size;
            status.damaged_lines += head.damaged_lines;
        }
    }
    status
}

/// See [`Index::verify`](crate::Index::verify).
pub(crate) fn verify(state: &State) -> Verification {
    let mut verification = match state {
        State::Ready(snapshot) => verify_layers(snapshot),
        State::Missing | State::Outdated | State::Damaged(_) => Verification {
            files: 0,
            bytes: 0,
            damage: Vec::new(),
        },
    };
    if let State::Damaged(what) = state {
        verification.damage.push(what.clone());
    }
    verification
}

pub(crate) fn verify_layers(snapshot: &Snapshot) -> Verification {
    Verification {
        files: snapshot.layers.len() as u64,
        bytes: snapshot.manifest.layers.iter().map(|layer| layer.length).sum(),
        damage: snapshot.layers.iter().flat_map(|layer| layer.verify()).collect(),
    }
}
