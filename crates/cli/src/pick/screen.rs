//! The terminal while the picker has it: raw, on the alternate screen, and given back however the picker ends.

use std::io::{self, Stderr};

use ratatui::{
    Terminal,
    backend::CrosstermBackend,
    crossterm::{
        cursor::Show,
        event::{DisableBracketedPaste, EnableBracketedPaste},
        execute,
        terminal::{EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode},
    },
};

/// Standard error is drawn on: standard output may be where a chosen path goes.
pub(crate) struct Screen {
    pub(crate) terminal: Terminal<CrosstermBackend<Stderr>>,
}

impl Screen {
    pub(crate) fn take() -> io::Result<Self> {
        enable_raw_mode()?;
        // From here on the terminal is given back by `drop`, also when the next lines fail.
        let terminal = Terminal::new(CrosstermBackend::new(io::stderr())).inspect_err(|_| {
            let _ = disable_raw_mode();
        })?;
        let screen = Self { terminal };
        // A paste must arrive as one: its line ends are not Enter.
        execute!(io::stderr(), EnterAlternateScreen, EnableBracketedPaste)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stderr(), DisableBracketedPaste, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}
