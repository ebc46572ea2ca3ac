//! The progress bar of a first build, on standard error and only where somebody watches.

use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lookback::Progress;

/// Below this many bytes a sync is over before a bar could be read.
const WORTH_A_BAR: u64 = 32 << 20;

pub(crate) struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub(crate) fn new(json: bool) -> Self {
        let watched = !json && std::io::stderr().is_terminal();
        let target = if watched {
            ProgressDrawTarget::stderr_with_hz(10)
        } else {
            ProgressDrawTarget::hidden()
        };
        let bar = ProgressBar::with_draw_target(None, target);
        let style =
            ProgressStyle::with_template("reading sessions {bar:30} {bytes}/{total_bytes} {msg} {eta}");
        // The template is a constant; a default bar is no reason to fail.
        if let Ok(style) = style {
            bar.set_style(style);
        }
        Self { bar }
    }

    pub(crate) fn show(&self, progress: Progress) {
        if progress.bytes_total < WORTH_A_BAR {
            return;
        }
        self.bar.set_length(progress.bytes_total);
        self.bar.set_position(progress.bytes_done);
        self.bar
            .set_message(format!("{}/{} files", progress.files_done, progress.files_total));
        self.bar.enable_steady_tick(Duration::from_millis(200));
    }

    pub(crate) fn done(self) {
        self.bar.finish_and_clear();
    }
}
