//! `cargo xtask bench instructions`: a guard against costs that creep in. Instructions are counted rather than time
//! taken, because a count is the same on a busy machine; it differs a little between processors and compilers.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use anyhow::{Context, Result, bail};
use clap::Args;
use fs_err as fs;
use serde_json::{Map, Value, json};

use super::{
    figures::thousands,
    queries::MIX,
    speed::{corpus, measuring_program},
};

/// The corpus on which instructions are counted.
const SESSIONS: u32 = 200;
/// Where the budgets are, below the repository's root.
const BUDGETS: &str = "bench/instructions.json";
/// How much more than its budget something may cost.
const TOLERANCE: f64 = 0.1;

/// Whether opening, a sync without changes and searching still take no more instructions than their budgets
#[derive(Args, Clone, Debug)]
pub(crate) struct Instructions {
    /// Make what is counted now the new budgets
    #[arg(long)]
    renew: bool,
    /// Where the corpus and its index lie [default: target/bench]
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
}

impl Instructions {
    pub(crate) fn run(&self, root: &Path) -> Result<()> {
        if Command::new("valgrind").arg("--version").output().is_err() {
            println!(
                "passed over: instructions are counted by valgrind, which is not on PATH (apt-get install valgrind)"
            );
            return Ok(());
        }
        let folder = self.folder.clone().unwrap_or_else(|| root.join("target/bench"));
        let sessions = corpus(&folder, SESSIONS)?;
        let counted = count(
            &measuring_program(root)?,
            &sessions,
            &folder.join("instructions-cache"),
        )?;
        let path = root.join(BUDGETS);
        if self.renew {
            let mut text = serde_json::to_string_pretty(&json!(counted))?;
            text.push('\n');
            fs::write(&path, text)?;
            println!("{BUDGETS} is renewed");
            return Ok(());
        }
        let budgets: Map<String, Value> = serde_json::from_slice(&fs::read(&path)?)
            .with_context(|| format!("{BUDGETS} does not hold budgets"))?;
        let (report, exceeded) = compare(&budgets, &counted);
        print!("{report}");
        if !exceeded.is_empty() {
            bail!(
                "more instructions than the budget and a tenth of it: {}\nif that is what the change is worth, renew \
                 the budgets in the same commit and say why:\n  cargo xtask bench instructions --renew",
                exceeded.join(", ")
            );
        }
        Ok(())
    }
}

/// Counts by differences: what a process does once, such as starting, is in both counts and drops out.
fn count(program: &Path, sessions: &Path, cache: &Path) -> Result<Map<String, Value>> {
    if cache.exists() {
        fs::remove_dir_all(cache)?;
    }
    let built = Command::new(program)
        .arg("build")
        .args([sessions, cache])
        .stdout(Stdio::null())
        .status()?;
    if !built.success() {
        bail!("the index could not be built: {built}");
    }
    let syncs = |times: usize| "sync\n".repeat(times);
    let mix: String = MIX
        .iter()
        .flat_map(|kind| kind.queries)
        .map(|query| format!("query 10 {query}\n"))
        .collect();
    let counted = |requests: &str| instructions(program, sessions, cache, requests);
    let open = counted("")?;
    let sync = (counted(&syncs(11))? - counted(&syncs(1))?) / 10;
    let first = counted(&mix)?;
    let again = counted(&mix.repeat(2))? - first;
    let mut all = Map::new();
    all.insert("start and open".to_owned(), open.into());
    all.insert("sync without changes".to_owned(), sync.into());
    all.insert("query mix, first time".to_owned(), (first - open).into());
    all.insert("query mix, again".to_owned(), again.into());
    Ok(all)
}

/// The instructions of a process that opens the index, answers these requests and ends.
fn instructions(program: &Path, sessions: &Path, cache: &Path, requests: &str) -> Result<u64> {
    let mut process = Command::new("valgrind")
        .args([
            "--tool=cachegrind",
            "--cache-sim=no",
            "--cachegrind-out-file=/dev/null",
        ])
        .arg(program)
        .arg("serve")
        .args([sessions, cache])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()?;
    let mut input = process.stdin.take().context("valgrind has no standard input")?;
    input.write_all(requests.as_bytes())?;
    drop(input);
    let output = process.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        bail!("valgrind ended with {}:\n{text}", output.status);
    }
    references(&text)
        .with_context(|| format!("valgrind did not say how many instructions there were:\n{text}"))
}

/// The count in a line such as `==77== I refs:      1,234,567`.
fn references(text: &str) -> Option<u64> {
    let line = text
        .lines()
        .find(|line| line.contains("I") && line.contains("refs:"))?;
    let digits: String = line
        .rsplit(':')
        .next()?
        .chars()
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

/// A line for each budget, and the names of those that are exceeded. What has no budget is exceeded as well: it would
/// be guarded by nobody.
fn compare(budgets: &Map<String, Value>, counted: &Map<String, Value>) -> (String, Vec<String>) {
    let (mut report, mut exceeded) = (String::new(), Vec::new());
    for (name, count) in counted {
        let count = count.as_f64().unwrap_or(f64::MAX);
        let budget = budgets.get(name).and_then(Value::as_f64).unwrap_or(0.0);
        let share = count / budget;
        let verdict = match share {
            share if share > 1.0 + TOLERANCE => {
                exceeded.push(name.clone());
                "EXCEEDED"
            }
            share if share < 1.0 - TOLERANCE => "less than before: worth renewing",
            _ => "ok",
        };
        let thousand = |value: f64| thousands((value / 1000.0).round() as u32);
        report.push_str(&format!(
            "{name:24} {:>12} thousand of {:>12}  {:>6.1} %  {verdict}\n",
            thousand(count),
            thousand(budget),
            share * 100.0
        ));
    }
    (report, exceeded)
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{compare, references};

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn a_tenth_more_is_let_pass_and_anything_beyond_is_not() {
        let budgets = map(json!({"open": 1000, "sync": 1000, "search": 1000}));
        let counted = map(json!({"open": 1099, "sync": 1101, "search": 500, "new": 1}));
        let (report, exceeded) = compare(&budgets, &counted);
        assert_eq!(exceeded, ["new", "sync"]);
        assert!(report.contains("50.0 %  less than before"), "{report}");
    }

    #[test]
    fn the_count_is_read_from_what_valgrind_prints() {
        let text =
            "==7== Cachegrind, a high-precision tracing profiler\n==7== \n==7== I refs:        1,234,567\n";
        assert_eq!(references(text), Some(1_234_567));
        let text = "==7== I   refs:      89\n";
        assert_eq!(references(text), Some(89));
        assert_eq!(references("==7== out of memory"), None);
    }
}
