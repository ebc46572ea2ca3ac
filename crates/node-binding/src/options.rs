//! What JavaScript can ask for. The comments are those of `index.d.ts`.

use camino::Utf8PathBuf;
use lookback::Timestamp;
use napi::bindgen_prelude::Unknown;
use napi_derive::napi;

use crate::{
    control::Wishes,
    failure::Failure,
    given::{Callback, FromJs, Given, Signal},
};

/// An object of options: every name is known, every value is of its kind, each may be left out.
///
/// What stands behind `=` is the type in TypeScript.
macro_rules! options {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident: $type:ty = $ts:tt,)* }) => {
        $(#[$doc])*
        #[derive(Default)]
        #[napi(object, object_from_js = false, object_to_js = false)]
        pub struct $name {
            $($(#[$field_doc])* #[napi(ts_type = $ts)] pub $field: Option<$type>,)*
        }

        impl FromJs for $name {
            fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
                let given = Given::new(value, at, &[$(stringify!($field)),*])?;
                Ok(Self { $($field: given.get(stringify!($field))?,)* })
            }
        }
    };
}

options! {
    /// Where everything lies. What is left out is found as Pi finds it.
    LocateOptions {
        /// Session folders, in place of Pi's own.
        sessions: Vec<String> = "string[]",
        /// Folder for the index. What is in it can be deleted at any time. Default: `<agent dir>/cache/lookback`.
        cache: String = "string",
        /// Folder for tags and done-marks, which must not be lost. Default: `<agent dir>/pi-recall`.
        data: String = "string",
        /// Pi's folder for settings and sessions. Default: `~/.pi/agent`.
        agent_dir: String = "string",
        /// Relative paths start here. Default: `process.cwd()`.
        cwd: String = "string",
        /// The user's home folder. Default: `os.homedir()`.
        home: String = "string",
        /// Where `PI_CODING_AGENT_DIR`, `PI_CODING_AGENT_SESSION_DIR`, `PI_RECALL_CACHE_DIR` and `PI_RECALL_DATA_DIR`
        /// are looked up. Default: `process.env`.
        env: Environment = "Record<string, string | undefined>",
    }
}

options! {
    /// What to open. What is left out is found as Pi finds it.
    OpenOptions {
        /// Session folders, in place of Pi's own.
        sessions: Vec<String> = "string[]",
        /// Folder for the index. What is in it can be deleted at any time. Default: `<agent dir>/cache/lookback`.
        cache: String = "string",
        /// Folder for tags and done-marks, which must not be lost. Default: `<agent dir>/pi-recall`.
        data: String = "string",
        /// Pi's folder for settings and sessions. Default: `~/.pi/agent`.
        agent_dir: String = "string",
        /// Relative paths start here, and this is the current folder of searches. Default: `process.cwd()`.
        cwd: String = "string",
        /// The user's home folder. Default: `os.homedir()`.
        home: String = "string",
        /// Where `PI_CODING_AGENT_DIR`, `PI_CODING_AGENT_SESSION_DIR`, `PI_RECALL_CACHE_DIR` and `PI_RECALL_DATA_DIR`
        /// are looked up. Default: `process.env`.
        env: Environment = "Record<string, string | undefined>",
        /// Leaves out folders whose name matches one of these patterns, in which `*` stands for any characters, such
        /// as `--tmp-*`. Default: none.
        exclude: Vec<String> = "string[]",
    }
}

/// The four variables of an environment that matter here.
#[derive(Debug, Default)]
pub(crate) struct Environment {
    pub(crate) agent_dir: Option<String>,
    pub(crate) session_dir: Option<String>,
    pub(crate) cache_dir: Option<String>,
    pub(crate) data_dir: Option<String>,
}

options! {
    /// For calls that need nothing else.
    CallOptions {
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// How to bring the index up to date.
    SyncOptions {
        /// Told how far it is, some ten times a second. An error that it throws ends the call.
        on_progress: Callback = "(progress: Progress) => void",
        /// How long to wait for another process that writes, in milliseconds. Default: 2000.
        wait: usize = "number",
        /// Ends the call. What is done until then stays done.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// How to search.
    SearchOptions {
        /// Hits on this page, at most 100. Default: 10.
        limit: usize = "number",
        /// Hits before this page. Default: 0.
        offset: usize = "number",
        /// How hits are ordered. Default: `default`.
        policy: String = "'default' | 'recall' | 'memory' | 'strict'",
        /// Words as they are: no word forms, parts or typos. Default: false.
        exact: bool = "boolean",
        /// The query is still being typed: its last word is also the start of longer words. Default: false.
        typing: bool = "boolean",
        /// Take every score apart. Default: false.
        explain: bool = "boolean",
        /// The moment from which ages are counted. Default: now.
        now: Timestamp = "Date",
        /// What is searched at all. Default: everything.
        scope: SearchScope = "SearchScope",
        /// What answers: the index, or the files themselves, which writes nothing. Where the index cannot be used, the
        /// files answer. Default: `index`.
        engine: String = "'index' | 'scan'",
        /// Look for new sessions first; a scan of the files always sees them. Default: true.
        sync: bool = "boolean",
        /// When a scan of the files gives up, in milliseconds. Default: never.
        timeout: usize = "number",
        /// Told how far the sync is. An error that it throws ends the call.
        on_progress: Callback = "(progress: Progress) => void",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// The part of all sessions that is searched; narrows the filters of the query further.
    SearchScope {
        /// Only sessions of this folder (not of folders below it).
        cwd: Utf8PathBuf = "string",
        /// The folder the searcher works in: `cwd:.` means it. Default: `cwd` of the open options.
        current_cwd: Utf8PathBuf = "string",
        /// Only these sessions.
        sessions: Vec<String> = "string[]",
        /// None of these sessions.
        without_sessions: Vec<String> = "string[]",
        /// Only turns of these roles. Default: all.
        roles: Vec<String> = "Array<'user' | 'assistant'>",
        /// Only turns in these branch states. Default: all.
        branches: Vec<String> = "Array<'active' | 'compacted' | 'abandoned'>",
        /// Only turns said at this moment or later.
        since: Timestamp = "Date",
        /// Only turns said before this moment.
        until: Timestamp = "Date",
        /// Only sessions with all of these tags.
        tags: Vec<String> = "string[]",
        /// What the model has before its eyes anyway, left out.
        live: LiveContext = "LiveContext",
    }
}

options! {
    /// The session a search comes from.
    LiveContext {
        /// Its id.
        session: String = "string",
        /// Its entries in the model's context. Other entries of it are found.
        entries: Vec<String> = "string[]",
    }
}

options! {
    /// Which sessions to list.
    ListOptions {
        /// Only sessions of this folder.
        cwd: Utf8PathBuf = "string",
        /// Sessions on the page. Default: 20.
        limit: usize = "number",
        /// Sessions before it. Default: 0.
        offset: usize = "number",
        /// Look for new sessions first. Default: true.
        sync: bool = "boolean",
        /// Told how far the sync is. An error that it throws ends the call.
        on_progress: Callback = "(progress: Progress) => void",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// What to read of a session. By default the first 20 and the last 10 messages.
    ReadOptions {
        /// Read around this entry: its id, or the anchor of a message.
        around: String = "string",
        /// So many messages before and after that entry. Default: 5.
        window: usize = "number",
        /// Stay on the branch that ends at this entry.
        branch_tip: String = "string",
        /// Of a whole session, read so many messages from the start. Default: 20.
        head: usize = "number",
        /// And so many from the end. Default: 10.
        tail: usize = "number",
        /// Characters of text in all. Default: 50,000.
        characters: usize = "number",
        /// Read everything, however long it is; the numbers above count for nothing. Default: false.
        all: bool = "boolean",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// Who calls a tool, from where, and within which bounds.
    ToolOptions {
        /// The session that calls. Default: none.
        session: String = "string",
        /// The entries of that session in the model's context: what it has before its eyes is not found again.
        live_entries: Vec<String> = "string[]",
        /// The folder the calling session works in. Default: `cwd` of the open options.
        cwd: Utf8PathBuf = "string",
        /// The user's home folder, shown as `~`. Default: `home` of the open options.
        home: Utf8PathBuf = "string",
        /// How hits are ordered. Default: `default`.
        policy: String = "'default' | 'recall' | 'memory' | 'strict'",
        /// Replace secrets in everything that is handed out. Default: true.
        redact: bool = "boolean",
        /// Characters of an answer unless its call says otherwise. Default: each tool's own.
        budget: usize = "number",
        /// What answers: the index, or the files themselves. A scan writes nothing. Default: `index`.
        engine: String = "'index' | 'scan'",
        /// Bring the index up to date before searching and listing. Default: true.
        sync: bool = "boolean",
        /// The moment from which ages are counted. Default: now.
        now: Timestamp = "Date",
        /// Told how far the sync is. An error that it throws ends the call.
        on_progress: Callback = "(progress: Progress) => void",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// Whose tags are meant.
    TagOptions {
        /// The session is the one that is open, and is named by its full id: it may have no file yet, because nobody
        /// said anything in it. Default: false.
        open: bool = "boolean",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// How a model is asked for tags.
    TaggingOptions {
        /// It shall give at least so many. Default: 3.
        minimum: usize = "number",
        /// It shall give at most so many. Default: 7.
        maximum: usize = "number",
        /// Replace secrets in the excerpt. Default: true.
        redact: bool = "boolean",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// How many tags a model was asked for.
    TagBounds {
        /// At least so many. Default: 3.
        minimum: usize = "number",
        /// What is more is cut. Default: 7.
        maximum: usize = "number",
    }
}

options! {
    /// Which waiting sessions to list.
    UnreadOptions {
        /// Only sessions of this folder. Default: all.
        cwd: Utf8PathBuf = "string",
        /// The folder with the session files of `cwd`. Default: Pi's own place for it.
        folder: Utf8PathBuf = "string",
        /// How the sessions end. Default: `['unread']`.
        states: Vec<String> = "Array<'unread' | 'picture' | 'failed' | 'interrupted' | 'otherBranch'>",
        /// Looked for in name, message and folder. At most 120 characters.
        query: String = "string",
        /// Sessions before the page, 0 to 500. Default: 0.
        offset: usize = "number",
        /// Sessions on the page, 1 to 100. Default: 100.
        limit: usize = "number",
        /// How many files are read, the newest ones: 1 to 500. Default: 100.
        max_sessions: usize = "number",
        /// The session that is open: left out.
        active_id: String = "string",
        /// Its file: left out before it is read.
        active_path: Utf8PathBuf = "string",
        /// Also list sessions that were marked as done. Default: false.
        include_done: bool = "boolean",
        /// Add to every session how it ends, and to the page what was skipped. Default: false.
        details: bool = "boolean",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

options! {
    /// Which waiting sessions of one folder to look for.
    UnreadScanOptions {
        /// The folder with the session files. Required. One that does not exist has none.
        folder: Utf8PathBuf = "string",
        /// The folder that the sessions belong to, absolute. Required.
        cwd: Utf8PathBuf = "string",
        /// How many files are read, the newest ones: 1 to 500. Default: 100.
        max_sessions: usize = "number",
        /// The session that is open: left out.
        active_id: String = "string",
        /// Its file: left out before it is read.
        active_path: Utf8PathBuf = "string",
        /// For the page: looked for in name, message and folder. At most 120 characters.
        query: String = "string",
        /// Matching sessions before the page, 0 to 500. Default: 0.
        offset: usize = "number",
        /// Sessions on the page, 1 to 100. Default: 100.
        limit: usize = "number",
        /// Ends the call.
        signal: Signal = "AbortSignal",
    }
}

/// Options of calls that report progress.
macro_rules! with_progress {
    ($($name:ident),*) => {
        $(impl $name {
            pub(crate) fn wishes(&self) -> Wishes {
                Wishes {
                    signal: self.signal,
                    reports: true,
                    listener: self.on_progress,
                }
            }
        })*
    };
}

with_progress!(SyncOptions, SearchOptions, ListOptions, ToolOptions);

/// How many tags are asked for where nothing else is said.
pub(crate) fn tag_bounds(minimum: Option<usize>, maximum: Option<usize>) -> (usize, usize) {
    (minimum.unwrap_or(3), maximum.unwrap_or(7))
}

/// What is handed in with a call that reports no progress.
pub(crate) fn with_signal(signal: Option<Signal>) -> Wishes {
    Wishes {
        signal,
        ..Wishes::default()
    }
}
