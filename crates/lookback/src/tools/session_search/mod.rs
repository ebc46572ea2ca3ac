//! The tool `session_search`: one tool whose mode follows from its arguments.

mod browse;
mod conversation;
mod discovery;
mod found;

use camino::Utf8PathBuf;
use lookback_session_model::{SessionId, SessionSummary};
use serde::Deserialize;
use serde_json::Value;

use super::{ToolContext, ToolError, ToolReply, call::Call, parameters};
use crate::Lookback;

pub(crate) const NAME: &str = "session_search";
const LISTING: &str = "session_search {}";
const SHAPE: &str = r#"Calls look like {"query":"…"}, {"sessionId":"<id>"}, {"sessionId":"<id>","aroundMessageId":"<id>","window":5}, {}"#;

/// What `session_search` is asked. The mode follows from what is given:
///
/// - `query`: discovery;
/// - `session_id` and `around_message_id`: scroll;
/// - `session_id`: read;
/// - nothing: browse.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SessionSearchParameters {
    /// What to search: all words must be in one message.
    #[serde(deserialize_with = "parameters::text")]
    pub query: Option<String>,
    /// A session: its id, the start of it, or its `.jsonl` file under a session folder.
    #[serde(deserialize_with = "parameters::text")]
    pub session_id: Option<String>,
    /// The message in the middle of a window.
    #[serde(deserialize_with = "parameters::text")]
    pub around_message_id: Option<String>,
    /// The end of the branch to stay on.
    #[serde(deserialize_with = "parameters::text")]
    pub branch_tip: Option<String>,
    /// Messages before and after, 1 to 20. Default: 5.
    #[serde(deserialize_with = "parameters::count")]
    pub window: Option<usize>,
    /// Sessions, 1 to 100. Default: 10.
    #[serde(deserialize_with = "parameters::count")]
    pub limit: Option<usize>,
    /// How much of the sessions below the first is shown.
    pub detail: Option<SessionSearchDetail>,
}

/// How much discovery shows of each session below the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum SessionSearchDetail {
    /// The message that matched.
    Anchor,
    /// The messages around it and both ends of the session, as for the first.
    Full,
}

/// Why some sessions are neither found nor browsed.
const SCRATCH_RULE: &str = "sessions run from /tmp or /private/tmp are left out by this tool";

pub(crate) fn run(
    lookback: &Lookback,
    parameters: Value,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    session_search(lookback, parameters::read(NAME, SHAPE, parameters)?, context)
}

pub(crate) fn session_search(
    lookback: &Lookback,
    asked: SessionSearchParameters,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let mut call = Call::new(lookback, context, NAME, LISTING);
    let asked = SessionSearchParameters {
        session_id: asked.session_id.map(|session| under_a_root(lookback, session)),
        ..asked
    };
    match (&asked.query, &asked.session_id, &asked.around_message_id) {
        (Some(_), _, around) => {
            if around.is_some() {
                call.warn("unused-parameter", "aroundMessageId means nothing beside a query");
            }
            discovery::run(call, &asked)
        }
        (None, Some(_), _) => conversation::run(call, &asked),
        (None, None, Some(_)) => Err(call.wrong("aroundMessageId needs the sessionId that it belongs to")),
        (None, None, None) => browse::run(call, &asked),
    }
}

/// The file of a session as browsing shows it, without its root, is looked for in the session folders.
fn under_a_root(lookback: &Lookback, session: String) -> String {
    if !session.ends_with(".jsonl") || session.starts_with('/') || session.contains("..") {
        return session;
    }
    let found = lookback
        .roots()
        .iter()
        .map(|root| root.join(&session))
        .find(|path| path.is_file());
    found.map_or(session, Utf8PathBuf::into_string)
}

/// Whether a session was run from a folder for temporary files.
fn is_scratch(session: &SessionSummary) -> bool {
    let folder = session
        .path
        .parent()
        .and_then(|folder| folder.file_name())
        .unwrap_or_default();
    folder.starts_with("--tmp-") || folder.starts_with("--private-tmp-")
}

/// The sessions that are left out by that rule. One that also lies elsewhere is not.
fn scratch_sessions(sessions: &[SessionSummary]) -> std::collections::BTreeSet<SessionId> {
    let mut left_out: std::collections::BTreeSet<SessionId> = sessions
        .iter()
        .filter(|session| is_scratch(session))
        .map(|session| session.id.clone())
        .collect();
    if !left_out.is_empty() {
        for session in sessions.iter().filter(|session| !is_scratch(session)) {
            left_out.remove(&session.id);
        }
    }
    left_out
}
