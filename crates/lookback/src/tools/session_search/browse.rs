use lookback_session_model::SessionSummary;

use super::{NAME, SCRATCH_RULE, SessionSearchParameters, is_scratch};
use crate::tools::{
    FoundId, ToolError, ToolReply,
    answer::{Answer, largest},
    call::Call,
    emptiness,
    handles::{ShortIds, call, day, folder},
    parameters::within,
};

const BUDGET: usize = 4_800;
const PREVIEW: std::ops::RangeInclusive<usize> = 40..=160;

/// Recent sessions: id, file, name, folder, start and the first words.
pub(super) fn run(mut call: Call<'_>, asked: &SessionSearchParameters) -> Result<ToolReply, ToolError> {
    let mut notes = Vec::new();
    let limit = within("limit", asked.limit, 10, 1..=100, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = "browse";
    call.freshen()?;
    let mut sessions = call.sessions()?;
    let ids = ShortIds::new(&sessions);
    let known = sessions.len();
    sessions.retain(|session| !is_scratch(session));
    let left_out = known - sessions.len();
    let total = sessions.len();
    sessions.truncate(limit);
    let budget = call.budget(None, BUDGET.max(limit * 320).min(24_000));
    call.details.total = total;
    if sessions.is_empty() {
        let answer = emptiness::answer(&emptiness::Nothing {
            call: &call,
            what: "session_search browse",
            searched: 0,
            query: None,
            cwd: false,
            live: None,
            left_out: Some((left_out, SCRATCH_RULE)),
            widen: vec!["sessions appear here as soon as Pi has written them".to_owned()],
            body: call.notes(),
        });
        return Ok(call.reply(&answer, budget));
    }
    let make = |count: usize, preview: usize| page(&call, &ids, &sessions[..count], total, left_out, preview);
    let mut shown = sessions.len();
    while shown > 1 && !make(shown, *PREVIEW.start()).fits(budget) {
        shown -= 1;
    }
    let (answer, _) = largest(PREVIEW, budget, |preview| make(shown, preview));
    call.details.returned = shown;
    call.details.content_truncated = shown < sessions.len();
    call.details.found = sessions[..shown]
        .iter()
        .map(|session| FoundId::session(session.id.clone()))
        .collect();
    Ok(call.reply(&answer, budget))
}

fn page(
    of: &Call<'_>,
    ids: &ShortIds,
    sessions: &[SessionSummary],
    total: usize,
    left_out: usize,
    preview: usize,
) -> Answer {
    let quoter = &of.quoter;
    let row = |(at, session): (usize, &SessionSummary)| {
        let name = session.name.as_ref().map_or(String::new(), |name| {
            format!(" · name: {}", quoter.line(name, 60))
        });
        let here = if of.context.is_current(&session.id) {
            " · this session"
        } else {
            ""
        };
        format!(
            "{}. {}{name} · {} · started {} · {} messages{here}\n   file: {}\n| {}\n",
            at + 1,
            of.short(ids, &session.id),
            folder(quoter, &session.cwd, of.context.home.as_deref()),
            day(session.created),
            session.message_count,
            quoter.line(below_root(of, session), 160),
            quoter.line(&session.title, preview),
        )
    };
    let mut body: Vec<String> = sessions.iter().enumerate().map(row).collect();
    body.extend(of.notes());
    let mut tail = Vec::new();
    if let Some(first) = sessions.first() {
        let id = of.short(ids, &first.id);
        tail.push(format!("Read one: {}", call(NAME, &[("sessionId", id.into())])));
    }
    if sessions.len() < total {
        let more = (sessions.len() * 2).clamp(20, 100);
        tail.push(format!("More: {}", call(NAME, &[("limit", more.into())])));
    }
    if left_out > 0 {
        tail.push(format!("{left_out} more are not listed: {SCRATCH_RULE}."));
    }
    Answer {
        head: format!(
            "session_search browse: {} of {total} sessions, the latest activity first.",
            sessions.len()
        ),
        body,
        tail,
    }
}

/// The file without the session folder in front; as a `sessionId` it is found again.
fn below_root<'s>(of: &Call<'_>, session: &'s SessionSummary) -> &'s str {
    let below = of
        .lookback
        .roots()
        .iter()
        .find_map(|root| session.path.strip_prefix(root).ok());
    below.unwrap_or(&session.path).as_str()
}
