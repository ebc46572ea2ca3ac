//! All that the program takes from its environment, in one place. The libraries ask for nothing.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Context;
use camino::Utf8PathBuf;
use lookback::{Surroundings, Timestamp};

use crate::args::Folders;

/// Pi's folder for settings and sessions.
const AGENT_DIR: &str = "PI_CODING_AGENT_DIR";
/// A session folder in place of Pi's own.
const SESSION_DIR: &str = "PI_CODING_AGENT_SESSION_DIR";
/// Where the index is kept.
const CACHE_DIR: &str = "PI_RECALL_CACHE_DIR";
/// Where tags and settings are kept.
const DATA_DIR: &str = "PI_RECALL_DATA_DIR";

/// The program that long answers are read with.
const PAGER: &str = "PAGER";

/// All variables that count, for the manual. `NO_COLOR` and its like are read by the terminal library.
pub(crate) const VARIABLES: [(&str, &str); 7] = [
    (
        AGENT_DIR,
        "Pi's folder for settings and sessions, as for Pi itself",
    ),
    (
        SESSION_DIR,
        "a session folder, as for Pi itself; searched beside the default one",
    ),
    (CACHE_DIR, "the folder for the index"),
    (DATA_DIR, "the folder for tags"),
    (
        PAGER,
        "what `read` and `tree` are shown with on a terminal; empty or `cat` for nothing",
    ),
    ("NO_COLOR", "no colours, if it is set to anything"),
    (
        "CLICOLOR_FORCE",
        "colours even where the output is no terminal, if it is set to `1`",
    ),
];

/// The pager that the user chose; an empty choice is one.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the host that reads the environment for the libraries"
)]
pub(crate) fn pager() -> Option<String> {
    std::env::var(PAGER).ok()
}

/// Whether a variable is set at all.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the host that reads the environment for the libraries"
)]
pub(crate) fn is_set(name: &str) -> bool {
    std::env::var_os(name).is_some()
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is the host that reads the environment for the libraries"
)]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// What the folders are found from: the options, the environment, the current folder.
pub(crate) fn surroundings(folders: &Folders) -> anyhow::Result<Surroundings> {
    let cwd = std::env::current_dir().context("the current folder is gone")?;
    let cwd = Utf8PathBuf::from_path_buf(cwd)
        .map_err(|path| anyhow::anyhow!("the name of the current folder {path:?} is not text"))?;
    let home = variable("HOME").or_else(|| variable("USERPROFILE"));
    Ok(Surroundings {
        home: home.map(Utf8PathBuf::from),
        cwd,
        agent_dir: folders.agent_dir.clone(),
        sessions: folders.sessions.clone(),
        cache: folders.cache.clone(),
        data: folders.data.clone(),
        env_agent_dir: variable(AGENT_DIR),
        env_session_dir: variable(SESSION_DIR),
        env_cache_dir: variable(CACHE_DIR),
        env_data_dir: variable(DATA_DIR),
    })
}

/// The present moment.
#[expect(
    clippy::disallowed_methods,
    reason = "this is the host that reads the clock for the libraries"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // A clock beyond the year 275760 is taken for one that stands still.
    i64::try_from(since.as_millis())
        .ok()
        .and_then(Timestamp::from_millis)
        .unwrap_or(Timestamp::EPOCH)
}
