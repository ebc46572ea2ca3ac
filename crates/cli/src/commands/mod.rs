//! One file for each command: convert, call, draw.

pub(crate) mod inspect;
pub(crate) mod list;
pub(crate) mod read;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod tags;
pub(crate) mod tree;
pub(crate) mod unread;

use lookback::{Lookback, SyncReport, SyncRequest, SyncState};
use serde_json::{Value, json};

use crate::{
    Out, Session, progress,
    terminal::{DIM, WARN, harmless},
};

/// How fresh an answer is.
pub(crate) enum Freshness {
    /// The user did not want new sessions to be looked for.
    NotAsked,
    /// The sync went through, or not quite.
    Report(Box<SyncReport>),
    /// It failed; the answer comes from the last commit.
    Failed { code: &'static str, message: String },
}

impl Freshness {
    pub(crate) fn json(&self) -> Value {
        match self {
            Self::NotAsked => json!({"state": "skipped"}),
            Self::Report(report) => json!(report),
            Self::Failed { code, message } => json!({"state": "failed", "code": code, "message": message}),
        }
    }

    pub(crate) fn draw(&self, out: Out<'_>) -> anyhow::Result<()> {
        match self {
            Self::NotAsked => Ok(()),
            Self::Report(report) => draw_report(report, out),
            Self::Failed { message, .. } => {
                writeln!(
                    out,
                    "{WARN}the index could not be brought up to date: {}{WARN:#}",
                    harmless(message)
                )?;
                Ok(())
            }
        }
    }
}

/// Brings the index up to date before an answer is given. Where that fails, the last commit still answers.
pub(crate) fn freshen(session: &Session, lookback: &Lookback, wanted: bool) -> anyhow::Result<Freshness> {
    if !wanted {
        return Ok(Freshness::NotAsked);
    }
    match sync_with_progress(session, lookback) {
        Ok(report) => Ok(Freshness::Report(Box::new(report))),
        Err(error) => {
            let code = error.code();
            Ok(Freshness::Failed {
                code,
                message: format!("{:#}", anyhow::Error::from(error)),
            })
        }
    }
}

pub(crate) fn sync_with_progress(
    session: &Session,
    lookback: &Lookback,
) -> Result<SyncReport, lookback::Error> {
    let bar = progress::Bar::new(session.json);
    let report = lookback.sync(&SyncRequest {
        progress: &|progress| bar.show(progress),
        ..SyncRequest::default()
    });
    bar.done();
    report
}

/// What of a report the user should hear of, whatever command it was for.
pub(crate) fn draw_report(report: &SyncReport, out: Out<'_>) -> anyhow::Result<()> {
    if report.state == SyncState::Busy {
        writeln!(
            out,
            "{WARN}another process is writing the index; this is what it held before{WARN:#}"
        )?;
    }
    if !report.complete {
        writeln!(
            out,
            "{WARN}a session folder could not be read to its end; sessions may be missing{WARN:#}"
        )?;
    }
    for failed in &report.failed {
        writeln!(out, "{WARN}not read: {}{WARN:#}", harmless(&failed.message))?;
    }
    if let Some(why) = &report.rebuilt {
        writeln!(out, "{DIM}the index was built anew: {}{DIM:#}", harmless(why))?;
    }
    if report.skipped_count > 0 {
        writeln!(
            out,
            "{DIM}{} files or folders were passed over; `lookback status` counts them{DIM:#}",
            report.skipped_count
        )?;
    }
    Ok(())
}

/// What to do where there are no sessions at all.
pub(crate) fn explain_emptiness(session: &Session, out: Out<'_>) -> anyhow::Result<()> {
    writeln!(out, "Session files are looked for in:")?;
    for root in &session.locations.roots {
        let state = if root.is_dir() { "" } else { " (does not exist)" };
        writeln!(out, "  {}{state}", harmless(root.as_str()))?;
    }
    writeln!(
        out,
        "Pi writes them there when it is used; --sessions DIR looks elsewhere, for example:"
    )?;
    writeln!(out, "  lookback --sessions examples/sessions search \"retry\"")?;
    Ok(())
}
