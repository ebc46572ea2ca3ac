use std::collections::BTreeSet;

use camino::Utf8PathBuf;
use lookback_session_model::{Session, SessionId, Timestamp};

/// Which rows are read. The default is all of them.
///
/// Sessions and entries that do not fit are passed over before their text is decoded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only what happened at this moment or later; what has no time is left out.
    pub since: Option<Timestamp>,
    /// Only what happened before this moment; what has no time is left out.
    pub until: Option<Timestamp>,
    /// Only sessions of this folder (not of folders below it).
    pub cwd: Option<Utf8PathBuf>,
    /// Only these sessions.
    pub sessions: Option<BTreeSet<SessionId>>,
}

impl Filter {
    /// True for sessions that may have rows.
    pub(super) fn wants(&self, session: &Session) -> bool {
        let cwd = session.header().map_or("", |header| header.cwd.as_str());
        self.cwd.as_ref().is_none_or(|wanted| wanted == cwd)
            && self
                .sessions
                .as_ref()
                .is_none_or(|wanted| wanted.contains(session.id()))
    }

    /// True for a moment in the span that is asked for.
    pub(super) fn spans(&self, time: Option<Timestamp>) -> bool {
        match time {
            Some(time) => {
                self.since.is_none_or(|since| since <= time) && self.until.is_none_or(|until| time < until)
            }
            None => self.since.is_none() && self.until.is_none(),
        }
    }

    /// True when a stretch of time has a part in common with the span that is asked for.
    pub(super) fn touches(&self, first: Option<Timestamp>, last: Option<Timestamp>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let (Some(first), Some(last)) = (first.or(last), last.or(first)) else {
            return false;
        };
        self.since.is_none_or(|since| since <= last.max(first))
            && self.until.is_none_or(|until| first < until)
    }
}
