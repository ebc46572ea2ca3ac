//! One file for each command: convert, call, draw.

pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod inspect;
pub(crate) mod list;
pub(crate) mod pick;
pub(crate) mod read;
pub(crate) mod search;
pub(crate) mod status;
pub(crate) mod sync;
pub(crate) mod tags;
pub(crate) mod tree;
pub(crate) mod unread;

use lookback::{Lookback, Source, SyncReport, SyncRequest, SyncState};

use crate::{
    Out, Session, progress,
    terminal::{DIM, WARN, harmless},
};

/// What of an answer's source the user should hear of.
pub(crate) fn draw_source(source: &Source, out: Out<'_>) -> anyhow::Result<()> {
    match source {
        Source::Synced(report) => draw_report(report, out)?,
        Source::LastCommit(_) => {}
        Source::Stale(failure) => {
            writeln!(
                out,
                "{WARN}the index could not be brought up to date: {}{WARN:#}",
                harmless(&failure.message)
            )?;
        }
        Source::Files(scanned) => {
            if let Some(because) = &scanned.because {
                writeln!(
                    out,
                    "{WARN}the index cannot be used: {}{WARN:#}",
                    harmless(&because.message)
                )?;
            }
            let style = if scanned.outcome.is_complete() { DIM } else { WARN };
            writeln!(out, "{style}{}{style:#}", harmless(&scanned.outcome.to_string()))?;
        }
    }
    Ok(())
}

/// Brings the index up to date as far as that can be done, with a progress bar where that takes long.
pub(crate) fn freshen(session: &Session, lookback: &Lookback) -> Source {
    let bar = progress::Bar::new(session.json);
    let show = |progress| bar.show(progress);
    let source = lookback.freshen(&SyncRequest {
        progress: &show,
        ..SyncRequest::default()
    });
    bar.done();
    source
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

/// True unless the answer knows of session files: where there are some, it is a filter or a deadline that left nothing.
pub(crate) fn has_no_files(source: &Source) -> bool {
    match source {
        Source::Synced(report) => report.files == 0,
        Source::Files(scanned) => scanned.outcome.files_total == 0,
        Source::LastCommit(_) | Source::Stale(_) => true,
    }
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
