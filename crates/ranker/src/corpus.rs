use std::collections::{BTreeMap, BTreeSet};

use lookback_session_model::{BranchState, Role, SessionId, SessionSummary};
use smol_str::SmolStr;

/// No parent, no model: the ordinal that stands for nothing.
pub const NONE: u32 = u32::MAX;

/// One turn as ranking sees it: consecutive text of one role along one branch of one session.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Turn {
    /// Ordinal of the session the turn belongs to: the oldest one that has its entries.
    pub session: u32,
    /// Ordinal of its exchange: a turn of the user and what answers it. Dense over the whole corpus.
    pub exchange: u32,
    /// Who speaks.
    pub role: Role,
    /// How the turn stands to the branch that the session is on.
    pub branch: BranchState,
    /// When it was said, in milliseconds since 1970; `i64::MIN` when unknown.
    pub time_ms: i64,
    /// Number of positions that [`analysis`](crate::analysis) gives its text.
    pub length: u32,
    /// Place of its first message among the messages of the session, from 0.
    pub position: u32,
    /// Ordinal in [`Corpus::models`] of the model that answered, or [`NONE`].
    pub model: u32,
}

/// Another session that holds a copy of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Holder {
    /// The session with the copy.
    pub session: u32,
    /// How the copy stands to the branch that session is on.
    pub branch: BranchState,
}

/// What scoring reads of every matching turn, together: one access to memory instead of five.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) session: u32,
    pub(crate) exchange: u32,
    pub(crate) length: u32,
    pub(crate) role: Role,
    pub(crate) branch: BranchState,
}

/// Consecutive turns of one session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

/// Everything about turns and sessions that ranking needs besides postings, in columns.
///
/// Ordinals are dense and chosen by the provider, who builds a corpus once per generation of its store and shares it
/// between queries. A turn that several sessions hold (forks copy the entries of their parent) is pushed once, under
/// the oldest of them, with the others as [`Holder`]s.
#[derive(Debug, Clone, Default)]
pub struct Corpus {
    pub(crate) rows: Vec<Row>,
    pub(crate) time_ms: Vec<i64>,
    pub(crate) position: Vec<u32>,
    pub(crate) model: Vec<u32>,
    /// Holders of turn `t` are `holders[holder_offsets[t]..holder_offsets[t + 1]]`.
    pub(crate) holder_offsets: Vec<u32>,
    pub(crate) holders: Vec<Holder>,

    pub(crate) exchange_length: Vec<u32>,
    pub(crate) exchange_answered: Vec<bool>,
    /// One more than the last turn of each exchange so far; 0 before it has one.
    exchange_end: Vec<u32>,

    pub(crate) summaries: Vec<SessionSummary>,
    pub(crate) parent: Vec<u32>,
    pub(crate) session_length: Vec<u32>,
    /// The turns of each session, or where they stand in several places, the first of them.
    first_run: Vec<Run>,
    /// All places of those sessions that have several.
    several_runs: BTreeMap<u32, Vec<Run>>,
    /// Sessions with an exchange whose turns do not follow one another.
    scattered: BTreeSet<u32>,
    /// Time of the last message of each session in milliseconds since 1970; `i64::MIN` when it has none. Beside the
    /// summaries, because every session that matches is asked for it.
    pub(crate) modified_ms: Vec<i64>,
    pub(crate) models: Vec<SmolStr>,
    pub(crate) total_length: u64,
}

impl Corpus {
    /// A corpus of these sessions, without turns yet. The place of a session in the list is its ordinal;
    /// `parents` names for each session the ordinal of the one it was forked from, or [`NONE`].
    pub fn new(summaries: Vec<SessionSummary>, parents: Vec<u32>) -> Self {
        let count = summaries.len();
        let mut parent = parents;
        parent.resize(count, NONE);
        let modified_ms = summaries
            .iter()
            .map(|summary| summary.modified.or(summary.created))
            .map(|time| time.map_or(i64::MIN, |time| time.as_millis()))
            .collect();
        Self {
            summaries,
            parent,
            modified_ms,
            session_length: vec![0; count],
            first_run: vec![Run::default(); count],
            holder_offsets: vec![0],
            ..Self::default()
        }
    }

    /// Makes room for `turns` more turns.
    pub fn reserve(&mut self, turns: usize) {
        self.rows.reserve(turns);
        self.time_ms.reserve(turns);
        self.position.reserve(turns);
        self.model.reserve(turns);
        self.holder_offsets.reserve(turns);
    }

    /// Appends a turn and returns its ordinal. A turn of a session that the corpus does not have is given to the
    /// last session; without any session it is an orphan that no query finds.
    pub fn push_turn(&mut self, turn: Turn, copies: &[Holder]) -> u32 {
        let ordinal = self.rows.len() as u32;
        let session = (turn.session as usize).min(self.summaries.len().wrapping_sub(1)) as u32;
        let exchange = turn.exchange as usize;
        if self.exchange_length.len() <= exchange {
            self.exchange_length.resize(exchange + 1, 0);
            self.exchange_answered.resize(exchange + 1, false);
            self.exchange_end.resize(exchange + 1, 0);
        }
        if ![0, ordinal].contains(&self.exchange_end[exchange]) {
            self.scattered.insert(session);
        }
        self.exchange_end[exchange] = ordinal + 1;
        self.exchange_length[exchange] = self.exchange_length[exchange].saturating_add(turn.length);
        self.exchange_answered[exchange] |= turn.role == Role::Assistant && turn.length > 0;
        if let Some(length) = self.session_length.get_mut(session as usize) {
            *length = length.saturating_add(turn.length);
        }
        self.total_length += u64::from(turn.length);
        self.extend_run(session, ordinal);
        self.rows.push(Row {
            session,
            exchange: turn.exchange,
            length: turn.length,
            role: turn.role,
            branch: turn.branch,
        });
        self.time_ms.push(turn.time_ms);
        self.position.push(turn.position);
        self.model.push(turn.model);
        self.holders.extend(copies);
        self.holder_offsets.push(self.holders.len() as u32);
        ordinal
    }

    fn extend_run(&mut self, session: u32, turn: u32) {
        let next = Run {
            start: turn,
            end: turn + 1,
        };
        let Some(first) = self.first_run.get_mut(session as usize) else {
            return;
        };
        if first.end == 0 {
            *first = next;
        } else if first.end == turn {
            first.end = next.end;
        } else {
            let runs = self.several_runs.entry(session).or_insert_with(|| vec![*first]);
            match runs.last_mut() {
                Some(last) if last.end == turn => last.end = next.end,
                _ => runs.push(next),
            }
        }
    }

    /// Where the turns of a session stand, ascending.
    pub(crate) fn runs_of(&self, session: u32) -> &[Run] {
        let at = session as usize;
        if !self.several_runs.is_empty()
            && let Some(runs) = self.several_runs.get(&session)
        {
            return runs;
        }
        self.first_run.get(at..=at).unwrap_or_default()
    }

    /// Whether turns of other exchanges stand between those of an exchange of the session.
    pub(crate) fn is_scattered(&self, session: u32) -> bool {
        !self.scattered.is_empty() && self.scattered.contains(&session)
    }

    /// The ordinal of a model's name, known from now on.
    pub fn model_ordinal(&mut self, name: &str) -> u32 {
        match self.models.iter().position(|known| known == name) {
            Some(at) => at as u32,
            None => {
                self.models.push(SmolStr::new(name));
                self.models.len() as u32 - 1
            }
        }
    }

    /// Number of turns.
    pub fn turn_count(&self) -> usize {
        self.rows.len()
    }

    /// Number of sessions.
    pub fn session_count(&self) -> usize {
        self.summaries.len()
    }

    /// Number of exchanges.
    pub fn exchange_count(&self) -> usize {
        self.exchange_length.len()
    }

    /// The names of models that turns refer to.
    pub fn models(&self) -> &[SmolStr] {
        &self.models
    }

    /// The turn with this ordinal.
    pub fn turn(&self, ordinal: u32) -> Option<Turn> {
        let at = ordinal as usize;
        let row = self.rows.get(at)?;
        Some(Turn {
            session: row.session,
            exchange: row.exchange,
            role: row.role,
            branch: row.branch,
            time_ms: self.time_ms[at],
            length: row.length,
            position: self.position[at],
            model: self.model[at],
        })
    }

    /// The sessions that hold a copy of the turn, besides its own.
    pub fn holders(&self, turn: u32) -> &[Holder] {
        let at = turn as usize;
        match (self.holder_offsets.get(at), self.holder_offsets.get(at + 1)) {
            (Some(from), Some(to)) => &self.holders[*from as usize..*to as usize],
            _ => &[],
        }
    }

    /// The session with this ordinal.
    pub fn summary(&self, session: u32) -> Option<&SessionSummary> {
        self.summaries.get(session as usize)
    }

    /// The ordinals of the sessions with this id: none, one, or several where files were copied by hand.
    pub fn sessions_with_id<'a>(&'a self, id: &'a SessionId) -> impl Iterator<Item = u32> + 'a {
        (0..)
            .zip(&self.summaries)
            .filter(move |(_, summary)| summary.id == *id)
            .map(|(ordinal, _)| ordinal)
    }
}

/// What users and other tools know about sessions beside their files.
///
/// Filled by whoever owns that knowledge (tags live in a store of their own) and handed to every search.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Annotations {
    /// The tags of each tagged session, without `#`.
    pub tags: BTreeMap<SessionId, Vec<SmolStr>>,
    /// The sessions that wait for an answer; `None` when nobody looked, which makes `is:unread` a warning.
    pub unread: Option<BTreeSet<SessionId>>,
}
