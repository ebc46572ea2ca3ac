//! The promises of the generator, checked on what it wrote and not on what it planned.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use serde_json::Value;

use super::{GenCorpus, Summary};

fn generate(sessions: u32, seed: u64, folder: &Path) -> Summary {
    GenCorpus {
        sessions,
        seed,
        out: folder.to_owned(),
        bytes_per_session: 223_000,
    }
    .run()
    .unwrap()
}

/// All files by their path below the folder.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    for project in fs_err::read_dir(folder).unwrap() {
        let project = project.unwrap();
        for file in fs_err::read_dir(project.path()).unwrap() {
            let file = file.unwrap();
            let name = format!("{}/{}", project.file_name().display(), file.file_name().display());
            files.insert(name, fs_err::read_to_string(file.path()).unwrap());
        }
    }
    files
}

fn lines(file: &str) -> Vec<Value> {
    file.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The texts of a user or assistant message, as the share of text is defined.
fn text_of(entry: &Value) -> Option<usize> {
    let message = &entry["message"];
    if entry["type"] != "message" || (message["role"] != "user" && message["role"] != "assistant") {
        return None;
    }
    match &message["content"] {
        Value::String(text) => Some(text.len()),
        content => {
            let blocks = content.as_array()?.iter().filter(|block| block["type"] == "text");
            let texts: Vec<usize> = blocks
                .map(|block| block["text"].as_str().map_or(0, str::len))
                .collect();
            (!texts.is_empty()).then(|| texts.iter().sum())
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_one_does_not() {
    let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().unwrap()).collect();
    generate(40, 7, folders[0].path());
    generate(40, 7, folders[1].path());
    generate(40, 8, folders[2].path());
    let [first, second, other] = [0, 1, 2].map(|at| files(folders[at].path()));
    assert!(first == second, "two runs with seed 7 differ");
    assert_eq!(first.len(), 40);
    assert!(
        first.keys().all(|name| !other.contains_key(name)),
        "seed 8 repeats a session of seed 7"
    );
}

#[test]
fn a_folder_that_holds_something_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs_err::write(folder.path().join("notes.txt"), "mine").unwrap();
    let task = GenCorpus {
        sessions: 1,
        seed: 7,
        out: folder.path().to_owned(),
        bytes_per_session: 223_000,
    };
    let error = task.run().unwrap_err().to_string();
    assert!(error.contains("is not empty"), "{error}");
    assert_eq!(fs_err::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn every_line_parses_and_every_reference_leads_to_an_entry_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    generate(90, 7, folder.path());
    for (name, file) in files(folder.path()) {
        assert!(file.ends_with('\n'), "{name} ends in the middle of a line");
        let entries = lines(&file);
        let header = &entries[0];
        assert_eq!(header["type"], "session", "{name}");
        assert_eq!(header["version"], 3, "{name}");
        let folder = header["cwd"].as_str().unwrap()[1..].replace('/', "-");
        let time = header["timestamp"].as_str().unwrap().replace([':', '.'], "-");
        assert_eq!(
            name,
            format!("--{folder}--/{time}_{}.jsonl", header["id"].as_str().unwrap())
        );

        let mut known = HashSet::new();
        for entry in &entries[1..] {
            let id = entry["id"].as_str().unwrap();
            match &entry["parentId"] {
                Value::Null => {}
                parent => assert!(
                    known.contains(parent.as_str().unwrap()),
                    "{name}: parent of {id} is missing"
                ),
            }
            assert!(known.insert(id), "{name}: {id} occurs twice");
            for reference in ["targetId", "firstKeptEntryId"] {
                if let Some(target) = entry[reference].as_str() {
                    assert!(
                        known.contains(target),
                        "{name}: {reference} of {id} leads nowhere"
                    );
                }
            }
        }
    }
}

#[test]
fn text_is_a_tenth_of_the_bytes_and_the_summary_says_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let summary = generate(120, 7, folder.path());
    let files = files(folder.path());
    let texts: Vec<usize> = files
        .values()
        .flat_map(|file| lines(file))
        .filter_map(|entry| text_of(&entry))
        .collect();
    assert_eq!(summary.files, files.len());
    assert_eq!(summary.bytes, files.values().map(String::len).sum::<usize>());
    assert_eq!(summary.text_messages, texts.len());
    assert_eq!(summary.text_bytes, texts.iter().sum::<usize>());
    assert!(
        (0.08..=0.15).contains(&summary.text_share()),
        "{:.3}",
        summary.text_share()
    );
    let per_session = summary.bytes / summary.files;
    assert!(
        (150_000..=300_000).contains(&per_session),
        "{per_session} bytes per session"
    );
}

#[test]
fn forks_repeat_entries_of_a_session_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    generate(160, 7, folder.path());
    let files = files(folder.path());
    let mut copied = 0;
    for file in files.values() {
        let entries = lines(file);
        let Some(parent) = entries[0]["parentSession"].as_str() else {
            continue;
        };
        let (_, name) = parent.split_once("/sessions/").unwrap();
        let source = lines(files.get(name).unwrap_or_else(|| panic!("{name} is missing")));
        let by_id: HashMap<&str, &Value> = source[1..]
            .iter()
            .map(|entry| (entry["id"].as_str().unwrap(), entry))
            .collect();
        for entry in &entries[1..] {
            if let Some(original) = by_id.get(entry["id"].as_str().unwrap()) {
                assert_eq!(entry["message"], original["message"], "{name}");
                copied += 1;
            }
        }
    }
    assert!(copied > 100, "only {copied} entries were copied");
}

#[test]
fn a_corpus_holds_everything_that_sessions_are_made_of() {
    let folder = tempfile::tempdir().unwrap();
    let summary = generate(200, 7, folder.path());
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    let mut branches = 0;
    for file in files(folder.path()).values() {
        let entries = lines(file);
        let mut children: HashMap<&str, usize> = HashMap::new();
        for entry in &entries {
            *seen
                .entry(entry["type"].as_str().unwrap().to_owned())
                .or_default() += 1;
            if let Some(role) = entry["message"]["role"].as_str() {
                *seen.entry(format!("message {role}")).or_default() += 1;
            }
            for block in entry["message"]["content"].as_array().into_iter().flatten() {
                *seen
                    .entry(format!("block {}", block["type"].as_str().unwrap()))
                    .or_default() += 1;
            }
            if let Some(parent) = entry["parentId"].as_str() {
                *children.entry(parent).or_default() += 1;
            }
        }
        branches += children.values().filter(|&&count| count > 1).count();
        let text = |needle: &str| file.contains(needle);
        *seen.entry("Japanese".to_owned()).or_default() += usize::from(text("してください"));
        *seen.entry("Chinese".to_owned()).or_default() += usize::from(text("需要检查"));
        *seen.entry("error code".to_owned()).or_default() += usize::from(text("error[E0"));
    }
    for wanted in [
        "session",
        "model_change",
        "thinking_level_change",
        "compaction",
        "branch_summary",
        "context_edit",
        "label",
        "session_info",
        "custom",
        "custom_message",
        "usage",
        "message system",
        "message user",
        "message assistant",
        "message toolResult",
        "message bashExecution",
        "block text",
        "block thinking",
        "block toolCall",
        "block image",
        "Japanese",
        "Chinese",
        "error code",
    ] {
        assert!(
            seen.get(wanted).is_some_and(|&count| count > 0),
            "no {wanted} in {seen:?}"
        );
    }
    assert!(branches > 50, "{branches} forks in the trees");
    assert!(
        summary.most_messages > 1_500,
        "the longest session has {} messages",
        summary.most_messages
    );
    assert!(
        summary.longest_line > 200_000,
        "the longest line has {} bytes",
        summary.longest_line
    );
}
