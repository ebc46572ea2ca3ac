use std::sync::{Arc, Mutex, atomic::Ordering};

use camino::Utf8Path;
use fs_err as fs;
use lookback_session_model::Timestamp;

use super::*;
use crate::Lookback;

/// Rows as lines, so many in a batch.
struct Lines(Vec<String>, usize);

impl Collect<Messages> for Lines {
    type Batch = Vec<String>;

    fn push(&mut self, row: &MessageRow<'_>) {
        let entry = row.at.entry.map_or("-", |entry| entry.as_str());
        let owner = row.at.copied_from.map_or("", |owner| owner.as_str());
        self.0.push(
            format!("{} {entry} {owner}", row.at.session)
                .trim_end()
                .to_owned(),
        );
    }

    fn is_full(&self) -> bool {
        self.0.len() >= self.1
    }

    fn take(&mut self) -> Option<Vec<String>> {
        (!self.0.is_empty()).then(|| std::mem::take(&mut self.0))
    }
}

fn session(folder: &Utf8Path, id: &str, hour: u32, parent: &str, entries: &[&str]) {
    let mut text = format!(
        r#"{{"type":"session","version":3,"id":"{id}","timestamp":"2026-03-02T{hour:02}:00:00.000Z","cwd":"/w","parentSession":"{parent}"}}"#
    );
    for entry in entries {
        text.push_str(&format!(
            "\n{{\"type\":\"message\",\"id\":\"{entry}\",\"parentId\":null,\"timestamp\":\"2026-03-02T01:00:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"{entry}\"}}}}"
        ));
    }
    fs::write(folder.join(format!("2026_{id}.jsonl")), text + "\n").unwrap();
}

fn open(folder: &Utf8Path) -> Lookback {
    Lookback::builder()
        .root(folder)
        .cache(folder.join("c"))
        .data(folder.join("d"))
        .open()
        .unwrap()
}

fn lines(lookback: &Lookback, filter: Filter, in_batch: usize) -> Vec<String> {
    let rows = lookback.rows(Messages::conversation(), filter, move || {
        Lines(Vec::new(), in_batch)
    });
    rows.flat_map(Result::unwrap).collect()
}

#[test]
fn the_oldest_of_a_family_owns_its_entries_and_families_keep_the_order_of_paths() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(dir.path()).unwrap();
    session(folder, "b", 9, "", &["b1", "b2"]);
    session(folder, "a", 12, "/moved/elsewhere/2026_b.jsonl", &["b1", "a1"]);
    session(folder, "c", 13, "/there/2026_a.jsonl", &["b1", "a1", "c1"]);
    session(folder, "d", 8, "", &["b1"]);
    let expected = [
        "b b1", "b b2", "a b1 b", "a a1", "c b1 b", "c a1 a", "c c1", "d b1",
    ];
    for in_batch in [1, 2, 100] {
        assert_eq!(
            lines(&open(folder), Filter::default(), in_batch),
            expected,
            "{in_batch}"
        );
    }
    // The owner is the same when it is not asked for.
    let only = Filter {
        sessions: Some(["c".into()].into()),
        ..Filter::default()
    };
    assert_eq!(lines(&open(folder), only, 10), ["c b1 b", "c a1 a", "c c1"]);
}

#[test]
fn a_circle_of_forks_ends() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(dir.path()).unwrap();
    session(folder, "a", 1, "2026_b.jsonl", &["x"]);
    session(folder, "b", 2, "2026_a.jsonl", &["x", "y"]);
    assert_eq!(
        lines(&open(folder), Filter::default(), 10),
        ["a x", "b x a", "b y"]
    );
}

#[test]
fn a_span_has_its_start_and_not_its_end() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(dir.path()).unwrap();
    session(folder, "a", 1, "", &["x"]);
    let at = |text: &str| Timestamp::parse(text);
    let span = |since, until| Filter {
        since,
        until,
        ..Filter::default()
    };
    let moment = at("2026-03-02T01:00:00Z");
    assert_eq!(lines(&open(folder), span(moment, None), 1).len(), 1);
    assert_eq!(lines(&open(folder), span(None, moment), 1).len(), 0);
    assert!(span(moment, None).touches(None, moment));
    assert!(!span(None, moment).touches(moment, moment));
    assert!(!span(moment, None).touches(None, None));
}

#[test]
fn a_reading_that_is_cancelled_or_dropped_ends() {
    let dir = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(dir.path()).unwrap();
    for number in 0..200 {
        session(folder, &format!("s{number:03}"), 1, "", &["x"; 50]);
    }
    let lookback = open(folder);
    let begin = || lookback.rows(Messages::all(), Filter::default(), || Lines(Vec::new(), 1));
    let mut rows = begin();
    assert!(rows.next().unwrap().is_ok());
    drop(rows);
    let mut rows = begin();
    rows.next();
    rows.cancel_flag().store(true, Ordering::Relaxed);
    assert_eq!(rows.find_map(Result::err), Some(Interrupted::Cancelled));
    assert!(rows.next().is_none());
    // One that was never begun has nothing to end.
    drop(begin());
}

#[test]
fn a_worker_that_fails_is_no_end_of_the_rows() {
    struct Fails;
    impl Collect<Messages> for Fails {
        type Batch = ();
        fn push(&mut self, _: &MessageRow<'_>) {
            std::panic::resume_unwind(Box::new("on purpose"));
        }
        fn is_full(&self) -> bool {
            true
        }
        fn take(&mut self) -> Option<()> {
            None
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(dir.path()).unwrap();
    session(folder, "a", 1, "", &["x"]);
    let rows = open(folder).rows(Messages::all(), Filter::default(), || Fails);
    assert_eq!(rows.collect::<Vec<_>>(), [Err(Interrupted::Failed)]);
}

#[test]
fn workers_hand_out_bounded_batches_and_run_bounded_ahead() {
    /// Counts the batches that exist.
    struct Counted(Arc<Mutex<(usize, usize)>>);
    struct Token(Arc<Mutex<(usize, usize)>>);
    impl Drop for Token {
        fn drop(&mut self) {
            self.0.lock().unwrap().0 -= 1;
        }
    }
    impl Collect<Messages> for Counted {
        type Batch = Token;
        fn push(&mut self, _: &MessageRow<'_>) {}
        fn is_full(&self) -> bool {
            true
        }
        fn take(&mut self) -> Option<Token> {
            let mut counts = self.0.lock().unwrap();
            counts.0 += 1;
            counts.1 = counts.1.max(counts.0);
            Some(Token(self.0.clone()))
        }
    }
    let dir = tempfile::tempdir().unwrap();
    let folder = Utf8Path::from_path(dir.path()).unwrap();
    for number in 0..20 {
        let entries: Vec<String> = (0..100).map(|entry| format!("e{entry}")).collect();
        let entries: Vec<&str> = entries.iter().map(String::as_str).collect();
        session(folder, &format!("s{number:03}"), 1, "", &entries);
    }
    let counts = Arc::new(Mutex::new((0, 0)));
    let own = counts.clone();
    let rows = open(folder).rows(Messages::all(), Filter::default(), move || Counted(own.clone()));
    assert_eq!(rows.map(|batch| drop(batch.unwrap())).count(), 20 * 100 + 2);
    let (left, most) = *counts.lock().unwrap();
    assert_eq!(left, 0);
    assert!(most <= 4 * 6 + 1, "{most}");
}
