use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_ranker::{Annotations, SearchReply, SearchRequest};
use lookback_session_model::{EntryId, SessionFile, SessionSummary};

use crate::{EntryLocation, IndexError, Status, SyncOptions, SyncReport, Verification};

/// The index over session files in one folder.
///
/// It can be shared between threads: searches run side by side, on the last commit, whoever writes meanwhile.
#[derive(Debug)]
pub struct Index {
    folder: Utf8PathBuf,
}

impl Index {
    /// Opens the index in a folder. A folder that does not exist yet is an empty index; the first sync makes it.
    /// Damage and older formats are no error here either: see [`Index::status`], the next sync builds the index again.
    ///
    /// # Errors
    /// When the folder is not ours to use: [`IndexError::ForeignFolder`], [`IndexError::LinkedFolder`],
    /// [`IndexError::OtherOwner`], [`IndexError::NewerFormat`].
    pub fn open(folder: &Utf8Path) -> Result<Self, IndexError> {
        Ok(Self {
            folder: folder.to_owned(),
        })
    }

    /// The folder.
    pub fn folder(&self) -> &Utf8Path {
        &self.folder
    }

    /// Brings the index up to the present state of the session folders.
    ///
    /// Where nothing changed it costs a walk through the folders. What changed is read by all threads and committed
    /// as it goes, so that searches find it meanwhile, and an interrupted sync continues where it was.
    ///
    /// # Errors
    /// When the index cannot be written. Session files that cannot be read are in the report.
    pub fn sync(&self, options: &SyncOptions<'_>) -> Result<SyncReport, IndexError> {
        let _ = options;
        Ok(SyncReport::new())
    }

    /// Answers a search from the last commit.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the index cannot be read.
    pub fn search(
        &self,
        request: &SearchRequest,
        annotations: &Annotations,
    ) -> Result<SearchReply, IndexError> {
        let _ = (request, annotations);
        Ok(SearchReply::default())
    }

    /// All sessions, the one with the latest activity first.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the index cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionSummary>, IndexError> {
        Ok(Vec::new())
    }

    /// The session with this full id, this start of an id, or this path.
    ///
    /// A path finds a session only where it leads to an indexed file, whatever links it goes through.
    ///
    /// # Errors
    /// [`IndexError::SessionNotFound`], or [`IndexError::SessionAmbiguous`] with the sessions that fit.
    pub fn find_session(&self, named: &str) -> Result<SessionSummary, IndexError> {
        Err(IndexError::SessionNotFound {
            named: named.to_owned(),
        })
    }

    /// The outline of a session file as the file is now: what the index knows of it, and what was appended since.
    ///
    /// # Errors
    /// [`IndexError::Session`] when the file cannot be read.
    pub fn outline(&self, path: &Utf8Path) -> Result<SessionFile, IndexError> {
        Ok(SessionFile::read(path, 0)?)
    }

    /// The sessions that hold an entry with this id, oldest first: forks copy entries with their ids.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the index cannot be read.
    pub fn locate(&self, entry: &EntryId) -> Result<Vec<EntryLocation>, IndexError> {
        let _ = entry;
        Ok(Vec::new())
    }

    /// What the index holds.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn status(&self) -> Result<Status, IndexError> {
        Err(IndexError::Busy {
            folder: self.folder.clone(),
        })
    }

    /// Reads every byte of the index and compares checksums.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn verify(&self) -> Result<Verification, IndexError> {
        Ok(Verification {
            files: 0,
            bytes: 0,
            damage: Vec::new(),
        })
    }

    /// Empties the index; the next sync builds it from nothing.
    ///
    /// # Errors
    /// [`IndexError::Busy`] when another process goes on writing for `wait`.
    pub fn rebuild(&self, wait: Duration) -> Result<(), IndexError> {
        let _ = wait;
        Ok(())
    }
}
