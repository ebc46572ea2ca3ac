use std::sync::atomic::AtomicBool;

use lookback::{
    ReadRequest, Speaker,
    scan::{WindowItem, WindowRequest},
};
use serde_json::json;

use crate::{
    Out, Session,
    args::Read,
    exit::Outcome,
    output::Line,
    terminal::{DIM, TITLE, WARN, date, harmless},
};

pub(crate) fn run(session: &Session, args: &Read, out: Out<'_>) -> anyhow::Result<Outcome> {
    if let Some(line) = args.line {
        return from_line(session, args, line, out);
    }
    let request = if args.all {
        ReadRequest::everything(&args.session)
    } else {
        ReadRequest {
            session: args.session.clone(),
            ..ReadRequest::default()
        }
    };
    let request = ReadRequest {
        around: args.around.clone(),
        window: args.window,
        branch_tip: args.branch_tip.clone(),
        ..request
    };
    let transcript = session.open()?.read(&request)?;
    let outcome = if transcript.messages.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    };
    if session.json {
        for message in &transcript.messages {
            session.line(
                out,
                &Line::Message {
                    id: message.id.as_ref(),
                    role: message.role.name(),
                    timestamp: message.timestamp,
                    text: &message.text,
                    anchor: &message.anchor,
                },
            )?;
        }
        let summary = json!({
            "session": transcript.session, "path": transcript.path, "branchTip": transcript.branch_tip,
            "before": transcript.before, "after": transcript.after, "omitted": transcript.omitted,
            "total": transcript.total, "truncated": transcript.truncated, "cutCharacters": transcript.cut_characters,
            "warnings": transcript.warnings,
        });
        session.line(out, &Line::Summary { summary })?;
        return Ok(outcome);
    }
    writeln!(
        out,
        "{TITLE}{}{TITLE:#} {DIM}{}{DIM:#}",
        transcript.session,
        harmless(transcript.path.as_str())
    )?;
    for warning in &transcript.warnings {
        writeln!(out, "{WARN}{}{WARN:#}", harmless(warning))?;
    }
    if transcript.before > 0 {
        writeln!(out, "{DIM}… {} messages before{DIM:#}", transcript.before)?;
    }
    let head = transcript.messages.len().min(request.head);
    for (position, message) in transcript.messages.iter().enumerate() {
        if transcript.omitted > 0 && position == head {
            writeln!(
                out,
                "\n{DIM}… {} messages left out; --all shows them, --around ENTRY a part{DIM:#}",
                transcript.omitted
            )?;
        }
        let style = if message.role == Speaker::Gap { WARN } else { TITLE };
        let id = message.id.as_ref().map_or("", |id| id.as_str());
        writeln!(
            out,
            "\n{style}{}{style:#} {DIM}{} {}{DIM:#}",
            message.role.name(),
            date(message.timestamp),
            harmless(id)
        )?;
        writeln!(out, "{}", harmless(message.text.trim_end()))?;
    }
    if transcript.after > 0 {
        writeln!(out, "\n{DIM}… {} messages after{DIM:#}", transcript.after)?;
    }
    Ok(outcome)
}

/// The messages from a line on, as a marker of a scan names it.
fn from_line(session: &Session, args: &Read, line: u64, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    let found = lookback.locate(&args.session)?;
    let request = WindowRequest {
        limit: args.limit,
        ..WindowRequest::new(found.path, line)
    };
    let window = lookback.window(&request, &AtomicBool::new(false))?;
    let outcome = if window.items.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    };
    if !session.json {
        writeln!(out, "{}", harmless(&window.to_string()))?;
        return Ok(outcome);
    }
    for item in &window.items {
        match item {
            WindowItem::Message {
                line,
                entry,
                role,
                time,
                text,
                ..
            } => {
                let anchor = format!("{}:{line}", found.id);
                let message = Line::Message {
                    id: entry.as_ref(),
                    role: role.name(),
                    timestamp: *time,
                    text,
                    anchor: &anchor,
                };
                session.line(out, &message)?;
            }
            other => session.line(out, &json!({"type": "item", "item": other}))?,
        }
    }
    let summary = json!({
        "session": found.id, "path": window.path, "nextLine": window.next_offset, "damagedLines": window.damaged_lines,
    });
    session.line(out, &Line::Summary { summary })?;
    Ok(outcome)
}
