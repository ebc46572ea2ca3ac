//! Input that nobody means: an answer with a warning that says what to do, in linear time.

use std::time::{Duration, Instant};

use lookback_ranker::Policy;

use crate::corpora::{Library, request};

/// Input, and the codes of the warnings that have to be there.
fn inputs() -> Vec<(String, &'static [&'static str])> {
    let long = 100_000;
    vec![
        (String::new(), &["nothing-to-search"]),
        (" \t\n ".into(), &["nothing-to-search"]),
        ("\u{0}\u{1}\u{7f}\u{202e}\u{200b}".into(), &["nothing-to-search"]),
        ("redis\u{0}queue\u{1b}[31m".into(), &[]),
        ("AND OR NOT".into(), &["operator-as-text"]),
        ("AND".into(), &["operator-as-text"]),
        ("((((((".into(), &["nothing-to-search"]),
        ("))))".into(), &["nothing-to-search"]),
        ("(redis".into(), &["unbalanced-parenthesis"]),
        ("redis)".into(), &["unbalanced-parenthesis"]),
        ("\"redis queue".into(), &["unclosed-quote"]),
        ("\"".into(), &["nothing-to-search"]),
        ("the of and is".into(), &[]),
        ("NEAR(".into(), &[]),
        ("NEAR()".into(), &[]),
        ("NEAR(redis, queue, -5)".into(), &[]),
        ("NEAR(redis queue, 99999999999999999999)".into(), &[]),
        ("NEAR(NEAR(NEAR(a b, 2) c, 3) d, 4)".into(), &[]),
        ("nosuchfilter:value".into(), &[]),
        ("role:king redis".into(), &["bad-filter-value"]),
        ("after:2026-02-30 redis".into(), &["bad-filter-value"]),
        ("before:99999-99-99 redis".into(), &["bad-filter-value"]),
        ("branch:nowhere redis".into(), &["bad-filter-value"]),
        ("session:abc redis".into(), &["ambiguous-session"]),
        ("-redis".into(), &["only-exclusions"]),
        ("a".repeat(long), &["query-cut"]),
        ("redis ".repeat(long / 6), &["query-cut"]),
        ("(".repeat(long), &["query-cut"]),
        ("(a OR ".repeat(long / 6), &["query-cut"]),
        ("NOT ".repeat(long / 4), &["query-cut"]),
        ("\"".repeat(long), &["query-cut"]),
        ("*a* ".repeat(long / 4), &["query-cut"]),
        ("a*b*".repeat(long / 4), &["query-cut"]),
        ("NEAR(a b ".repeat(long / 9), &["query-cut"]),
        ("用户".repeat(long / 2), &["query-cut"]),
        ("e\u{301}\u{301}".repeat(long / 3), &["query-cut"]),
    ]
}

#[test]
fn is_answered_and_said() {
    let mut library = Library::default();
    for i in 0..50 {
        let turns = ["redis queue and the user", "a b c d of the 用户使用 queue"];
        library.session(&format!("abc{i:02}"), "2026-01-01T00:00:00Z", &turns);
    }
    let searcher = library.searcher();
    for (text, wanted) in inputs() {
        for policy in Policy::NAMES {
            let shown: String = text.chars().take(40).collect();
            let begun = Instant::now();
            let answer = searcher.answer(&request(&text, Policy::named(policy).unwrap()));
            // Generous: a debug build on a busy machine. What grows with a power of the length takes minutes.
            assert!(begun.elapsed() < Duration::from_secs(20), "{shown:?} {policy}");
            let codes: Vec<&str> = answer.warnings.iter().map(|warning| warning.code()).collect();
            for code in wanted {
                assert!(codes.contains(code), "{shown:?} {policy}: {codes:?}");
            }
            for warning in &answer.warnings {
                assert!(warning.to_string().chars().count() < 400, "{shown:?}: {warning}");
            }
        }
    }
}
