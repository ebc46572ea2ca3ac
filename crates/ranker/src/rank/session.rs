//! The score of a session from its turns and exchanges.

use super::occurrence::{Occurrence, Occurrences};
use super::pair::Pair;
use super::rarity::Worth;
use super::score::Scoring;
use crate::{Corpus, Posting, Provider};

/// Scores sessions, one at a time.
pub(super) struct Sessions<'a, 's> {
    scoring: &'s Scoring<'a>,
    /// What turns and exchanges of the session have that was scored last.
    pub(super) cells: &'s mut Cells,
    /// Where the words of each pair are near one another, as far as it was looked up.
    pub(super) pairs: Vec<Occurrences>,
    /// See [`Scoring::counts_groups`].
    counts_groups: bool,
}

/// What a session as a whole is worth; what its turns are worth is in the cells.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SessionScore {
    pub(super) score: f32,
    /// Which concepts occur, one bit each.
    pub(super) found: u64,
}

/// Dense arrays of scores and frequencies, which are never cleared, only stamped.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// Counts up; a cell with another stamp is empty.
    stamp: u32,
    turns: Vec<Score>,
    exchanges: Vec<Score>,
    /// How often the present part occurs in exchanges.
    frequencies: Vec<Frequency>,
    /// The turns of the session that match, in the order they were met.
    matching: Vec<u32>,
    /// The exchanges that have the present part.
    touched: Vec<u32>,
}

/// The score of a turn or an exchange.
#[derive(Debug, Clone, Copy, Default)]
struct Score {
    /// The scoring of a session that it is of.
    stamp: u32,
    score: f32,
}

impl Score {
    /// Adds to the score; true when it is the first for this stamp.
    fn add(&mut self, stamp: u32, score: f32) -> bool {
        let is_new = self.stamp != stamp;
        let before = if is_new { 0.0 } else { self.score };
        (self.stamp, self.score) = (stamp, before + score);
        is_new
    }
}

/// How often a part occurs in an exchange.
#[derive(Debug, Clone, Copy, Default)]
struct Frequency {
    /// The part in a scoring of a session that it is of.
    stamp: u32,
    tf: f32,
    quality: f32,
}

impl Cells {
    /// Makes room for a corpus, and for so many stamps before the next call.
    fn start(&mut self, corpus: &Corpus, stamps: usize) {
        if stamps > (u32::MAX - self.stamp) as usize {
            *self = Self::default();
        }
        let (turns, exchanges) = (corpus.turn_count(), corpus.exchange_count());
        self.turns.resize(turns.max(self.turns.len()), Score::default());
        self.exchanges
            .resize(exchanges.max(self.exchanges.len()), Score::default());
        self.frequencies
            .resize(exchanges.max(self.frequencies.len()), Frequency::default());
    }

    fn next_stamp(&mut self) -> u32 {
        self.stamp += 1;
        self.stamp
    }

    /// The turns that match of the session that was scored last.
    pub(super) fn matching(&self) -> &[u32] {
        &self.matching
    }

    /// What the words in one of [`Self::matching`] are worth.
    pub(super) fn turn(&self, turn: u32) -> f32 {
        self.turns[turn as usize].score
    }

    /// What the words in the exchange of one of [`Self::matching`] are worth.
    pub(super) fn exchange(&self, exchange: u32) -> f32 {
        self.exchanges[exchange as usize].score
    }
}

impl<'a, 's> Sessions<'a, 's> {
    pub(super) fn new(scoring: &'s Scoring<'a>, cells: &'s mut Cells) -> Self {
        // Each session is scored once, and once more when it is on the page.
        let scorings = 2 * (scoring.corpus.session_count() + 1);
        let parts = scoring.parts.len() + scoring.pairs.len();
        cells.start(scoring.corpus, (parts + 1) * scorings);
        Self {
            scoring,
            cells,
            pairs: scoring.pairs.iter().map(|_| Occurrences::default()).collect(),
            counts_groups: scoring.counts_groups(),
        }
    }

    /// Looks up where the words of pairs are near one another in these sessions.
    pub(super) fn look_up_pairs<P: Provider>(
        &mut self,
        sessions: impl Iterator<Item = u32> + Clone,
        provider: &P,
    ) -> Result<(), P::Error> {
        let (mut turns, mut postings): (Vec<u32>, Vec<Posting>) = Default::default();
        for (pair, known) in self.scoring.pairs.iter().zip(&mut self.pairs) {
            turns.clear();
            for session in sessions.clone() {
                each_in(self.scoring, &pair.most, session, |found| turns.push(found.turn));
            }
            if turns.is_empty() {
                continue;
            }
            turns.sort_unstable();
            postings.clear();
            provider.postings_in(pair.leaf, &turns, &mut postings)?;
            known.add(&postings);
        }
        Ok(())
    }

    /// Whether a session has both words of a pair in one turn, so that [`Self::look_up_pairs`] can change its score.
    pub(super) fn has_pairs(&self, session: u32) -> bool {
        let has_one = |pair: &Pair<'_>| {
            let mut has = false;
            each_in(self.scoring, &pair.most, session, |_| has = true);
            has
        };
        self.scoring.pairs.iter().any(has_one)
    }

    /// Scores a session whose pairs were looked up. `None` when nothing of it matches.
    pub(super) fn score(&mut self, session: u32) -> Option<SessionScore> {
        let scoring = self.scoring;
        let stamp = self.cells.next_stamp();
        self.cells.matching.clear();
        let mut sum = SessionScore::default();
        for part in &scoring.parts {
            if let Some(score) = self.add(&part.occurrences, &part.worth, session, stamp) {
                sum.score += score;
                sum.found |= part.bit;
            }
        }
        let pairs = std::mem::take(&mut self.pairs);
        for (pair, occurrences) in scoring.pairs.iter().zip(&pairs) {
            sum.score += self.add(occurrences, &pair.worth, session, stamp).unwrap_or(0.0);
        }
        self.pairs = pairs;
        (!self.cells.matching.is_empty()).then_some(sum)
    }

    /// Adds what the occurrences of a part are worth to the cells; what they give to the session as a whole. `None` when
    /// it has none.
    fn add(&mut self, occurrences: &Occurrences, worth: &Worth, session: u32, stamp: u32) -> Option<f32> {
        let scoring = self.scoring;
        let corpus = scoring.corpus;
        let concept = self.cells.next_stamp();
        let (mut all_tf, mut best) = (0.0, 0.0f32);
        let cells = &mut *self.cells;
        cells.touched.clear();
        each_in(
            scoring,
            occurrences,
            session,
            |Occurrence { turn, tf, quality }| {
                let row = &corpus.rows[turn as usize];
                let saturation = scoring.turn_saturation.of_quality(tf, quality, row.length);
                if cells.turns[turn as usize].add(stamp, worth.weight * worth.turn * saturation) {
                    cells.matching.push(turn);
                }
                let frequency = &mut cells.frequencies[row.exchange as usize];
                if frequency.stamp != concept {
                    (frequency.stamp, frequency.tf, frequency.quality) = (concept, 0.0, 0.0);
                    cells.touched.push(row.exchange);
                }
                frequency.tf += tf;
                frequency.quality = frequency.quality.max(quality);
                all_tf += tf;
                best = best.max(quality);
            },
        );
        if cells.touched.is_empty() {
            return None;
        }
        if !self.counts_groups {
            return Some(0.0);
        }
        for &exchange in &cells.touched {
            let Frequency { tf, quality, .. } = cells.frequencies[exchange as usize];
            let length = corpus.exchange_length[exchange as usize];
            let saturation = scoring.exchange_saturation.of_quality(tf, quality, length);
            cells.exchanges[exchange as usize].add(stamp, worth.weight * worth.exchange * saturation);
        }
        let length = corpus.session_length[session as usize];
        let saturation = scoring.session_saturation.of_quality(all_tf, best, length);
        Some(worth.weight * worth.session * saturation)
    }
}

/// Visits the occurrences that count for a session.
fn each_in(
    scoring: &Scoring<'_>,
    occurrences: &Occurrences,
    session: u32,
    mut visit: impl FnMut(Occurrence),
) {
    let admitted = scoring.admitted.as_ref();
    for run in scoring.corpus.runs_of(session) {
        let own = occurrences.in_run(*run).iter().copied();
        match admitted {
            None => own.for_each(&mut visit),
            Some(admitted) => own.filter(|own| admitted.is_own(own.turn)).for_each(&mut visit),
        }
    }
    for copy in admitted.map_or(&[][..], |admitted| admitted.copies_of(session)) {
        if let Some(copy) = occurrences.of_turn(*copy) {
            visit(copy);
        }
    }
}
