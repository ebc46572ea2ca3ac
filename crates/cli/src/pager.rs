//! Long answers go through a pager, where a person reads them on a terminal.

use std::{
    io::{IsTerminal, Write},
    process::{Child, Command, Stdio},
};

use anstream::AutoStream;

use crate::environment;

/// What is taken where nobody chose: colours, an end after less than a screen, and the text left on the screen.
const DEFAULT: &str = "less";
const DEFAULT_OPTIONS: (&str, &str) = ("LESS", "FRX");

/// A pager that runs.
pub(crate) struct Pager {
    child: Child,
}

impl Pager {
    /// Starts the pager that the environment names. `None` where there is nobody to page for, where none is wanted, and
    /// where it cannot be started: the answer is then printed as it is.
    pub(crate) fn start() -> Option<Self> {
        if !std::io::stdout().is_terminal() {
            return None;
        }
        let chosen = environment::pager();
        // Windows has no pager worth the name.
        let line = chosen.unwrap_or_else(|| if cfg!(windows) { "" } else { DEFAULT }.to_owned());
        if line.trim().is_empty() || line.trim() == "cat" {
            return None;
        }
        let mut command = if cfg!(windows) {
            let mut command = Command::new("cmd");
            command.args(["/C", &line]);
            command
        } else {
            // It may have options, as `PAGER` has for every other program.
            let mut command = Command::new("sh");
            command.args(["-c", &line]);
            command
        };
        if !environment::is_set(DEFAULT_OPTIONS.0) {
            command.env(DEFAULT_OPTIONS.0, DEFAULT_OPTIONS.1);
        }
        let child = command.stdin(Stdio::piped()).spawn().ok()?;
        ignore_interrupts();
        Some(Self { child })
    }

    /// Where to print, with colours if the terminal behind the pager has them.
    pub(crate) fn input(&mut self) -> Option<Box<dyn Write>> {
        let input: Box<dyn Write> = Box::new(self.child.stdin.take()?);
        let choice = AutoStream::choice(&std::io::stdout());
        Some(Box::new(AutoStream::new(input, choice)))
    }

    /// Waits until the reader is done.
    pub(crate) fn wait(mut self) {
        let _ = self.child.wait();
    }
}

/// Ctrl+C in a pager means the pager: were we to end of it, the shell would take the terminal back from under it.
fn ignore_interrupts() {
    #[cfg(unix)]
    {
        let seen = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
        // Without it paging works all the same.
        let _ = signal_hook::flag::register(signal_hook::consts::SIGINT, seen);
    }
}
