//! An index that was damaged is built again without being asked, and never gives a wrong answer in silence for longer
//! than it takes to look at its checksums.

use std::{panic, sync::Once};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use lookback_index::{IndexState, SyncOptions};
use lookback_ranker::{Annotations, SearchRequest};

use crate::{
    archive::{Archive, Script, exact},
    children::{Random, rounds},
};

/// The engine's panics are caught, but every one of them would print where it came from, which takes seconds.
fn silence_the_engine() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // Files of this workspace are told from its root, all others by their whole path.
            let is_ours = info
                .location()
                .is_some_and(|location| Utf8Path::new(location.file()).is_relative());
            if is_ours {
                others(info);
            }
        }));
    });
}

/// An index with some layers.
fn archive() -> Archive {
    silence_the_engine();
    let archive = Archive::new();
    for salt in 1..4u32 {
        let id = format!("s{salt}");
        let mut script = Script::new(&id, salt);
        for turn in 0..30 {
            script.user(&format!(
                "Question {turn} about the parser and marker{salt}x{turn}"
            ));
            script.assistant(&format!("Answer {turn}: look into module{turn}/file{salt}.rs"));
        }
        archive.write(&format!("a_{id}"), &script);
        archive.sync();
    }
    archive
}

/// An archive and the files of its index, which can be put back after damage: a build takes far longer than a copy.
struct Restorable {
    archive: Archive,
    files: Vec<(Utf8PathBuf, Vec<u8>)>,
}

impl Restorable {
    fn new() -> Self {
        let archive = archive();
        let files = files(&archive)
            .into_iter()
            .map(|path| (path.clone(), fs::read(path).unwrap()))
            .collect();
        Self { archive, files }
    }

    /// The archive with its undamaged index.
    fn restored(&self) -> &Archive {
        for path in files(&self.archive) {
            fs::remove_file(path).unwrap();
        }
        for (path, bytes) in &self.files {
            fs::write(path, bytes).unwrap();
        }
        &self.archive
    }
}

fn files(archive: &Archive) -> Vec<Utf8PathBuf> {
    let mut files: Vec<Utf8PathBuf> = archive
        .cache()
        .read_dir_utf8()
        .unwrap()
        .map(|entry| entry.unwrap().into_path())
        .collect();
    files.sort();
    files
}

/// What a user does: sync, search; and once more, should the search have met damage.
fn assert_heals(archive: &Archive, what: &str) {
    let roots = archive.roots();
    let index = archive.index();
    index.sync(&SyncOptions::new(&roots)).unwrap();
    let found = |query: &str| {
        index
            .search(&exact(query), &Annotations::default())
            .map(|reply| reply.sessions_matched)
    };
    let queries = [
        "marker1x3",
        "marker2x29",
        "marker3x0",
        "\"about the parser\"",
        "modul*",
        "*odule1*",
    ];
    if queries.iter().any(|query| found(query).is_err()) {
        index.sync(&SyncOptions::new(&roots)).unwrap();
    }
    assert_eq!(
        queries.map(|query| found(query).unwrap()),
        [1, 1, 1, 3, 3, 3],
        "{what}"
    );
}

#[test]
fn files_that_are_cut_emptied_lengthened_or_missing_are_noticed_at_once() {
    type Damage = fn(&Utf8PathBuf);
    let damages: [(&str, Damage); 5] = [
        ("removed", |path| fs::remove_file(path).unwrap()),
        ("emptied", |path| fs::write(path, "").unwrap()),
        ("zeroed", |path| {
            let length = fs::read(path).unwrap().len();
            fs::write(path, vec![0; length]).unwrap();
        }),
        ("cut", |path| {
            let bytes = fs::read(path).unwrap();
            fs::write(path, &bytes[..bytes.len() * 2 / 3]).unwrap();
        }),
        ("lengthened", |path| {
            let mut bytes = fs::read(path).unwrap();
            bytes.extend([0; 17]);
            fs::write(path, bytes).unwrap();
        }),
    ];
    let restorable = Restorable::new();
    for (what, damage) in damages {
        for (path, _) in &restorable.files {
            let archive = restorable.restored();
            damage(path);
            let name = path.file_name().unwrap();
            let matters = name.ends_with("-layer") || name.ends_with(".manifest");
            let state = archive.index().status().unwrap().state;
            let expected = if matters {
                IndexState::Damaged
            } else {
                IndexState::Ready
            };
            assert_eq!(state, expected, "{name} {what}");
            assert_heals(archive, &format!("{name} {what}"));
            assert!(archive.index().verify().unwrap().is_sound(), "{name} {what}");
        }
    }
}

#[test]
fn flipped_bits_are_found_and_healed() {
    let archive = archive();
    let mut random = Random::new(3);
    let (mut damages, mut at_open, mut at_verify, mut refused) = (0, 0, 0, 0);
    for round in rounds(60, 3_000) {
        let all = files(&archive);
        let path = &all[random.below(all.len())];
        let mut bytes = fs::read(path).unwrap();
        if bytes.is_empty() {
            continue;
        }
        let at = random.below(bytes.len());
        let longest = [1, 64][random.below(2)];
        let run = 1 + random.below(longest);
        for byte in bytes.iter_mut().skip(at).take(run) {
            *byte ^= 1 << random.below(8);
        }
        fs::write(path, &bytes).unwrap();
        damages += 1;
        let name = path.file_name().unwrap().to_owned();
        let what = format!("round {round}: {name} at {at}");
        let index = match lookback_index::Index::open(&archive.cache()) {
            Ok(index) => index,
            // The version number itself was hit: it looks like a later version, which is never touched.
            Err(error) => {
                assert!(name.ends_with(".manifest"), "{what}: {error}");
                assert_eq!(error.code(), "newer-format", "{what}");
                refused += 1;
                fs::remove_file(path).unwrap();
                assert_heals(&archive, &what);
                continue;
            }
        };
        let is_ours = name.ends_with("-layer") || name.ends_with(".manifest");
        match index.status().unwrap().state {
            IndexState::Ready if is_ours => {
                at_verify += 1;
                assert!(!index.verify().unwrap().is_sound(), "{what}");
                // Not every search meets the damage; `doctor` does, and asks for this.
                let roots = archive.roots();
                let _ = index.search(&SearchRequest::new("parser module*"), &Annotations::default());
                index.rebuild(SyncOptions::WAIT).unwrap();
                index.sync(&SyncOptions::new(&roots)).unwrap();
            }
            IndexState::Ready => {}
            state => {
                at_open += 1;
                assert!(
                    matches!(state, IndexState::Damaged | IndexState::Outdated),
                    "{what}: {state:?}"
                );
            }
        }
        assert_heals(&archive, &what);
    }
    println!("{damages} damages: {at_open} seen at open, {at_verify} by checksums, {refused} refused");
}

/// The engine below panics on some kinds of damage, or answers with nonsense. A search that meets it gives an error,
/// and the next sync builds the index again, in whatever process.
#[test]
fn searches_on_damaged_postings_end_in_errors_and_never_in_panics() {
    let mut random = Random::new(11);
    let (mut damages, mut errors, mut answers) = (0, 0, 0);
    let restorable = Restorable::new();
    let layers: Vec<&(Utf8PathBuf, Vec<u8>)> = restorable
        .files
        .iter()
        .filter(|(path, _)| path.as_str().ends_with("-layer"))
        .collect();
    for round in rounds(16, 2_000) {
        damages += 1;
        let archive = restorable.restored();
        let (path, bytes) = layers[random.below(layers.len())];
        let mut bytes = bytes.clone();
        // The postings come first in the file; bookkeeping behind them is checked at open.
        let end = bytes.len() / 2;
        let at = random.below(end);
        for byte in bytes.iter_mut().take(end).skip(at).take(1 + random.below(200)) {
            *byte = random.below(256) as u8;
        }
        fs::write(path, bytes).unwrap();
        let index = archive.index();
        for query in [
            "parser",
            "marker1x3 OR marker2x3",
            "\"look into\"",
            "*arke*",
            "mod*",
            "pasrer",
        ] {
            match index.search(&SearchRequest::new(query), &Annotations::default()) {
                Ok(_) => answers += 1,
                Err(error) => {
                    assert_eq!(error.code(), "damaged", "round {round}: {error}");
                    errors += 1;
                    break;
                }
            }
        }
        archive.sync();
        if !archive.index().verify().unwrap().is_sound() {
            archive.index().rebuild(SyncOptions::WAIT).unwrap();
        }
        assert_heals(archive, &format!("round {round}"));
    }
    assert!(
        errors > 0,
        "no damage was met: the test does not reach the engine"
    );
    println!("{damages} damaged layers: {errors} searches ended in errors, {answers} in answers");
}

/// Somebody cuts a file short while a process has it open. A mapped file would end that process with a signal.
#[test]
fn a_layer_that_is_cut_under_an_open_index_ends_nothing() {
    let restorable = Restorable::new();
    let layers = restorable
        .files
        .iter()
        .filter(|(path, _)| path.as_str().ends_with("-layer"));
    for (path, bytes) in layers {
        for length in [bytes.len() / 2, 0] {
            let archive = restorable.restored();
            let index = archive.index();
            assert!(index.search(&exact("parser"), &Annotations::default()).is_ok());
            let file = fs::OpenOptions::new().write(true).open(path).unwrap();
            file.set_len(length as u64).unwrap();
            for query in ["marker2x29", "*odule1*", "look into"] {
                if let Err(error) = index.search(&exact(query), &Annotations::default()) {
                    assert_eq!(error.code(), "damaged", "{path} cut to {length}: {error}");
                }
            }
            assert_heals(archive, &format!("{path} was cut to {length}"));
        }
    }
}

#[test]
fn a_rebuild_starts_from_nothing() {
    let archive = archive();
    let before = archive.index().status().unwrap();
    archive.index().rebuild(SyncOptions::WAIT).unwrap();
    let emptied = archive.index().status().unwrap();
    assert_eq!((emptied.state, emptied.files), (IndexState::Partial, 0));
    assert!(emptied.generation > before.generation);
    assert_eq!(archive.sync().added, 3);
    assert_heals(&archive, "rebuilt");
}
