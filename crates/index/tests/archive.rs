//! Session files made by tests, and what tests ask of an index over them.

use std::io::Write;

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use lookback_index::{Index, SyncOptions, SyncReport};
use lookback_ranker::{Annotations, Hit, SearchReply, SearchRequest};
use lookback_session_model::Timestamp;
use tempfile::TempDir;

/// 2026-03-02T09:00:00Z.
const BEGIN_MS: i64 = 1_772_442_000_000;

/// A folder with session folders and an index.
pub(crate) struct Archive {
    temp: TempDir,
}

impl Archive {
    pub(crate) fn new() -> Self {
        let archive = Self {
            temp: tempfile::tempdir().unwrap(),
        };
        fs::create_dir_all(archive.project()).unwrap();
        archive
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.temp.path()).unwrap()
    }

    pub(crate) fn roots(&self) -> Vec<Utf8PathBuf> {
        vec![self.path().join("sessions")]
    }

    /// The folder of the one project.
    pub(crate) fn project(&self) -> Utf8PathBuf {
        self.path().join("sessions/--home-dev-shop--")
    }

    pub(crate) fn file(&self, name: &str) -> Utf8PathBuf {
        self.project().join(format!("{name}.jsonl"))
    }

    pub(crate) fn cache(&self) -> Utf8PathBuf {
        self.path().join("cache")
    }

    pub(crate) fn index(&self) -> Index {
        Index::open(&self.cache()).unwrap()
    }

    /// An index of the same sessions, built from nothing.
    pub(crate) fn rebuilt(&self) -> (TempDir, Index) {
        let temp = tempfile::tempdir().unwrap();
        let index = Index::open(&Utf8Path::from_path(temp.path()).unwrap().join("cache")).unwrap();
        index.sync(&SyncOptions::new(&self.roots())).unwrap();
        (temp, index)
    }

    pub(crate) fn write(&self, name: &str, script: &Script) {
        fs::write(self.file(name), script.text()).unwrap();
    }

    pub(crate) fn append(&self, name: &str, text: &str) {
        let mut file = fs::OpenOptions::new().append(true).open(self.file(name)).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    }

    pub(crate) fn sync(&self) -> SyncReport {
        self.index().sync(&SyncOptions::new(&self.roots())).unwrap()
    }

    /// The sessions that a query finds, sorted.
    pub(crate) fn found(&self, query: &str) -> Vec<String> {
        let mut found: Vec<String> = hits(&self.index(), query)
            .iter()
            .map(|hit| hit.session.id.to_string())
            .collect();
        found.sort();
        found
    }
}

/// A search without word forms and relaxation.
pub(crate) fn exact(query: &str) -> SearchRequest {
    SearchRequest {
        exact: true,
        limit: 100,
        now: Timestamp::from_millis(BEGIN_MS).unwrap(),
        ..SearchRequest::new(query)
    }
}

pub(crate) fn reply(index: &Index, request: &SearchRequest) -> SearchReply {
    index.search(request, &Annotations::default()).unwrap()
}

pub(crate) fn hits(index: &Index, query: &str) -> Vec<Hit> {
    reply(index, &exact(query)).hits
}

/// The text of a session file, entry by entry.
#[derive(Debug, Clone)]
pub(crate) struct Script {
    text: String,
    last: Option<String>,
    next: u32,
    /// Distinguishes the ids of several files.
    salt: u32,
}

impl Script {
    /// A file with a header.
    pub(crate) fn new(id: &str, salt: u32) -> Self {
        Self::forked(id, salt, None)
    }

    /// A file whose header names a parent.
    pub(crate) fn forked(id: &str, salt: u32, parent: Option<&str>) -> Self {
        let parent = parent.map_or(String::new(), |parent| format!(r#","parentSession":"{parent}""#));
        Self {
            text: format!(
                r#"{{"type":"session","version":3,"id":"{id}","timestamp":"{}","cwd":"/home/dev/shop"{parent}}}"#,
                time(i64::from(salt))
            ) + "\n",
            last: None,
            next: 1,
            salt,
        }
    }

    /// The same entries under another header, as a fork copies them.
    pub(crate) fn fork(&self, id: &str, salt: u32, parent: &str) -> Self {
        let header = Self::forked(id, salt, Some(parent));
        let entries = self.text.split_once('\n').unwrap().1;
        Self {
            text: header.text + entries,
            last: self.last.clone(),
            next: self.next,
            salt,
        }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The id of the last entry.
    pub(crate) fn last(&self) -> String {
        self.last.clone().unwrap()
    }

    /// The id of the first entry.
    pub(crate) fn first_entry(&self) -> Option<String> {
        let line = self.text.lines().nth(1)?;
        let id = line.split_once("\"id\":\"")?.1;
        Some(id.split_once('"')?.0.to_owned())
    }

    pub(crate) fn user(&mut self, text: &str) -> String {
        self.message("user", text)
    }

    pub(crate) fn assistant(&mut self, text: &str) -> String {
        self.message("assistant", text)
    }

    /// Adds a message behind the last one; returns its line.
    pub(crate) fn message(&mut self, role: &str, text: &str) -> String {
        let text = serde_json::to_string(text).unwrap();
        let model = if role == "assistant" {
            r#","provider":"acme","model":"swift-1""#
        } else {
            ""
        };
        self.entry(&format!(
            r#""type":"message","message":{{"role":"{role}","content":[{{"type":"text","text":{text}}}],"timestamp":{}{model}}}"#,
            BEGIN_MS + i64::from(self.salt) * 60_000 + i64::from(self.next) * 1000
        ))
    }

    /// Gives the session a name; returns the line.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let name = serde_json::to_string(name).unwrap();
        self.entry(&format!(r#""type":"session_info","name":{name}"#))
    }

    /// Adds an entry with these members behind the last one; returns its line.
    pub(crate) fn entry(&mut self, members: &str) -> String {
        let id = format!("{:04x}{:04x}", self.salt, self.next);
        let parent = self
            .last
            .as_ref()
            .map_or("null".to_owned(), |last| format!("\"{last}\""));
        let line = format!(
            r#"{{{members},"id":"{id}","parentId":{parent},"timestamp":"{}"}}"#,
            time(i64::from(self.salt) * 60 + i64::from(self.next))
        ) + "\n";
        self.text.push_str(&line);
        self.last = Some(id);
        self.next += 1;
        line
    }

    /// Goes back to an earlier entry: the next one begins another branch.
    pub(crate) fn branch_from(&mut self, entry: Option<&str>) {
        self.last = entry.map(str::to_owned);
    }
}

fn time(seconds: i64) -> String {
    Timestamp::from_millis(BEGIN_MS + seconds * 1000)
        .unwrap()
        .to_string()
}
