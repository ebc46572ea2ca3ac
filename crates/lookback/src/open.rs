use std::sync::Arc;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_index::Index;
use lookback_ranker::query::{self, Filter, FilterKind, ParseOptions, Property};
use lookback_ranker::{Annotations, SearchReply, SearchRequest, Warning};
use lookback_session_model::{FileStamp, SessionSummary};
use lookback_tags::{DoneStore, TagSnapshot, TagStore};
use smol_str::SmolStr;

use crate::{
    BranchTree, Error, Located, ReadRequest, Transcript, UnreadControl, UnreadRequest, branches, sessions,
    transcript,
};

/// Past sessions, ready to be searched, read and tagged.
///
/// Shared by reference between threads. Reading never waits for anybody who writes. A clone shares everything with what
/// it was made of.
#[derive(Debug, Clone)]
pub struct Lookback {
    pub(crate) roots: Vec<Utf8PathBuf>,
    pub(crate) exclude: Vec<String>,
    index: Result<Arc<Index>, Refusal>,
    pub(crate) tags: Arc<TagStore>,
    pub(crate) done: Arc<DoneStore>,
    /// Relative paths that users type start here.
    cwd: Option<Utf8PathBuf>,
}

/// Why the index cannot be used; everything that does not need it still works.
#[derive(Debug, Clone)]
struct Refusal {
    code: &'static str,
    message: String,
}

/// Says where everything lies. See [`Lookback::builder`].
#[derive(Debug, Clone, Default)]
pub struct Builder {
    roots: Vec<Utf8PathBuf>,
    cache: Utf8PathBuf,
    data: Utf8PathBuf,
    cwd: Option<Utf8PathBuf>,
    exclude: Vec<String>,
}

impl Builder {
    /// Adds a session folder. Default: none.
    #[must_use]
    pub fn root(mut self, path: impl AsRef<Utf8Path>) -> Self {
        self.roots.push(path.as_ref().to_owned());
        self
    }

    /// The folder for the index; what is in it can be deleted at any time. Default: the current folder.
    #[must_use]
    pub fn cache(mut self, path: impl AsRef<Utf8Path>) -> Self {
        path.as_ref().clone_into(&mut self.cache);
        self
    }

    /// The folder for tags, which must not be lost. Default: the current folder.
    #[must_use]
    pub fn data(mut self, path: impl AsRef<Utf8Path>) -> Self {
        path.as_ref().clone_into(&mut self.data);
        self
    }

    /// Relative paths given to [`Lookback::read`] and its like start here. Default: they are taken as they are.
    #[must_use]
    pub fn cwd(mut self, path: impl AsRef<Utf8Path>) -> Self {
        self.cwd = Some(path.as_ref().to_owned());
        self
    }

    /// Leaves out folders whose name matches a pattern with `*` for any characters, such as `--tmp-*`. Default: none.
    #[must_use]
    pub fn exclude(mut self, pattern: impl Into<String>) -> Self {
        self.exclude.push(pattern.into());
        self
    }

    /// Opens everything. Nothing is created before the first sync or the first tag.
    ///
    /// Each set of session folders and exclusions has an index of its own in the cache folder, so that looking into
    /// another folder does not throw the first one's index away.
    ///
    /// A cache folder that cannot be used keeps no session from being read, and no tag from being set: searches then
    /// go through the files, see [`Lookback::answer`].
    ///
    /// # Errors
    /// [`Error::Request`] for a path with a NUL in it, which no system call takes.
    pub fn open(self) -> Result<Lookback, Error> {
        let paths = self.roots.iter().chain([&self.cache, &self.data]);
        if let Some(path) = paths.into_iter().find(|path| path.as_str().contains('\0')) {
            return Err(Error::Request {
                what: format!("the path {:?} holds a NUL character", path.as_str()),
            });
        }
        let index = Index::open(&self.cache.join(index_name(&self.roots, &self.exclude)));
        Ok(Lookback {
            roots: self.roots,
            exclude: self.exclude,
            index: index.map(Arc::new).map_err(|error| Refusal {
                code: error.code(),
                message: error.to_string(),
            }),
            tags: Arc::new(TagStore::open(&self.data)),
            done: Arc::new(DoneStore::open(&self.data)),
            cwd: self.cwd,
        })
    }
}

/// Name of the index over these folders: FNV-1a, stable across versions and machines.
fn index_name(roots: &[Utf8PathBuf], exclude: &[String]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut feed = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    let mut roots: Vec<&str> = roots.iter().map(|root| root.as_str()).collect();
    roots.sort_unstable();
    roots.into_iter().for_each(&mut feed);
    feed("");
    exclude.iter().for_each(|pattern| feed(pattern));
    format!("index-{hash:016x}")
}

impl Lookback {
    /// Starts saying where everything lies.
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The same on the same engine, with another current folder: see [`Builder::cwd`].
    #[must_use]
    pub fn with_cwd(&self, path: impl AsRef<Utf8Path>) -> Self {
        Self {
            cwd: Some(path.as_ref().to_owned()),
            ..self.clone()
        }
    }

    /// The session folders.
    pub fn roots(&self) -> &[Utf8PathBuf] {
        &self.roots
    }

    /// Searches the last commit of the index; [`Lookback::sync`] first finds what was said since. Tags are those of
    /// this moment.
    ///
    /// # Errors
    /// When the index cannot be read or the tags cannot. A query is never an error.
    pub fn search(&self, request: &SearchRequest) -> Result<SearchReply, Error> {
        let (annotations, warning) = self.annotations(request)?;
        let mut reply = self.index()?.search(request, &annotations)?;
        reply.warnings.extend(warning);
        Ok(reply)
    }

    /// The index, where it can be used.
    pub(crate) fn index(&self) -> Result<&Index, Error> {
        let index = self.index.as_ref().map(Arc::as_ref);
        index.map_err(|refusal| Error::IndexRefused {
            code: refusal.code,
            message: refusal.message.clone(),
        })
    }

    /// What the ranker knows of sessions beside their text, at this moment, and what a reader should know of that.
    ///
    /// Which sessions wait for an answer is looked up only where the query asks for it: that reads files.
    pub(crate) fn annotations(
        &self,
        request: &SearchRequest,
    ) -> Result<(Annotations, Option<Warning>), Error> {
        let mut annotations = annotations(&self.tags.snapshot()?);
        let query = query::parse(&request.query, &ParseOptions::default());
        let unread = |filter: &Filter| filter.kind == FilterKind::Is(Property::Unread);
        if !query.filters.iter().any(unread) {
            return Ok((annotations, None));
        }
        let all = UnreadRequest {
            max_sessions: lookback_unread::limits::MAX_SESSIONS,
            ..UnreadRequest::default()
        };
        let scan = self.scan_unread(&all, UnreadControl::default())?;
        annotations.unread = Some(scan.items.iter().map(|item| item.id.as_str().into()).collect());
        let (inventory, skipped) = (scan.inventory, scan.skipped);
        let unknown = skipped.unreadable + skipped.oversized + skipped.invalid_utf8 + skipped.malformed;
        let is_cut = inventory.scan_truncated || inventory.discovery_truncated || unknown > 0;
        let warning = is_cut.then_some(Warning::UnreadCut {
            looked_at: inventory.scanned.saturating_sub(unknown),
            files: inventory.available,
        });
        Ok((annotations, warning))
    }

    /// All sessions, the latest activity first.
    pub(crate) fn sessions(&self) -> Result<Vec<SessionSummary>, Error> {
        Ok(self.index()?.sessions()?)
    }

    /// Finds a session by its id, the start of one, or its path, whether the index knows it yet or not.
    ///
    /// # Errors
    /// [`Error::SessionNotFound`], [`Error::AmbiguousSession`], [`Error::OutsideRoots`].
    pub fn locate(&self, session: &str) -> Result<Located, Error> {
        // An index that cannot be read must not keep a session from being read.
        let known = self.sessions().unwrap_or_default();
        sessions::locate(session, &known, &self.roots, self.cwd.as_deref())
    }

    /// Reads a branch of a session as a conversation, or the part around one entry.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`]; [`Error::EntryNotFound`], [`Error::NotOnBranch`].
    pub fn read(&self, request: &ReadRequest) -> Result<Transcript, Error> {
        let found = self.locate(&request.session)?;
        transcript::read(&found.path, &found.id, request)
    }

    /// The branches of a session.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`].
    pub fn tree(&self, session: &str) -> Result<BranchTree, Error> {
        let found = self.locate(session)?;
        branches::draw(&found.path, &found.id)
    }

    /// The state of a session's file now, to tell whether it changed.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`].
    pub fn stamp(&self, session: &str) -> Result<FileStamp, Error> {
        let found = self.locate(session)?;
        Ok(lookback_session_model::open_session_file(&found.path)?.1)
    }
}

/// What the ranker knows of sessions beside their text.
fn annotations(tags: &TagSnapshot) -> Annotations {
    let of_session = |(session, tags): (&str, &lookback_tags::SessionTags)| {
        (
            session.into(),
            tags.effective().map(|tag| SmolStr::new(tag.as_str())).collect(),
        )
    };
    Annotations {
        tags: tags.tagged().map(of_session).collect(),
        ..Annotations::default()
    }
}
