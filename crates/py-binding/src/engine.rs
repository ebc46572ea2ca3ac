//! The facade as Python calls it. Dictionaries in, dictionaries out; their keys are those of `docs/json-output.md`.

use std::sync::Arc;

use camino::Utf8PathBuf;
use lookback::{
    AnswerOptions, ListRequest, Lookback, Policy, Progress, ReadRequest, SearchRequest, SessionId, Source,
    State, Surroundings, SyncReport, SyncRequest, Tag, Timestamp, UnreadControl, UnreadRequest,
    ranker::query::When,
    session_model::{EntryReader, SessionFile},
    tables::{self, Filter, Messages, Sessions, Spending, ToolCalls, Voice, Warnings},
};
use pyo3::{prelude::*, types::PyDict};
use pythonize::{depythonize, pythonize};

use crate::{
    failure::Failure,
    outside::{call, long_call, refuse_after_fork},
    table::NativeTable,
};

/// A message of the model's context: its entry, who speaks, and what is said.
type Said = (Option<String>, &'static str, String);
type Answer<'py> = Result<Bound<'py, PyAny>, Failure>;

/// Opened session folders.
#[pyclass(frozen, module = "lookback._lookback")]
pub(crate) struct Engine {
    lookback: Arc<Lookback>,
    #[pyo3(get)]
    roots: Vec<String>,
    #[pyo3(get)]
    warnings: Vec<String>,
}

#[pymethods]
impl Engine {
    /// Opens what `surroundings` lead to.
    #[new]
    fn new(py: Python<'_>, surroundings: &Bound<'_, PyDict>, exclude: Vec<String>) -> Result<Self, Failure> {
        let text = |key: &str| -> PyResult<Option<String>> {
            surroundings
                .get_item(key)?
                .map_or(Ok(None), |value| value.extract())
        };
        let sessions = surroundings.get_item("sessions")?;
        let around = Surroundings {
            home: text("home")?.map(Utf8PathBuf::from),
            cwd: text("cwd")?.unwrap_or_default().into(),
            agent_dir: text("agent_dir")?,
            sessions: sessions.map_or(Ok(Vec::new()), |sessions| sessions.extract())?,
            cache: text("cache")?,
            data: text("data")?,
            env_agent_dir: text("env_agent_dir")?,
            env_session_dir: text("env_session_dir")?,
            env_cache_dir: text("env_cache_dir")?,
            env_data_dir: text("env_data_dir")?,
        };
        let (lookback, roots, warnings) = call(py, || {
            let found = around.locate();
            let mut builder = Lookback::builder()
                .cache(&found.cache)
                .data(&found.data)
                .cwd(&around.cwd);
            for root in &found.roots {
                builder = builder.root(root);
            }
            for pattern in exclude {
                builder = builder.exclude(pattern);
            }
            Ok((builder.open()?, found.roots, found.warnings))
        })?;
        Ok(Self {
            lookback: Arc::new(lookback),
            roots: roots.into_iter().map(Utf8PathBuf::into_string).collect(),
            warnings,
        })
    }

    /// Brings the index up to date, or builds it anew. `progress` is called with files done, files, bytes done, bytes.
    fn sync<'py>(&self, py: Python<'py>, progress: Option<Py<PyAny>>, rebuild: bool) -> Answer<'py> {
        let report: SyncReport = self.sync_with(py, progress, |control| {
            if rebuild {
                self.lookback.reindex(&control)
            } else {
                self.lookback.sync(&control)
            }
        })?;
        Ok(pythonize(py, &report)?)
    }

    /// Searches: after a sync, or in the files where the index cannot be used. Highlights are pairs of positions in code
    /// points; `source` says what the answer comes from.
    #[pyo3(signature = (request, *, policy, since, until, sync, scan, progress, now))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the named options of the Python method"
    )]
    fn search<'py>(
        &self,
        py: Python<'py>,
        request: &Bound<'py, PyAny>,
        policy: &str,
        since: Option<&str>,
        until: Option<&str>,
        sync: bool,
        scan: bool,
        progress: Option<Py<PyAny>>,
        now: i64,
    ) -> Answer<'py> {
        let mut request: SearchRequest = depythonize(request)?;
        request.now = moment(now);
        request.scope.since = parse_whens(since, request.now)?;
        request.scope.until = parse_whens(until, request.now)?;
        request.policy = Policy::named(policy).ok_or_else(|| {
            Failure::Request(format!(
                "there is no policy {policy}; there are {}",
                Policy::NAMES.join(", ")
            ))
        })?;
        // The short way: no thread, no look for Ctrl+C.
        let quick = if sync || scan {
            None
        } else {
            call(py, || self.lookback.search(&request)).ok()
        };
        let (reply, source) = match quick {
            Some(reply) => (reply, Source::LastCommit(State { state: "skipped" })),
            None => {
                let answer = self.sync_with(py, progress, |control| {
                    let engine = if scan {
                        lookback::Engine::Scan
                    } else {
                        lookback::Engine::Index
                    };
                    self.lookback.answer(
                        &request,
                        &AnswerOptions {
                            engine,
                            sync,
                            control,
                            ..AnswerOptions::default()
                        },
                    )
                })?;
                (answer.reply, answer.source)
            }
        };
        let answer = pythonize(py, &reply)?;
        for (hit, known) in answer.get_item("hits")?.try_iter()?.zip(&reply.hits) {
            let highlights: Vec<(usize, usize)> = known
                .snippet
                .highlights_code_points()
                .into_iter()
                .map(|range| (range.start, range.end))
                .collect();
            hit?.get_item("snippet")?.set_item("highlights", highlights)?;
        }
        answer.set_item("source", pythonize(py, &source)?)?;
        Ok(answer)
    }

    /// Lists sessions, the latest activity first.
    fn list<'py>(&self, py: Python<'py>, request: &Bound<'py, PyAny>) -> Answer<'py> {
        let request: ListRequest = depythonize(request)?;
        let reply = call(py, || self.lookback.list(&request))?;
        Ok(pythonize(py, &reply)?)
    }

    /// The summary of one session, as its file is now.
    fn session<'py>(&self, py: Python<'py>, session: &str) -> Answer<'py> {
        let summary = call(py, || {
            let found = self.lookback.locate(session)?;
            let file = SessionFile::read(&found.path, 0)?;
            let of_id = file.sessions().iter().find(|session| session.id() == &found.id);
            Ok(of_id.map(|session| file.summary(session)))
        })?;
        Ok(pythonize(py, &summary)?)
    }

    /// Reads a branch as a conversation.
    fn read<'py>(&self, py: Python<'py>, request: &Bound<'py, PyAny>) -> Answer<'py> {
        let request: ReadRequest = depythonize(request)?;
        let transcript = call(py, || self.lookback.read(&request))?;
        let answer = pythonize(py, &transcript)?;
        for (message, known) in answer.get_item("messages")?.try_iter()?.zip(&transcript.messages) {
            message?.set_item("branch", pythonize(py, &known.branch)?)?;
        }
        Ok(answer)
    }

    /// The branches of a session.
    fn tree<'py>(&self, py: Python<'py>, session: &str) -> Answer<'py> {
        let tree = call(py, || self.lookback.tree(session))?;
        Ok(pythonize(py, &tree)?)
    }

    /// What Pi would give to the model: entry, role and text of every message.
    fn context(&self, py: Python<'_>, session: &str) -> Result<Vec<Said>, Failure> {
        call(py, || {
            let found = self.lookback.locate(session)?;
            let file = SessionFile::read(&found.path, 0)?;
            let (mut reader, _) = EntryReader::open(&found.path)?;
            let messages = file
                .context_messages(&mut reader)
                .map_err(|source| lookback::Error::Read {
                    path: found.path.clone(),
                    source,
                })?;
            let id = |at: lookback::session_model::EntryRef| {
                let node = &file.sessions()[at.session as usize].nodes()[at.node as usize];
                node.id.as_ref().map(ToString::to_string)
            };
            Ok(messages
                .into_iter()
                .map(|message| (id(message.entry), message.role.name(), message.text))
                .collect())
        })
    }

    /// The tags of a session.
    fn tags_of(&self, py: Python<'_>, session: &str) -> Result<Vec<String>, Failure> {
        let (_, tags) = call(py, || self.lookback.tags_of(session))?;
        Ok(tags.effective().map(ToString::to_string).collect())
    }

    /// Puts tags on a session or takes them away; returns those that it has then.
    fn change_tags(
        &self,
        py: Python<'_>,
        session: &str,
        tags: Vec<String>,
        remove: bool,
        now: i64,
    ) -> Result<Vec<String>, Failure> {
        let (_, tags) = call(py, || {
            let tags = tags
                .iter()
                .map(|tag| Tag::new(tag))
                .collect::<Result<Vec<_>, _>>()?;
            if remove {
                self.lookback.untag(session, &tags, moment(now))
            } else {
                self.lookback.tag(session, &tags, moment(now))
            }
        })?;
        Ok(tags.effective().map(ToString::to_string).collect())
    }

    /// Sessions that wait for an answer.
    fn unread<'py>(&self, py: Python<'py>, request: &Bound<'py, PyAny>) -> Answer<'py> {
        let request: UnreadRequest = depythonize(request)?;
        let page = long_call(
            py,
            |cancel, _: std::sync::mpsc::Sender<()>| {
                let control = UnreadControl {
                    cancel: Some(cancel),
                    ..UnreadControl::default()
                };
                self.lookback.unread(&request, control)
            },
            |_, ()| Ok(()),
        )?;
        Ok(pythonize(py, &page)?)
    }

    /// Takes a session out of the list of those that wait, or puts it back.
    fn mark_done(&self, py: Python<'_>, session: &str, done: bool, now: i64) -> Result<(), Failure> {
        call(py, || {
            if done {
                self.lookback.mark_done(session, moment(now))
            } else {
                self.lookback.unmark_done(session)
            }
        })?;
        Ok(())
    }

    /// Folders, index and tags at a glance.
    fn status<'py>(&self, py: Python<'py>) -> Answer<'py> {
        let status = call(py, || self.lookback.status())?;
        Ok(pythonize(py, &status)?)
    }

    /// A table: `sessions`, `messages`, `tool_calls`, `usage`, `branches`, `tags` or `warnings`.
    #[pyo3(signature = (name, *, since, until, cwd, sessions, roles, columns, now))]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the named options of the Python methods"
    )]
    fn table(
        &self,
        py: Python<'_>,
        name: &str,
        since: Option<&str>,
        until: Option<&str>,
        cwd: Option<String>,
        sessions: Option<Vec<String>>,
        roles: Option<Vec<String>>,
        columns: Option<Vec<String>>,
        now: i64,
    ) -> Result<NativeTable, Failure> {
        refuse_after_fork()?;
        let ids = |sessions: Vec<String>| sessions.into_iter().map(SessionId::from).collect();
        let filter = Filter {
            since: parse_whens(since, moment(now))?,
            until: parse_whens(until, moment(now))?,
            cwd: cwd.map(Utf8PathBuf::from),
            sessions: sessions.map(ids),
        };
        let lookback = self.lookback.clone();
        let columns = columns.as_deref();
        match name {
            "sessions" => NativeTable::new(lookback, filter, columns, |_| Sessions),
            "messages" => {
                let voices = match roles {
                    None => Messages::conversation().voices,
                    Some(roles) => roles.iter().map(|role| voice(role)).collect::<Result<_, _>>()?,
                };
                NativeTable::new(lookback, filter, columns, |wanted| Messages {
                    voices,
                    text: wanted("text") || wanted("characters"),
                })
            }
            "tool_calls" => NativeTable::new(lookback, filter, columns, |wanted| ToolCalls {
                arguments: wanted("arguments"),
            }),
            "usage" => NativeTable::new(lookback, filter, columns, |_| Spending),
            "branches" => NativeTable::new(lookback, filter, columns, |_| tables::BranchEnds),
            "tags" => {
                let snapshot = call(py, || lookback.tags())?;
                NativeTable::new(lookback.clone(), filter, columns, |_| tables::Tags(snapshot))
            }
            "warnings" => NativeTable::new(lookback, filter, columns, |_| Warnings),
            _ => Err(Failure::Request(format!("there is no table {name}"))),
        }
    }
}

impl Engine {
    /// Does something that syncs, and tells `progress` how far it is.
    fn sync_with<T: Send>(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
        work: impl FnOnce(SyncRequest<'_>) -> Result<T, lookback::Error> + Send,
    ) -> Result<T, Failure> {
        long_call(
            py,
            |cancel, sender| {
                let tell = |progress: Progress| {
                    // The caller is gone only when the call is over.
                    let _ = sender.send(progress);
                };
                work(SyncRequest {
                    progress: &tell,
                    cancel,
                    ..SyncRequest::default()
                })
            },
            |py, at: Progress| match &progress {
                Some(progress) => progress
                    .call1(py, (at.files_done, at.files_total, at.bytes_done, at.bytes_total))
                    .map(drop),
                None => Ok(()),
            },
        )
    }
}

/// Reads a date, a time or an age such as `7d`, and gives milliseconds since 1970.
#[pyfunction]
pub(crate) fn when(text: &str, now: i64) -> Result<i64, Failure> {
    parse_when(text, moment(now)).map(Timestamp::as_millis)
}

fn parse_whens(text: Option<&str>, now: Timestamp) -> Result<Option<Timestamp>, Failure> {
    text.map(|text| parse_when(text, now)).transpose()
}

fn parse_when(text: &str, now: Timestamp) -> Result<Timestamp, Failure> {
    When::parse(text)
        .and_then(|when| Timestamp::from_millis(when.as_millis(now)))
        .ok_or_else(|| {
            Failure::Request(format!(
                "{text:?} is no time; give a datetime, a date such as 2026-03-02, or an age such as 7d"
            ))
        })
}

fn voice(name: &str) -> Result<Voice, Failure> {
    Voice::named(name).ok_or_else(|| {
        let all = Voice::ALL.map(Voice::name).join(", ");
        Failure::Request(format!("there is no role {name}; there are {all}"))
    })
}

/// The host's clock; beyond the year 275760 it is taken for one that stands still.
fn moment(ms: i64) -> Timestamp {
    Timestamp::from_millis(ms).unwrap_or(Timestamp::EPOCH)
}
