use lookback::{Check, CheckState, SyncRequest};
use serde_json::json;

use crate::{
    Out, Session,
    args::Doctor,
    exit::Outcome,
    output::Line,
    progress,
    terminal::{DIM, GOOD, NOTE, TITLE, WARN, harmless, one_line},
};

/// The version of Pi whose reading of session files is followed.
const PI: &str = "1.6";

pub(crate) fn run(session: &Session, args: &Doctor, out: Out<'_>) -> anyhow::Result<Outcome> {
    let lookback = session.open()?;
    let locations = &session.locations;
    let bar = progress::Bar::new(session.json);
    let show = |progress| bar.show(progress);
    let repaired = if args.repair {
        lookback.repair(&SyncRequest {
            progress: &show,
            ..SyncRequest::default()
        })
    } else {
        Vec::new()
    };
    let checkup = lookback.checkup(&locations.warnings, &show);
    bar.done();
    let outcome = if checkup.is_sound() {
        Outcome::Found
    } else {
        Outcome::Nothing
    };
    let version = env!("CARGO_PKG_VERSION");
    if session.json {
        for check in &repaired {
            session.line(out, &Line::Repair { check })?;
        }
        for check in &checkup.checks {
            session.line(out, &Line::Check { check })?;
        }
        let summary = json!({
            "version": version, "pi": PI, "agentDir": locations.agent_dir, "roots": locations.roots,
            "cache": locations.cache, "data": locations.data, "sound": checkup.is_sound(),
            "problems": checkup.problems, "notices": checkup.notices,
        });
        session.line(out, &Line::Summary { summary })?;
        return Ok(outcome);
    }
    writeln!(
        out,
        "{TITLE}Lookback {version}{TITLE:#}, reading session files as Pi {PI} does"
    )?;
    for (name, folder) in [
        ("Pi", &locations.agent_dir),
        ("index", &locations.cache),
        ("tags", &locations.data),
    ] {
        writeln!(out, "{name:<9} {}", one_line(folder.as_str()))?;
    }
    writeln!(out)?;
    for check in &repaired {
        write!(out, "{GOOD}repair{GOOD:#}    ")?;
        draw(check, out)?;
    }
    for check in &checkup.checks {
        draw(check, out)?;
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    let (problems, notices) = (checkup.problems, checkup.notices);
    let notes = match notices {
        0 => String::new(),
        _ => format!(
            " {notices} notice{}; nothing has to be done about them.",
            plural(notices)
        ),
    };
    if checkup.is_sound() {
        writeln!(out, "\n{GOOD}Nothing is wrong.{GOOD:#}{notes}")?;
    } else {
        writeln!(
            out,
            "\n{WARN}{problems} problem{}.{WARN:#}{notes}",
            plural(problems)
        )?;
    }
    Ok(outcome)
}

fn draw(check: &Check, out: Out<'_>) -> anyhow::Result<()> {
    let (word, style) = match check.state {
        CheckState::Ok => ("ok", GOOD),
        CheckState::Notice => ("notice", NOTE),
        CheckState::Problem => ("problem", WARN),
    };
    write!(out, "{:<9} {style}{word:<8}{style:#} ", check.area.name())?;
    if let Some(path) = &check.path {
        write!(out, "{} ", one_line(path.as_str()))?;
    }
    writeln!(out, "{}", harmless(&check.message))?;
    if let Some(advice) = &check.advice {
        writeln!(out, "{DIM}{:18} {}{DIM:#}", "", harmless(advice))?;
    }
    Ok(())
}
