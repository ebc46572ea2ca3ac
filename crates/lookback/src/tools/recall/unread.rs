use lookback_unread::{Item, Page};

use super::{NAME, RecallParameters, RecallScope, scope_folder};
use crate::{
    UnreadControl, UnreadRequest,
    tools::{
        FoundId, ToolError, ToolReply,
        answer::{Answer, largest},
        call::Call,
        handles::{ShortIds, call, folder, minute},
        parameters::within,
        safe_text::short_line,
    },
};

const BUDGET: usize = 4_800;
const TEXT: std::ops::RangeInclusive<usize> = 60..=240;

pub(super) fn run(mut call: Call<'_>, asked: &RecallParameters) -> Result<ToolReply, ToolError> {
    let cwd = scope_folder(&call, asked.scope)?;
    let mut notes = Vec::new();
    let limit = within("limit", asked.limit, 10, 1..=100, &mut notes);
    let offset = within("offset", asked.offset, 0, 0..=500, &mut notes);
    call.details.warnings.append(&mut notes);
    call.details.mode = "unread";
    let request = UnreadRequest {
        cwd: cwd.map(ToOwned::to_owned),
        query: short_line(asked.query.as_deref().unwrap_or_default(), 119),
        offset,
        limit,
        active_id: call.context.session.as_ref().map(ToString::to_string),
        ..UnreadRequest::default()
    };
    let control = UnreadControl {
        cancel: Some(call.context.cancel),
        still_valid: None,
    };
    let page = call
        .lookback
        .unread(&request, control)
        .map_err(|error| call.failed(error))?;
    let scan = page.inventory.scan;
    if scan.discovery_truncated {
        call.warn(
            "discovery-truncated",
            "the session folders have more files than are looked at",
        );
    }
    if scan.scan_truncated {
        call.warn(
            "scan-truncated",
            format!(
                "only the newest {} of {} session files were read",
                scan.scanned, scan.candidates
            ),
        );
    }
    let ids = ShortIds::new(&call.sessions().unwrap_or_default());
    let budget = call.budget(asked.budget, BUDGET.max(limit * 300).min(20_000));
    let make = |count: usize, text: usize| answer(&call, &ids, &page, count, text, asked);
    let mut shown = page.items.len();
    while shown > 1 && !make(shown, *TEXT.start()).fits(budget) {
        shown -= 1;
    }
    let (answer, _) = largest(TEXT, budget, |text| make(shown, text));
    call.details.returned = shown;
    call.details.total = page.total;
    call.details.offset = page.offset;
    call.details.next_offset = (page.offset + shown < page.total).then_some(page.offset + shown);
    call.details.content_truncated = shown < page.items.len();
    call.details.found = page.items[..shown]
        .iter()
        .map(|item| FoundId::session(item.id.as_str().into()))
        .collect();
    Ok(call.reply(&answer, budget))
}

fn answer(
    of: &Call<'_>,
    ids: &ShortIds,
    page: &Page,
    count: usize,
    text: usize,
    asked: &RecallParameters,
) -> Answer {
    let scanned = page.inventory.scan.scanned;
    let scope = match asked.scope {
        Some(RecallScope::Current) => "of this folder",
        _ => "of all folders",
    };
    if count == 0 {
        let mut tail = Vec::new();
        if page.total > 0 {
            tail.push(format!("{} wait in all; start again without offset.", page.total));
        }
        if asked.query.is_some() {
            tail.push(r#"Without the query: recall {"action":"unread"}"#.to_owned());
        }
        if asked.scope == Some(RecallScope::Current) {
            tail.push(r#"All folders: recall {"action":"unread","scope":"all"}"#.to_owned());
        }
        return Answer {
            head: format!(
                "recall unread: no session waits for an answer among the {scanned} newest {scope}. The session that asks, \
                 and those marked as done, are left out. A session waits when its last message is text of the user."
            ),
            body: of.notes(),
            tail,
        };
    }
    let row = |(at, item): (usize, &Item)| {
        let quoter = &of.quoter;
        format!(
            "{}. {} {} · {} · {} messages · {}\n| {}\n",
            page.offset + at + 1,
            of.short(ids, &item.id.as_str().into()).to_owned(),
            minute(Some(item.modified)),
            folder(quoter, &item.cwd, of.context.home.as_deref()),
            item.message_count,
            quoter.line(&item.name, 60),
            quoter.line(&item.message, text),
        )
    };
    let mut body: Vec<String> = page.items[..count].iter().enumerate().map(row).collect();
    body.extend(of.notes());
    let mut tail = Vec::new();
    if let Some(item) = page.items.first() {
        let id = item.id.as_str().into();
        tail.push(format!(
            "Read one: {}",
            call(
                NAME,
                &[("action", "read".into()), ("session", of.short(ids, &id).into())]
            )
        ));
    }
    let next = page.offset + count;
    if next < page.total {
        let current = asked
            .scope
            .filter(|scope| *scope == RecallScope::Current)
            .map(|_| "current");
        tail.push(format!(
            "More: {}",
            call(
                NAME,
                &[
                    ("action", "unread".into()),
                    ("scope", current.into()),
                    ("limit", asked.limit.into()),
                    ("offset", next.into())
                ]
            )
        ));
    }
    Answer {
        head: format!(
            "recall unread: {} of {} sessions that end in an unanswered message, among the {scanned} newest {scope}. Times are UTC.",
            count, page.total
        ),
        body,
        tail,
    }
}
