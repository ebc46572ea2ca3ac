//! The program `lookback`: converts arguments, calls the engine, draws what it answers.

mod args;
mod commands;
mod environment;
mod exit;
mod manual;
mod output;
mod pager;
mod pick;
mod progress;
mod terminal;

use std::{io::Write, process::ExitCode};

use anyhow::Context;
use lookback::{Locations, Lookback, Surroundings};

use args::{Cli, Command};
use exit::Outcome;
use pager::Pager;

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
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(message) => return not_understood(&message),
    };
    let is_long = matches!(cli.command, Command::Read(_) | Command::Tree(_));
    let mut pager = (is_long && !cli.json && !cli.no_pager)
        .then(Pager::start)
        .flatten();
    let paged = pager.as_mut().and_then(Pager::input);
    let target = paged.unwrap_or_else(|| Box::new(anstream::AutoStream::auto(std::io::stdout())));
    let mut out = std::io::BufWriter::new(target);
    let ended = run(&cli, &mut out).and_then(|outcome| {
        out.flush()?;
        Ok(outcome)
    });
    // What could not be printed is not tried again when the buffer goes.
    drop(out.into_parts());
    if let Some(pager) = pager {
        pager.wait();
    }
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

/// Prints help, or what is wrong with the command line, which repeats what was typed there.
fn not_understood(message: &clap::Error) -> ExitCode {
    if !message.use_stderr() {
        // A reader of the help may go away as well.
        let _ = message.print();
        return ExitCode::SUCCESS;
    }
    let text = terminal::harmless(&message.render().to_string());
    let _ = write!(std::io::stderr(), "{}", text.trim_end_matches('\n'));
    let _ = writeln!(std::io::stderr());
    exit::failure()
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
        Command::Pick(args) => commands::pick::run(&session, args, out),
        Command::Export(args) => commands::export::run(&session, args, out),
        Command::Sync => commands::sync::run(&session, out),
        Command::Status => commands::status::run(&session, out),
        Command::Doctor(args) => commands::doctor::run(&session, args, out),
        Command::Tag(args) => commands::tags::add(&session, args, out),
        Command::Untag(args) => commands::tags::remove(&session, args, out),
        Command::Tags(args) => commands::tags::show(&session, args, out),
        Command::Completions(args) => print(&manual::completions(args.shell), out),
        Command::Man(args) => print(&manual::manual(args.format)?, out),
    }
}

fn print(text: &[u8], out: Out<'_>) -> anyhow::Result<Outcome> {
    out.write_all(text)?;
    Ok(Outcome::Found)
}
