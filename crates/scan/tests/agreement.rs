//! The same answers as an index, for any corpus and query.

use lookback_index::{Index, SyncOptions};
use lookback_ranker::{Annotations, LiveContext, Policy, Recency, SearchReply, SearchRequest};
use lookback_scan::{ScanOptions, Statistics};
use lookback_session_model::{EntryId, SessionId};
use proptest::prelude::*;

use crate::{
    corpora::{RandomSession, any_of_words, query, sessions, so_many_sessions, write},
    library::{Folder, request},
};

struct Both {
    folder: Folder,
    index: Index,
}

impl Both {
    fn new(sessions: &[RandomSession]) -> Self {
        let folder = Folder::new();
        write(&folder, sessions);
        let index = Index::open(&folder.root.with_file_name("index")).unwrap();
        index
            .sync(&SyncOptions::new(std::slice::from_ref(&folder.root)))
            .unwrap();
        Self { folder, index }
    }

    fn answers(&self, request: &SearchRequest, annotations: &Annotations, statistics: Statistics) -> Answers {
        let options = ScanOptions {
            statistics,
            ..ScanOptions::default()
        };
        let scanned = self.folder.scanner().search(request, annotations, &options);
        assert!(scanned.outcome.is_complete(), "{}", scanned.outcome);
        assert_eq!(scanned.markers.len(), scanned.reply.hits.len());
        Answers {
            indexed: self.index.search(request, annotations).unwrap(),
            scanned: scanned.reply,
            typos_left_out: scanned.outcome.typos_left_out,
        }
    }
}

struct Answers {
    indexed: SearchReply,
    scanned: SearchReply,
    typos_left_out: bool,
}

fn annotations() -> impl Strategy<Value = Annotations> {
    let tags = prop::collection::btree_map(
        0..4usize,
        prop::sample::subsequence(vec!["cache", "k3s"], 0..=2),
        0..3,
    );
    (
        tags,
        prop::option::of(prop::collection::btree_set(0..4usize, 0..3)),
    )
        .prop_map(|(tags, unread)| Annotations {
            tags: tags
                .into_iter()
                .map(|(session, tags)| (session_id(session), tags.into_iter().map(Into::into).collect()))
                .collect(),
            unread: unread.map(|unread| unread.into_iter().map(session_id).collect()),
        })
}

fn session_id(number: usize) -> SessionId {
    SessionId::new(format!("s{number}-0123456789abcdef"))
}

fn policy() -> impl Strategy<Value = Policy> {
    (0..Policy::NAMES.len()).prop_map(|at| Policy::named(Policy::NAMES[at]).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_policy_gives_the_answer_of_the_index(
        sessions in sessions(),
        annotations in annotations(),
        queries in prop::collection::vec((query(), policy(), any::<bool>(), any::<bool>(), 1..5usize), 1..8),
    ) {
        let both = Both::new(&sessions);
        for (query, policy, typing, exact, limit) in queries {
            let request = SearchRequest { typing, exact, limit, explain: limit == 1, ..request(&query, policy) };
            let answers = both.answers(&request, &annotations, Statistics::Exact);
            if !answers.typos_left_out {
                prop_assert_eq!(&answers.scanned, &answers.indexed, "{} by {}", query, request.policy.name);
            }
            let mut without_typos = request;
            without_typos.policy.relaxation.typos_below = 0;
            let answers = both.answers(&without_typos, &annotations, Statistics::Exact);
            prop_assert_eq!(&answers.scanned, &answers.indexed, "{} by {}", query, without_typos.policy.name);
        }
    }

    #[test]
    fn matching_lines_alone_give_the_answer_of_the_index_where_length_does_not_count(
        sessions in sessions(),
        annotations in annotations(),
        queries in prop::collection::vec((query(), 1..5usize), 1..8),
    ) {
        let both = Both::new(&sessions);
        let mut policy = Policy::memory();
        policy.saturation.b = 0.0;
        for (query, limit) in queries {
            let request = SearchRequest { limit, ..request(&query, policy.clone()) };
            let answers = both.answers(&request, &annotations, Statistics::AsNeeded);
            prop_assert_eq!(&answers.scanned, &answers.indexed, "{}", query);
        }
    }

    #[test]
    fn sessions_that_cannot_be_on_the_page_change_nothing(
        sessions in so_many_sessions(3..12),
        days in prop_oneof![Just(0.1f32), Just(1.0), Just(5.0)],
        queries in prop::collection::vec((any_of_words(), 0..4usize, 1..4usize, any::<bool>()), 1..8),
    ) {
        let both = Both::new(&sessions);
        let mut policy = Policy::memory();
        policy.saturation.b = 0.0;
        policy.recency = Recency::HalfLife { days };
        for (query, offset, limit, live) in queries {
            let mut request = SearchRequest { limit, offset, ..request(&query, policy.clone()) };
            request.scope.current_cwd = Some("/home/dev/app1".into());
            request.scope.live = live.then(|| LiveContext {
                session: session_id(1),
                entries: ["e1-0", "e0-0", "e1-2"].map(EntryId::new).into(),
            });
            let answers = both.answers(&request, &Annotations::default(), Statistics::AsNeeded);
            prop_assert_eq!(&answers.scanned, &answers.indexed, "{}", query);
        }
    }

    #[test]
    fn matching_lines_alone_find_the_same_sessions(
        sessions in sessions(),
        query in query(),
    ) {
        let both = Both::new(&sessions);
        let request = SearchRequest { limit: 100, ..request(&query, Policy::memory()) };
        let answers = both.answers(&request, &Annotations::default(), Statistics::AsNeeded);
        let names = |reply: &SearchReply| {
            let mut names: Vec<String> = reply.hits.iter().map(|hit| hit.session.id.to_string()).collect();
            names.sort();
            names
        };
        prop_assert_eq!(names(&answers.scanned), names(&answers.indexed));
        prop_assert_eq!(answers.scanned.sessions_matched, answers.indexed.sessions_matched);
        prop_assert_eq!(answers.scanned.sessions_searched, answers.indexed.sessions_searched);
    }
}
