use lookback::{UnreadControl, UnreadRequest};
use serde_json::{Value, json};

use crate::{
    Out, Session,
    args::{Mark, Unread},
    environment,
    exit::Outcome,
    output::Line,
    terminal::{DIM, TITLE, WARN, date, one_line},
};

pub(crate) fn run(session: &Session, args: &Unread, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    match &args.mark {
        Some(Mark::Done(named)) => {
            let found = lookback.mark_done(&named.session, environment::now())?;
            return answer(session, out, &found.id, true);
        }
        Some(Mark::Undone(named)) => {
            let found = lookback.unmark_done(&named.session)?;
            return answer(session, out, &found.id, false);
        }
        None => {}
    }
    let request = UnreadRequest {
        cwd: (!args.all).then(|| session.surroundings.cwd.clone()),
        states: args.state.clone(),
        query: args.query.clone(),
        offset: args.offset,
        limit: args.limit,
        include_done: args.done,
        details: true,
        ..UnreadRequest::default()
    };
    let page = lookback.unread(&request, UnreadControl::default())?;
    let outcome = if page.items.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    };
    if session.json {
        for item in &page.items {
            session.line(out, &json!({"type": "unread", "session": item}))?;
        }
        let mut summary = serde_json::to_value(&page)?;
        if let Value::Object(members) = &mut summary {
            members.remove("items");
        }
        session.line(out, &Line::Summary { summary })?;
        return Ok(outcome);
    }
    for item in &page.items {
        writeln!(out, "{TITLE}{}{TITLE:#}", one_line(&item.name))?;
        let state = item.detail.as_ref().map_or("", |detail| detail.state.name());
        writeln!(
            out,
            "    {DIM}{} · {state} · {} · {}{DIM:#}",
            date(Some(item.modified)),
            one_line(&item.cwd),
            one_line(&item.id)
        )?;
        writeln!(out, "    {}", one_line(&item.message))?;
    }
    let inventory = &page.inventory;
    if inventory.scan.truncated {
        writeln!(
            out,
            "{WARN}{} of {} session files were looked at, the newest ones{WARN:#}",
            inventory.scan.scanned, inventory.scan.available
        )?;
    }
    if page.items.is_empty() {
        let wider = if args.all {
            ""
        } else {
            "; --all looks into all folders"
        };
        writeln!(
            out,
            "No session waits for an answer, of {} looked at{wider}.",
            inventory.scan.scanned
        )?;
    } else {
        let more = page
            .next_offset
            .map(|next| format!("; --offset {next} shows more"))
            .unwrap_or_default();
        writeln!(
            out,
            "{DIM}{} of {} sessions{more}{DIM:#}",
            page.returned, page.total
        )?;
    }
    Ok(outcome)
}

fn answer(session: &Session, out: Out<'_>, id: &lookback::SessionId, done: bool) -> anyhow::Result<Outcome> {
    if session.json {
        session.line(
            out,
            &Line::Summary {
                summary: json!({"session": id, "done": done}),
            },
        )?;
    } else {
        let what = if done {
            "is done until its user writes again"
        } else {
            "is back in the list"
        };
        writeln!(out, "{} {what}", one_line(id.as_str()))?;
    }
    Ok(Outcome::Found)
}
