use camino::Utf8PathBuf;
use lookback_session_model::Discovery;
use serde::Serialize;

use crate::{Error, Lookback};

/// Where everything lies and how large it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Status {
    /// The session folders.
    pub roots: Vec<Utf8PathBuf>,
    /// Those of them that do not exist.
    pub missing_roots: Vec<Utf8PathBuf>,
    /// Session files that lie there now.
    pub files: usize,
    /// Their bytes.
    pub bytes: u64,
    /// Files and folders that were passed over.
    pub skipped: u64,
    /// False when a folder could not be read to its end.
    pub complete: bool,
    /// What the index holds.
    pub index: lookback_index::Status,
    /// The file of the tags.
    pub tags_file: Utf8PathBuf,
    /// Sessions with tags.
    pub tagged_sessions: usize,
    /// What the tag store wants to be heard, such as a damaged file that was set aside.
    pub notices: Vec<String>,
}

impl Lookback {
    /// Looks at the folders, the index and the tags; changes nothing.
    ///
    /// # Errors
    /// When the index folder or the tags cannot be read.
    pub fn status(&self) -> Result<Status, Error> {
        let found = Discovery::look(&self.roots, |_| false);
        let tags = self.tags.snapshot()?;
        Ok(Status {
            roots: self.roots.clone(),
            missing_roots: found.missing_roots,
            files: found.files.len(),
            bytes: found.files.iter().map(|file| file.stamp.size).sum(),
            skipped: found.skipped_count,
            complete: found.complete,
            index: self.index()?.status()?,
            tags_file: self.tags.path().to_owned(),
            tagged_sessions: tags.tagged().count(),
            notices: tags.notices().iter().map(ToString::to_string).collect(),
        })
    }
}
