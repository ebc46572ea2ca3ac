//! A made-up archive of Pi sessions for benchmarks and load tests: any size, the same bytes for the same seed.
//!
//! What it imitates: the file layout and key order of Pi 1.6, the share of text among tool output, thoughts and
//! images, sizes with a heavy tail, words by Zipf's law with identifiers in between, subjects that a session returns
//! to, abandoned branches, forks with copied entries, compactions, context edits, names, labels, and sessions held in
//! Japanese, Chinese and Korean.
//!
//! [`plan`] decides what each session holds, [`render`] writes it. Both depend on the seed and the number of the
//! session only, so sessions can be written in any order, by any number of threads, one line in memory at a time.

mod cjk;
mod english;
mod json;
mod message;
mod models;
mod plan;
mod project;
mod prompt;
mod prose;
mod random;
mod render;
mod sizes;
mod story;
#[cfg(test)]
mod tests;
mod tools;
mod vocabulary;

use std::fmt;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use clap::Args;

use plan::{Blueprint, Kind, Plan};
use render::{Renderer, World};

/// Text messages (of users and assistants) of the average session at the default size.
const MEAN_TEXTS: f64 = 41.5;
/// Bytes of the average session that come with that number of messages.
const MEAN_BYTES: f64 = 223_000.0;

/// Lines are collected up to this size before they are written.
const BUFFER: usize = 256 * 1024;

/// Write an archive of made-up Pi sessions: realistic in layout, sizes and words, the same for the same seed.
#[derive(Args, Clone, Debug)]
pub(crate) struct GenCorpus {
    /// Number of session files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) sessions: u32,
    /// Anything; another seed gives another archive of the same shape
    #[arg(long, value_name = "S", default_value_t = 7)]
    pub(crate) seed: u64,
    /// Folder that becomes the sessions folder; created, and refused when it holds anything
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Average size of a session; the number of its messages grows with it
    #[arg(long, value_name = "BYTES", default_value_t = MEAN_BYTES as u32, value_parser = clap::value_parser!(u32).range(10_000..=100_000_000))]
    pub(crate) bytes_per_session: u32,
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Summary {
    pub(crate) files: usize,
    pub(crate) bytes: usize,
    pub(crate) entries: usize,
    pub(crate) messages: usize,
    pub(crate) text_messages: usize,
    pub(crate) text_bytes: usize,
    pub(crate) forks: usize,
    pub(crate) compactions: usize,
    pub(crate) branch_summaries: usize,
    pub(crate) longest_line: usize,
    pub(crate) most_messages: usize,
    pub(crate) took: Duration,
}

impl GenCorpus {
    /// Sessions of the usual size.
    pub(crate) fn new(sessions: u32, seed: u64, out: PathBuf) -> Self {
        Self {
            sessions,
            seed,
            out,
            bytes_per_session: MEAN_BYTES as u32,
        }
    }

    pub(crate) fn run(&self) -> Result<Summary> {
        let start = Instant::now();
        fs_err::create_dir_all(&self.out)?;
        if fs_err::read_dir(&self.out)?.next().is_some() {
            bail!(
                "{} is not empty; name a new folder or empty this one first",
                self.out.display()
            );
        }
        let sessions = self.sessions as usize;
        let texts = MEAN_TEXTS * f64::from(self.bytes_per_session) / MEAN_BYTES;
        let blueprint = Blueprint::new(self.seed, sessions, texts);
        let world = World::new(self.seed, blueprint.projects());

        let next = AtomicUsize::new(0);
        let total = Mutex::new(Ok(Summary::default()));
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let written = write_sessions(&next, sessions, |number| {
                        write_session(&self.out, &world, &blueprint.plan(number))
                    });
                    // A poisoned lock means that another thread has panicked; the scope passes that on.
                    if let Ok(mut total) = total.lock() {
                        match (&mut *total, written) {
                            (Ok(sum), Ok(part)) => sum.add(&part),
                            (Ok(_), Err(error)) => *total = Err(error),
                            (Err(_), _) => {}
                        }
                    }
                });
            }
        });
        let mut summary = total
            .into_inner()
            .unwrap_or_else(|poisoned| poisoned.into_inner())?;
        summary.took = start.elapsed();
        Ok(summary)
    }
}

/// Takes numbers from the common counter until there are none left or one fails.
fn write_sessions(
    next: &AtomicUsize,
    sessions: usize,
    write: impl Fn(usize) -> Result<Summary>,
) -> Result<Summary> {
    let mut sum = Summary::default();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= sessions {
            return Ok(sum);
        }
        match write(number) {
            Ok(part) => sum.add(&part),
            Err(error) => {
                // The others stop as well: half an archive is of no use.
                next.store(sessions, Ordering::Relaxed);
                return Err(error);
            }
        }
    }
}

fn write_session(root: &Path, world: &World, plan: &Plan) -> Result<Summary> {
    let path = root.join(plan.file_name());
    if let Some(folder) = path.parent() {
        fs_err::create_dir_all(folder)?;
    }
    let mut file = fs_err::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)?;
    let renderer = Renderer::new(world, plan);
    let mut lines = String::with_capacity(BUFFER * 2);
    let mut sum = Summary {
        files: 1,
        forks: usize::from(plan.parent.is_some()),
        ..Summary::default()
    };
    renderer.header(&mut lines);
    for step in &plan.steps {
        let start = lines.len();
        let text = renderer.entry(step, &mut lines);
        sum.entries += 1;
        sum.longest_line = sum.longest_line.max(lines.len() - start);
        sum.text_messages += usize::from(text.is_some());
        sum.text_bytes += text.unwrap_or(0);
        match step.kind {
            Kind::System { .. }
            | Kind::User
            | Kind::Assistant { .. }
            | Kind::ToolResult { .. }
            | Kind::Bash => sum.messages += 1,
            Kind::Compaction { .. } => sum.compactions += 1,
            Kind::BranchSummary { .. } => sum.branch_summaries += 1,
            _ => {}
        }
        if lines.len() >= BUFFER {
            sum.bytes += lines.len();
            file.write_all(lines.as_bytes())?;
            lines.clear();
        }
    }
    sum.bytes += lines.len();
    file.write_all(lines.as_bytes())?;
    sum.most_messages = sum.messages;
    // As if each session had been written when its last entry says so.
    let last = plan
        .steps
        .iter()
        .map(|step| step.time)
        .max()
        .unwrap_or(plan.started);
    let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(last as u64);
    file.file()
        .set_modified(modified)
        .with_context(|| format!("cannot set the time of {}", path.display()))?;
    Ok(sum)
}

impl Summary {
    fn add(&mut self, part: &Summary) {
        self.files += part.files;
        self.bytes += part.bytes;
        self.entries += part.entries;
        self.messages += part.messages;
        self.text_messages += part.text_messages;
        self.text_bytes += part.text_bytes;
        self.forks += part.forks;
        self.compactions += part.compactions;
        self.branch_summaries += part.branch_summaries;
        self.longest_line = self.longest_line.max(part.longest_line);
        self.most_messages = self.most_messages.max(part.most_messages);
    }

    /// The share of the bytes that is text of users and assistants.
    pub(crate) fn text_share(&self) -> f64 {
        self.text_bytes as f64 / self.bytes.max(1) as f64
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = self.bytes as f64 / 1e6;
        let seconds = self.took.as_secs_f64();
        writeln!(f, "files           {:>12}   ({} forks)", self.files, self.forks)?;
        writeln!(f, "bytes           {:>12}   ({megabytes:.1} MB)", self.bytes)?;
        writeln!(
            f,
            "entries         {:>12}   ({} compactions, {} branch summaries)",
            self.entries, self.compactions, self.branch_summaries
        )?;
        writeln!(
            f,
            "messages        {:>12}   (at most {} in one session)",
            self.messages, self.most_messages
        )?;
        writeln!(
            f,
            "text messages   {:>12}   (of users and assistants)",
            self.text_messages
        )?;
        writeln!(
            f,
            "text bytes      {:>12}   ({:.1} % of all bytes)",
            self.text_bytes,
            self.text_share() * 100.0
        )?;
        writeln!(f, "longest line    {:>12}", self.longest_line)?;
        write!(
            f,
            "took            {seconds:>11.2}s   ({:.0} MB/s)",
            megabytes / seconds.max(1e-9)
        )
    }
}
