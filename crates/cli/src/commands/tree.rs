use lookback::BranchState;
use serde_json::json;

use crate::{
    Out, Session, args,
    exit::Outcome,
    output::Line,
    terminal::{DIM, GOOD, TITLE, WARN, date, harmless, one_line},
};

pub(crate) fn run(session: &Session, args: &args::Session, out: Out<'_>) -> anyhow::Result<Outcome> {
    let tree = session.open()?.tree(&args.session)?;
    if session.json {
        for row in &tree.rows {
            session.line(out, &Line::Row { row })?;
        }
        let summary = json!({
            "session": tree.session, "path": tree.path, "rows": tree.rows.len(), "entries": tree.entries,
            "branches": tree.branches, "tip": tree.tip, "piLeaf": tree.pi_leaf,
        });
        session.line(out, &Line::Summary { summary })?;
        return Ok(Outcome::Found);
    }
    writeln!(
        out,
        "{TITLE}{}{TITLE:#} {DIM}{} entries, {} {}{DIM:#}",
        tree.session,
        tree.entries,
        tree.branches,
        if tree.branches == 1 { "branch" } else { "branches" }
    )?;
    for row in &tree.rows {
        let indent = "│ ".repeat(row.depth);
        let joint = match (row.begins_branch, row.leaf) {
            (true, _) => "├─",
            (false, true) => "╵ ",
            (false, false) => "│ ",
        };
        let style = if row.branch == BranchState::Abandoned {
            DIM
        } else {
            TITLE
        };
        let id = row.id.as_ref().map_or("", |id| id.as_str());
        write!(
            out,
            "{DIM}{indent}{joint}{DIM:#}{style}{}{style:#} {}",
            row.kind,
            one_line(&row.text)
        )?;
        write!(out, " {DIM}{} {}{DIM:#}", harmless(id), date(row.timestamp))?;
        if let Some(label) = &row.label {
            write!(out, " {GOOD}[{}]{GOOD:#}", one_line(label))?;
        }
        if row.gap {
            write!(out, " {WARN}entries before this one are missing{WARN:#}")?;
        }
        if row.hidden > 0 {
            write!(out, " {DIM}+{} hidden before{DIM:#}", row.hidden)?;
        }
        if row.leaf && row.id == tree.tip {
            write!(out, " {GOOD}newest{GOOD:#}")?;
        }
        writeln!(out)?;
    }
    if tree.pi_leaf != tree.tip {
        let leaf = tree.pi_leaf.as_ref().map_or("no entry", |id| id.as_str());
        writeln!(out, "{WARN}Pi opens this session at {}{WARN:#}", harmless(leaf))?;
    }
    Ok(if tree.rows.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}
