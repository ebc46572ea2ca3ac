//! What the tests share: a folder of sessions, and messages from literals.

use std::time::{Duration, SystemTime};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_unread::{Control, Item, Page, PageRequest, Scan, ScanRequest};
use serde_json::{Value, json};

/// The workspace of the sessions in these tests.
pub(crate) const CWD: &str = "/home/dev/app";

/// A folder of session files, and the times at which they were written.
pub(crate) struct Folder {
    _outer: tempfile::TempDir,
    pub(crate) path: Utf8PathBuf,
}

impl Folder {
    pub(crate) fn new() -> Self {
        let outer = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(outer.path()).unwrap().join("sessions");
        fs_err::create_dir(&path).unwrap();
        Self { _outer: outer, path }
    }

    /// Writes bytes under a name, and the time of the last change in seconds from an arbitrary start.
    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>, seconds: u64) -> Utf8PathBuf {
        let path = self.path.join(name);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(&path, bytes).unwrap();
        set_time(&path, Duration::from_secs(1_700_000_000 + seconds));
        path
    }

    /// A session of this workspace, called `<id>.jsonl`.
    pub(crate) fn session(&self, id: &str, entries: &[Value], seconds: u64) -> Utf8PathBuf {
        self.put(&format!("{id}.jsonl"), session(id, CWD, entries), seconds)
    }

    pub(crate) fn request(&self) -> ScanRequest<'static> {
        ScanRequest::workspace(&self.path, CWD).unwrap()
    }

    pub(crate) fn scan(&self) -> Scan {
        run(&self.request())
    }
}

pub(crate) fn run(request: &ScanRequest<'_>) -> Scan {
    Scan::run(request, &Control::new()).unwrap()
}

pub(crate) fn page(scan: &Scan, query: &str, offset: usize, limit: usize) -> Page {
    scan.page(&PageRequest::new(query, offset, limit).unwrap())
}

/// Time since 1970.
pub(crate) fn set_time(path: &Utf8Path, time: Duration) {
    let file = fs_err::OpenOptions::new().append(true).open(path).unwrap();
    file.file().set_modified(SystemTime::UNIX_EPOCH + time).unwrap();
}

/// A session file of its entries.
pub(crate) fn session(id: &str, cwd: &str, entries: &[Value]) -> String {
    let header =
        json!({"type":"session","version":3,"id":id,"timestamp":"2026-03-02T09:00:00.000Z","cwd":cwd});
    let mut text = String::new();
    for line in std::iter::once(&header).chain(entries) {
        text += &line.to_string();
        text += "\n";
    }
    text
}

/// A message entry. Its time is the number in its id.
pub(crate) fn message(id: u64, message: Value) -> Value {
    let parent = id.checked_sub(1).filter(|&parent| parent > 0);
    let mut message = message;
    message["timestamp"] = json!(1_772_442_000_000_u64 + id);
    json!({
        "type": "message",
        "id": format!("e{id}"),
        "parentId": parent.map(|parent| format!("e{parent}")),
        "timestamp": "2026-03-02T09:00:01.000Z",
        "message": message,
    })
}

pub(crate) fn user(id: u64, text: &str) -> Value {
    user_parts(id, json!([{"type": "text", "text": text}]))
}

pub(crate) fn user_parts(id: u64, content: Value) -> Value {
    message(id, json!({"role": "user", "content": content}))
}

pub(crate) fn assistant(id: u64, content: Value, stop_reason: &str) -> Value {
    message(
        id,
        json!({"role": "assistant", "content": content, "stopReason": stop_reason}),
    )
}

pub(crate) fn answer(id: u64, text: &str) -> Value {
    assistant(id, json!([{"type": "text", "text": text}]), "stop")
}

pub(crate) fn tool_call() -> Value {
    json!({"type": "toolCall", "id": "c1", "name": "bash", "arguments": {"command": "ls"}})
}

pub(crate) fn tool_result(id: u64) -> Value {
    message(
        id,
        json!({"role": "toolResult", "toolCallId": "c1", "toolName": "bash", "content": [{"type": "text", "text": "x"}]}),
    )
}

pub(crate) fn ids(items: &[Item]) -> Vec<&str> {
    items.iter().map(|item| item.id.as_str()).collect()
}

pub(crate) fn test_data() -> Utf8PathBuf {
    Utf8PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data"))
}
