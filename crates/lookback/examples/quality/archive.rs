use std::error::Error;

use camino::{Utf8Path, Utf8PathBuf};
use lookback::{Lookback, SyncRequest, Timestamp};
use serde_json::json;
use tempfile::TempDir;

/// Sessions that are ready to be searched; what had to be written goes when this goes.
#[derive(Debug)]
pub(crate) struct Archive {
    pub(crate) lookback: Lookback,
    _folders: Vec<TempDir>,
}

/// A session to be written.
#[derive(Debug, Clone)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) cwd: String,
    pub(crate) started_ms: i64,
    /// The session it was forked from and how many of its messages it copies.
    pub(crate) fork_of: Option<(usize, usize)>,
    /// Turn by turn, the user first.
    pub(crate) messages: Vec<Message>,
}

/// A message of a session.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) entry: String,
    pub(crate) by_user: bool,
    pub(crate) text: String,
}

impl Archive {
    /// Indexes a session folder.
    pub(crate) fn open(sessions: &Utf8Path) -> Result<Self, Box<dyn Error>> {
        if !sessions.is_dir() {
            return Err(format!("{sessions} is no folder").into());
        }
        let own = tempfile::tempdir()?;
        let folder = |name: &str| Utf8PathBuf::try_from(own.path().join(name));
        let lookback = Lookback::builder()
            .root(sessions)
            .cache(folder("cache")?)
            .data(folder("data")?)
            .open()?;
        lookback.sync(&SyncRequest::default())?;
        Ok(Self {
            lookback,
            _folders: vec![own],
        })
    }

    /// Writes sessions as Pi does, then indexes them.
    pub(crate) fn write(sessions: &[Session]) -> Result<Self, Box<dyn Error>> {
        let own = tempfile::tempdir()?;
        let root = Utf8PathBuf::try_from(own.path().join("sessions"))?;
        let paths: Vec<Utf8PathBuf> = sessions
            .iter()
            .map(|session| root.join(file_of(session)))
            .collect();
        for (session, path) in sessions.iter().zip(&paths) {
            if let Some(folder) = path.parent() {
                fs_err::create_dir_all(folder)?;
            }
            fs_err::write(path, lines(session, sessions, &paths))?;
        }
        let mut archive = Self::open(&root)?;
        archive._folders.push(own);
        Ok(archive)
    }
}

fn file_of(session: &Session) -> String {
    let folder = session.cwd.trim_start_matches('/').replace('/', "-");
    let time = time(session.started_ms).replace([':', '.'], "-");
    format!("--{folder}--/{time}_{}.jsonl", session.id)
}

fn time(ms: i64) -> String {
    Timestamp::from_number(ms as f64)
        .unwrap_or(Timestamp::EPOCH)
        .to_string()
}

fn lines(session: &Session, all: &[Session], paths: &[Utf8PathBuf]) -> String {
    let mut header = json!({
        "type": "session", "version": 3, "id": session.id, "timestamp": time(session.started_ms), "cwd": session.cwd,
    });
    // What a fork copies keeps its ids and times.
    let mut messages: Vec<(&Message, i64)> = Vec::new();
    if let Some((parent, copied)) = session.fork_of {
        header["parentSession"] = json!(paths[parent]);
        messages.extend(timed(&all[parent]).take(copied));
    }
    messages.extend(timed(session));
    let mut text = format!("{header}\n");
    let mut parent: Option<&str> = None;
    for (message, at) in messages {
        let role = if message.by_user { "user" } else { "assistant" };
        let mut body =
            json!({"role": role, "content": [{"type": "text", "text": message.text}], "timestamp": at});
        if !message.by_user {
            body["provider"] = json!("anthropic");
            body["model"] = json!("claude-sonnet-4-5");
            body["stopReason"] = json!("stop");
        }
        let line = json!({
            "type": "message", "id": message.entry, "parentId": parent, "timestamp": time(at), "message": body,
        });
        text.push_str(&format!("{line}\n"));
        parent = Some(&message.entry);
    }
    text
}

/// Messages with the time they were said, a minute and a half apart.
fn timed(session: &Session) -> impl Iterator<Item = (&Message, i64)> {
    let started = session.started_ms;
    (0..)
        .zip(&session.messages)
        .map(move |(index, message)| (message, started + 1_000 + index * 90_000))
}
