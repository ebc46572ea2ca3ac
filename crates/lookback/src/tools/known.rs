//! The sessions that are known, also where no index may be used.

use lookback_session_model::{Discovery, SessionFile, SessionSummary};

use crate::{Error, ListReply, ListRequest, ListedSession, Lookback};

/// The sessions in all files, the latest activity first. Every file is read; those that cannot be are passed over.
/// `None` when the caller ended it.
pub(crate) fn in_files(lookback: &Lookback, cancelled: &dyn Fn() -> bool) -> Option<Vec<SessionSummary>> {
    let found = Discovery::look(lookback.roots(), |folder| lookback.is_excluded(folder));
    let mut sessions = Vec::new();
    for file in found.files {
        if cancelled() {
            return None;
        }
        if let Ok(file) = SessionFile::read(&file.path, 0) {
            sessions.extend(file.sessions().iter().map(|session| file.summary(session)));
        }
    }
    sessions.sort_by(|a, b| {
        b.modified
            .cmp(&a.modified)
            .then_with(|| a.id.cmp(&b.id))
            .then_with(|| a.path.cmp(&b.path))
    });
    Some(sessions)
}

/// A page of these sessions, with their tags.
pub(crate) fn page(
    lookback: &Lookback,
    mut sessions: Vec<SessionSummary>,
    request: &ListRequest,
) -> Result<ListReply, Error> {
    let tags = lookback.tags()?;
    if let Some(cwd) = &request.cwd {
        sessions.retain(|session| session.cwd == cwd.as_str());
    }
    let total = sessions.len();
    let end = request.offset.saturating_add(request.limit);
    let on_page = sessions.into_iter().skip(request.offset).take(request.limit);
    let listed = |summary: SessionSummary| ListedSession {
        tags: tags
            .get(summary.id.as_str())
            .map(|tags| tags.effective().cloned().collect())
            .unwrap_or_default(),
        summary,
    };
    Ok(ListReply {
        sessions: on_page.map(listed).collect(),
        total,
        offset: request.offset,
        next_offset: (end < total).then_some(end),
    })
}
