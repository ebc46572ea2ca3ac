use serde::{Deserialize, Serialize};

/// How much text is looked at as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Scale {
    /// Consecutive text of one role along one branch.
    Turn,
    /// A turn of the user with what answers it.
    Exchange,
    /// All turns of a session.
    Session,
}
