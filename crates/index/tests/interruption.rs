//! Builds that are cancelled, and what is told of them meanwhile.

use std::{
    cell::RefCell,
    sync::atomic::{AtomicBool, Ordering},
    time::{Duration, Instant},
};

use lookback_index::{IndexState, Progress, SyncOptions, SyncState};

use crate::archive::{Archive, Script};

/// Enough text for threads and several steps of progress.
fn large_archive() -> Archive {
    let archive = Archive::new();
    for salt in 0..24u32 {
        let id = format!("s{salt}");
        let mut script = Script::new(&id, salt);
        for turn in 0..20 {
            script.user(&format!("question {turn} {}", "some filler text ".repeat(100)));
            script.assistant(&format!("answer {turn} {}", "some other filler ".repeat(200)));
        }
        script.user(&format!("marker{salt}"));
        archive.write(&format!("a_{id}"), &script);
    }
    archive
}

#[test]
fn progress_grows_to_the_total() {
    let archive = large_archive();
    let told: RefCell<Vec<Progress>> = RefCell::default();
    let roots = archive.roots();
    let options = SyncOptions {
        progress: &|progress| told.borrow_mut().push(progress),
        ..SyncOptions::new(&roots)
    };
    let report = archive.index().sync(&options).unwrap();
    let told = told.into_inner();
    let (first, last) = (told[0], told[told.len() - 1]);
    assert_eq!((first.files_done, first.bytes_done), (0, 0));
    assert_eq!((last.files_done, last.files_total), (24, 24));
    assert_eq!(
        (last.bytes_done, last.bytes_total),
        (report.bytes_read, report.bytes_read)
    );
    assert!(told.is_sorted_by_key(|progress| (progress.files_done, progress.bytes_done)));
}

#[test]
fn a_cancelled_build_ends_early_and_goes_on_later() {
    let archive = large_archive();
    let cancel = AtomicBool::new(false);
    let roots = archive.roots();
    let options = SyncOptions {
        // While the threads begin: a fast machine would be done before there is anything to see.
        progress: &|_| cancel.store(true, Ordering::Relaxed),
        cancel: &cancel,
        threads: 2,
        ..SyncOptions::new(&roots)
    };
    let index = archive.index();
    let report = index.sync(&options).unwrap();
    assert_eq!(report.state, SyncState::Cancelled);
    let status = index.status().unwrap();
    assert!(status.files < 24, "{status:?}");
    assert!(
        matches!(status.state, IndexState::Partial | IndexState::Missing),
        "{status:?}"
    );
    // What was committed is found, and is not read again.
    let report = archive.sync();
    assert_eq!(
        (report.state, report.added + status.files),
        (SyncState::Updated, 24)
    );
    assert_eq!(index.status().unwrap().state, IndexState::Ready);
    for salt in 0..24 {
        assert_eq!(archive.found(&format!("marker{salt}")), [format!("s{salt}")]);
    }
}

/// In the middle of one large file, too: a user who presses a key does not wait for its end. The quickest of several
/// attempts counts, since other processes may keep the processor from us.
#[test]
fn cancelling_ends_a_build_within_a_tenth_of_a_second() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    for turn in 0..2_000 {
        script.user(&format!("question {turn} {}", "some filler text ".repeat(100)));
    }
    archive.write("a_s1", &script);
    let roots = archive.roots();
    // The engine is ten times slower where it is not optimised.
    let longest = Duration::from_millis(if cfg!(debug_assertions) { 1000 } else { 100 });
    let mut took = Vec::new();
    for attempt in 1..=12 {
        let cancel = AtomicBool::new(false);
        let ended = std::thread::scope(|scope| {
            let key = scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(4 * attempt));
                cancel.store(true, Ordering::Relaxed);
                Instant::now()
            });
            let options = SyncOptions {
                cancel: &cancel,
                ..SyncOptions::new(&roots)
            };
            let state = archive.index().sync(&options).unwrap().state;
            let end = Instant::now();
            let pressed = key.join().unwrap();
            (state == SyncState::Cancelled).then(|| end.saturating_duration_since(pressed))
        });
        took.extend(ended);
        let _ = fs_err::remove_dir_all(archive.cache());
    }
    assert!(took.iter().min().is_some_and(|took| *took < longest), "{took:?}");
}

#[test]
fn a_sync_cancelled_before_it_begins_does_nothing() {
    let archive = large_archive();
    let cancel = AtomicBool::new(true);
    let roots = archive.roots();
    let options = SyncOptions {
        cancel: &cancel,
        ..SyncOptions::new(&roots)
    };
    assert_eq!(
        archive.index().sync(&options).unwrap().state,
        SyncState::Cancelled
    );
    assert!(!archive.cache().exists());
}
