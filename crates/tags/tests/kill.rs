//! Processes that are killed in the middle of their work.

use std::io::{Read, Write};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use lookback_tags::TagStore;

use crate::model::Model;
use crate::processes::next_change;
use crate::support::{ALL_FILES, DataDir, ORDERS, Random, child, environment, is_long_run, tags};

/// Not a test: makes changes until it is killed, and acknowledges each on standard error.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_is_killed() {
    let Some(orders) = environment(ORDERS) else { return };
    let (dir, seed) = orders.split_once('|').unwrap();
    let store = TagStore::open(Utf8Path::new(dir));
    let mut random = Random::new(seed.parse().unwrap());
    loop {
        let (session, edit) = next_change(&mut random, 0);
        store.apply(&[(&session, edit)], 0).unwrap();
        std::io::stderr().write_all(b"+").unwrap();
    }
}

#[test]
fn no_acknowledged_change_is_lost_when_the_process_is_killed() {
    let rounds = if is_long_run() { 1_000 } else { 100 };
    let dir = DataDir::new();
    let start = Instant::now();
    let mut model = Model::default();
    let (mut acknowledged, mut in_flight) = (0, 0);
    for round in 1..=rounds {
        let mut child = child("kill::child_that_is_killed", &format!("{}|{round}", dir.path))
            .spawn()
            .unwrap();
        let mut acks = child.stderr.take().unwrap();
        // The first one tells that the work has begun; the kill then falls anywhere into the next dozen changes.
        let mut first = [0];
        acks.read_exact(&mut first).unwrap();
        std::thread::sleep(Duration::from_micros(Random::new(round).below(12_000) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut rest = Vec::new();
        acks.read_to_end(&mut rest).unwrap();
        assert!(
            rest.iter().all(|ack| *ack == b'+'),
            "{}",
            String::from_utf8_lossy(&rest)
        );

        let mut random = Random::new(round);
        for _ in 0..=rest.len() {
            let (session, edit) = next_change(&mut random, 0);
            model.apply(&session, &edit);
        }
        acknowledged += rest.len() + 1;
        let snapshot = dir.store().snapshot().unwrap();
        assert!(
            snapshot.notices().is_empty(),
            "round {round}: {:?}",
            snapshot.notices()
        );
        let stored = Model::of(&snapshot);
        if stored != model {
            // The one change that was under way may have been made, as a whole.
            let (session, edit) = next_change(&mut random, 0);
            model.apply(&session, &edit);
            in_flight += 1;
            assert_eq!(stored, model, "round {round} after {} changes", rest.len() + 1);
        }
    }
    println!(
        "{rounds} kills: {acknowledged} acknowledged changes kept, {in_flight} made but not acknowledged, {:?}",
        start.elapsed(),
    );

    // What the killed ones left behind goes with the next change.
    assert!(dir.store().add("last", &tags(["last"]), 1).unwrap().changed);
    assert_eq!(dir.names(), ALL_FILES);
}
