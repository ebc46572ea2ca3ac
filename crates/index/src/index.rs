use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, Mutex, PoisonError, atomic::AtomicU64},
    thread,
    time::Duration,
};

use camino::Utf8Path;
use lookback_ranker::{Annotations, SearchReply, SearchRequest};
use lookback_session_model::{EntryId, Resumed, SessionFile, SessionSummary, open_session_file};

use crate::{
    EntryLocation, IndexError, Status, SyncOptions, SyncReport, Verification,
    folder::{Folder, WriterLock},
    lookup, panics,
    search::Searcher,
    snapshot::{Snapshot, State},
    status, sync,
};

/// Bytes of the index that are kept in memory at most; what is beyond is read from the disk when it is needed.
const ROOM: u64 = 64 << 20;

/// The index over session files in one folder.
///
/// It can be shared between threads: searches run side by side, on the last commit, whoever writes meanwhile.
#[derive(Debug)]
pub struct Index {
    folder: Folder,
    room: Arc<AtomicU64>,
    /// The last commit that was looked at.
    current: Mutex<Option<Arc<Snapshot>>>,
    searcher: Searcher,
}

impl Index {
    /// Opens the index in a folder. A folder that does not exist yet is an empty index; the first sync makes it.
    /// Damage and older formats are no error here either: see [`Index::status`], the next sync builds the index again.
    ///
    /// # Errors
    /// When the folder is not ours to use: [`IndexError::ForeignFolder`], [`IndexError::LinkedFolder`],
    /// [`IndexError::OtherOwner`], [`IndexError::NewerFormat`].
    pub fn open(folder: &Utf8Path) -> Result<Self, IndexError> {
        let index = Self {
            folder: Folder::open(folder)?,
            room: Arc::new(AtomicU64::new(ROOM)),
            current: Mutex::new(None),
            searcher: Searcher::default(),
        };
        index.state()?;
        Ok(index)
    }

    /// The folder.
    pub fn folder(&self) -> &Utf8Path {
        self.folder.path()
    }

    /// Brings the index up to the present state of the session folders.
    ///
    /// Where nothing changed it costs a walk through the folders. What changed is read by all threads and committed
    /// as it goes, so that searches find it meanwhile, and an interrupted sync continues where it was.
    ///
    /// # Errors
    /// When the index cannot be written. Session files that cannot be read are in the report.
    pub fn sync(&self, options: &SyncOptions<'_>) -> Result<SyncReport, IndexError> {
        self.guarded(|| sync::run(self, options))
    }

    /// Begins on another thread with what the first search of a process has to wait for: most of the time between the
    /// start of a program and its first results. Meant to be called before a sync, which mostly finds that nothing
    /// changed; does nothing after the first search.
    pub fn prepare(&self) {
        if thread::available_parallelism().map_or(1, usize::from) == 1 {
            return;
        }
        let Some(snapshot) = self.current().filter(|snapshot| snapshot.begin_preparing()) else {
            return;
        };
        let work = move || {
            // Whatever is wrong, the search meets it again and says so.
            let _ = catch_unwind(AssertUnwindSafe(|| snapshot.prepare()));
        };
        // Where there is no thread to be had, the search does it all.
        let _ = thread::Builder::new()
            .name("lookback-prepare".to_owned())
            .spawn(work);
    }

    /// Answers a search from the last commit.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the index cannot be read. The next sync builds it again.
    pub fn search(
        &self,
        request: &SearchRequest,
        annotations: &Annotations,
    ) -> Result<SearchReply, IndexError> {
        self.guarded(|| self.searcher.search(&*self.snapshot()?, request, annotations))
    }

    /// All sessions, the one with the latest activity first.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the index cannot be read.
    pub fn sessions(&self) -> Result<Vec<SessionSummary>, IndexError> {
        Ok(lookup::sessions(&*self.snapshot()?))
    }

    /// The session with this full id, this start of an id, or this path.
    ///
    /// A path finds a session only where it leads to an indexed file, whatever links it goes through.
    ///
    /// # Errors
    /// [`IndexError::SessionNotFound`], or [`IndexError::SessionAmbiguous`] with the sessions that fit.
    pub fn find_session(&self, named: &str) -> Result<SessionSummary, IndexError> {
        lookup::find_session(&*self.snapshot()?, named)
    }

    /// The outline of a session file as the file is now: what the index knows of it, and what was appended since.
    ///
    /// # Errors
    /// [`IndexError::Session`] when the file cannot be read.
    pub fn outline(&self, path: &Utf8Path) -> Result<SessionFile, IndexError> {
        // Whatever is wrong with the index, the file itself can be read.
        let known = self
            .snapshot()
            .ok()
            .and_then(|snapshot| lookup::known_outline(&snapshot, path));
        let (_, now) = open_session_file(path)?;
        match known {
            Some(known) if known.stamp() == now => Ok(known),
            // As in a sync, only a file that grew is taken as appended to.
            Some(known) if known.stamp().size < now.size => Ok(match known.resume(0)? {
                Resumed::Extended(file, _) | Resumed::Rewritten(file) => file,
            }),
            Some(_) | None => Ok(SessionFile::read(path, 0)?),
        }
    }

    /// The sessions that hold an entry with this id, oldest first: forks copy entries with their ids.
    ///
    /// # Errors
    /// [`IndexError::Damaged`] when the index cannot be read.
    pub fn locate(&self, entry: &EntryId) -> Result<Vec<EntryLocation>, IndexError> {
        lookup::locate(&*self.snapshot()?, entry)
    }

    /// What the index holds.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn status(&self) -> Result<Status, IndexError> {
        Ok(status::status(&self.folder, &self.state()?))
    }

    /// Reads every byte of the index and compares checksums.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn verify(&self) -> Result<Verification, IndexError> {
        Ok(status::verify(&self.state()?))
    }

    /// Empties the index; the next sync builds it from nothing.
    ///
    /// # Errors
    /// [`IndexError::Busy`] when another process goes on writing for `wait`.
    pub fn rebuild(&self, wait: Duration) -> Result<(), IndexError> {
        self.folder.create()?;
        match WriterLock::take(&self.folder, wait, || false)? {
            Some(lock) => sync::empty(self, &lock),
            None => Err(IndexError::Busy {
                folder: self.folder.path().to_owned(),
            }),
        }
    }

    /// The last commit that was looked at.
    fn current(&self) -> Option<Arc<Snapshot>> {
        self.current
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// What is on disk now.
    fn state(&self) -> Result<State, IndexError> {
        let previous = self.current();
        // Outside of the lock: opening a commit takes milliseconds, and two threads may as well do it at once.
        let state = Snapshot::load(&self.folder, previous.as_ref(), &self.room)?;
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = match &state {
            State::Ready(snapshot) => Some(snapshot.clone()),
            State::Missing | State::Outdated | State::Damaged(_) => None,
        };
        Ok(state)
    }

    /// The last commit; an empty one where there is no index yet.
    fn snapshot(&self) -> Result<Arc<Snapshot>, IndexError> {
        match self.state()? {
            State::Ready(snapshot) => Ok(snapshot),
            State::Missing => Ok(Arc::new(Snapshot::empty())),
            State::Outdated => Err(self.folder.damaged("an older version wrote it")),
            State::Damaged(what) => Err(self.folder.damaged(what)),
        }
    }

    /// Runs work on the engine, which panics on some kinds of damage, and sees to it that damage does not stay.
    fn guarded<T>(&self, work: impl FnOnce() -> Result<T, IndexError>) -> Result<T, IndexError> {
        let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
            Err(IndexError::Engine {
                message: panics::message(&*panic),
            })
        });
        if let Err(IndexError::Engine { .. } | IndexError::Damaged { .. }) = &result {
            return result.map_err(|error| self.examine(error));
        }
        result
    }

    /// Something went wrong inside. Where checksums say that the index is damaged, it is emptied, so that the next sync
    /// builds it again: that sync may be in another process, which would not notice by itself.
    fn examine(&self, error: IndexError) -> IndexError {
        let Ok(State::Ready(snapshot)) = self.state() else {
            return error;
        };
        let Some(what) = status::verify_layers(&snapshot).damage.into_iter().next() else {
            return error;
        };
        if let Ok(Some(lock)) = WriterLock::take(&self.folder, Duration::ZERO, || false) {
            // Where even that fails, the same damage is met and reported again.
            let _ = sync::empty(self, &lock);
        }
        self.folder.damaged(what)
    }
}

impl sync::Source for Index {
    fn folder(&self) -> &Folder {
        &self.folder
    }

    fn state(&self) -> Result<State, IndexError> {
        Self::state(self)
    }
}
