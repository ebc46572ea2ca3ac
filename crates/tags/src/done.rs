//! Done-marks: sessions that a person took out of the list of unanswered ones without answering.

use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::error::Error;
use crate::format::{Fields, Record, read_number, read_text};
use crate::notice::Notice;
use crate::store::{Applied, Store, View};
use std::sync::Arc;

/// Which user message of a session was marked as done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DoneMark {
    /// The id of the message's entry.
    pub message_id: String,
    /// The time of the message, in milliseconds since 1970, if it has a usable one.
    pub message_ms: Option<i64>,
    /// When it was marked, in milliseconds since 1970.
    pub marked_ms: i64,
}

impl DoneMark {
    /// Whether the mark still stands when this is the last user message of the session.
    ///
    /// It stands for the very message that was marked, known by its id, or by its time where Pi gave the entries new
    /// ids when it brought an old file up to date. Any other message ends it, even one with an earlier time: clocks of
    /// two machines differ, and a message too many in the list is better than one that nobody sees.
    pub fn holds_for(&self, message_id: &str, message_ms: Option<i64>) -> bool {
        self.message_id == message_id || (self.message_ms.is_some() && self.message_ms == message_ms)
    }
}

/// The record of a session in the file; without a mark once it was taken away.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct DoneRecord(Option<DoneMark>);

pub(crate) enum DoneEdit {
    Mark {
        message_id: String,
        message_ms: Option<i64>,
    },
    Unmark,
}

const MESSAGE_ID: &str = "messageId";
const MESSAGE_TIME: &str = "messageTimestamp";
const MARKED: &str = "markedAt";

impl Record for DoneRecord {
    type Edit = DoneEdit;
    type Lists = ();

    const KEYS: &'static [&'static str] = &[MESSAGE_ID, MESSAGE_TIME, MARKED];

    fn read(fields: &Fields<'_>) -> Result<Self, &'static str> {
        let Some(message_id) = fields.get(MESSAGE_ID) else {
            return Ok(Self(None));
        };
        let message_id = read_text(message_id).ok_or("messageId is not a string")?;
        let message_ms = match fields.get(MESSAGE_TIME) {
            None | Some("null") => None,
            Some(value) => Some(read_number(value).ok_or("messageTimestamp is not a number")?),
        };
        let marked_ms = match fields.get(MARKED) {
            None => 0,
            Some(value) => read_number(value).ok_or("markedAt is not a number")?,
        };
        Ok(Self(Some(DoneMark {
            message_id,
            message_ms,
            marked_ms,
        })))
    }

    fn write(&self, fields: &mut Fields<'_>, _depth: usize) {
        let Some(mark) = &self.0 else {
            for key in Self::KEYS {
                fields.remove(key);
            }
            return;
        };
        fields.set_text(MESSAGE_ID, &mark.message_id);
        fields.set(
            MESSAGE_TIME,
            mark.message_ms
                .map_or_else(|| "null".to_owned(), |time| time.to_string()),
        );
        fields.set(MARKED, mark.marked_ms.to_string());
    }

    fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    fn edited(&self, edit: &DoneEdit, now_ms: i64) -> Option<Self> {
        match (edit, &self.0) {
            (DoneEdit::Unmark, None) => None,
            (DoneEdit::Unmark, Some(_)) => Some(Self(None)),
            (
                DoneEdit::Mark {
                    message_id,
                    message_ms,
                },
                Some(mark),
            ) if mark.message_id == *message_id && mark.message_ms == *message_ms => None,
            (
                DoneEdit::Mark {
                    message_id,
                    message_ms,
                },
                _,
            ) => Some(Self(Some(DoneMark {
                message_id: message_id.clone(),
                message_ms: *message_ms,
                marked_ms: now_ms,
            }))),
        }
    }
}

/// The done-marks of all sessions, kept in `done-v1.json` beside the tags and with the same care.
#[derive(Debug)]
pub struct DoneStore {
    store: Store<DoneRecord>,
}

/// All done-marks at one moment. Cheap to clone and to keep; it never changes.
#[derive(Debug, Clone)]
pub struct DoneSnapshot {
    view: Arc<View<DoneRecord>>,
}

/// The outcome of a change to done-marks.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct DoneOutcome {
    /// Whether anything was written.
    pub changed: bool,
    /// All marks after the change.
    pub snapshot: DoneSnapshot,
    /// What the user should hear of.
    pub notices: Vec<Notice>,
}

impl DoneStore {
    /// Name of the file in the data folder.
    pub const FILE_NAME: &'static str = "done-v1.json";

    /// The store in a data folder. Nothing is touched yet; folder and file appear with the first change.
    pub fn open(data_dir: &Utf8Path) -> Self {
        Self {
            store: Store::new(data_dir.join(Self::FILE_NAME)),
        }
    }

    /// As [`crate::TagStore::with_lock_wait`].
    #[must_use]
    pub fn with_lock_wait(mut self, wait: Duration) -> Self {
        self.store.lock_wait = wait;
        self
    }

    /// As [`crate::TagStore::with_max_bytes`].
    #[must_use]
    pub fn with_max_bytes(mut self, bytes: u64) -> Self {
        self.store.max_bytes = bytes;
        self
    }

    /// The file.
    pub fn path(&self) -> &Utf8Path {
        self.store.path()
    }

    /// The files that belong to the store: the file, its backup and its two locks. They need not exist.
    pub fn files(&self) -> [Utf8PathBuf; 4] {
        self.store.files()
    }

    /// All marks as they are stored now; as cheap as [`crate::TagStore::snapshot`].
    ///
    /// # Errors
    ///
    /// As [`crate::TagStore::snapshot`].
    pub fn snapshot(&self) -> Result<DoneSnapshot, Error> {
        self.store.view().map(|view| DoneSnapshot { view })
    }

    /// Whether the snapshot no longer shows what is stored. Costs one system call.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] when the file cannot be looked at.
    pub fn has_changed_since(&self, snapshot: &DoneSnapshot) -> Result<bool, Error> {
        self.store
            .is_current(&snapshot.view)
            .map(|is_current| !is_current)
    }

    /// Marks the last user message of a session, named by its entry id and its time, as done. An earlier mark of the
    /// session is replaced.
    ///
    /// # Errors
    ///
    /// As [`crate::TagStore::apply`].
    pub fn mark(
        &self,
        session: &str,
        message_id: &str,
        message_ms: Option<i64>,
        now_ms: i64,
    ) -> Result<DoneOutcome, Error> {
        let edit = DoneEdit::Mark {
            message_id: message_id.to_owned(),
            message_ms,
        };
        self.store.apply(&[(session, edit)], now_ms).map(outcome)
    }

    /// Takes the mark of a session away.
    ///
    /// # Errors
    ///
    /// As [`crate::TagStore::apply`].
    pub fn unmark(&self, session: &str) -> Result<DoneOutcome, Error> {
        self.store.apply(&[(session, DoneEdit::Unmark)], 0).map(outcome)
    }

    /// As [`crate::TagStore::repair`].
    ///
    /// # Errors
    ///
    /// As [`crate::TagStore::apply`].
    pub fn repair(&self) -> Result<DoneOutcome, Error> {
        self.store.repair().map(outcome)
    }
}

impl DoneSnapshot {
    /// The mark of a session.
    pub fn get(&self, session: &str) -> Option<&DoneMark> {
        self.view
            .records
            .get(session)
            .and_then(|record| record.0.as_ref())
    }

    /// Whether the session is done, given its last user message: [`DoneMark::holds_for`].
    pub fn is_done(&self, session: &str, message_id: &str, message_ms: Option<i64>) -> bool {
        self.get(session)
            .is_some_and(|mark| mark.holds_for(message_id, message_ms))
    }

    /// All marks, by session id, also those that no longer hold.
    pub fn marks(&self) -> impl Iterator<Item = (&str, &DoneMark)> {
        self.view
            .records
            .iter()
            .filter_map(|(session, record)| Some((session.as_str(), record.0.as_ref()?)))
    }

    /// As [`crate::TagSnapshot::revision`].
    pub fn revision(&self) -> u64 {
        self.view.revision
    }

    /// As [`crate::TagSnapshot::notices`].
    pub fn notices(&self) -> &[Notice] {
        &self.view.notices
    }
}

fn outcome(applied: Applied<DoneRecord>) -> DoneOutcome {
    let Applied {
        changed,
        view,
        notices,
    } = applied;
    DoneOutcome {
        changed,
        snapshot: DoneSnapshot { view },
        notices,
    }
}
