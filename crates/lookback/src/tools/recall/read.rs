use lookback_session_model::{SessionFile, SessionSummary};

use super::{NAME, RecallParameters};
use crate::{
    ReadRequest,
    tools::{
        ToolError, ToolReply,
        answer::{Answer, Budget},
        call::Call,
        handles::{ShortIds, branch, call, folder, plain},
        messages::{Message, Part},
        parameters::within,
        quote::barred,
        safe_text::start,
    },
};

const READ: usize = 12_000;
const AROUND: usize = 8_000;

/// A whole session, or one entry of it.
pub(super) fn run(mut call: Call<'_>, asked: &RecallParameters) -> Result<ToolReply, ToolError> {
    if asked.entry.is_some() {
        return one_entry(call, asked);
    }
    let Some(session) = &asked.session else {
        return Err(call.wrong(
            r#"read needs a session, such as {"action":"read","session":"<id>"}; ids are in the answers of search and list"#,
        ));
    };
    if asked.offset.is_some() {
        call.warn(
            "unused-parameter",
            "offset needs an entry here; to go on in a session, use around with the last entry shown",
        );
    }
    let mut notes = Vec::new();
    let limit = within("limit", asked.limit, 30, 1..=100, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = "read";
    let head = (limit * 2).div_ceil(3);
    let request = ReadRequest {
        session: session.clone(),
        branch_tip: asked.branch_tip.clone(),
        head,
        tail: limit - head,
        // Cut here, behind redaction: half a secret would not be known as one.
        characters: usize::MAX,
        ..ReadRequest::default()
    };
    let transcript = call.lookback.read(&request).map_err(|error| call.failed(error))?;
    let part = Part::new(&call.quoter, transcript, None, head);
    let budget = call.budget(asked.budget, READ);
    finish(call, part, budget)
}

/// The messages around an entry.
pub(super) fn around(mut call: Call<'_>, asked: &RecallParameters) -> Result<ToolReply, ToolError> {
    let (Some(session), Some(entry)) = (&asked.session, &asked.entry) else {
        return Err(call.wrong(
            r#"around needs a session and an entry, such as {"action":"around","session":"<id>","entry":"<id>"}; both are in the answers of search and read"#,
        ));
    };
    let mut notes = Vec::new();
    let window = within("window", asked.window, 5, 1..=20, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = "around";
    let request = ReadRequest {
        session: session.clone(),
        around: Some(entry.clone()),
        window,
        branch_tip: asked.branch_tip.clone(),
        characters: usize::MAX,
        ..ReadRequest::default()
    };
    let transcript = call.lookback.read(&request).map_err(|error| call.failed(error))?;
    let part = Part::new(&call.quoter, transcript, Some(entry), 0);
    let budget = call.budget(asked.budget, AROUND);
    finish(call, part, budget)
}

fn finish(mut call: Call<'_>, mut part: Part, budget: Budget) -> Result<ToolReply, ToolError> {
    call.check_cancelled()?;
    let sessions = call.sessions().unwrap_or_default();
    let ids = ShortIds::new(&sessions);
    let line = session_line(&call, &ids, &sessions, &part);
    let mode = call.details.mode;
    let (answer, is_truncated) = part.fit(budget, |part, cap| {
        let mut body = vec![line.clone()];
        body.extend(part.notes.iter().take(5).map(|note| format!("note: {note}\n")));
        body.extend(call.notes());
        body.extend(part.blocks(cap, true));
        Answer {
            head: format!("recall {mode}: {}. Times are UTC.", part.range()),
            body,
            tail: next_calls(&call, &ids, part, part.cut(cap) > 0),
        }
    });
    let details = &mut call.details;
    details.returned = part.messages.len();
    details.total = part.total;
    details.offset = part.before;
    details.session_id = Some(part.session.clone());
    details.branch_tip.clone_from(&part.tip);
    details.content_truncated = is_truncated;
    Ok(call.reply(&answer, budget))
}

/// Which session this is; quoted, because title and folder are text of the session.
pub(crate) fn session_line(
    of: &Call<'_>,
    ids: &ShortIds,
    sessions: &[SessionSummary],
    part: &Part,
) -> String {
    let known = sessions
        .iter()
        .find(|session| session.id == part.session)
        .cloned();
    // Written a moment ago, or no index at all.
    let known = known.or_else(|| summary(part));
    let about = known.as_ref().map_or(String::new(), |session| {
        format!(
            " · {} · started {} · {}",
            folder(&of.quoter, &session.cwd, of.context.home.as_deref()),
            crate::tools::handles::day(session.created),
            of.quoter.line(&session.title, 60)
        )
    });
    format!(
        "session {}{}{about}\n",
        of.short(ids, &part.session),
        branch(part.branch, part.tip.as_ref(), &of.quoter)
    )
}

fn summary(part: &Part) -> Option<SessionSummary> {
    let file = SessionFile::read(&part.path, 0).ok()?;
    let session = file
        .sessions()
        .iter()
        .find(|session| *session.id() == part.session)?;
    Some(file.summary(session))
}

fn next_calls(of: &Call<'_>, ids: &ShortIds, part: &Part, is_cut: bool) -> Vec<String> {
    let session = of.short(ids, &part.session);
    let tip = part.tip.as_ref().and_then(|tip| plain(tip.as_str()));
    let around = |entry: &str| {
        call(
            NAME,
            &[
                ("action", "around".into()),
                ("session", session.into()),
                ("entry", entry.into()),
                ("branchTip", tip.into()),
                ("window", 20.into()),
            ],
        )
    };
    let mut tail = Vec::new();
    let (first, last) = part.ends();
    if let Some((Some(entry), omitted)) = part.left_out() {
        tail.push(format!("The {omitted} left out begin behind: {}", around(entry)));
    }
    if let Some(entry) = first.filter(|_| part.before > 0) {
        tail.push(format!("{} before: {}", messages(part.before), around(entry)));
    }
    if let Some(entry) = last.filter(|_| part.after > 0) {
        tail.push(format!("{} after: {}", messages(part.after), around(entry)));
    }
    if is_cut {
        let read = call(
            NAME,
            &[
                ("action", "read".into()),
                ("session", session.into()),
                ("entry", "<id>".into()),
            ],
        );
        let read = read.trim_end_matches('}');
        tail.push(format!(
            "The rest of a message that is cut: {read},\"offset\":<offset>}}"
        ));
    }
    tail
}

/// `1 message`, `2 messages`
pub(crate) fn messages(count: usize) -> String {
    format!("{count} message{}", if count == 1 { "" } else { "s" })
}

/// One message, whole or from an offset on.
fn one_entry(mut call: Call<'_>, asked: &RecallParameters) -> Result<ToolReply, ToolError> {
    let (Some(session), Some(entry)) = (&asked.session, &asked.entry) else {
        return Err(call.wrong(r#"read of an entry also needs its session, such as {"action":"read","session":"<id>","entry":"<id>"}"#));
    };
    call.details.mode = "read";
    let request = ReadRequest {
        session: session.clone(),
        around: Some(entry.clone()),
        window: 0,
        branch_tip: asked.branch_tip.clone(),
        characters: usize::MAX,
        ..ReadRequest::default()
    };
    let transcript = call.lookback.read(&request).map_err(|error| call.failed(error))?;
    let part = Part::new(&call.quoter, transcript, Some(entry), 0);
    let budget = call.budget(asked.budget, READ);
    let sessions = call.sessions().unwrap_or_default();
    let ids = ShortIds::new(&sessions);
    let offset = asked.offset.unwrap_or(0);
    let line = session_line(&call, &ids, &sessions, &part);
    let Some(message) = part.messages.first() else {
        return Err(call.wrong("this entry has no text to read; use around to see what stands near it"));
    };
    if offset > 0 && offset >= message.characters {
        return Err(call.wrong(format!(
            "the message has {} characters; give a smaller offset",
            message.characters
        )));
    }
    let make = |length: usize| piece(&call, &ids, &part, message, &line, offset, length);
    let rest = message.characters - offset;
    let (answer, length) = crate::tools::answer::largest(1..=rest.clamp(1, Budget::MOST), budget, make);
    let details = &mut call.details;
    details.returned = 1;
    details.total = part.total;
    details.session_id = Some(part.session.clone());
    details.branch_tip.clone_from(&part.tip);
    details.content_truncated = length < rest;
    details.next_offset = (length < rest).then_some(offset + shown_characters(message, offset, length));
    Ok(call.reply(&answer, budget))
}

/// How many characters are shown of so many: never half of what is seen as one.
fn shown_characters(message: &Message, offset: usize, length: usize) -> usize {
    start(behind(message, offset), length).0.chars().count()
}

fn behind(message: &Message, offset: usize) -> &str {
    let text = message.text();
    text.char_indices().nth(offset).map_or("", |(at, _)| &text[at..])
}

fn piece(
    of: &Call<'_>,
    ids: &ShortIds,
    part: &Part,
    message: &Message,
    line: &str,
    offset: usize,
    length: usize,
) -> Answer {
    let (shown, is_cut) = start(behind(message, offset), length);
    let end = offset + shown.chars().count();
    let id = message.id.as_deref().unwrap_or("<entry id>");
    let session = of.short(ids, &part.session);
    let mut tail = Vec::new();
    if is_cut {
        let next = call(
            NAME,
            &[
                ("action", "read".into()),
                ("session", session.into()),
                ("entry", id.into()),
                ("offset", end.into()),
            ],
        );
        tail.push(format!("{} more characters: {next}", message.characters - end));
    }
    tail.push(format!(
        "What stands around it: {}",
        call(
            NAME,
            &[
                ("action", "around".into()),
                ("session", session.into()),
                ("entry", id.into())
            ]
        )
    ));
    let mut body = vec![line.to_owned(), format!("{}\n", message.label())];
    body.push(barred(shown));
    body.extend(of.notes());
    Answer {
        head: format!(
            "recall read: characters {offset}-{end} of {} of one message.",
            message.characters
        ),
        body,
        tail,
    }
}
