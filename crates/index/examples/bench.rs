//! Measures the index from inside its process, as one engine of `cargo xtask bench speed`, which asks the questions
//! and draws the table. docs/benchmarks.md has the protocol; another engine is measured by a program that speaks it.
//!
//! `bench build SESSIONS CACHE` builds an index from nothing, tells what it cost, and ends.
//! `bench serve SESSIONS CACHE` opens the index and answers requests on standard input, a line each.
//! Every answer is one line of JSON. Session files are only read.

#![allow(clippy::print_stdout, reason = "it is a program, and this is what it is for")]

use std::{
    error::Error,
    io::{BufRead, Write},
    time::{Duration, Instant},
};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use lookback_index::{Index, SyncOptions};
use lookback_ranker::{Annotations, SearchRequest};
use lookback_session_model::Timestamp;
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [order, sessions, cache] = arguments.as_slice() else {
        return Err("usage: bench build|serve SESSIONS CACHE".into());
    };
    let (roots, cache) = ([Utf8PathBuf::from(sessions)], Utf8Path::new(cache));
    match order.as_str() {
        "build" => tell(&build(&roots, cache)?),
        "serve" => serve(&roots, cache),
        other => Err(format!("there is no order `{other}`").into()),
    }
}

fn build(roots: &[Utf8PathBuf], cache: &Utf8Path) -> Result<Value, Box<dyn Error>> {
    let (begin, cpu) = (Instant::now(), cpu_time());
    let index = Index::open(cache)?;
    let report = index.sync(&SyncOptions::new(roots))?;
    Ok(json!({
        "engine": "lookback",
        "wall_ms": ms(begin.elapsed()),
        "cpu_ms": ms(cpu_time() - cpu),
        "peak_mib": peak_memory_mib(),
        "files": report.files,
        "read_mb": report.bytes_read as f64 / 1e6,
    }))
}

/// Answers until the requests end. Times are taken here: what the pipe between two programs costs is nobody's speed.
fn serve(roots: &[Utf8PathBuf], cache: &Utf8Path) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    let index = Index::open(cache)?;
    tell(&json!({ "engine": "lookback", "open_ms": ms(begin.elapsed()) }))?;
    for request in std::io::stdin().lock().lines() {
        let request = request?;
        let (order, rest) = request.split_once(' ').unwrap_or((&request, ""));
        tell(&match order {
            "walk" => {
                let begin = Instant::now();
                let (files, bytes) = roots.iter().try_fold((0, 0), |sum, root| walk(root, sum))?;
                json!({ "ms": ms(begin.elapsed()), "files": files, "bytes": bytes })
            }
            "sync" => {
                let begin = Instant::now();
                let report = index.sync(&SyncOptions::new(roots))?;
                let took = begin.elapsed();
                json!({ "ms": ms(took), "changed": report.added + report.extended + report.rewritten + report.removed })
            }
            "query" => {
                let (limit, query) = rest.split_once(' ').ok_or("a limit and a query")?;
                let request = SearchRequest {
                    limit: limit.parse()?,
                    now: Timestamp::parse("2026-12-01T00:00:00Z").ok_or("a time")?,
                    ..SearchRequest::new(query)
                };
                let begin = Instant::now();
                let reply = index.search(&request, &Annotations::default())?;
                json!({ "ms": ms(begin.elapsed()), "hits": reply.returned })
            }
            "memory" => json!({ "peak_mib": peak_memory_mib() }),
            _ => json!({ "unsupported": order }),
        })?;
    }
    Ok(())
}

/// The least that noticing a change can cost: every folder listed, every session file asked for its size and time.
/// Adds the number of files and their bytes to `sum`.
fn walk(folder: &Utf8Path, mut sum: (u64, u64)) -> Result<(u64, u64), Box<dyn Error>> {
    for entry in folder.read_dir_utf8()? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sum = walk(entry.path(), sum)?;
        } else if entry.file_name().ends_with(".jsonl") {
            let metadata = entry.metadata()?;
            let is_dated = metadata.modified().is_ok();
            sum = (sum.0 + u64::from(is_dated), sum.1 + metadata.len());
        }
    }
    Ok(sum)
}

fn tell(answer: &Value) -> Result<(), Box<dyn Error>> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{answer}")?;
    Ok(out.flush()?)
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Time on all processors so far, from the kernel's own count; zero where there is none.
fn cpu_time() -> Duration {
    let read = || {
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
        let ticks: u64 = fields.get(11)?.parse::<u64>().ok()? + fields.get(12)?.parse::<u64>().ok()?;
        Some(Duration::from_millis(ticks * 10))
    };
    read().unwrap_or_default()
}

/// The most memory the process has had at once; nothing where the kernel does not tell.
fn peak_memory_mib() -> Option<f64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}
