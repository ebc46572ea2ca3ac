//! Measures the index on a folder of sessions, which is only read; appends go to a copy of two of its files.
//!
//! `cargo run --release -p lookback-index --example bench -- SESSIONS [CACHE] [--each] [--queries] [--query=TEXT]`
//!
//! `--each` tells the time of each query; `--queries` measures queries only, on an index that is in CACHE already, and
//! `--query` a single one. A query's time is the best of five rounds: other programs of the machine make it longer,
//! nothing makes it shorter.

#![allow(clippy::print_stdout, reason = "it is a program, and this is what it is for")]

use std::{
    error::Error,
    io::Write,
    time::{Duration, Instant},
};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err::{self as fs, OpenOptions};
use lookback_index::{Index, SyncOptions, SyncReport};
use lookback_ranker::{Annotations, SearchRequest};
use lookback_session_model::{Discovery, Timestamp};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args()
        .skip(1)
        .filter(|argument| !argument.starts_with("--"));
    let has = |flag: &str| std::env::args().any(|argument| argument == flag);
    let sessions = Utf8PathBuf::from(arguments.next().ok_or("say which folder holds the sessions")?);
    let temporary = tempfile::tempdir()?;
    let scratch = Utf8Path::from_path(temporary.path()).ok_or("a temporary folder whose name is text")?;
    let cache = arguments
        .next()
        .map_or_else(|| scratch.join("cache"), Utf8PathBuf::from);
    let roots = [sessions];
    let own = std::env::args().find_map(|argument| argument.strip_prefix("--query=").map(str::to_owned));
    if own.is_some() || has("--queries") {
        return queries(&Index::open(&cache)?, own.as_deref(), has("--each"));
    }

    let walk = best_of(5, || Ok(Discovery::look(&roots, |_| false)))?;
    println!("walk                {:>10.2} ms", ms(walk));
    let (wall, cpu) = (Instant::now(), cpu_time());
    let report = sync(&Index::open(&cache)?, &roots)?;
    println!(
        "first build         {:>10.2} ms wall, {:.2} ms CPU, {} files, {} MB read",
        ms(wall.elapsed()),
        ms(cpu_time() - cpu),
        report.files,
        report.bytes_read / 1_000_000
    );
    println!("peak memory         {:>10.1} MiB", peak_memory_mib());
    let status = Index::open(&cache)?.status()?;
    println!(
        "index               {:>10.2} MiB in {} layers, {} sessions, {} turns, {} entries",
        status.index_bytes as f64 / f64::from(1 << 20),
        status.layers,
        status.sessions,
        status.turns,
        status.entries
    );
    let open = best_of(5, || Ok(Index::open(&cache)?))?;
    println!("open                {:>10.2} ms", ms(open));
    let first = best_of(5, || search(&Index::open(&cache)?, "error parser", 10))?;
    println!("open, first search  {:>10.2} ms", ms(first));
    let infix = best_of(3, || search(&Index::open(&cache)?, "*rrayBuff*", 10))?;
    println!("open, first infix   {:>10.2} ms", ms(infix));
    let index = Index::open(&cache)?;
    let unchanged = best_of(9, || sync(&index, &roots))?;
    println!("sync, no change     {:>10.2} ms", ms(unchanged));
    let cold_unchanged = best_of(5, || sync(&Index::open(&cache)?, &roots))?;
    println!("open, sync no change{:>10.2} ms", ms(cold_unchanged));
    queries(&index, None, has("--each"))?;
    appends(&roots, scratch)
}

/// How long a search takes over all queries, or for one of the user's.
fn queries(index: &Index, own: Option<&str>, each: bool) -> Result<(), Box<dyn Error>> {
    let trace = "thread 'main' panicked at src/session/reader.rs:412: index out of bounds ".repeat(28);
    let usual = [
        "error",
        "the",
        "parser",
        "session manager",
        "getUserById",
        "E0382",
        "src/main.rs",
        "cannot borrow",
        "\"cannot borrow\"",
        "config file not found",
        "how do I fix the failing test in the parser",
        "数据库",
        "role:user timeout",
        "-error parser",
        "pars*",
        "*anag*",
        "sesion manger",
        "zzzzqqq",
        "index -the",
        "NEAR(error parser, 5)",
        "migration OR rollback",
        "tests/runner.rs",
        "--no-verify",
        "a",
        "why did the build fail after the update of the compiler",
        "TypeError: undefined is not a function",
        &trace,
    ];
    let mix = own.as_slice();
    let mix = if mix.is_empty() { &usual[..] } else { mix };
    for limit in [10, 50] {
        let mut times: Vec<(Duration, &str)> = Vec::new();
        for query in mix {
            // The first round fills the caches.
            search(index, query, limit)?;
            times.push((best_of(5, || search(index, query, limit))?, *query));
        }
        if each {
            for (time, query) in &times {
                println!("    {:>9.3} ms  {query:.60}", ms(*time));
            }
        }
        times.sort_unstable();
        let at = |part: f64| ms(times[((times.len() - 1) as f64 * part) as usize].0);
        println!(
            "query, limit {limit:<3}    {:>10.3} ms p50, {:.3} p95, {:.3} max ({:.40})",
            at(0.5),
            at(0.95),
            at(1.0),
            times[times.len() - 1].1
        );
    }
    Ok(())
}

/// How long a sync takes after one message was appended to the median and to the largest of the sessions.
fn appends(roots: &[Utf8PathBuf], scratch: &Utf8Path) -> Result<(), Box<dyn Error>> {
    let mut files = Discovery::look(roots, |_| false).files;
    files.sort_by_key(|file| file.stamp.size);
    let copies = scratch.join("sessions");
    fs::create_dir_all(copies.join("project"))?;
    for file in &files {
        // Links would be refused, and the files must not be changed.
        let name = file.path.file_name().unwrap_or_default();
        if fs::hard_link(&file.path, copies.join("project").join(name)).is_err() {
            fs::copy(&file.path, copies.join("project").join(name))?;
        }
    }
    let roots = [copies.clone()];
    let cache = scratch.join("append-cache");
    let index = Index::open(&cache)?;
    for (label, at) in [("median", files.len() / 2), ("largest", files.len() - 1)] {
        let name = files[at].path.file_name().unwrap_or_default();
        let path = copies.join("project").join(name);
        // A hard link would change the original.
        let bytes = fs::read(&path)?;
        fs::remove_file(&path)?;
        fs::write(&path, bytes)?;
        sync(&index, &roots)?;
        let mut times = Vec::new();
        for round in 0..20 {
            let mut file = OpenOptions::new().append(true).open(&path)?;
            writeln!(
                file,
                r#"{{"type":"message","id":"beef{round:04x}","parentId":null,"timestamp":"2026-11-30T12:00:00.000Z","message":{{"role":"user","content":[{{"type":"text","text":"Appended message number {round} about the parser"}}],"timestamp":1796040000000}}}}"#
            )?;
            drop(file);
            let begin = Instant::now();
            let report = sync(&index, &roots)?;
            times.push(begin.elapsed());
            if report.extended != 1 {
                println!("unexpected: {report:?}");
            }
        }
        times.sort_unstable();
        println!(
            "append to {label:<9} {:>10.2} ms p50, {:.2} max ({:.1} MB)",
            ms(times[times.len() / 2]),
            ms(times[times.len() - 1]),
            files[at].stamp.size as f64 / 1e6
        );
    }
    let walk = best_of(5, || Ok(Discovery::look(&roots, |_| false)))?;
    println!("   of which walk    {:>10.2} ms", ms(walk));
    Ok(())
}

fn sync(index: &Index, roots: &[Utf8PathBuf]) -> Result<SyncReport, Box<dyn Error>> {
    Ok(index.sync(&SyncOptions::new(roots))?)
}

fn search(index: &Index, query: &str, limit: usize) -> Result<usize, Box<dyn Error>> {
    let request = SearchRequest {
        limit,
        now: Timestamp::parse("2026-12-01T00:00:00Z").ok_or("a time")?,
        ..SearchRequest::new(query)
    };
    Ok(index.search(&request, &Annotations::default())?.returned)
}

fn best_of<T>(
    times: usize,
    mut work: impl FnMut() -> Result<T, Box<dyn Error>>,
) -> Result<Duration, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..times {
        let begin = Instant::now();
        work()?;
        best = best.min(begin.elapsed());
    }
    Ok(best)
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

/// The most memory the process has had at once; zero where the kernel does not tell.
fn peak_memory_mib() -> f64 {
    let read = || {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM"))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    };
    read().unwrap_or_default() / 1024.0
}
