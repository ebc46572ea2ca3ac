//! Cuts snippets from any text around any words. The first byte is the size, the first line holds the words (a word in
//! quotation marks is a phrase), the rest is the text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookback_ranker::{
    Phrase, analysis,
    snippet::{self, Matcher, SnippetOptions},
};
use smol_str::SmolStr;
use unicode_segmentation::UnicodeSegmentation;

fuzz_target!(|bytes: &[u8]| {
    let Some((&size, rest)) = bytes.split_first() else {
        return;
    };
    let rest = String::from_utf8_lossy(rest);
    let (words, text) = rest.split_once('\n').unwrap_or(("", &rest));
    let options = SnippetOptions {
        graphemes: usize::from(size),
        // Small enough that the fuzzer gets behind it.
        scan_bytes: 1_000,
    };
    let Some(snippet) = snippet::cut(text, &matcher(words), &options) else {
        return;
    };
    assert!(snippet.text.graphemes(true).count() <= options.graphemes.max(1), "{snippet:?}");
    let mut end = 0;
    for range in &snippet.highlights {
        assert!(range.start >= end && range.start < range.end, "{snippet:?}");
        assert!(snippet.text.get(range.clone()).is_some(), "{snippet:?}");
        end = range.end;
    }
    assert!(!snippet.text.contains(['\n', '\t']), "white space is folded: {snippet:?}");
    let units: Vec<u16> = snippet.text.encode_utf16().collect();
    let points: Vec<char> = snippet.text.chars().collect();
    let by_units = snippet.highlights_utf16();
    let by_points = snippet.highlights_code_points();
    for (at, range) in snippet.highlights.iter().enumerate() {
        let piece = &snippet.text[range.clone()];
        assert_eq!(String::from_utf16_lossy(&units[by_units[at].clone()]), piece);
        assert_eq!(points[by_points[at].clone()].iter().collect::<String>(), piece);
    }
    assert_eq!(snippet::cut(text, &matcher(words), &options), Some(snippet));
});

fn matcher(words: &str) -> Matcher {
    let mut matcher = Matcher::default();
    for (concept, word) in (0..).zip(words.split(' ').filter(|word| !word.is_empty()).take(16)) {
        let terms = analysis::terms(word);
        if word.starts_with('"') {
            matcher.add_phrase(concept, 1.0, &Phrase::of_terms(terms.iter().map(|term| term.as_str())));
        } else {
            let terms: Vec<SmolStr> = terms.iter().map(SmolStr::new).collect();
            matcher.add_terms(concept, 1.0, &terms);
        }
    }
    matcher
}
