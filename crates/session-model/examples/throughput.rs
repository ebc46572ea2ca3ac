//! How fast session files are read, and in how much memory.
//!
//! ```text
//! cargo run --release -p lookback-session-model --example throughput -- FOLDER [ROUNDS [WAY]]
//! ```
//!
//! Reads every session file below FOLDER on one core, first once to warm the cache, then ROUNDS times (5 unless told)
//! in each way (or only in those whose name begins with WAY), and prints the best round of each. Bytes are those of the
//! files.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::{
    error::Error,
    hint::black_box,
    time::{Duration, Instant},
};

use lookback_session_model::{Discovery, Fields, FoundFile, SessionFile, SessionReader};

type Outcome = Result<u64, Box<dyn Error>>;
/// A way to read a file: its name, and what does it.
type Way = (&'static str, fn(&FoundFile) -> Outcome);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().ok_or("name a folder of sessions")?;
    let rounds: u32 = arguments.next().map_or(Ok(5), |rounds| rounds.parse())?;
    let only = arguments.next().unwrap_or_default();
    let found = Discovery::look(&[root.into()], |_| false);
    let bytes: u64 = found.files.iter().map(|file| file.stamp.size).sum();
    println!(
        "{} files, {:.1} MB, longest {:.1} MB",
        found.files.len(),
        bytes as f64 / 1e6,
        found.files.iter().map(|file| file.stamp.size).max().unwrap_or(0) as f64 / 1e6,
    );
    let ways: [Way; 6] = [
        ("lines, nothing parsed", lines),
        ("outline", |file| outline(file, 0)),
        ("outline, texts kept", |file| outline(file, usize::MAX)),
        ("reader, small fields", |file| records(file, Fields::NONE)),
        ("reader, text", |file| records(file, Fields::TEXT)),
        ("reader, everything", |file| records(file, Fields::ALL)),
    ];
    for (name, way) in ways.into_iter().filter(|(name, _)| name.starts_with(&only)) {
        let (mut wall, mut own) = (Duration::MAX, Duration::MAX);
        let mut seen = 0;
        for _ in 0..=rounds {
            let (start, used) = (Instant::now(), processor_time());
            seen = 0;
            for file in &found.files {
                seen += way(file)?;
            }
            wall = wall.min(start.elapsed());
            if let (Some(used), Some(now)) = (used, processor_time()) {
                own = own.min(now - used);
            }
        }
        // On a busy machine the time on the processor says more than the time on the wall.
        let own = if own == Duration::MAX { wall } else { own };
        let speed = |time: Duration| bytes as f64 / time.as_secs_f64() / 1e9;
        println!(
            "{name:22} {:5.2} GB/s on the wall, {:5.2} GB/s on the processor ({:.1} ms), {seen} records",
            speed(wall),
            speed(own),
            own.as_secs_f64() * 1e3
        );
    }
    if let Some(peak) = peak_memory() {
        println!("peak memory {:.1} MiB", peak as f64 / (1 << 20) as f64);
    }
    Ok(())
}

/// The floor: the bytes are read and cut into lines.
fn lines(file: &FoundFile) -> Outcome {
    let bytes = fs_err::read(&file.path)?;
    Ok(memchr::memchr_iter(b'\n', &bytes).count() as u64)
}

fn outline(file: &FoundFile, keep: usize) -> Outcome {
    let file = black_box(SessionFile::read(&file.path, keep)?);
    Ok(file
        .sessions()
        .iter()
        .map(|session| session.nodes().len() as u64)
        .sum())
}

fn records(file: &FoundFile, fields: Fields) -> Outcome {
    let (mut reader, _) = SessionReader::open(&file.path, fields)?;
    let mut count = 0;
    while let Some(item) = reader.next_item()? {
        black_box(item);
        count += 1;
    }
    Ok(count)
}

/// The time this thread has spent on a processor, where the system tells.
fn processor_time() -> Option<Duration> {
    let statistics = fs_err::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = statistics.split(' ').next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}

/// The most memory this process had at once, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs_err::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
