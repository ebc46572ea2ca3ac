use crate::{
    Out, Session,
    args::Inspect,
    exit::Outcome,
    terminal::{DIM, GOOD, TITLE, WARN, date, harmless, one_line},
};

pub(crate) fn run(session: &Session, args: &Inspect, out: Out<'_>) -> anyhow::Result<Outcome> {
    let path = session.surroundings.resolve(&args.file);
    let inspection = lookback::inspect(&path)?;
    if session.json {
        session.line(out, &inspection)?;
        return Ok(Outcome::Found);
    }
    let text = |value: Option<&str>| harmless(value.unwrap_or("none"));
    writeln!(out, "{TITLE}{}{TITLE:#}", harmless(path.as_str()))?;
    match &inspection.opens.reason {
        None => writeln!(out, "Pi         {GOOD}opens it{GOOD:#}")?,
        Some(reason) => writeln!(out, "Pi         {WARN}does not open it{WARN:#}: {reason}")?,
    }
    match &inspection.list {
        Some(row) => {
            writeln!(out, "title      {}", one_line(&row.title))?;
            writeln!(out, "folder     {}", one_line(&row.cwd))?;
            writeln!(
                out,
                "messages   {}, the last {}",
                row.message_count,
                date(row.modified)
            )?;
            if let Some(parent) = &row.parent_session_path {
                writeln!(out, "forked from {}", one_line(parent))?;
            }
        }
        None => writeln!(out, "list       Pi does not list it")?,
    }
    writeln!(
        out,
        "name       {}",
        one_line(inspection.session_name.as_deref().unwrap_or("none"))
    )?;
    writeln!(
        out,
        "leaf       {}",
        text(inspection.leaf_id.as_ref().map(|id| id.as_str()))
    )?;
    writeln!(
        out,
        "newest     {}",
        text(inspection.newest_message_id.as_ref().map(|id| id.as_str()))
    )?;
    writeln!(
        out,
        "entries    {} on the active branch, {} in the model's context, {} branches, {} fork points",
        inspection.active_branch_ids.len(),
        inspection.context_entry_ids.len(),
        inspection.leaves.len(),
        inspection.fork_points.len()
    )?;
    for (id, label) in &inspection.labels {
        writeln!(
            out,
            "label      {} {DIM}{}{DIM:#}",
            one_line(label),
            harmless(id.as_str())
        )?;
    }
    for oddity in &inspection.diagnostics {
        writeln!(out, "{WARN}odd{WARN:#}        {}", oddity.message)?;
    }
    Ok(Outcome::Found)
}
