//! From options to the requests of the engine.

use std::{collections::BTreeSet, time::Duration};

use camino::Utf8Path;
use lookback::{
    EntryId, ListRequest, Policy, ReadRequest, Scope, SearchRequest, SessionId, SyncRequest, UnreadRequest,
};
use serde::de::{DeserializeOwned, IntoDeserializer, value::StrDeserializer};

use crate::{
    control::Control,
    failure::Failure,
    host,
    options::{ListOptions, LiveContext, ReadOptions, SearchOptions, SearchScope, SyncOptions, UnreadOptions},
};

fn refused(what: String) -> Failure {
    lookback::Error::Request { what }.into()
}

/// A value of an enum by its name in JSON.
fn named<T: DeserializeOwned>(name: &str, at: &str) -> Result<T, Failure> {
    let name: StrDeserializer<'_, serde::de::value::Error> = name.into_deserializer();
    T::deserialize(name).map_err(|error| refused(format!("{at}: {error}")))
}

fn all_named<T: DeserializeOwned, C: FromIterator<T>>(
    names: Option<Vec<String>>,
    at: &str,
) -> Result<C, Failure> {
    names
        .unwrap_or_default()
        .iter()
        .map(|name| named(name, at))
        .collect()
}

impl SearchOptions {
    pub(crate) fn request(self, query: String, cwd: &Utf8Path) -> Result<SearchRequest, Failure> {
        let default = SearchRequest::new(query);
        let policy = match self.policy {
            Some(name) => Policy::named(&name).ok_or_else(|| {
                refused(format!(
                    "options.policy: there is no `{name}`; it can be {}",
                    Policy::NAMES.join(", ")
                ))
            })?,
            None => Policy::default(),
        };
        Ok(SearchRequest {
            policy,
            limit: self.limit.unwrap_or(default.limit),
            offset: self.offset.unwrap_or(default.offset),
            exact: self.exact.unwrap_or(default.exact),
            typing: self.typing.unwrap_or(default.typing),
            explain: self.explain.unwrap_or(default.explain),
            now: self.now.unwrap_or_else(host::now),
            scope: self.scope.unwrap_or_default().scope(cwd)?,
            ..default
        })
    }
}

impl SearchScope {
    fn scope(self, cwd: &Utf8Path) -> Result<Scope, Failure> {
        let ids = |ids: Vec<String>| ids.iter().map(SessionId::new).collect::<BTreeSet<_>>();
        Ok(Scope {
            cwd: self.cwd,
            current_cwd: Some(self.current_cwd.unwrap_or_else(|| cwd.to_owned())),
            sessions: self.sessions.map(ids),
            without_sessions: self.without_sessions.map(ids).unwrap_or_default(),
            roles: all_named(self.roles, "options.scope.roles")?,
            branches: all_named(self.branches, "options.scope.branches")?,
            since: self.since,
            until: self.until,
            tags: self.tags.unwrap_or_default().into_iter().collect(),
            live: self.live.map(LiveContext::context),
        })
    }
}

impl LiveContext {
    fn context(self) -> lookback::LiveContext {
        let entries = self.entries.unwrap_or_default();
        lookback::LiveContext {
            session: SessionId::new(self.session.unwrap_or_default()),
            entries: entries.iter().map(EntryId::new).collect(),
        }
    }
}

impl ListOptions {
    pub(crate) fn request(self) -> ListRequest {
        let default = ListRequest::default();
        ListRequest {
            cwd: self.cwd,
            limit: self.limit.unwrap_or(default.limit),
            offset: self.offset.unwrap_or(default.offset),
        }
    }
}

impl ReadOptions {
    pub(crate) fn request(self, session: String) -> ReadRequest {
        let default = if self.all == Some(true) {
            return ReadRequest {
                around: self.around,
                branch_tip: self.branch_tip,
                ..ReadRequest::everything(session)
            };
        } else {
            ReadRequest::default()
        };
        ReadRequest {
            session,
            around: self.around,
            window: self.window.unwrap_or(default.window),
            branch_tip: self.branch_tip,
            head: self.head.unwrap_or(default.head),
            tail: self.tail.unwrap_or(default.tail),
            characters: self.characters.unwrap_or(default.characters),
        }
    }
}

impl UnreadOptions {
    pub(crate) fn request(self) -> Result<UnreadRequest, Failure> {
        let default = UnreadRequest::default();
        Ok(UnreadRequest {
            cwd: self.cwd,
            folder: self.folder,
            states: all_named(self.states, "options.states")?,
            query: self.query.unwrap_or(default.query),
            offset: self.offset.unwrap_or(default.offset),
            limit: self.limit.unwrap_or(default.limit),
            max_sessions: self.max_sessions.unwrap_or(default.max_sessions),
            active_id: self.active_id,
            active_path: self.active_path,
            include_done: self.include_done.unwrap_or(default.include_done),
            details: self.details.unwrap_or(default.details),
        })
    }
}

impl SyncOptions {
    /// How long to wait for another process.
    pub(crate) fn patience(&self) -> Duration {
        self.wait
            .map_or(SyncRequest::default().wait, |ms| Duration::from_millis(ms as u64))
    }
}

/// Runs a sync or a rebuild, with everything that a caller of JavaScript can do to it.
pub(crate) fn sync_with(
    control: &Control,
    wait: Duration,
    run: impl FnOnce(&SyncRequest<'_>) -> Result<lookback::SyncReport, lookback::Error>,
) -> Result<lookback::SyncReport, Failure> {
    let report = run(&SyncRequest {
        progress: &control.reporting(),
        cancel: control.stop().flag(),
        wait,
    })?;
    if report.state == lookback::SyncState::Cancelled {
        return Err(Failure::Stopped);
    }
    Ok(report)
}
