//! Messages of a session file from a line on, for reading on from a marker.

mod lines;
mod text;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{
    Entry, EntryId, EntryKind, Fields, Item, Message, Role, SessionId, SessionReader, Timestamp,
    open_session_file,
};
use serde::{Deserialize, Serialize};

use crate::{ScanError, ScanOptions, confine, options::Stop, plain, sift::Section};

/// Which messages to read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WindowRequest {
    /// The session file, as a [`Marker`](crate::Marker) names it. A relative path starts at a session folder.
    pub path: Utf8PathBuf,
    /// The line to begin at, from 1: that of a marker, or less to see what came before.
    pub offset: u64,
    /// Messages at most, up to [`WindowRequest::MAX_LIMIT`]. Default: 10.
    #[serde(default = "default_limit")]
    pub limit: usize,
    /// Minutes by which the reader's clock is ahead of UTC. Default: 0.
    #[serde(default)]
    pub utc_offset_minutes: i32,
}

fn default_limit() -> usize {
    WindowRequest::DEFAULT_LIMIT
}

impl WindowRequest {
    /// Messages in a window, unless told otherwise.
    pub const DEFAULT_LIMIT: usize = 10;
    /// Messages in a window at most.
    pub const MAX_LIMIT: usize = 50;

    /// The window from a line on.
    pub fn new(path: impl Into<Utf8PathBuf>, offset: u64) -> Self {
        Self {
            path: path.into(),
            offset,
            limit: Self::DEFAULT_LIMIT,
            utc_offset_minutes: 0,
        }
    }
}

/// A part of a session file in the order of its lines. Thinking and the output of tools are left out.
///
/// Its text (`Display`) has a line `[HH:MM] role: text` for each message and is harmless: no control characters, and
/// the further lines of a message are indented, so that a text cannot pass for other messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Window {
    /// The session file, links resolved.
    pub path: Utf8PathBuf,
    /// What was said and done.
    pub items: Vec<WindowItem>,
    /// The line to go on at; `None` at the end of the file.
    pub next_offset: Option<u64>,
    /// Lines in this part of the file that are damaged.
    pub damaged_lines: u64,
    /// See [`WindowRequest::utc_offset_minutes`].
    pub utc_offset_minutes: i32,
}

/// Something in a [`Window`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum WindowItem {
    /// A message of user or assistant.
    #[serde(rename_all = "camelCase")]
    Message {
        /// Its line.
        line: u64,
        /// Its entry.
        entry: Option<EntryId>,
        /// Who speaks.
        role: Role,
        /// When it was said.
        time: Option<Timestamp>,
        /// Its text as it is: whoever shows it makes it harmless.
        text: String,
        /// The end of the text was left out.
        cut: bool,
        /// How many pictures it has.
        images: u32,
    },
    /// What tools were called by one message, or a command that the user ran. Harmless text of one line.
    #[serde(rename_all = "camelCase")]
    Calls {
        /// The line of the message.
        line: u64,
        /// When.
        time: Option<Timestamp>,
        /// Who: the assistant, or the user for a command.
        role: Role,
        /// The calls.
        text: String,
    },
    /// Here a compaction took what was said before out of the model's context.
    Compaction {
        /// Its line.
        line: u64,
    },
    /// What follows does not continue what stands before it: another branch of the session.
    Branch {
        /// The first line of it.
        line: u64,
    },
    /// What follows is another session in the same file.
    Session {
        /// The line of its header.
        line: u64,
        /// Its id.
        id: Option<SessionId>,
    },
}

/// Characters of text in a window at most.
const MOST_TEXT: usize = 50_000;
/// Characters of a line of calls, and of one call in it.
const CALLS: usize = 200;
const CALL: usize = 80;
/// Lines beside messages, for each message that was asked for.
const OTHERS: usize = 8;

/// Reads a window.
pub(crate) fn read(
    roots: &[Utf8PathBuf],
    request: &WindowRequest,
    options: &ScanOptions<'_>,
) -> Result<Window, ScanError> {
    if request.offset == 0 {
        return Err(ScanError::NoLine);
    }
    let path = confine::session_file(&request.path, roots)?;
    let (file, stamp) = open_session_file(&path)?;
    let failed = |source| interrupted(&path, source, options);
    let start = match lines::start_of(&file, stamp.size, request.offset, options).map_err(failed)? {
        lines::Start::At(start) => start,
        lines::Start::OnlyLines(lines) => {
            return Err(ScanError::BehindTheEnd {
                line: request.offset,
                path,
                lines,
            });
        }
    };
    let section = Section {
        file: &file,
        base: start,
        options,
    };
    let fields = Fields::TEXT.with(Fields::TOOL_CALLS);
    let mut reader = SessionReader::new(section, stamp.size - start, fields);
    let mut builder = Builder::new(request);
    let mut next_offset = None;
    while let Some(item) = reader.next_item().map_err(failed)? {
        if let Some(line) = builder.add(item) {
            next_offset = Some(line);
            break;
        }
    }
    Ok(Window {
        damaged_lines: reader.diagnostics().damaged_lines(),
        path,
        items: builder.items,
        next_offset,
        utc_offset_minutes: request.utc_offset_minutes,
    })
}

fn interrupted(path: &Utf8Path, source: std::io::Error, options: &ScanOptions<'_>) -> ScanError {
    let path = path.to_owned();
    match options.stop() {
        Some(Stop::Cancelled) => ScanError::Cancelled { path },
        Some(Stop::TimedOut) => ScanError::TimedOut { path },
        None => lookback_session_model::OpenError::Io { path, source }.into(),
    }
}

/// Collects the items of a window.
struct Builder {
    items: Vec<WindowItem>,
    /// Lines of the reader are counted from the window's first one.
    lines_before: u64,
    messages_left: usize,
    others_left: usize,
    text_left: usize,
    /// The entry before, once there is one.
    previous: Option<Option<EntryId>>,
    at_start: bool,
}

impl Builder {
    fn new(request: &WindowRequest) -> Self {
        let limit = request.limit.clamp(1, WindowRequest::MAX_LIMIT);
        Self {
            items: Vec::new(),
            lines_before: request.offset - 1,
            messages_left: limit,
            others_left: limit * OTHERS,
            text_left: MOST_TEXT,
            previous: None,
            at_start: request.offset == 1,
        }
    }

    /// Adds a record. A line comes back when it does not fit any more.
    fn add(&mut self, item: Item) -> Option<u64> {
        let entry = match item {
            Item::Header(header) => {
                let line = header.place.line + self.lines_before;
                // The first header is no news.
                if !std::mem::take(&mut self.at_start) {
                    self.items.push(WindowItem::Session { line, id: header.id });
                }
                self.previous = None;
                return None;
            }
            Item::Entry(entry) => entry,
        };
        self.at_start = false;
        let line = entry.place.line + self.lines_before;
        let items = self.shown(&entry, line);
        let is_full = |item: &WindowItem| match item {
            WindowItem::Message { .. } => self.messages_left == 0 || self.text_left == 0,
            _ => self.others_left == 0,
        };
        if items.iter().any(is_full) {
            return Some(line);
        }
        // Entries of version 1 name no parents: each continues the one before.
        let branches = self.previous.as_ref().is_some_and(|previous| {
            entry.parent_id.is_some() && previous.is_some() && entry.parent_id != *previous
        });
        if branches && !items.is_empty() {
            self.items.push(WindowItem::Branch { line });
        }
        if !branches || !items.is_empty() {
            self.previous = Some(entry.id.clone());
        }
        for item in items {
            self.push(item);
        }
        None
    }

    fn push(&mut self, mut item: WindowItem) {
        if let WindowItem::Message { text, cut, .. } = &mut item {
            self.messages_left -= 1;
            match text.char_indices().nth(self.text_left) {
                Some((end, _)) => {
                    text.truncate(end);
                    *cut = true;
                    self.text_left = 0;
                }
                None => self.text_left -= text.chars().count(),
            }
        } else {
            self.others_left = self.others_left.saturating_sub(1);
        }
        self.items.push(item);
    }

    /// What of an entry is shown.
    fn shown(&self, entry: &Entry, line: u64) -> Vec<WindowItem> {
        match &entry.kind {
            EntryKind::Compaction { .. } => vec![WindowItem::Compaction { line }],
            EntryKind::Message(message) => message_items(entry, message, line),
            _ => Vec::new(),
        }
    }
}

fn message_items(entry: &Entry, message: &Message, line: u64) -> Vec<WindowItem> {
    let mut items = Vec::new();
    let time = entry.time();
    if let Some(role @ (Role::User | Role::Assistant)) = message.role
        && (!message.text.is_empty() || message.images > 0)
    {
        items.push(WindowItem::Message {
            line,
            entry: entry.id.clone(),
            role,
            time,
            text: message.text.as_str().to_owned(),
            cut: false,
            images: message.images,
        });
    }
    let calls: Vec<String> = match (&message.bash, message.role) {
        (Some(bash), Some(Role::BashExecution)) => vec![format!("!{}", bash.command)],
        _ => message
            .tool_calls
            .iter()
            .map(|call| format!("{} {}", call.name, call.arguments))
            .collect(),
    };
    if !calls.is_empty() {
        let calls: Vec<String> = calls.iter().map(|call| plain::line(call, CALL)).collect();
        items.push(WindowItem::Calls {
            line,
            time,
            role: if message.bash.is_some() {
                Role::User
            } else {
                Role::Assistant
            },
            text: plain::line(&calls.join("; "), CALLS),
        });
    }
    items
}
