use super::groups::{Group, answer_factor, branch_factor, coverage_factor, folder_factor};
use super::occurrence::Occurrences;
use super::rarity::Worth;
use super::score::Scoring;
use crate::policy::LabelScore;
use crate::{Explanation, Posting, Scale, SearchRequest};

/// Takes the score of a hit apart. `pairs` tells where the words of each pair are near one another.
pub(super) fn explain(
    scoring: &Scoring<'_>,
    request: &SearchRequest,
    group: &Group,
    pairs: &[Occurrences],
) -> Explanation {
    let several = scoring.policy.grouping.hits_per_session > 1;
    let recency = scoring
        .policy
        .recency
        .factor(request.now.as_millis(), group.time_ms);
    let mut factors = Vec::new();
    if !scoring.plan.concepts.is_empty() || !scoring.plan.ids.is_empty() {
        factors.push(text(scoring, group, several, pairs));
        if !several {
            factors.push(Explanation::given(
                "share of the words",
                coverage_factor(scoring, group.found),
            ));
        }
    }
    factors.push(Explanation::given("recency", recency));
    let folder = folder_factor(scoring, request, group.session);
    if folder != 1.0 {
        factors.push(Explanation::given("current folder", folder));
    }
    if group.place != 1.0 {
        factors.push(Explanation::given(
            "later or earlier than its near equals",
            group.place,
        ));
    }
    Explanation::product(format!("score by policy {}", scoring.policy.name), factors)
}

fn text(scoring: &Scoring<'_>, group: &Group, several: bool, pairs: &[Occurrences]) -> Explanation {
    let words = |scale: Scale, unit: u32| words(scoring, scale, unit, pairs);
    let scales = scoring.policy.scales;
    let mut parts = Vec::new();
    if let Some(turn) = group.best {
        let exchange = scoring.corpus.rows[turn as usize].exchange as usize;
        let own = Explanation::product(
            "turn",
            vec![
                Explanation::given("weight of the turn", scales.turn),
                words(Scale::Turn, turn),
            ],
        );
        let mut text = vec![own];
        if scales.exchange > 0.0 {
            text.push(Explanation::product(
                "exchange",
                vec![
                    Explanation::given("weight of the exchange", scales.exchange),
                    words(Scale::Exchange, exchange as u32),
                ],
            ));
        }
        parts.push(Explanation::product(
            "best turn",
            vec![
                Explanation::given(
                    "branch",
                    branch_factor(scoring.policy, scoring.corpus.rows[turn as usize].branch),
                ),
                Explanation::sum("turn and exchange", text),
            ],
        ));
    }
    if scales.session > 0.0 && !several {
        parts.push(Explanation::product(
            "session",
            vec![
                Explanation::given("weight of the session", scales.session),
                words(Scale::Session, group.session),
            ],
        ));
    }
    if let Some(turn) = group.best {
        let answered = answer_factor(scoring, turn);
        if answered != 1.0 {
            let text = Explanation::sum("text", std::mem::take(&mut parts));
            parts.push(Explanation::product(
                "text without an answer",
                vec![Explanation::given("unanswered", answered), text],
            ));
        }
    }
    let label = scoring.label_hit(group.session);
    if !several {
        let labels = label.tags + label.name;
        let text: f32 = parts.iter().map(|part| part.value).sum();
        let counts = match scoring.policy.boosts.labels {
            LabelScore::Added => true,
            LabelScore::Separate => {
                if labels > text {
                    parts.clear();
                }
                labels > text
            }
        };
        if counts && label.tags > 0.0 {
            parts.push(Explanation::given("tags", label.tags));
        }
        if counts && label.name > 0.0 {
            parts.push(Explanation::given("name", label.name));
        }
        if label.id > 0.0 {
            parts.push(Explanation::given("session id", label.id));
        }
    }
    Explanation::sum("text", parts)
}

/// What the words of the query give to one turn, exchange or session.
fn words(scoring: &Scoring<'_>, scale: Scale, unit: u32, pairs: &[Occurrences]) -> Explanation {
    let mut parts = Vec::new();
    for (index, worth) in scoring.scored.iter().zip(&scoring.worth) {
        let concept = &scoring.plan.concepts[*index];
        parts.extend(word(
            scoring,
            scale,
            unit,
            &concept.text,
            worth,
            frequency(scoring, scale, unit, &scoring.lists(concept)),
        ));
    }
    let mut together = |list: &[Posting], worth: &Worth, label: &str| {
        let tf = frequency(scoring, scale, unit, &[(list, 1.0)]);
        parts.extend(word(scoring, scale, unit, label, worth, tf));
    };
    if let Some(leaf) = scoring.plan.whole_query {
        together(
            scoring.list(leaf),
            &scoring.whole_query,
            "the query as one phrase",
        );
    }
    for (pair, found) in scoring.pairs.iter().zip(pairs) {
        let [one, other] = pair
            .concepts
            .map(|concept| scoring.plan.concepts[concept].text.as_str());
        let found = found.all.iter().map(|found| Posting::new(found.turn, found.tf));
        let found: Vec<Posting> = found.collect();
        together(&found, &pair.worth, &format!("{one} near {other}"));
    }
    Explanation::sum("words", parts)
}

/// The frequency of a concept in a unit and the weight of its best variant there.
type Frequency = (f32, f32);

fn word(
    scoring: &Scoring<'_>,
    scale: Scale,
    unit: u32,
    text: &str,
    worth: &Worth,
    (tf, quality): Frequency,
) -> Option<Explanation> {
    if tf <= 0.0 {
        return None;
    }
    let frequency = tf / quality;
    let at = unit as usize;
    let (rarity, length, saturation) = match scale {
        Scale::Turn => {
            let length = scoring.corpus.rows[at].length;
            (
                worth.turn,
                length,
                scoring.turn_saturation.of_quality(frequency, 1.0, length),
            )
        }
        Scale::Exchange => {
            let length = scoring.corpus.exchange_length[at];
            (
                worth.exchange,
                length,
                scoring.exchange_saturation.of_quality(frequency, 1.0, length),
            )
        }
        Scale::Session => {
            let length = scoring.corpus.session_length[at];
            (
                worth.session,
                length,
                scoring.session_saturation.of_quality(frequency, 1.0, length),
            )
        }
    };
    let mut factors = vec![
        Explanation::given("weight", worth.weight),
        Explanation::given("rarity", rarity),
    ];
    if quality != 1.0 {
        factors.push(Explanation::given("found in a weaker form", quality));
    }
    factors.push(Explanation::given(
        format!("saturation of frequency {frequency} in length {length}"),
        saturation,
    ));
    Some(Explanation::product(text, factors))
}

/// How often something occurs in a unit that is found in some lists, by their weights.
fn frequency(scoring: &Scoring<'_>, scale: Scale, unit: u32, lists: &[(&[Posting], f32)]) -> Frequency {
    let (mut sum, mut quality) = (0.0, 0.0f32);
    for (list, weight) in lists {
        let tf: f32 = match scale {
            Scale::Turn => match list.binary_search_by_key(&unit, |posting| posting.turn) {
                Ok(at) => list[at].tf,
                Err(_) => 0.0,
            },
            Scale::Exchange => list
                .iter()
                .filter(|posting| {
                    scoring.corpus.rows[posting.turn as usize].exchange == unit
                        && scoring.admit(posting.turn).is_some()
                })
                .map(|posting| posting.tf)
                .sum(),
            Scale::Session => list
                .iter()
                .filter(|posting| scoring.admit(posting.turn) == Some(unit))
                .map(|posting| posting.tf)
                .sum(),
        };
        if tf > 0.0 {
            sum += tf * weight;
            quality = quality.max(*weight);
        }
    }
    (sum, quality)
}
