use crate::Posting;

/// Memory that ranking reuses from query to query: dense arrays that are never cleared, only stamped. One per thread;
/// start with the default, it grows to the size of the corpus.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Counts up with every pass; a cell with another stamp is empty.
    stamp: u32,
    pub(crate) turns: Vec<TurnCell>,
    pub(crate) exchanges: Vec<GroupCell>,
    pub(crate) sessions: Vec<GroupCell>,
    /// Turns that match, in the order they were met.
    pub(crate) touched_turns: Vec<u32>,
    /// The best turn of each session.
    pub(crate) best: Vec<BestCell>,
    /// The turns of one session that follow one another in `touched_turns`.
    pub(crate) runs: Vec<Run>,
    pub(crate) touched_exchanges: Vec<u32>,
    pub(crate) touched_sessions: Vec<u32>,
    /// The postings of a concept whose variants were merged.
    pub(crate) merged: Vec<Occurrence>,
    pub(crate) spare: Vec<Occurrence>,
    /// Lists for postings, kept for their memory: fresh ones of that size cost more than what is done with them.
    pub(crate) lists: Vec<Vec<Posting>>,
}

/// A posting of a concept: its variants together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Occurrence {
    pub(crate) turn: u32,
    /// The session that the turn counts for.
    pub(crate) session: u32,
    pub(crate) exchange: u32,
    pub(crate) length: u32,
    /// The frequencies of the variants times their weights, added up.
    pub(crate) tf: f32,
    /// The weight of the best variant.
    pub(crate) quality: f32,
}

/// What is known of a turn in the present query.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TurnCell {
    /// The query.
    pub(crate) query: u32,
    pub(crate) score: f32,
    /// The session that the turn counts for.
    pub(crate) session: u32,
    pub(crate) exchange: u32,
}

/// What is known of an exchange or a session in the present query.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GroupCell {
    /// The query that `score` and `found` are of.
    pub(crate) query: u32,
    /// The concept that `tf` and `quality` are of.
    pub(crate) concept: u32,
    pub(crate) tf: f32,
    pub(crate) quality: f32,
    pub(crate) score: f32,
    /// Which concepts occur, one bit each.
    pub(crate) found: u64,
}

/// The turn that stands for a session in the present query.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BestCell {
    /// The query.
    pub(crate) query: u32,
    pub(crate) turn: u32,
    /// Its score.
    pub(crate) value: f32,
    /// Its score with what decides between turns of one session.
    pub(crate) key: f32,
    /// The last run of the session's turns.
    pub(crate) run: u32,
}

/// A part of the turns that match.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) from: u32,
    pub(crate) to: u32,
    /// The run before it of the same session, or [`NONE`](crate::NONE).
    pub(crate) before: u32,
}

impl Scratch {
    /// A stamp that no cell has.
    pub(crate) fn next_stamp(&mut self) -> u32 {
        if self.stamp == u32::MAX {
            self.turns.clear();
            self.exchanges.clear();
            self.sessions.clear();
            self.best.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        self.stamp
    }

    /// Makes room for a corpus and forgets the last query.
    pub(crate) fn start(&mut self, turns: usize, exchanges: usize, sessions: usize) -> u32 {
        // Stamps of a query: its own, and one for each concept.
        if self.stamp > u32::MAX - 1024 {
            self.stamp = u32::MAX;
        }
        let query = self.next_stamp();
        self.turns
            .resize(turns.max(self.turns.len()), TurnCell::default());
        self.exchanges
            .resize(exchanges.max(self.exchanges.len()), GroupCell::default());
        self.sessions
            .resize(sessions.max(self.sessions.len()), GroupCell::default());
        self.best
            .resize(sessions.max(self.best.len()), BestCell::default());
        self.touched_turns.clear();
        query
    }
}
