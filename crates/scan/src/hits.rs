//! Ordinals become sessions, entries, snippets and markers, read from the files of the page's hits.

use std::collections::BTreeMap;

use camino::Utf8Path;
use lookback_ranker::{
    Annotations, Hit, RankedHit, Ranking, SearchReply, Snippet, SnippetOptions,
    snippet::{Matcher, beginning, best_of},
};
use lookback_session_model::{
    BranchState, EntryId, EntryReader, Fields, Role, Session, SessionFile, Text, Timestamp, Tree, Turn,
};
use rayon::prelude::*;

use crate::{Marker, digest, library::Library, options::ScanOptions};

/// The reply to a request, with a marker for each hit.
pub(crate) fn reply(
    library: &Library,
    ranking: Ranking,
    annotations: &Annotations,
    options: &ScanOptions<'_>,
) -> (SearchReply, Vec<Marker>) {
    let mut by_file: BTreeMap<u32, Vec<&RankedHit>> = BTreeMap::new();
    for ranked in &ranking.hits {
        if let Some(place) = library.sessions.get(ranked.session as usize) {
            by_file.entry(place.file).or_default().push(ranked);
        }
    }
    let mut found: Vec<(Hit, Marker)> = by_file
        .into_par_iter()
        .flat_map_iter(|(file, hits)| {
            let path = &library.files[file as usize].path;
            let outline = digest::outline(path, 0, options).ok();
            let said = |ranked: &RankedHit| {
                outline
                    .as_ref()
                    .and_then(|outline| said(library, outline, ranked, &ranking.matcher))
                    .unwrap_or_default()
            };
            hits.into_iter()
                .filter_map(|ranked| hit(library, ranked, said(ranked), annotations))
                .collect::<Vec<_>>()
        })
        .collect();
    found.sort_by_key(|(hit, _)| hit.rank);
    let (hits, markers): (Vec<Hit>, Vec<Marker>) = found.into_iter().unzip();
    let reply = SearchReply {
        returned: hits.len(),
        hits,
        sessions_matched: ranking.sessions_matched,
        offset: ranking.offset,
        next_offset: ranking.next_offset,
        sessions_searched: ranking.sessions_searched,
        relaxed: ranking.relaxed,
        warnings: ranking.warnings,
    };
    (reply, markers)
}

fn hit(
    library: &Library,
    ranked: &RankedHit,
    said: Said,
    annotations: &Annotations,
) -> Option<(Hit, Marker)> {
    let session = library.corpus.summary(ranked.session)?;
    let also_in = ranked
        .also_in
        .iter()
        .filter_map(|session| library.corpus.summary(*session))
        .map(|summary| summary.id.clone())
        .collect();
    let marker = Marker {
        path: session.path.clone(),
        line: said.line,
        role: said.role,
        preview: said.snippet.text.clone(),
        time: said.time,
    };
    let hit = Hit {
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
        explanation: ranked.explanation.clone(),
    };
    Some((hit, marker))
}

/// The entry that a hit names.
struct Said {
    entry: EntryId,
    line: u64,
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
            line: 1,
            role: Role::User,
            time: None,
            branch: BranchState::Active,
            leaf: None,
            snippet: Snippet::default(),
        }
    }
}

/// `None` where the file changed so much since it was scanned that the turn is gone.
fn said(library: &Library, outline: &SessionFile, ranked: &RankedHit, matcher: &Matcher) -> Option<Said> {
    let place = library.sessions.get(ranked.session as usize)?;
    let session = outline.sessions().get(place.session as usize)?;
    let number = ranked
        .turn
        .and_then(|turn| library.number_in(ranked.session, turn))
        .or_else(|| library.last_turn(ranked.session))?;
    let tree = Tree::new(session);
    let turn = tree.turns().into_iter().nth(number as usize)?;
    let texts = texts(outline.path(), session, &turn);
    let options = SnippetOptions::default();
    let (chosen, snippet) = best_of(texts.iter().map(Text::as_str), matcher, &options).unwrap_or_else(|| {
        let text = texts.first().map_or("", Text::as_str);
        (0, beginning(text, &options))
    });
    let node = &session.nodes()[*turn.nodes.get(chosen)? as usize];
    let leaf = tree.leaf_behind(*turn.nodes.last()?);
    Some(Said {
        entry: node.id.clone().unwrap_or_else(|| EntryId::new("")),
        line: node.place.line,
        role: turn.role,
        time: node.time,
        branch: turn.state,
        leaf: session.nodes()[leaf as usize].id.clone(),
        snippet,
    })
}

/// The texts of a turn's entries; empty for those that are gone meanwhile.
fn texts(path: &Utf8Path, session: &Session, turn: &Turn) -> Vec<Text> {
    let mut reader = EntryReader::open(path).ok().map(|(reader, _)| reader);
    turn.nodes
        .iter()
        .map(|&node| {
            let entry = reader
                .as_mut()?
                .read(&session.nodes()[node as usize], Fields::TEXT)
                .ok()??;
            Some(entry.message()?.text.clone())
        })
        .map(Option::unwrap_or_default)
        .collect()
}
