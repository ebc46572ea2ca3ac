use lookback_ranker::{LiveContext, NONE};

use crate::{IndexError, snapshot::Snapshot};

/// The turns that stand for the entries in a session's context, ascending.
///
/// A turn is in the context as soon as one of its entries is: a turn of the active branch goes on growing while its
/// beginning is before the model's eyes, and turns end where a compaction cuts the context.
pub(super) fn turns(snapshot: &Snapshot, live: &LiveContext) -> Result<Vec<u32>, IndexError> {
    let columns = snapshot.columns();
    let mut turns = Vec::new();
    for session in columns.corpus.sessions_with_id(&live.session) {
        let place = columns.sessions[session as usize];
        let file = &snapshot.files[place.file as usize];
        let outline = snapshot.outline(file)?;
        let nodes = outline.nodes(place.session).and_then(|nodes| nodes.all());
        let Some(nodes) = nodes else {
            return Err(snapshot.layers[file.layer as usize].fault("an outline cannot be read"));
        };
        let is_live = |node: &u32| {
            let node = nodes.get(*node as usize);
            node.and_then(|node| node.id.as_ref())
                .is_some_and(|id| live.entries.contains(id))
        };
        let table = &file.head().turns;
        for (row, turn) in table
            .rows
            .iter()
            .zip(&columns.turns_of_files[place.file as usize])
        {
            if row.session == place.session && *turn != NONE && table.nodes(row).iter().any(is_live) {
                turns.push(*turn);
            }
        }
    }
    turns.sort_unstable();
    turns.dedup();
    Ok(turns)
}
