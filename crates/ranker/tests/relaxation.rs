//! Less exact ways, when exact ones find too little.

use lookback_ranker::{Policy, RelaxationStep, SearchRequest, Warning};

use crate::corpora::{Library, Searcher, request};

const DAY: &str = "2026-03-01T00:00:00Z";

fn library() -> Searcher {
    let mut library = Library::default();
    library.session(
        "tokenizer",
        DAY,
        &[
            "the tokenizer splits words",
            "createBranchedSession in session-manager.ts",
        ],
    );
    library.session(
        "config",
        DAY,
        &["call foobar.baz(quxx) in the configuration", "done"],
    );
    library.session("chinese", DAY, &["用户身份认证系统在北京上线", "好"]);
    library.searcher()
}

fn steps(library: &Searcher, query: &str) -> (Vec<String>, Vec<RelaxationStep>) {
    let ranking = library.answer(&request(query, Policy::default()));
    let found = library
        .sessions_of(&ranking)
        .iter()
        .map(|id| (*id).to_owned())
        .collect();
    (
        found,
        ranking.relaxed.iter().map(|relaxed| relaxed.step).collect(),
    )
}

#[test]
fn steps_are_taken_in_order_and_reported() {
    use RelaxationStep::{Fragments, Infix, Prefix, Typo};
    let library = library();
    for (query, session, expected) in [
        ("tokenizer", "tokenizer", &[][..]),
        ("token", "tokenizer", &[Prefix]),
        ("kenize", "tokenizer", &[Infix]),
        ("branchedses", "tokenizer", &[Infix]),
        ("tokenzier", "tokenizer", &[Typo]),
        ("tokenzier splits", "tokenizer", &[Typo]),
        ("bar.baz(qu", "config", &[Infix, Fragments]),
        ("packages/session-manager.ts:12", "tokenizer", &[Infix, Fragments]),
        ("身份系统", "chinese", &[Infix, Fragments]),
    ] {
        let (found, steps) = steps(&library, query);
        assert_eq!(found, [session], "{query}");
        let mut steps = steps;
        steps.retain(|step| expected.contains(step) || *step != Infix);
        assert!(
            steps.iter().all(|step| expected.contains(step)),
            "{query}: {steps:?}"
        );
        assert_eq!(steps.is_empty(), expected.is_empty(), "{query}: {steps:?}");
    }
}

#[test]
fn exact_switches_it_off() {
    let library = library();
    for query in ["token", "kenize", "tokenzier", "bar.baz(qu"] {
        let request = SearchRequest {
            exact: true,
            ..request(query, Policy::default())
        };
        let ranking = library.answer(&request);
        assert_eq!((ranking.hits, ranking.relaxed), (vec![], vec![]), "{query}");
    }
}

#[test]
fn codes_and_short_words_are_never_typos() {
    let mut other = Library::default();
    other.session("s", DAY, &["error E0382 in cat 9f86d081"]);
    let other = other.searcher();
    for query in ["E0383", "bat", "9f86d082"] {
        assert_eq!(steps(&other, query).0, [""; 0], "{query}");
    }
}

#[test]
fn a_word_being_typed_is_the_start_of_others() {
    let library = library();
    let request = SearchRequest {
        typing: true,
        ..request("splits tok", Policy::strict())
    };
    let ranking = library.answer(&request);
    assert_eq!(library.sessions_of(&ranking), ["tokenizer"]);
    assert_eq!(ranking.relaxed, []);
}

#[test]
fn wildcards_are_no_relaxation() {
    let library = library();
    for query in [
        "tok*",
        "*keniz*",
        "*izer",
        "session_man*",
        "*bar.baz(qu*",
        "*BranchedSes*",
        "NEAR(tok* words, 3)",
    ] {
        let (found, steps) = steps(&library, query);
        assert_eq!(found.len(), 1, "{query}");
        assert_eq!(steps, [], "{query}");
    }
    assert_eq!(steps(&library, "zzz*").0, [""; 0]);
}

#[test]
fn a_wildcard_that_fits_too_many_words_says_so() {
    let mut many = Library::default();
    let words: Vec<String> = (0..600).map(|i| format!("x{i}y")).collect();
    many.session("s", DAY, &[&words.join(" ")]);
    let ranking = many.searcher().answer(&request("x*", Policy::default()));
    assert_eq!(
        ranking.warnings,
        [Warning::TermsLeftOut {
            word: "x*".into(),
            searched: 512,
            fitting: 600,
        }]
    );
}

#[test]
fn a_sentence_without_spaces_finds_what_has_some_of_it() {
    let library = library();
    assert_eq!(library.find("用户身份在上海登录", Policy::default()), ["chinese"]);
}

/// That no word fits is an answer, not a query without words.
#[test]
fn a_part_that_no_word_has_is_no_empty_query() {
    let mut library = Library::default();
    library.session("a", "2026-01-01T00:00:00Z", &["redis queue"]);
    let searcher = library.searcher();
    // A filter beside it leaves all sessions, of which none has the word.
    for query in [
        "tok*",
        "*ize*",
        "*ize",
        "(tok* OR *ize)",
        "tok* role:user",
        "tok* -is:fork",
    ] {
        let answer = searcher.answer(&request(query, Policy::default()));
        assert_eq!(
            (answer.hits.len(), answer.warnings.len()),
            (0, 0),
            "{query}: {:?}",
            answer.warnings
        );
    }
}
