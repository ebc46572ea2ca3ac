use super::{NAME, RecallParameters, RecallScope, scope_folder};
use crate::{
    ListRequest, ListedSession,
    tools::{
        FoundId, ToolError, ToolReply,
        answer::{Answer, largest},
        call::Call,
        emptiness,
        handles::{ShortIds, call, folder, minute},
        parameters::within,
    },
};

const BUDGET: usize = 4_800;
const TITLE: std::ops::RangeInclusive<usize> = 30..=100;

pub(super) fn run(mut call: Call<'_>, asked: &RecallParameters) -> Result<ToolReply, ToolError> {
    let cwd = scope_folder(&call, asked.scope)?;
    let mut notes = Vec::new();
    let limit = within("limit", asked.limit, 20, 1..=100, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = "list";
    call.freshen()?;
    let request = ListRequest {
        cwd: cwd.map(ToOwned::to_owned),
        limit,
        offset: asked.offset.unwrap_or(0),
    };
    let sessions = call.sessions()?;
    let ids = ShortIds::new(&sessions);
    let reply = call.list(sessions, &request)?;
    let budget = call.budget(asked.budget, BUDGET.max(limit * 160));
    call.details.total = reply.total;
    call.details.offset = reply.offset;
    if reply.sessions.is_empty() {
        let answer = nothing(&call, reply.total, asked);
        return Ok(call.reply(&answer, budget));
    }
    let make = |count: usize, title: usize| {
        page(
            &call,
            &ids,
            &reply.sessions[..count],
            reply.offset,
            reply.total,
            asked,
            title,
        )
    };
    let mut shown = reply.sessions.len();
    while shown > 1 && !make(shown, *TITLE.start()).fits(budget) {
        shown -= 1;
    }
    let (answer, _) = largest(TITLE, budget, |title| make(shown, title));
    call.details.returned = shown;
    call.details.next_offset = (reply.offset + shown < reply.total).then_some(reply.offset + shown);
    call.details.content_truncated = shown < reply.sessions.len();
    call.details.found = reply.sessions[..shown]
        .iter()
        .map(|session| FoundId::session(session.summary.id.clone()))
        .collect();
    Ok(call.reply(&answer, budget))
}

fn page(
    of: &Call<'_>,
    ids: &ShortIds,
    sessions: &[ListedSession],
    offset: usize,
    total: usize,
    asked: &RecallParameters,
    title: usize,
) -> Answer {
    let head = format!(
        "recall list: sessions {}-{} of {total}, the latest activity first. Times are UTC.",
        offset + 1,
        offset + sessions.len()
    );
    let row = |(at, session): (usize, &ListedSession)| {
        let summary = &session.summary;
        let quoter = &of.quoter;
        let here = if of.context.is_current(&summary.id) {
            " · this session"
        } else {
            ""
        };
        let fork = if summary.parent_session.is_some() {
            " · fork"
        } else {
            ""
        };
        let tags: String = session
            .tags
            .iter()
            .take(5)
            .map(|tag| format!(" #{}", quoter.line(tag.as_str(), 30)))
            .collect();
        format!(
            "{}. {} {} · {} · {} messages{fork}{here}{tags}\n   {}\n",
            offset + at + 1,
            of.short(ids, &summary.id),
            minute(summary.modified),
            folder(quoter, &summary.cwd, of.context.home.as_deref()),
            summary.message_count,
            quoter.line(&summary.title, title),
        )
    };
    let mut body: Vec<String> = sessions.iter().enumerate().map(row).collect();
    body.extend(of.notes());
    let mut tail = Vec::new();
    if let Some(first) = sessions.first() {
        let id = of.short(ids, &first.summary.id);
        tail.push(format!(
            "Read one: {}",
            call(NAME, &[("action", "read".into()), ("session", id.into())])
        ));
    }
    let next = offset + sessions.len();
    if next < total {
        let scope = asked
            .scope
            .filter(|scope| *scope == RecallScope::Current)
            .map(|_| "current");
        tail.push(format!(
            "More: {}",
            call(
                NAME,
                &[
                    ("action", "list".into()),
                    ("scope", scope.into()),
                    ("limit", asked.limit.into()),
                    ("offset", next.into())
                ]
            )
        ));
    }
    Answer { head, body, tail }
}

fn nothing(of: &Call<'_>, total: usize, asked: &RecallParameters) -> Answer {
    if total > 0 {
        return Answer {
            head: format!(
                "recall list: no sessions from this offset; there are {total}. Start again without offset."
            ),
            ..Answer::default()
        };
    }
    let mut widen = Vec::new();
    if asked.scope == Some(RecallScope::Current) {
        widen.push(r#"all folders: recall {"action":"list","scope":"all"}"#.to_owned());
    }
    widen.push("sessions of other folders are found when their root is in the configuration".to_owned());
    emptiness::answer(&emptiness::Nothing {
        call: of,
        what: "recall list",
        searched: 0,
        query: None,
        cwd: asked.scope == Some(RecallScope::Current),
        live: None,
        left_out: None,
        widen,
        body: of.notes(),
    })
}
