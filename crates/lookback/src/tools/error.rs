use lookback_scan::ScanError;

use super::safe_text::short_line;
use crate::{Error, error::and_more};

/// Why a tool gave no answer. The text is for the model: it says what to do instead.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ToolError {
    /// There is no such tool.
    #[error("there is no tool {name}; the tools are {}", super::NAMES.join(", "))]
    UnknownTool {
        /// What was asked for.
        name: String,
    },
    /// The parameters make no sense.
    #[error("{tool}: {what}")]
    Parameters {
        /// The tool.
        tool: &'static str,
        /// What is wrong, and what to do.
        what: String,
    },
    /// What the parameters name is not there.
    #[error("{tool}: {what}")]
    NotFound {
        /// The tool.
        tool: &'static str,
        /// What is missing, and what to do.
        what: String,
        /// The reason, for programs.
        source: Error,
    },
    /// The caller ended it.
    #[error("{tool}: cancelled")]
    Cancelled {
        /// The tool.
        tool: &'static str,
    },
    /// The engine failed.
    #[error("{tool}: {}", sentence(.source))]
    Engine {
        /// The tool.
        tool: &'static str,
        /// How.
        source: Error,
    },
}

impl ToolError {
    /// A stable name for the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "unknown-tool",
            Self::Parameters { .. } => "bad-parameters",
            Self::Cancelled { .. } => "cancelled",
            Self::NotFound { source, .. } | Self::Engine { source, .. } => source.code(),
        }
    }

    pub(crate) fn parameters(tool: &'static str, what: impl Into<String>) -> Self {
        Self::Parameters {
            tool,
            what: what.into(),
        }
    }

    /// Puts an error of the library into words that fit the tool: its own sentences are for people at a terminal.
    ///
    /// `listing` is the call that shows which sessions there are.
    pub(crate) fn from_engine(tool: &'static str, listing: &str, source: Error) -> Self {
        let what = match &source {
            Error::SessionNotFound { id } => {
                format!(
                    "no session has the id {}. {listing} shows the sessions.",
                    named(id)
                )
            }
            Error::AmbiguousSession { id, candidates, more } => {
                let candidates: Vec<String> = candidates.iter().map(|id| named(id)).collect();
                format!(
                    "{} is the start of several session ids: {}{}. Give more of it.",
                    named(id),
                    candidates.join(", "),
                    and_more(more)
                )
            }
            Error::OutsideRoots { .. } | Error::Open(_) | Error::EmptySession { .. } => format!(
                "this is no session file in the session folders ({}). Give the id of a session; {listing} shows them.",
                source.code()
            ),
            Error::EntryNotFound { entry, .. } => format!(
                "the session has no entry {}. Take an entry id from a search or from a read of this session.",
                named(entry)
            ),
            Error::NotOnBranch { entry, branch_tip } => format!(
                "entry {} is not on the branch that ends at {}. Leave branchTip out to follow the entry's own branch.",
                named(entry),
                named(branch_tip)
            ),
            Error::Scan(
                ScanError::OutsideRoots { .. } | ScanError::NotASession { .. } | ScanError::Session(_),
            ) => {
                format!(
                    "this is no session file in the session folders ({}). Take the path from a marker; {listing} gives markers.",
                    source.code()
                )
            }
            Error::Scan(ScanError::NoLine) => "offset is a line number, from 1.".to_owned(),
            Error::Scan(ScanError::BehindTheEnd { lines, .. }) => {
                format!("the file has {lines} lines; give a smaller offset.")
            }
            Error::Request { what } => what.clone(),
            _ => return Self::Engine { tool, source },
        };
        Self::NotFound { tool, what, source }
    }
}

/// What the model itself wrote, or an id, harmless and short.
fn named(text: &str) -> String {
    format!("\"{}\"", short_line(text, 80))
}

/// The error and its causes, without what a file could have put into them at length.
pub(crate) fn sentence(error: &Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(deeper) = cause {
        let more = deeper.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = deeper.source();
    }
    short_line(&text, 300)
}
