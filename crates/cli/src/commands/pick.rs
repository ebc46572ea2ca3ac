use std::{
    io::IsTerminal,
    process::{Command, ExitStatus},
};

use anyhow::{Context, bail};
use camino::Utf8Path;

use crate::{
    Out, Session,
    args::Pick,
    exit::Outcome,
    pick::{self, Begin},
    terminal::harmless,
};

pub(crate) fn run(session: &Session, args: &Pick, out: Out<'_>) -> anyhow::Result<Outcome> {
    if !std::io::stdin().is_terminal() || !std::io::stderr().is_terminal() {
        bail!("pick needs a terminal; `lookback search` and `lookback list` print");
    }
    let lookback = session.open()?;
    // A failure is no reason not to show what is there; `lookback status` and `doctor` name it.
    let _ = super::freshen(session, &lookback);
    let colours = anstream::AutoStream::choice(&std::io::stderr()) != anstream::ColorChoice::Never;
    let begin = Begin {
        query: args.query.join(" "),
        here: args.here,
        prints: args.print || session.json,
        colours,
    };
    let Some(row) = pick::choose(&lookback, &session.surroundings.cwd, &begin)? else {
        return Ok(Outcome::Nothing);
    };
    if session.json {
        let line = serde_json::json!({
            "type": "session", "id": row.id, "path": row.path, "entry": row.entry,
        });
        session.line(out, &line)?;
        return Ok(Outcome::Found);
    }
    if args.print {
        // Programs need the name as it is, terminals one that does nothing to them.
        let path = row.path.as_str();
        let shown = if std::io::stdout().is_terminal() {
            harmless(path)
        } else {
            path.to_owned()
        };
        writeln!(out, "{shown}")?;
        return Ok(Outcome::Found);
    }
    let inspection = lookback::inspect(&row.path)?;
    if let Some(reason) = inspection.opens.reason {
        bail!(
            "Pi does not open {}: {reason}; `lookback read {}` shows what is in it",
            row.path,
            row.id
        );
    }
    resume(&row.path)
}

/// Goes on in Pi, which takes the place of this process where the system can do that.
fn resume(path: &Utf8Path) -> anyhow::Result<Outcome> {
    // On Windows npm installs a batch file.
    let mut pi = Command::new(if cfg!(windows) { "pi.cmd" } else { "pi" });
    pi.arg("--session").arg(path);
    let ended = start(&mut pi).with_context(|| format!("cannot start pi --session {path}"))?;
    if !ended.success() {
        bail!("pi ended with {ended}");
    }
    Ok(Outcome::Found)
}

#[cfg(unix)]
fn start(pi: &mut Command) -> std::io::Result<ExitStatus> {
    use std::os::unix::process::CommandExt;
    Err(pi.exec())
}

#[cfg(not(unix))]
fn start(pi: &mut Command) -> std::io::Result<ExitStatus> {
    pi.status()
}
