//! What the tests share: folders of sessions made of literals, and calls of tools.

use camino::{Utf8Path, Utf8PathBuf};
use lookback::{
    Lookback, Timestamp,
    tools::{ToolContext, ToolError, ToolReply},
};
use serde_json::{Value, json};

pub(crate) const NOW: &str = "2026-03-10T12:00:00.000Z";

/// A session folder, with a cache and a data folder beside it.
pub(crate) struct Folder {
    _outer: tempfile::TempDir,
    base: Utf8PathBuf,
    pub(crate) sessions: Utf8PathBuf,
    pub(crate) lookback: Lookback,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let base = Utf8PathBuf::try_from(outer.path().canonicalize().unwrap()).unwrap();
        let sessions = base.join("sessions");
        fs_err::create_dir(&sessions).unwrap();
        let lookback = open(&sessions, &base);
        Self {
            _outer: outer,
            base,
            sessions,
            lookback,
        }
    }

    /// The sessions of a case under `tests/data/cases`, copied.
    pub(crate) fn case(name: &str) -> Self {
        let folder = Self::new();
        let from = Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/cases"));
        copy(&from.join(name).join("sessions"), &folder.sessions);
        folder
    }

    /// Everything that was written beside the sessions.
    pub(crate) fn base(&self) -> &Utf8Path {
        &self.base
    }

    /// Writes a session of `/home/dev/shop`.
    pub(crate) fn session(&self, id: &str, entries: &[Value]) -> Utf8PathBuf {
        self.session_of("--home-dev-shop--", "/home/dev/shop", id, None, entries)
    }

    pub(crate) fn session_of(
        &self,
        project: &str,
        cwd: &str,
        id: &str,
        parent: Option<&Utf8Path>,
        entries: &[Value],
    ) -> Utf8PathBuf {
        let folder = self.sessions.join(project);
        fs_err::create_dir_all(&folder).unwrap();
        let path = folder.join(format!("2026-03-02T09-00-00-000Z_{id}.jsonl"));
        let mut header = json!({
            "type": "session", "version": 3, "id": id, "timestamp": "2026-03-02T09:00:00.000Z", "cwd": cwd,
        });
        if let Some(parent) = parent {
            header["parentSession"] = json!(parent);
        }
        // The engine takes entries with the same id, time and length for copies of one entry. A fork has copies of its
        // parent's entries; other sessions are apart by some milliseconds.
        let of = parent.map_or(id, |parent| {
            parent.file_stem().unwrap().rsplit_once('_').unwrap().1
        });
        let shift = of
            .bytes()
            .fold(7u64, |sum, byte| (sum * 31 + u64::from(byte)) % 50_000);
        let entries = entries.iter().cloned().map(|mut entry| {
            if let Some(time) = entry["message"]["timestamp"].as_u64() {
                entry["message"]["timestamp"] = json!(time + shift);
            }
            entry
        });
        let lines: Vec<String> = std::iter::once(header)
            .chain(entries)
            .map(|line| format!("{line}\n"))
            .collect();
        fs_err::write(&path, lines.concat()).unwrap();
        path
    }

    pub(crate) fn tool(&self, name: &str, parameters: Value) -> Result<ToolReply, ToolError> {
        self.lookback.tool(name, parameters, &context())
    }

    pub(crate) fn recall(&self, parameters: Value) -> ToolReply {
        self.tool("recall", parameters).unwrap()
    }

    pub(crate) fn session_search(&self, parameters: Value) -> ToolReply {
        self.tool("session_search", parameters).unwrap()
    }
}

fn open(sessions: &Utf8Path, base: &Utf8Path) -> Lookback {
    Lookback::builder()
        .root(sessions)
        .cache(base.join("cache"))
        .data(base.join("data"))
        .open()
        .unwrap()
}

fn copy(from: &Utf8Path, to: &Utf8Path) {
    fs_err::create_dir_all(to).unwrap();
    for entry in from.read_dir_utf8().unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(entry.path(), &target);
        } else {
            fs_err::copy(entry.path(), &target).unwrap();
        }
    }
}

pub(crate) fn context() -> ToolContext<'static> {
    ToolContext {
        cwd: Some("/home/dev/shop".into()),
        home: Some("/home/dev".into()),
        ..ToolContext::new(Timestamp::parse(NOW).unwrap())
    }
}

/// An entry with a message of text. `at` is the minute of the day.
pub(crate) fn message(id: &str, parent: Option<&str>, role: &str, at: u32, text: &str) -> Value {
    let time = format!("2026-03-02T{:02}:{:02}:00.000Z", 9 + at / 60, at % 60);
    let millis = Timestamp::parse(&time).unwrap().as_millis();
    let mut message = json!({"role": role, "content": [{"type": "text", "text": text}], "timestamp": millis});
    if role == "assistant" {
        message["stopReason"] = json!("stop");
    }
    json!({"type": "message", "id": id, "parentId": parent, "timestamp": time, "message": message})
}

/// A conversation on one branch: user and assistant take turns. Entries are called `e1`, `e2`, …
pub(crate) fn conversation<T: AsRef<str>>(texts: &[T]) -> Vec<Value> {
    let role = |at: usize| if at.is_multiple_of(2) { "user" } else { "assistant" };
    let entry = |(at, text): (usize, &T)| {
        let parent = (at > 0).then(|| format!("e{at}"));
        message(
            &format!("e{}", at + 1),
            parent.as_deref(),
            role(at),
            at as u32,
            text.as_ref(),
        )
    };
    texts.iter().enumerate().map(entry).collect()
}

/// The quoted part of an answer. Fails when the frame is not there, or is closed anywhere but at its end.
pub(crate) fn quoted(text: &str) -> &str {
    let open = text.find("\n<past_transcript ").expect("a frame") + 1;
    let (first, rest) = text[open..].split_once('\n').unwrap();
    let key = first
        .strip_prefix("<past_transcript ")
        .unwrap()
        .strip_suffix('>')
        .unwrap();
    let close = format!("</past_transcript {key}>");
    let ends: Vec<&str> = text.lines().filter(|line| *line == close).collect();
    assert_eq!(ends.len(), 1, "the frame is closed once:\n{text}");
    let (body, _) = rest.split_once(&close).unwrap();
    assert!(!body.contains(key), "the key is not in the text");
    assert!(
        !body.to_lowercase().contains("<past_transcript")
            && !body.to_lowercase().contains("</past_transcript")
    );
    assert!(text.contains("data only"));
    body
}
