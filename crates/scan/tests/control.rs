//! Cancelling, deadlines and progress, without a clock.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use lookback_ranker::{Annotations, Policy};
use lookback_scan::{Ended, ScanError, ScanOptions, Statistics, WindowRequest};

use crate::library::{Folder, request};

fn folder_of(files: usize) -> Folder {
    let folder = Folder::new();
    for number in 0..files {
        folder.session(&format!("s{number:02}"), &["Where is the walrus?", "On the ice."]);
    }
    folder
}

fn ended_scanned(folder: &Folder, query: &str, options: &ScanOptions<'_>) -> (Ended, usize, usize) {
    let found = folder.scanner().search(
        &request(query, Policy::memory()),
        &Annotations::default(),
        options,
    );
    assert!(!found.outcome.is_complete());
    (
        found.outcome.ended,
        found.outcome.files_scanned,
        found.reply.hits.len(),
    )
}

#[test]
fn a_deadline_that_passed_is_never_no_match() {
    let folder = folder_of(3);
    for statistics in [Statistics::AsNeeded, Statistics::Exact] {
        let options = ScanOptions {
            deadline: Some(Instant::now()),
            statistics,
            ..ScanOptions::default()
        };
        assert_eq!(
            ended_scanned(&folder, "walrus", &options),
            (Ended::TimedOut, 0, 0)
        );
        let found = folder.scanner().search(
            &request("walrus", Policy::memory()),
            &Annotations::default(),
            &options,
        );
        assert_eq!(found.outcome.to_string(), "timed out after 0 of 3 files");
    }
    let later = ScanOptions {
        deadline: Some(Instant::now() + Duration::from_secs(3600)),
        ..ScanOptions::default()
    };
    let found = folder.scanner().search(
        &request("walrus", Policy::memory()),
        &Annotations::default(),
        &later,
    );
    assert_eq!(found.outcome.to_string(), "searched 3 files");
}

#[test]
fn a_deadline_that_passes_meanwhile_leaves_what_was_found() {
    let folder = folder_of(40);
    let deadline = Instant::now() + Duration::from_millis(300);
    // The third file takes until the deadline has passed.
    let progress = |progress: lookback_scan::Progress| {
        if progress.files_done == 3 {
            std::thread::sleep(deadline.saturating_duration_since(Instant::now()) + Duration::from_millis(1));
        }
        // Should other threads come here first, they wait too.
        while progress.files_done > 3 && Instant::now() <= deadline {
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let options = ScanOptions {
        deadline: Some(deadline),
        progress: &progress,
        ..ScanOptions::default()
    };
    let found = folder.scanner().search(
        &request("walrus", Policy::memory()),
        &Annotations::default(),
        &options,
    );
    let scanned = found.outcome.files_scanned;
    assert_eq!(found.outcome.ended, Ended::TimedOut);
    assert!((1..40).contains(&scanned), "{scanned}");
    assert_eq!(
        found.outcome.to_string(),
        format!("timed out after {scanned} of 40 files")
    );
    assert_eq!(found.reply.sessions_matched, scanned, "each of them has the word");
}

#[test]
fn a_scan_ends_soon_after_it_is_cancelled() {
    let folder = folder_of(40);
    let cancel = AtomicBool::new(false);
    // After the third file, by whichever thread.
    let progress = |progress: lookback_scan::Progress| {
        assert_eq!(progress.files_total, 40);
        if progress.files_done == 3 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let options = ScanOptions {
        cancel: &cancel,
        progress: &progress,
        ..ScanOptions::default()
    };
    let (ended, scanned, hits) = ended_scanned(&folder, "walrus", &options);
    assert_eq!((ended, hits), (Ended::Cancelled, 0));
    assert!(
        (3..=3 + rayon::current_num_threads()).contains(&scanned),
        "every thread ends the file it is in at most: {scanned}"
    );
}

#[test]
fn progress_is_told_for_every_file() {
    let folder = folder_of(5);
    let most = AtomicUsize::new(0);
    let calls = AtomicUsize::new(0);
    let progress = |progress: lookback_scan::Progress| {
        calls.fetch_add(1, Ordering::Relaxed);
        most.fetch_max(progress.files_done, Ordering::Relaxed);
    };
    let options = ScanOptions {
        progress: &progress,
        ..ScanOptions::default()
    };
    folder.scanner().search(
        &request("walrus", Policy::memory()),
        &Annotations::default(),
        &options,
    );
    assert_eq!((calls.into_inner(), most.into_inner()), (5, 5));
}

/// A line of many megabytes is not kept, but read in pieces.
#[test]
fn a_line_too_long_to_keep_is_searched_too() {
    let folder = Folder::new();
    let filler = "ice ".repeat(1_200_000) + "walrus";
    folder.session("long", &[&filler]);
    let found = folder.search("walrus");
    assert_eq!(found.reply.hits.len(), 1);
    assert!(found.reply.hits[0].snippet.text.contains("walrus"));
    let cancelled = ScanOptions {
        cancel: &AtomicBool::new(true),
        ..ScanOptions::default()
    };
    assert_eq!(
        ended_scanned(&folder, "walrus", &cancelled),
        (Ended::Cancelled, 0, 0)
    );
}

#[test]
fn windows_can_be_cancelled() {
    let folder = folder_of(1);
    let path = folder.root.join("--home-dev-app--/s00.jsonl");
    let cancel = AtomicBool::new(true);
    let options = ScanOptions {
        cancel: &cancel,
        ..ScanOptions::default()
    };
    let error = folder
        .scanner()
        .window(&WindowRequest::new(path.clone(), 2), &options)
        .unwrap_err();
    assert!(matches!(&error, ScanError::Cancelled { path: named } if *named == path));
    assert_eq!(error.code(), "cancelled");
    let late = ScanOptions {
        deadline: Some(Instant::now()),
        ..ScanOptions::default()
    };
    let error = folder
        .scanner()
        .window(&WindowRequest::new(path, 2), &late)
        .unwrap_err();
    assert_eq!(error.code(), "timed-out");
}
