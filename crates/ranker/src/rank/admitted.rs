use std::collections::BTreeMap;

use super::bits::Bits;
use super::score::Scoring;

/// What filters leave of the turns that match.
#[derive(Debug)]
pub(super) struct Admitted {
    /// The turns that count for their own session.
    own: Bits,
    /// The turns that count for another one, which holds a copy of them.
    copies: BTreeMap<u32, Vec<u32>>,
}

impl Admitted {
    /// `None` where every turn counts for its own session.
    pub(super) fn new(scoring: &Scoring<'_>) -> Option<Self> {
        if scoring.admission.is_open() {
            // What is left to look at is the condition.
            return scoring.matching.clone().map(|own| Self {
                own,
                copies: BTreeMap::new(),
            });
        }
        let corpus = scoring.corpus;
        let mut own = Bits::new(corpus.turn_count());
        for posting in scoring.leaves().flat_map(|leaf| scoring.list(leaf)) {
            own.insert(posting.turn);
        }
        let mut copies: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        own.retain(|turn| match scoring.admit(turn) {
            Some(session) if session == corpus.rows[turn as usize].session => true,
            Some(session) => {
                copies.entry(session).or_default().push(turn);
                false
            }
            None => false,
        });
        Some(Self { own, copies })
    }

    #[inline]
    pub(super) fn is_own(&self, turn: u32) -> bool {
        self.own.contains(turn)
    }

    /// The copies that count for each session, ascending.
    pub(super) fn copies(&self) -> impl Iterator<Item = (u32, &[u32])> {
        self.copies
            .iter()
            .map(|(session, turns)| (*session, turns.as_slice()))
    }

    /// The copies that count for a session, ascending.
    pub(super) fn copies_of(&self, session: u32) -> &[u32] {
        self.copies.get(&session).map_or(&[], Vec::as_slice)
    }
}
