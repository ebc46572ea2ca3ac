use serde_json::json;

use crate::{
    Out, Session,
    exit::Outcome,
    output::Line,
    terminal::{WARN, harmless},
};

pub(crate) fn run(session: &Session, out: Out<'_>) -> anyhow::Result<Outcome> {
    let status = session.open()?.status()?;
    if session.json {
        session.line(
            out,
            &Line::Summary {
                summary: json!(status),
            },
        )?;
        return Ok(Outcome::Found);
    }
    for root in &status.roots {
        let missing = if status.missing_roots.contains(root) {
            " (does not exist)"
        } else {
            ""
        };
        writeln!(out, "sessions   {}{missing}", harmless(root.as_str()))?;
    }
    writeln!(out, "files      {} with {}", status.files, bytes(status.bytes))?;
    if status.skipped > 0 {
        writeln!(out, "skipped    {}", status.skipped)?;
    }
    if !status.complete {
        writeln!(out, "{WARN}a session folder could not be read to its end{WARN:#}")?;
    }
    let index = &status.index;
    writeln!(
        out,
        "index      {} ({})",
        harmless(index.folder.as_str()),
        word(&index.state)?
    )?;
    writeln!(
        out,
        "           {} sessions, {} turns, {} entries, {}",
        index.sessions,
        index.turns,
        index.entries,
        bytes(index.index_bytes)
    )?;
    if index.damaged_lines > 0 {
        writeln!(
            out,
            "damaged    {} lines in session files; `lookback inspect FILE` names them",
            index.damaged_lines
        )?;
    }
    writeln!(
        out,
        "tags       {} ({} sessions)",
        harmless(status.tags_file.as_str()),
        status.tagged_sessions
    )?;
    for notice in &status.notices {
        writeln!(out, "{WARN}{}{WARN:#}", harmless(notice))?;
    }
    if status.files == 0 {
        super::explain_emptiness(session, out)?;
    }
    Ok(Outcome::Found)
}

/// The word that a value has in JSON.
fn word(value: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_value(value)?
        .as_str()
        .unwrap_or_default()
        .to_owned())
}

fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["KiB", "MiB", "GiB", "TiB"];
    if count < 1024 {
        return format!("{count} bytes");
    }
    let mut size = count as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1024.0 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}
