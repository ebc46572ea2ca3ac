//! Words, identifiers and odd queries that broke other tools: every message is a session of its own, so that a hit
//! names the message.

use std::time::Instant;

use lookback_ranker::Policy;
use lookback_session_model::{BranchState, Role};

use crate::corpora::{Library, Searcher, highlighted, request};

#[derive(serde::Deserialize)]
struct Session {
    session: String,
    messages: Vec<Message>,
}

#[derive(serde::Deserialize)]
struct Message {
    entry: String,
    role: String,
    text: String,
}

fn library(json: &str) -> Searcher {
    let sessions: Vec<Session> = serde_json::from_str(json).unwrap();
    let mut library = Library::default();
    for session in &sessions {
        for message in &session.messages {
            let ordinal = library.session(&message.entry, "2026-01-01T10:00:00Z", &[]);
            let role = Role::from_name(&message.role);
            library.turn(ordinal, &message.entry, role, BranchState::Active, &message.text);
        }
        assert!(!session.session.is_empty());
    }
    library.searcher()
}

fn pairs(tsv: &str) -> Vec<(&str, &str)> {
    tsv.lines().filter_map(|line| line.split_once('\t')).collect()
}

fn policies() -> [Policy; 4] {
    Policy::NAMES.map(|name| Policy::named(name).unwrap())
}

#[test]
fn words_of_all_scripts_are_found() {
    let library = library(include_str!("data/unicode-words-sessions.json"));
    for policy in policies() {
        for (query, entry) in pairs(include_str!("data/unicode-words.tsv")) {
            let ranking = library.answer(&request(query, policy.clone()));
            let found = library.sessions_of(&ranking);
            assert!(found.contains(&entry), "{query:?} by {}: {found:?}", policy.name);
            assert!(
                ranking.relaxed.is_empty(),
                "{query:?} is no guess: {:?}",
                ranking.relaxed
            );
            let at = found.iter().position(|other| *other == entry).unwrap();
            let snippet = &library.snippets_of(&ranking)[at];
            assert!(!snippet.highlights.is_empty(), "{query:?} {snippet:?}");
        }
    }
}

#[test]
fn highlights_cover_the_original_spelling() {
    let library = library(include_str!("data/unicode-words-sessions.json"));
    for (query, spelling) in [
        ("用户", &["用户"][..]),
        ("数据", &["数据"]),
        ("数据库", &["数据库"]),
        ("身份认证", &["身份认证"]),
        ("gen-itgc", &["gen-itgc"]),
        ("strasse", &["Straße", "STRASSE"]),
        ("istanbul", &["İstanbul"]),
        ("カタカナ", &["ｶﾀｶﾅ"]),
        ("역사", &["역사"]),
        ("ค้นหา", &["ค้นหา"]),
        ("юзер индексацию", &["индексацию"]),
    ] {
        let ranking = library.answer(&request(query, Policy::default()));
        assert_eq!(
            highlighted(&library.snippets_of(&ranking)[0]),
            spelling,
            "{query}"
        );
    }
}

#[test]
fn a_short_word_is_not_dropped_beside_another() {
    let mut library = Library::default();
    library.session("both", "2026-01-01T10:00:00Z", &["悬空引用已修复"]);
    library.session("one", "2026-01-01T10:00:00Z", &["修复了登录"]);
    let library = library.searcher();
    assert_eq!(library.find("修复 AND 悬空", Policy::default()), ["both"]);
    assert_eq!(library.find("修复 悬空", Policy::strict()), ["both"]);
}

#[test]
fn identifiers_are_found_and_come_first() {
    let library = library(include_str!("data/identifiers-sessions.json"));
    let must = pairs(include_str!("data/identifiers-must.tsv"));
    for policy in policies() {
        for (query, entry) in &must {
            let ranking = library.answer(&request(query, policy.clone()));
            let found = library.sessions_of(&ranking);
            assert!(found.contains(entry), "{query:?} by {}: {found:?}", policy.name);
            let good: Vec<&str> = must
                .iter()
                .filter(|(other, _)| other == query)
                .map(|(_, entry)| *entry)
                .collect();
            assert!(
                good.contains(&found[0]),
                "{query:?} by {}: {found:?}",
                policy.name
            );
        }
    }
}

#[test]
fn parts_of_identifiers_are_found() {
    let library = library(include_str!("data/identifiers-sessions.json"));
    for (query, entry) in pairs(include_str!("data/identifiers-nice.tsv")) {
        let found = library.find(query, Policy::default());
        assert_eq!(found.first(), Some(&entry), "{query:?}: {found:?}");
    }
}

#[test]
fn a_session_is_found_by_its_id() {
    let mut library = Library::default();
    library.session(
        "019b7902-6de8-7aa1-8b67-9a01000000a1",
        "2026-01-01T10:00:00Z",
        &["nothing in it"],
    );
    library.session(
        "019b7902-4ac0-7a98-8b28-9a0100000098",
        "2026-01-01T10:00:00Z",
        &["see 019b7902"],
    );
    let library = library.searcher();
    for query in ["019b7902-6de8-7aa1-8b67-9a01000000a1", "019b7902-6de8"] {
        let found = library.find(query, Policy::default());
        assert_eq!(
            found.first(),
            Some(&"019b7902-6de8-7aa1-8b67-9a01000000a1"),
            "{query}: {found:?}"
        );
    }
}

#[test]
fn odd_queries_are_answered() {
    let library = library(include_str!("data/odd-queries-sessions.json"));
    let queries: Vec<String> = serde_json::from_str(include_str!("data/odd-queries.json")).unwrap();
    assert_eq!(queries.len(), 85);
    for policy in policies() {
        for query in &queries {
            let started = Instant::now();
            let ranking = library.answer(&request(query, policy.clone()));
            assert!(
                started.elapsed().as_millis() < 200,
                "{query:?} by {}",
                policy.name
            );
            assert!(ranking.hits.len() < 12, "{query:?} returns everything");
            let is_explained = !ranking.hits.is_empty() || !ranking.warnings.is_empty();
            let has_word = query.chars().any(char::is_alphanumeric);
            assert!(is_explained || has_word, "{query:?} is empty without a word why");
        }
    }
    for (query, entry) in [
        ("error:", "a1000002"),
        ("error: cannot", "a1000002"),
        ("std::fmt::Display", "a1000003"),
        ("y+(y+25)", "a1000003"),
        ("\"exact phrase here\"", "a1000004"),
        ("\"unclosed phrase", "a1000004"),
        ("C:\\Users\\dev", "a1000005"),
        ("5'10\"", "a1000005"),
        ("<angles>", "a1000006"),
        ("https://example.org/x:y", "a1000007"),
        ("title:something", "a1000008"),
        ("content:else", "a1000008"),
        ("wild*", "a1000009"),
        ("fuzzy~2", "a1000009"),
        ("/regex.*here/", "a100000a"),
        ("- leading", "a100000b"),
        ("+ 2", "a1000009"),
        ("-lexer", "a1000001"),
        ("  parser  ", "a1000001"),
        ("\u{feff}parser", "a1000001"),
        ("parser\u{200b}", "a1000001"),
        ("NOT d", "a1000003"),
        ("AND b", "a1000003"),
        ("a AND", "a1000001"),
    ] {
        let found = library.find(query, Policy::default());
        assert!(found.contains(&entry), "{query:?}: {found:?}");
    }
    for query in ["session_id:1", "nosuchfield:x", "*:*", "\u{0}", "", "((("] {
        assert!(library.find(query, Policy::default()).len() < 2, "{query:?}");
    }
}
