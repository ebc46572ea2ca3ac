//! Reads what is unreasonably large, and fails where that takes more memory or time than promised.
//!
//! ```text
//! cargo run --release -p lookback-session-model --example limits -- [FOLDER]
//! ```
//!
//! Writes about 1.6 GB into FOLDER (the system's folder for temporary files unless told), one file at a time, and
//! deletes it again. Memory is the resident memory that the system reports, so it is only checked where it does.

#![allow(clippy::print_stdout, reason = "an example prints what it measures")]

use std::{
    error::Error,
    io::{BufWriter, Write},
    time::Instant,
};

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{PiView, SessionFile, Tree};

type Outcome = Result<(), Box<dyn Error>>;

const MIB: u64 = 1 << 20;
/// What a reading may take beyond the longest text that is needed.
const ALLOWED: u64 = 64 * MIB;
/// Entries in a row.
const MANY: u32 = 1_000_000;

fn main() -> Outcome {
    let folder = match std::env::args().nth(1) {
        Some(folder) => folder.into(),
        None => Utf8PathBuf::try_from(std::env::temp_dir())?,
    };
    let path = folder.join(format!("lookback-limits-{}_s1.jsonl", std::process::id()));
    let outcome = all(&path);
    let _ = fs_err::remove_file(&path);
    outcome
}

fn all(path: &Utf8Path) -> Outcome {
    // The smallest first: resident memory only tells its peak.
    write(path, |out| ordinary_lines(out, 1 << 30))?;
    check("a file of 1 GiB", path, 0)?;
    write(path, |out| long_line(out, "toolResult"))?;
    check("a tool result of 200 MB on one line", path, 0)?;
    write(path, |out| long_line(out, "user"))?;
    check("a text of 200 MB on one line", path, 200_000_000)?;
    for (name, ring) in [
        ("1,000,000 entries in a row", false),
        ("a ring of 1,000,000 entries", true),
    ] {
        write(path, |out| chain(out, ring))?;
        let start = Instant::now();
        let file = SessionFile::read(path, 0)?;
        let session = file.sessions().first().ok_or("no session")?;
        let tree = Tree::new(session);
        let walked = tree.path_to(tree.tip().ok_or("no tip")?).len();
        let turns = tree.turns().len();
        let refused = PiView::new(&file).refusal().is_some();
        let time = start.elapsed();
        println!(
            "{name}: read, {walked} walked, {turns} turns, in {:.0} ms",
            time.as_secs_f64() * 1e3
        );
        if walked != MANY as usize || refused != ring || time.as_secs() > 20 {
            return Err(format!("{name}: {walked} walked in {time:?}, refused: {refused}").into());
        }
    }
    Ok(())
}

fn write(path: &Utf8Path, content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>) -> Outcome {
    let mut out = BufWriter::with_capacity(1 << 20, fs_err::File::create(path)?);
    out.write_all(
        b"{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-03-02T09:00:00.000Z\",\"cwd\":\"/x\"}\n",
    )?;
    content(&mut out)?;
    out.flush()?;
    Ok(())
}

/// Reads a file in both ways, and compares the peak of memory with what is allowed.
fn check(name: &str, path: &Utf8Path, longest: u64) -> Outcome {
    let size = fs_err::metadata(path)?.len();
    let start = Instant::now();
    let file = SessionFile::read(path, 0)?;
    let time = start.elapsed();
    if file.sessions().len() != 1 || file.diagnostics().damaged_lines() > 0 {
        return Err(format!("{name}: not read right").into());
    }
    let nodes = file
        .sessions()
        .iter()
        .map(|session| session.nodes().len() as u64)
        .sum::<u64>();
    println!(
        "{name}: {nodes} entries in {:.0} ms, {:.2} GB/s",
        time.as_secs_f64() * 1e3,
        size as f64 / time.as_secs_f64() / 1e9
    );
    let Some(peak) = peak_memory() else { return Ok(()) };
    // The outline itself grows with the entries.
    let allowed = longest + ALLOWED + 250 * nodes;
    println!(
        "  peak memory {} MiB of {} MiB allowed",
        peak / MIB,
        allowed / MIB
    );
    if peak > allowed {
        return Err(format!("{name}: {peak} bytes of memory").into());
    }
    Ok(())
}

fn ordinary_lines(out: &mut dyn Write, size: u64) -> std::io::Result<()> {
    let output = r"some output of a command \u00e9 \n ".repeat(400);
    let mut written = 0;
    let mut n = 0;
    while written < size {
        let line = format!(
            "{{\"type\":\"message\",\"id\":\"e{}\",\"parentId\":\"e{n}\",\"timestamp\":\"2026-03-02T09:00:01.000Z\",\"message\":{{\"role\":\"toolResult\",\"toolCallId\":\"c1\",\"toolName\":\"bash\",\"content\":[{{\"type\":\"text\",\"text\":\"{output}\"}}],\"timestamp\":1772442001000}}}}\n",
            n + 1
        );
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
        n += 1;
    }
    Ok(())
}

fn long_line(out: &mut dyn Write, role: &str) -> std::io::Result<()> {
    write!(
        out,
        "{{\"type\":\"message\",\"id\":\"a1\",\"parentId\":null,\"timestamp\":\"2026-03-02T09:00:01.000Z\",\"message\":{{\"role\":\"{role}\",\"content\":[{{\"type\":\"text\",\"text\":\""
    )?;
    let piece = "x".repeat(1_000_000);
    for _ in 0..200 {
        out.write_all(piece.as_bytes())?;
    }
    out.write_all(b"\"}],\"timestamp\":1772442001000}}\n")
}

fn chain(out: &mut dyn Write, ring: bool) -> std::io::Result<()> {
    for n in 0..MANY {
        let parent = match (n, ring) {
            (0, false) => "null".to_owned(),
            (0, true) => format!("\"e{}\"", MANY - 1),
            _ => format!("\"e{}\"", n - 1),
        };
        writeln!(
            out,
            r#"{{"type":"message","id":"e{n}","parentId":{parent},"timestamp":"2026-03-02T09:00:01.000Z","message":{{"role":"user","content":"n{n}"}}}}"#
        )?;
    }
    Ok(())
}

/// The most memory this process had at once, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs_err::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}
