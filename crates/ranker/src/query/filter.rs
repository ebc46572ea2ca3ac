use lookback_session_model::{BranchState, Role};
use smol_str::SmolStr;

use super::When;

/// A condition on hits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// The condition.
    pub kind: FilterKind,
    /// The hit must not be so (`-role:user`).
    pub negated: bool,
}

/// What a [`Filter`] looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterKind {
    /// `#tag`, `tag:…`: the session has the tag.
    Tag(SmolStr),
    /// `role:…`: who speaks.
    Role(Role),
    /// `cwd:…`: the folder of the session. An absolute path means that folder and those below it, `.` the current
    /// one, anything else a part of the path.
    Cwd(String),
    /// `session:…`: the session's id or the start of it.
    Session(String),
    /// `name:…`: a part of the session's name.
    Name(String),
    /// `model:…`: a part of the name of the model that answers.
    Model(String),
    /// `after:…`: said at this moment or later.
    After(When),
    /// `before:…`: said before this moment.
    Before(When),
    /// `branch:…`: how the turn stands to the branch that the session is on.
    Branch(BranchState),
    /// `is:…`: a property of the session.
    Is(Property),
}

/// The values of `is:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Property {
    /// The session was forked from another one.
    Fork,
    /// The session waits for an answer.
    Unread,
    /// The session has a tag.
    Tagged,
}

impl FilterKind {
    /// The names of filters in queries.
    pub const NAMES: [&'static str; 10] = [
        "tag", "role", "cwd", "session", "name", "model", "after", "before", "branch", "is",
    ];

    /// The filter `name:value`. `Err` says what the filter takes; `None` that there is no such filter.
    pub(super) fn parse(name: &str, value: &str) -> Option<Result<Self, &'static str>> {
        let text = || value.to_owned();
        Some(match name {
            "tag" => Ok(Self::Tag(SmolStr::new(
                value.trim_start_matches('#').to_lowercase(),
            ))),
            "role" => match value.to_ascii_lowercase().as_str() {
                "user" => Ok(Self::Role(Role::User)),
                "assistant" => Ok(Self::Role(Role::Assistant)),
                _ => Err("user or assistant"),
            },
            "cwd" => Ok(Self::Cwd(text())),
            "session" => Ok(Self::Session(text())),
            "name" => Ok(Self::Name(text())),
            "model" => Ok(Self::Model(text())),
            "after" => When::parse(value).map(Self::After).ok_or(DATES),
            "before" => When::parse(value).map(Self::Before).ok_or(DATES),
            "branch" => match value.to_ascii_lowercase().as_str() {
                "active" => Ok(Self::Branch(BranchState::Active)),
                "abandoned" => Ok(Self::Branch(BranchState::Abandoned)),
                "compacted" => Ok(Self::Branch(BranchState::Compacted)),
                _ => Err("active, abandoned or compacted"),
            },
            "is" => match value.to_ascii_lowercase().as_str() {
                "fork" => Ok(Self::Is(Property::Fork)),
                "unread" => Ok(Self::Is(Property::Unread)),
                "tagged" => Ok(Self::Is(Property::Tagged)),
                _ => Err("fork, unread or tagged"),
            },
            _ => return None,
        })
    }
}

/// What the filters of time take.
const DATES: &str = "a date that exists (2026-03-02, 2026-03), an age (12h, 7d, 3w) or today";
