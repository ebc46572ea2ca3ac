//! A look at everything that Lookback relies on, and what can be put right.

mod access;
mod index;
mod locks;
mod repair;
mod sessions;
mod stores;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_index::Progress;
use serde::Serialize;

use crate::Lookback;

/// What a look at everything found. See [`Lookback::checkup`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkup {
    /// What was looked at, in the order of [`Area`]; nothing that matters is left out for being in order.
    pub checks: Vec<Check>,
    /// How many of them are problems.
    pub problems: usize,
    /// How many of them are notices.
    pub notices: usize,
}

impl Checkup {
    /// True when nothing has to be done.
    pub fn is_sound(&self) -> bool {
        self.problems == 0
    }
}

/// One thing that was looked at, and how it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Check {
    /// What it belongs to.
    pub area: Area,
    /// How it is.
    pub state: CheckState,
    /// A stable name for what was found; `docs/doctor.md` lists them.
    pub code: &'static str,
    /// The file or folder, where it is about one.
    pub path: Option<Utf8PathBuf>,
    /// What was found, as a sentence; where `path` is given, about it.
    pub message: String,
    /// What to do about it.
    pub advice: Option<String>,
}

impl Check {
    fn new(area: Area, state: CheckState, code: &'static str, message: impl Into<String>) -> Self {
        Self {
            area,
            state,
            code,
            path: None,
            message: message.into(),
            advice: None,
        }
    }

    fn at(mut self, path: impl AsRef<Utf8Path>) -> Self {
        self.path = Some(path.as_ref().to_owned());
        self
    }

    fn advise(mut self, advice: impl Into<String>) -> Self {
        self.advice = Some(advice.into());
        self
    }
}

/// The parts of Lookback's world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Area {
    /// Pi's settings files, as far as they say where sessions lie.
    Settings,
    /// The session folders and files, which belong to Pi.
    Sessions,
    /// The index.
    Index,
    /// The tags.
    Tags,
    /// The marks of sessions that need no answer.
    Done,
}

impl Area {
    /// The name that the area has in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Settings => "settings",
            Self::Sessions => "sessions",
            Self::Index => "index",
            Self::Tags => "tags",
            Self::Done => "done",
        }
    }
}

/// How a thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum CheckState {
    /// As it should be.
    Ok,
    /// Worth knowing; nothing has to be done.
    Notice,
    /// Wrong: something is damaged, refused, unreadable, or open to others.
    Problem,
}

impl Lookback {
    /// Looks at everything: reads every session file as Pi would, every byte of the index, and the stores of tags and
    /// marks; looks who may read what Lookback wrote, and who holds its locks. Changes nothing.
    ///
    /// `settings` are the warnings of [`Locations`](crate::Locations). `progress` is told, from several threads, how
    /// far the reading of the session files is, which is what takes long.
    pub fn checkup(&self, settings: &[String], progress: &(dyn Fn(Progress) + Sync)) -> Checkup {
        let mut checks: Vec<Check> = settings
            .iter()
            .map(|warning| {
                Check::new(
                    Area::Settings,
                    CheckState::Problem,
                    "settings-unreadable",
                    warning.clone(),
                )
            })
            .collect();
        let known = sessions::check(self, progress, &mut checks);
        index::check(self, &mut checks);
        stores::check(self, &known, &mut checks);
        let count = |state| checks.iter().filter(|check| check.state == state).count();
        Checkup {
            problems: count(CheckState::Problem),
            notices: count(CheckState::Notice),
            checks,
        }
    }
}

/// An error with its causes, as one sentence.
fn sentence(error: &dyn std::error::Error) -> String {
    let mut sentence = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        sentence.push_str(&format!(": {cause}"));
        source = cause.source();
    }
    sentence
}
