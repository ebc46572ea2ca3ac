//! Exit codes, as grep has them.

use std::process::ExitCode;

/// The codes and what they mean, for the manual.
pub(crate) const MEANINGS: [(u8, &str); 3] = [
    (0, "something was found, or done; with doctor: nothing is wrong"),
    (1, "nothing was found, or chosen; with doctor: something is wrong"),
    (2, "the command failed, or was called in a wrong way"),
];

/// What a command came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// There is something to show.
    Found,
    /// All went well, and there is nothing to show.
    Nothing,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Found => ExitCode::SUCCESS,
            Outcome::Nothing => ExitCode::from(1),
        }
    }
}

/// The command could not be carried out.
pub(crate) fn failure() -> ExitCode {
    ExitCode::from(2)
}
