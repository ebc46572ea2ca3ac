//! The engine under both stores: reading without a lock, and lock, re-read, edit, replace, back up.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use camino::{Utf8Path, Utf8PathBuf};

use crate::disk::{self, Found, Identity, LockFiles, Pinned, Replaced};
use crate::error::Error;
use crate::format::{Document, Record, Unusable, VERSION};
use crate::notice::{Damage, Notice};

/// Longest session id that is stored, in bytes. Pi's own have 36.
pub const MAX_SESSION_ID_BYTES: usize = 1_024;

/// How long a change waits for another one unless told otherwise.
pub const DEFAULT_LOCK_WAIT: Duration = Duration::from_secs(2);

/// Largest file that is read or written unless told otherwise: some 200,000 tagged sessions.
pub const DEFAULT_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// How often a change starts again because a program that takes no lock replaced the file meanwhile.
const MOST_ATTEMPTS: u32 = 16;

#[derive(Debug)]
pub(crate) struct Store<R: Record> {
    path: Utf8PathBuf,
    pub(crate) lock_wait: Duration,
    pub(crate) max_bytes: u64,
    current: Mutex<Option<Arc<View<R>>>>,
    revisions: AtomicU64,
}

/// The content of the file at one moment.
#[derive(Debug)]
pub(crate) struct View<R: Record> {
    pub(crate) records: BTreeMap<String, R>,
    pub(crate) lists: OnceLock<R::Lists>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) revision: u64,
    state: State,
}

/// What a view was read from, as far as a later look at the path can tell whether it still holds.
#[derive(Debug)]
enum State {
    /// Nothing was stored: neither file nor backup.
    Nothing,
    /// The file itself. Pinned, so that no other file can pass for it.
    File { identity: Identity, _pinned: Pinned },
    /// The backup, or nothing although there is a damaged file. Not remembered: this is looked at anew every time.
    Fallback,
}

/// The outcome of a change.
pub(crate) struct Applied<R: Record> {
    pub(crate) changed: bool,
    pub(crate) view: Arc<View<R>>,
    pub(crate) notices: Vec<Notice>,
}

/// A file as it was read, still to be turned into a view.
struct Loaded<R: Record> {
    document: Document<R>,
    state: State,
    /// The identity that the file at the path had, good or not.
    seen: Option<Identity>,
    notices: Vec<Notice>,
    /// Damaged files with their content; each is set aside before it is replaced.
    damaged: Vec<(Utf8PathBuf, Vec<u8>)>,
}

/// One of the two files, as far as it can be used.
enum Part<R: Record> {
    Nothing,
    Good {
        document: Document<R>,
        identity: Identity,
        pinned: Pinned,
    },
    Damaged {
        damage: Damage,
        identity: Identity,
        bytes: Vec<u8>,
    },
}

impl<R: Record> Store<R> {
    pub(crate) fn new(path: Utf8PathBuf) -> Self {
        Self {
            path,
            lock_wait: DEFAULT_LOCK_WAIT,
            max_bytes: DEFAULT_MAX_BYTES,
            current: Mutex::new(None),
            revisions: AtomicU64::new(0),
        }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    pub(crate) fn files(&self) -> [Utf8PathBuf; 4] {
        let LockFiles { lock, queue } = self.lock_files();
        [self.path.clone(), self.backup_path(), lock, queue]
    }

    fn backup_path(&self) -> Utf8PathBuf {
        Utf8PathBuf::from(format!("{}.bak", self.path))
    }

    fn lock_files(&self) -> LockFiles {
        LockFiles {
            lock: format!("{}.lock", self.path).into(),
            queue: format!("{}.queue", self.path).into(),
        }
    }

    /// The present content. Costs one look at the folder when nothing changed since the last call.
    pub(crate) fn view(&self) -> Result<Arc<View<R>>, Error> {
        let mut current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(view) = current.as_ref()
            && self.is_current(view)?
        {
            return Ok(Arc::clone(view));
        }
        let loaded = self.load()?;
        let view = Arc::new(self.view_of(loaded.document, loaded.state, loaded.notices));
        *current = Some(Arc::clone(&view));
        Ok(view)
    }

    /// Whether the view shows what is stored now.
    pub(crate) fn is_current(&self, view: &View<R>) -> Result<bool, Error> {
        let there = disk::identity_at(&self.path)?;
        Ok(match (&view.state, there) {
            (State::File { identity, .. }, Some(there)) => *identity == there,
            (State::Nothing, None) => disk::identity_at(&self.backup_path())?.is_none(),
            _ => false,
        })
    }

    fn view_of(&self, document: Document<R>, state: State, notices: Vec<Notice>) -> View<R> {
        let revision = self.revisions.fetch_add(1, Ordering::Relaxed) + 1;
        View {
            records: document.into_records(),
            lists: OnceLock::new(),
            notices,
            revision,
            state,
        }
    }

    /// Applies the edits together: all of them or, on an error, none.
    pub(crate) fn apply(&self, edits: &[(&str, R::Edit)], now_ms: i64) -> Result<Applied<R>, Error> {
        if let Some((session, _)) = edits
            .iter()
            .find(|(session, _)| session.is_empty() || session.len() > MAX_SESSION_ID_BYTES)
        {
            return Err(Error::InvalidSessionId {
                length: session.len(),
            });
        }
        // A change that changes nothing leaves no trace: no lock file, not even the folder.
        let view = self.view()?;
        let nobody = R::default();
        let changes = |(session, edit): &(&str, R::Edit)| {
            view.records
                .get(*session)
                .unwrap_or(&nobody)
                .edited(edit, now_ms)
                .is_some()
        };
        if !edits.iter().any(changes) {
            return Ok(Applied {
                changed: false,
                notices: view.notices.clone(),
                view,
            });
        }
        self.write(edits, now_ms)
    }

    /// Puts a good file back in the place of a damaged or missing one.
    pub(crate) fn repair(&self) -> Result<Applied<R>, Error> {
        let view = self.view()?;
        if view.notices.is_empty() {
            return Ok(Applied {
                changed: false,
                notices: Vec::new(),
                view,
            });
        }
        self.write(&[], 0)
    }

    fn write(&self, edits: &[(&str, R::Edit)], now_ms: i64) -> Result<Applied<R>, Error> {
        if let Some(folder) = self.path.parent() {
            disk::ensure_folder(folder)?;
        }
        let _lock = self.lock_files().acquire(self.lock_wait)?;
        disk::remove_left_over_temps(&self.path);
        for _ in 0..MOST_ATTEMPTS {
            let mut loaded = self.load()?;
            let mut changed = false;
            for (session, edit) in edits {
                changed |= loaded.document.edit(session, edit, now_ms);
            }
            let mut notices = loaded.notices;
            if !changed && notices.is_empty() {
                let view = Arc::new(self.view_of(loaded.document, loaded.state, notices));
                return Ok(Applied {
                    changed,
                    notices: Vec::new(),
                    view: self.remember(view),
                });
            }
            let text = loaded.document.render();
            self.check_size(text.len() as u64)?;
            for (path, bytes) in &loaded.damaged {
                let set_aside = disk::set_aside(path, bytes)?;
                notices.push(Notice::SetAside {
                    path: path.clone(),
                    set_aside,
                });
            }
            let still = |there: Option<&Identity>| match (there, &loaded.seen) {
                (Some(there), Some(seen)) => there.same_content(seen),
                (there, seen) => there.is_none() && seen.is_none(),
            };
            let Replaced::Done { pinned, identity } = disk::replace_file(&self.path, text.as_bytes(), still)?
            else {
                continue;
            };
            notices.extend(self.back_up(text.as_bytes()));
            let state = State::File {
                identity,
                _pinned: pinned,
            };
            let view = Arc::new(self.view_of(loaded.document, state, Vec::new()));
            return Ok(Applied {
                changed,
                notices,
                view: self.remember(view),
            });
        }
        Err(Error::Busy {
            path: self.path.clone(),
            waited: Duration::ZERO,
        })
    }

    fn remember(&self, view: Arc<View<R>>) -> Arc<View<R>> {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&view));
        view
    }

    /// The change is safe by now, so a backup that cannot be written is told and no error.
    fn back_up(&self, bytes: &[u8]) -> Option<Notice> {
        let path = self.backup_path();
        // A file of its own rather than a second name: damage done in place must not reach both.
        let error = disk::replace_file(&path, bytes, |_| true).err()?;
        let reason = match std::error::Error::source(&error) {
            Some(source) => format!("{error}: {source}"),
            None => error.to_string(),
        };
        Some(Notice::BackupNotWritten { path, reason })
    }

    fn check_size(&self, size: u64) -> Result<(), Error> {
        if size > self.max_bytes {
            return Err(Error::TooLarge {
                path: self.path.clone(),
                size,
                limit: self.max_bytes,
            });
        }
        Ok(())
    }

    /// Reads the file or, if it is damaged or gone, its backup.
    fn load(&self) -> Result<Loaded<R>, Error> {
        for _ in 0..MOST_ATTEMPTS {
            let (damage, seen, mut damaged) = match self.read_part(&self.path)? {
                Part::Good {
                    document,
                    identity,
                    pinned,
                } => {
                    let seen = Some(identity.clone());
                    let state = State::File {
                        identity,
                        _pinned: pinned,
                    };
                    return Ok(Loaded {
                        document,
                        state,
                        seen,
                        notices: Vec::new(),
                        damaged: Vec::new(),
                    });
                }
                Part::Nothing => (Damage::Missing, None, Vec::new()),
                Part::Damaged {
                    damage,
                    identity,
                    bytes,
                } => (damage, Some(identity), vec![(self.path.clone(), bytes)]),
            };
            let backup = self.backup_path();
            let read = self.read_part(&backup)?;
            // While the backup was read, another process may have put the file right; then its backup says nothing
            // about it.
            if disk::identity_at(&self.path)? != seen {
                continue;
            }
            let path = self.path.clone();
            let (document, state, notices) = match read {
                Part::Good { document, .. } => (
                    document,
                    State::Fallback,
                    vec![Notice::UsedBackup { path, backup, damage }],
                ),
                Part::Nothing if damaged.is_empty() => (Document::empty(), State::Nothing, Vec::new()),
                Part::Nothing => (
                    Document::empty(),
                    State::Fallback,
                    vec![Notice::NoGoodCopy { path, damage }],
                ),
                Part::Damaged {
                    damage: of_backup,
                    bytes,
                    ..
                } => {
                    let notice = if damaged.is_empty() {
                        Notice::NoGoodCopy {
                            path: backup.clone(),
                            damage: of_backup,
                        }
                    } else {
                        Notice::NoGoodCopy { path, damage }
                    };
                    damaged.push((backup, bytes));
                    (Document::empty(), State::Fallback, vec![notice])
                }
            };
            return Ok(Loaded {
                document,
                state,
                seen,
                notices,
                damaged,
            });
        }
        Err(Error::Busy {
            path: self.path.clone(),
            waited: Duration::ZERO,
        })
    }

    fn read_part(&self, path: &Utf8Path) -> Result<Part<R>, Error> {
        let Found::File {
            bytes,
            identity,
            pinned,
        } = disk::read_file(path, self.max_bytes)?
        else {
            return Ok(Part::Nothing);
        };
        match Document::parse(&bytes) {
            Ok(document) => Ok(Part::Good {
                document,
                identity,
                pinned,
            }),
            Err(Unusable::Damaged(damage)) => Ok(Part::Damaged {
                damage,
                identity,
                bytes,
            }),
            Err(Unusable::Newer { found }) => Err(Error::NewerVersion {
                path: path.to_owned(),
                found,
                supported: VERSION,
            }),
        }
    }
}
