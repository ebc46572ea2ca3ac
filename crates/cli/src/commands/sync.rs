use lookback::SyncState;
use serde_json::{Value, json};

use crate::{
    Out, Session,
    exit::Outcome,
    output::Line,
    terminal::{WARN, harmless},
};

pub(crate) fn run(session: &Session, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    let report = super::sync_with_progress(session, &lookback)?;
    if session.json {
        for damaged in &report.damage {
            let (path, diagnostic) = (damaged.path.as_str(), &damaged.diagnostic);
            session.line(
                out,
                &Line::Damage {
                    path,
                    diagnostic,
                    message: diagnostic.to_string(),
                },
            )?;
        }
        let mut summary = json!(report);
        if let Value::Object(members) = &mut summary {
            // Each has had a line of its own.
            members.remove("damage");
        }
        session.line(out, &Line::Summary { summary })?;
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
        "{} session file{}: {state} ({} new, {} longer, {} rewritten, {} moved, {} gone)",
        report.files,
        if report.files == 1 { "" } else { "s" },
        report.added,
        report.extended,
        report.rewritten,
        report.moved,
        report.removed
    )?;
    super::draw_report(&report, out)?;
    for damaged in &report.damage {
        writeln!(
            out,
            "{WARN}{}, {}{WARN:#}",
            harmless(damaged.path.as_str()),
            damaged.diagnostic
        )?;
    }
    let unnamed = report.damaged_lines.saturating_sub(report.damage.len() as u64);
    if unnamed > 0 {
        writeln!(
            out,
            "{WARN}and {unnamed} more damaged lines; `lookback inspect FILE` names those of a file{WARN:#}"
        )?;
    }
    if report.files == 0 {
        super::explain_emptiness(session, out)?;
    }
    Ok(Outcome::Found)
}
