//! Input that nobody means: an answer with a warning that says what to do, in linear time.

use std::time::{Duration, Instant};

use lookback_ranker::Policy;

use crate::corpora::{Library, request};

/// A query of `tests/data/bad-queries.json`: a text so many times, and the codes of the warnings that have to be there.
#[derive(serde::Deserialize)]
struct Input {
    text: String,
    times: usize,
    warnings: Vec<String>,
}

fn inputs() -> Vec<(String, Vec<String>)> {
    let inputs: Vec<Input> =
        serde_json::from_str(include_str!("../../../tests/data/bad-queries.json")).unwrap();
    assert!(inputs.len() > 30);
    let whole = |input: Input| (input.text.repeat(input.times), input.warnings);
    inputs.into_iter().map(whole).collect()
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
            for code in &wanted {
                assert!(codes.contains(&code.as_str()), "{shown:?} {policy}: {codes:?}");
            }
            for warning in &answer.warnings {
                assert!(warning.to_string().chars().count() < 400, "{shown:?}: {warning}");
            }
        }
    }
}
