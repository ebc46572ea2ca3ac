use anyhow::bail;
use lookback::{Located, Tag, tags::SessionTags};
use serde_json::json;

use crate::{
    Out, Session,
    args::{EditTags, Tags},
    environment,
    exit::Outcome,
    output::Line,
    terminal::{DIM, GOOD, one_line},
};

pub(crate) fn add(session: &Session, args: &EditTags, out: Out<'_>) -> anyhow::Result<Outcome> {
    let tags = parse(&args.tags)?;
    let (found, tags) = session.open()?.tag(&args.session, &tags, environment::now())?;
    answer(session, &found, &tags, out)
}

pub(crate) fn remove(session: &Session, args: &EditTags, out: Out<'_>) -> anyhow::Result<Outcome> {
    let tags = parse(&args.tags)?;
    let (found, tags) = session.open()?.untag(&args.session, &tags, environment::now())?;
    answer(session, &found, &tags, out)
}

pub(crate) fn show(session: &Session, args: &Tags, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    if let Some(named) = &args.session {
        let (found, tags) = lookback.tags_of(named)?;
        return answer(session, &found, &tags, out);
    }
    let snapshot = lookback.tags()?;
    let counts = snapshot.counts();
    if session.json {
        for count in &counts {
            session.line(
                out,
                &Line::Tag {
                    tag: count.tag.as_str(),
                    sessions: count.sessions,
                },
            )?;
        }
        let notices: Vec<String> = snapshot.notices().iter().map(ToString::to_string).collect();
        let summary =
            json!({ "tags": counts.len(), "sessions": snapshot.tagged().count(), "notices": notices });
        session.line(out, &Line::Summary { summary })?;
    } else if counts.is_empty() {
        writeln!(out, "No tags yet; `lookback tag SESSION #word` sets one.")?;
    } else {
        for count in &counts {
            writeln!(
                out,
                "{GOOD}#{}{GOOD:#} {DIM}{}{DIM:#}",
                one_line(count.tag.as_str()),
                count.sessions
            )?;
        }
    }
    Ok(if counts.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

fn parse(words: &[String]) -> anyhow::Result<Vec<Tag>> {
    let parsed = lookback::tags::parse_tags(&words.join(" "));
    if !parsed.refused.is_empty() {
        bail!(
            "no tag can be made of {}: a tag needs a letter or a digit",
            one_line(&parsed.refused.join(", "))
        );
    }
    Ok(parsed.tags)
}

fn answer(session: &Session, found: &Located, tags: &SessionTags, out: Out<'_>) -> anyhow::Result<Outcome> {
    let effective: Vec<&str> = tags.effective().map(|tag| tag.as_str()).collect();
    if session.json {
        let summary = json!({
            "session": found.id, "path": found.path, "tags": effective, "manual": tags.manual,
            "generated": tags.generated, "suppressed": tags.suppressed,
        });
        session.line(out, &Line::Summary { summary })?;
    } else {
        write!(out, "{}", one_line(found.id.as_str()))?;
        for tag in &effective {
            write!(out, " {GOOD}#{}{GOOD:#}", one_line(tag))?;
        }
        writeln!(out, "{}", if effective.is_empty() { " has no tags" } else { "" })?;
    }
    Ok(Outcome::Found)
}
