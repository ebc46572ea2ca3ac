//! What sessions can be worth at most, from one look at the postings.
//!
//! Most sessions that match come nowhere near the first page. One pass over the occurrences of a word, which is needed
//! for its rarity anyway, tells what the best turn and the best exchange of each session give for this word alone. No
//! turn can be worth more than the best ones of all words together.

use super::occurrence::{Occurrence, Occurrences};
use super::rarity::{Found, Worth};
use super::score::Scoring;
use crate::corpus::Row;
use crate::{Corpus, NONE};

/// The sessions that match the present query.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    sessions: Vec<Session>,
    /// The best form of the present part that each exchange has.
    exchanges: Vec<Quality>,
    /// The same for sessions, where filters are in the way of counting them otherwise.
    unfiltered: Vec<Quality>,
    /// The sessions that match, in the order they were met.
    matching: Vec<u32>,
    /// The sessions that have the present part.
    touched: Vec<u32>,
    /// Counts up with queries and parts; a cell with another stamp is empty.
    stamp: u32,
    query: u32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Session {
    /// The query that `bound` is of.
    query: u32,
    /// The part that `sum` is of.
    part: u32,
    sum: Sum,
    bound: Bound,
}

/// What a part gives to a session before its rarity.
#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    tf: f32,
    quality: f32,
    /// The saturation of the best turn and of the best exchange.
    turn: f32,
    exchange: f32,
}

/// What a session can be worth.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bound {
    /// Its best turn with the exchange around it and the session as a whole, at most.
    pub(super) text: f32,
    /// Which concepts occur, one bit each.
    pub(super) found: u64,
}

/// The best quality of a part in a unit.
#[derive(Debug, Clone, Copy, Default)]
struct Quality {
    part: u32,
    quality: f32,
}

impl Quality {
    /// Takes note of a quality; how much better it is than the best so far.
    #[inline]
    fn rise(&mut self, part: u32, quality: f32) -> f64 {
        let before = if self.part == part { self.quality } else { 0.0 };
        let best = greater(before, quality);
        *self = Self { part, quality: best };
        f64::from(best) - f64::from(before)
    }
}

#[inline]
fn greater(one: f32, other: f32) -> f32 {
    if other > one { other } else { one }
}

impl Bounds {
    /// Forgets the last query.
    pub(super) fn start(&mut self, corpus: &Corpus, parts: usize) {
        if self.stamp > u32::MAX - 2 - 2 * parts as u32 {
            *self = Self::default();
        }
        self.stamp += 1;
        self.query = self.stamp;
        self.matching.clear();
        grow(&mut self.sessions, corpus.session_count());
        grow(&mut self.unfiltered, corpus.session_count());
        grow(&mut self.exchanges, corpus.exchange_count());
    }

    /// Takes in a part; in how many units it was found.
    pub(super) fn take(&mut self, occurrences: &Occurrences, scoring: &Scoring<'_>) -> Found {
        self.stamp += 1;
        self.touched.clear();
        let Some(admitted) = scoring.admitted.as_ref() else {
            let mut found = self.take_own(&occurrences.all, scoring);
            let qualities = self
                .touched
                .iter()
                .map(|session| &self.sessions[*session as usize].sum);
            found.sessions = qualities.map(|sum| f64::from(sum.quality)).sum();
            return found;
        };
        let found = self.count(occurrences, scoring);
        self.stamp += 1;
        let own = occurrences.all.iter().filter(|known| admitted.is_own(known.turn));
        let own: Vec<Occurrence> = own.copied().collect();
        self.take_own(&own, scoring);
        for (session, turns) in admitted.copies() {
            for turn in turns {
                if let Some(copy) = occurrences.of_turn(*turn) {
                    self.touch_copy(session, copy, scoring);
                }
            }
        }
        found
    }

    /// In how many units a part occurs, whatever filters leave of them.
    fn count(&mut self, occurrences: &Occurrences, scoring: &Scoring<'_>) -> Found {
        let (part, counts_groups) = (self.stamp, scoring.counts_groups());
        let mut found = Found::default();
        for known in &occurrences.all {
            let row = &scoring.corpus.rows[known.turn as usize];
            found.turns += f64::from(known.quality);
            found.sessions += self.unfiltered[row.session as usize].rise(part, known.quality);
            if counts_groups {
                found.exchanges += self.exchanges[row.exchange as usize].rise(part, known.quality);
            }
        }
        found
    }

    /// Takes in occurrences that count for the session of their turn; in how many turns and exchanges they are.
    fn take_own(&mut self, occurrences: &[Occurrence], scoring: &Scoring<'_>) -> Found {
        let (part, corpus) = (self.stamp, scoring.corpus);
        let counts_groups = scoring.counts_groups();
        let (of_turn, of_exchange) = (scoring.turn_saturation, scoring.exchange_saturation);
        let mut found = Found::default();
        // Turns of a session mostly follow one another, and so do those of an exchange in it.
        let (mut session, mut sum, mut is_scattered) = (NONE, Sum::default(), false);
        let mut running = Running::default();
        for known in occurrences {
            let row = &corpus.rows[known.turn as usize];
            let Occurrence { tf, quality, .. } = *known;
            if row.session != session {
                self.touch(session, sum);
                (session, sum) = (row.session, Sum::default());
                is_scattered = corpus.is_scattered(session);
            }
            found.turns += f64::from(quality);
            sum.tf += tf;
            sum.quality = greater(sum.quality, quality);
            sum.turn = greater(sum.turn, of_turn.of_quality(tf, quality, row.length));
            if counts_groups {
                let rise = running.add(known, row);
                found.exchanges += match is_scattered {
                    true => self.exchanges[row.exchange as usize].rise(part, quality),
                    false => rise,
                };
                let length = corpus.exchange_length[row.exchange as usize];
                let value = of_exchange.of_quality(running.tf, running.quality, length);
                sum.exchange = greater(sum.exchange, value);
            }
        }
        self.touch(session, sum);
        found
    }

    /// Adds what the part that was taken in is worth.
    pub(super) fn add(&mut self, worth: &Worth, bit: u64, scoring: &Scoring<'_>) {
        let scales = scoring.policy.scales;
        let [by_turn, by_exchange, by_session] = [
            scales.turn * worth.turn,
            scales.exchange * worth.exchange,
            scales.session * worth.session,
        ];
        for &session in &self.touched {
            let cell = &mut self.sessions[session as usize];
            if cell.query != self.query {
                (cell.query, cell.bound) = (self.query, Bound::default());
                self.matching.push(session);
            }
            let Sum {
                tf,
                quality,
                turn,
                mut exchange,
            } = cell.sum;
            let mut text = 0.0;
            if by_exchange > 0.0 {
                if scoring.corpus.is_scattered(session) {
                    exchange = scoring.exchange_saturation.of_quality(tf, quality, 0);
                }
                text += by_exchange * exchange;
            }
            if by_session > 0.0 {
                let length = scoring.corpus.session_length[session as usize];
                text += by_session * scoring.session_saturation.of_quality(tf, quality, length);
            }
            cell.bound.text += worth.weight * (text + by_turn * turn);
            cell.bound.found |= bit;
        }
    }

    fn touch(&mut self, session: u32, more: Sum) {
        let Some(cell) = self.sessions.get_mut(session as usize) else {
            return;
        };
        if cell.part != self.stamp {
            (cell.part, cell.sum) = (self.stamp, more);
            self.touched.push(session);
            return;
        }
        cell.sum = Sum {
            tf: cell.sum.tf + more.tf,
            quality: greater(cell.sum.quality, more.quality),
            turn: greater(cell.sum.turn, more.turn),
            exchange: greater(cell.sum.exchange, more.exchange),
        };
    }

    /// A copy in another session: of what stands around it there, nothing is known.
    fn touch_copy(&mut self, session: u32, copy: Occurrence, scoring: &Scoring<'_>) {
        let Occurrence { turn, tf, quality } = copy;
        let length = scoring.corpus.rows[turn as usize].length;
        self.touch(
            session,
            Sum {
                tf,
                quality,
                turn: scoring.turn_saturation.of_quality(tf, quality, length),
                exchange: 0.0,
            },
        );
        let sum = &mut self.sessions[session as usize].sum;
        sum.exchange = scoring.exchange_saturation.of_quality(sum.tf, sum.quality, 0);
    }

    /// The sessions that match, each once.
    pub(super) fn matching(&self) -> impl Iterator<Item = (u32, Bound)> + Clone + '_ {
        self.matching
            .iter()
            .map(|&session| (session, self.sessions[session as usize].bound))
    }
}

/// How often the present part occurs in the present exchange, so far.
#[derive(Debug, Clone, Copy)]
struct Running {
    session: u32,
    exchange: u32,
    tf: f32,
    quality: f32,
}

impl Default for Running {
    fn default() -> Self {
        Self {
            session: NONE,
            exchange: NONE,
            tf: 0.0,
            quality: 0.0,
        }
    }
}

impl Running {
    /// Takes note of an occurrence; how much better the quality became. Without a branch: whether a turn is the first of
    /// its exchange that has a word, nobody could foretell.
    #[inline]
    fn add(&mut self, known: &Occurrence, row: &Row) -> f64 {
        let goes_on = (row.exchange == self.exchange) & (row.session == self.session);
        let kept = f32::from(u8::from(goes_on));
        let before = kept * self.quality;
        let quality = greater(before, known.quality);
        *self = Self {
            session: row.session,
            exchange: row.exchange,
            tf: kept * self.tf + known.tf,
            quality,
        };
        f64::from(quality) - f64::from(before)
    }
}

fn grow<T: Clone + Default>(cells: &mut Vec<T>, count: usize) {
    if cells.len() < count {
        cells.resize(count, T::default());
    }
}
