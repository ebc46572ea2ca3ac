use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use super::{commit::Committer, run::Source};
use crate::{
    IndexError, SyncOptions,
    engine::{self, OpenSegment},
    layer::{Documents, Layer, LayerContents},
    record::{FileHead, FileId},
    snapshot::{Snapshot, State},
};

/// So many layers of about the same size are merged into one.
const FAN: usize = 4;
/// Layers up to this size count as about the same.
const SMALLEST: u64 = 64 << 10;
/// A merge makes no layer larger than this, which bounds its memory.
const LARGEST: u64 = 24 << 20;
/// A sync merges so many bytes at most, or so many times what it added itself: nobody who appended a line is to wait
/// while megabytes are written.
const EFFORT: u64 = 192 << 10;
const EFFORT_BY_ADDED: u64 = 4;
/// With more layers than this, or when more than half of all bytes is out of date, one sync has to do more.
const MOST_LAYERS: usize = 24;
/// A layer is written anew when this part of its documents is out of date: one of two.
const STALE: u64 = 2;

/// Merges small layers and drops what is out of date, so that searches look at few layers and the index stays small.
/// Each merge is a commit of its own.
pub(super) fn run(
    source: &dyn Source,
    committer: &Committer<'_>,
    options: &SyncOptions<'_>,
    added: u64,
) -> Result<(), IndexError> {
    let mut effort = EFFORT.max(added.saturating_mul(EFFORT_BY_ADDED));
    // Sizes grow by a factor with every merge, so this ends; the bound is for the case that it does not.
    for _ in 0..64 {
        if options.cancelled() || committer.manifest().layers.len() < 2 {
            return Ok(());
        }
        let State::Ready(snapshot) = source.state()? else {
            return Ok(());
        };
        let Some((chosen, bytes)) = choose(&snapshot, effort) else {
            return Ok(());
        };
        effort = effort.saturating_sub(bytes);
        let Some(contents) = merged(&snapshot, &chosen, options)? else {
            return Ok(());
        };
        let entries: Vec<_> = chosen.iter().map(|at| snapshot.layers[*at].entry()).collect();
        committer.replace(&entries, contents)?;
    }
    Ok(())
}

/// The layers to merge next, by position, and how many bytes of them are not out of date. These are no more than
/// `effort`, unless it cannot wait any longer.
fn choose(snapshot: &Snapshot, effort: u64) -> Option<(Vec<usize>, u64)> {
    let live: Vec<u64> = snapshot
        .layers
        .iter()
        .map(|layer| live_bytes(snapshot, layer))
        .collect();
    let length = |at: usize| snapshot.layers[at].entry().length;
    let all: u64 = (0..live.len()).map(length).sum();
    let is_overdue = live.len() > MOST_LAYERS || all > live.iter().sum::<u64>().saturating_mul(STALE);
    let most = if is_overdue { LARGEST } else { LARGEST.min(effort) };
    let mut by_size: Vec<usize> = (0..live.len()).collect();
    by_size.sort_by_key(|at| live[*at]);
    // The smallest layers of which the largest is no more than so many times the others' average.
    for count in (FAN..=by_size.len()).rev() {
        let chosen = &by_size[..count];
        let total: u64 = chosen.iter().map(|at| live[*at]).sum();
        let largest = live[chosen[count - 1]];
        let others = (total - largest) / (count as u64 - 1);
        if total <= most && largest <= SMALLEST.max(others * FAN as u64) {
            let mut chosen = chosen.to_vec();
            chosen.sort_unstable();
            return Some((chosen, total));
        }
    }
    // A layer that is mostly out of date.
    (0..live.len())
        .find(|at| length(*at) > SMALLEST && live[*at] * STALE < length(*at) && live[*at] <= most)
        .map(|at| (vec![at], live[at]))
}

/// About how many bytes of a layer are not out of date.
fn live_bytes(snapshot: &Snapshot, layer: &Layer) -> u64 {
    let length = layer.entry().length;
    let (mut all, mut live) = (0u64, 0u64);
    for (file, first, count) in layer.documents.runs() {
        all += u64::from(count);
        if let Some(at) = snapshot.file(file) {
            let turns = &snapshot.files[at as usize].head().turns;
            live += u64::from(turns.documents_among(first, count));
        }
    }
    if all == 0 {
        return length;
    }
    length * live / all
}

/// The contents of some layers as one; `None` when the user cancelled meanwhile.
fn merged(
    snapshot: &Snapshot,
    chosen: &[usize],
    options: &SyncOptions<'_>,
) -> Result<Option<LayerContents>, IndexError> {
    let mut contents = LayerContents::default();
    let mut segments: Vec<&OpenSegment> = Vec::new();
    let mut alive: Vec<Vec<bool>> = Vec::new();
    let mut documents = Documents::default();
    for at in chosen {
        let layer = &snapshot.layers[*at];
        for record in &layer.records {
            let current = snapshot
                .file(record.head.file)
                .map(|at| &snapshot.files[at as usize]);
            if let Some(known) = current.filter(|known| known.layer as usize == *at) {
                let outline = snapshot.outline(known)?;
                contents.records.push((FileHead::clone(&record.head), outline));
            }
        }
        let still_hides = |file: &&FileId| {
            snapshot.file(**file).is_none()
                && (0..).zip(&snapshot.layers).any(|(other, layer)| {
                    !chosen.contains(&other) && layer.records.iter().any(|record| record.head.file == **file)
                })
        };
        contents.removed.extend(layer.removed.iter().filter(still_hides));
        if let Some(segment) = layer.segment()? {
            let mut live = Vec::with_capacity(layer.documents.len() as usize);
            for (file, doc) in layer.documents.iter() {
                let is_alive = snapshot.is_alive(file, doc);
                live.push(is_alive);
                if is_alive {
                    documents.push(file, doc);
                }
            }
            if live.contains(&true) {
                segments.push(segment);
                alive.push(live);
            }
        }
    }
    if !segments.is_empty() {
        let stop = Arc::new(AtomicBool::new(options.cancelled()));
        let is_stopped = Arc::new(move || stop.load(Ordering::Relaxed));
        let filters: Vec<_> = alive
            .iter()
            .map(|alive| move |document: u32| alive.get(document as usize).copied().unwrap_or(false))
            .collect();
        let sources: Vec<(&OpenSegment, &dyn Fn(u32) -> bool)> = segments
            .iter()
            .zip(&filters)
            .map(|(segment, filter)| (*segment, filter as &dyn Fn(u32) -> bool))
            .collect();
        let segment = engine::merge(&sources, is_stopped).map_err(|error| IndexError::Engine {
            message: error.to_string(),
        })?;
        contents.documents = documents;
        contents.segment = Some(segment);
    }
    if options.cancelled() {
        return Ok(None);
    }
    Ok(Some(contents))
}
