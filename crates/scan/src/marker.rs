use std::fmt;

use camino::Utf8PathBuf;
use lookback_session_model::{Role, Timestamp};
use serde::Serialize;

use crate::plain;

/// Where a hit stands: enough to read on from there with [`Scanner::window`](crate::Scanner::window).
///
/// Its text is one harmless line, `path:line | role: preview`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Marker {
    /// The session file.
    pub path: Utf8PathBuf,
    /// The line of the message, from 1. 1 for a session that matches by its name or tags alone and has no text.
    pub line: u64,
    /// Who speaks.
    pub role: Role,
    /// The text around the match, as in the hit's snippet.
    pub preview: String,
    /// When it was said.
    pub time: Option<Timestamp>,
}

/// Characters of a preview in the text of a marker, at most.
const PREVIEW: usize = 160;

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{} | {}: {}",
            plain::line(self.path.as_str(), usize::MAX),
            self.line,
            self.role.name(),
            plain::line(&self.preview, PREVIEW)
        )
    }
}
