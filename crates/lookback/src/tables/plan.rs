//! What is read by which worker, in which order.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{
    Discovery, Fields, FoundFile, Item, Lineage, Parent, ReadAt, SessionId, SessionReader, SessionSummary,
    open_session_file,
};

use super::family::families;

/// A unit of work has about this many bytes, so that small files make no small batches.
const UNIT: u64 = 8 << 20;
/// A header is looked for in this many bytes; only one that does not fit costs a second look.
const HEAD: usize = 4 << 10;

/// All files, in the order in which they are read.
pub(super) struct Plan {
    pub(super) discovery: Discovery,
    /// Each unit is a list of families.
    pub(super) units: Vec<Vec<Vec<Member>>>,
}

/// A file in its family.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) file: FoundFile,
    /// The session it was forked from, where that is known.
    pub(super) parent: Option<SessionId>,
}

impl Plan {
    pub(super) fn new(
        roots: &[Utf8PathBuf],
        excluded: impl Fn(&Utf8Path) -> bool,
        workers: usize,
        cancel: &AtomicBool,
    ) -> Self {
        let mut discovery = Discovery::look(roots, excluded);
        let files = std::mem::take(&mut discovery.files);
        let heads = heads(&files, workers, cancel);
        let lineage = Lineage::new(&heads);
        let mut units: Vec<Vec<Vec<Member>>> = Vec::new();
        let mut size = UNIT;
        for family in families(&heads, &lineage) {
            if size >= UNIT {
                units.push(Vec::new());
                size = 0;
            }
            size += family.iter().map(|&member| files[member].stamp.size).sum::<u64>();
            let members = family.iter().map(|&member| Member {
                file: files[member].clone(),
                parent: match lineage.parent(member) {
                    Parent::Known(parent) => Some(heads[*parent].id.clone()),
                    Parent::None | Parent::Missing(_) => None,
                },
            });
            if let Some(unit) = units.last_mut() {
                unit.push(members.collect());
            }
        }
        Self { discovery, units }
    }
}

/// What the headers say. Reading them takes a system call for each file, so all workers do it.
fn heads(files: &[FoundFile], workers: usize, cancel: &AtomicBool) -> Vec<SessionSummary> {
    let next = AtomicUsize::new(0);
    let found = Mutex::new(Vec::with_capacity(files.len()));
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut own = Vec::new();
                loop {
                    let position = next.fetch_add(1, Ordering::Relaxed);
                    let Some(file) = files.get(position) else { break };
                    if cancel.load(Ordering::Relaxed) {
                        break;
                    }
                    own.push((position, head(&file.path)));
                }
                found
                    .lock()
                    .unwrap_or_else(std::sync::PoisonError::into_inner)
                    .append(&mut own);
            });
        }
    });
    let mut heads: Vec<SessionSummary> = files.iter().map(|file| without_header(&file.path)).collect();
    for (position, head) in found.into_inner().unwrap_or_default() {
        heads[position] = head;
    }
    heads
}

/// The part of a summary that the header tells.
fn head(path: &Utf8Path) -> SessionSummary {
    let mut summary = without_header(path);
    let Ok((file, stamp)) = open_session_file(path) else {
        return summary;
    };
    let mut start = [0; HEAD];
    let read = file.read_at(0, &mut start).unwrap_or(0);
    let complete = start[..read].contains(&b'\n') || read as u64 == stamp.size;
    let first = if complete {
        SessionReader::from_bytes(&start[..read], Fields::NONE).next_item()
    } else {
        SessionReader::new(file, stamp.size, Fields::NONE).next_item()
    };
    if let Ok(Some(Item::Header(header))) = first {
        if let Some(id) = header.id.filter(|id| !id.as_str().is_empty()) {
            summary.id = id;
        }
        summary.created = header.timestamp;
        summary.parent_session = header.parent_session;
    }
    summary
}

fn without_header(path: &Utf8Path) -> SessionSummary {
    let stem = path.file_stem().unwrap_or_default();
    SessionSummary {
        id: SessionId::new(stem.split_once('_').map_or(stem, |(_, id)| id)),
        path: path.to_owned(),
        cwd: String::new(),
        title: String::new(),
        name: None,
        created: None,
        modified: None,
        message_count: 0,
        parent_session: None,
    }
}
