//! How long searches without an index take, and in how much memory.
//!
//! ```text
//! cargo run --release -p lookback-scan --example queries -- FOLDER [ROUNDS] [POLICY] [QUERY]...
//! ```
//!
//! Searches every session file below FOLDER, first once to warm the cache, then ROUNDS times (5 unless told) for each
//! query, and prints the median, the best, and the mean time of all processors together, which other programs disturb
//! less (Linux). Without queries, a list from a rare word to a whole sentence. Peak memory is that of the whole run.

#![allow(clippy::print_stdout, reason = "a program prints its figures")]
#![allow(clippy::disallowed_methods, reason = "a program reads the clock")]

use std::{
    error::Error,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use lookback_ranker::{Annotations, Policy, SearchRequest};
use lookback_scan::{ScanOptions, Scanner};
use lookback_session_model::Timestamp;

const QUERIES: &[&str] = &[
    "xylophonequartz",
    "k3s ingress",
    "heliotrope",
    "getUserName",
    "src/core/session-manager.ts:412",
    "\"connection refused\"",
    "数据库",
    "café",
    "deci*",
    "retry timeout budget",
    "error",
    "what did we decide about the cache",
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("name a folder of sessions")?;
    let rounds: usize = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let name = arguments.next().unwrap_or_else(|| "memory".to_owned());
    let policy = Policy::named(&name).ok_or("no such policy")?;
    let asked: Vec<String> = arguments.collect();
    let queries: Vec<&str> = if asked.is_empty() {
        QUERIES.to_vec()
    } else {
        asked.iter().map(String::as_str).collect()
    };
    let since = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let now = Timestamp::from_number(since.as_secs_f64() * 1e3).unwrap_or(Timestamp::EPOCH);
    let scanner = Scanner::new([root]);
    println!("policy {name}, {} threads", rayon::current_num_threads());
    for query in queries {
        let request = SearchRequest {
            policy: policy.clone(),
            now,
            ..SearchRequest::new(query)
        };
        let mut times: Vec<Duration> = Vec::new();
        let mut line = String::new();
        let before = processor_time();
        for _ in 0..=rounds {
            let start = Instant::now();
            let found = scanner.search(&request, &Annotations::default(), &ScanOptions::default());
            times.push(start.elapsed());
            line = format!(
                "{} sessions, {} hits; {}",
                found.reply.sessions_matched, found.reply.returned, found.outcome
            );
        }
        let processors = processor_time()
            .zip(before)
            .map(|(now, before)| (now - before) / (rounds as u32 + 1));
        times.remove(0);
        times.sort_unstable();
        let (median, best) = (times.get(times.len() / 2), times.first());
        println!(
            "{:7.1} ms  best {:7.1} ms  processors {:7.1} ms  {query}: {line}",
            median.map_or(0.0, |time| time.as_secs_f64() * 1e3),
            best.map_or(0.0, |time| time.as_secs_f64() * 1e3),
            processors.map_or(0.0, |time| time.as_secs_f64() * 1e3),
        );
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory {:.1} MiB", peak as f64 / f64::from(1 << 20));
    }
    Ok(())
}

/// The time that the threads of this process ran so far, where the system tells.
fn processor_time() -> Option<Duration> {
    let mut nanos = 0;
    for thread in fs_err::read_dir("/proc/self/task").ok()? {
        let times = fs_err::read_to_string(thread.ok()?.path().join("schedstat")).ok()?;
        nanos += times.split(' ').next()?.parse::<u64>().ok()?;
    }
    Some(Duration::from_nanos(nanos))
}

/// The most memory this process had at once, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs_err::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
