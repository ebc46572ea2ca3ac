//! Calls a tool as a model would, and says how long its answer is.
//!
//! ```sh
//! cargo run --release -p lookback --example tool -- examples/sessions recall '{"action":"search","query":"retry"}'
//! ```
//!
//! With `--measure` it prints one line for each call instead of the answers: tool, parameters, characters, tokens
//! (characters / 4), lines, hits or messages. Further calls may follow as pairs of tool and parameters.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example is a program"
)]

use std::{error::Error, process::ExitCode};

use lookback::{Lookback, Timestamp, tools::ToolContext};

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let measure = arguments.first().is_some_and(|first| first == "--measure");
    if measure {
        arguments.remove(0);
    }
    let Some((sessions, calls)) = arguments.split_first().filter(|(_, calls)| calls.len() >= 2) else {
        return Err("usage: tool [--measure] SESSIONS TOOL PARAMETERS [TOOL PARAMETERS]…".into());
    };
    let cache = tempfile::tempdir()?;
    let folder = |name: &str| camino::Utf8PathBuf::try_from(cache.path().join(name));
    let lookback = Lookback::builder()
        .root(sessions)
        .cache(folder("cache")?)
        .data(folder("data")?)
        .open()?;
    let context = ToolContext {
        home: Some("/home/dev".into()),
        ..ToolContext::new(Timestamp::parse("2026-06-01").unwrap_or(Timestamp::EPOCH))
    };
    if measure {
        println!("characters tokens lines returned  call");
    }
    for call in calls.chunks_exact(2) {
        let reply = lookback.tool(&call[0], serde_json::from_str(&call[1])?, &context)?;
        let characters = reply.text.chars().count();
        if measure {
            let (lines, returned) = (reply.text.lines().count(), reply.details.returned);
            println!(
                "{characters:10} {:6} {lines:5} {returned:8}  {} {}",
                characters / 4,
                call[0],
                call[1]
            );
        } else {
            println!("{}\n\n{}\n", reply.text, serde_json::to_string(&reply.details)?);
        }
    }
    Ok(())
}
