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

/// A part of a line: as harmless, with its white space at both ends, which keeps it apart from its neighbours.
pub(crate) fn part(text: &str) -> String {
    lookback::harmless_lines(text).replace(['\n', '\t'], " ")
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
        let plain = cause.downcast_ref::<io::Error>().map(io::Error::kind);
        // A JSON line that could not be printed does not name its cause as one.
        let of_json = cause
            .downcast_ref::<serde_json::Error>()
            .and_then(serde_json::Error::io_error_kind);
        plain.or(of_json) == Some(io::ErrorKind::BrokenPipe)
    })
}
