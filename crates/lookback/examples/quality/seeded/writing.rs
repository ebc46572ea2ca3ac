//! Words and phrases: what is rare, what is rare only together, and what is spread over a session.

use super::{Maker, words};
use crate::archive::Session;

const ALONE: &[&str] = &[
    "We also touched the {0} for this.",
    "The {0} code is next to it.",
    "Somebody renamed the {0} settings.",
    "See the page about the {0}.",
    "That is how the {0} does it, too.",
    "The tests of the {0} take long.",
    "Ask me about the {0} later.",
    "{0}, {0} and again {0}: it is everywhere in this file.",
    "The {0} has nothing to do with it.",
];

const TOGETHER: &[&str] = &[
    "The {0} only opens when the {1} is idle.",
    "We tie each {0} to its {1}.",
    "A {0} without a {1} is refused now.",
    "The {1} decides which {0} comes first.",
    "Between {0} and {1} there has to be a lock.",
];

const TWO_WORDS: &str = "two common words together";
const SPREAD: &str = "words spread over a session";

pub(super) fn plant(maker: &mut Maker) {
    for number in 0..maker.per_kind {
        rare_word(maker, number);
        phrase(maker);
        crowding(maker);
    }
}

/// What is right by a combination that nothing else has: planted last, when it is known what else there is.
pub(super) fn plant_combinations(maker: &mut Maker) {
    for _ in 0..maker.per_kind {
        two_words(maker);
        spread(maker);
    }
}

/// Mentions a topic.
pub(super) fn alone(maker: &mut Maker, topic: &str) -> String {
    maker.random.one_of(ALONE).replace("{0}", topic)
}

/// Ties two topics together.
pub(super) fn together(maker: &mut Maker, topics: &[&str]) -> String {
    maker
        .random
        .one_of(TOGETHER)
        .replace("{0}", topics[0])
        .replace("{1}", topics[1])
}

/// Mentions each topic in some other sessions.
pub(super) fn rivals(maker: &mut Maker, topics: &[&str], sessions_each: usize) {
    for topic in topics {
        for host in maker.hosts(sessions_each) {
            let sentence = alone(maker, topic);
            let by_user = maker.random.once_in(3);
            maker.plant(host, by_user, &sentence);
        }
    }
}

fn rare_word(maker: &mut Maker, number: usize) {
    let name = super::capitalised(&maker.name(3));
    let topic = maker.random.one_of(words::TOPICS);
    let host = maker.host();
    let by_user = maker.random.once_in(2);
    maker.plant(host, by_user, &format!("The {topic} gets its data from {name}."));
    if maker.random.once_in(3) {
        maker.plant(host, false, &format!("{name} answers in time."));
    }
    rivals(maker, &[topic], 3);
    let query = if number.is_multiple_of(2) {
        name
    } else {
        format!("{topic} {name}")
    };
    maker.case("exact rare word", host, query);
}

fn two_words(maker: &mut Maker) {
    let topics = maker.topics_apart(2, false);
    let host = maker.host();
    let sentence = together(maker, &topics);
    let by_user = maker.random.once_in(2);
    maker.plant(host, by_user, &sentence);
    rivals(maker, &topics, 4);
    maker.case(TWO_WORDS, host, topics.join(" "));
}

fn phrase(maker: &mut Maker) {
    let topics = maker.topics(3);
    let host = maker.host();
    maker.plant(
        host,
        false,
        &format!("I called it the {} on purpose.", topics.join(" ")),
    );
    let (one, two, three) = (topics[0], topics[1], topics[2]);
    for sentence in [
        format!("The {three} {two} {one} is another thing."),
        format!("A {two} for the {one}, and a {three} for both."),
        format!("{one}, {three}, {two}."),
    ] {
        let rival = other_host(maker, host);
        maker.plant(rival, false, &sentence);
    }
    maker.case("quoted phrase", host, format!("\"{}\"", topics.join(" ")));
}

fn spread(maker: &mut Maker) {
    let topics = maker.topics_apart(3, true);
    let host = maker.session_of_some_length();
    let exchanges = maker.sessions[host].messages.len() / 2;
    // In different exchanges, each once more: the session is about them.
    for (index, topic) in topics.iter().enumerate() {
        for by_user in [true, false] {
            let sentence = alone(maker, topic);
            let exchange = (index * exchanges / topics.len() + usize::from(!by_user)).min(exchanges - 1);
            maker.plant_at(host, 2 * exchange + usize::from(!by_user), &sentence);
        }
    }
    for pair in [[0, 1], [1, 2], [0, 2]] {
        let rival = other_host(maker, host);
        let sentence = together(maker, &pair.map(|at| topics[at]));
        maker.plant(rival, false, &sentence);
    }
    maker.case(SPREAD, host, topics.join(" "));
}

fn crowding(maker: &mut Maker) {
    let topics = maker.topics(2);
    let short = maker.session(3);
    let (question, answer) = (together(maker, &topics), together(maker, &topics));
    maker.plant_at(
        short,
        0,
        &format!("This is about {} and {}. {question}", topics[0], topics[1]),
    );
    maker.plant_at(short, 1, &answer);
    let long = super::ORDINARY + maker.random.below(super::LONG);
    for topic in &topics {
        for _ in 0..20 {
            let sentence = alone(maker, topic);
            maker.plant(long, false, &sentence);
        }
    }
    maker.case("short session beside a long one", short, topics.join(" "));
}

pub(super) fn other_host(maker: &mut Maker, host: usize) -> usize {
    loop {
        let other = maker.host();
        if other != host {
            return other;
        }
    }
}

impl Maker {
    /// A new session of six to twelve exchanges.
    fn session_of_some_length(&mut self) -> usize {
        let exchanges = self.random.between(6, 13);
        self.session(exchanges)
    }
}

/// Drops queries to which rivals that were planted afterwards have become as good an answer.
pub(super) fn drop_ambiguous(maker: &mut Maker) {
    let sessions = &maker.sessions;
    maker.cases.retain(|case| {
        let anywhere = match case.kind.as_str() {
            TWO_WORDS => false,
            SPREAD => true,
            _ => return true,
        };
        let words: Vec<&str> = case.query.split(' ').collect();
        !sessions
            .iter()
            .any(|session| session.id != case.session && holds_all(session, &words, anywhere))
    });
}

/// Whether a session has all these words, in one exchange or anywhere. Sessions of hundreds of messages have every
/// word somewhere and count by their exchanges.
pub(super) fn holds_all(session: &Session, words: &[&str], anywhere: bool) -> bool {
    let all = session.messages.len();
    let chunk = if anywhere && all < 100 { all } else { 2 };
    session.messages.chunks(chunk).any(|messages| {
        words
            .iter()
            .all(|word| messages.iter().any(|message| message.text.contains(word)))
    })
}
