//! What the tag store costs: loading, looking for changes, one change, and many in one write.
//!
//! `cargo run --release -p lookback-tags --example cost [folder]`. Without a folder, one for temporary files is used;
//! name one on the disk of interest, because most of a change is waiting for that disk.

#![allow(clippy::print_stdout, reason = "the program is its output")]

use std::time::{Duration, Instant};

use camino::Utf8Path;
use lookback_tags::{Tag, TagEdit, TagStore};

const ROUNDS: usize = 50;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = match std::env::args().nth(1) {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let folder = Utf8Path::from_path(folder.path()).ok_or("the folder's name is not UTF-8")?;
    for sessions in [10, 10_000] {
        let store = TagStore::open(&folder.join(sessions.to_string()));
        let ids: Vec<String> = (0..sessions)
            .map(|number| format!("0198c1f2-7a31-7d60-8b1e-{number:012x}"))
            .collect();
        let mut edits = Vec::new();
        for (number, id) in ids.iter().enumerate() {
            let tags = (0..5).map(|tag| Tag::new(&format!("topic-{}", (number * 7 + tag * 13) % 300)));
            edits.push((
                id.as_str(),
                TagEdit::SetGenerated(tags.collect::<Result<_, _>>()?),
            ));
        }
        let start = Instant::now();
        store.apply(&edits, 1)?;
        let size = fs_err::metadata(store.path())?.len();
        println!(
            "{sessions} sessions with 5 tags each, {size} bytes, first written in {:?}",
            start.elapsed()
        );

        let load = median(|_| {
            TagStore::open(&folder.join(sessions.to_string()))
                .snapshot()
                .map(drop)
        })?;
        let look = median(|_| store.snapshot().map(drop))?;
        let change = median(|round| {
            let tag = Tag::new(&format!("new-{round}"))?;
            store.add(&ids[round % ids.len()], &[tag], 2).map(drop)
        })?;
        println!("  load {load:?}, look for a change {look:?}, one change {change:?} (medians of {ROUNDS})");
    }
    Ok(())
}

fn median<E>(mut work: impl FnMut(usize) -> Result<(), E>) -> Result<Duration, E> {
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let start = Instant::now();
        work(round)?;
        times.push(start.elapsed());
    }
    times.sort();
    Ok(times[ROUNDS / 2])
}
