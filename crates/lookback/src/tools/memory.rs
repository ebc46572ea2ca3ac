//! The tools `search_memory` and `read_memory`: markers and windows straight from the files.

use camino::Utf8Path;
use lookback_ranker::{Policy, Scope, SearchRequest, Warning};
use lookback_scan::{Marker, ScanOptions, ScanReply, Window, WindowItem, WindowRequest};
use lookback_session_model::Timestamp;
use serde::Deserialize;
use serde_json::Value;

use super::{
    FoundId, ToolContext, ToolError, ToolReply,
    answer::{Answer, Budget, largest},
    call::Call,
    emptiness,
    handles::{call, minute},
    parameters,
    parameters::within,
    quote::{Excerpt, barred},
    safe_text::start,
};
use crate::Lookback;

pub(crate) const SEARCH: &str = "search_memory";
pub(crate) const READ: &str = "read_memory";
const LISTING: &str = r#"search_memory {"query":"…"}"#;

const MARKERS: usize = 15;
const PREVIEW: std::ops::RangeInclusive<usize> = 60..=160;
const SEARCH_BUDGET: usize = 4_800;
const READ_BUDGET: usize = 12_000;
const LEAST_TEXT: usize = 200;

/// What `search_memory` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SearchMemoryParameters {
    /// Words; every match of any of them counts.
    #[serde(default, deserialize_with = "parameters::text")]
    pub query: Option<String>,
}

/// What `read_memory` is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReadMemoryParameters {
    /// The file of a marker.
    #[serde(default, deserialize_with = "parameters::text")]
    pub path: Option<String>,
    /// The line of a marker.
    #[serde(default, deserialize_with = "parameters::count")]
    pub offset: Option<usize>,
    /// Messages, 1 to 50. Default: 10.
    #[serde(default, deserialize_with = "parameters::count")]
    pub limit: Option<usize>,
}

pub(crate) fn run_search(
    lookback: &Lookback,
    parameters: Value,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let shape = r#"Calls look like {"query":"k3s ingress"}"#;
    search_memory(lookback, &parameters::read(SEARCH, shape, parameters)?, context)
}

pub(crate) fn run_read(
    lookback: &Lookback,
    parameters: Value,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let shape = r#"Calls look like {"path":"<path of a marker>","offset":77,"limit":10}"#;
    read_memory(lookback, &parameters::read(READ, shape, parameters)?, context)
}

pub(crate) fn search_memory(
    lookback: &Lookback,
    asked: &SearchMemoryParameters,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let mut call = Call::new(lookback, context, SEARCH, LISTING);
    let Some(query) = &asked.query else {
        return Err(call.wrong(r#"it needs a query, such as {"query":"k3s ingress"}"#));
    };
    call.details.mode = "search";
    call.check_cancelled()?;
    let request = SearchRequest {
        policy: Policy::memory(),
        limit: MARKERS,
        now: context.now,
        scope: Scope {
            current_cwd: context.cwd.clone(),
            live: context.live(),
            ..Scope::default()
        },
        ..SearchRequest::new(query.clone())
    };
    let options = ScanOptions {
        cancel: context.cancel,
        deadline: Some(call.patience()),
        ..ScanOptions::default()
    };
    let ScanReply {
        reply,
        markers,
        outcome,
    } = lookback
        .scan(&request, &options)
        .map_err(|error| call.failed(error))?;
    call.check_cancelled()?;
    call.note_outcome(&outcome);
    for warning in &reply.warnings {
        call.warn(warning.code(), warning.to_string());
    }
    let budget = call.budget(None, SEARCH_BUDGET);
    if markers.is_empty() {
        let live = reply.warnings.iter().find_map(|warning| match warning {
            Warning::LiveContextLeftOut { turns } => Some(*turns),
            _ => None,
        });
        let answer = emptiness::answer(&emptiness::Nothing {
            call: &call,
            what: SEARCH,
            searched: reply.sessions_searched,
            query: Some(query),
            cwd: false,
            live,
            left_out: None,
            widen: vec!["other words: they are searched as written, any of them is enough".to_owned()],
            body: call.notes(),
        });
        return Ok(call.reply(&answer, budget));
    }
    let places: Vec<String> = markers.iter().map(|marker| place(&call, marker)).collect();
    let excerpts: Vec<Excerpt> = reply
        .hits
        .iter()
        .map(|hit| call.quoter.excerpt(&hit.snippet))
        .collect();
    let make = |count: usize, preview: usize| {
        let lines = places.iter().zip(&markers).zip(&excerpts).take(count);
        let mut body: Vec<String> = lines
            .map(|((place, marker), excerpt)| {
                format!("{place} | {}: {}\n", marker.role.name(), excerpt.shown(preview))
            })
            .collect();
        body.extend(call.notes());
        Answer {
            head: format!(
                "search_memory: {count} markers from {} matching sessions, best first; {} searched. «» marks matches.",
                reply.sessions_matched, reply.sessions_searched
            ),
            body,
            tail: vec![format!(
                "Read from a marker on: {}; a smaller offset shows what came before.",
                super::handles::call(
                    READ,
                    &[
                        ("path", "<path>".into()),
                        ("offset", markers[0].line.into()),
                        ("limit", 10.into())
                    ]
                )
            )],
        }
    };
    let mut shown = markers.len();
    while shown > 1 && !make(shown, *PREVIEW.start()).fits(budget) {
        shown -= 1;
    }
    let (answer, _) = largest(PREVIEW, budget, |preview| make(shown, preview));
    call.details.returned = shown;
    call.details.total = reply.sessions_matched;
    call.details.content_truncated = shown < markers.len();
    call.details.found = reply.hits[..shown]
        .iter()
        .map(|hit| FoundId {
            session_id: hit.session.id.clone(),
            entry_id: Some(hit.entry.clone()),
        })
        .collect();
    Ok(call.reply(&answer, budget))
}

/// `path:line`, the path without the session folder in front: `read_memory` takes it so.
fn place(of: &Call<'_>, marker: &Marker) -> String {
    let below = of
        .lookback
        .roots()
        .iter()
        .find_map(|root| marker.path.strip_prefix(root).ok());
    let path = below.unwrap_or(&marker.path);
    format!("{}:{}", of.quoter.line(path.as_str(), usize::MAX), marker.line)
}

pub(crate) fn read_memory(
    lookback: &Lookback,
    asked: &ReadMemoryParameters,
    context: &ToolContext<'_>,
) -> Result<ToolReply, ToolError> {
    let mut call = Call::new(lookback, context, READ, LISTING);
    let (Some(path), Some(offset)) = (&asked.path, asked.offset) else {
        return Err(
            call.wrong("it needs the path and the offset (the line number) of a marker of search_memory")
        );
    };
    let mut notes = Vec::new();
    let limit = within(
        "limit",
        asked.limit,
        WindowRequest::DEFAULT_LIMIT,
        1..=WindowRequest::MAX_LIMIT,
        &mut notes,
    );
    call.details.warnings.append(&mut notes);
    call.details.mode = "read";
    // A marker as a whole is taken for its path.
    let path = path
        .split_once(".jsonl:")
        .map_or(path.clone(), |(path, _)| format!("{path}.jsonl"));
    let request = WindowRequest {
        limit,
        ..WindowRequest::new(path.as_str(), offset as u64)
    };
    let window = lookback
        .window(&request, context.cancel)
        .map_err(|error| call.failed(error))?;
    let lines: Vec<Line> = Line::all(&call, &window);
    // One message alone may have all the room there is.
    let budget = call.budget(None, if limit == 1 { Budget::MOST } else { READ_BUDGET });
    let next_of = |count: usize| lines.get(count).map(|line| line.number).or(window.next_offset);
    let shown_path = path.as_str();
    let make = |count: usize, cap: usize| {
        page(
            &call,
            &lines[..count],
            shown_path,
            &window,
            next_of(count),
            limit,
            cap,
        )
    };
    let mut shown = lines.len();
    while shown > 1 && !make(shown, LEAST_TEXT).fits(budget) {
        shown -= 1;
    }
    let longest = lines.iter().map(|line| line.characters).max().unwrap_or(0);
    let (answer, cap) = largest(
        LEAST_TEXT..=longest.clamp(LEAST_TEXT, Budget::MOST),
        budget,
        |cap| make(shown, cap),
    );
    call.details.returned = lines[..shown].iter().filter(|line| line.is_message).count();
    call.details.total = call.details.returned;
    call.details.offset = offset;
    call.details.next_offset = next_of(shown).and_then(|line| usize::try_from(line).ok());
    call.details.content_truncated = shown < lines.len()
        || lines[..shown]
            .iter()
            .any(|line| line.is_cut || line.characters > cap);
    Ok(call.reply(&answer, budget))
}

/// One item of a window, ready to be shown.
struct Line {
    number: u64,
    /// What stands in front of the text.
    label: String,
    text: String,
    characters: usize,
    is_message: bool,
    /// The window itself has not all of it.
    is_cut: bool,
}

impl Line {
    fn all(of: &Call<'_>, window: &Window) -> Vec<Self> {
        let mut day = String::new();
        window
            .items
            .iter()
            .map(|item| Self::new(of, item, &mut day))
            .collect()
    }

    fn new(of: &Call<'_>, item: &WindowItem, day: &mut String) -> Self {
        let remark = |number: u64, label: &str| Self {
            number,
            label: label.to_owned(),
            text: String::new(),
            characters: 0,
            is_message: false,
            is_cut: false,
        };
        match item {
            WindowItem::Message {
                line,
                role,
                time,
                text,
                cut,
                images,
                ..
            } => {
                let mut text = of.quoter.text(text.trim_end());
                if *images > 0 {
                    text.push_str(&format!(" ({images} images)"));
                }
                Self {
                    number: *line,
                    label: format!("{} {}: ", clock(*time, day), role.name()),
                    characters: text.chars().count(),
                    text,
                    is_message: true,
                    is_cut: *cut,
                }
            }
            WindowItem::Calls {
                line,
                time,
                role,
                text,
            } => remark(
                *line,
                &format!(
                    "{} {}: (calls {})",
                    clock(*time, day),
                    role.name(),
                    of.quoter.line(text, 200)
                ),
            ),
            WindowItem::Compaction { line } => {
                remark(*line, "-- what stands above was compacted away later --")
            }
            WindowItem::Branch { line } => remark(*line, "-- from here another branch of the session --"),
            WindowItem::Session { line, .. } => {
                remark(*line, "-- from here another session in the same file --")
            }
        }
    }

    fn block(&self, cap: usize) -> String {
        let (shown, cut) = start(&self.text, cap);
        let mut lines = shown.trim_end().split('\n');
        let first = lines.next().unwrap_or_default().trim_end();
        let mut block = format!("{}{first}\n", self.label);
        // Further lines have a bar, so that none can pass for a message of its own.
        let rest: Vec<&str> = lines.collect();
        if !rest.is_empty() {
            block.push_str(&barred(&rest.join("\n")));
        }
        if cut || self.is_cut {
            block.push_str("(cut; offset ");
            block.push_str(&format!("{} and limit 1 show more of it)\n", self.number));
        }
        block
    }
}

/// `[HH:MM]`, with the date in front where it is another one than before.
fn clock(time: Option<Timestamp>, day: &mut String) -> String {
    let time = time.map(|time| minute(Some(time)));
    match time.as_deref().and_then(|time| time.split_once(' ')) {
        Some((date, hour)) if date == day.as_str() => format!("[{hour}]"),
        Some((date, hour)) => {
            date.clone_into(day);
            format!("-- {date} --\n[{hour}]")
        }
        None => "[--:--]".to_owned(),
    }
}

fn page(
    of: &Call<'_>,
    lines: &[Line],
    path: &str,
    window: &Window,
    next: Option<u64>,
    limit: usize,
    cap: usize,
) -> Answer {
    let mut body: Vec<String> = lines.iter().map(|line| line.block(cap)).collect();
    if window.damaged_lines > 0 {
        body.push(format!(
            "note: {} damaged lines were passed over\n",
            window.damaged_lines
        ));
    }
    body.extend(of.notes());
    let messages = super::recall::messages(lines.iter().filter(|line| line.is_message).count());
    let first = lines.first().map_or(0, |line| line.number);
    let tail = match next {
        // The path is what the model wrote itself.
        Some(line) if Utf8Path::new(path).as_str().len() <= 300 => {
            let next = call(
                READ,
                &[
                    ("path", path.into()),
                    ("offset", line.into()),
                    ("limit", limit.into()),
                ],
            );
            vec![format!("More: {next}")]
        }
        Some(line) => vec![format!("More: the same path with offset {line}")],
        None => vec!["This is the end of the session file.".to_owned()],
    };
    Answer {
        head: format!("read_memory: {messages} from line {first} on. Times are UTC."),
        body,
        tail,
    }
}
