//! Messages from a line of a session file on.

use lookback_scan::{Window, WindowItem, WindowRequest};
use lookback_session_model::Timestamp;

use super::{LISTING, READ, ReadMemoryParameters};
use crate::{
    Lookback,
    tools::{
        ToolContext, ToolError, ToolReply,
        answer::{Answer, Budget, largest},
        call::Call,
        handles::{call, minute},
        parameters::within,
        quote::barred,
        recall::messages,
        safe_text::start,
    },
};

const BUDGET: usize = 12_000;
/// No message is cut shorter than this while later ones can wait.
const LEAST_TEXT: usize = 200;

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
    let budget = call.budget(None, if limit == 1 { Budget::MOST } else { BUDGET });
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
    let count = messages(lines.iter().filter(|line| line.is_message).count());
    let first = lines.first().map_or(0, |line| line.number);
    let tail = match next {
        // The path is what the model wrote itself.
        Some(line) if path.len() <= 300 => {
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
        head: format!("read_memory: {count} from line {first} on. Times are UTC."),
        body,
        tail,
    }
}
