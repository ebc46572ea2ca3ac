//! Folders of session files for tests, and searches in them.

use camino::{Utf8Path, Utf8PathBuf};
use lookback_ranker::{Annotations, Policy, SearchRequest};
use lookback_scan::{ScanOptions, ScanReply, Scanner, Statistics};
use lookback_session_model::Timestamp;
use serde_json::{Value, json};

/// The moment from which tests count ages.
pub(crate) const NOW: &str = "2026-03-10T12:00:00Z";

/// A session folder that is gone after the test.
pub(crate) struct Folder {
    // Dropped with the folder.
    _guard: tempfile::TempDir,
    pub(crate) root: Utf8PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let guard = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap())
            .unwrap()
            .join("sessions");
        fs_err::create_dir(&root).unwrap();
        Self { _guard: guard, root }
    }

    /// Writes the bytes of a file, in its folder.
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> Utf8PathBuf {
        let path = self.root.join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, bytes).unwrap();
        path
    }

    /// Writes a session of messages of user and assistant in turn.
    pub(crate) fn session(&self, id: &str, texts: &[&str]) -> Utf8PathBuf {
        let mut lines = vec![header(id, "2026-03-01T08:00:00.000Z", "/home/dev/app", None)];
        for (at, text) in texts.iter().enumerate() {
            let role = if at % 2 == 0 { "user" } else { "assistant" };
            let parent = at.checked_sub(1).map(|before| format!("{id}-{before}"));
            lines.push(message(
                &format!("{id}-{at}"),
                parent.as_deref(),
                at as i64,
                role,
                text,
            ));
        }
        self.write(&format!("--home-dev-app--/{id}.jsonl"), to_file(&lines))
    }

    pub(crate) fn scanner(&self) -> Scanner<'static> {
        Scanner::new([self.root.clone()])
    }

    pub(crate) fn search(&self, query: &str) -> ScanReply {
        self.scanner().search(
            &request(query, Policy::memory()),
            &Annotations::default(),
            &ScanOptions::default(),
        )
    }
}

pub(crate) fn request(query: &str, policy: Policy) -> SearchRequest {
    SearchRequest {
        policy,
        now: Timestamp::parse(NOW).unwrap(),
        ..SearchRequest::new(query)
    }
}

/// The entries that a search names.
pub(crate) fn entries(reply: &ScanReply) -> Vec<&str> {
    reply.reply.hits.iter().map(|hit| hit.entry.as_str()).collect()
}

/// Both ways to search with a policy: with what it needs, and with everything.
pub(crate) fn both_ways(root: &Utf8Path, request: &SearchRequest) -> [ScanReply; 2] {
    [Statistics::AsNeeded, Statistics::Exact].map(|statistics| {
        let options = ScanOptions {
            statistics,
            ..ScanOptions::default()
        };
        Scanner::new([root]).search(request, &Annotations::default(), &options)
    })
}

pub(crate) fn header(id: &str, created: &str, cwd: &str, parent: Option<&Utf8Path>) -> Value {
    let mut header = json!({"type": "session", "version": 3, "id": id, "timestamp": created, "cwd": cwd});
    if let Some(parent) = parent {
        header["parentSession"] = parent.as_str().into();
    }
    header
}

/// A message said so many minutes after 9 o'clock of 2026-03-01.
pub(crate) fn message(id: &str, parent: Option<&str>, minutes: i64, role: &str, text: &str) -> Value {
    let time = Timestamp::parse("2026-03-01T09:00:00Z").unwrap().as_millis() + minutes * 60_000;
    json!({
        "type": "message",
        "id": id,
        "parentId": parent,
        "timestamp": Timestamp::from_millis(time).unwrap().to_string(),
        "message": {"role": role, "content": [{"type": "text", "text": text}], "timestamp": time},
    })
}

pub(crate) fn to_file(lines: &[Value]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}
