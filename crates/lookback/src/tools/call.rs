//! One call of a tool: what its steps share.

use lookback_index::{SyncReport, SyncState};
use lookback_session_model::{SessionId, SessionSummary};

use super::{
    SyncWarning, ToolContext, ToolDetails, ToolError, ToolReply, ToolWarning,
    answer::{Answer, Budget},
    error::sentence,
    handles::ShortIds,
    quote::Quoter,
    safe_text::short_line,
};
use crate::{Lookback, SyncRequest};

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
        if !self.context.sync {
            return Ok(());
        }
        let report = self.lookback.sync(&SyncRequest {
            progress: self.context.progress,
            cancel: self.context.cancel,
            ..SyncRequest::default()
        });
        self.check_cancelled()?;
        match report {
            Ok(report) => self.note_report(&report),
            Err(error) => {
                self.details.sync_warning = Some(SyncWarning::SyncFailed {
                    error: sentence(&error),
                })
            }
        }
        Ok(())
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

    /// All sessions that are known.
    pub(crate) fn sessions(&self) -> Result<Vec<SessionSummary>, ToolError> {
        self.lookback.sessions().map_err(|error| self.failed(error))
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
