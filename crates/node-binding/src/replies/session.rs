use lookback::{ListReply, ListedSession, SessionSummary, Source};
use napi_derive::napi;

use super::{AnswerSource, Moment, count, texts};

/// A session.
#[napi(object, object_from_js = false)]
pub struct Session {
    /// Its id.
    pub id: String,
    /// Its file.
    pub path: String,
    /// The folder it belongs to; empty when its header names none.
    pub cwd: String,
    /// The name, or else the first text of the user; never empty.
    pub title: String,
    /// The name given to it.
    pub name: Option<String>,
    /// When it was created.
    #[napi(ts_type = "Date")]
    pub created: Option<Moment>,
    /// Time of the last message of user or assistant.
    #[napi(ts_type = "Date")]
    pub modified: Option<Moment>,
    /// Messages of all roles on all branches.
    pub message_count: i64,
    /// The file it was forked from.
    pub parent_session: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
}

/// A page of a list of sessions, the latest activity first.
#[napi(object, object_from_js = false)]
pub struct SessionPage {
    /// The sessions.
    pub sessions: Vec<Session>,
    /// Sessions on all pages.
    pub total: i64,
    /// Sessions before this page.
    pub offset: i64,
    /// The offset of the next page; missing on the last one.
    pub next_offset: Option<i64>,
    /// How fresh it is.
    pub source: AnswerSource,
}

impl Session {
    pub(crate) fn new(summary: SessionSummary, tags: impl IntoIterator<Item: ToString>) -> Self {
        Self {
            id: summary.id.to_string(),
            path: summary.path.into_string(),
            cwd: summary.cwd,
            title: summary.title,
            name: summary.name,
            created: summary.created.map(Moment::from),
            modified: summary.modified.map(Moment::from),
            message_count: count(summary.message_count),
            parent_session: summary.parent_session,
            tags: texts(tags),
        }
    }
}

impl SessionPage {
    pub(crate) fn new(reply: ListReply, source: Option<Source>) -> Self {
        let session = |listed: ListedSession| Session::new(listed.summary, listed.tags);
        Self {
            sessions: reply.sessions.into_iter().map(session).collect(),
            total: count(reply.total),
            offset: count(reply.offset),
            next_offset: reply.next_offset.map(count),
            source: source.map_or_else(AnswerSource::last_commit, AnswerSource::from),
        }
    }
}
