//! From options to the requests of the engine.

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use camino::Utf8Path;
use lookback::{
    AnswerOptions, Engine, EntryId, ListRequest, Policy, ReadRequest, Scope, SearchRequest, SessionId,
    SyncRequest, UnreadRequest,
    tools::{ToolContext, ToolError, ToolReply},
};
use serde::de::{DeserializeOwned, IntoDeserializer, value::StrDeserializer};

use crate::{
    control::Control,
    failure::Failure,
    host,
    instance::Place,
    options::{
        ListOptions, LiveContext, ReadOptions, SearchOptions, SearchScope, SyncOptions, ToolOptions,
        UnreadOptions,
    },
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

fn policy(name: Option<String>) -> Result<Policy, Failure> {
    let Some(name) = name else {
        return Ok(Policy::default());
    };
    Policy::named(&name).ok_or_else(|| {
        let names = Policy::NAMES.join(", ");
        refused(format!("options.policy: there is no `{name}`; it can be {names}"))
    })
}

fn engine(name: Option<&str>) -> Result<Engine, Failure> {
    match name {
        None | Some("index") => Ok(Engine::Index),
        Some("scan") => Ok(Engine::Scan),
        Some(other) => Err(refused(format!(
            "options.engine: there is no `{other}`; it can be index, scan"
        ))),
    }
}

impl SearchOptions {
    pub(crate) fn request(self, query: String, cwd: &Utf8Path) -> Result<SearchRequest, Failure> {
        let default = SearchRequest::new(query);
        Ok(SearchRequest {
            policy: policy(self.policy)?,
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

/// How a search is answered.
pub(crate) struct Manner {
    engine: Engine,
    sync: bool,
    timeout: Option<Duration>,
}

impl SearchOptions {
    pub(crate) fn manner(&self) -> Result<Manner, Failure> {
        Ok(Manner {
            engine: engine(self.engine.as_deref())?,
            sync: self.sync.unwrap_or(true),
            timeout: self.timeout.map(|ms| Duration::from_millis(ms as u64)),
        })
    }
}

impl Manner {
    /// How a search is answered in this call.
    pub(crate) fn options<'a>(&self, control: SyncRequest<'a>) -> AnswerOptions<'a> {
        AnswerOptions {
            engine: self.engine,
            sync: self.sync,
            control,
            // A time beyond the end of the clock is none.
            deadline: self.timeout.and_then(|time| Instant::now().checked_add(time)),
        }
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

impl ToolOptions {
    /// The context, but for its ties to the call: see [`tool_with`].
    pub(crate) fn context(self, place: &Place) -> Result<ToolContext<'static>, Failure> {
        let default = ToolContext::new(self.now.unwrap_or_else(host::now));
        Ok(ToolContext {
            session: self.session.map(SessionId::new),
            live_entries: self
                .live_entries
                .unwrap_or_default()
                .iter()
                .map(EntryId::new)
                .collect(),
            cwd: Some(self.cwd.unwrap_or_else(|| place.cwd.clone())),
            home: self.home.or_else(|| place.home.clone()),
            policy: policy(self.policy)?,
            redact: self.redact.unwrap_or(default.redact),
            budget: self.budget,
            engine: engine(self.engine.as_deref())?,
            sync: self.sync.unwrap_or(default.sync),
            ..default
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

/// Runs a tool with everything that a caller of JavaScript can do to it.
pub(crate) fn tool_with(
    control: &Control,
    context: ToolContext<'static>,
    run: impl FnOnce(&ToolContext<'_>) -> Result<ToolReply, ToolError>,
) -> Result<ToolReply, Failure> {
    let reply = run(&ToolContext {
        progress: &control.reporting(),
        cancel: control.stop().flag(),
        ..context
    });
    match reply {
        Err(ToolError::Cancelled { .. }) => Err(Failure::Stopped),
        reply => reply.map_err(Failure::Tool),
    }
}

/// Runs a sync or a rebuild, with everything that a caller of JavaScript can do to it.
pub(crate) fn sync_with(
    control: &Control,
    wait: Duration,
    run: impl FnOnce(&SyncRequest<'_>) -> Result<lookback::SyncReport, lookback::Error>,
) -> Result<lookback::SyncReport, Failure> {
    let report = run(&SyncRequest {
        wait,
        ..control.sync_request(&control.reporting())
    })?;
    if report.state == lookback::SyncState::Cancelled {
        return Err(Failure::Stopped);
    }
    Ok(report)
}
