//! `cargo xtask bench …`: what can be measured. The programs that measure are examples of the crates they measure:
//! this one depends on none of ours and only starts them.

mod engine;
mod figures;
mod growth_chart;
mod instructions;
mod measure;
mod page;
mod queries;
mod speed;

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Subcommand;

#[derive(Subcommand)]
pub(crate) enum Bench {
    /// How often a search puts the right session first, by kind of query and policy
    Quality {
        /// Options of the benchmark: `--half tune`, `--policy default`, `--failures`, `--json`, …
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        options: Vec<String>,
    },
    Speed(speed::Speed),
    Instructions(instructions::Instructions),
}

impl Bench {
    pub(crate) fn run(self, root: &Path) -> Result<()> {
        match self {
            Self::Quality { options } => example(root, "lookback", "quality", &options),
            Self::Speed(speed) => speed.run(root),
            Self::Instructions(instructions) => instructions.run(root),
        }
    }
}
/// Runs an example of a crate; its output is ours.
fn example(root: &Path, package: &str, name: &str, options: &[String]) -> Result<()> {
    let status = Command::new("cargo")
        .args([
            "run",
            "--release",
            "--quiet",
            "--locked",
            "-p",
            package,
            "--example",
            name,
            "--",
        ])
        .args(options)
        .current_dir(root)
        .status()
        .with_context(|| format!("cargo could not be started in {}", root.display()))?;
    if !status.success() {
        bail!("the benchmark `{name}` ended with {status}");
    }
    Ok(())
}
