//! One call of a tool: what its steps share.

use std::time::{Duration, Instant};

use lookback_index::{SyncReport, SyncState};
use lookback_ranker::{SearchReply, SearchRequest};
use lookback_scan::{Ended, Outcome};
use lookback_session_model::{SessionId, SessionSummary};

use super::{
    SyncWarning, ToolContext, ToolDetails, ToolError, ToolReply, ToolWarning,
    answer::{Answer, Budget},
    handles::ShortIds,
    known,
    quote::Quoter,
    safe_text::short_line,
};
use crate::{AnswerOptions, Engine, ListReply, ListRequest, Lookback, Source, SyncRequest};

/// A search through the files ends here, with what it has found by then.
const PATIENCE: Duration = Duration::from_secs(30);

/// A call that is under way.
pub(crate) struct Call<'a> {
    pub(crate) lookback: &'a Lookback,
    pub(crate) context: &'a ToolContext<'a>,
    pub(crate) tool: &'static str,
    /// The call that lists sessions, for errors.
    pub(crate) listing: &'static str,
    pub(crate) quoter: Quoter,
    pub(crate) details: ToolDetails,
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        lookback: &'a Lookback,
        context: &'a ToolContext<'a>,
        tool: &'static str,
        listing: &'static str,
    ) -> Self {
        Self {
            lookback,
            context,
            tool,
            listing,
            quoter: Quoter::new(context.redact),
            details: ToolDetails {
                tool,
                ..ToolDetails::default()
            },
        }
    }

    pub(crate) fn check_cancelled(&self) -> Result<(), ToolError> {
        if self.context.is_cancelled() {
            return Err(ToolError::Cancelled { tool: self.tool });
        }
        Ok(())
    }

    pub(crate) fn wrong(&self, what: impl Into<String>) -> ToolError {
        ToolError::parameters(self.tool, what)
    }

    pub(crate) fn failed(&self, error: crate::Error) -> ToolError {
        if self.context.is_cancelled() {
            return ToolError::Cancelled { tool: self.tool };
        }
        ToolError::from_engine(self.tool, self.listing, error)
    }

    pub(crate) fn warn(&mut self, code: &'static str, message: impl Into<String>) {
        self.details.warnings.push(ToolWarning::new(code, message));
    }

    /// The budget of this call: what it asks for, or else what the host says, or else the tool's own.
    pub(crate) fn budget(&self, asked: Option<usize>, default: usize) -> Budget {
        Budget::new(asked.or(self.context.budget).unwrap_or(default))
    }

    /// Brings the index up to date. Where that fails, the last commit answers and the reader is told.
    pub(crate) fn freshen(&mut self) -> Result<(), ToolError> {
        self.check_cancelled()?;
        if self.context.sync && self.context.engine == Engine::Index {
            let source = self.lookback.freshen(&self.control());
            self.check_cancelled()?;
            self.note_source(&source);
        }
        Ok(())
    }

    /// Searches what is known by now: see [`Call::freshen`].
    pub(crate) fn search(&mut self, request: &SearchRequest) -> Result<SearchReply, ToolError> {
        let options = AnswerOptions {
            engine: self.context.engine,
            sync: false,
            control: self.control(),
            deadline: Some(self.patience()),
        };
        let answer = self
            .lookback
            .answer(request, &options)
            .map_err(|error| self.failed(error))?;
        self.check_cancelled()?;
        self.note_source(&answer.source);
        for warning in &answer.reply.warnings {
            self.warn(warning.code(), warning.to_string());
        }
        Ok(answer.reply)
    }

    fn control(&self) -> SyncRequest<'a> {
        SyncRequest {
            progress: self.context.progress,
            cancel: self.context.cancel,
            ..SyncRequest::default()
        }
    }

    pub(crate) fn patience(&self) -> Instant {
        Instant::now() + PATIENCE
    }

    fn note_source(&mut self, source: &Source) {
        match source {
            Source::Synced(report) => self.note_report(report),
            Source::LastCommit(_) => {}
            Source::Stale(failure) => {
                self.details.sync_warning = Some(SyncWarning::SyncFailed {
                    error: short_line(&failure.message, 300),
                });
            }
            Source::Files(scanned) => {
                if let Some(failure) = &scanned.because {
                    self.warn(
                        "index-unusable",
                        format!(
                            "the index cannot be used ({}); the session files were searched",
                            failure.code
                        ),
                    );
                }
                self.note_outcome(&scanned.outcome);
            }
        }
    }

    /// What a search through the files did not look at.
    pub(crate) fn note_outcome(&mut self, outcome: &Outcome) {
        if outcome.ended == Ended::TimedOut {
            self.warn(
                "timed-out",
                format!(
                    "time ran out after {} of {} files: what is not here may still be in the others",
                    outcome.files_scanned, outcome.files_total
                ),
            );
        }
        if outcome.failed_count > 0 {
            self.warn(
                "unreadable-files",
                format!("{} session files cannot be read now", outcome.failed_count),
            );
        }
        if !outcome.folders_complete {
            self.details.sync_warning = Some(SyncWarning::IncompleteWalk);
        }
    }

    fn note_report(&mut self, report: &SyncReport) {
        self.details.sync_warning = match report.state {
            _ if !report.complete => Some(SyncWarning::IncompleteWalk),
            SyncState::Busy => Some(SyncWarning::Busy),
            _ => None,
        };
        if report.failed_count > 0 {
            self.warn(
                "unreadable-files",
                format!(
                    "{} session files cannot be read now; what was known of them before is still found",
                    report.failed_count
                ),
            );
        }
    }

    /// All sessions that are known, the latest activity first: those of the index, or else those of the files.
    pub(crate) fn sessions(&self) -> Result<Vec<SessionSummary>, ToolError> {
        if self.context.engine == Engine::Index
            && let Ok(known) = self.lookback.sessions()
        {
            return Ok(known);
        }
        known::in_files(self.lookback, &|| self.context.is_cancelled())
            .ok_or(ToolError::Cancelled { tool: self.tool })
    }

    /// A page of these sessions, with their tags.
    pub(crate) fn list(
        &self,
        sessions: Vec<SessionSummary>,
        request: &ListRequest,
    ) -> Result<ListReply, ToolError> {
        known::page(self.lookback, sessions, request).map_err(|error| self.failed(error))
    }

    /// What the reader should know beside the answer, as lines: the warnings so far and the state of the index.
    pub(crate) fn notes(&self) -> Vec<String> {
        const SHOWN: usize = 5;
        let sync = self.details.sync_warning.as_ref().map(|warning| match warning {
            SyncWarning::IncompleteWalk => {
                "syncWarning {\"kind\":\"incomplete-walk\"}: a session folder could not be read to its end; \
                 sessions may be missing or out of date"
                    .to_owned()
            }
            SyncWarning::SyncFailed { error } => {
                format!(
                    "syncWarning {{\"kind\":\"sync-failed\"}}: {}; this is from what was indexed before",
                    short_line(error, 160)
                )
            }
            SyncWarning::Busy => {
                "syncWarning {\"kind\":\"busy\"}: another process is writing the index; this is from \
                                  what was indexed before"
                    .to_owned()
            }
        });
        let warnings = self.details.warnings.iter();
        let mut notes: Vec<String> = sync
            .into_iter()
            .chain(warnings.map(|warning| self.quoter.line(&warning.message, 200)))
            .map(|note| format!("note: {note}\n"))
            .collect();
        if notes.len() > SHOWN {
            let more = notes.len() - SHOWN;
            notes.truncate(SHOWN);
            notes.push(format!("note: {more} more notes\n"));
        }
        notes
    }

    /// Ends the call. `details.warnings` and the like are complete now.
    pub(crate) fn reply(mut self, answer: &Answer, budget: Budget) -> ToolReply {
        let text = answer.text(budget);
        self.details.content_truncated |= !answer.fits(budget);
        self.details.redacted = self.quoter.redacted();
        self.details.found.truncate(ToolDetails::FOUND);
        self.details.warnings.truncate(ToolDetails::WARNINGS);
        for warning in &mut self.details.warnings {
            warning.message = short_line(&warning.message, 300);
        }
        ToolReply {
            text,
            details: self.details,
        }
    }

    /// A session's id as short as it can be, fit to stand in a call.
    pub(crate) fn short<'i>(&self, ids: &ShortIds, id: &'i SessionId) -> &'i str {
        super::handles::plain_or(ids.short(id), "<session id>")
    }
}
