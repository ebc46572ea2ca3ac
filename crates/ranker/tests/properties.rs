//! Ranking of corpora made by chance: against a slow model, and as an order.

use std::collections::{BTreeMap, BTreeSet};

use lookback_ranker::{
    Holder, NONE, Policy, Posting, Recency, Scratch, SearchRequest, Searchable, TermSource, Turn, search,
};
use lookback_session_model::{BranchState, Role};
use proptest::prelude::*;

use crate::corpora::{Library, Searcher, request};

const WORDS: [&str; 6] = ["redis", "queue", "getUserName", "user", "数据库", "cached"];

/// Sessions of turns of words.
fn corpus() -> impl Strategy<Value = Vec<Vec<Vec<usize>>>> {
    let turn = proptest::collection::vec(0..WORDS.len(), 1..6);
    let session = proptest::collection::vec(turn, 0..5);
    proptest::collection::vec(session, 1..12)
}

fn searcher(sessions: &[Vec<Vec<usize>>]) -> Searcher {
    let mut library = Library::default();
    for (index, turns) in sessions.iter().enumerate() {
        let texts: Vec<String> = turns
            .iter()
            .map(|turn| turn.iter().map(|word| WORDS[*word]).collect::<Vec<_>>().join(" "))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        // Several sessions of one moment, so that ids decide.
        library.session(
            &format!("s{index:02}"),
            &format!("2026-03-0{}T00:00:00Z", 1 + index % 3),
            &texts,
        );
    }
    library.searcher()
}

/// A query as a condition on one turn, and as text.
#[derive(Debug, Clone)]
enum Condition {
    Word(usize),
    Not(Box<Condition>, Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

fn condition() -> impl Strategy<Value = Condition> {
    let word = (0..WORDS.len()).prop_map(Condition::Word);
    word.prop_recursive(3, 12, 2, |inner| {
        let pair = (inner.clone(), inner).prop_map(|(one, other)| (Box::new(one), Box::new(other)));
        prop_oneof![
            pair.clone().prop_map(|(one, other)| Condition::Not(one, other)),
            pair.clone().prop_map(|(one, other)| Condition::And(one, other)),
            pair.prop_map(|(one, other)| Condition::Or(one, other)),
        ]
    })
}

impl Condition {
    fn text(&self) -> String {
        match self {
            Self::Word(word) => WORDS[*word].to_owned(),
            Self::Not(one, other) => format!("({}) -({})", one.text(), other.text()),
            Self::And(one, other) => format!("({}) AND ({})", one.text(), other.text()),
            Self::Or(one, other) => format!("({}) OR ({})", one.text(), other.text()),
        }
    }

    /// Whether a turn has it. `user` is a part of `getUserName` too.
    fn holds(&self, turn: &[usize]) -> bool {
        match self {
            Self::Word(3) => turn.contains(&3) || turn.contains(&2),
            Self::Word(word) => turn.contains(word),
            Self::Not(one, other) => one.holds(turn) && !other.holds(turn),
            Self::And(one, other) => one.holds(turn) && other.holds(turn),
            Self::Or(one, other) => one.holds(turn) || other.holds(turn),
        }
    }
}

/// A turn: its session, the exchange of that session, its words, how it stands to the branch, sessions with a copy.
type Placed = (u32, u32, Vec<usize>, BranchState, Vec<u32>);

/// Turns of six sessions as they come: sessions and exchanges stand in several places.
fn placed() -> impl Strategy<Value = Vec<Placed>> {
    let branch = prop_oneof![
        Just(BranchState::Active),
        Just(BranchState::Compacted),
        Just(BranchState::Abandoned)
    ];
    let words = proptest::collection::vec(0..WORDS.len(), 1..6);
    let copies = proptest::collection::vec(0..6u32, 0..2);
    proptest::collection::vec((0..6u32, 0..3u32, words, branch, copies), 1..30)
}

fn scattered(turns: &[Placed]) -> Searcher {
    let mut library = Library::default();
    for session in 0..6 {
        library.index.add_session(
            &format!("s{session}"),
            "/work",
            &format!("2026-03-0{}T00:00:00Z", session + 1),
        );
    }
    for (at, (session, exchange, words, branch, copies)) in (0..).zip(turns) {
        let words: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
        let holders: Vec<Holder> = copies
            .iter()
            .filter(|copy| *copy != session)
            .map(|copy| Holder {
                session: *copy,
                branch: BranchState::Active,
            })
            .collect();
        let turn = Turn {
            session: *session,
            exchange: session * 3 + exchange,
            role: if at % 2 == 0 { Role::User } else { Role::Assistant },
            branch: *branch,
            time_ms: i64::from(at) * 60_000,
            length: 0,
            position: at,
            model: NONE,
        };
        // Of some turns, no two words are near one another.
        let between = if at % 3 == 0 {
            " one two three four five six seven "
        } else {
            " "
        };
        library.index.push(turn, &holders, &words.join(between));
    }
    library.searcher()
}

fn policy() -> impl Strategy<Value = Policy> {
    (0..Policy::NAMES.len()).prop_map(|index| Policy::named(Policy::NAMES[index]).unwrap())
}

/// Policies with other numbers, sensible or not.
fn changed_policy() -> impl Strategy<Value = Policy> {
    let number = prop_oneof![Just(-0.5f32), Just(0.0), 0.0f32..3.0];
    (policy(), 0..7, number).prop_map(|(mut policy, which, number)| {
        match which {
            0 => policy.scales.exchange = number,
            1 => policy.scales.session = number,
            2 => policy.boosts.neighbours = number,
            3 => policy.factors.abandoned = number,
            4 => policy.factors.coverage = number,
            5 => {
                policy.recency = Recency::Boost {
                    gain: 3.0 * number,
                    days: 365.0,
                }
            }
            _ => policy.grouping.latest_session_within = number / 3.0,
        }
        policy
    })
}

proptest! {
    #[test]
    fn conditions_hold_for_the_hits_and_for_no_other_session(sessions in corpus(), condition in condition()) {
        let searcher = searcher(&sessions);
        let mut request = request(&condition.text(), Policy::strict());
        request.exact = true;
        let ranking = searcher.answer(&request);
        let found: BTreeSet<usize> = ranking.hits.iter().map(|hit| hit.session as usize).collect();
        let expected: BTreeSet<usize> = (0..sessions.len())
            .filter(|session| sessions[*session].iter().any(|turn| condition.holds(turn)))
            .collect();
        prop_assert_eq!(&found, &expected, "{}", condition.text());
        prop_assert_eq!(ranking.sessions_matched, expected.len());
        prop_assert_eq!(ranking.hits.len(), expected.len(), "one hit per session");
    }

    #[test]
    fn pages_have_no_gaps_and_no_repeats(
        sessions in corpus(),
        query in proptest::sample::subsequence(WORDS.to_vec(), 1..4),
        policy in policy(),
        limit in 1usize..5,
    ) {
        let searcher = searcher(&sessions);
        let mut request = request(&query.join(" "), policy);
        let all = searcher.answer(&request);
        request.limit = limit;
        let mut paged = Vec::new();
        let mut offset = Some(0);
        while let Some(from) = offset {
            request.offset = from;
            let page = searcher.answer(&request);
            prop_assert_eq!(page.sessions_matched, all.sessions_matched);
            paged.extend(page.hits);
            offset = page.next_offset;
        }
        prop_assert_eq!(paged, all.hits);
    }

    #[test]
    fn a_short_page_is_the_beginning_of_a_long_one(
        turns in placed(),
        query in proptest::sample::subsequence(WORDS.to_vec(), 1..4),
        filter in proptest::sample::select(vec!["", " role:user", " branch:active", " session:s1", " -redis"]),
        policy in prop_oneof![policy(), changed_policy()],
        limit in 1usize..4,
    ) {
        let searcher = scattered(&turns);
        let mut request = request(&(query.join(" ") + filter), policy);
        let all = searcher.answer(&request);
        request.limit = limit;
        let page = searcher.answer(&request);
        prop_assert_eq!(&page.hits, &all.hits[..limit.min(all.hits.len())]);
        prop_assert_eq!((page.hits_total, page.sessions_matched), (all.hits_total, all.sessions_matched));
    }

    #[test]
    fn hits_are_in_order_and_the_same_every_time(
        sessions in corpus(),
        query in proptest::sample::subsequence(WORDS.to_vec(), 1..4),
        policy in policy(),
    ) {
        let searcher = searcher(&sessions);
        let request = request(&query.join(" "), policy);
        let ranking = searcher.answer(&request);
        for pair in ranking.hits.windows(2) {
            let key = |hit: &lookback_ranker::RankedHit| {
                let summary = searcher.corpus.summary(hit.session).unwrap();
                (std::cmp::Reverse(summary.modified), summary.id.clone(), std::cmp::Reverse(hit.turn))
            };
            let ordered = pair[0].score > pair[1].score || pair[0].score == pair[1].score && key(&pair[0]) < key(&pair[1]);
            prop_assert!(ordered);
            prop_assert!(pair[0].score.is_finite() && pair[1].score > 0.0);
        }
        // A scratch that other queries have used changes nothing.
        let mut scratch = Scratch::default();
        let searchable = Searchable {
            provider: &searcher.provider,
            corpus: &searcher.corpus,
            labels: &searcher.labels,
            live_turns: &[],
        };
        for query in ["redis queue", "user -redis", "role:user", &request.query] {
            let other = SearchRequest { query: query.to_owned(), ..request.clone() };
            search(&other, &searchable, &mut scratch).unwrap();
        }
        prop_assert_eq!(search(&request, &searchable, &mut scratch).unwrap().hits, ranking.hits);
    }

    /// `recall` from its formula: BM25 of the best turn, the phrase, the recency.
    #[test]
    fn recall_is_its_formula(sessions in corpus(), query in proptest::sample::subsequence(vec!["redis", "queue"], 1..3)) {
        let searcher = searcher(&sessions);
        let request = request(&query.join(" "), Policy::recall());
        let ranking = searcher.answer(&request);
        let corpus = &searcher.corpus;
        let turns = corpus.turn_count() as f32;
        let average = (0..corpus.turn_count() as u32).map(|turn| corpus.turn(turn).unwrap().length).sum::<u32>() as f32
            / turns.max(1.0);
        let rarity = |count: usize| (1.0 + (turns - count as f32 + 0.5) / (count as f32 + 0.5)).ln();
        let saturation = |tf: f32, length: u32| tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * length as f32 / average.max(1.0)));
        let mut scores: BTreeMap<u32, f32> = BTreeMap::new();
        let mut worth = 0.0;
        for word in &query {
            let mut list: Vec<Posting> = Vec::new();
            searcher.provider.term_postings(word, &mut list).unwrap();
            worth += rarity(list.len());
            for posting in &list {
                let length = corpus.turn(posting.turn).unwrap().length;
                *scores.entry(posting.turn).or_default() += rarity(list.len()) * saturation(posting.tf, length);
            }
        }
        if query.len() == 2 {
            for (turn, score) in &mut scores {
                let turn = corpus.turn(*turn).unwrap();
                let text = &sessions[turn.session as usize][turn.position as usize];
                let count = text.windows(2).filter(|pair| pair == &[0, 1]).count();
                if count > 0 {
                    *score += 10.0 * worth * saturation(count as f32, turn.length);
                }
            }
        }
        for hit in &ranking.hits {
            let of_session = scores.iter().filter(|(turn, _)| corpus.turn(**turn).unwrap().session == hit.session);
            let key = |turn: u32, score: f32| score + 0.01 * corpus.turn(turn).unwrap().position as f32;
            let best = of_session.max_by(|one, other| key(*one.0, *one.1).total_cmp(&key(*other.0, *other.1))).unwrap();
            let summary = corpus.summary(hit.session).unwrap();
            let age = (request.now.as_millis() - summary.modified.unwrap().as_millis()) as f32 / 86_400_000.0;
            let expected = best.1 * (1.0 + (-age / 7.0).exp());
            prop_assert!((hit.score - expected).abs() < 1e-3 * expected.max(1.0), "{} {}", hit.score, expected);
        }
        let matched: BTreeSet<u32> = scores.keys().map(|turn| corpus.turn(*turn).unwrap().session).collect();
        prop_assert_eq!(ranking.sessions_matched, matched.len());
    }

    #[test]
    fn any_query_is_answered(sessions in corpus(), query in "\\PC{0,60}", policy in policy(), typing: bool) {
        let searcher = searcher(&sessions);
        let request = SearchRequest { typing, explain: true, ..request(&query, policy) };
        let ranking = searcher.answer(&request);
        prop_assert!(ranking.hits.iter().all(|hit| hit.score.is_finite()));
    }
}
