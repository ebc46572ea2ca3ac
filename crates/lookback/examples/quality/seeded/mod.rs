//! An archive made in code, and queries with one right answer each.
//!
//! Everyday sentences fill a few hundred sessions. Each kind of query then plants its right answers in some of them,
//! and rivals in others: sentences that share words with the answer and are not it. The same seed gives the same
//! archive and the same queries.

mod code;
mod decisions;
mod inexact;
mod prose;
mod random;
mod scripts;
mod words;
mod writing;

use std::collections::HashSet;

use lookback::Timestamp;

use crate::archive::{Message, Session};
use crate::case::Case;
use crate::measure::NOW;
use random::Random;

/// The seed that published figures come from.
pub(crate) const SEED: u64 = 7;

/// Queries of each kind in published figures.
pub(crate) const PER_KIND: usize = 30;

/// Ordinary sessions, before those that kinds of query add.
const ORDINARY: usize = 300;

/// Sessions of hundreds of messages.
const LONG: usize = 10;

/// How far back the oldest session lies.
const DAYS: usize = 300;

const DAY_MS: i64 = 86_400_000;

/// The archive and its queries.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) sessions: Vec<Session>,
    pub(crate) cases: Vec<Case>,
}

/// Makes the archive and `per_kind` queries of each kind.
pub(crate) fn make(seed: u64, per_kind: usize) -> Made {
    let mut maker = Maker::new(seed, per_kind);
    writing::plant(&mut maker);
    code::plant(&mut maker);
    inexact::plant(&mut maker);
    scripts::plant(&mut maker);
    decisions::plant(&mut maker);
    inexact::plant_combinations(&mut maker);
    writing::plant_combinations(&mut maker);
    writing::drop_ambiguous(&mut maker);
    Made {
        sessions: maker.sessions,
        cases: maker.cases,
    }
}

/// The archive while it is made.
struct Maker {
    random: Random,
    per_kind: usize,
    sessions: Vec<Session>,
    cases: Vec<Case>,
    /// Invented names and combinations that were given out.
    used: HashSet<String>,
}

impl Maker {
    fn new(seed: u64, per_kind: usize) -> Self {
        let mut maker = Self {
            random: Random::new(seed),
            per_kind,
            sessions: Vec::new(),
            cases: Vec::new(),
            used: HashSet::new(),
        };
        for _ in 0..ORDINARY {
            let exchanges = match maker.random.below(10) {
                0..5 => maker.random.between(2, 5),
                5..9 => maker.random.between(5, 14),
                _ => maker.random.between(14, 40),
            };
            maker.session(exchanges);
        }
        for _ in 0..LONG {
            let exchanges = maker.random.between(150, 300);
            maker.session(exchanges);
        }
        maker
    }

    /// Adds a session of everyday sentences; returns its number.
    fn session(&mut self, exchanges: usize) -> usize {
        let days = self.random.below(DAYS);
        self.session_of_day(exchanges, days)
    }

    /// The same, some days ago.
    fn session_of_day(&mut self, exchanges: usize, days: usize) -> usize {
        let random = &mut self.random;
        let project = random.one_of(&[
            "shop",
            "atlas",
            "fieldnotes",
            "relay",
            "studio",
            "gauge",
            "harbour",
            "mosaic",
        ]);
        let now = Timestamp::parse(NOW).unwrap_or(Timestamp::EPOCH).as_millis();
        let within = random.below(DAY_MS as usize / 2) as i64;
        let started_ms = now - (days as i64 + 1) * DAY_MS - within;
        let id = format!(
            "{:08x}-{:04x}-7{:03x}-8{:03x}-{:012x}",
            started_ms >> 16,
            started_ms & 0xffff,
            random.below(0x1000),
            random.below(0x1000),
            random.next() & 0xffff_ffff_ffff,
        );
        let mut messages = Vec::with_capacity(2 * exchanges);
        for turn in 0..2 * exchanges {
            let by_user = turn % 2 == 0;
            let count = if by_user {
                random.between(1, 3)
            } else {
                random.between(2, 7)
            };
            let text = prose::sentences(random, by_user, count);
            messages.push(message(random, by_user, text));
        }
        self.sessions.push(Session {
            id,
            cwd: format!("/home/dev/{project}"),
            started_ms,
            fork_of: None,
            messages,
        });
        self.sessions.len() - 1
    }

    /// An ordinary session to plant something in.
    fn host(&mut self) -> usize {
        self.random.below(ORDINARY)
    }

    /// Some different ordinary sessions.
    fn hosts(&mut self, count: usize) -> Vec<usize> {
        let all: Vec<usize> = (0..ORDINARY).collect();
        self.random.several(&all, count).into_iter().copied().collect()
    }

    /// Adds a sentence to one of a session's messages; returns the number of the message.
    fn plant(&mut self, session: usize, by_user: bool, sentence: &str) -> usize {
        let exchanges = self.sessions[session].messages.len() / 2;
        let at = 2 * self.random.below(exchanges) + usize::from(!by_user);
        self.plant_at(session, at, sentence);
        at
    }

    /// Adds a sentence to this message.
    fn plant_at(&mut self, session: usize, at: usize, sentence: &str) {
        let text = &mut self.sessions[session].messages[at].text;
        if self.random.once_in(2) {
            *text = format!("{sentence} {text}");
        } else {
            *text = format!("{text} {sentence}");
        }
    }

    /// Asks for a session.
    fn case(&mut self, kind: &str, session: usize, query: impl Into<String>) {
        self.case_of_entry(kind, session, None, query);
    }

    /// Asks for a session that has to be shown by this message.
    fn case_of_entry(&mut self, kind: &str, session: usize, at: Option<usize>, query: impl Into<String>) {
        let session = &self.sessions[session];
        self.cases.push(Case {
            kind: kind.to_owned(),
            session: session.id.clone(),
            entry: at.map(|at| session.messages[at].entry.clone()),
            query: query.into(),
        });
    }

    /// What nobody was given yet.
    fn fresh(&mut self, mut make: impl FnMut(&mut Random) -> String) -> String {
        loop {
            let made = make(&mut self.random);
            if self.used.insert(made.to_lowercase()) {
                return made;
            }
        }
    }

    /// An invented name of some syllables, in lower case.
    fn name(&mut self, syllables: usize) -> String {
        self.fresh(|random| (0..syllables).map(|_| random.one_of(words::SYLLABLES)).collect())
    }

    /// Different topics, no two of which were given out together before.
    fn topics(&mut self, count: usize) -> Vec<&'static str> {
        loop {
            let topics: Vec<&str> = self
                .random
                .several(words::TOPICS, count)
                .into_iter()
                .copied()
                .collect();
            let mut pairs = Vec::new();
            for (index, one) in topics.iter().enumerate() {
                for other in &topics[index + 1..] {
                    pairs.push(format!("{}+{}", one.min(other), one.max(other)));
                }
            }
            if !pairs.iter().any(|pair| self.used.contains(pair)) {
                self.used.extend(pairs);
                return topics;
            }
        }
    }

    /// Topics that nothing planted so far has together: within an exchange, or within a session.
    fn topics_apart(&mut self, count: usize, within_session: bool) -> Vec<&'static str> {
        loop {
            let topics = self.topics(count);
            let meet = self
                .sessions
                .iter()
                .any(|session| writing::holds_all(session, &topics, within_session));
            if !meet {
                return topics;
            }
        }
    }
}

impl Maker {
    /// A topic that nothing planted so far has in one exchange with a word.
    fn topic_apart_from(&mut self, word: &str) -> &'static str {
        loop {
            let topic = self.random.one_of(words::TOPICS);
            if !self
                .sessions
                .iter()
                .any(|session| writing::holds_all(session, &[topic, word], false))
            {
                return topic;
            }
        }
    }
}

/// A message of its own entry.
fn message(random: &mut Random, by_user: bool, text: String) -> Message {
    Message {
        entry: format!("{:08x}", random.next() as u32),
        by_user,
        text,
    }
}

/// With a capital.
fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
