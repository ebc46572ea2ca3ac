//! Whatever happened to the session files, and however many syncs there were in between: in the end the index answers
//! like one that was built from nothing.

use std::cell::Cell;

use fs_err as fs;
use lookback_ranker::{Hit, SearchReply, SearchRequest};
use lookback_session_model::SessionFile;
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, FileFailurePersistence, TestRunner},
};

use crate::{
    archive::{Archive, Script, exact, reply},
    children::{Allowance, is_long_run},
};

const WORDS: [&str; 12] = [
    "turtle",
    "turtles",
    "parser",
    "getUserById",
    "user",
    "数据库",
    "config.toml",
    "E0382",
    "rollback",
    "lexer",
    "tuurtle",
    "café",
];

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    New(Vec<usize>),
    /// Messages are appended: to which file, by whom, of which words.
    Append(usize, bool, Vec<usize>),
    /// Half of a line; the next append to the file completes it.
    AppendTorn(usize, Vec<usize>),
    /// A line that Pi would not have written.
    AppendDamaged(usize),
    Rewrite(usize, Vec<usize>),
    Truncate(usize, u8),
    /// Other bytes, the same length and modification time.
    Replace(usize),
    Rename(usize),
    Delete(usize),
    Fork(usize),
    /// The next append to the file continues its first entry.
    Branch(usize),
    Name(usize, usize),
    Touch(usize),
    Sync,
}

fn words() -> impl Strategy<Value = Vec<usize>> {
    vec(0..WORDS.len(), 1..6)
}

fn step() -> impl Strategy<Value = Step> {
    let file = 0..6usize;
    prop_oneof![
        3 => words().prop_map(Step::New),
        8 => (file.clone(), any::<bool>(), words()).prop_map(|(file, user, words)| Step::Append(file, user, words)),
        2 => (file.clone(), words()).prop_map(|(file, words)| Step::AppendTorn(file, words)),
        1 => file.clone().prop_map(Step::AppendDamaged),
        1 => (file.clone(), words()).prop_map(|(file, words)| Step::Rewrite(file, words)),
        1 => (file.clone(), any::<u8>()).prop_map(|(file, part)| Step::Truncate(file, part)),
        1 => file.clone().prop_map(Step::Replace),
        1 => file.clone().prop_map(Step::Rename),
        1 => file.clone().prop_map(Step::Delete),
        2 => file.clone().prop_map(Step::Fork),
        2 => file.clone().prop_map(Step::Branch),
        1 => (file.clone(), 0..WORDS.len()).prop_map(|(file, word)| Step::Name(file, word)),
        1 => file.prop_map(Step::Touch),
        6 => Just(Step::Sync),
    ]
}

/// The files as the steps left them.
struct World {
    archive: Archive,
    files: Vec<File>,
    made: u32,
}

struct File {
    name: String,
    script: Script,
    /// What is missing of the last line.
    torn: Vec<u8>,
}

impl World {
    fn new() -> Self {
        Self {
            archive: Archive::new(),
            files: Vec::new(),
            made: 0,
        }
    }

    fn file(&mut self, number: usize) -> Option<&mut File> {
        let count = self.files.len();
        (count > 0).then(|| &mut self.files[number % count])
    }

    fn add(&mut self, script: Script) {
        let name = format!("x_{}", self.made);
        self.archive.write(&name, &script);
        self.files.push(File {
            name,
            script,
            torn: Vec::new(),
        });
    }

    /// Appends bytes behind what is missing of the last line.
    fn append(&mut self, number: usize, line: impl FnOnce(&mut Script) -> Vec<u8>) {
        let Some(file) = self.file(number) else { return };
        let mut bytes = std::mem::take(&mut file.torn);
        bytes.extend(line(&mut file.script));
        let path = file.name.clone();
        append(&self.archive, &path, &bytes);
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::New(words) => {
                self.made += 1;
                let mut script = Script::new(&format!("session-{}", self.made), self.made);
                script.user(&text(words));
                self.add(script);
            }
            Step::Append(number, user, words) => self.append(*number, |script| {
                let role = if *user { "user" } else { "assistant" };
                script.message(role, &text(words)).into_bytes()
            }),
            Step::AppendTorn(number, words) => {
                let mut rest = Vec::new();
                self.append(*number, |script| {
                    let mut line = script.user(&text(words)).into_bytes();
                    rest = line.split_off(line.len() / 2);
                    line
                });
                if let Some(file) = self.file(*number) {
                    file.torn = rest;
                }
            }
            Step::AppendDamaged(number) => self.append(*number, |_| b"{\"type\":\"message\",\0\n".to_vec()),
            Step::Rewrite(number, words) => {
                self.made += 1;
                let made = self.made;
                let Some(file) = self.file(*number) else { return };
                let mut script = Script::new(&format!("session-{made}"), made);
                script.user(&text(words));
                script.assistant(&text(&words[..1]));
                file.script = script.clone();
                file.torn.clear();
                let name = file.name.clone();
                self.archive.write(&name, &script);
            }
            Step::Truncate(number, part) => {
                let Some(file) = self.file(*number) else { return };
                file.torn.clear();
                let name = file.name.clone();
                let path = self.archive.file(&name);
                let length = fs::metadata(&path).unwrap().len();
                let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
                file.set_len(length * u64::from(*part) / 256).unwrap();
            }
            Step::Replace(number) => {
                let Some(file) = self.file(*number) else { return };
                let path = file.name.clone();
                let path = self.archive.file(&path);
                let time = fs::metadata(&path).unwrap().modified().unwrap();
                let mut bytes = fs::read(&path).unwrap();
                bytes
                    .iter_mut()
                    .filter(|byte| **byte == b'u')
                    .for_each(|byte| *byte = b'o');
                fs::write(&path, bytes).unwrap();
                let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
                file.file().set_modified(time).unwrap();
            }
            Step::Rename(number) => {
                self.made += 1;
                let made = self.made;
                let Some(file) = self.file(*number) else { return };
                let new = format!("y_{made}");
                let old = std::mem::replace(&mut file.name, new.clone());
                fs::rename(self.archive.file(&old), self.archive.file(&new)).unwrap();
            }
            Step::Delete(number) => {
                if self.files.is_empty() {
                    return;
                }
                let at = number % self.files.len();
                let file = self.files.swap_remove(at);
                fs::remove_file(self.archive.file(&file.name)).unwrap();
            }
            Step::Fork(number) => {
                self.made += 1;
                let made = self.made;
                let Some(file) = self.file(*number) else { return };
                let fork = file
                    .script
                    .fork(&format!("session-{made}"), made, &file.name.clone());
                self.add(fork);
            }
            Step::Branch(number) => {
                let Some(file) = self.file(*number) else { return };
                let first = file.script.first_entry();
                file.script.branch_from(first.as_deref());
            }
            Step::Name(number, word) => {
                self.append(*number, |script| script.name(WORDS[*word]).into_bytes());
            }
            Step::Touch(number) => {
                let Some(file) = self.file(*number) else { return };
                let path = file.name.clone();
                let file = fs::OpenOptions::new()
                    .write(true)
                    .open(self.archive.file(&path))
                    .unwrap();
                let before = file.metadata().unwrap().modified().unwrap();
                file.file()
                    .set_modified(before + std::time::Duration::from_secs(1))
                    .unwrap();
            }
            Step::Sync => {
                self.archive.sync();
            }
        }
    }
}

fn append(archive: &Archive, name: &str, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(archive.file(name))
        .unwrap();
    std::io::Write::write_all(&mut file, bytes).unwrap();
}

fn text(words: &[usize]) -> String {
    let words: Vec<&str> = words.iter().map(|word| WORDS[*word]).collect();
    words.join(" ")
}

fn requests() -> Vec<SearchRequest> {
    let mut requests: Vec<SearchRequest> = WORDS.iter().map(|word| exact(word)).collect();
    for query in [
        "turtle parser",
        "\"parser lexer\"",
        "\"user turtle\"",
        "tur*",
        "*ollba*",
        "branch:abandoned turtle",
        "branch:active user",
        "role:assistant turtle",
        "is:fork turtle",
        "NEAR(turtle parser, 3)",
        "turtel",
        "lexers",
        "oser",
    ] {
        requests.push(exact(query));
        requests.push(SearchRequest {
            exact: false,
            ..exact(query)
        });
    }
    requests
}

/// Scores are sums of the same numbers in another order.
fn assert_same(incremental: &SearchReply, rebuilt: &SearchReply, query: &str) {
    let near = |a: f32, b: f32| (a - b).abs() <= 1e-4 * a.abs().max(1.0);
    let key = |hit: &Hit| (hit.session.path.clone(), hit.entry.clone());
    let mut hits: Vec<&Hit> = incremental.hits.iter().collect();
    let mut expected: Vec<&Hit> = rebuilt.hits.iter().collect();
    for (hit, expected) in hits.iter().zip(&expected) {
        assert!(
            near(hit.score, expected.score),
            "{query}: scores in order\n{hit:#?}\n{expected:#?}"
        );
    }
    hits.sort_by_key(|hit| key(hit));
    expected.sort_by_key(|hit| key(hit));
    assert_eq!(hits.len(), expected.len(), "{query}");
    for (hit, expected) in hits.into_iter().zip(expected) {
        let also_in = |hit: &Hit| {
            let mut ids = hit.also_in.clone();
            ids.sort();
            ids
        };
        assert!(near(hit.score, expected.score), "{query}");
        assert_eq!(also_in(hit), also_in(expected), "{query}");
        let comparable = |hit: &Hit| Hit {
            rank: 0,
            score: 0.0,
            also_in: Vec::new(),
            ..hit.clone()
        };
        assert_eq!(comparable(hit), comparable(expected), "{query}");
    }
    let rest = |reply: &SearchReply| SearchReply {
        hits: Vec::new(),
        ..reply.clone()
    };
    assert_eq!(rest(incremental), rest(rebuilt), "{query}");
}

fn check(steps: &[Step]) {
    let mut world = World::new();
    for step in steps {
        world.take(step);
    }
    world.archive.sync();
    let incremental = world.archive.index();
    let (_temp, rebuilt) = world.archive.rebuilt();
    assert_eq!(incremental.sessions().unwrap(), rebuilt.sessions().unwrap());
    let counts = |index: &lookback_index::Index| {
        let status = index.status().unwrap();
        (
            status.files,
            status.sessions,
            status.turns,
            status.entries,
            status.damaged_lines,
        )
    };
    assert_eq!(counts(&incremental), counts(&rebuilt));
    for request in requests() {
        assert_same(
            &reply(&incremental, &request),
            &reply(&rebuilt, &request),
            &request.query,
        );
    }
    for file in &world.files {
        let path = world.archive.file(&file.name);
        assert_eq!(
            incremental.outline(&path).unwrap(),
            SessionFile::read(&path, 0).unwrap()
        );
    }
    assert!(incremental.verify().unwrap().is_sound());
}

fn config() -> Config {
    Config {
        cases: if is_long_run() { 1_000 } else { 32 },
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        source_file: Some(file!()),
        max_shrink_iters: 2_000,
        ..Config::default()
    }
}

#[test]
fn after_any_history() {
    let allowance = Allowance::new();
    let (histories, operations) = (Cell::new(0), Cell::new(0));
    TestRunner::new(config())
        .run(&vec(step(), 1..40), |steps| {
            if !allowance.is_over() {
                check(&steps);
                histories.set(histories.get() + 1);
                operations.set(operations.get() + steps.len());
            }
            Ok(())
        })
        .unwrap();
    println!("{} histories of {} operations", histories.get(), operations.get());
}

/// So many commits that layers are merged several times over.
#[test]
fn after_a_long_history() {
    let mut steps = Vec::new();
    for round in 0..60usize {
        steps.push(match round % 7 {
            0 => Step::New(vec![round % 12]),
            3 if round % 2 == 0 => Step::Fork(round),
            5 => Step::Branch(round),
            6 if round % 4 == 0 => Step::Delete(round),
            _ => Step::Append(round, round % 3 == 0, vec![round % 12, (round * 5) % 12]),
        });
        steps.push(Step::Sync);
    }
    check(&steps);
}
