//! Many processes change one store at once.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use camino::Utf8Path;
use lookback_tags::{Tag, TagEdit, TagStore};

use crate::model::Model;
use crate::support::{ALL_FILES, DataDir, ORDERS, Random, child, environment, is_long_run};

const PROCESSES: usize = 8;

/// The next random change of a process. On shared sessions it touches only its own tags, so that the outcome does not
/// depend on how the processes interleave; replacing all generated tags needs a session of its own.
pub(crate) fn next_change(random: &mut Random, process: usize) -> (String, TagEdit) {
    let mut tag = || Tag::new(&format!("p{process}-{}", random.below(30))).unwrap();
    let tags = vec![tag(), tag()];
    match random.below(5) {
        0 | 1 => (format!("shared-{}", random.below(4)), TagEdit::Add(tags)),
        2 => (format!("shared-{}", random.below(4)), TagEdit::Remove(tags)),
        3 => (format!("own-{process}"), TagEdit::SetGenerated(tags)),
        _ => (format!("own-{process}"), TagEdit::Remove(tags[..1].to_vec())),
    }
}

/// Not a test: what a child process of the test below does.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_changes() {
    let Some(orders) = environment(ORDERS) else { return };
    let [dir, process, count] = orders.split('|').collect::<Vec<_>>()[..] else {
        panic!("orders: {orders}")
    };
    let (process, count) = (process.parse().unwrap(), count.parse().unwrap());
    // Longer than the default only for disks on which a change takes a tenth of a second.
    let store = TagStore::open(Utf8Path::new(dir)).with_lock_wait(Duration::from_secs(10));
    let mut random = Random::new(process as u64 + 1);
    for number in 0..count {
        let (session, edit) = next_change(&mut random, process);
        store.apply(&[(&session, edit)], number).unwrap();
    }
}

#[test]
fn changes_of_many_processes_are_all_kept() {
    let count = if is_long_run() { 1_000 } else { 125 };
    let dir = DataDir::new();
    let start = Instant::now();
    let children: Vec<_> = (0..PROCESSES)
        .map(|process| {
            let orders = format!("{}|{process}|{count}", dir.path);
            child("processes::child_that_changes", &orders).spawn().unwrap()
        })
        .collect();

    // Meanwhile a reader never finds anything but a whole file.
    let finished = AtomicBool::new(false);
    let (outputs, reads) = std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let store = dir.store();
            let mut reads = 0_u64;
            while !finished.load(Ordering::Relaxed) {
                let snapshot = store.snapshot().unwrap();
                assert!(snapshot.notices().is_empty(), "{:?}", snapshot.notices());
                reads += u64::from(!snapshot.counts().is_empty());
                std::thread::sleep(Duration::from_micros(500));
            }
            reads
        });
        let outputs: Vec<_> = children
            .into_iter()
            .map(|child| child.wait_with_output().unwrap())
            .collect();
        finished.store(true, Ordering::Relaxed);
        (outputs, reader.join().unwrap())
    });
    for output in outputs {
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    }
    assert!(reads > 0, "the reader saw nothing of it");
    println!(
        "{PROCESSES} processes x {count} changes: {:?}, {reads} reads meanwhile",
        start.elapsed()
    );

    let stored = Model::of(&dir.store().snapshot().unwrap());
    for process in 0..PROCESSES {
        let mut expected = Model::default();
        let mut random = Random::new(process as u64 + 1);
        for _ in 0..count {
            let (session, edit) = next_change(&mut random, process);
            expected.apply(&session, &edit);
        }
        assert_eq!(only_of(&stored, process), expected, "process {process}");
    }
    assert_eq!(dir.names(), ALL_FILES);
}

/// What the store holds of one process.
fn only_of(stored: &Model, process: usize) -> Model {
    let prefix = format!("p{process}-");
    let mut part = stored.clone();
    for list in part.0.values_mut().flatten() {
        list.retain(|tag| tag.starts_with(&prefix));
    }
    part.0
        .retain(|_, lists| lists.iter().any(|list| !list.is_empty()));
    part
}
