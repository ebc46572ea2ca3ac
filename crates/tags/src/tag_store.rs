//! The store of tags.

use std::sync::Arc;
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::error::Error;
use crate::notice::Notice;
use crate::session_tags::{SessionTags, TagEdit};
use crate::store::{Applied, Store};
use crate::tag::Tag;
use crate::tag_snapshot::TagSnapshot;

/// The tags of all sessions, kept in `tags-v1.json` of a data folder.
///
/// Shared by reference between threads; several stores, in any number of processes, may work on the same folder.
#[derive(Debug)]
pub struct TagStore {
    store: Store<SessionTags>,
}

/// The outcome of a change to tags.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TagOutcome {
    /// Whether anything was written. A change that finds everything as it wants it writes nothing.
    pub changed: bool,
    /// All tags after the change.
    pub snapshot: TagSnapshot,
    /// What the user should hear of.
    pub notices: Vec<Notice>,
}

impl TagStore {
    /// Name of the file in the data folder. It is the one of pi-recall.
    pub const FILE_NAME: &'static str = "tags-v1.json";

    /// The store in a data folder. Nothing is touched yet; folder and file appear with the first change.
    pub fn open(data_dir: &Utf8Path) -> Self {
        Self {
            store: Store::new(data_dir.join(Self::FILE_NAME)),
        }
    }

    /// How long a change waits for those of others before it fails with [`Error::Busy`]. Default:
    /// [`crate::DEFAULT_LOCK_WAIT`]. Reading never waits.
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.store.lock_wait = wait;
        self
    }

    /// Largest file that is read or written; beyond it the answer is [`Error::TooLarge`]. It bounds the memory that a
    /// broken or hostile file can take. Default: [`crate::DEFAULT_MAX_BYTES`].
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: u64) -> Self {
        self.store.max_bytes = bytes;
        self
    }

    /// The file.
    pub fn path(&self) -> &Utf8Path {
        self.store.path()
    }

    /// All tags as they are stored now, whoever changed them last. Takes no lock; when nothing changed since the last
    /// call it costs one system call and returns the same snapshot.
    ///
    /// # Errors
    ///
    /// Any kind but the two of writing and [`Error::InvalidTag`]. A damaged file is no error: see
    /// [`TagSnapshot::notices`].
    pub fn snapshot(&self) -> Result<TagSnapshot, Error> {
        self.store.view().map(TagSnapshot::new)
    }

    /// Whether the snapshot no longer shows what is stored. Costs one system call. A snapshot that comes from a backup
    /// always counts as outdated.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] when the file cannot be looked at.
    pub fn has_changed_since(&self, snapshot: &TagSnapshot) -> Result<bool, Error> {
        self.store
            .is_current(snapshot.view())
            .map(|is_current| !is_current)
    }

    /// Sets tags by hand: [`TagEdit::Add`].
    ///
    /// # Errors
    ///
    /// As [`TagStore::apply`].
    pub fn add(&self, session: &str, tags: &[Tag], now_ms: i64) -> Result<TagOutcome, Error> {
        self.edit(session, TagEdit::Add(tags.to_vec()), now_ms)
    }

    /// Removes tags by hand: [`TagEdit::Remove`].
    ///
    /// # Errors
    ///
    /// As [`TagStore::apply`].
    pub fn remove(&self, session: &str, tags: &[Tag], now_ms: i64) -> Result<TagOutcome, Error> {
        self.edit(session, TagEdit::Remove(tags.to_vec()), now_ms)
    }

    /// Replaces the generated tags: [`TagEdit::SetGenerated`].
    ///
    /// # Errors
    ///
    /// As [`TagStore::apply`].
    pub fn set_generated(&self, session: &str, tags: &[Tag], now_ms: i64) -> Result<TagOutcome, Error> {
        self.edit(session, TagEdit::SetGenerated(tags.to_vec()), now_ms)
    }

    fn edit(&self, session: &str, edit: TagEdit, now_ms: i64) -> Result<TagOutcome, Error> {
        self.apply(&[(session, edit)], now_ms)
    }

    /// Applies several edits, each to the session that is named with it, in one write: all of them or none.
    ///
    /// When this returns, the change is on disk. `now_ms`, in milliseconds since 1970, becomes the time of change of
    /// the sessions that did change.
    ///
    /// # Errors
    ///
    /// Any kind. After all but [`Error::NotDurable`] the stored tags are those from before.
    pub fn apply(&self, edits: &[(&str, TagEdit)], now_ms: i64) -> Result<TagOutcome, Error> {
        self.store.apply(edits, now_ms).map(outcome)
    }

    /// Puts a good file back if it is damaged, or gone while its backup is there. The damaged one is set aside.
    /// Every change does the same by the way; this is for a user who asks for it.
    ///
    /// # Errors
    ///
    /// As [`TagStore::apply`].
    pub fn repair(&self) -> Result<TagOutcome, Error> {
        self.store.repair().map(outcome)
    }

    /// The files that belong to the store, for a user who wants to copy or look at them: the file, its backup and
    /// its two locks. They need not exist.
    pub fn files(&self) -> [Utf8PathBuf; 4] {
        self.store.files()
    }
}

fn outcome(applied: Applied<SessionTags>) -> TagOutcome {
    TagOutcome {
        changed: applied.changed,
        snapshot: TagSnapshot::new(Arc::clone(&applied.view)),
        notices: applied.notices,
    }
}
