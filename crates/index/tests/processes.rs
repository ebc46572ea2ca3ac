//! Many processes append, sync and search at once; writers are killed. Nothing is lost and nobody waits for the dead.

use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use lookback_index::{Index, IndexState, SyncOptions, SyncState};

use crate::{
    archive::{Archive, Script, exact, hits, reply},
    children::{Random, child, is_long_run, orders, rounds},
};

const PROCESSES: usize = 8;

/// Not a test: what a child process of the tests below does. Every message it writes has a word of its own.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_works() {
    let Some(orders) = orders() else { return };
    let [path, process, rounds] = orders.split('|').collect::<Vec<_>>()[..] else {
        panic!("orders: {orders}")
    };
    let (process, rounds): (usize, usize) = (process.parse().unwrap(), rounds.parse().unwrap());
    let archive = Utf8Path::new(path);
    let roots = [archive.join("sessions")];
    let index = Index::open(&archive.join("cache")).unwrap();
    let mut random = Random::new(process as u64 + 1);
    let mut files: Vec<(Utf8PathBuf, Script)> = Vec::new();
    for round in 0..rounds {
        if files.is_empty() || random.below(4) == 0 {
            let id = format!("p{process}r{round}");
            let script = Script::new(&id, (process * 1000 + round) as u32);
            let file = archive.join(format!("sessions/--home-dev-shop--/x_{id}.jsonl"));
            fs::write(&file, script.text()).unwrap();
            files.push((file, script));
        }
        let at = random.below(files.len());
        let (file, script) = &mut files[at];
        let line = script.user(&format!("shared words and word{process}x{round}"));
        let mut file = fs::OpenOptions::new().append(true).open(&*file).unwrap();
        std::io::Write::write_all(&mut file, line.as_bytes()).unwrap();
        if random.below(2) == 0 {
            let options = SyncOptions {
                wait: Duration::from_millis(random.below(50) as u64),
                ..SyncOptions::new(&roots)
            };
            index.sync(&options).unwrap();
        }
        if random.below(3) == 0 {
            // What is found is whole: its snippet is read from the very entry.
            for hit in hits(&index, "shared words") {
                assert!(hit.snippet.text.contains("shared"), "{hit:?}");
            }
        }
    }
}

#[test]
fn nothing_is_lost_when_eight_processes_work_at_once() {
    let rounds = if is_long_run() { 400 } else { 24 };
    let archive = Archive::new();
    let begin = Instant::now();
    let children: Vec<_> = (0..PROCESSES)
        .map(|process| {
            let orders = format!("{}|{process}|{rounds}", archive.path());
            child("processes::child_that_works", &orders).spawn().unwrap()
        })
        .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(
            output.status.success(),
            "{}\n{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    archive.sync();
    assert_every_word_is_found_once(&archive.index(), PROCESSES, rounds);
    assert!(archive.index().verify().unwrap().is_sound());
    println!(
        "{PROCESSES} processes, {} messages, {:?}, generation {}",
        PROCESSES * rounds,
        begin.elapsed(),
        archive.index().status().unwrap().generation
    );
}

fn assert_every_word_is_found_once(index: &Index, processes: usize, rounds: usize) {
    for process in 0..processes {
        for round in 0..rounds {
            let word = format!("word{process}x{round}");
            assert_eq!(reply(index, &exact(&word)).sessions_matched, 1, "{word}");
        }
    }
}

#[test]
fn a_killed_writer_leaves_an_index_that_opens_and_syncs() {
    let archive = Archive::new();
    let mut random = Random::new(7);
    let (mut killed, mut finished) = (0, 0);
    for round in rounds(12, 300) {
        let orders = format!("{}|{round}|200", archive.path());
        let mut working = child("processes::child_that_works", &orders).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(20 + random.below(250) as u64));
        match working.try_wait().unwrap() {
            Some(_) => finished += 1,
            None => {
                killed += 1;
                working.kill().unwrap();
            }
        }
        working.wait().unwrap();
        // Whatever it was doing, the index is whole, and the lock is free at once.
        let index = archive.index();
        assert!(index.verify().unwrap().is_sound(), "round {round}");
        let roots = archive.roots();
        let options = SyncOptions {
            wait: Duration::ZERO,
            ..SyncOptions::new(&roots)
        };
        let report = index.sync(&options).unwrap();
        assert_ne!(report.state, SyncState::Busy, "round {round}");
        assert_eq!(report.rebuilt, None, "round {round}");
    }
    let (_temp, rebuilt) = archive.rebuilt();
    let index = archive.index();
    assert_eq!(index.sessions().unwrap(), rebuilt.sessions().unwrap());
    assert_eq!(index.status().unwrap().turns, rebuilt.status().unwrap().turns);
    let matched = |index: &Index| reply(index, &exact("shared")).sessions_matched;
    assert_eq!(matched(&index), matched(&rebuilt));
    // No layer of a killed writer stays for ever: the next one that writes removes it.
    let mut script = Script::new("last", 9_999);
    script.user("The last one");
    archive.write("x_last", &script);
    archive.sync();
    let layers = fs::read_dir(archive.cache())
        .unwrap()
        .filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_str().unwrap().ends_with("-layer")
        })
        .count();
    assert_eq!(layers as u64, index.status().unwrap().layers);
    println!("{killed} writers killed, {finished} finished before");
}

/// Not a test: builds an index from nothing.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_builds() {
    let Some(orders) = orders() else { return };
    let archive = Utf8Path::new(&orders);
    let index = Index::open(&archive.join("cache")).unwrap();
    index
        .sync(&SyncOptions::new(&[archive.join("sessions")]))
        .unwrap();
}

#[test]
fn a_first_build_that_is_killed_goes_on() {
    let archive = Archive::new();
    for salt in 0..12u32 {
        let mut script = Script::new(&format!("s{salt}"), salt);
        for turn in 0..20 {
            script.user(&format!("question {turn} {}", "some filler text ".repeat(200)));
        }
        script.user(&format!("marker{salt}"));
        archive.write(&format!("a_s{salt}"), &script);
    }
    let mut random = Random::new(5);
    let (mut killed, mut partial) = (0, 0);
    for round in rounds(6, 300) {
        let _ = fs::remove_dir_all(archive.cache());
        let mut working = child("processes::child_that_builds", archive.path().as_str())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(random.below(400) as u64));
        killed += usize::from(working.try_wait().unwrap().is_none());
        // Whoever has ended cannot be killed any more, which is no error here.
        let _ = working.kill();
        working.wait().unwrap();
        let index = archive.index();
        let files = index.status().unwrap().files;
        partial += usize::from(files < 12);
        // Also where the kill came between the first layer and the first commit.
        assert!(index.verify().unwrap().is_sound(), "round {round}");
        let report = archive.sync();
        assert_eq!(report.added + files, 12, "round {round}");
        assert_eq!(report.rebuilt, None, "round {round}");
        for salt in 0..12 {
            assert_eq!(archive.found(&format!("marker{salt}")), [format!("s{salt}")]);
        }
    }
    println!("{killed} first builds killed, {partial} of them before their end");
}

/// Makes the last commit of a first build one before: they differ in a single mark.
fn say_that_more_is_to_come(manifest: &Utf8Path) {
    let mut bytes = fs::read(manifest).unwrap();
    let (head, body) = bytes.split_at_mut(24);
    // Behind generation, analysis, next layer and next file, which are small here.
    assert_eq!(body[4], 1);
    body[4] = 0;
    head[20..].copy_from_slice(&crc32fast::hash(body).to_le_bytes());
    fs::write(manifest, bytes).unwrap();
}

#[test]
fn between_two_commits_of_a_first_build_the_last_one_answers() {
    let archive = Archive::new();
    let write = |salt: u32| {
        let mut script = Script::new(&format!("s{salt}"), salt);
        script.user(&format!("Everybody knows marker{salt}"));
        archive.write(&format!("a_s{salt}"), &script);
    };
    (0..3).for_each(write);
    archive.sync();
    say_that_more_is_to_come(&archive.cache().join("lookback-index.manifest"));
    (3..6).for_each(write);
    let mut holder = child("processes::child_that_holds_the_lock", archive.cache().as_str())
        .spawn()
        .unwrap();
    while !archive.path().join("locked").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let roots = archive.roots();
    let options = SyncOptions {
        wait: Duration::from_millis(30),
        ..SyncOptions::new(&roots)
    };
    let index = archive.index();
    assert_eq!(index.sync(&options).unwrap().state, SyncState::Busy);
    let status = index.status().unwrap();
    assert_eq!((status.state, status.files), (IndexState::Partial, 3));
    assert_eq!(reply(&index, &exact("everybody")).sessions_matched, 3);
    assert!(hits(&index, "marker5").is_empty());
    holder.kill().unwrap();
    holder.wait().unwrap();
    let report = index.sync(&options).unwrap();
    assert_eq!((report.state, report.added), (SyncState::Updated, 3));
    assert_eq!(index.status().unwrap().state, IndexState::Ready);
    assert_eq!(reply(&index, &exact("everybody")).sessions_matched, 6);
}

/// Not a test: holds the lock until it is killed.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_holds_the_lock() {
    let Some(orders) = orders() else { return };
    let lock = fs::OpenOptions::new()
        .write(true)
        .open(Utf8Path::new(&orders).join("lookback-index.lock"))
        .unwrap();
    lock.file().lock().unwrap();
    fs::write(Utf8Path::new(&orders).join("../locked"), "").unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn while_another_process_writes_the_last_commit_answers() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive.sync();
    let mut holder = child("processes::child_that_holds_the_lock", archive.cache().as_str())
        .spawn()
        .unwrap();
    while !archive.path().join("locked").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let roots = archive.roots();
    let options = SyncOptions {
        wait: Duration::from_millis(30),
        ..SyncOptions::new(&roots)
    };
    let index = archive.index();
    // Nothing to do needs no lock.
    assert_eq!(index.sync(&options).unwrap().state, SyncState::Unchanged);
    archive.append("a_s1", &script.assistant("In the attic"));
    let begin = Instant::now();
    assert_eq!(index.sync(&options).unwrap().state, SyncState::Busy);
    let waited = begin.elapsed();
    // The holder would keep it for ten minutes.
    assert!(
        waited >= options.wait && waited < Duration::from_secs(60),
        "{waited:?}"
    );
    assert_eq!(hits(&index, "parser").len(), 1);
    assert_eq!(index.rebuild(Duration::ZERO).unwrap_err().code(), "busy");
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert_eq!(index.sync(&options).unwrap().state, SyncState::Updated);
    assert_eq!(hits(&index, "attic").len(), 1);
}
