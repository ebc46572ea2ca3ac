use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use lookback_session_model::{BranchState, EntryId, Role, SessionId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::Policy;

/// A search as a front end asks for it. The same request gives the same hits in the same order from every engine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SearchRequest {
    /// What is searched, in the query language. Default: nothing.
    pub query: String,
    /// How hits are ordered. Default: [`Policy::default`].
    pub policy: Policy,
    /// Hits on this page, at most [`SearchRequest::MAX_LIMIT`]. Default: 10.
    pub limit: usize,
    /// Hits before this page. Default: 0.
    pub offset: usize,
    /// Words as they are: no word forms, no relaxation. Default: false.
    pub exact: bool,
    /// The query is still being typed: its last word is also the start of longer words. Default: false.
    pub typing: bool,
    /// Take every score apart; costs another walk over the postings of each hit. Default: false.
    pub explain: bool,
    /// The moment from which ages are counted. Default: 1970, which makes every session new.
    pub now: Timestamp,
    /// What is searched at all. Default: everything.
    pub scope: Scope,
}

/// The part of the corpus that a request is about; narrows the filters of the query further.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Scope {
    /// Only sessions of this folder (not of folders below it).
    pub cwd: Option<Utf8PathBuf>,
    /// The folder the searcher works in: `cwd:.` means it, and some policies prefer its sessions.
    pub current_cwd: Option<Utf8PathBuf>,
    /// Only these sessions.
    pub sessions: Option<BTreeSet<SessionId>>,
    /// None of these sessions.
    pub without_sessions: BTreeSet<SessionId>,
    /// Only turns of these roles; empty for all.
    pub roles: BTreeSet<Role>,
    /// Only turns in these branch states; empty for all.
    pub branches: BTreeSet<BranchState>,
    /// Only turns said at this moment or later.
    pub since: Option<Timestamp>,
    /// Only turns said before this moment.
    pub until: Option<Timestamp>,
    /// Only sessions with all of these tags.
    pub tags: BTreeSet<String>,
    /// What the model has before its eyes anyway, left out.
    pub live: Option<LiveContext>,
}

/// The session a search comes from, and what of it is in the model's context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LiveContext {
    /// The session.
    pub session: SessionId,
    /// Its entries in the model's context. Other entries of it (compacted away, on another branch) are found.
    pub entries: BTreeSet<EntryId>,
}

impl SearchRequest {
    /// Hits on a page at most.
    pub const MAX_LIMIT: usize = 100;

    /// A request with defaults.
    pub fn new(query: impl Into<String>) -> Self {
        Self {
            query: query.into(),
            ..Self::default()
        }
    }
}

impl Default for SearchRequest {
    fn default() -> Self {
        Self {
            query: String::new(),
            policy: Policy::default(),
            limit: 10,
            offset: 0,
            exact: false,
            typing: false,
            explain: false,
            now: Timestamp::EPOCH,
            scope: Scope::default(),
        }
    }
}
