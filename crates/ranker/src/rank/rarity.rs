use crate::{Corpus, Policy};

/// The rarity of a concept at each scale, and in how many turns it occurs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Worth {
    pub(super) weight: f32,
    pub(super) turns: usize,
    pub(super) turn: f32,
    pub(super) exchange: f32,
    pub(super) session: f32,
}

/// In how many units a concept occurs, whatever filters leave of them. Those that have it in a weaker form only count as
/// so much less: a common relative must not make the word common.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    pub(super) turns: f64,
    pub(super) exchanges: f64,
    pub(super) sessions: f64,
}

impl Worth {
    /// Of a concept that occurs in `turns` turns.
    pub(super) fn of(weight: f32, turns: usize, found: Found, corpus: &Corpus, policy: &Policy) -> Self {
        let rarity = policy.rarity;
        Self {
            weight,
            turns,
            turn: rarity.of(found.turns as f32, corpus.turn_count()),
            exchange: rarity.of(found.exchanges as f32, corpus.exchange_count()),
            session: rarity.of(found.sessions as f32, corpus.session_count()),
        }
    }
}
