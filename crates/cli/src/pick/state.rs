//! What the picker knows, and what a key or an answer makes of it. Nothing here draws, reads or waits.

use camino::Utf8PathBuf;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::line::EditLine;

/// A stretch of text, and whether it is what was searched for. Harmless to a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) matched: bool,
}

/// A session in the list. All texts are harmless to a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) path: Utf8PathBuf,
    pub(crate) title: String,
    /// Date, folder and the like.
    pub(crate) detail: String,
    pub(crate) tags: Vec<String>,
    /// The entry that matched.
    pub(crate) entry: Option<String>,
    pub(crate) snippet: Vec<Piece>,
}

/// What a session holds around the match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Preview {
    pub(crate) lines: Vec<PreviewLine>,
    /// The line where the message that matched begins.
    pub(crate) focus: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PreviewLine {
    /// Who speaks from here on.
    Speaker(String),
    /// What is said.
    Text(Vec<Piece>),
    /// What the reader should know.
    Note(String),
}

/// What the engine is asked. The number tells late answers from those to the present question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Question {
    Search { number: u64, query: String, here: bool },
    Preview { number: u64, row: Box<Row> },
}

/// What it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Found(Found),
    Preview { number: u64, preview: Preview },
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) number: u64,
    pub(crate) rows: Vec<Row>,
    /// Sessions that match, more than there are rows, perhaps.
    pub(crate) matched: usize,
    /// What the user should hear of.
    pub(crate) notes: Vec<String>,
}

/// What follows from a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// Draw, and wait for more.
    Stay,
    /// Ask the engine.
    Ask(Question),
    /// Go, with nothing chosen.
    Leave,
    /// Go on in this session.
    Choose(Box<Row>),
}

#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) query: EditLine,
    /// Only sessions of the current folder.
    pub(crate) here: bool,
    pub(crate) found: Found,
    pub(crate) selected: usize,
    pub(crate) preview: Option<Preview>,
    /// Lines of the preview that are scrolled away.
    pub(crate) scroll: usize,
    /// The last question has no answer yet.
    pub(crate) waiting: bool,
    /// Enter prints a path rather than resume.
    pub(crate) prints: bool,
    asked: u64,
    previewed: u64,
}

/// Rows or lines that Page Up and Page Down move.
const PAGE: usize = 10;

impl State {
    pub(crate) fn new(query: &str, here: bool, prints: bool) -> Self {
        Self {
            query: EditLine::new(query),
            here,
            prints,
            ..Self::default()
        }
    }

    /// The question that the query asks.
    pub(crate) fn search(&mut self) -> Step {
        self.asked += 1;
        self.waiting = true;
        Step::Ask(Question::Search {
            number: self.asked,
            query: self.query.text().to_owned(),
            here: self.here,
        })
    }

    /// True while an answer is on its way.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting || (self.preview.is_none() && self.selected_row().is_some())
    }

    pub(crate) fn selected_row(&self) -> Option<&Row> {
        self.found.rows.get(self.selected)
    }

    fn look(&mut self) -> Step {
        self.preview = None;
        self.scroll = 0;
        self.previewed += 1;
        match self.selected_row() {
            Some(row) => Step::Ask(Question::Preview {
                number: self.previewed,
                row: Box::new(row.clone()),
            }),
            None => Step::Stay,
        }
    }

    /// Takes an answer; one to an older question is dropped.
    pub(crate) fn answer(&mut self, answer: Answer) -> Step {
        match answer {
            Answer::Found(found) if found.number == self.asked => {
                self.waiting = false;
                self.found = found;
                self.selected = 0;
                self.look()
            }
            Answer::Preview { number, preview } if number == self.previewed => {
                self.scroll = preview.focus;
                self.preview = Some(preview);
                Step::Stay
            }
            Answer::Found(_) | Answer::Preview { .. } => Step::Stay,
        }
    }

    /// Takes what the terminal reports.
    pub(crate) fn event(&mut self, event: &Event) -> Step {
        match event {
            // Windows also reports that a key goes up again.
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(key),
            Event::Paste(text) => {
                self.query.insert(text);
                self.search()
            }
            _ => Step::Stay,
        }
    }

    fn key(&mut self, key: &KeyEvent) -> Step {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (key.code, control) {
            (KeyCode::Esc, _) | (KeyCode::Char('c' | 'd'), true) => Step::Leave,
            (KeyCode::Enter, _) => match self.selected_row() {
                // The rows may belong to what was typed before.
                Some(row) if !self.waiting => Step::Choose(Box::new(row.clone())),
                _ => Step::Stay,
            },
            (KeyCode::Up, false) | (KeyCode::Char('p'), true) => self.select(self.selected.saturating_sub(1)),
            (KeyCode::Down, false) | (KeyCode::Char('n'), true) => self.select(self.selected + 1),
            (KeyCode::PageUp, _) => self.select(self.selected.saturating_sub(PAGE)),
            (KeyCode::PageDown, _) => self.select(self.selected + PAGE),
            (KeyCode::Up, true) => self.scroll_to(self.scroll.saturating_sub(1)),
            (KeyCode::Down, true) => self.scroll_to(self.scroll + 1),
            (KeyCode::Tab | KeyCode::BackTab, _) => {
                self.here = !self.here;
                self.search()
            }
            _ => self.edit(key.code, control, key.modifiers.contains(KeyModifiers::ALT)),
        }
    }

    fn edit(&mut self, code: KeyCode, control: bool, alt: bool) -> Step {
        let before = self.query.text().to_owned();
        match (code, control) {
            (KeyCode::Backspace, false) if alt => self.query.delete_word(),
            (KeyCode::Backspace, false) | (KeyCode::Char('h'), true) => self.query.backspace(),
            (KeyCode::Backspace, true) | (KeyCode::Char('w'), true) => self.query.delete_word(),
            (KeyCode::Delete, _) => self.query.delete(),
            (KeyCode::Char('u'), true) => self.query.clear_before(),
            (KeyCode::Left, _) | (KeyCode::Char('b'), true) => self.query.left(),
            (KeyCode::Right, _) | (KeyCode::Char('f'), true) => self.query.right(),
            (KeyCode::Home, _) | (KeyCode::Char('a'), true) => self.query.home(),
            (KeyCode::End, _) | (KeyCode::Char('e'), true) => self.query.end(),
            // AltGr arrives as Ctrl+Alt on some keyboards.
            (KeyCode::Char(c), control) if control == alt => self.query.insert(&c.to_string()),
            _ => {}
        }
        if self.query.text() == before {
            Step::Stay
        } else {
            self.search()
        }
    }

    fn select(&mut self, row: usize) -> Step {
        let row = row.min(self.found.rows.len().saturating_sub(1));
        if row == self.selected {
            return Step::Stay;
        }
        self.selected = row;
        self.look()
    }

    fn scroll_to(&mut self, line: usize) -> Step {
        let lines = self.preview.as_ref().map_or(0, |preview| preview.lines.len());
        self.scroll = line.min(lines.saturating_sub(1));
        Step::Stay
    }
}
