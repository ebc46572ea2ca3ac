//! What the default policy makes of questions: names, and the forms that their words stand in.

use lookback_ranker::Policy;

use crate::corpora::Library;

const DAY: &str = "2026-03-10T12:00:00Z";

/// A few sessions of which the query must find one first.
fn first(sessions: &[(&str, &[&str])], query: &str) -> String {
    let mut library = Library::default();
    for (id, turns) in sessions {
        library.session(id, DAY, turns);
    }
    for i in 0..40 {
        let noise = ["how do the others do the usual thing", "they do it by hand"];
        library.session(&format!("noise{i:02}"), DAY, &noise);
    }
    library.searcher().find(query, Policy::default())[0].to_owned()
}

#[test]
fn who_is_asked_about_has_to_be_there() {
    let sessions: [(&str, &[&str]); 4] = [
        ("about", &["Yuki paints", "She came from Sapporo ten years ago"]),
        ("other", &["the name was originally longer", "it was cut"]),
        ("more", &["Yuki again", "yes"]),
        ("most", &["and Yuki", "yes"]),
    ];
    assert_eq!(first(&sessions[..3], "where is Yuki originally from"), "more");
    assert_ne!(first(&sessions, "where is Yuki originally from"), "other");
    // Typed without a capital it is a word like others, and `originally` is rarer.
    assert_eq!(first(&sessions, "where is yuki originally from"), "other");
}

#[test]
fn a_relative_that_is_everywhere_does_not_make_a_word_common() {
    let mut library = Library::default();
    library.session("exact", DAY, &["we put it into a locker", "fine"]);
    for i in 0..30 {
        library.session(
            &format!("lock{i:02}"),
            DAY,
            &["take the lock first", "and unlock it"],
        );
    }
    for i in 0..18 {
        library.session(&format!("lift{i:02}"), DAY, &["the elevator", "goes up"]);
    }
    let searcher = library.searcher();
    assert_eq!(searcher.find("locker elevator", Policy::default())[0], "exact");
}

#[test]
fn words_that_only_look_alike_are_no_forms() {
    let mut library = Library::default();
    library.session("quite", DAY, &["that is quite good", "yes"]);
    library.session("planes", DAY, &["two planes", "yes"]);
    library.session("plans", DAY, &["two plans", "yes"]);
    let searcher = library.searcher();
    assert!(searcher.find("quitting", Policy::default()).is_empty());
    assert_eq!(searcher.find("planned", Policy::default()), ["plans"]);
}
