//! The digests of all files as one corpus, by the same rules as an index: a turn that several sessions hold counts once
//! and belongs to the oldest of them.

use std::collections::HashMap;

use lookback_ranker::{Corpus, Holder, NONE, Turn};
use lookback_session_model::{BranchState, Lineage, Parent, Role, SessionSummary};

use crate::{digest::FileDigest, interest::Interests, options::Statistics, postings::Postings};

/// What a query is answered from.
#[derive(Debug)]
pub(crate) struct Library {
    pub(crate) corpus: Corpus,
    pub(crate) files: Vec<FileDigest>,
    /// Of each session.
    pub(crate) sessions: Vec<SessionPlace>,
    /// Of each turn; turns that only fill the corpus up have none.
    turns: Vec<TurnPlace>,
    /// The turn of each copy.
    copies: HashMap<TurnPlace, u32>,
    /// The turns that the searcher has before its eyes, ascending.
    pub(crate) live_turns: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SessionPlace {
    /// Position in [`Library::files`].
    pub(crate) file: u32,
    /// Position among the sessions of the file.
    pub(crate) session: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct TurnPlace {
    session: u32,
    /// Position among the turns of the session that were taken in.
    at: u32,
}

impl Library {
    /// `files` are sorted by path.
    pub(crate) fn new(files: Vec<FileDigest>, interests: Interests, whole: bool) -> (Self, Postings) {
        let mut summaries = Vec::new();
        let mut sessions = Vec::new();
        for (file, digest) in (0..).zip(&files) {
            for (session, known) in (0..).zip(&digest.sessions) {
                summaries.push(known.summary.clone());
                sessions.push(SessionPlace { file, session });
            }
        }
        let ages = ages(&summaries);
        let parents = parents(&summaries);
        let mut library = Self {
            corpus: Corpus::new(summaries, parents),
            files,
            sessions,
            turns: Vec::new(),
            copies: HashMap::new(),
            live_turns: Vec::new(),
        };
        let copies = library.find_copies(&ages);
        let mut postings = Postings::new(interests);
        library.add_turns(&copies, &mut postings);
        if !whole {
            library.pad();
        }
        (library, postings)
    }

    /// Copies of turns: for each the original, and for each original who else holds it.
    fn find_copies(&self, ages: &[u32]) -> Copies {
        let mut keyed: Vec<(u64, u32, TurnPlace)> = Vec::new();
        for (session, place) in (0..).zip(&self.sessions) {
            let turns = &self.files[place.file as usize].sessions[place.session as usize].turns;
            for (at, turn) in (0..).zip(turns) {
                if let Some(key) = turn.key {
                    keyed.push((key, ages[session as usize], TurnPlace { session, at }));
                }
            }
        }
        keyed.sort_unstable_by_key(|(key, age, place)| (*key, *age, place.at));
        let mut copies = Copies::default();
        for same in keyed.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
            let (_, owner_age, owner) = same[0];
            for &(_, age, place) in &same[1..] {
                copies.owners.insert(place, owner);
                // The same entries twice in one session: nobody else holds them.
                if age == owner_age {
                    continue;
                }
                let known = self.sessions[place.session as usize];
                let digest = &self.files[known.file as usize].sessions[known.session as usize];
                let holders = copies.holders.entry(owner).or_default();
                if holders.last().is_none_or(|last| last.session != place.session) {
                    holders.push(Holder {
                        session: place.session,
                        branch: digest.turns[place.at as usize].branch,
                    });
                }
            }
        }
        copies
    }

    fn add_turns(&mut self, copies: &Copies, postings: &mut Postings) {
        let mut live = Vec::new();
        let mut first_exchange = 0;
        // The numbers of a file's terms in the postings.
        let mut ids: Vec<u32> = Vec::new();
        for (session, place) in (0..).zip(&self.sessions) {
            let file = &self.files[place.file as usize];
            if place.session == 0 {
                ids.clear();
                ids.extend(file.terms.iter().map(|term| postings.id(term)));
            }
            let digest = &file.sessions[place.session as usize];
            for (at, turn) in (0..).zip(&digest.turns) {
                let here = TurnPlace { session, at };
                if copies.owners.contains_key(&here) {
                    if turn.live {
                        live.push(here);
                    }
                    continue;
                }
                let model = match digest.models.get(turn.model as usize) {
                    Some(name) => self.corpus.model_ordinal(name),
                    None => NONE,
                };
                let ordinal = self.corpus.push_turn(
                    Turn {
                        session,
                        exchange: first_exchange + turn.exchange,
                        role: turn.role,
                        branch: turn.branch,
                        time_ms: turn.time_ms,
                        length: turn.length,
                        position: turn.position,
                        model,
                    },
                    copies.holders.get(&here).map_or(&[], Vec::as_slice),
                );
                self.turns.push(here);
                if turn.live {
                    self.live_turns.push(ordinal);
                }
                let (from, to) = (turn.occurrences.start as usize, turn.occurrences.end as usize);
                for occurrence in &file.occurrences[from..to] {
                    postings.add(ids[occurrence.term as usize], ordinal, occurrence.position);
                }
            }
            first_exchange += digest.exchanges;
        }
        let ordinals: HashMap<TurnPlace, u32> = self.turns.iter().copied().zip(0..).collect();
        self.copies = copies
            .owners
            .iter()
            .filter_map(|(copy, owner)| Some((*copy, *ordinals.get(owner)?)))
            .collect();
        self.live_turns
            .extend(live.iter().filter_map(|copy| self.copies.get(copy)));
        self.live_turns.sort_unstable();
        self.live_turns.dedup();
    }

    /// Adds turns that no query finds, so that the average length of a turn is the typical one.
    fn pad(&mut self) {
        let typical = u64::from(Statistics::TYPICAL_LENGTH);
        let turns = self.turns.len() as u64;
        let length: u64 = (0..self.turns.len() as u32)
            .filter_map(|turn| self.corpus.turn(turn))
            .map(|turn| u64::from(turn.length))
            .sum();
        let exchange = self.corpus.exchange_count() as u32;
        let mut push = |length: u32| {
            self.corpus.push_turn(
                Turn {
                    session: 0,
                    exchange,
                    role: Role::User,
                    branch: BranchState::Active,
                    time_ms: i64::MIN,
                    length,
                    position: 0,
                    model: NONE,
                },
                &[],
            );
        };
        // First empty turns, until the average is not above the typical one, then one that makes up what is missing.
        let wanted = length.div_ceil(typical).max(turns + 1);
        for _ in turns + 1..wanted {
            push(0);
        }
        push(u32::try_from(wanted * typical - length).unwrap_or(u32::MAX));
    }

    /// The number that the turn has in a session's tree, the session being its own or one that holds a copy.
    pub(crate) fn number_in(&self, session: u32, turn: u32) -> Option<u32> {
        let own = *self.turns.get(turn as usize)?;
        let at = if own.session == session {
            own.at
        } else {
            let mut copies = self.copies.iter();
            let (copy, _) = copies.find(|(copy, known)| copy.session == session && **known == turn)?;
            copy.at
        };
        Some(self.digests(session)?.get(at as usize)?.number)
    }

    /// Where a session stands: the number of the turn that stands for it when only its name or tags match.
    pub(crate) fn last_turn(&self, session: u32) -> Option<u32> {
        let turns = self.digests(session)?;
        let last = turns
            .iter()
            .max_by_key(|turn| (turn.branch == BranchState::Active, turn.position))?;
        Some(last.number)
    }

    fn digests(&self, session: u32) -> Option<&[crate::digest::TurnDigest]> {
        let place = self.sessions.get(session as usize)?;
        Some(&self.files[place.file as usize].sessions[place.session as usize].turns)
    }
}

#[derive(Default)]
struct Copies {
    owners: HashMap<TurnPlace, TurnPlace>,
    holders: HashMap<TurnPlace, Vec<Holder>>,
}

/// For each session its place in the order of age: by creation, then id, then path. A session that does not say when it
/// was created is no original.
fn ages(summaries: &[SessionSummary]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..summaries.len() as u32).collect();
    order.sort_by_key(|&at| {
        let summary = &summaries[at as usize];
        (
            summary.created.is_none(),
            summary.created,
            &summary.id,
            &summary.path,
        )
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
