use std::collections::BTreeSet;

use lookback_ranker::{Hit, Relaxation, Scope, SearchReply, SearchRequest, Warning};

use super::{NAME, RecallParameters, RecallScope, scope_folder};
use crate::tools::{
    FoundId, ToolError, ToolReply,
    answer::{Answer, largest},
    call::Call,
    emptiness,
    handles::{ShortIds, branch, call, folder, minute, plain_or},
    parameters::within,
    quote::Excerpt,
};

/// Characters of an answer, more where more hits are asked for.
const BUDGET: usize = 4_800;
const PER_HIT: usize = 480;
const MOST_BY_DEFAULT: usize = 20_000;
/// Characters of a snippet, from what is always shown to what there is.
const SNIPPET: std::ops::RangeInclusive<usize> = 80..=220;

pub(super) fn run(mut call: Call<'_>, asked: &RecallParameters) -> Result<ToolReply, ToolError> {
    let Some(query) = &asked.query else {
        return Err(call.wrong(
            r#"search needs a query, such as {"action":"search","query":"retry backoff"}; {"action":"list"} shows recent sessions"#,
        ));
    };
    let cwd = scope_folder(&call, asked.scope)?;
    let mut notes = Vec::new();
    let limit = within("limit", asked.limit, 10, 1..=SearchRequest::MAX_LIMIT, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = "search";
    call.freshen()?;
    let mut policy = call.context.policy.clone();
    let only = match &asked.session {
        None => None,
        Some(session) => {
            // Inside one session its other hits are the answer, not noise.
            policy.grouping.hits_per_session = u32::MAX;
            let found = call
                .lookback
                .locate(session)
                .map_err(|error| call.failed(error))?;
            Some(BTreeSet::from([found.id]))
        }
    };
    let request = SearchRequest {
        policy,
        limit,
        offset: asked.offset.unwrap_or(0),
        now: call.context.now,
        scope: Scope {
            cwd: cwd.map(ToOwned::to_owned),
            current_cwd: call.context.cwd.clone(),
            sessions: only,
            live: call.context.live(),
            ..Scope::default()
        },
        ..SearchRequest::new(query.clone())
    };
    let reply = call.search(&request)?;
    let ids = ShortIds::new(&call.sessions()?);
    let budget = call.budget(asked.budget, BUDGET.max(PER_HIT * limit).min(MOST_BY_DEFAULT));
    if reply.hits.is_empty() {
        let answer = nothing(&call, &reply, query, asked);
        return Ok(call.reply(&answer, budget));
    }
    let mut prepared: Vec<Prepared> = reply
        .hits
        .iter()
        .map(|hit| Prepared::new(&call, &ids, hit))
        .collect();
    // Several hits of one session one after the other: its title once.
    for at in (1..prepared.len()).rev() {
        if reply.hits[at].session.id == reply.hits[at - 1].session.id {
            prepared[at].title.clear();
        }
    }
    // Hits that do not fit even when they are short belong to the next page.
    let mut shown = prepared.len();
    let make = |count: usize, snippet: usize| page(&call, &reply, &prepared[..count], query, asked, snippet);
    while shown > 1 && !make(shown, *SNIPPET.start()).fits(budget) {
        shown -= 1;
    }
    let (answer, _) = largest(SNIPPET, budget, |snippet| make(shown, snippet));
    call.details.returned = shown;
    call.details.total = reply.sessions_matched;
    call.details.offset = reply.offset;
    call.details.next_offset = next_offset(&reply, shown);
    call.details.content_truncated = shown < prepared.len();
    call.details.found = reply.hits[..shown].iter().map(FoundId::hit).collect();
    Ok(call.reply(&answer, budget))
}

fn next_offset(reply: &SearchReply, shown: usize) -> Option<usize> {
    if shown < reply.hits.len() {
        Some(reply.offset + shown)
    } else {
        reply.next_offset
    }
}

/// A hit of which only the snippet's length is open.
struct Prepared {
    meta: String,
    title: String,
    excerpt: Excerpt,
    around: String,
}

impl Prepared {
    fn new(of: &Call<'_>, ids: &ShortIds, hit: &Hit) -> Self {
        let session = &hit.session;
        let quoter = &of.quoter;
        let excerpt = quoter.excerpt(&hit.snippet);
        let short = of.short(ids, &session.id);
        let entry = plain_or(hit.entry.as_str(), "<entry id>");
        let here = if of.context.is_current(&session.id) {
            " · this session"
        } else {
            ""
        };
        let copies = match hit.also_in.len() {
            0 => String::new(),
            1 => " · also in 1 fork".to_owned(),
            forks => format!(" · also in {forks} forks"),
        };
        let tags: String = hit
            .tags
            .iter()
            .take(5)
            .map(|tag| format!(" #{}", quoter.line(tag, 30)))
            .collect();
        let title = quoter.line(&session.title, 60);
        // A session without a name has the first text as its title, which often is the hit.
        let head: String = title.chars().take(30).collect();
        let is_new = !excerpt.text().starts_with(head.trim_end_matches('…').trim_end());
        Self {
            meta: format!(
                "{}. {short} [{entry}] {} · {} · {}{}{here}{copies}{tags}\n",
                hit.rank,
                minute(hit.timestamp.or(session.modified)),
                folder(quoter, &session.cwd, of.context.home.as_deref()),
                hit.role.name(),
                branch(hit.branch, hit.leaf.as_ref(), quoter),
            ),
            title: if is_new {
                format!("{title}\n")
            } else {
                String::new()
            },
            excerpt,
            around: call(
                NAME,
                &[
                    ("action", "around".into()),
                    ("session", short.into()),
                    ("entry", entry.into()),
                ],
            ),
        }
    }

    fn block(&self, snippet: usize) -> String {
        format!("{}{}| {}\n", self.meta, self.title, self.excerpt.shown(snippet))
    }
}

fn page(
    of: &Call<'_>,
    reply: &SearchReply,
    hits: &[Prepared],
    query: &str,
    asked: &RecallParameters,
    snippet: usize,
) -> Answer {
    let matched = reply.sessions_matched;
    let head = format!(
        "recall search: hits {}-{} in {matched} matching session{}, best first; {} searched. Times are UTC, «» marks matches.",
        reply.offset + 1,
        reply.offset + hits.len(),
        if matched == 1 { "" } else { "s" },
        reply.sessions_searched,
    );
    let mut body: Vec<String> = hits.iter().map(|hit| hit.block(snippet)).collect();
    body.extend(relaxed(of, &reply.relaxed));
    body.extend(of.notes());
    let mut tail = Vec::new();
    if let Some(first) = hits.first() {
        tail.push(format!(
            "Read around a hit: {} (id and [entry] of the hit)",
            first.around
        ));
    }
    if let Some(next) = next_offset(reply, hits.len()) {
        tail.push(format!("More: {}", again(query, asked, Some(next))));
    }
    Answer { head, body, tail }
}

/// The same search, at another offset.
fn again(query: &str, asked: &RecallParameters, offset: Option<usize>) -> String {
    // Beyond this the model has the query in its own call, and the room is needed.
    let query = if query.chars().count() <= 120 {
        query
    } else {
        "<the same query>"
    };
    call(
        NAME,
        &[
            ("action", "search".into()),
            ("query", query.into()),
            (
                "session",
                asked
                    .session
                    .as_deref()
                    .and_then(crate::tools::handles::plain)
                    .into(),
            ),
            (
                "scope",
                asked
                    .scope
                    .filter(|scope| *scope == RecallScope::Current)
                    .map(|_| "current")
                    .into(),
            ),
            ("limit", asked.limit.into()),
            ("offset", offset.into()),
        ],
    )
}

fn relaxed(of: &Call<'_>, relaxed: &[Relaxation]) -> Vec<String> {
    let line = |relaxation: &Relaxation| {
        let terms: Vec<String> = relaxation
            .terms
            .iter()
            .take(5)
            .map(|term| of.quoter.line(term, 30))
            .collect();
        let more = relaxation.term_count.saturating_sub(terms.len());
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!(
            "note: {} was not found as written; searched {}{more}\n",
            of.quoter.line(&relaxation.word, 40),
            terms.join(", ")
        )
    };
    relaxed.iter().take(3).map(line).collect()
}

fn nothing(of: &Call<'_>, reply: &SearchReply, query: &str, asked: &RecallParameters) -> Answer {
    if reply.sessions_matched > 0 {
        return Answer {
            head: format!(
                "recall search: no hits from offset {}; {} sessions match. Start again without offset.",
                reply.offset, reply.sessions_matched
            ),
            ..Answer::default()
        };
    }
    let live = reply.warnings.iter().find_map(|warning| match warning {
        Warning::LiveContextLeftOut { turns } => Some(*turns),
        _ => None,
    });
    let mut widen = vec![
        "fewer or other words (all forms of a word are found, the meaning is not)".to_owned(),
        "an identifier, file name or error code that must have been written".to_owned(),
    ];
    if asked.scope == Some(RecallScope::Current) {
        widen.push(format!(
            "all folders: {}",
            again(
                query,
                &RecallParameters {
                    scope: None,
                    ..asked.clone()
                },
                None
            )
        ));
    }
    if asked.session.is_some() {
        widen.push("all sessions: leave session out".to_owned());
    }
    widen.push(format!("recent sessions: {}", super::LISTING));
    let mut body = relaxed(of, &reply.relaxed);
    body.extend(of.notes());
    emptiness::answer(&emptiness::Nothing {
        call: of,
        what: "recall search",
        searched: reply.sessions_searched,
        query: Some(query),
        cwd: asked.scope == Some(RecallScope::Current),
        live,
        left_out: None,
        widen,
        body,
    })
}
