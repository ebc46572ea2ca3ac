//! Words that are typed in another way than they were written.

use super::random::Random;
use super::writing::{rivals, together};
use super::{Maker, capitalised, words};

pub(super) fn plant(maker: &mut Maker) {
    for number in 0..maker.per_kind {
        typo(maker, number);
        prefix(maker, number);
        infix(maker, number);
    }
}

/// What is right by two words that nothing else has together: planted when it is known what else there is.
pub(super) fn plant_combinations(maker: &mut Maker) {
    for number in 0..maker.per_kind {
        marks(maker, number);
    }
}

/// One slip: a letter too few, too many, another one, or two swapped. The first letter stays.
fn slip(random: &mut Random, word: &str) -> String {
    let mut letters: Vec<char> = word.chars().collect();
    let at = random.between(1, letters.len() - 1);
    match random.below(4) {
        0 => {
            letters.remove(at);
        }
        1 => letters.insert(at, 'e'),
        2 => letters[at] = if letters[at] == 'x' { 'c' } else { 'x' },
        _ if letters[at] != letters[at - 1] && at > 1 => letters.swap(at, at - 1),
        _ => letters.insert(at, letters[at]),
    }
    letters.into_iter().collect()
}

fn typo(maker: &mut Maker, number: usize) {
    let host = maker.host();
    match number % 3 {
        // A name that is nowhere else.
        0 | 1 => {
            let name = maker.name(2 + number % 3);
            maker.plant(
                host,
                true,
                &format!("How does {} store its state?", capitalised(&name)),
            );
            let mut typed = slip(&mut maker.random, &name);
            if name.len() >= 9 {
                // Two slips in a long word, apart from one another.
                typed = format!(
                    "{}{}",
                    &typed[..typed.len() - 1],
                    if name.ends_with('x') { 'k' } else { 'x' }
                );
            }
            maker.case("typo", host, typed);
        }
        // A common word, beside one that is spelt right.
        _ => {
            let topics = maker.topics(2);
            let sentence = together(maker, &topics);
            maker.plant(host, false, &sentence);
            rivals(maker, &topics, 2);
            let typed = slip(&mut maker.random, topics[0]);
            maker.case("typo", host, format!("{typed} {}", topics[1]));
        }
    }
}

fn prefix(maker: &mut Maker, number: usize) {
    let name = maker.name(4);
    let host = maker.host();
    maker.plant(
        host,
        false,
        &format!("The data comes from {}.", capitalised(&name)),
    );
    let start = &name[..name.len() - 3];
    let query = if number.is_multiple_of(2) {
        format!("{start}*")
    } else {
        start.to_owned()
    };
    maker.case("start of a word", host, query);
}

fn infix(maker: &mut Maker, number: usize) {
    let name = maker.name(5);
    let host = maker.host();
    maker.plant(host, false, &format!("I named the crate {name}."));
    let inside = &name[3..name.len() - 2];
    let query = if number.is_multiple_of(2) {
        format!("*{inside}*")
    } else {
        inside.to_owned()
    };
    maker.case("inside of a word", host, query);
}

fn marks(maker: &mut Maker, number: usize) {
    let (marked, plain) = words::MARKED[number % words::MARKED.len()];
    let topic = maker.topic_apart_from(marked);
    let host = maker.host();
    maker.plant(
        host,
        true,
        &format!("The office in {marked} has its own {topic}."),
    );
    for sentence in [
        format!("The office in {marked} is closed."),
        format!("Has {marked} answered? {marked} is late."),
    ] {
        let rival = super::writing::other_host(maker, host);
        maker.plant(rival, true, &sentence);
    }
    rivals(maker, &[topic], 3);
    let query = match number % 3 {
        0 => format!("{plain} {topic}"),
        1 => format!("{} {}", marked.to_uppercase(), topic.to_uppercase()),
        _ => format!("{topic} {}", marked.to_lowercase()),
    };
    maker.case("case and diacritics", host, query);
}
