//! Pieces of text and the matches in them.

use lookback_ranker::snippet::{self, Matcher, Snippet, SnippetOptions};
use lookback_ranker::{Phrase, analysis};
use proptest::prelude::*;
use smol_str::SmolStr;
use unicode_segmentation::UnicodeSegmentation;

use crate::corpora::highlighted;

fn words(words: &[&str]) -> Matcher {
    let mut matcher = Matcher::default();
    for (concept, word) in (0..).zip(words) {
        matcher.add_terms(concept, 1.0, [&SmolStr::new(analysis::fold(word))]);
    }
    matcher
}

fn cut(text: &str, matcher: &Matcher, graphemes: usize) -> Snippet {
    let options = SnippetOptions {
        graphemes,
        ..SnippetOptions::default()
    };
    snippet::cut(text, matcher, &options).unwrap()
}

#[test]
fn the_window_is_where_the_words_are() {
    let text = format!(
        "{} redis {} redis lost the queue {}",
        "x ".repeat(300),
        "y ".repeat(300),
        "z ".repeat(300)
    );
    let snippet = cut(&text, &words(&["redis", "queue"]), 200);
    assert_eq!(highlighted(&snippet), ["redis", "queue"]);
    assert!(snippet.cut_before && snippet.cut_after);
    assert!(
        (150..=200).contains(&snippet.text.graphemes(true).count()),
        "{}",
        snippet.text.len()
    );
}

#[test]
fn white_space_is_folded() {
    let snippet = cut("\n\n a\tb\r\n  needle \u{a0} c\n", &words(&["needle"]), 200);
    assert_eq!(snippet.text, "a b needle c");
    assert_eq!(highlighted(&snippet), ["needle"]);
    assert!(!snippet.cut_before && !snippet.cut_after);
}

#[test]
fn phrases_are_marked_as_a_whole_and_only_where_they_stand() {
    let mut matcher = Matcher::default();
    matcher.add_phrase(0, 1.0, &Phrase::of_terms(["user", "name"]));
    let snippet = cut("the user has a name: getUserName, user_name", &matcher, 200);
    assert_eq!(highlighted(&snippet), ["UserName", "user_name"]);
}

#[test]
fn units_of_other_languages() {
    // A joined emoji, a tab, a script from right to left, one without spaces, a combining mark.
    let text = "👩‍👩‍👧 дом\tשלום עולם 数据库 e\u{301}t";
    let snippet = cut(text, &words(&["дом", "עולם", "数据", "ét"]), 200);
    assert_eq!(highlighted(&snippet), ["дом", "עולם", "数据", "e\u{301}t"]);
    let utf16: Vec<u16> = snippet.text.encode_utf16().collect();
    let by_utf16: Vec<String> = snippet
        .highlights_utf16()
        .into_iter()
        .map(|range| String::from_utf16(&utf16[range]).unwrap())
        .collect();
    assert_eq!(by_utf16, highlighted(&snippet));
    let chars: Vec<char> = snippet.text.chars().collect();
    let by_chars: Vec<String> = snippet
        .highlights_code_points()
        .into_iter()
        .map(|range| chars[range].iter().collect())
        .collect();
    assert_eq!(by_chars, highlighted(&snippet));
}

#[test]
fn the_entry_that_matches_best_is_named() {
    let texts = [
        "nothing here",
        "a queue",
        "the redis queue",
        "the redis queue again",
    ];
    let (index, snippet) =
        snippet::best_of(texts, &words(&["redis", "queue"]), &SnippetOptions::default()).unwrap();
    assert_eq!((index, snippet.text.as_str()), (2, "the redis queue"));
    assert!(snippet::best_of(texts, &words(&["absent"]), &SnippetOptions::default()).is_none());
}

#[test]
fn a_match_longer_than_the_snippet_is_cut() {
    let word = "a".repeat(120);
    let snippet = cut(&format!("x {word} y"), &words(&[&word]), 50);
    assert_eq!(snippet.text.len(), 50);
    assert_eq!(highlighted(&snippet), ["a".repeat(50)]);
}

proptest! {
    #[test]
    fn highlights_are_the_word(
        before in "[a-z 👩é\u{301}用\t\n]{0,300}",
        after in "[a-z 👩é\u{301}用\t\n]{0,300}",
        graphemes in 1usize..300,
    ) {
        let text = format!("{before} NeedleÜ\u{308}X {after}");
        let snippet = cut(&text, &words(&["needleux"]), graphemes);
        prop_assert!(snippet.text.graphemes(true).count() <= graphemes.max(1));
        prop_assert!(!snippet.highlights.is_empty());
        let mut last = 0;
        for (range, text) in snippet.highlights.iter().zip(highlighted(&snippet)) {
            prop_assert!(range.start >= last && range.start < range.end);
            last = range.end;
            prop_assert!("NeedleÜ\u{308}X".starts_with(text), "{}", text);
        }
        prop_assert!(!snippet.text.contains(['\n', '\t']));
    }

    #[test]
    fn any_text_and_size(text in "\\PC{0,300}", query in "\\PC{1,10}", graphemes in 0usize..50) {
        let terms = analysis::terms(&query);
        let matcher = words(&terms.iter().map(String::as_str).collect::<Vec<_>>());
        let options = SnippetOptions { graphemes, ..SnippetOptions::default() };
        if let Some(snippet) = snippet::cut(&text, &matcher, &options) {
            for range in &snippet.highlights {
                prop_assert!(snippet.text.get(range.clone()).is_some());
            }
        }
    }
}
