use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    hash::{BuildHasherDefault, Hasher},
    sync::{
        OnceLock,
        atomic::{AtomicU32, Ordering},
    },
};

use lookback_ranker::{Corpus, Holder, NONE, Turn};
use lookback_session_model::{Lineage, Parent, SessionSummary};

use crate::{record::FileId, snapshot::Snapshot};

/// Stands for a copy while turns are numbered.
const COPY: u32 = NONE - 1;

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
    /// Some turns have several documents.
    pub(crate) has_repeats: bool,
    /// The turns in this layer: from this one...
    pub(crate) start: u32,
    /// ... to the one before this.
    pub(crate) end: u32,
    pub(crate) counts: TermCounts,
}

impl LayerTurns {
    /// Those of `turns`, which ascend, that are in this layer.
    pub(crate) fn among<'t>(&self, turns: &'t [u32]) -> &'t [u32] {
        let from = turns.partition_point(|turn| *turn < self.start);
        let to = turns.partition_point(|turn| *turn < self.end);
        &turns[from..to]
    }
}

/// In how many turns the terms of a layer occur, by their ordinals, as far as somebody asked: counting takes a look at
/// all their documents.
#[derive(Debug, Default)]
pub(crate) struct TermCounts {
    /// One more than the count; 0 for those that nobody asked for.
    counts: OnceLock<Box<[AtomicU32]>>,
}

impl TermCounts {
    /// The count of a term among `terms`; `count` finds it out.
    pub(crate) fn of<E>(
        &self,
        terms: usize,
        ordinal: u64,
        count: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let counts = self
            .counts
            .get_or_init(|| std::iter::repeat_with(AtomicU32::default).take(terms).collect());
        let Some(known) = counts.get(ordinal as usize) else {
            return count();
        };
        match known.load(Ordering::Relaxed) {
            0 => {
                let count = count()?;
                known.store(count + 1, Ordering::Relaxed);
                Ok(count)
            }
            more => Ok(more - 1),
        }
    }
}

/// Where a turn is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TurnPlace {
    /// Position in [`Snapshot::files`].
    pub(crate) file: u32,
    /// Position in the rows of the file's turns.
    pub(crate) row: u32,
}

impl TurnPlace {
    /// File and row as one number.
    fn number(self) -> u64 {
        u64::from(self.file) << 32 | u64::from(self.row)
    }
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
        let copies = Copies::find(snapshot, &by_age(&summaries), &sessions);
        let exchanges = first_exchanges(snapshot, &first_sessions, sessions.len());
        let parents = parents(&summaries);
        let documents = snapshot
            .layers
            .iter()
            .map(|layer| layer.documents.len() as usize)
            .sum();
        let mut columns = Self {
            corpus: Corpus::new(summaries, parents),
            turns_of_layers: Vec::with_capacity(snapshot.layers.len()),
            first_documents: Vec::with_capacity(documents),
            places: Vec::with_capacity(documents),
            sessions,
            turns_of_files: snapshot
                .files
                .iter()
                .map(|file| vec![NONE; file.head().turns.rows.len()])
                .collect(),
        };
        columns.corpus.reserve(documents);
        for (copy, _) in &copies.owners {
            *columns.turn_mut(*copy) = COPY;
        }
        let mut models = Models::default();
        for layer in &snapshot.layers {
            let mut turns = LayerTurns {
                of_documents: Vec::with_capacity(layer.documents.len() as usize),
                start: columns.places.len() as u32,
                ..LayerTurns::default()
            };
            for run in layer.documents.runs() {
                columns.number_run(snapshot, run, &mut turns, |columns, place| {
                    let head = snapshot.files[place.file as usize].head();
                    let row = &head.turns.rows[place.row as usize];
                    let session = first_sessions[place.file as usize] + row.session;
                    let names = &head.sessions[row.session as usize].models;
                    let name = row
                        .model
                        .checked_sub(1)
                        .and_then(|model| names.get(model as usize));
                    let turn = Turn {
                        session,
                        exchange: exchanges[session as usize] + row.exchange,
                        role: row.role,
                        branch: row.branch,
                        time_ms: row.time_ms,
                        length: row.length,
                        position: row.position,
                        model: name.map_or(NONE, |name| models.ordinal(&mut columns.corpus, name)),
                    };
                    let holders = copies.holders.get(&place.number()).map_or(&[][..], Vec::as_slice);
                    columns.corpus.push_turn(turn, holders)
                });
            }
            turns.end = columns.places.len() as u32;
            columns.turns_of_layers.push(turns);
        }
        for (copy, owner) in copies.owners {
            *columns.turn_mut(copy) = columns.turns_of_files[owner.file as usize][owner.row as usize];
        }
        columns
    }

    /// Numbers the turns of consecutive documents of a file. `push` adds a turn to the corpus.
    fn number_run(
        &mut self,
        snapshot: &Snapshot,
        (file, first, count): (FileId, u32, u32),
        turns: &mut LayerTurns,
        mut push: impl FnMut(&mut Self, TurnPlace) -> u32,
    ) {
        let end = turns.of_documents.len() + count as usize;
        let Some(file) = snapshot.file(file) else {
            turns.has_holes = true;
            turns.of_documents.resize(end, NONE);
            return;
        };
        let rows = &snapshot.files[file as usize].head().turns.rows;
        let mut row = rows.partition_point(|row| row.doc.saturating_add(row.docs) <= first);
        for doc in first..first.saturating_add(count) {
            while rows.get(row).is_some_and(|known| known.doc + known.docs <= doc) {
                row += 1;
            }
            let place = TurnPlace {
                file,
                row: row as u32,
            };
            let is_alive = rows.get(row).is_some_and(|known| known.doc <= doc);
            let known = if is_alive { *self.turn_mut(place) } else { COPY };
            let turn = match known {
                NONE => {
                    let turn = push(self, place);
                    *self.turn_mut(place) = turn;
                    self.first_documents.push(turns.of_documents.len() as u32);
                    self.places.push(place);
                    turn
                }
                COPY => {
                    turns.has_holes = true;
                    NONE
                }
                // A further document of a long text. Should two layers hold the same one, the first counts.
                known => {
                    turns.has_holes = true;
                    turns.has_repeats = true;
                    if known >= turns.start { known } else { NONE }
                }
            };
            turns.of_documents.push(turn);
        }
        turns.of_documents.resize(end, NONE);
    }

    fn turn_mut(&mut self, place: TurnPlace) -> &mut u32 {
        &mut self.turns_of_files[place.file as usize][place.row as usize]
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

/// The sessions in the order of their age, oldest first: by creation, then id, then path.
fn by_age(summaries: &[SessionSummary]) -> Vec<u32> {
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
    order
}

/// The parent of each session, where it is known.
fn parents(summaries: &[SessionSummary]) -> Vec<u32> {
    let mut parents = vec![NONE; summaries.len()];
    // Few sessions are forks, so few can be parents: those with a name or an id that a fork mentions.
    let named: HashSet<&str> = summaries
        .iter()
        .filter_map(|summary| summary.parent_session.as_deref())
        .flat_map(|parent| {
            let name = file_name(parent);
            let stem = name.strip_suffix(".jsonl").unwrap_or(name);
            [name, stem.split_once('_').map_or(stem, |(_, id)| id)]
        })
        .collect();
    if named.is_empty() {
        return parents;
    }
    let family: Vec<u32> = (0..)
        .zip(summaries)
        .filter(|(_, summary)| {
            summary.parent_session.is_some()
                || named.contains(file_name(summary.path.as_str()))
                || named.contains(summary.id.as_str())
        })
        .map(|(session, _)| session)
        .collect();
    let members: Vec<SessionSummary> = family
        .iter()
        .map(|session| summaries[*session as usize].clone())
        .collect();
    let lineage = Lineage::new(&members);
    for (at, session) in family.iter().enumerate() {
        if let Parent::Known(parent) = lineage.parent(at) {
            parents[*session as usize] = family[*parent];
        }
    }
    parents
}

/// The last part of a path of this system or another.
fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Turns that several sessions hold.
#[derive(Default)]
struct Copies {
    /// Copies, each with its original.
    owners: Vec<(TurnPlace, TurnPlace)>,
    /// Which other sessions hold a copy of an original.
    holders: HashMap<u64, Vec<Holder>, BuildHasherDefault<KeyHasher>>,
}

impl Copies {
    /// `by_age` are the sessions, oldest first.
    fn find(snapshot: &Snapshot, by_age: &[u32], sessions: &[SessionPlace]) -> Self {
        let mut copies = Self::default();
        let repeated = Repeated::new(snapshot);
        let mut originals: HashMap<u64, (u32, TurnPlace), BuildHasherDefault<KeyHasher>> = HashMap::default();
        for &session in by_age {
            let SessionPlace {
                file,
                session: number,
            } = sessions[session as usize];
            let rows = &snapshot.files[file as usize].head().turns.rows;
            for (at, row) in (0..).zip(rows).filter(|(_, row)| row.session == number) {
                let Some(key) = row.key.filter(|key| repeated.may_have(*key)) else {
                    continue;
                };
                let place = TurnPlace { file, row: at };
                match originals.entry(key) {
                    Entry::Vacant(vacant) => {
                        vacant.insert((session, place));
                    }
                    Entry::Occupied(original) => {
                        let (first, owner) = *original.get();
                        copies.owners.push((place, owner));
                        // The same entries twice in one session: nobody else holds them.
                        if first == session {
                            continue;
                        }
                        let holders = copies.holders.entry(owner.number()).or_default();
                        if holders.last().is_none_or(|last| last.session != session) {
                            holders.push(Holder {
                                session,
                                branch: row.branch,
                            });
                        }
                    }
                }
            }
        }
        copies
    }
}

/// The keys that several turns have, and some others: those of most turns, which have no copies, need not be looked up.
struct Repeated {
    bits: Vec<u64>,
}

impl Repeated {
    fn new(snapshot: &Snapshot) -> Self {
        let tables = snapshot.files.iter().map(|file| &file.head().turns);
        let count: usize = tables.clone().map(|table| table.rows.len()).sum();
        // Sixteen bits for each turn: few keys share one by chance.
        let words = (count / 4).next_power_of_two();
        let mut seen = vec![0u64; words];
        let mut repeated = Self { bits: vec![0; words] };
        for key in tables.flat_map(|table| table.rows.iter().filter_map(|row| row.key)) {
            let (word, bit) = repeated.place(key);
            repeated.bits[word] |= seen[word] & bit;
            seen[word] |= bit;
        }
        repeated
    }

    fn may_have(&self, key: u64) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0
    }

    fn place(&self, key: u64) -> (usize, u64) {
        (key as usize >> 6 & (self.bits.len() - 1), 1 << (key & 63))
    }
}

/// Spreads numbers that are hashes already, or count up, at the price of one multiplication.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}

/// The first exchange of each session, where exchanges are numbered over all sessions.
fn first_exchanges(snapshot: &Snapshot, first_sessions: &[u32], sessions: usize) -> Vec<u32> {
    let mut counts = vec![0u32; sessions];
    for (file, first) in snapshot.files.iter().zip(first_sessions) {
        for row in &file.head().turns.rows {
            let count = &mut counts[(first + row.session) as usize];
            *count = (*count).max(row.exchange + 1);
        }
    }
    let mut next = 0;
    for count in &mut counts {
        next += *count;
        *count = next - *count;
    }
    counts
}

/// Ordinals of models, without a look through all of them for every turn.
#[derive(Default)]
struct Models {
    known: HashMap<smol_str::SmolStr, u32>,
    /// The last one asked for, which mostly is the next one too.
    last: Option<(smol_str::SmolStr, u32)>,
}

impl Models {
    fn ordinal(&mut self, corpus: &mut Corpus, name: &smol_str::SmolStr) -> u32 {
        if let Some((last, ordinal)) = &self.last
            && last == name
        {
            return *ordinal;
        }
        let new = || corpus.model_ordinal(name);
        let ordinal = *self.known.entry(name.clone()).or_insert_with(new);
        self.last = Some((name.clone(), ordinal));
        ordinal
    }
}
