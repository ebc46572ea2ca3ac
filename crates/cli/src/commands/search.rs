use std::time::{Duration, Instant};

use lookback::{AnswerOptions, BranchState, Engine, Hit, Policy, Scope, SearchRequest, SyncRequest};
use serde_json::json;

use crate::{
    Out, Session, args,
    args::Search,
    environment,
    exit::Outcome,
    output::{Entry, Line, Session as SessionLine, Snippet},
    progress,
    terminal::{DIM, GOOD, MATCH, TITLE, WARN, cut, date, harmless, one_line},
};

pub(crate) fn run(session: &Session, args: &Search, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    let here = session.surroundings.cwd.clone();
    let request = SearchRequest {
        policy: policy(args),
        limit: args.limit,
        offset: args.offset,
        exact: args.exact,
        explain: args.explain,
        now: environment::now(),
        scope: Scope {
            cwd: args.here.then(|| here.clone()),
            current_cwd: Some(here),
            ..Scope::default()
        },
        ..SearchRequest::new(args.query.join(" "))
    };
    let bar = progress::Bar::new(session.json);
    let show = |progress| bar.show(progress);
    let options = AnswerOptions {
        engine: if args.engine == args::Engine::Scan {
            Engine::Scan
        } else {
            Engine::Index
        },
        sync: !args.no_sync,
        control: SyncRequest {
            progress: &show,
            ..SyncRequest::default()
        },
        deadline: args
            .timeout
            .map(|seconds| Instant::now() + Duration::from_secs(seconds)),
    };
    let answer = lookback.answer(&request, &options);
    bar.done();
    let answer = answer?;
    let reply = &answer.reply;
    let outcome = if reply.hits.is_empty() {
        Outcome::Nothing
    } else {
        Outcome::Found
    };
    if session.json {
        for hit in &reply.hits {
            session.line(out, &line(hit)?)?;
        }
        let summary = json!({
            "sessionsMatched": reply.sessions_matched, "returned": reply.returned, "offset": reply.offset,
            "nextOffset": reply.next_offset, "sessionsSearched": reply.sessions_searched, "relaxed": reply.relaxed,
            "warnings": reply.warnings, "sync": answer.source,
        });
        session.line(out, &Line::Summary { summary })?;
        return Ok(outcome);
    }
    for hit in &reply.hits {
        draw(hit, out)?;
    }
    for relaxation in &reply.relaxed {
        let terms: Vec<&str> = relaxation.terms.iter().map(|term| term.as_str()).collect();
        writeln!(
            out,
            "{DIM}also searched for {}: {}{DIM:#}",
            one_line(&relaxation.word),
            one_line(&terms.join(", "))
        )?;
    }
    for warning in &reply.warnings {
        writeln!(out, "{WARN}{}{WARN:#}", one_line(&warning.to_string()))?;
    }
    super::draw_source(&answer.source, out)?;
    if reply.hits.is_empty() && reply.sessions_matched > 0 {
        writeln!(
            out,
            "No more hits: {} sessions match, and --offset {} passes over all of them.",
            reply.sessions_matched, args.offset
        )?;
    } else if reply.hits.is_empty() {
        writeln!(out, "Nothing found in {} sessions.", reply.sessions_searched)?;
        if reply.sessions_searched == 0 && super::has_no_files(&answer.source) {
            super::explain_emptiness(session, out)?;
        }
    } else {
        let more = reply
            .next_offset
            .map(|next| format!("; --offset {next} shows more"))
            .unwrap_or_default();
        writeln!(
            out,
            "{DIM}{} of {} matching sessions, {} searched{more}{DIM:#}",
            reply.returned, reply.sessions_matched, reply.sessions_searched
        )?;
    }
    Ok(outcome)
}

/// The policy that was asked for; a scan ranks by `memory` unless told otherwise, which needs the least of the files.
fn policy(args: &Search) -> Policy {
    match (args.policy, args.engine) {
        (None, args::Engine::Scan) | (Some(args::Policy::Memory), _) => Policy::memory(),
        (None | Some(args::Policy::Default), _) => Policy::default(),
        (Some(args::Policy::Recall), _) => Policy::recall(),
        (Some(args::Policy::Strict), _) => Policy::strict(),
    }
}

fn line(hit: &Hit) -> anyhow::Result<Line<'_>> {
    Ok(Line::Hit {
        rank: hit.rank,
        score: hit.score,
        session: SessionLine::new(&hit.session, hit.tags.iter().map(|tag| tag.as_str())),
        entry: Entry {
            id: &hit.entry,
            role: hit.role,
            timestamp: hit.timestamp,
            branch: hit.branch,
            leaf: hit.leaf.as_ref(),
        },
        snippet: Snippet {
            text: &hit.snippet.text,
            highlights: hit
                .snippet
                .highlights
                .iter()
                .map(|range| [range.start, range.end])
                .collect(),
        },
        also_in: &hit.also_in,
        explanation: hit.explanation.as_ref().map(serde_json::to_value).transpose()?,
    })
}

fn draw(hit: &Hit, out: Out<'_>) -> anyhow::Result<()> {
    let session = &hit.session;
    writeln!(
        out,
        "{TITLE}{:>2}  {}{TITLE:#}",
        hit.rank,
        cut(&one_line(&session.title), 72)
    )?;
    write!(
        out,
        "    {DIM}{} · {} · {}",
        date(hit.timestamp.or(session.modified)),
        one_line(&session.cwd),
        hit.role.name()
    )?;
    match hit.branch {
        BranchState::Active => {}
        BranchState::Compacted => write!(out, " · before a compaction")?,
        BranchState::Abandoned => write!(out, " · abandoned branch")?,
    }
    write!(out, "{DIM:#}")?;
    for tag in &hit.tags {
        write!(out, " {GOOD}#{}{GOOD:#}", one_line(tag))?;
    }
    writeln!(out)?;
    writeln!(
        out,
        "    {}",
        highlighted(&hit.snippet.text, &hit.snippet.highlights)
    )?;
    write!(
        out,
        "    {DIM}lookback read {} --around {}",
        one_line(session.id.as_str()),
        one_line(hit.entry.as_str())
    )?;
    match hit.also_in.len() {
        0 => {}
        1 => write!(out, " · also in 1 fork")?,
        forks => write!(out, " · also in {forks} forks")?,
    }
    writeln!(out, "{DIM:#}")?;
    if let Some(explanation) = &hit.explanation {
        writeln!(out, "{}", harmless(&explanation.to_string()))?;
    }
    writeln!(out)?;
    Ok(())
}

/// The snippet with its matches marked. The pieces are made harmless one by one: ranges are those of the snippet.
fn highlighted(text: &str, ranges: &[std::ops::Range<usize>]) -> String {
    use std::fmt::Write;
    let mut shown = String::new();
    let mut at = 0;
    for range in ranges {
        let (Some(before), Some(matched)) = (text.get(at..range.start), text.get(range.clone())) else {
            continue;
        };
        let _ = write!(shown, "{}{MATCH}{}{MATCH:#}", harmless(before), harmless(matched));
        at = range.end;
    }
    shown.push_str(&harmless(text.get(at..).unwrap_or_default()));
    shown
}
