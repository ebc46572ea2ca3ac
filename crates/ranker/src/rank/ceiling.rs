use camino::Utf8PathBuf;
use lookback_session_model::Timestamp;

use super::admission::same_folder;
use super::candidates::{ROUNDING, are_bounds};
use crate::memory::MemoryPostings;
use crate::plan::{Plan, plan};
use crate::query::{self, Node, ParseOptions, WordPart};
use crate::{
    Boosts, Forks, FormWeights, Leaf, Policy, Rarity, Recency, Relaxing, ScaleWeights, Scope, SearchRequest,
};

/// The most that a turn can score in the answer to a request, by when it was said and where: for an engine that would
/// rather not read a session of which nothing can be on the page.
///
/// There is one only where each part of the query is enough for a match, and where scores follow from single turns and
/// nothing else: under policies like `memory`.
#[derive(Debug, Clone)]
pub struct Ceiling {
    leaves: Vec<Leaf>,
    /// Whatever the time and the folder.
    text: f32,
    recency: Recency,
    now_ms: i64,
    /// A folder and what its sessions gain.
    folder: Option<(Utf8PathBuf, f32)>,
}

impl Ceiling {
    /// `None` where more than the words of one turn, its time and its folder decides, or where what matches depends on
    /// the words that other texts have.
    pub fn of(request: &SearchRequest) -> Option<Self> {
        let policy = &request.policy;
        if !scores_by_single_turns(policy) || !are_bounds(policy, &[]) || !is_open(&request.scope) {
            return None;
        }
        let options = ParseOptions {
            typing: request.typing,
        };
        let query = query::parse(&request.query, &options);
        if !query.filters.is_empty() || !query.root.as_ref().is_some_and(is_any_of_whole_words) {
            return None;
        }
        // What is planned without any text at hand, and so whatever texts there are.
        let Ok(plan) = plan(&query, request, &MemoryPostings::default());
        let is_any = plan.condition.is_none() && !plan.concepts.is_empty() && plan.ids.is_empty();
        if !is_any || plan.warnings != query.warnings {
            return None;
        }
        let most = |factors: &[f32]| factors.iter().copied().fold(1.0, f32::max);
        let factors = policy.factors;
        let text = best_text(&plan)
            * (policy.saturation.k1 + 1.0)
            * policy.scales.turn
            * most(&[factors.compacted, factors.abandoned])
            * most(&[factors.unanswered])
            * ROUNDING;
        let current = request.scope.current_cwd.clone();
        Some(Self {
            text,
            recency: policy.recency,
            now_ms: request.now.as_millis(),
            folder: current.map(|folder| (folder, factors.same_folder)),
            leaves: matching_leaves(&plan),
        })
    }

    /// What is looked for. A turn with any of these matches.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// No turn said at `newest` or before, in a session of the folder `cwd`, scores more than this.
    pub fn of_session(&self, newest: Timestamp, cwd: &str) -> f32 {
        let here = self
            .folder
            .as_ref()
            .filter(|(folder, _)| same_folder(cwd, folder.as_str()));
        self.text
            * self.recency.factor(self.now_ms, newest.as_millis())
            * here.map_or(1.0, |(_, factor)| *factor)
    }
}

/// Whether a turn's score follows from itself, its time and its folder.
fn scores_by_single_turns(policy: &Policy) -> bool {
    let falls = match policy.recency {
        Recency::None => true,
        Recency::Boost { gain, days } => gain >= 0.0 && days > 0.0,
        Recency::HalfLife { days } => days > 0.0,
    };
    let grouping = policy.grouping;
    falls
        && policy.rarity == Rarity::Flat
        && policy.scales == ScaleWeights::TURN_ONLY
        && policy.forms == FormWeights::EXACT
        && policy.boosts == Boosts::NONE
        && policy.relaxation == Relaxing::NEVER
        && policy.factors.coverage == 0.0
        && policy.factors.same_folder >= 0.0
        && grouping.hits_per_session > 1
        && grouping.forks == Forks::FoldCopies
        && grouping.later_turn == 0.0
        && grouping.latest_turn_within == 0.0
        && grouping.latest_session_within == 0.0
}

/// Whether every turn passes that is not the searcher's own context.
fn is_open(scope: &Scope) -> bool {
    let open = Scope {
        current_cwd: scope.current_cwd.clone(),
        live: scope.live.clone(),
        ..Scope::default()
    };
    *scope == open
}

fn is_any_of_whole_words(node: &Node) -> bool {
    match node {
        Node::Word(word) => word.part == WordPart::Whole,
        Node::Phrase(_) => true,
        Node::Near { operands: nodes, .. } | Node::List(nodes) | Node::Or(nodes) => {
            nodes.iter().all(is_any_of_whole_words)
        }
        Node::And(_) | Node::Not(_) => false,
    }
}

/// What the words of the plan are worth together, each by its best variant.
fn best_text(plan: &Plan) -> f32 {
    let best = |variants: &[crate::plan::Variant]| {
        let weights = variants.iter().map(|variant| variant.weight);
        weights.fold(0.0, f32::max)
    };
    let concepts = plan.scored().into_iter().map(|index| &plan.concepts[index]);
    concepts
        .map(|concept| concept.weight * best(&concept.variants))
        .sum()
}

/// The leaves that make a match. Others were planned and then found to be worth nothing.
fn matching_leaves(plan: &Plan) -> Vec<Leaf> {
    let concepts = plan.scored().into_iter().map(|index| &plan.concepts[index]);
    let variants = concepts.flat_map(|concept| &concept.variants);
    variants
        .map(|variant| plan.leaves[variant.leaf].clone())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(query: &str) -> SearchRequest {
        SearchRequest {
            policy: Policy::memory(),
            now: Timestamp::parse("2026-03-02T09:00:00Z").unwrap(),
            ..SearchRequest::new(query)
        }
    }

    #[test]
    fn there_is_one_where_any_word_is_enough() {
        for query in [
            "cache",
            "cache size",
            "cache OR size",
            "\"cache size\" limit",
            "NEAR(cache size)",
            "getUserName",
            "数据库",
        ] {
            let ceiling = Ceiling::of(&request(query)).unwrap();
            assert!(!ceiling.leaves().is_empty(), "{query}");
        }
        let leaves = |query: &str| Ceiling::of(&request(query)).map(|ceiling| ceiling.leaves().to_vec());
        assert_eq!(leaves("c++"), Some(vec![Leaf::term("c++")]));
        for query in [
            "",
            "cache AND size",
            "cache -size",
            "cach*",
            "*ache",
            "cache role:user",
            "cache tag:x",
            "-",
            "role:user",
        ] {
            assert!(Ceiling::of(&request(query)).is_none(), "{query}");
        }
        let words: Vec<String> = (0..60).map(|number| format!("word{number}")).collect();
        assert!(Ceiling::of(&request(&words.join(" "))).is_none());
        let typing = SearchRequest {
            typing: true,
            ..request("cache")
        };
        assert!(Ceiling::of(&typing).is_none());
    }

    #[test]
    fn there_is_none_where_more_than_a_turn_counts() {
        for name in ["default", "recall", "strict"] {
            let policy = Policy::named(name).unwrap();
            assert!(
                Ceiling::of(&SearchRequest {
                    policy,
                    ..request("cache")
                })
                .is_none()
            );
        }
        let with = |change: fn(&mut SearchRequest)| {
            let mut request = request("cache");
            change(&mut request);
            Ceiling::of(&request)
        };
        assert!(with(|request| request.policy.factors.abandoned = -1.0).is_none());
        assert!(with(|request| request.policy.factors.same_folder = f32::NAN).is_none());
        assert!(with(|request| request.policy.recency = Recency::HalfLife { days: -1.0 }).is_none());
        assert!(with(|request| request.scope.cwd = Some("/home".into())).is_none());
        assert!(with(|request| request.scope.since = Some(Timestamp::EPOCH)).is_none());
    }

    #[test]
    fn it_falls_with_age_and_rises_in_the_folder() {
        let mut here = request("cache size");
        here.scope.current_cwd = Some("/home/dev/".into());
        let ceiling = Ceiling::of(&here).unwrap();
        let at = |time: &str, cwd: &str| ceiling.of_session(Timestamp::parse(time).unwrap(), cwd);
        let today = at("2026-03-02T09:00:00Z", "/");
        assert!((today - 4.4).abs() < 0.01, "{today}");
        assert_eq!(at("2027-03-02T09:00:00Z", "/"), today);
        assert!((at("2026-01-31T09:00:00Z", "/") - today / 2.0).abs() < 0.01);
        assert!(at("2026-03-02T09:00:00Z", "/home/dev") > today);
    }
}
