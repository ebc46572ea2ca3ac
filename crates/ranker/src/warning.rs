use std::fmt;

use serde::{Serialize, Serializer};
use smol_str::SmolStr;

/// Something about a query that its author should know. It never keeps the rest from being searched.
///
/// Serialises as an object with a stable `code` and a `message` for people.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Warning {
    /// The query was longer than [`MAX_QUERY_CHARS`](crate::query::MAX_QUERY_CHARS) characters.
    QueryCut {
        /// Its length in characters.
        characters: usize,
    },
    /// What looks like an operator makes no sense here and is searched as text.
    OperatorAsText {
        /// The operator.
        operator: SmolStr,
    },
    /// A quotation mark without its partner is ignored.
    UnclosedQuote,
    /// A parenthesis without its partner, or nested too deep, is ignored.
    UnbalancedParenthesis,
    /// A filter has a value that it does not know and is searched as text.
    BadFilterValue {
        /// The filter's name.
        filter: SmolStr,
        /// The value.
        value: String,
        /// What it could be.
        expected: &'static str,
    },
    /// Everything in the query is excluded, so the exclusion is searched as text.
    OnlyExclusions,
    /// Nothing in the query can be searched: it is empty or made of signs.
    NothingToSearch,
    /// Only the rarest words of a long query are searched.
    WordsLeftOut {
        /// How many were searched.
        searched: usize,
        /// How many were left out.
        left_out: usize,
    },
    /// More terms fit a wildcard than are searched.
    TermsLeftOut {
        /// The word with the wildcard.
        word: String,
        /// How many were searched, the most frequent ones.
        searched: usize,
        /// How many fit.
        fitting: usize,
    },
    /// No session has this tag.
    UnknownTag {
        /// The tag.
        tag: SmolStr,
    },
    /// No session has an id that starts so.
    UnknownSession {
        /// The start of an id.
        id: String,
    },
    /// Several sessions have an id that starts so; all of them are searched.
    AmbiguousSession {
        /// The start of an id.
        id: String,
        /// How many.
        count: usize,
    },
    /// `is:unread` was asked where nobody knows which sessions are unread; the filter is ignored.
    UnreadUnknown,
    /// Not all files were looked at to find the sessions that `is:unread` means.
    UnreadCut {
        /// Files that were read: the newest ones that can be.
        looked_at: usize,
        /// Files that there are.
        files: usize,
    },
    /// `cwd:.` was asked where no current folder is known; the filter is ignored.
    CurrentFolderUnknown,
    /// Matches in the model's present context were left out.
    LiveContextLeftOut {
        /// How many turns.
        turns: usize,
    },
}

impl Warning {
    /// A stable name for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::QueryCut { .. } => "query-cut",
            Self::OperatorAsText { .. } => "operator-as-text",
            Self::UnclosedQuote => "unclosed-quote",
            Self::UnbalancedParenthesis => "unbalanced-parenthesis",
            Self::BadFilterValue { .. } => "bad-filter-value",
            Self::OnlyExclusions => "only-exclusions",
            Self::NothingToSearch => "nothing-to-search",
            Self::WordsLeftOut { .. } => "words-left-out",
            Self::TermsLeftOut { .. } => "terms-left-out",
            Self::UnknownTag { .. } => "unknown-tag",
            Self::UnknownSession { .. } => "unknown-session",
            Self::AmbiguousSession { .. } => "ambiguous-session",
            Self::UnreadUnknown => "unread-unknown",
            Self::UnreadCut { .. } => "unread-cut",
            Self::CurrentFolderUnknown => "current-folder-unknown",
            Self::LiveContextLeftOut { .. } => "live-context-left-out",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::QueryCut { characters } => write!(
                f,
                "the query has {characters} characters; the first {} are searched",
                crate::query::MAX_QUERY_CHARS
            ),
            Self::OperatorAsText { operator } => write!(f, "`{operator}` is searched as text here"),
            Self::UnclosedQuote => f.write_str("a quotation mark has no partner and is ignored"),
            Self::UnbalancedParenthesis => {
                f.write_str("a parenthesis has no partner or is nested too deep and is ignored")
            }
            Self::BadFilterValue {
                filter,
                value,
                expected,
            } => write!(
                f,
                "`{filter}:{value}` is searched as text: {filter} takes {expected}"
            ),
            Self::OnlyExclusions => {
                f.write_str("there is nothing to exclude from, so the exclusion is searched as text")
            }
            Self::NothingToSearch => f.write_str("there is no word to search for"),
            Self::WordsLeftOut { searched, left_out } => write!(
                f,
                "the {searched} rarest words are searched, {left_out} more are left out"
            ),
            Self::TermsLeftOut {
                word,
                searched,
                fitting,
            } => write!(
                f,
                "`{word}` fits {fitting} words; the {searched} most frequent are searched"
            ),
            Self::UnknownTag { tag } => write!(f, "no session has the tag #{tag}"),
            Self::UnknownSession { id } => write!(f, "no session has an id that starts with {id}"),
            Self::AmbiguousSession { id, count } => {
                write!(
                    f,
                    "{count} sessions have an id that starts with {id}; all are searched"
                )
            }
            Self::UnreadUnknown => {
                f.write_str("it is not known here which sessions are unread; `is:unread` is ignored")
            }
            Self::UnreadCut { looked_at, files } => write!(
                f,
                "`is:unread` knows of {looked_at} of {files} session files: of the newest ones that can be read"
            ),
            Self::CurrentFolderUnknown => {
                f.write_str("the current folder is not known here; `cwd:.` is ignored")
            }
            Self::LiveContextLeftOut { turns } => {
                write!(f, "{turns} matching turns of the present context are left out")
            }
        }
    }
}

impl Serialize for Warning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut object = serializer.serialize_struct("Warning", 2)?;
        object.serialize_field("code", self.code())?;
        object.serialize_field("message", &self.to_string())?;
        object.end()
    }
}
