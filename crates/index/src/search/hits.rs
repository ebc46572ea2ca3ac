use lookback_ranker::{
    Annotations, Hit, RankedHit, Ranking, SearchReply, Snippet, SnippetOptions,
    snippet::{Matcher, beginning, best_of},
};
use lookback_session_model::{BranchState, EntryId, Role, Text, Timestamp};

use super::texts::TurnTexts;
use crate::{
    IndexError,
    columns::{Columns, TurnPlace},
    snapshot::Snapshot,
};

/// Turns ordinals into sessions, entries and snippets.
pub(super) fn reply(
    snapshot: &Snapshot,
    ranking: Ranking,
    annotations: &Annotations,
    texts: &TurnTexts,
) -> Result<SearchReply, IndexError> {
    let mut hits = Vec::with_capacity(ranking.hits.len());
    for ranked in ranking.hits {
        hits.extend(hit(snapshot, ranked, &ranking.matcher, annotations, texts)?);
    }
    Ok(SearchReply {
        returned: hits.len(),
        hits,
        sessions_matched: ranking.sessions_matched,
        offset: ranking.offset,
        next_offset: ranking.next_offset,
        sessions_searched: ranking.sessions_searched,
        relaxed: ranking.relaxed,
        warnings: ranking.warnings,
    })
}

fn hit(
    snapshot: &Snapshot,
    ranked: RankedHit,
    matcher: &Matcher,
    annotations: &Annotations,
    texts: &TurnTexts,
) -> Result<Option<Hit>, IndexError> {
    let columns = snapshot.columns();
    let Some(session) = columns.corpus.summary(ranked.session) else {
        return Ok(None);
    };
    let place = ranked
        .turn
        .and_then(|turn| columns.row_in(ranked.session, turn))
        .or_else(|| last_turn(snapshot, columns, ranked.session));
    let said = match place {
        Some(place) => said(snapshot, place, matcher, texts)?,
        None => Said::default(),
    };
    let also_in = ranked
        .also_in
        .iter()
        .filter_map(|session| columns.corpus.summary(*session))
        .map(|summary| summary.id.clone())
        .collect();
    Ok(Some(Hit {
        rank: ranked.rank,
        score: ranked.score,
        session: session.clone(),
        tags: annotations.tags.get(&session.id).cloned().unwrap_or_default(),
        entry: said.entry,
        role: said.role,
        timestamp: said.time,
        branch: said.branch,
        leaf: said.leaf,
        snippet: said.snippet,
        also_in,
        explanation: ranked.explanation,
    }))
}

/// Where a session stands: what stands for it when only its name or tags match.
fn last_turn(snapshot: &Snapshot, columns: &Columns, session: u32) -> Option<TurnPlace> {
    let place = *columns.sessions.get(session as usize)?;
    let rows = &snapshot.files[place.file as usize].head().turns.rows;
    let rows = (0..).zip(rows).filter(|(_, row)| row.session == place.session);
    let (row, _) = rows.max_by_key(|(_, row)| (row.branch == BranchState::Active, row.position))?;
    Some(TurnPlace {
        file: place.file,
        row,
    })
}

/// The entry of a turn that a hit names.
struct Said {
    entry: EntryId,
    role: Role,
    time: Option<Timestamp>,
    branch: BranchState,
    leaf: Option<EntryId>,
    snippet: Snippet,
}

impl Default for Said {
    fn default() -> Self {
        Self {
            entry: EntryId::new(""),
            role: Role::User,
            time: None,
            branch: BranchState::Active,
            leaf: None,
            snippet: Snippet::default(),
        }
    }
}

fn said(
    snapshot: &Snapshot,
    place: TurnPlace,
    matcher: &Matcher,
    texts: &TurnTexts,
) -> Result<Said, IndexError> {
    let file = &snapshot.files[place.file as usize];
    let row = &file.head().turns.rows[place.row as usize];
    let turn = texts.of(snapshot, file, row)?;
    let options = SnippetOptions::default();
    let (chosen, snippet) =
        best_of(turn.texts.iter().map(Text::as_str), matcher, &options).unwrap_or_else(|| {
            let text = turn.texts.first().map_or("", Text::as_str);
            (0, beginning(text, &options))
        });
    let node = turn
        .nodes
        .get(chosen)
        .ok_or_else(|| snapshot.layers[file.layer as usize].fault("a turn without entries"))?;
    Ok(Said {
        entry: node.id.clone().unwrap_or_else(|| EntryId::new("")),
        role: row.role,
        time: node.time,
        branch: row.branch,
        leaf: turn.leaf.clone(),
        snippet,
    })
}
