//! How a session ends, as far as somebody may still be waiting.

use serde::{Deserialize, Serialize};

/// How a session ends. Sessions that end in an answer have none of these states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum State {
    /// The last message in the file is from the user and has text.
    Unread,
    /// The last message is from the user and has pictures but no text.
    Picture,
    /// The user got nothing to read: the last message is from the model, has no text, and ends in an error or an
    /// abort; or nothing that was said or done since the user's message can be seen.
    Failed,
    /// The turn stopped in tool use: the last message is a tool's result, or one whose tool calls have no result.
    Interrupted,
    /// The last message of the file is an answer on another branch than the newest message, which is from the user and
    /// has no answer: two processes wrote to one file.
    OtherBranch,
}

impl State {
    /// All states, in the order in which they are explained.
    pub const ALL: [Self; 5] = [
        Self::Unread,
        Self::Picture,
        Self::Failed,
        Self::Interrupted,
        Self::OtherBranch,
    ];

    /// The name that stands in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Unread => "unread",
            Self::Picture => "picture",
            Self::Failed => "failed",
            Self::Interrupted => "interrupted",
            Self::OtherBranch => "otherBranch",
        }
    }

    /// The state of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// A set of states.
///
/// ```
/// use lookback_unread::{State, States};
/// let states = States::UNREAD.with(State::Failed);
/// assert!(states.has(State::Unread) && states.has(State::Failed) && !states.has(State::Picture));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct States(u8);

impl States {
    /// No state.
    pub const NONE: Self = Self(0);
    /// Only unanswered messages: the plain list.
    pub const UNREAD: Self = Self::NONE.with(State::Unread);
    /// Every state.
    pub const ALL: Self = Self((1 << State::ALL.len()) - 1);

    /// The set and one state more.
    #[must_use]
    pub const fn with(self, state: State) -> Self {
        Self(self.0 | (1 << state as u8))
    }

    /// Whether the state is in the set.
    pub const fn has(self, state: State) -> bool {
        self.0 & (1 << state as u8) != 0
    }
}

impl FromIterator<State> for States {
    fn from_iter<I: IntoIterator<Item = State>>(states: I) -> Self {
        states.into_iter().fold(Self::NONE, Self::with)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_states() {
        for state in State::ALL {
            assert_eq!(State::from_name(state.name()), Some(state));
            assert_eq!(serde_json::to_string(&state).unwrap(), format!("\"{state}\""));
            assert!(States::ALL.has(state));
            assert!(!States::NONE.has(state));
        }
        assert_eq!(State::from_name("read"), None);
        assert_eq!(State::ALL.into_iter().collect::<States>(), States::ALL);
    }
}
