//! The developers' one door: everything that is done to this repository is a subcommand of `cargo xtask`.

mod bench;
mod checks;
mod corpus;
mod dist;
mod steps;
mod suites;
mod version;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "Everything a developer of Lookback runs"
)]
struct Xtask {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run all tests that exist: Rust with doc tests, and the Node and Python suites where they are
    Test,
    /// Check formatting, lints, documentation, licences and bans, then run all tests
    Ci,
    GenCorpus(corpus::GenCorpus),
    /// Measure
    #[command(subcommand)]
    Bench(bench::Bench),
    Dist(dist::Dist),
    Version(version::Version),
}

fn main() -> ExitCode {
    let outcome = match Xtask::parse().task {
        Task::Test => test(),
        Task::Ci => ci(),
        Task::Bench(bench) => bench.run(root()),
        Task::Dist(dist) => dist.run(root()),
        Task::Version(version) => version.run(root()).map(|said| println!("{said}")),
        Task::GenCorpus(task) => task.run().map(|summary| println!("{summary}")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nerror: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn test() -> Result<()> {
    let (steps, absent) = suites::steps(root());
    absent.iter().for_each(|suite| println!("{suite}"));
    steps::run("cargo xtask test", &steps)
}

fn ci() -> Result<()> {
    let mut steps = checks::steps(root());
    let (suites, absent) = suites::steps(root());
    absent.iter().for_each(|suite| println!("{suite}"));
    steps.extend(suites);
    steps::run("cargo xtask ci", &steps)
}

/// The root of the repository, in which this program was built.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}
