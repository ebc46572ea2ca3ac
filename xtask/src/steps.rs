//! Runs a list of commands in order, shows what each one is and how long it took, and stops at the first failure.

use std::fmt;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

/// One command.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    name: String,
    program: PathBuf,
    arguments: Vec<String>,
    environment: Vec<(&'static str, String)>,
    folder: PathBuf,
}

impl Step {
    pub(crate) fn new(
        name: impl Into<String>,
        folder: &Path,
        program: impl Into<PathBuf>,
        arguments: &[&str],
    ) -> Self {
        Self {
            name: name.into(),
            program: program.into(),
            arguments: arguments.iter().map(|&argument| argument.to_owned()).collect(),
            environment: Vec::new(),
            folder: folder.to_owned(),
        }
    }

    pub(crate) fn with_environment(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    fn run(&self) -> Result<()> {
        let status = Command::new(&self.program)
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.folder)
            .status();
        match status {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => bail!("it ended with {status}"),
            Err(error) if error.kind() == ErrorKind::NotFound && self.folder.is_dir() => {
                bail!(
                    "the program `{}` is missing. {}",
                    self.program.display(),
                    how_to_get(&self.program)
                )
            }
            Err(error) => bail!("it could not be started in {}: {error}", self.folder.display()),
        }
    }
}

/// The command as one would type it.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.environment {
            write!(f, "{name}={} ", quoted(value))?;
        }
        write!(f, "{}", quoted(&self.program.to_string_lossy()))?;
        self.arguments
            .iter()
            .try_for_each(|argument| write!(f, " {}", quoted(argument)))
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./=:,@+[]".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{word}'")
    }
}

fn how_to_get(program: &Path) -> &'static str {
    match program.file_name().and_then(|name| name.to_str()) {
        Some("cargo") => {
            "Install Rust (`rust-version` in Cargo.toml names the oldest one that works) and put it on PATH."
        }
        Some("node" | "npm") => {
            "Install any Node.js that comes with npm; the Node that the tests need is a development dependency of their package."
        }
        Some("python3") => "Install Python 3.10 or newer with its module venv and put it on PATH.",
        _ => "Install it and put it on PATH.",
    }
}

/// Runs the steps and prints a closing table. `task` is what a developer types to get here.
pub(crate) fn run(task: &str, steps: &[Step]) -> Result<()> {
    let mut took: Vec<Duration> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        println!("\n==> [{}/{}] {}: {step}", number + 1, steps.len(), step.name);
        let start = Instant::now();
        let outcome = step.run();
        took.push(start.elapsed());
        if let Err(error) = outcome {
            print_times(steps, &took, true);
            let rest: Vec<&str> = steps[number + 1..]
                .iter()
                .map(|step| step.name.as_str())
                .collect();
            let not_run = if rest.is_empty() {
                String::new()
            } else {
                format!("\nnot run: {}", rest.join(", "))
            };
            bail!(
                "{task}: step `{}` failed: {error}{not_run}\nto repeat it alone, in {}:\n  {step}",
                step.name,
                step.folder.display()
            );
        }
    }
    print_times(steps, &took, false);
    println!(
        "{task}: all {} steps passed in {:.1}s",
        steps.len(),
        took.iter().sum::<Duration>().as_secs_f64()
    );
    Ok(())
}

fn print_times(steps: &[Step], took: &[Duration], last_failed: bool) {
    println!();
    let width = steps.iter().map(|step| step.name.len()).max().unwrap_or(0);
    for (number, (step, time)) in steps.iter().zip(took).enumerate() {
        let outcome = if last_failed && number + 1 == took.len() {
            "FAILED"
        } else {
            "ok"
        };
        println!("  {:width$}  {:>7.1}s  {outcome}", step.name, time.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, run};

    fn step(name: &str, program: &str, arguments: &[&str]) -> Step {
        Step::new(name, std::path::Path::new("."), program, arguments)
    }

    #[test]
    fn the_first_failure_ends_the_run_and_names_what_was_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("made").to_string_lossy().into_owned();
        let steps = [
            step("fine", "cargo", &["--version"]),
            // Fails without a word, which keeps the output of the tests readable.
            step(
                "broken",
                "git",
                &["diff", "--no-index", "--quiet", "Cargo.toml", "src/main.rs"],
            ),
            step("last", "cargo", &["new", &file]),
        ];
        let error = run("cargo xtask demo", &steps).unwrap_err().to_string();
        assert!(
            error.contains("step `broken` failed: it ended with exit"),
            "{error}"
        );
        assert!(error.contains("not run: last"), "{error}");
        assert!(
            error.contains("\n  git diff --no-index --quiet Cargo.toml src/main.rs"),
            "{error}"
        );
        assert!(
            !folder.path().join("made").exists(),
            "a step after the failure was run"
        );
    }

    #[test]
    fn a_missing_program_is_named_together_with_the_way_to_get_it() {
        let error = run(
            "cargo xtask demo",
            &[step("odd", "no-such-program-anywhere", &[])],
        )
        .unwrap_err()
        .to_string();
        assert!(
            error.contains("the program `no-such-program-anywhere` is missing. Install it"),
            "{error}"
        );
    }

    #[test]
    fn a_command_is_shown_as_it_can_be_typed() {
        let step =
            step("docs", "cargo", &["doc", "two words"]).with_environment("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(
            step.to_string(),
            "RUSTDOCFLAGS='-D warnings' cargo doc 'two words'"
        );
    }
}
