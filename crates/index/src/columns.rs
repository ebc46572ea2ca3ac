use std::collections::HashMap;

use lookback_ranker::{Corpus, Holder, NONE, Turn};
use lookback_session_model::{Lineage, Parent, SessionSummary};

use crate::snapshot::Snapshot;

/// The columns that ranking looks at, and the ways between its ordinals and the index.
///
/// Turns are numbered in the order of their documents, so that postings come out in the order that ranking wants,
/// without sorting. Copies that forks hold get no number of their own: they are the turn of the oldest session that
/// has it.
#[derive(Debug)]
pub(crate) struct Columns {
    pub(crate) corpus: Corpus,
    /// For each layer the turn that each document is; [`NONE`] for copies and for what is out of date.
    pub(crate) turns_of_layers: Vec<LayerTurns>,
    /// The first document of each turn.
    pub(crate) first_documents: Vec<u32>,
    /// File and row of each turn.
    pub(crate) places: Vec<TurnPlace>,
    /// File and position in the file of each session.
    pub(crate) sessions: Vec<SessionPlace>,
    /// For each file the turn of each of its rows, copies too.
    pub(crate) turns_of_files: Vec<Vec<u32>>,
}

/// The documents of a layer as turns.
#[derive(Debug, Default)]
pub(crate) struct LayerTurns {
    pub(crate) of_documents: Vec<u32>,
    /// Some documents are no turn of their own, or part of one: counts of documents are no counts of turns.
    pub(crate) has_holes: bool,
    /// The turns in this layer: from this one...
    pub(crate) start: u32,
    /// ... to the one before this.
    pub(crate) end: u32,
}

/// Where a turn is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TurnPlace {
    /// Position in [`Snapshot::files`].
    pub(crate) file: u32,
    /// Position in the rows of the file's turns.
    pub(crate) row: u32,
}

/// Where a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionPlace {
    /// Position in [`Snapshot::files`].
    pub(crate) file: u32,
    /// Position among the sessions of the file.
    pub(crate) session: u32,
}

impl Columns {
    pub(crate) fn new(snapshot: &Snapshot) -> Self {
        let mut summaries = Vec::new();
        let mut sessions = Vec::new();
        // Ordinal of the first session of each file.
        let mut first_sessions = Vec::with_capacity(snapshot.files.len());
        for (at, file) in (0..).zip(&snapshot.files) {
            first_sessions.push(sessions.len() as u32);
            for (session, row) in (0..).zip(&file.head().sessions) {
                summaries.push(file.head().summary(row));
                sessions.push(SessionPlace { file: at, session });
            }
        }
        let ages = ages(&summaries);
        let copies = Copies::find(snapshot, &first_sessions, &ages);
        let exchanges = Exchanges::new(snapshot, &first_sessions, sessions.len());
        let parents = parents(&summaries);
        let mut corpus = Corpus::new(summaries, parents);
        let turn_count = snapshot
            .layers
            .iter()
            .map(|layer| layer.documents.len() as usize)
            .sum();
        corpus.reserve(turn_count);
        let mut columns = Self {
            corpus,
            turns_of_layers: Vec::with_capacity(snapshot.layers.len()),
            first_documents: Vec::with_capacity(turn_count),
            places: Vec::with_capacity(turn_count),
            sessions,
            turns_of_files: snapshot
                .files
                .iter()
                .map(|file| vec![NONE; file.head().turns.rows.len()])
                .collect(),
        };
        columns.number_turns(snapshot, &first_sessions, &copies, &exchanges);
        for (copy, owner) in copies.owners {
            let turn = columns.turns_of_files[owner.file as usize][owner.row as usize];
            columns.turns_of_files[copy.file as usize][copy.row as usize] = turn;
        }
        columns
    }

    fn number_turns(
        &mut self,
        snapshot: &Snapshot,
        first_sessions: &[u32],
        copies: &Copies,
        exchanges: &Exchanges,
    ) {
        let mut models = Models::default();
        for layer in &snapshot.layers {
            let mut turns = LayerTurns {
                of_documents: Vec::with_capacity(layer.documents.len() as usize),
                start: self.places.len() as u32,
                ..LayerTurns::default()
            };
            for (document, (file, doc)) in (0u32..).zip(layer.documents.iter()) {
                let place = snapshot.file(file).and_then(|file| {
                    let row = snapshot.files[file as usize].head().turns.row_of(doc)?;
                    Some(TurnPlace { file, row })
                });
                let Some(place) = place.filter(|place| !copies.owners.contains_key(place)) else {
                    turns.has_holes = true;
                    turns.of_documents.push(NONE);
                    continue;
                };
                let known = self.turns_of_files[place.file as usize][place.row as usize];
                if known != NONE {
                    // A further document of a long text. Should two layers hold the same one, the first counts.
                    turns.has_holes = true;
                    turns
                        .of_documents
                        .push(if known >= turns.start { known } else { NONE });
                    continue;
                }
                let head = snapshot.files[place.file as usize].head();
                let row = &head.turns.rows[place.row as usize];
                let session = first_sessions[place.file as usize] + row.session;
                let model = match row.model.checked_sub(1) {
                    Some(model) => head.sessions[row.session as usize]
                        .models
                        .get(model as usize)
                        .map_or(NONE, |name| models.ordinal(&mut self.corpus, name)),
                    None => NONE,
                };
                let turn = Turn {
                    session,
                    exchange: exchanges.first[session as usize] + row.exchange,
                    role: row.role,
                    branch: row.branch,
                    time_ms: row.time_ms,
                    length: row.length,
                    position: row.position,
                    model,
                };
                let holders = copies.holders.get(&place).map_or(&[][..], Vec::as_slice);
                let ordinal = self.corpus.push_turn(turn, holders);
                turns.of_documents.push(ordinal);
                self.turns_of_files[place.file as usize][place.row as usize] = ordinal;
                self.first_documents.push(document);
                self.places.push(place);
            }
            turns.end = self.places.len() as u32;
            self.turns_of_layers.push(turns);
        }
    }

    /// The row in a session's file that is this turn, or a copy of it.
    pub(crate) fn row_in(&self, session: u32, turn: u32) -> Option<TurnPlace> {
        let own = *self.places.get(turn as usize)?;
        let file = self.sessions.get(session as usize)?.file;
        if own.file == file {
            return Some(own);
        }
        let row = self.turns_of_files[file as usize]
            .iter()
            .position(|known| *known == turn)?;
        Some(TurnPlace {
            file,
            row: row as u32,
        })
    }
}

/// For each session its place in the order of age, oldest first: by creation, then id, then path.
fn ages(summaries: &[SessionSummary]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..summaries.len() as u32).collect();
    order.sort_by(|a, b| {
        let (a, b) = (&summaries[*a as usize], &summaries[*b as usize]);
        // A session that does not say when it was created is no original.
        let unknown = (a.created.is_none(), b.created.is_none());
        unknown
            .0
            .cmp(&unknown.1)
            .then_with(|| a.created.cmp(&b.created))
            .then_with(|| a.id.cmp(&b.id))
            .then_with(|| a.path.cmp(&b.path))
    });
    let mut ages = vec![0; summaries.len()];
    for (age, session) in (0..).zip(order) {
        ages[session as usize] = age;
    }
    ages
}

fn parents(summaries: &[SessionSummary]) -> Vec<u32> {
    let lineage = Lineage::new(summaries);
    (0..summaries.len())
        .map(|session| match lineage.parent(session) {
            Parent::Known(parent) => *parent as u32,
            Parent::None | Parent::Missing(_) => NONE,
        })
        .collect()
}

impl std::hash::Hash for TurnPlace {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        state.write_u64(u64::from(self.file) << 32 | u64::from(self.row));
    }
}

/// Turns that several sessions hold.
#[derive(Default)]
struct Copies {
    /// The original of each copy.
    owners: HashMap<TurnPlace, TurnPlace>,
    /// Which other sessions hold a copy of an original.
    holders: HashMap<TurnPlace, Vec<Holder>>,
}

impl Copies {
    fn find(snapshot: &Snapshot, first_sessions: &[u32], ages: &[u32]) -> Self {
        let mut keyed: Vec<(u64, u32, TurnPlace)> = Vec::new();
        for (at, file) in (0..).zip(&snapshot.files) {
            for (row_at, row) in (0..).zip(&file.head().turns.rows) {
                let Some(key) = row.key else { continue };
                let session = first_sessions[at as usize] + row.session;
                let place = TurnPlace {
                    file: at,
                    row: row_at,
                };
                keyed.push((key, ages[session as usize], place));
            }
        }
        keyed.sort_unstable_by_key(|(key, age, place)| (*key, *age, place.row));
        let mut copies = Self::default();
        for same in keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let owner = same[0].2;
            let owner_age = same[0].1;
            for (_, age, place) in &same[1..] {
                copies.owners.insert(*place, owner);
                // The same entries twice in one session: nobody else holds them.
                if *age == owner_age {
                    continue;
                }
                let row = &snapshot.files[place.file as usize].head().turns.rows[place.row as usize];
                let session = first_sessions[place.file as usize] + row.session;
                let holders = copies.holders.entry(owner).or_default();
                if holders.last().is_none_or(|last| last.session != session) {
                    holders.push(Holder {
                        session,
                        branch: row.branch,
                    });
                }
            }
        }
        copies
    }
}

/// Numbers of exchanges over all sessions.
struct Exchanges {
    /// The first exchange of each session.
    first: Vec<u32>,
}

impl Exchanges {
    fn new(snapshot: &Snapshot, first_sessions: &[u32], sessions: usize) -> Self {
        let mut counts = vec![0u32; sessions];
        for (file, first) in snapshot.files.iter().zip(first_sessions) {
            for row in &file.head().turns.rows {
                let count = &mut counts[(first + row.session) as usize];
                *count = (*count).max(row.exchange + 1);
            }
        }
        let mut next = 0;
        let first = counts
            .into_iter()
            .map(|count| {
                next += count;
                next - count
            })
            .collect();
        Self { first }
    }
}

/// Ordinals of models, without a look through all of them for every turn.
#[derive(Default)]
struct Models(HashMap<smol_str::SmolStr, u32>);

impl Models {
    fn ordinal(&mut self, corpus: &mut Corpus, name: &smol_str::SmolStr) -> u32 {
        match self.0.get(name) {
            Some(ordinal) => *ordinal,
            None => {
                let ordinal = corpus.model_ordinal(name);
                self.0.insert(name.clone(), ordinal);
                ordinal
            }
        }
    }
}
