//! How long ranking takes, without any engine: postings made by chance for a corpus of 2,000 sessions and 83,000
//! turns, looked up from memory and ranked.
//!
//! `cargo run --release -p lookback-ranker --example rank_speed`. The first column is the fastest of 200 runs in
//! microseconds, the second the median, the third how many sessions match. Copying the postings out of the
//! provider's memory is part of every figure. An argument runs that query alone.

#![allow(clippy::print_stdout, reason = "an example is a program")]

use std::convert::Infallible;
use std::time::Instant;

use lookback_ranker::analysis::Tokens;
use lookback_ranker::memory::MemoryIndex;
use lookback_ranker::{
    Annotations, Corpus, Labels, Leaf, NONE, Policy, Posting, Provider, Scratch, SearchRequest, Searchable,
    Turn, Vocabulary, search,
};
use lookback_session_model::{BranchState, Role, Timestamp};

const SESSIONS: u32 = 2_000;
const TURNS: u32 = 83_000;

/// A small generator of numbers; the same on every machine.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % limit
    }
}

/// Words `w<n>` occur in one of `n` turns; nothing else is known.
struct Synthetic {
    lists: Vec<(String, Vec<Posting>)>,
}

impl Vocabulary for Synthetic {
    type Error = Infallible;

    fn document_frequency(&self, term: &str) -> Result<u32, Infallible> {
        Ok(self
            .lists
            .iter()
            .find(|(word, _)| word == term)
            .map_or(0, |(_, list)| list.len() as u32))
    }

    fn terms_with_prefix(&self, _: &str, _: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        Ok(())
    }

    fn terms_containing(&self, _: &str, _: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        Ok(())
    }

    fn terms_within_distance(&self, _: &str, _: u8, _: &mut dyn FnMut(&str, u32)) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Provider for Synthetic {
    fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), Infallible> {
        if let Leaf::Terms(terms) = leaf
            && let Some((_, list)) = self
                .lists
                .iter()
                .find(|(word, _)| Some(word.as_str()) == terms.first().map(|t| t.as_str()))
        {
            out.extend_from_slice(list);
        }
        Ok(())
    }
}

fn corpus(chance: &mut Chance) -> Corpus {
    let mut sessions = MemoryIndex::default();
    for session in 0..SESSIONS {
        let day = 1 + session % 28;
        sessions.add_session(
            &format!("{session:08}"),
            "/home/dev",
            &format!("2026-02-{day:02}T00:00:00Z"),
        );
    }
    let (mut corpus, _) = sessions.finish();
    corpus.reserve(TURNS as usize);
    for turn in 0..TURNS {
        let role = if turn % 2 == 0 {
            Role::User
        } else {
            Role::Assistant
        };
        corpus.push_turn(
            Turn {
                session: (u64::from(turn) * u64::from(SESSIONS) / u64::from(TURNS)) as u32,
                exchange: turn / 2,
                role,
                branch: BranchState::Active,
                time_ms: i64::from(turn) * 60_000,
                length: 20 + chance.below(200),
                position: turn % 40,
                model: NONE,
            },
            &[],
        );
    }
    corpus
}

fn main() {
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let corpus = corpus(&mut chance);
    let lists = [3, 10, 30, 100, 1000, 20_000]
        .into_iter()
        .map(|share| {
            let list = (0..TURNS)
                .filter(|_| chance.below(share) == 0)
                .map(|turn| Posting::new(turn, 1.0 + (turn % 3) as f32))
                .collect();
            (format!("w{share}"), list)
        })
        .collect();
    let provider = Synthetic { lists };
    let labels = Labels::new(&corpus, &Annotations::default());
    let searchable = Searchable {
        provider: &provider,
        corpus: &corpus,
        labels: &labels,
        live_turns: &[],
    };
    let mut scratch = Scratch::default();

    println!(
        "{:>8} {:>8} {:>8}  query (w3 is in one of 3 turns)",
        "best", "median", "sessions"
    );
    let only = std::env::args().nth(1);
    for query in [
        "w20000",
        "w1000",
        "w100",
        "w30",
        "w3",
        "w3 w10 w30 w100 w1000",
        "w3 AND w10",
        "w3 -w10",
        "w3 role:user",
        "w10 w100 after:14d",
    ] {
        if only.as_ref().is_some_and(|only| only != query) {
            continue;
        }
        for name in ["recall", "default"] {
            let request = SearchRequest {
                policy: Policy::named(name).unwrap_or_default(),
                now: Timestamp::parse("2026-03-01T00:00:00Z").unwrap_or(Timestamp::EPOCH),
                exact: true,
                ..SearchRequest::new(query)
            };
            let mut micros = Vec::new();
            let mut matched = 0;
            for _ in 0..200 {
                let started = Instant::now();
                let Ok(ranking) = search(&request, &searchable, &mut scratch);
                micros.push(started.elapsed().as_secs_f64() * 1e6);
                matched = ranking.sessions_matched;
            }
            micros.sort_by(f64::total_cmp);
            println!(
                "{:8.0} {:8.0} {matched:8}  {query} ({name})",
                micros[0], micros[100]
            );
        }
    }

    let text =
        "let user = getUserName(&session_id).await?; // see src/core/session-manager.ts:412, the cache is \
                cold until login and 数据库 stays empty. "
            .repeat(50_000);
    let started = Instant::now();
    let mut tokens = Tokens::new(&text);
    let mut count = 0u64;
    while tokens.advance() {
        count += 1;
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "analysis: {:.0} MB/s, {:.1} tokens per 100 bytes",
        text.len() as f64 / 1e6 / seconds,
        count as f64 * 100.0 / text.len() as f64
    );
}
