//! What reaches the terminal: text of sessions made harmless, styles only where they belong.

use std::io;

use anstyle::{AnsiColor, Style};
use lookback::Timestamp;

pub(crate) const TITLE: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const MATCH: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
pub(crate) const GOOD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
pub(crate) const NOTE: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
pub(crate) const WARN: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));

/// Text of a session without anything that a terminal acts on, on several lines.
pub(crate) fn harmless(text: &str) -> String {
    lookback::harmless_lines(text)
}

/// The same on one line.
pub(crate) fn one_line(text: &str) -> String {
    lookback::harmless_line(text)
}

/// The first characters of a line.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Date and minute in UTC.
pub(crate) fn date(time: Option<Timestamp>) -> String {
    time.map_or_else(
        || "no date".to_owned(),
        |time| {
            time.to_string()
                .chars()
                .take(16)
                .collect::<String>()
                .replace('T', " ")
        },
    )
}

/// A reader that went away (`lookback list | head -1`) is no error.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause
            .downcast_ref::<io::Error>()
            .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    })
}
