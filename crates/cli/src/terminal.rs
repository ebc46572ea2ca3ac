//! What reaches the terminal: text of sessions made harmless, styles only where they belong.

use std::{borrow::Cow, io};

use anstyle::{AnsiColor, Style};
use lookback::Timestamp;

pub(crate) const TITLE: Style = Style::new().bold();
pub(crate) const DIM: Style = Style::new().dimmed();
pub(crate) const MATCH: Style = Style::new()
    .bold()
    .fg_color(Some(anstyle::Color::Ansi(AnsiColor::Yellow)));
pub(crate) const GOOD: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Green)));
pub(crate) const WARN: Style = Style::new().fg_color(Some(anstyle::Color::Ansi(AnsiColor::Red)));

/// Text of a session without anything that a terminal acts on: control characters (escape codes, carriage returns,
/// C1), and the marks that turn the direction of text around. Line feeds and tabs stay.
pub(crate) fn harmless(text: &str) -> Cow<'_, str> {
    let acts = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
    };
    if text.contains(acts) {
        Cow::Owned(text.replace(acts, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// The same on one line.
pub(crate) fn one_line(text: &str) -> String {
    harmless(text).split_whitespace().collect::<Vec<_>>().join(" ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_acts_on_is_left() {
        for hostile in [
            "\x1b[31mred",
            "\x1b]52;c;aGk=\x07",
            "\u{9b}2J",
            "a\rb",
            "\u{202e}evil",
            "\u{7f}",
            "\u{2066}x",
        ] {
            let shown = harmless(hostile);
            assert!(
                !shown.contains(|c: char| c.is_control()),
                "{hostile:?} became {shown:?}"
            );
            assert_ne!(shown, hostile);
        }
        assert_eq!(harmless("plain\ttext\nÜber 日本 👩‍👩‍👧"), "plain\ttext\nÜber 日本 👩‍👩‍👧");
    }
}
