use std::{collections::BTreeSet, fmt, sync::atomic::AtomicBool};

use camino::Utf8PathBuf;
use lookback_index::Progress;
use lookback_ranker::{LiveContext, Policy};
use lookback_session_model::{EntryId, SessionId, Timestamp};

use crate::Engine;

static NEVER: AtomicBool = AtomicBool::new(false);

/// Who calls a tool, from where, and within which bounds. The library knows neither clock nor home: the host says.
///
/// ```
/// use lookback::{Timestamp, tools::ToolContext};
///
/// let context = ToolContext {
///     cwd: Some("/home/dev/shop".into()),
///     home: Some("/home/dev".into()),
///     ..ToolContext::new(Timestamp::EPOCH)
/// };
/// assert!(context.redact);
/// ```
#[derive(Clone)]
pub struct ToolContext<'a> {
    /// The moment from which ages are counted.
    pub now: Timestamp,
    /// The session that calls. Default: none.
    pub session: Option<SessionId>,
    /// The entries of that session in the model's context: what it has before its eyes is not found again. Default:
    /// none.
    pub live_entries: BTreeSet<EntryId>,
    /// The folder the calling session works in: `scope: "current"` means it. Default: none.
    pub cwd: Option<Utf8PathBuf>,
    /// The user's home folder, shown as `~`. Default: none.
    pub home: Option<Utf8PathBuf>,
    /// What answers searches. [`Engine::Scan`] writes nothing, not even an index. Default: the index.
    pub engine: Engine,
    /// How `recall` orders hits. Default: [`Policy::default`].
    pub policy: Policy,
    /// Replace secrets in everything that is handed out, see [`redact`](crate::redact). Default: true.
    pub redact: bool,
    /// Characters of an answer unless its call says otherwise. Default: each tool's own.
    pub budget: Option<usize>,
    /// Bring the index up to date before searching and listing. Default: true.
    pub sync: bool,
    /// Told how far that is, from several threads. Default: nobody.
    pub progress: &'a (dyn Fn(Progress) + Sync),
    /// Set it to end the call soon. Default: never set.
    pub cancel: &'a AtomicBool,
}

impl ToolContext<'_> {
    /// A context with defaults.
    pub fn new(now: Timestamp) -> Self {
        Self {
            now,
            session: None,
            live_entries: BTreeSet::new(),
            cwd: None,
            home: None,
            engine: Engine::Index,
            policy: Policy::default(),
            redact: true,
            budget: None,
            sync: true,
            progress: &|_| {},
            cancel: &NEVER,
        }
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.load(std::sync::atomic::Ordering::Relaxed)
    }

    pub(crate) fn live(&self) -> Option<LiveContext> {
        let session = self.session.clone()?;
        Some(LiveContext {
            session,
            entries: self.live_entries.clone(),
        })
    }

    pub(crate) fn is_current(&self, session: &SessionId) -> bool {
        self.session.as_ref() == Some(session)
    }
}

impl fmt::Debug for ToolContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolContext")
            .field("now", &self.now)
            .field("session", &self.session)
            .field("cwd", &self.cwd)
            .field("redact", &self.redact)
            .field("budget", &self.budget)
            .field("sync", &self.sync)
            .finish_non_exhaustive()
    }
}
