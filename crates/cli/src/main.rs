//! The program `lookback`: converts arguments, calls the engine, draws what it answers.

mod args;
mod commands;
mod environment;
mod exit;
mod output;
mod progress;
mod terminal;

use std::{io::Write, process::ExitCode};

use anyhow::Context;
use lookback::{Locations, Lookback, Surroundings};

use args::{Cli, Command};
use exit::Outcome;

/// Where a command prints: colours on a terminal only, and not where `NO_COLOR` is set.
type Out<'a> = &'a mut dyn Write;

/// What every command needs.
struct Session {
    json: bool,
    surroundings: Surroundings,
    locations: Locations,
}

impl Session {
    fn open(&self) -> anyhow::Result<Lookback> {
        let mut builder = Lookback::builder()
            .cwd(&self.surroundings.cwd)
            .cache(&self.locations.cache)
            .data(&self.locations.data);
        for root in &self.locations.roots {
            builder = builder.root(root);
        }
        Ok(builder.open()?)
    }

    /// One JSON line.
    fn line(&self, out: Out<'_>, line: &impl serde::Serialize) -> anyhow::Result<()> {
        serde_json::to_writer(&mut *out, line)?;
        out.write_all(b"\n").context("cannot print")
    }
}

fn main() -> ExitCode {
    let cli = Cli::read(std::env::args_os());
    let mut out = std::io::BufWriter::new(anstream::AutoStream::auto(std::io::stdout()));
    let ended = run(&cli, &mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    match ended {
        Ok(outcome) => outcome.into(),
        Err(error) if terminal::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(
                anstream::AutoStream::auto(std::io::stderr()),
                "lookback: {}",
                terminal::harmless(&format!("{error:#}"))
            );
            exit::failure()
        }
    }
}

fn run(cli: &Cli, out: Out<'_>) -> anyhow::Result<Outcome> {
    let surroundings = environment::surroundings(&cli.folders)?;
    let locations = surroundings.locate();
    let session = Session {
        json: cli.json,
        surroundings,
        locations,
    };
    for warning in &session.locations.warnings {
        writeln!(std::io::stderr(), "lookback: {}", terminal::harmless(warning))?;
    }
    match &cli.command {
        Command::Search(args) => commands::search::run(&session, args, out),
        Command::List(args) => commands::list::run(&session, args, out),
        Command::Read(args) => commands::read::run(&session, args, out),
        Command::Tree(args) => commands::tree::run(&session, args, out),
        Command::Inspect(args) => commands::inspect::run(&session, args, out),
        Command::Unread(args) => commands::unread::run(&session, args, out),
        Command::Sync => commands::sync::run(&session, out),
        Command::Status => commands::status::run(&session, out),
        Command::Doctor(args) => commands::doctor::run(&session, args, out),
        Command::Tag(args) => commands::tags::add(&session, args, out),
        Command::Untag(args) => commands::tags::remove(&session, args, out),
        Command::Tags(args) => commands::tags::show(&session, args, out),
    }
}
