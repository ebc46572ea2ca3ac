//! `cargo xtask bench speed`: what everything costs, on corpora of several sizes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use fs_err as fs;

use super::{
    engine::Engine,
    figures::Figures,
    growth_chart,
    measure::{Corpus, Rounds},
    page,
};
use crate::corpus::GenCorpus;

/// The seed of all corpora: the queries were chosen for it.
const SEED: u64 = 7;
/// The name of the section in docs/benchmarks.md.
const SECTION: &str = "speed";

/// What the first build, syncs, searches and a start cost, on corpora of several sizes
#[derive(Args, Clone, Debug)]
pub(crate) struct Speed {
    /// Numbers of sessions, each a corpus of its own
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [200, 2_000, 10_000])]
    sessions: Vec<u32>,
    /// Print one JSON line for each figure, in place of tables
    #[arg(long)]
    json: bool,
    /// Measure another engine in the same run, by turns: the command of its adapter
    #[arg(long, value_name = "CMD")]
    against: Vec<String>,
    /// Write tables and chart into docs/benchmarks.md
    #[arg(long)]
    write: bool,
    /// Where corpora and indexes lie; corpora are kept and used again [default: target/bench]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Speed {
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        let (measuring, program) = (measuring_program(root)?, user_program(root)?);
        let folder = self.folder.clone().unwrap_or_else(|| root.join("target/bench"));
        let machine = page::machine(&jiff::Timestamp::now().strftime("%Y-%m-%d").to_string());
        let mut engines = vec![Engine::ours(&measuring, &program)];
        for command in &self.against {
            engines.push(Engine::against(command)?);
        }
        let mut figures = Figures::default();
        for number in &self.sessions {
            let sessions = corpus(&folder, *number)?;
            eprintln!("measuring {number} sessions");
            let scratch = folder.join(format!("scratch-{number}"));
            fs::create_dir_all(&scratch)?;
            let corpus = Corpus {
                number: *number,
                sessions: &sessions,
                scratch: &scratch,
            };
            corpus.measure(&mut engines, &Rounds::FULL, &mut figures)?;
            fs::remove_dir_all(&scratch)?;
        }
        if self.json {
            print!("{}", figures.lines());
        } else {
            println!("{machine}\n\n{}\n{}", figures.table(), figures.kinds());
        }
        if self.write {
            let docs = root.join("docs");
            fs::write(docs.join("benchmarks-speed.svg"), growth_chart::draw(&figures)?)?;
            page::write_section(
                &docs.join("benchmarks.md"),
                SECTION,
                &self.section(&machine, &figures),
            )?;
        }
        Ok(())
    }

    fn section(&self, machine: &str, figures: &Figures) -> String {
        let numbers: Vec<String> = self.sessions.iter().map(u32::to_string).collect();
        format!(
            "Measured by `cargo xtask bench speed --sessions {} --write` ({machine}).\n\n{}\n\
             ![How each cost grows with the corpus](benchmarks-speed.svg)\n\n\
             Searches of each kind, limit 10, in milliseconds:\n\n{}",
            numbers.join(","),
            figures.table(),
            figures.kinds()
        )
    }
}

/// The corpus with this number of sessions; made when it is not there. It gets its name when it is complete, so that
/// one whose making was interrupted is made again.
pub(crate) fn corpus(folder: &Path, sessions: u32) -> Result<PathBuf> {
    let path = folder.join(format!("s{sessions}"));
    if !path.exists() {
        let part = folder.join(format!("s{sessions}.part"));
        if part.exists() {
            fs::remove_dir_all(&part)?;
        }
        eprintln!("making {sessions} sessions in {}", path.display());
        let made = GenCorpus::new(sessions, SEED, part.clone()).run()?;
        eprintln!("{made}");
        fs::rename(part, &path)?;
    }
    Ok(path)
}

/// The program that measures the index from inside, built for release.
pub(crate) fn measuring_program(root: &Path) -> Result<PathBuf> {
    built(root, &["-p", "lookback-index", "--example", "bench"], "bench")
}

/// The program that users start, built for release.
fn user_program(root: &Path) -> Result<PathBuf> {
    built(root, &["-p", "lookback-cli", "--bin", "lookback"], "lookback")
}

/// Builds a program and returns where cargo says that it lies.
fn built(root: &Path, what: &[&str], name: &str) -> Result<PathBuf> {
    let output = std::process::Command::new("cargo")
        .args([
            "build",
            "--release",
            "--locked",
            "--message-format=json-render-diagnostics",
        ])
        .args(what)
        .current_dir(root)
        .stderr(std::process::Stdio::inherit())
        .output()
        .with_context(|| format!("cargo could not be started in {}", root.display()))?;
    if !output.status.success() {
        bail!("`{name}` could not be built: cargo ended with {}", output.status);
    }
    let mut executables = output.stdout.split(|byte| *byte == b'\n').filter_map(|line| {
        let message: serde_json::Value = serde_json::from_slice(line).ok()?;
        (message["target"]["name"] == name).then(|| message["executable"].as_str().map(PathBuf::from))?
    });
    executables
        .next_back()
        .with_context(|| format!("cargo did not say where `{name}` lies"))
}

#[cfg(test)]
mod tests {
    use super::corpus;

    #[test]
    fn a_corpus_is_made_once_and_made_again_when_it_was_interrupted() {
        let folder = tempfile::tempdir().unwrap();
        let half = folder.path().join("s2.part");
        fs_err::create_dir_all(&half).unwrap();
        fs_err::write(half.join("rest"), "of an interrupted run").unwrap();
        let path = corpus(folder.path(), 2).unwrap();
        assert_eq!(path, folder.path().join("s2"));
        assert!(!half.exists() && !path.join("rest").exists());
        let marker = path.join("marker");
        fs_err::write(&marker, "").unwrap();
        corpus(folder.path(), 2).unwrap();
        assert!(marker.exists(), "it was not made a second time");
    }
}
