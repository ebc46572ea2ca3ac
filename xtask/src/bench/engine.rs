//! Engines that are measured: programs that speak the protocol of docs/benchmarks.md, ours like all others.

use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail};
use serde_json::Value;

/// One engine.
#[derive(Debug)]
pub(crate) struct Engine {
    pub(crate) name: String,
    /// The program that speaks the protocol, with arguments that come first.
    adapter: Vec<String>,
    /// The program `lookback`, where it is what starts and searches; of other engines the adapter does.
    program: Option<PathBuf>,
}

impl Engine {
    /// Ours: the measuring program, and the program that users start.
    pub(crate) fn ours(measuring: &Path, program: &Path) -> Self {
        Self {
            name: "lookback".to_owned(),
            adapter: vec![measuring.to_string_lossy().into_owned()],
            program: Some(program.to_owned()),
        }
    }

    /// Another engine, by the command line of its adapter: words between spaces, no quotes.
    pub(crate) fn against(command: &str) -> Result<Self> {
        let adapter: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        let last = adapter
            .last()
            .context("the command of the other engine is empty")?;
        let name = Path::new(last).file_stem().unwrap_or_default();
        Ok(Self {
            name: name.to_string_lossy().into_owned(),
            adapter,
            program: None,
        })
    }

    /// Builds an index from nothing in a process of its own. Returns what the adapter told.
    pub(crate) fn build(&mut self, sessions: &Path, cache: &Path) -> Result<Value> {
        let output = self
            .command("build", sessions, cache)
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("{} could not be started", self.adapter[0]))?;
        if !output.status.success() {
            bail!("`{} build` ended with {}", self.adapter.join(" "), output.status);
        }
        let text = String::from_utf8_lossy(&output.stdout);
        let answer = answer(text.lines().next_back().unwrap_or_default())?;
        if let Some(name) = answer["engine"].as_str() {
            self.name = name.to_owned();
        }
        Ok(answer)
    }

    /// A process that has opened the index and waits for requests.
    pub(crate) fn serve(&self, sessions: &Path, cache: &Path) -> Result<Served> {
        let mut process = self
            .command("serve", sessions, cache)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} could not be started", self.adapter[0]))?;
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            bail!("{} has no pipes", self.adapter[0]);
        };
        let mut served = Served {
            process,
            requests: Some(requests),
            answers: BufReader::new(answers),
            open_ms: None,
        };
        served.open_ms = served.read()?["open_ms"].as_f64();
        Ok(served)
    }

    /// How long a process takes from its start to its end, in which it opens the index and shows ten hits.
    pub(crate) fn first_result(&self, sessions: &Path, cache: &Path, query: &str) -> Result<Duration> {
        let mut command = match &self.program {
            None => {
                let mut command = self.command("first", sessions, cache);
                command.arg(query);
                command
            }
            Some(program) => {
                let mut command = Command::new(program);
                command
                    .arg("search")
                    .args(["--json", "--limit", "10", "--sessions"])
                    .arg(sessions)
                    .arg("--cache")
                    .arg(cache)
                    .arg("--data")
                    .arg(cache.with_extension("data"))
                    .arg("--")
                    .arg(query);
                command
            }
        };
        let begin = Instant::now();
        let output = command
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("{} could not be started", self.name))?;
        let took = begin.elapsed();
        if !output.status.success() || output.stdout.is_empty() {
            bail!(
                "{}: a search for `{query}` ended with {}",
                self.name,
                output.status
            );
        }
        Ok(took)
    }

    fn command(&self, order: &str, sessions: &Path, cache: &Path) -> Command {
        let mut command = Command::new(&self.adapter[0]);
        command
            .args(&self.adapter[1..])
            .arg(order)
            .arg(sessions)
            .arg(cache);
        command
    }
}

/// A process that answers requests. It ends when this is dropped.
#[derive(Debug)]
pub(crate) struct Served {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    /// How long it took to open the index.
    pub(crate) open_ms: Option<f64>,
}

impl Served {
    /// The time of one request in milliseconds; nothing where the engine has no such thing.
    pub(crate) fn ms(&mut self, request: &str) -> Result<Option<f64>> {
        Ok(self.ask(request)?["ms"].as_f64())
    }

    /// Makes one request and returns the answer.
    pub(crate) fn ask(&mut self, request: &str) -> Result<Value> {
        let requests = self.requests.as_mut().context("the process has ended")?;
        writeln!(requests, "{request}").and_then(|()| requests.flush())?;
        self.read()
            .with_context(|| format!("the request was: {request:.100}"))
    }

    fn read(&mut self) -> Result<Value> {
        let mut line = String::new();
        if self.answers.read_line(&mut line)? == 0 {
            bail!("the process ended without an answer");
        }
        answer(&line)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // The end of its requests is the end of it; there is nobody left to tell about a failure.
        self.requests = None;
        let _ = self.process.wait();
    }
}

fn answer(line: &str) -> Result<Value> {
    serde_json::from_str(line)
        .with_context(|| format!("an answer has to be one line of JSON, not: {line:.200}"))
}
