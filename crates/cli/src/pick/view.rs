//! Draws the picker. Decides nothing.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Position, Rect},
    style::{Color, Modifier, Style},
    text::{Line, Span, Text},
    widgets::{Block, Borders, List, ListItem, ListState, Paragraph, Wrap},
};

use super::state::{Piece, PreviewLine, State};

const DIM: Style = Style::new().add_modifier(Modifier::DIM);
const TITLE: Style = Style::new().add_modifier(Modifier::BOLD);
const MATCH: Style = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
const TAG: Style = Style::new().fg(Color::Green);
const NOTE: Style = Style::new().fg(Color::Red);
const SELECTED: Style = Style::new().add_modifier(Modifier::REVERSED);

/// From this width on the preview stands beside the list, from this height on below it.
const WIDE: u16 = 100;
const HIGH: u16 = 16;

/// Draws everything into the frame, whatever its size. Without `colours` only bold, dim and reversed text is used.
pub(crate) fn draw(state: &State, frame: &mut Frame<'_>, colours: bool) {
    let area = frame.area();
    let [input, middle, status, keys] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Min(0),
        Constraint::Length(1),
        Constraint::Length(1),
    ])
    .areas(area);
    let (list, preview) = if area.width >= WIDE {
        let [list, preview] =
            Layout::horizontal([Constraint::Percentage(45), Constraint::Percentage(55)]).areas(middle);
        (list, Some((preview, Borders::LEFT)))
    } else if area.height >= HIGH {
        let [list, preview] =
            Layout::vertical([Constraint::Percentage(50), Constraint::Percentage(50)]).areas(middle);
        (list, Some((preview, Borders::TOP)))
    } else {
        (middle, None)
    };
    draw_input(state, frame, input);
    draw_list(state, frame, list);
    if let Some((area, border)) = preview {
        draw_preview(state, frame, area, border);
    }
    frame.render_widget(status_line(state), status);
    frame.render_widget(key_line(state), keys);
    if !colours {
        for cell in &mut frame.buffer_mut().content {
            cell.fg = Color::Reset;
            cell.bg = Color::Reset;
        }
    }
}

fn draw_input(state: &State, frame: &mut Frame<'_>, area: Rect) {
    let prompt = "> ";
    let before = (Line::from(prompt).width() + Line::from(state.query.before()).width()) as u16;
    // The cursor stays in sight, however long the query is.
    let scrolled = (before + 1).saturating_sub(area.width);
    let line = Line::from(vec![Span::styled(prompt, DIM), Span::raw(state.query.text())]);
    frame.render_widget(Paragraph::new(line).scroll((0, scrolled)), area);
    if area.width > 0 && area.height > 0 {
        frame.set_cursor_position(Position::new(area.x + before - scrolled, area.y));
    }
}

fn draw_list(state: &State, frame: &mut Frame<'_>, area: Rect) {
    if state.found.rows.is_empty() && !state.waiting {
        let place = if state.here {
            "in this folder"
        } else {
            "in all folders"
        };
        let text = format!("No session matches {place}.");
        frame.render_widget(
            Paragraph::new(Span::styled(text, DIM)).wrap(Wrap { trim: true }),
            area,
        );
        return;
    }
    let items = state.found.rows.iter().map(|row| {
        let mut title = vec![Span::styled(row.title.as_str(), TITLE)];
        for tag in &row.tags {
            title.push(Span::styled(format!(" #{tag}"), TAG));
        }
        let mut lines = vec![Line::from(title), Line::styled(row.detail.as_str(), DIM)];
        if !row.snippet.is_empty() {
            lines.push(pieces(&row.snippet));
        }
        ListItem::new(Text::from(lines))
    });
    let list = List::new(items).highlight_style(SELECTED).highlight_symbol("▌");
    let mut at = ListState::default().with_selected(Some(state.selected));
    frame.render_stateful_widget(list, area, &mut at);
}

fn draw_preview(state: &State, frame: &mut Frame<'_>, area: Rect, border: Borders) {
    let block = Block::new().borders(border).border_style(DIM);
    let lines: Vec<Line<'_>> = match &state.preview {
        Some(preview) => preview
            .lines
            .iter()
            .skip(state.scroll)
            .map(|line| match line {
                PreviewLine::Speaker(who) => Line::styled(who.as_str(), TITLE),
                PreviewLine::Text(text) => pieces(text),
                PreviewLine::Note(note) => Line::styled(note.as_str(), NOTE),
            })
            .collect(),
        None => Vec::new(),
    };
    frame.render_widget(
        Paragraph::new(lines).wrap(Wrap { trim: false }).block(block),
        area,
    );
}

fn pieces(pieces: &[Piece]) -> Line<'_> {
    let span = |piece: &Piece| {
        let style = if piece.matched { MATCH } else { Style::new() };
        Span::styled(piece.text.clone(), style)
    };
    Line::from_iter(pieces.iter().map(span))
}

fn status_line(state: &State) -> Line<'_> {
    let shown = state.found.rows.len();
    let place = if state.here { "this folder" } else { "all folders" };
    let plural = if shown == 1 { "" } else { "s" };
    let mut text = vec![Span::styled(
        match (state.waiting, shown < state.found.matched) {
            (true, _) => format!("{place} · searching …"),
            (false, true) => format!("{place} · {shown} of {} sessions", state.found.matched),
            (false, false) => format!("{place} · {shown} session{plural}"),
        },
        DIM,
    )];
    for note in &state.found.notes {
        text.push(Span::styled(format!(" · {note}"), NOTE));
    }
    Line::from(text)
}

fn key_line(state: &State) -> Line<'static> {
    let keys = [
        ("enter", if state.prints { "print" } else { "resume" }),
        ("esc", "leave"),
        ("tab", if state.here { "all folders" } else { "this folder" }),
        ("↑ ↓", "choose"),
        ("ctrl+↑ ↓", "scroll"),
        ("ctrl+u", "clear"),
    ];
    let mut line = Vec::new();
    for (key, what) in keys {
        line.push(Span::styled(key, TITLE));
        line.push(Span::styled(format!(" {what}  "), DIM));
    }
    Line::from(line)
}
