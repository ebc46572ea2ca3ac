use lookback::ListRequest;
use serde_json::json;

use crate::{
    Out, Session,
    args::List,
    exit::Outcome,
    output::{Line, Session as SessionLine},
    terminal::{DIM, GOOD, TITLE, cut, date, one_line},
};

pub(crate) fn run(session: &Session, args: &List, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    let source = if args.no_sync {
        None
    } else {
        Some(super::freshen(session, &lookback))
    };
    let here = args.here.then(|| session.surroundings.cwd.clone());
    let cwd = here.or_else(|| args.cwd.as_ref().map(|cwd| session.surroundings.resolve(cwd)));
    let reply = lookback.list(&ListRequest {
        cwd,
        limit: args.limit,
        offset: args.offset,
    })?;
    let outcome = if reply.sessions.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    };
    if session.json {
        for listed in &reply.sessions {
            let line = SessionLine::new(&listed.summary, listed.tags.iter().map(|tag| tag.as_str()));
            session.line(out, &Line::Session { session: line })?;
        }
        let summary = json!({
            "returned": reply.sessions.len(), "offset": reply.offset, "nextOffset": reply.next_offset,
            "total": reply.total, "sync": source,
        });
        session.line(out, &Line::Summary { summary })?;
        return Ok(outcome);
    }
    for listed in &reply.sessions {
        let summary = &listed.summary;
        write!(out, "{TITLE}{}{TITLE:#}", cut(&one_line(&summary.title), 72))?;
        for tag in &listed.tags {
            write!(out, " {GOOD}#{}{GOOD:#}", one_line(tag.as_str()))?;
        }
        let fork = if summary.parent_session.is_some() {
            " · fork"
        } else {
            ""
        };
        writeln!(
            out,
            "\n    {DIM}{} · {} messages · {} · {}{fork}{DIM:#}",
            date(summary.modified),
            summary.message_count,
            one_line(&summary.cwd),
            one_line(summary.id.as_str())
        )?;
    }
    if let Some(source) = &source {
        super::draw_source(source, out)?;
    }
    if reply.sessions.is_empty() {
        writeln!(out, "No sessions.")?;
        if source.as_ref().is_none_or(super::has_no_files) {
            super::explain_emptiness(session, out)?;
        }
    } else {
        let more = reply
            .next_offset
            .map(|next| format!("; --offset {next} shows more"))
            .unwrap_or_default();
        writeln!(
            out,
            "{DIM}{} of {} sessions{more}{DIM:#}",
            reply.sessions.len(),
            reply.total
        )?;
    }
    Ok(outcome)
}
