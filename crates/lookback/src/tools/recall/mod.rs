//! The tool `recall`: everything in one.

mod list;
mod read;
mod search;
mod unread;

pub(crate) use read::{messages, session_line};
use serde::Deserialize;
use serde_json::Value;

use super::{ToolContext, ToolError, ToolReply, call::Call, parameters};
use crate::Lookback;

pub(crate) const NAME: &str = "recall";
pub(crate) const LISTING: &str = r#"recall {"action":"list"}"#;
const SHAPE: &str = r#"Calls look like {"action":"search","query":"…"}, {"action":"list"}, {"action":"read","session":"<id>"}, {"action":"around","session":"<id>","entry":"<id>"}, {"action":"unread"}"#;

/// What `recall` is asked.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RecallParameters {
    /// What to do.
    pub action: RecallAction,
    /// What to search; for `unread`, what name, message or folder contain.
    #[serde(default, deserialize_with = "parameters::text")]
    pub query: Option<String>,
    /// A session: its id, the start of it, the path of its file, or `current`. For `search`: only in this one.
    #[serde(default, deserialize_with = "parameters::text")]
    pub session: Option<String>,
    /// An entry of the session.
    #[serde(default, deserialize_with = "parameters::text")]
    pub entry: Option<String>,
    /// Stay on the branch that ends here.
    #[serde(default, deserialize_with = "parameters::text")]
    pub branch_tip: Option<String>,
    /// Messages before and after the entry, 1 to 20. Default: 5.
    #[serde(default, deserialize_with = "parameters::count")]
    pub window: Option<usize>,
    /// Which folders.
    #[serde(default)]
    pub scope: Option<RecallScope>,
    /// Hits, sessions or messages, 1 to 100.
    #[serde(default, deserialize_with = "parameters::count")]
    pub limit: Option<usize>,
    /// Hits or sessions to pass over; for `read` of an entry, characters of it.
    #[serde(default, deserialize_with = "parameters::count")]
    pub offset: Option<usize>,
    /// Characters of the answer, 2,000 to 40,000.
    #[serde(default, deserialize_with = "parameters::count")]
    pub budget: Option<usize>,
}

/// The actions of `recall`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecallAction {
    /// Full-text search.
    #[default]
    Search,
    /// Recent sessions.
    List,
    /// A session, or one entry of it.
    Read,
    /// The messages around an entry.
    Around,
    /// Sessions that end in an unanswered message.
    Unread,
}

/// Which folders `recall` looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum RecallScope {
    /// Sessions of the current folder.
    Current,
    /// All sessions.
    All,
}

pub(crate) fn run(
    lookback: &Lookback,
    parameters: Value,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    recall(lookback, parameters::read(NAME, SHAPE, parameters)?, context)
}

pub(crate) fn recall(
    lookback: &Lookback,
    mut asked: RecallParameters,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let mut call = Call::new(lookback, context, NAME, LISTING);
    if asked.session.as_deref() == Some("current") {
        let Some(current) = &context.session else {
            return Err(call.wrong("there is no current session here; give the id of a session"));
        };
        asked.session = Some(current.to_string());
    }
    note_unused(&mut call, &asked);
    match asked.action {
        RecallAction::Search => search::run(call, &asked),
        RecallAction::List => list::run(call, &asked),
        RecallAction::Read => read::run(call, &asked),
        RecallAction::Around => read::around(call, &asked),
        RecallAction::Unread => unread::run(call, &asked),
    }
}

/// A parameter that does nothing is said, not refused: a second call would cost more than it is worth.
fn note_unused(call: &mut Call<'_>, asked: &RecallParameters) {
    use RecallAction::{Around, List, Read, Search, Unread};
    let uses: [(&str, bool, &[RecallAction]); 7] = [
        ("query", asked.query.is_some(), &[Search, Unread]),
        ("session", asked.session.is_some(), &[Search, Read, Around]),
        ("entry", asked.entry.is_some(), &[Read, Around]),
        ("branchTip", asked.branch_tip.is_some(), &[Read, Around]),
        ("window", asked.window.is_some(), &[Around]),
        ("scope", asked.scope.is_some(), &[Search, List, Unread]),
        ("offset", asked.offset.is_some(), &[Search, List, Read, Unread]),
    ];
    for (name, is_given, actions) in uses {
        if is_given && !actions.contains(&asked.action) {
            call.warn(
                "unused-parameter",
                format!("{name} means nothing for this action"),
            );
        }
    }
}

/// The folder that a scope stands for; `None` for all.
fn scope_folder<'c>(
    call: &Call<'c>,
    scope: Option<RecallScope>,
) -> Result<Option<&'c camino::Utf8Path>, ToolError> {
    match (scope, call.context.cwd.as_deref()) {
        (None | Some(RecallScope::All), _) => Ok(None),
        (Some(RecallScope::Current), Some(cwd)) => Ok(Some(cwd)),
        (Some(RecallScope::Current), None) => {
            Err(call.wrong("there is no current folder here; use \"scope\":\"all\""))
        }
    }
}
