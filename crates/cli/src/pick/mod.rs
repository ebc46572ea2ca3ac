//! The full-screen picker: [`state`] knows what keys and answers mean, [`view`] draws it, [`engine`] answers.

mod engine;
mod line;
mod screen;
mod state;
#[cfg(test)]
mod tests;
mod view;

use std::time::Duration;

use camino::Utf8Path;
use lookback::Lookback;
use ratatui::crossterm::event;

use engine::Engine;
use screen::Screen;
pub(crate) use state::Row;
use state::{State, Step};

/// How long an answer can lie there before it is drawn.
const TICK: Duration = Duration::from_millis(15);

/// What the picker starts with.
pub(crate) struct Begin {
    pub(crate) query: String,
    /// Only sessions of the current folder.
    pub(crate) here: bool,
    /// Enter prints a path.
    pub(crate) prints: bool,
    pub(crate) colours: bool,
}

/// Lets the user choose a session; `None` when they leave without one.
pub(crate) fn choose(lookback: &Lookback, cwd: &Utf8Path, begin: &Begin) -> anyhow::Result<Option<Row>> {
    let mut engine = Engine::start(lookback.clone(), cwd.to_owned());
    let mut state = State::new(&begin.query, begin.here, begin.prints);
    let mut step = state.search();
    let mut screen = Screen::take()?;
    let mut drawn = false;
    loop {
        match step {
            Step::Stay => {}
            Step::Ask(question) => engine.ask(question),
            Step::Leave => return Ok(None),
            Step::Choose(row) => return Ok(Some(*row)),
        }
        if let Some(answer) = engine.answer() {
            step = state.answer(answer);
            drawn = false;
            continue;
        }
        // What was typed or pasted at once is taken at once.
        if event::poll(Duration::ZERO)? {
            step = state.event(&event::read()?);
            drawn = false;
            continue;
        }
        if !drawn {
            screen
                .terminal
                .draw(|frame| view::draw(&state, frame, begin.colours))?;
            drawn = true;
        }
        let _ = event::poll(if state.is_waiting() { TICK } else { 10 * TICK })?;
        step = Step::Stay;
    }
}
