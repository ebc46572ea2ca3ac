//! Cancelling a scan, voiding it, and how many files it has open.

use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use lookback_unread::{Control, Error, Phase, ReadEvent, Scan, limits};

use crate::support::{CWD, Folder, session, user};

const PHASES: [Phase; 4] = [
    Phase::BeforeDiscovery,
    Phase::AfterDiscovery,
    Phase::AfterReads,
    Phase::BeforeReturn,
];

fn folder(sessions: u64) -> Folder {
    let folder = Folder::new();
    for number in 0..sessions {
        folder.session(&format!("s{number:02}"), &[user(1, "hello")], number);
    }
    folder
}

/// A session so large that it takes several chunks.
fn large(id: &str) -> String {
    session(id, CWD, &[user(1, &"long ".repeat(60_000))])
}

#[test]
fn a_flag_that_is_set_ends_the_scan_before_it_begins() {
    let cancel = AtomicBool::new(true);
    let asked = AtomicUsize::new(0);
    let control = Control::new().cancel(&cancel);
    let error = Scan::run(
        &folder(3).request(),
        &control.still_valid(&|_| {
            asked.fetch_add(1, Ordering::Relaxed);
            true
        }),
    )
    .unwrap_err();
    assert!(matches!(error, Error::Cancelled));
    assert_eq!(error.code(), "unread-cancelled");
    assert_eq!(asked.into_inner(), 0, "cancelled comes before superseded");
}

#[test]
fn cancelling_ends_a_file_between_two_chunks() {
    let folder = Folder::new();
    folder.put("large.jsonl", large("large"), 0);
    let cancel = AtomicBool::new(false);
    let chunks = AtomicUsize::new(0);
    let closed = AtomicUsize::new(0);
    let on_read = |event: ReadEvent<'_>| match event {
        ReadEvent::Chunk { .. } => {
            chunks.fetch_add(1, Ordering::Relaxed);
            cancel.store(true, Ordering::Relaxed);
        }
        ReadEvent::Closed { .. } => {
            closed.fetch_add(1, Ordering::Relaxed);
        }
        _ => {}
    };
    let control = Control::new().cancel(&cancel).on_read(&on_read);
    let error = Scan::run(&folder.request(), &control).unwrap_err();
    assert!(matches!(error, Error::Cancelled));
    assert_eq!(chunks.load(Ordering::Relaxed), 1, "of five");
    assert_eq!(closed.load(Ordering::Relaxed), 1);
}

#[test]
fn cancelling_ends_the_scan_between_two_files() {
    let folder = folder(100);
    let cancel = AtomicBool::new(false);
    let opened = AtomicUsize::new(0);
    let on_read = |event: ReadEvent<'_>| match event {
        ReadEvent::Opened { .. } => {
            opened.fetch_add(1, Ordering::Relaxed);
        }
        ReadEvent::Closed { .. } => cancel.store(true, Ordering::Relaxed),
        _ => {}
    };
    let control = Control::new().cancel(&cancel).on_read(&on_read);
    let error = Scan::run(&folder.request(), &control).unwrap_err();
    assert!(matches!(error, Error::Cancelled));
    assert!(
        opened.load(Ordering::Relaxed) <= limits::MAX_READERS,
        "those that were open already"
    );
}

#[test]
fn cancelling_from_another_thread_ends_a_scan_in_flight() {
    let folder = Folder::new();
    for number in 0..12 {
        folder.put(&format!("l{number}.jsonl"), large(&format!("l{number}")), number);
    }
    let cancel = AtomicBool::new(false);
    let started = AtomicBool::new(false);
    let wait_for = |flag: &AtomicBool| {
        while !flag.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
    };
    // A file waits for the other thread, so that the scan is in flight whatever the machine does.
    let on_read = |event: ReadEvent<'_>| {
        if let ReadEvent::Chunk { .. } = event {
            started.store(true, Ordering::Relaxed);
            wait_for(&cancel);
        }
    };
    let error = std::thread::scope(|scope| {
        scope.spawn(|| {
            wait_for(&started);
            cancel.store(true, Ordering::Relaxed);
        });
        let control = Control::new().cancel(&cancel).on_read(&on_read);
        Scan::run(&folder.request(), &control).unwrap_err()
    });
    assert!(matches!(error, Error::Cancelled));
    // A cancelled scan leaves nothing behind: the next one runs.
    assert_eq!(folder.scan().items.len(), 12);
}

#[test]
fn a_session_switched_in_any_phase_voids_the_scan() {
    let folder = folder(3);
    for switched in PHASES {
        let error = Scan::run(
            &folder.request(),
            &Control::new().still_valid(&|phase| phase != switched),
        )
        .unwrap_err();
        assert!(matches!(error, Error::Superseded { phase } if phase == switched));
        assert_eq!(error.code(), "unread-superseded");
        assert!(error.to_string().contains("session changed"));
    }
}

#[test]
fn every_phase_asks_once_and_in_order() {
    let folder = folder(3);
    let log = Mutex::new(Vec::new());
    let reads = |event: ReadEvent<'_>| {
        if let ReadEvent::Opened { .. } = event {
            log.lock().unwrap().push("read");
        }
    };
    let asks = |phase| {
        log.lock().unwrap().push(match phase {
            Phase::BeforeDiscovery => "before discovery",
            Phase::AfterDiscovery => "after discovery",
            Phase::AfterReads => "after reads",
            _ => "before return",
        });
        true
    };
    Scan::run(
        &folder.request(),
        &Control::new().on_read(&reads).still_valid(&asks),
    )
    .unwrap();
    assert_eq!(
        log.into_inner().unwrap(),
        [
            "before discovery",
            "after discovery",
            "read",
            "read",
            "read",
            "after reads",
            "before return"
        ]
    );
}

#[test]
fn a_scan_that_was_voided_before_discovery_looks_at_nothing() {
    let folder = folder(1);
    // A folder that cannot be listed would be another error.
    let request = lookback_unread::ScanRequest::workspace(folder.path.join("s00.jsonl"), CWD).unwrap();
    let error = Scan::run(&request, &Control::new().still_valid(&|_| false)).unwrap_err();
    assert!(matches!(
        error,
        Error::Superseded {
            phase: Phase::BeforeDiscovery
        }
    ));
}

#[test]
fn at_most_eight_files_are_open_at_once() {
    let folder = folder(60);
    let open = AtomicUsize::new(0);
    let most = AtomicUsize::new(0);
    let opened = AtomicUsize::new(0);
    let on_read = |event: ReadEvent<'_>| match event {
        ReadEvent::Opened { .. } => {
            opened.fetch_add(1, Ordering::SeqCst);
            most.fetch_max(open.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        }
        // Long enough that every reader that could have a file open has one.
        ReadEvent::Chunk { .. } => std::thread::sleep(std::time::Duration::from_millis(5)),
        _ => {
            open.fetch_sub(1, Ordering::SeqCst);
        }
    };
    let scan = Scan::run(&folder.request(), &Control::new().on_read(&on_read)).unwrap();
    assert_eq!(scan.items.len(), 60);
    assert_eq!(opened.into_inner(), 60);
    assert_eq!(open.into_inner(), 0, "every file was closed");
    assert_eq!(most.into_inner(), limits::MAX_READERS);
}
