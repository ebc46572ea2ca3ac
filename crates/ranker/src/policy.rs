use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::scale::Scale;

/// How matches become an order: nothing but numbers and named formulas.
///
/// A policy can be printed (`serde`), compared and changed field by field; `docs/ranking.md` writes the formulas out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Policy {
    /// What it is called in requests and explanations.
    pub name: SmolStr,
    /// What words side by side mean.
    pub joining: Joining,
    /// Where both sides of `AND` must occur.
    pub and_scale: Scale,
    /// Whether rare words count more.
    pub rarity: Rarity,
    /// The text scores that are added up.
    pub scales: ScaleWeights,
    /// Saturation of repeats and influence of length.
    pub saturation: Saturation,
    /// What the ways to find a word are worth.
    pub forms: FormWeights,
    /// What is added for the session's own labels and for the query as a whole.
    pub boosts: Boosts,
    /// How age counts.
    pub recency: Recency,
    /// What is multiplied besides.
    pub factors: Factors,
    /// How hits are grouped.
    pub grouping: Grouping,
    /// When less exact ways are tried.
    pub relaxation: Relaxing,
}

/// What words side by side mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Joining {
    /// Any of them; more are better.
    Any,
    /// All of them, within [`Policy::and_scale`].
    All,
}

/// Whether rare words count more than common ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Rarity {
    /// `ln(1 + (N - n + 0.5) / (n + 0.5))`, where `n` of `N` units (turns, exchanges, sessions) hold the word.
    InverseFrequency,
    /// Every word counts 1.
    Flat,
}

/// The weights of the text scores at the three scales.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ScaleWeights {
    /// The best turn.
    pub turn: f32,
    /// The exchange that the best turn belongs to.
    pub exchange: f32,
    /// The whole session.
    pub session: f32,
}

/// `tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average length))`; for sessions with `1 + ln(tf)` for `tf` and
/// square roots of the lengths.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Saturation {
    /// How slowly repeats stop counting.
    pub k1: f32,
    /// How much the length of a turn or an exchange counts, 0 to 1.
    pub b: f32,
    /// How much the length of a session counts, 0 to 1.
    pub session_b: f32,
}

/// What the ways to find a word are worth beside the exact word, which is worth 1.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FormWeights {
    /// Another form of the word by number or tense (`caches`, `cached` for `cache`). 0 searches exact words only.
    pub word_form: f32,
    /// Another part of speech (`migration` for `migrate`). 0 leaves them out.
    pub derived_form: f32,
    /// The parts of an identifier side by side (`get user name` for `getUserName`).
    pub parts: f32,
    /// A single part of an identifier, or two characters of a long CJK run.
    pub fragment: f32,
    /// A longer word that starts with it.
    pub prefix: f32,
    /// A longer word that contains it.
    pub infix: f32,
    /// A word that differs by a slip of the keyboard.
    pub typo: f32,
    /// A word that says little (`the`, `how`), where the query has others. 0 leaves it out.
    pub stop_word: f32,
    /// A name in a query of several words: one with a capital that is not the first. Who or what is asked about has
    /// to be there.
    pub name: f32,
    /// A quoted phrase, by its rarity.
    pub phrase: f32,
}

/// What is added for a session's labels and for the query as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Boosts {
    /// The words of the query in their order as one phrase, worth the rarity of all its words times this.
    pub whole_query: f32,
    /// Two words that follow one another in the query and stand near one another, in any order, worth the rarity of
    /// both times this.
    pub neighbours: f32,
    /// Text of the session's tags.
    pub tags: f32,
    /// How the score of tags and name meets the score of the text.
    pub labels: LabelScore,
    /// Text of the session's name. 0 where names are not searched.
    pub name: f32,
    /// A word of the query is the session's id or the start of it. 0 where ids are not searched.
    pub session_id: f32,
}

/// How the score of tags and name meets the score of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum LabelScore {
    /// It is added.
    Added,
    /// The better of both counts, as if the labels were a turn of their own.
    Separate,
}

/// How age counts.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, tag = "formula")]
pub enum Recency {
    /// Age does not count.
    None,
    /// The score times `1 + gain * exp(-age / days)`.
    #[serde(rename_all = "camelCase")]
    Boost {
        /// What a session of this moment gains.
        gain: f32,
        /// Days after which a third of the gain is left.
        days: f32,
    },
    /// The score times `0.5 ^ (age / days)`.
    #[serde(rename_all = "camelCase")]
    HalfLife {
        /// Days after which half of the score is left.
        days: f32,
    },
}

/// What the score is multiplied by.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Factors {
    /// The share of the score that hangs on how many of the query's words occur, 0 to 1.
    pub coverage: f32,
    /// Turns on the branch that the session is on, taken out of the context by a compaction.
    pub compacted: f32,
    /// Turns on a branch that was left.
    pub abandoned: f32,
    /// Sessions found by an exchange in which nobody answers.
    pub unanswered: f32,
    /// Sessions of the current folder.
    pub same_folder: f32,
}

/// How hits are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Grouping {
    /// Hits of one session, at most.
    pub hits_per_session: u32,
    /// Inside a session, a turn gains this for every message before it: the later one wins a tie. It decides which
    /// turn stands for the session and is no part of its score.
    pub later_turn: f32,
    /// Of the turns of a session whose scores are within this share of the best one's, the latest is shown: what was
    /// said last holds. The session keeps the score of its best turn. 0 shows the best one.
    pub latest_turn_within: f32,
    /// Of the best hits, within this share of the very best, those of one folder that have the same words of the query
    /// come latest first: a decision that was taken back must not hide what it was replaced by. 0 never.
    pub latest_session_within: f32,
    /// What happens when a fork and the session it came from both match.
    pub forks: Forks,
}

/// What happens when a fork and the session it came from both match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Forks {
    /// What they share counts once, for the older one. What is the fork's own is a hit of its own.
    FoldCopies,
    /// The fork is part of the hit of the session it came from, whatever matched in it.
    FoldFamilies,
}

/// When less exact ways to find a word are tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Relaxing {
    /// Longer words are tried when fewer sessions than this match, and always for words that occur nowhere. 0 never.
    pub longer_words_below: u32,
    /// Slips of the keyboard are tried when still fewer sessions than this match. 0 never.
    pub typos_below: u32,
}

impl Policy {
    /// The names of the built-in policies.
    pub const NAMES: [&str; 4] = ["default", "recall", "memory", "strict"];

    /// The built-in policy of this name.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "default" => Some(Self::balanced()),
            "recall" => Some(Self::recall()),
            "memory" => Some(Self::memory()),
            "strict" => Some(Self::strict()),
            _ => None,
        }
    }

    /// `default`: turn, exchange and session together, exact words before their forms, a mild recency.
    pub fn balanced() -> Self {
        Self {
            name: "default".into(),
            joining: Joining::Any,
            and_scale: Scale::Session,
            rarity: Rarity::InverseFrequency,
            scales: ScaleWeights {
                turn: 0.3,
                exchange: 0.5,
                session: 0.7,
            },
            saturation: Saturation {
                k1: 0.9,
                b: 0.4,
                session_b: 0.75,
            },
            forms: FormWeights {
                word_form: 0.7,
                derived_form: 0.3,
                parts: 0.8,
                fragment: 0.25,
                prefix: 0.5,
                infix: 0.4,
                typo: 0.8,
                stop_word: 0.0,
                name: 1.5,
                phrase: 2.0,
            },
            boosts: Boosts {
                whole_query: 2.0,
                neighbours: 0.2,
                tags: 4.0,
                labels: LabelScore::Added,
                name: 1.0,
                session_id: 100.0,
            },
            recency: Recency::Boost {
                gain: 0.1,
                days: 30.0,
            },
            factors: Factors {
                coverage: 0.75,
                compacted: 0.98,
                abandoned: 0.9,
                unanswered: 0.75,
                same_folder: 1.0,
            },
            grouping: Grouping {
                hits_per_session: 1,
                later_turn: 0.0,
                latest_turn_within: 0.2,
                latest_session_within: 0.1,
                forks: Forks::FoldCopies,
            },
            relaxation: Relaxing {
                longer_words_below: 1,
                typos_below: 1,
            },
        }
    }

    /// `recall`: the best turn by BM25 of any word, tags and the exact phrase boosted, recent sessions up to twice.
    pub fn recall() -> Self {
        Self {
            name: "recall".into(),
            joining: Joining::Any,
            and_scale: Scale::Turn,
            rarity: Rarity::InverseFrequency,
            scales: ScaleWeights::TURN_ONLY,
            saturation: Saturation::PLAIN,
            forms: FormWeights::EXACT,
            boosts: Boosts {
                whole_query: 10.0,
                neighbours: 0.0,
                tags: 4.0,
                labels: LabelScore::Separate,
                name: 0.0,
                session_id: 0.0,
            },
            recency: Recency::Boost { gain: 1.0, days: 7.0 },
            factors: Factors::NONE,
            grouping: Grouping {
                hits_per_session: 1,
                later_turn: 0.01,
                latest_turn_within: 0.0,
                latest_session_within: 0.0,
                forks: Forks::FoldCopies,
            },
            relaxation: Relaxing::NEVER,
        }
    }

    /// `memory`: up to three turns of a session by the saturated count of matching words, shorter and newer ones
    /// first; rare words count no more than common ones.
    pub fn memory() -> Self {
        Self {
            name: "memory".into(),
            joining: Joining::Any,
            and_scale: Scale::Turn,
            rarity: Rarity::Flat,
            scales: ScaleWeights::TURN_ONLY,
            saturation: Saturation::PLAIN,
            forms: FormWeights::EXACT,
            boosts: Boosts::NONE,
            recency: Recency::HalfLife { days: 30.0 },
            factors: Factors {
                same_folder: 1.2,
                ..Factors::NONE
            },
            grouping: Grouping {
                hits_per_session: 3,
                later_turn: 0.0,
                latest_turn_within: 0.0,
                latest_session_within: 0.0,
                forks: Forks::FoldCopies,
            },
            relaxation: Relaxing::NEVER,
        }
    }

    /// `strict`: all words in one turn, BM25 and nothing else; a fork is folded into the session it came from.
    pub fn strict() -> Self {
        Self {
            name: "strict".into(),
            joining: Joining::All,
            and_scale: Scale::Turn,
            rarity: Rarity::InverseFrequency,
            scales: ScaleWeights::TURN_ONLY,
            saturation: Saturation::PLAIN,
            forms: FormWeights::EXACT,
            boosts: Boosts::NONE,
            recency: Recency::None,
            factors: Factors::NONE,
            grouping: Grouping {
                hits_per_session: 1,
                later_turn: 0.0,
                latest_turn_within: 0.0,
                latest_session_within: 0.0,
                forks: Forks::FoldFamilies,
            },
            relaxation: Relaxing {
                // The trigram index of its model finds parts of words too.
                longer_words_below: 1,
                typos_below: 0,
            },
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::balanced()
    }
}

impl ScaleWeights {
    /// The best turn alone.
    pub const TURN_ONLY: Self = Self {
        turn: 1.0,
        exchange: 0.0,
        session: 0.0,
    };
}

impl Saturation {
    /// BM25 as everybody has it.
    pub const PLAIN: Self = Self {
        k1: 1.2,
        b: 0.75,
        session_b: 0.75,
    };
}

impl FormWeights {
    /// Exact words; identifiers by their parts in order.
    pub const EXACT: Self = Self {
        word_form: 0.0,
        derived_form: 0.0,
        parts: 1.0,
        fragment: 0.0,
        prefix: 0.5,
        infix: 0.5,
        typo: 0.5,
        stop_word: 1.0,
        name: 1.0,
        phrase: 1.0,
    };
}

impl Boosts {
    /// The text of turns alone.
    pub const NONE: Self = Self {
        whole_query: 0.0,
        neighbours: 0.0,
        tags: 0.0,
        labels: LabelScore::Added,
        name: 0.0,
        session_id: 0.0,
    };
}

impl Factors {
    /// Nothing is multiplied.
    pub const NONE: Self = Self {
        coverage: 0.0,
        compacted: 1.0,
        abandoned: 1.0,
        unanswered: 1.0,
        same_folder: 1.0,
    };
}

impl Relaxing {
    /// What is not found is not found.
    pub const NEVER: Self = Self {
        longer_words_below: 0,
        typos_below: 0,
    };
}
