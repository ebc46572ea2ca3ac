use lookback_ranker::{Policy, Scope, SearchReply, SearchRequest, Warning};

use super::{
    NAME, SCRATCH_RULE, SessionSearchDetail, SessionSearchParameters, found::Found, scratch_sessions,
};
use crate::tools::{
    FoundId, ToolError, ToolReply,
    answer::{Answer, largest},
    call::Call,
    emptiness,
    handles::{ShortIds, call},
    parameters::within,
};

const BUDGET: usize = 10_000;
const FULL: usize = 24_000;
/// Characters of a quoted message.
const TEXT: std::ops::RangeInclusive<usize> = 160..=4_000;

pub(super) fn run(mut call: Call<'_>, asked: &SessionSearchParameters) -> Result<ToolReply, ToolError> {
    let query = asked.query.clone().unwrap_or_default();
    let mut notes = Vec::new();
    let limit = within("limit", asked.limit, 10, 1..=SearchRequest::MAX_LIMIT, &mut notes);
    let window = within("window", asked.window, 5, 1..=20, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = "discovery";
    call.freshen()?;
    let sessions = call.sessions()?;
    let scratch = scratch_sessions(&sessions);
    let left_out = scratch.len();
    let only = match &asked.session_id {
        Some(session) => {
            let found = call
                .lookback
                .locate(session)
                .map_err(|error| call.failed(error))?;
            Some([found.id].into_iter().collect())
        }
        None => None,
    };
    let request = SearchRequest {
        policy: Policy::strict(),
        limit,
        now: call.context.now,
        scope: Scope {
            current_cwd: call.context.cwd.clone(),
            // A session that is named is meant, wherever it was run.
            without_sessions: if only.is_some() {
                Default::default()
            } else {
                scratch
            },
            sessions: only,
            live: call.context.live(),
            ..Scope::default()
        },
        ..SearchRequest::new(query.clone())
    };
    let reply = call.search(&request)?;
    let ids = ShortIds::new(&sessions);
    let is_full = asked.detail == Some(SessionSearchDetail::Full);
    let budget = call.budget(None, if is_full { FULL } else { BUDGET });
    if reply.hits.is_empty() {
        let answer = nothing(&call, &reply, &query, asked, left_out);
        return Ok(call.reply(&answer, budget));
    }
    let mut found = Vec::with_capacity(reply.hits.len());
    for (at, hit) in reply.hits.iter().enumerate() {
        call.check_cancelled()?;
        found.push(Found::new(&call, &ids, hit, window, is_full || at == 0));
    }
    let make = |count: usize, hydrated: usize, text: usize| {
        page(
            &call,
            &reply,
            &found[..count],
            hydrated,
            text,
            left_out,
            &query,
            limit,
        )
    };
    // First the lower ones lose what surrounds their match, then whole sessions have to wait.
    let (mut count, mut hydrated) = (found.len(), if is_full { found.len() } else { 1 });
    while hydrated > 1 && !make(count, hydrated, *TEXT.start()).fits(budget) {
        hydrated -= 1;
    }
    while count > 1 && !make(count, hydrated, *TEXT.start()).fits(budget) {
        count -= 1;
    }
    let (answer, text) = largest(TEXT, budget, |text| make(count, hydrated.min(count), text));
    call.details.returned = count;
    call.details.total = reply.sessions_matched;
    call.details.content_truncated = count < found.len()
        || (is_full && hydrated < count)
        || found[..count.min(hydrated)]
            .iter()
            .any(|found| found.is_cut(text));
    call.details.branch_tip = reply.hits[0].leaf.clone();
    call.details.found = reply.hits[..count].iter().map(FoundId::hit).collect();
    Ok(call.reply(&answer, budget))
}

#[expect(
    clippy::too_many_arguments,
    reason = "all of it stands in the answer; the caller tries it at several sizes"
)]
fn page(
    of: &Call<'_>,
    reply: &SearchReply,
    found: &[Found],
    hydrated: usize,
    text: usize,
    left_out: usize,
    query: &str,
    limit: usize,
) -> Answer {
    let matched = reply.sessions_matched;
    let head = format!(
        "session_search discovery: {} of {matched} matching session{}, best first; {} searched. Times are UTC, «» marks matches.",
        found.len(),
        if matched == 1 { "" } else { "s" },
        reply.sessions_searched,
    );
    let mut body: Vec<String> = found
        .iter()
        .enumerate()
        .flat_map(|(at, found)| found.blocks(at < hydrated, text))
        .collect();
    for relaxation in reply.relaxed.iter().take(3) {
        let terms: Vec<String> = relaxation
            .terms
            .iter()
            .take(5)
            .map(|term| of.quoter.line(term, 30))
            .collect();
        let word = of.quoter.line(&relaxation.word, 40);
        body.push(format!(
            "note: {word} was not found as written; searched {}\n",
            terms.join(", ")
        ));
    }
    body.extend(of.notes());
    let mut tail = Vec::new();
    if let Some(first) = found.first() {
        tail.push(format!("Scroll from a match: {}", first.scroll));
    }
    if found.len() < matched {
        let query = if query.chars().count() <= 120 {
            query
        } else {
            "<the same query>"
        };
        let more = (limit * 2).clamp(20, 100);
        tail.push(match found.len() < reply.hits.len() {
            true => "Not all that were asked for fit: name more words, or a smaller limit.".to_owned(),
            false => format!(
                "More: {}",
                call(NAME, &[("query", query.into()), ("limit", more.into())])
            ),
        });
    }
    if hydrated < found.len() {
        tail.push(
            "Sessions below show the message that matched; \"detail\":\"full\" shows what surrounds it."
                .to_owned(),
        );
    }
    if left_out > 0 {
        tail.push(format!("{left_out} sessions were not searched: {SCRATCH_RULE}."));
    }
    Answer { head, body, tail }
}

fn nothing(
    of: &Call<'_>,
    reply: &SearchReply,
    query: &str,
    asked: &SessionSearchParameters,
    left_out: usize,
) -> Answer {
    let live = reply.warnings.iter().find_map(|warning| match warning {
        Warning::LiveContextLeftOut { turns } => Some(*turns),
        _ => None,
    });
    let mut widen = vec![
        "all words must be in one message: give fewer, or join them with OR".to_owned(),
        "without quotation marks, and with * at the end of a word's stem".to_owned(),
    ];
    if asked.session_id.is_some() {
        widen.push("all sessions: leave sessionId out".to_owned());
    }
    widen.push("recent sessions: session_search {}".to_owned());
    emptiness::answer(&emptiness::Nothing {
        call: of,
        what: "session_search discovery",
        searched: reply.sessions_searched,
        query: Some(query),
        cwd: false,
        live,
        left_out: Some((left_out, SCRATCH_RULE)),
        widen,
        body: of.notes(),
    })
}
