use std::{sync::atomic::AtomicBool, time::Instant};

use lookback_index::SyncReport;
use lookback_ranker::{SearchReply, SearchRequest};
use lookback_scan::{Marker, Outcome, ScanOptions, ScanReply, Scanner, Window, WindowRequest};
use serde::Serialize;

use crate::{Error, Lookback, SyncRequest};

/// What answers a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Engine {
    /// The index, brought up to date first; where it cannot be used, the files.
    #[default]
    Index,
    /// The files themselves. Nothing is written.
    Scan,
}

/// How an answer is made.
#[derive(Debug, Clone, Copy)]
pub struct AnswerOptions<'a> {
    /// What answers. Default: the index.
    pub engine: Engine,
    /// Look for new sessions first. Default: yes. A scan always sees them.
    pub sync: bool,
    /// How the sync talks with its caller; its flag also ends a scan.
    pub control: SyncRequest<'a>,
    /// When a scan gives up. Default: never.
    pub deadline: Option<Instant>,
}

impl Default for AnswerOptions<'_> {
    fn default() -> Self {
        Self {
            engine: Engine::Index,
            sync: true,
            control: SyncRequest::default(),
            deadline: None,
        }
    }
}

/// The answer to a search, and how fresh and whole it is.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The hits.
    pub reply: SearchReply,
    /// What they come from.
    pub source: Source,
    /// Where each hit stands in its file, when the files were scanned.
    pub markers: Vec<Marker>,
}

/// What an answer comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Source {
    /// The index, after this sync.
    Synced(Box<SyncReport>),
    /// The last commit of the index: nobody asked for a sync.
    LastCommit(State),
    /// The last commit of the index, because the sync failed.
    Stale(Failure),
    /// The files themselves.
    Files(Box<Scanned>),
}

/// A state in one word, in the place where a sync report has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct State {
    /// `skipped`.
    pub state: &'static str,
}

/// Why a sync failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// `failed`.
    pub state: &'static str,
    /// The code of the error.
    pub code: &'static str,
    /// The error as a sentence.
    pub message: String,
}

/// What a scan looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scanned {
    /// `scanned`.
    pub state: &'static str,
    /// Why not the index, where it was asked.
    pub because: Option<Failure>,
    /// What was looked at and what was not.
    pub outcome: Outcome,
}

impl Lookback {
    /// Answers a search as well as it can be answered: brings the index up to date and asks it; where the sync fails,
    /// asks the last commit; where the index cannot be used at all, searches the files.
    ///
    /// # Errors
    /// When the tags cannot be read.
    pub fn answer(&self, request: &SearchRequest, options: &AnswerOptions<'_>) -> Result<Answer, Error> {
        if options.engine == Engine::Scan {
            return self.answer_from_files(request, options, None);
        }
        if let Ok(index) = self.index() {
            index.prepare();
        }
        let source = if options.sync {
            self.freshen(&options.control)
        } else {
            Source::LastCommit(State { state: "skipped" })
        };
        match self.search(request) {
            Ok(reply) => Ok(Answer {
                reply,
                source,
                markers: Vec::new(),
            }),
            Err(error @ (Error::Index(_) | Error::IndexRefused { .. })) => {
                self.answer_from_files(request, options, Some(Failure::of(&error)))
            }
            Err(error) => Err(error),
        }
    }

    /// Brings the index up to date as far as that can be done, and says how far.
    pub fn freshen(&self, control: &SyncRequest<'_>) -> Source {
        match self.sync(control) {
            Ok(report) => Source::Synced(Box::new(report)),
            Err(error) => Source::Stale(Failure::of(&error)),
        }
    }

    fn answer_from_files(
        &self,
        request: &SearchRequest,
        options: &AnswerOptions<'_>,
        because: Option<Failure>,
    ) -> Result<Answer, Error> {
        let scan = ScanOptions {
            cancel: options.control.cancel,
            deadline: options.deadline,
            ..ScanOptions::default()
        };
        let ScanReply {
            reply,
            markers,
            outcome,
        } = self.scan(request, &scan)?;
        Ok(Answer {
            reply,
            source: Source::Files(Box::new(Scanned {
                state: "scanned",
                because,
                outcome,
            })),
            markers,
        })
    }

    /// Searches the files themselves. Nothing is written; see `docs/scan.md` for what it costs.
    ///
    /// # Errors
    /// When the tags cannot be read. What could not be searched is in the reply.
    pub fn scan(&self, request: &SearchRequest, options: &ScanOptions<'_>) -> Result<ScanReply, Error> {
        let (annotations, warning) = self.annotations(request)?;
        let excluded = |folder: &camino::Utf8Path| self.is_excluded(folder);
        let mut answer = Scanner::new(self.roots.iter().cloned())
            .exclude(&excluded)
            .search(request, &annotations, options);
        answer.reply.warnings.extend(warning);
        Ok(answer)
    }

    /// Reads the messages of a session file from a line on, as a marker names it.
    ///
    /// # Errors
    /// When the path leads out of the session folders or cannot be read.
    pub fn window(&self, request: &WindowRequest, cancel: &AtomicBool) -> Result<Window, Error> {
        let options = ScanOptions {
            cancel,
            ..ScanOptions::default()
        };
        Ok(Scanner::new(self.roots.iter().cloned()).window(request, &options)?)
    }
}

impl Failure {
    fn of(error: &Error) -> Self {
        let mut message = error.to_string();
        let mut source = std::error::Error::source(error);
        while let Some(cause) = source {
            message.push_str(&format!(": {cause}"));
            source = cause.source();
        }
        Self {
            state: "failed",
            code: error.code(),
            message,
        }
    }
}
