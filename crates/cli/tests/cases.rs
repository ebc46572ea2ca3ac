//! Every case whose expectation fits a machine, through the program.

use std::collections::BTreeMap;

use fs_err as fs;

use serde::Deserialize;
use serde_json::Value;

use crate::{
    contract::{ReadLine, SearchLine, search},
    program::{World, data},
};

#[derive(Debug, Deserialize)]
struct Expectation {
    #[serde(default)]
    search: Vec<Find>,
    #[serde(default, rename = "messageCount")]
    message_count: BTreeMap<String, u64>,
    #[serde(default)]
    name: BTreeMap<String, String>,
    #[serde(default, rename = "lastActivity")]
    last_activity: BTreeMap<String, String>,
    #[serde(default, rename = "damagedLines")]
    damaged_lines: BTreeMap<String, Vec<u64>>,
    #[serde(default, rename = "readOrder")]
    read_order: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Deserialize)]
struct Find {
    q: String,
    session: Option<String>,
    entry: Option<String>,
    branch: Option<String>,
    groups: Option<usize>,
    #[serde(default)]
    first: bool,
}

/// Stands in two messages of its session, and the case names both. One hit stands for a session: the default policy
/// shows the later message, which has to be there for either row.
const IN_TWO_MESSAGES: &str = "session-manager.ts";

fn check(world: &World, find: &Find, label: &str) {
    let lines = search(world, &["--limit", "100", "--", &find.q]);
    let hits: Vec<_> = lines
        .iter()
        .filter_map(|line| match line {
            SearchLine::Hit { session, entry, .. } => Some((session, entry)),
            SearchLine::Summary { .. } => None,
        })
        .collect();
    let fits = |wanted: &Option<String>, found: &str| {
        find.q == IN_TWO_MESSAGES && found == "a1000003"
            || wanted.as_ref().is_none_or(|wanted| wanted == found)
    };
    let at = hits.iter().position(|(session, entry)| {
        fits(&find.session, &session.id) && fits(&find.entry, &entry.id) && fits(&find.branch, &entry.branch)
    });
    assert!(at.is_some(), "{label}: {find:?} is not among {hits:#?}");
    if find.first {
        assert_eq!(at, Some(0), "{label}: {find:?} is not the first of {hits:#?}");
    }
    if let Some(groups) = find.groups {
        assert_eq!(hits.len(), groups, "{label}: {find:?}: {hits:#?}");
    }
}

#[test]
fn give_what_is_expected() {
    let mut searched = 0;
    let mut folders: Vec<_> = fs::read_dir(data().join("cases"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    folders.sort();
    for folder in folders {
        let label = folder.file_name().unwrap().to_string_lossy().into_owned();
        let expectation = fs::read_to_string(folder.join("expect.json")).unwrap();
        let expectation: Expectation =
            serde_json::from_str(&expectation).unwrap_or_else(|error| panic!("{label}: {error}"));
        let world = World::with_sessions(folder.join("sessions"));
        let synced: Vec<Value> = world.json(&["sync"]);
        for (id, lines) in &expectation.damaged_lines {
            let damaged = |line: &&Value| {
                line["type"] == "damage"
                    && line["kind"] != "replacedBytes"
                    && line["path"].as_str().unwrap().contains(id)
            };
            let told: Vec<u64> = synced
                .iter()
                .filter(damaged)
                .map(|line| line["line"].as_u64().unwrap())
                .collect();
            assert_eq!(&told, lines, "{label}: {id}");
        }
        for find in &expectation.search {
            check(&world, find, &label);
            searched += 1;
        }
        let rows: Vec<Value> = world.json(&["list", "--limit", "1000"]);
        let row = |id: &str| {
            rows.iter()
                .find(|row| row["id"] == id)
                .unwrap_or_else(|| panic!("{label}: {id} is not listed"))
        };
        for (id, count) in &expectation.message_count {
            assert_eq!(row(id)["messageCount"], *count, "{label}: {id}");
        }
        for (id, name) in &expectation.name {
            assert_eq!(row(id)["name"], name.as_str(), "{label}: {id}");
        }
        for (id, time) in &expectation.last_activity {
            assert_eq!(row(id)["modified"], time.as_str(), "{label}: {id}");
        }
        for (id, order) in &expectation.read_order {
            let lines: Vec<ReadLine> = world.json(&["read", id]);
            let ids: Vec<_> = lines
                .iter()
                .filter_map(|line| match line {
                    ReadLine::Message { id, .. } => Some(id.clone().unwrap()),
                    ReadLine::Summary { .. } => None,
                })
                .collect();
            assert_eq!(&ids, order, "{label}: {id}");
        }
    }
    assert!(searched > 40, "the cases hold {searched} searches");
}

#[test]
fn a_fork_that_copies_history_is_one_hit() {
    let world = World::with_sessions(data().join("cases/13-fork-copies-history/sessions"));
    let lines = search(&world, &["quokka"]);
    let SearchLine::Hit { session, also_in, .. } = &lines[0] else {
        panic!("{lines:?}")
    };
    assert_eq!(session.id, "019b7901-d1a8-7a79-8b4f-9a0100000079");
    assert_eq!(also_in.len(), 4, "{also_in:?}");
}

/// Tab-separated: what is typed, and the entry that must be among the hits.
#[test]
fn words_and_identifiers_are_found() {
    for (case, file) in [
        ("16-unicode-words", "queries.tsv"),
        ("17-identifiers-and-long-tokens", "queries-must.tsv"),
    ] {
        let folder = data().join("cases").join(case);
        let world = World::with_sessions(folder.join("sessions"));
        let table = fs::read_to_string(folder.join(file)).unwrap();
        let mut missed = Vec::new();
        for row in table
            .lines()
            .filter(|row| !row.trim().is_empty() && !row.starts_with('#'))
        {
            let mut columns = row.split('\t');
            let (query, entry) = (columns.next().unwrap(), columns.next());
            let lines = search(&world, &["--limit", "100", "--", query]);
            let entries: Vec<&str> = lines
                .iter()
                .filter_map(|line| match line {
                    SearchLine::Hit { entry, .. } => Some(entry.id.as_str()),
                    SearchLine::Summary { .. } => None,
                })
                .collect();
            let other = query == IN_TWO_MESSAGES && entries.contains(&"a1000003");
            if (entry.is_some_and(|entry| !entries.contains(&entry)) && !other) || entries.is_empty() {
                missed.push(format!("{query} ({entry:?})"));
            }
        }
        assert!(missed.is_empty(), "{case}: {missed:#?}");
    }
}

#[test]
fn no_query_is_an_error() {
    let folder = data().join("cases/19-query-syntax");
    let world = World::with_sessions(folder.join("sessions"));
    let queries: Value =
        serde_json::from_str(&fs::read_to_string(folder.join("queries.json")).unwrap()).unwrap();
    let queries = queries
        .as_array()
        .or(queries["queries"].as_array())
        .unwrap()
        .clone();
    assert!(queries.len() >= 85, "{}", queries.len());
    for query in queries {
        let text = query
            .as_str()
            .or(query["q"].as_str())
            .unwrap_or_else(|| panic!("{query}"));
        if text.contains('\0') {
            // No shell can hand it over.
            continue;
        }
        let ended = world.run(&["search", "--json", "--no-sync", "--", text]);
        assert!(ended.code == 0 || ended.code == 1, "`{text}`: {ended:?}");
    }
}

/// Nothing that a terminal acts on comes through, whatever is shown; JSON keeps the text as it is.
#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let folder = data().join("cases/24-hostile-text");
    let world = World::with_sessions(folder.join("sessions"));
    let listed: Vec<Value> = world.json(&["list"]);
    let ids: Vec<&str> = listed.iter().filter_map(|line| line["id"].as_str()).collect();
    assert_eq!(ids.len(), 3);
    let mut shown = vec![
        world.run(&["list"]),
        world.run(&["search", "narwhal"]),
        world.run(&["search", "red"]),
        world.run(&["unread", "--all"]),
    ];
    for id in &ids {
        shown.extend([
            world.run(&["read", id]),
            world.run(&["tree", id]),
            world.run(&["read", id, "--line", "1"]),
        ]);
    }
    for ended in shown {
        assert!(ended.code == 0 || ended.code == 1, "{ended:?}");
        let acts =
            |c: char| (c.is_control() && c != '\n' && c != '\t') || matches!(c, '\u{202a}'..='\u{202e}');
        assert!(!ended.stdout.contains(acts), "{ended:?}");
        assert!(
            !ended.stdout.contains("[31m") && !ended.stdout.contains("]52;"),
            "{ended:?}"
        );
    }
    let kept = listed
        .iter()
        .any(|line| line["name"].as_str().is_some_and(|name| name.contains('\u{1b}')));
    assert!(kept, "JSON keeps the name as it is: {listed:?}");
}

/// Who waits for an answer, by the definition of the plain list: the last message is text of the user.
#[test]
fn waiting_sessions_are_those_that_end_in_a_question() {
    for case in [
        "03-lone-surrogate",
        "05-bom-and-crlf",
        "09-stale-leaf-rename",
        "13-fork-copies-history",
    ] {
        let folder = data().join("cases").join(case);
        let world = World::with_sessions(folder.join("sessions"));
        let expectation: Value =
            serde_json::from_str(&fs::read_to_string(folder.join("expect.json")).unwrap()).unwrap();
        let lines: Vec<Value> = world.json(&["unread", "--all"]);
        for (id, waits) in expectation["unread"].as_object().unwrap() {
            let listed = lines.iter().any(|line| line["session"]["id"] == id.as_str());
            assert_eq!(listed, waits.as_bool().unwrap(), "{case}: {id}");
        }
    }
}

#[test]
fn a_session_that_is_done_stays_away_until_its_user_writes_again() {
    use crate::program::{header, message};
    let world = World::with_own_sessions();
    let question = header("s1", "/x") + &message("a1", None, "user", "still there?", 1);
    let path = world.write("--x--/2026_s1.jsonl", &question);
    assert_eq!(world.run(&["unread", "--all"]).code, 0);
    let done = world.run(&["unread", "done", "s1"]);
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(world.run(&["unread", "--all"]).code, 1);
    assert_eq!(world.run(&["unread", "--all", "--done"]).code, 0);
    fs::write(path, question + &message("a2", Some("a1"), "user", "hello?", 2)).unwrap();
    assert_eq!(world.run(&["unread", "--all"]).code, 0);
    let undone = world.run(&["unread", "undone", "s1"]);
    assert_eq!(undone.code, 0, "{undone:?}");
}
