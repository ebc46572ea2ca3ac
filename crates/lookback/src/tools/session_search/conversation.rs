use super::{NAME, SessionSearchParameters};
use crate::{
    ReadRequest,
    tools::{
        ToolError, ToolReply,
        answer::{Answer, Budget},
        call::Call,
        handles::{ShortIds, call, plain},
        messages::Part,
        parameters::within,
        recall::{messages, session_line},
    },
};

const SCROLL: usize = 10_000;
/// A whole session has 50,000 characters here by its own rule; an answer to a model has no more than this.
const READ: usize = Budget::MOST;

/// A whole session, or the messages around one.
pub(super) fn run(mut call: Call<'_>, asked: &SessionSearchParameters) -> Result<ToolReply, ToolError> {
    const HEAD: usize = 20;
    let around = asked.around_message_id.as_deref();
    let mut notes = Vec::new();
    let window = within("window", asked.window, 5, 1..=20, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = if around.is_some() { "scroll" } else { "read" };
    let request = ReadRequest {
        session: asked.session_id.clone().unwrap_or_default(),
        around: around.map(str::to_owned),
        window,
        branch_tip: asked.branch_tip.clone(),
        head: HEAD,
        tail: 10,
        characters: usize::MAX,
    };
    let transcript = call.lookback.read(&request).map_err(|error| call.failed(error))?;
    call.check_cancelled()?;
    let mut part = Part::new(&call.quoter, transcript, around, HEAD);
    let budget = call.budget(None, if around.is_some() { SCROLL } else { READ });
    let sessions = call.sessions().unwrap_or_default();
    let ids = ShortIds::new(&sessions);
    let line = session_line(&call, &ids, &sessions, &part);
    let mode = call.details.mode;
    let make = |part: &Part, cap: usize, flag: &str| {
        let mut body = vec![line.clone()];
        body.extend(part.notes.iter().take(5).map(|note| format!("note: {note}\n")));
        body.extend(call.notes());
        body.extend(part.blocks(cap, false));
        Answer {
            head: format!("session_search {mode}: {}{flag}. Times are UTC.", part.range()),
            body,
            tail: next_calls(&call, &ids, part, window, part.cut(cap) > 0),
        }
    };
    const FLAG: &str = ", contentTruncated";
    // With the flag it must fit too, so it is counted in before it is known.
    let (fitted, is_truncated) = part.fit(budget, |part, cap| make(part, cap, FLAG));
    let answer = if is_truncated {
        fitted
    } else {
        Answer {
            head: fitted.head.replacen(FLAG, "", 1),
            ..fitted
        }
    };
    let details = &mut call.details;
    details.returned = part.messages.len();
    details.total = part.total;
    details.offset = part.before;
    details.session_id = Some(part.session.clone());
    details.branch_tip.clone_from(&part.tip);
    details.content_truncated = is_truncated;
    Ok(call.reply(&answer, budget))
}

fn next_calls(of: &Call<'_>, ids: &ShortIds, part: &Part, window: usize, is_cut: bool) -> Vec<String> {
    let session = of.short(ids, &part.session);
    let tip = part.tip.as_ref().and_then(|tip| plain(tip.as_str()));
    let scroll = |entry: &str, window: usize| {
        call(
            NAME,
            &[
                ("sessionId", session.into()),
                ("aroundMessageId", entry.into()),
                ("branchTip", tip.into()),
                ("window", window.into()),
            ],
        )
    };
    let (first, last) = part.ends();
    let mut tail = Vec::new();
    if let Some(tip) = tip {
        tail.push(format!("branchTip: {tip}"));
    }
    if let Some((Some(entry), omitted)) = part.left_out() {
        tail.push(format!(
            "The {omitted} left out begin behind: {}",
            scroll(entry, 20)
        ));
    }
    if let Some(entry) = first.filter(|_| part.before > 0) {
        tail.push(format!(
            "Back, {} before: {}",
            messages(part.before),
            scroll(entry, window)
        ));
    }
    if let Some(entry) = last.filter(|_| part.after > 0) {
        tail.push(format!(
            "On, {} after: {}",
            messages(part.after),
            scroll(entry, window)
        ));
    }
    if is_cut {
        tail.push(format!("More of a message that is cut: {}", scroll("<id>", 1)));
    }
    tail
}
