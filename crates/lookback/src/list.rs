use camino::Utf8PathBuf;
use lookback_session_model::SessionSummary;
use lookback_tags::Tag;
use serde::{Deserialize, Serialize};

use crate::{Error, Lookback};

/// Which sessions to list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ListRequest {
    /// Only sessions of this folder. Default: all.
    pub cwd: Option<Utf8PathBuf>,
    /// Sessions on the page. Default: 20.
    pub limit: usize,
    /// Sessions before it. Default: 0.
    pub offset: usize,
}

impl Default for ListRequest {
    fn default() -> Self {
        Self {
            cwd: None,
            limit: 20,
            offset: 0,
        }
    }
}

/// A page of a list, the latest activity first.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListReply {
    /// The sessions.
    pub sessions: Vec<ListedSession>,
    /// Sessions on all pages.
    pub total: usize,
    /// Sessions before this page.
    pub offset: usize,
    /// The offset of the next page, `None` on the last one.
    pub next_offset: Option<usize>,
}

/// A session and its tags.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedSession {
    /// The session.
    #[serde(flatten)]
    pub summary: SessionSummary,
    /// Its tags.
    pub tags: Vec<Tag>,
}

impl Lookback {
    /// Lists the sessions that the index knows, the latest activity first.
    ///
    /// # Errors
    /// When the index or the tags cannot be read.
    pub fn list(&self, request: &ListRequest) -> Result<ListReply, Error> {
        let tags = self.tags.snapshot()?;
        let mut sessions = self.sessions()?;
        if let Some(cwd) = &request.cwd {
            sessions.retain(|session| session.cwd == cwd.as_str());
        }
        let total = sessions.len();
        let end = request.offset.saturating_add(request.limit);
        let listed = |summary: SessionSummary| {
            let tags = tags
                .get(summary.id.as_str())
                .map(|tags| tags.effective().cloned().collect())
                .unwrap_or_default();
            ListedSession { summary, tags }
        };
        Ok(ListReply {
            sessions: sessions
                .into_iter()
                .skip(request.offset)
                .take(request.limit)
                .map(listed)
                .collect(),
            total,
            offset: request.offset,
            next_offset: (end < total).then_some(end),
        })
    }
}
