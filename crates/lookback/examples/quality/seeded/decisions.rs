//! Several sessions about one matter, of which one is the answer: the later decision, the one that was answered, the
//! one that others were forked from.

use super::writing::rivals;
use super::{Maker, message, prose, words};

pub(super) fn plant(maker: &mut Maker) {
    for number in 0..maker.per_kind {
        superseded(maker, number);
        reversal(maker, number);
        answered(maker, number);
        fork(maker, number);
    }
}

/// How the same matter is decided; `{0}` and `{1}` are the subject, `{2}` is taken and `{3}` is not.
const DECIDED: &[&str] = &[
    "Decision: the {0} {1} uses {2}, not {3}.",
    "So we take {2} for the {0} {1} and drop {3}.",
    "The {0} {1} goes with {2}; {3} is out.",
    "For the {0} {1} we settled on {2} instead of {3}.",
];

const ASKED: &[&str] = &[
    "{0} {1} {2} or {3}",
    "did we choose {2} or {3} for the {0} {1}",
    "which of {2} and {3} does the {0} {1} use now",
];

fn filled(template: &str, topics: &[&str], (one, other): (&str, &str)) -> String {
    template
        .replace("{0}", topics[0])
        .replace("{1}", topics[1])
        .replace("{2}", one)
        .replace("{3}", other)
}

/// The same matter was decided twice, in two sessions of a project.
fn superseded(maker: &mut Maker, number: usize) {
    let topics = maker.topics(2);
    let tools = *maker.random.pick(words::TOOLS);
    let days = maker.random.between(40, 280);
    let later_days = days - maker.random.between(14, 39);
    let decisions = [(days, tools), (later_days, (tools.1, tools.0))];
    let [before, after] = decisions.map(|(days, tools)| {
        let session = maker.session_of_day(4, days);
        let template = maker.random.one_of(DECIDED);
        let exchange = maker.random.below(3);
        let question = format!("What should the {} {} use?", topics[0], topics[1]);
        maker.plant_at(session, 2 * exchange, &question);
        maker.plant_at(session, 2 * exchange + 1, &filled(template, &topics, tools));
        session
    });
    maker.sessions[after].cwd = maker.sessions[before].cwd.clone();
    let query = filled(ASKED[number % ASKED.len()], &topics, tools);
    maker.case("superseded decision", after, query);
    rivals(maker, &topics, 2);
}

/// The same matter was decided twice, in one session: its last word has to be shown.
fn reversal(maker: &mut Maker, number: usize) {
    let topics = maker.topics(2);
    let tools = *maker.random.pick(words::TOOLS);
    let session = maker.session(7);
    let first = filled(maker.random.one_of(DECIDED), &topics, tools);
    let last = filled(maker.random.one_of(DECIDED), &topics, (tools.1, tools.0));
    maker.plant_at(session, 3, &first);
    maker.plant_at(session, 11, &last);
    rivals(maker, &topics, 2);
    let query = filled(ASKED[number % ASKED.len()], &topics, tools);
    maker.case_of_entry("reversal inside a session", session, Some(11), query);
}

/// Two sessions ask the same, one got an answer.
fn answered(maker: &mut Maker, number: usize) {
    let topics = maker.topics(2);
    let question = match number % 3 {
        0 => format!("Why does the {} wait for the {}?", topics[0], topics[1]),
        1 => format!("How do I tell the {} about a new {}?", topics[0], topics[1]),
        _ => format!(
            "Where is the {} kept that belongs to the {}?",
            topics[0], topics[1]
        ),
    };
    let alone = maker.session(2);
    let entry = message(&mut maker.random, true, question.clone());
    maker.sessions[alone].messages.push(entry);
    let right = maker.session(4);
    let exchange = maker.random.below(4);
    let answer = format!(
        "The {} is registered in the table of the {} and read from there once a minute.",
        topics[0], topics[1]
    );
    maker.plant_at(right, 2 * exchange, &question);
    maker.plant_at(right, 2 * exchange + 1, &answer);
    maker.case(
        "answered beside only asked",
        right,
        question.trim_end_matches('?').to_owned(),
    );
}

/// A session and two forks of it, which copy what is asked for or go on with something of their own.
fn fork(maker: &mut Maker, number: usize) {
    let topics = maker.topics(2);
    let days = maker.random.between(10, 280);
    let exchanges = maker.random.between(4, 9);
    let parent = maker.session_of_day(exchanges, days);
    let shared = format!("The {} is checked before the {} is.", topics[0], topics[1]);
    maker.plant_at(parent, 3, &shared);
    let mut forks = Vec::new();
    for later in 1..=2 {
        let fork = maker.session_of_day(2, days - later);
        maker.sessions[fork].fork_of = Some((parent, 6));
        maker.sessions[fork].cwd = maker.sessions[parent].cwd.clone();
        forks.push(fork);
    }
    let own = maker.topics(2);
    let text = format!("On this branch the {} replaces the {}.", own[0], own[1]);
    maker.plant_at(forks[0], 1, &text);
    let filler = prose::sentences(&mut maker.random, false, 1);
    maker.plant_at(forks[1], 1, &filler);
    rivals(maker, &[topics[0], own[0]], 2);
    if number.is_multiple_of(2) {
        maker.case(
            "forks",
            parent,
            format!("{} checked before {}", topics[0], topics[1]),
        );
    } else {
        maker.case("forks", forks[0], format!("{} replaces {}", own[0], own[1]));
    }
}
