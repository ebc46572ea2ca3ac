//! The program in a world of its own: no environment but the one given, its own home, cache and data.

use std::{
    path::{Path, PathBuf},
    process::{Command, Output},
};

use fs_err as fs;
use serde::de::DeserializeOwned;
use tempfile::TempDir;

/// The repository's shared test data.
pub(crate) fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

/// A home folder, and session folders to look into.
pub(crate) struct World {
    pub(crate) folder: TempDir,
    sessions: Vec<PathBuf>,
}

/// What a run came to. A test must look at it.
#[must_use]
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl World {
    /// Looks into the given session folder.
    pub(crate) fn with_sessions(sessions: impl Into<PathBuf>) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            sessions: vec![sessions.into()],
        }
    }

    /// Looks where Pi would look.
    pub(crate) fn with_home() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            sessions: Vec::new(),
        }
    }

    /// A folder for session files of the test's own.
    pub(crate) fn with_own_sessions() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sessions = folder.path().join("sessions");
        fs::create_dir(&sessions).unwrap();
        Self {
            folder,
            sessions: vec![sessions],
        }
    }

    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub(crate) fn sessions(&self) -> &Path {
        &self.sessions[0]
    }

    /// Writes a session file below the test's own folder.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.sessions().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_lookback"));
        command
            .env_clear()
            .env("HOME", self.home())
            .current_dir(self.folder.path());
        for root in &self.sessions {
            command.arg("--sessions").arg(root);
        }
        command.args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        Ended::from(self.command(args).output().unwrap())
    }

    /// Runs with `--json` and reads every line.
    pub(crate) fn json<T: DeserializeOwned>(&self, args: &[&str]) -> Vec<T> {
        let mut all = vec!["--json"];
        all.extend(args);
        self.run(&all).lines()
    }
}

impl From<Output> for Ended {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: String::from_utf8(output.stdout).expect("the program prints UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("the program prints UTF-8"),
        }
    }
}

impl Ended {
    pub(crate) fn lines<T: DeserializeOwned>(&self) -> Vec<T> {
        assert!(self.code == 0 || self.code == 1, "{self:?}");
        self.stdout
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}")))
            .collect()
    }
}

/// A message entry as Pi writes it; seconds count from 2026-01-01T10:00:00Z.
pub(crate) fn message(id: &str, parent: Option<&str>, role: &str, text: &str, second: u64) -> String {
    let parent = parent.map_or("null".to_owned(), |parent| format!("\"{parent}\""));
    let millis = 1_767_261_600_000 + second * 1000;
    let text = serde_json::to_string(text).unwrap();
    let time = format!("2026-01-01T10:{:02}:{:02}.000Z", second / 60, second % 60);
    format!(
        "{{\"type\":\"message\",\"id\":\"{id}\",\"parentId\":{parent},\"timestamp\":\"{time}\",\"message\":{{\"role\":\"{role}\",\
         \"content\":[{{\"type\":\"text\",\"text\":{text}}}],\"timestamp\":{millis}}}}}\n"
    )
}

/// A header as Pi writes it.
pub(crate) fn header(id: &str, cwd: &str) -> String {
    format!(
        "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"timestamp\":\"2026-01-01T10:00:00.000Z\",\"cwd\":\"{cwd}\"}}\n"
    )
}
