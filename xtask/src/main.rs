//! The developers' one door.

mod corpus;

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
    GenCorpus(corpus::GenCorpus),
}

fn main() -> Result<()> {
    match Xtask::parse().task {
        Task::GenCorpus(task) => println!("{}", task.run()?),
    }
    Ok(())
}
