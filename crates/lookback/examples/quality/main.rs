//! How often does a search put the right session first?
//!
//! ```sh
//! cargo xtask bench quality                                # all policies, the half that figures are reported from
//! cargo xtask bench quality --half tune --failures         # what went wrong, with the scores of winner and wanted
//! cargo xtask bench quality --policy default --set scales.turn=0.4 --half tune
//! ```
//!
//! Two sets of queries are asked, each with exactly one right session. The seeded set (`seeded/`) is made in code, over
//! an archive of made-up sessions in which every right answer has rivals that share its words. The hand-made set
//! (`bench/quality`) is written by people: sessions about invented projects, and questions whose words stand only
//! partly in the answer. `--sessions FOLDER --queries FILE` asks one's own instead.
//!
//! Both halves are of the same make: `tune` is for looking at failures and choosing numbers, `report` is measured
//! afterwards and is what `docs/benchmarks.md` shows.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "an example is a program"
)]

mod archive;
mod arguments;
mod case;
mod measure;
mod report;
mod seeded;
#[cfg(test)]
mod tests;

use std::{error::Error, process::ExitCode};

use camino::{Utf8Path, Utf8PathBuf};

use arguments::{Arguments, Set};
use case::Case;
use measure::Outcome;

fn main() -> ExitCode {
    match run(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(given: Vec<String>) -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse(given)?;
    let policies = arguments.policies()?;
    let mut outcomes: Vec<Outcome> = Vec::new();
    for (set, cases) in question_sets(&arguments)? {
        let cases: Vec<Case> = cases.into_iter().filter(|case| arguments.asks(case)).collect();
        for policy in &policies {
            outcomes.extend(measure::ask(&set, &cases, policy, arguments.failures)?);
        }
    }
    if arguments.failures {
        report::failures(&outcomes);
    } else if arguments.json {
        println!("{}", report::json(&outcomes));
    } else {
        print!("{}", report::table(&outcomes));
    }
    Ok(())
}

/// An archive and the cases that are asked of it.
type QuestionSet = (archive::Archive, Vec<Case>);

/// The archives that are searched, each with its queries.
fn question_sets(arguments: &Arguments) -> Result<Vec<QuestionSet>, Box<dyn Error>> {
    if let (Some(sessions), Some(queries)) = (&arguments.sessions, &arguments.queries) {
        return Ok(vec![(archive::Archive::open(sessions)?, case::read(queries)?)]);
    }
    let mut sets = Vec::new();
    if arguments.set != Set::Made {
        let made = seeded::make(arguments.seed, arguments.per_kind);
        let archive = archive::Archive::write(&made.sessions)?;
        sets.push((archive, made.cases));
    }
    if arguments.set != Set::Seeded {
        let folder = hand_made();
        sets.push((
            archive::Archive::open(&folder.join("sessions"))?,
            case::read(&folder.join("queries.tsv"))?,
        ));
    }
    Ok(sets)
}

/// The hand-made sessions and their queries.
fn hand_made() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/quality")
}
