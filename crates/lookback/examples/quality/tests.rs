use lookback::Policy;

use crate::archive::Archive;
use crate::case::Half;
use crate::{case, hand_made, measure, report, seeded};

/// Few queries through the library: the set stays answerable and the program runs.
#[test]
fn the_default_policy_answers_a_small_set() {
    let made = seeded::make(seeded::SEED, 2);
    assert!(made.cases.len() > 40, "{}", made.cases.len());
    let archive = Archive::write(&made.sessions).unwrap();
    let outcomes = measure::ask(&archive, &made.cases, &Policy::default(), false).unwrap();
    let found = outcomes.iter().filter(|outcome| outcome.place.is_some()).count();
    assert!(found * 10 >= outcomes.len() * 9, "{}", report::table(&outcomes));
}

#[test]
fn the_same_seed_gives_the_same_set() {
    let (one, other) = (seeded::make(3, 1), seeded::make(3, 1));
    let texts = |made: &seeded::Made| format!("{:?} {:?}", made.sessions, made.cases);
    assert_eq!(texts(&one), texts(&other));
    assert_ne!(texts(&one), texts(&seeded::make(4, 1)));
}

#[test]
fn both_sets_are_as_large_as_promised_and_both_halves_are_used() {
    let made = seeded::make(seeded::SEED, seeded::PER_KIND).cases;
    let by_hand = case::read(&hand_made().join("queries.tsv")).unwrap();
    assert!(made.len() >= 600, "{}", made.len());
    assert!(by_hand.len() >= 100, "{}", by_hand.len());
    for cases in [&made, &by_hand] {
        let tune = cases.iter().filter(|case| case.half() == Half::Tune).count();
        assert!(
            tune * 5 > cases.len() * 2 && tune * 5 < cases.len() * 3,
            "{tune} of {}",
            cases.len()
        );
    }
}

/// A query that asks for a session or an entry that is not there could never be answered.
#[test]
fn the_hand_made_queries_ask_for_sessions_that_are_there() {
    let archive = Archive::open(&hand_made().join("sessions")).unwrap();
    for case in case::read(&hand_made().join("queries.tsv")).unwrap() {
        let tree = archive.lookback.tree(&case.session).unwrap();
        if let Some(entry) = &case.entry {
            assert!(
                tree.rows
                    .iter()
                    .any(|row| row.id.as_ref().is_some_and(|id| id.as_str() == entry)),
                "{case:?}"
            );
        }
    }
}
