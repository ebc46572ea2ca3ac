//! What the policies promise.

use lookback_ranker::{Explanation, Operation, Policy};
use lookback_session_model::{BranchState, Role, SessionId};

use crate::corpora::{Library, Searcher, request};

const TODAY: &str = "2026-03-10T12:00:00Z";
const OLD: &str = "2024-01-01T00:00:00Z";

/// Sessions of other matters, so that rarity means something.
fn with_noise(mut library: Library) -> Searcher {
    for i in 0..40 {
        library.session(
            &format!("noise{i:02}"),
            "2025-06-01T00:00:00Z",
            &[
                "how do we do the other thing here",
                "we do it with the usual thing",
            ],
        );
    }
    library.searcher()
}

#[test]
fn a_policy_can_be_printed_and_read_back() {
    for name in Policy::NAMES {
        let policy = Policy::named(name).unwrap();
        assert_eq!(policy.name, name);
        let json = serde_json::to_string(&policy).unwrap();
        assert_eq!(serde_json::from_str::<Policy>(&json).unwrap(), policy);
    }
    assert_eq!(Policy::named("nosuch"), None);
    assert!(serde_json::from_str::<Policy>("{\"name\":\"x\"}").is_err());
}

mod recall {
    use super::*;

    #[test]
    fn any_word_matches_and_the_exact_phrase_wins() {
        let mut library = Library::default();
        library.session("scattered", OLD, &["queue of the job queue, a job for redis job"]);
        library.session(
            "phrase",
            OLD,
            &["so we wrote the redis job queue by hand and it was a long way to go there"],
        );
        library.session("one", OLD, &["redis"]);
        let library = with_noise(library);
        assert_eq!(library.find("redis job queue", Policy::recall())[0], "phrase");
        assert_eq!(library.find("redis job queue", Policy::recall()).len(), 3);
    }

    #[test]
    fn a_tag_outweighs_text() {
        let mut library = Library::default();
        library.session("text", OLD, &["deploy deploy"]);
        library.session("tagged", OLD, &["something else altogether"]);
        library
            .annotations
            .tags
            .insert(SessionId::new("tagged"), vec!["deploy".into()]);
        let library = with_noise(library);
        let ranking = library.answer(&request("deploy", Policy::recall()));
        assert_eq!(library.sessions_of(&ranking), ["tagged", "text"]);
        assert_eq!(library.turns_of(&ranking), ["-", "text/0"]);
    }

    #[test]
    fn a_session_of_this_moment_counts_twice() {
        let mut library = Library::default();
        library.session("old", OLD, &["redis"]);
        library.session("new", TODAY, &["redis"]);
        let ranking = with_noise(library).answer(&request("redis", Policy::recall()));
        assert!((ranking.hits[0].score / ranking.hits[1].score - 2.0).abs() < 1e-5);
    }

    #[test]
    fn of_equal_turns_the_later_one_stands_for_the_session() {
        let mut library = Library::default();
        library.session("s", OLD, &["redis", "redis", "redis redis redis", "redis"]);
        let library = with_noise(library);
        let mut policy = Policy::recall();
        assert_eq!(
            library.turns_of(&library.answer(&request("redis", policy.clone()))),
            ["s/2"]
        );
        policy.grouping.later_turn = 10.0;
        let ranking = library.answer(&request("redis", policy));
        assert_eq!(library.turns_of(&ranking), ["s/3"]);
        assert!(
            ranking.hits[0].score < 10.0,
            "the place in the session is no part of the score"
        );
    }

    #[test]
    fn no_stems_no_prefixes_no_typos() {
        let mut library = Library::default();
        library.session("s", OLD, &["caches are cached in the cacheable store"]);
        let library = library.searcher();
        for query in ["cache", "cachd", "stor"] {
            assert_eq!(library.find(query, Policy::recall()), [""; 0], "{query}");
        }
    }
}

mod memory {
    use super::*;

    #[test]
    fn rare_words_count_no_more_than_common_ones() {
        let mut library = Library::default();
        library.session("two common", OLD, &["usual thing"]);
        library.session("one rare", OLD, &["zanzibar here"]);
        let library = with_noise(library);
        let found = library.find("usual thing zanzibar", Policy::memory());
        let place = |id: &str| found.iter().position(|other| *other == id);
        assert!(place("two common") < place("one rare"), "{found:?}");
    }

    #[test]
    fn repeats_saturate_and_shorter_is_better() {
        let mut library = Library::default();
        library.session("short", OLD, &["redis queue"]);
        library.session("repeats", OLD, &["redis redis redis redis redis and more"]);
        library.session(
            "long",
            OLD,
            &["redis queue and a lot of other words that make the line much longer"],
        );
        let library = library.searcher();
        assert_eq!(library.find("redis queue", Policy::memory())[0], "short");
    }

    #[test]
    fn half_of_the_score_is_left_after_a_month() {
        let mut library = Library::default();
        library.session("new", TODAY, &["redis"]);
        library.session("month", "2026-02-08T12:00:00Z", &["redis"]);
        let ranking = library.searcher().answer(&request("redis", Policy::memory()));
        assert!((ranking.hits[0].score / ranking.hits[1].score - 2.0).abs() < 1e-4);
    }

    #[test]
    fn the_current_folder_gains_a_fifth() {
        let mut library = Library::default();
        library.session("there", TODAY, &["redis"]);
        let here = library.session("here", TODAY, &["redis"]);
        library.index.summary_mut(here).unwrap().cwd = "/home/dev/here".into();
        let library = library.searcher();
        let mut request = request("redis", Policy::memory());
        request.scope.current_cwd = Some("/home/dev/here/".into());
        let ranking = library.answer(&request);
        assert_eq!(library.sessions_of(&ranking), ["here", "there"]);
        assert!((ranking.hits[0].score / ranking.hits[1].score - 1.2).abs() < 1e-5);
    }

    #[test]
    fn at_most_three_hits_of_a_session() {
        let mut library = Library::default();
        library.session("s", TODAY, &["redis"; 9]);
        library.session("t", OLD, &["redis"]);
        let library = library.searcher();
        let ranking = library.answer(&request("redis", Policy::memory()));
        assert_eq!(library.sessions_of(&ranking), ["s", "s", "s", "t"]);
        assert_eq!((ranking.sessions_matched, ranking.hits_total), (2, 4));
    }
}

mod strict {
    use super::*;

    #[test]
    fn all_words_must_be_in_one_turn() {
        let mut library = Library::default();
        library.session("together", OLD, &["redis has a queue"]);
        library.session("apart", OLD, &["redis", "queue"]);
        let library = library.searcher();
        assert_eq!(library.find("redis queue", Policy::strict()), ["together"]);
        assert_eq!(library.find("redis OR queue", Policy::strict()).len(), 2);
        assert_eq!(library.find("redis -queue", Policy::strict()), ["apart"]);
    }

    #[test]
    fn age_does_not_count() {
        let mut library = Library::default();
        library.session("old", OLD, &["redis redis"]);
        library.session("new", TODAY, &["redis once"]);
        assert_eq!(library.searcher().find("redis", Policy::strict()), ["old", "new"]);
    }
}

mod default {
    use super::*;

    fn first(library: Library, query: &str) -> String {
        with_noise(library).find(query, Policy::default())[0].to_owned()
    }

    #[test]
    fn the_exact_form_comes_before_its_forms() {
        let mut library = Library::default();
        library.session("form", TODAY, &["the caches were caching and cached"]);
        library.session("exact", OLD, &["the cache was slow"]);
        let library = with_noise(library);
        assert_eq!(library.find("cache", Policy::default()), ["exact", "form"]);
        let mut exact = request("cache", Policy::default());
        exact.exact = true;
        assert_eq!(library.sessions_of(&library.answer(&exact)), ["exact"]);
    }

    #[test]
    fn an_identifier_comes_before_its_parts() {
        let mut library = Library::default();
        library.session(
            "parts",
            TODAY,
            &["the user has a name, get it: user name user name", "get the name"],
        );
        library.session("exact", OLD, &["getUserName is called twice"]);
        assert_eq!(first(library, "getUserName"), "exact");
    }

    #[test]
    fn a_quoted_line_wins() {
        let mut library = Library::default();
        library.session(
            "words",
            TODAY,
            &[
                "cannot borrow mutable",
                "borrow as mutable twice cannot",
                "mutable borrow",
            ],
        );
        library.session(
            "line",
            OLD,
            &["error: cannot borrow x as mutable more than once at a time in the middle of text"],
        );
        assert_eq!(
            first(library, "cannot borrow x as mutable more than once"),
            "line"
        );
    }

    #[test]
    fn words_spread_over_a_session_count_together() {
        let mut library = Library::default();
        library.session(
            "spread",
            OLD,
            &[
                "we need redis",
                "ok",
                "and the mailer",
                "fine",
                "loses jobs",
                "yes",
            ],
        );
        library.session("one word", OLD, &["redis redis redis", "redis it is"]);
        assert_eq!(first(library, "redis mailer jobs"), "spread");
    }

    #[test]
    fn an_answer_comes_before_a_question_asked_thrice() {
        let mut library = Library::default();
        library.session("asks", OLD, &[]);
        for i in 0..3 {
            library.turn(
                0,
                &format!("asks/{i}"),
                Role::User,
                BranchState::Active,
                "how to drain the redis queue",
            );
        }
        library.session(
            "answers",
            OLD,
            &[
                "how to drain the redis queue",
                "run the flush command on a replica",
            ],
        );
        assert_eq!(first(library, "how to drain the redis queue"), "answers");
    }

    #[test]
    fn the_active_branch_comes_before_an_abandoned_one() {
        let mut library = Library::default();
        for (id, branch) in [("left", BranchState::Abandoned), ("kept", BranchState::Active)] {
            let session = library.session(id, OLD, &["we need a queue", "two options"]);
            library.turn(
                session,
                &format!("{id}/x"),
                Role::Assistant,
                branch,
                "queue written",
            );
        }
        assert_eq!(first(library, "queue written"), "kept");
    }

    #[test]
    fn the_last_word_stands_for_a_session_where_it_is_nearly_the_best() {
        let mut library = Library::default();
        library.session(
            "s",
            OLD,
            &[
                "which store for the job queue",
                "we take redis for the job queue",
                "the job queue loses jobs",
                "then we take postgres for the job queue, not redis any more",
                "thanks, and the queue",
                "is fine",
            ],
        );
        let library = with_noise(library);
        let ranking = library.answer(&request("job queue redis", Policy::default()));
        assert_eq!(library.turns_of(&ranking), ["s/3"]);
        let mut policy = Policy::default();
        policy.grouping.latest_turn_within = 0.0;
        let best = library.answer(&request("job queue redis", policy));
        assert_eq!(library.turns_of(&best), ["s/1"]);
        assert_eq!(
            ranking.hits[0].score, best.hits[0].score,
            "only what is shown changes"
        );
    }

    #[test]
    fn of_near_equals_of_one_folder_the_later_session_comes_first() {
        let mut library = Library::default();
        library.session(
            "before",
            "2025-08-01T00:00:00Z",
            &["store of the job queue?", "redis for the job queue"],
        );
        library.session(
            "after",
            "2025-09-01T00:00:00Z",
            &[
                "again: which store for the job queue?",
                "no longer redis for the job queue, postgres",
            ],
        );
        library.session(
            "aside",
            "2025-10-01T00:00:00Z",
            &["another queue?", "redis is not running"],
        );
        assert_eq!(first(library, "redis job queue"), "after");
    }

    #[test]
    fn words_near_one_another_come_before_the_same_words_apart() {
        let mut library = Library::default();
        let apart = format!(
            "the turbine is fine. {} and the firmware is fine",
            "something else ".repeat(8)
        );
        let near = format!("{} the firmware of a turbine", "something else ".repeat(10));
        library.session("apart", OLD, &[&apart, "yes"]);
        library.session("near", OLD, &[&near, "yes"]);
        assert_eq!(first(library, "turbine firmware"), "near");
    }

    #[test]
    fn recency_is_mild() {
        let mut library = Library::default();
        for i in 0..100 {
            library.session(
                &format!("weak{i}"),
                TODAY,
                &["a redis among other words of a line", "no"],
            );
        }
        library.session(
            "strong",
            OLD,
            &[
                "redis sentinel failover",
                "redis sentinel failover takes a minute",
            ],
        );
        assert_eq!(first(library, "redis sentinel failover"), "strong");
        let mut library = Library::default();
        library.session("old", OLD, &["redis", "yes"]);
        library.session("new", TODAY, &["redis", "yes"]);
        assert_eq!(first(library, "redis"), "new");
    }

    #[test]
    fn very_long_sessions_do_not_win_by_length() {
        let mut library = Library::default();
        let lines = [
            "we talk about redis and everything else there is to say",
            "then about the failover and other things",
            "in the end about a queue that is somewhere",
        ];
        let lines: Vec<&str> = lines.iter().cycle().take(5000).copied().collect();
        library.session("long", TODAY, &lines);
        library.session(
            "topic",
            OLD,
            &["redis failover of the queue", "promote the replica"],
        );
        assert_eq!(first(library, "redis failover queue"), "topic");
    }

    #[test]
    fn stop_words_alone_are_searched_and_beside_others_are_not() {
        let mut library = Library::default();
        library.session("stop", OLD, &["to be or not to be"]);
        library.session("word", OLD, &["redis"]);
        let library = library.searcher();
        assert_eq!(library.find("not to be", Policy::default()), ["stop"]);
        assert_eq!(library.find("is it redis or not", Policy::default()), ["word"]);
    }

    #[test]
    fn names_and_tags_count() {
        let mut library = Library::default();
        let named = library.session("named", OLD, &["nothing of the kind"]);
        library.index.summary_mut(named).unwrap().name = Some("Redis migration".into());
        library.session("tagged", OLD, &["nothing of the kind"]);
        library
            .annotations
            .tags
            .insert(SessionId::new("tagged"), vec!["redis".into()]);
        let library = with_noise(library);
        let mut found = library.find("redis", Policy::default());
        found.sort_unstable();
        assert_eq!(found, ["named", "tagged"]);
    }
}

/// Checks that every sum is the sum and every product the product of its parts.
fn adds_up(explanation: &Explanation) {
    let close = |value: f32| (value - explanation.value).abs() <= 1e-4 * explanation.value.abs().max(1.0);
    match explanation.operation {
        Operation::Given => assert!(explanation.parts.is_empty()),
        Operation::Sum => assert!(
            close(explanation.parts.iter().map(|part| part.value).sum()),
            "{explanation}"
        ),
        Operation::Product => {
            assert!(
                close(explanation.parts.iter().map(|part| part.value).product()),
                "{explanation}"
            );
        }
    }
    explanation.parts.iter().for_each(adds_up);
}

#[test]
fn every_score_can_be_taken_apart() {
    let mut library = Library::default();
    library.session("a", TODAY, &["redis job queue", "caches of getUserName", "redis"]);
    library.session("b", OLD, &["redis", "queue of jobs, cache"]);
    let named = library.session("c", OLD, &["user name of 数据库 and 北京"]);
    library.index.summary_mut(named).unwrap().name = Some("redis cache".into());
    library
        .annotations
        .tags
        .insert(SessionId::new("b"), vec!["queue".into()]);
    let library = with_noise(library);
    for name in Policy::NAMES {
        for query in [
            "redis job queue",
            "redis cache getUserName",
            "\"job queue\" -getUserName",
            "(redis OR 数据库) AND cache",
            "usual redsi",
            "role:user",
            "role:user redis",
        ] {
            let mut request = request(query, Policy::named(name).unwrap());
            request.explain = true;
            let ranking = library.answer(&request);
            for hit in &ranking.hits {
                let explanation = hit.explanation.as_ref().unwrap();
                adds_up(explanation);
                let off = (explanation.value - hit.score).abs();
                assert!(
                    off <= 1e-3 * hit.score.max(1.0),
                    "{query} by {name}: {} is not\n{explanation}",
                    hit.score
                );
            }
        }
    }
}
