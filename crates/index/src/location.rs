use lookback_session_model::{BranchState, SessionSummary};
use serde::Serialize;

/// Where an entry stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EntryLocation {
    /// The session.
    pub session: SessionSummary,
    /// The entry's position in [`Session::nodes`](lookback_session_model::Session::nodes).
    pub node: u32,
    /// How it stands to the branch that the session is on.
    pub branch: BranchState,
}
