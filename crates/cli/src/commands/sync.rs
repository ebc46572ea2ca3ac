use lookback::SyncState;
use serde_json::json;

use crate::{Out, Session, exit::Outcome, output::Line};

pub(crate) fn run(session: &Session, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    let report = super::sync_with_progress(session, &lookback)?;
    if session.json {
        session.line(
            out,
            &Line::Summary {
                summary: json!(report),
            },
        )?;
        return Ok(Outcome::Found);
    }
    let state = match report.state {
        SyncState::Unchanged => "nothing had changed",
        SyncState::Updated => "the index is up to date",
        SyncState::Busy => "another process is writing the index; it goes on with what was there",
        SyncState::Cancelled => "cancelled; what was done is kept",
    };
    writeln!(
        out,
        "{} session files: {state} ({} new, {} longer, {} rewritten, {} moved, {} gone)",
        report.files, report.added, report.extended, report.rewritten, report.moved, report.removed
    )?;
    super::draw_report(&report, out)?;
    if report.files == 0 {
        super::explain_emptiness(session, out)?;
    }
    Ok(Outcome::Found)
}
