//! `read` and `tree`: windows, branches, gaps, and what is said about what was left out.

use serde_json::Value;

use crate::{
    contract::ReadLine,
    program::{World, data, header, message},
};

struct Answer {
    ids: Vec<String>,
    texts: Vec<String>,
    summary: Value,
}

fn read(world: &World, args: &[&str]) -> Answer {
    let mut all = vec!["read"];
    all.extend(args);
    // Once into the strict structs, once freely.
    let strict: Vec<ReadLine> = world.json(&all);
    let mut lines: Vec<Value> = world.json(&all);
    let summary = lines.pop().unwrap();
    for line in &strict {
        match line {
            ReadLine::Message {
                id,
                role,
                anchor,
                timestamp,
                text,
            } => {
                assert!(
                    id.is_some() && !text.is_empty() && !role.is_empty() && anchor.contains(':'),
                    "{line:?}"
                );
                assert!(timestamp.is_some() || role == "gap");
            }
            ReadLine::Summary {
                session,
                path,
                branch_tip,
                before,
                after,
                omitted,
                total,
                truncated,
                cut_characters,
                warnings,
            } => {
                assert!(!session.is_empty() && path.ends_with(".jsonl") && branch_tip.is_some());
                assert_eq!(before + after + omitted + strict.len() - 1, *total);
                assert_eq!(*truncated, *omitted > 0 || *cut_characters > 0);
                assert!(warnings.iter().all(|warning| !warning.is_empty()));
            }
        }
    }
    let column = |key: &str| {
        lines
            .iter()
            .map(|line| line[key].as_str().unwrap().to_owned())
            .collect()
    };
    Answer {
        ids: column("id"),
        texts: column("text"),
        summary,
    }
}

#[test]
fn a_window_follows_the_branch_of_its_entry() {
    let world = World::with_sessions(data().join("cases/12-abandoned-branch/sessions"));
    let around = read(&world, &["019b7901", "--around", "a2000002", "--window", "5"]);
    assert_eq!(
        around.ids,
        [
            "a1000001", "a1000002", "a2000001", "a2000002", "a2000003", "a2000004"
        ]
    );
    let narrow = read(&world, &["019b7901", "--around", "a4000002", "--window", "3"]);
    assert_eq!(narrow.ids, ["a1000001", "a1000002", "a4000001", "a4000002"]);
    assert_eq!(
        (
            narrow.summary["before"].as_u64(),
            narrow.summary["after"].as_u64()
        ),
        (Some(0), Some(0))
    );
    let fork_point = read(
        &world,
        &[
            "019b7901",
            "--around",
            "a1000002",
            "--window",
            "1",
            "--branch-tip",
            "a2000004",
        ],
    );
    assert_eq!(fork_point.ids, ["a1000001", "a1000002", "a2000001"]);
    assert_eq!(fork_point.summary["after"], 3);
    let off = world.run(&[
        "read",
        "019b7901",
        "--around",
        "a4000002",
        "--branch-tip",
        "a2000004",
    ]);
    assert!(
        off.code == 2 && off.stderr.contains("not on the branch"),
        "{off:?}"
    );
}

#[test]
fn a_stale_leaf_does_not_hide_the_end() {
    let world = World::with_sessions(data().join("cases/09-stale-leaf-rename/sessions"));
    let whole = read(&world, &["019b7901-3568"]);
    assert_eq!(whole.ids.len(), 8);
    assert_eq!(whole.ids[7], "a1000008");
    let warning = whole.summary["warnings"][0].as_str().unwrap();
    assert!(
        warning.contains("2 of its 8 messages") && warning.contains("a1000008"),
        "{warning}"
    );
}

#[test]
fn a_gap_has_a_place() {
    let world = World::with_sessions(data().join("cases/01-torn-append-and-nul/sessions"));
    let whole = read(&world, &["019b78ff"]);
    assert_eq!(
        whole.ids,
        [
            "a1000001", "a1000002", "a1000003", "a1000004", "a1000005", "a1000006"
        ]
    );
    assert!(whole.texts[2].contains("missing"), "{:?}", whole.texts);
}

#[test]
fn circles_and_second_lives_end() {
    let world = World::with_sessions(data().join("cases/07-duplicate-ids-and-cycles/sessions"));
    let ring = read(&world, &["019b7900-ef18", "--all"]);
    let mut unique = ring.ids.clone();
    unique.sort();
    unique.dedup();
    assert_eq!((ring.ids.len(), unique.len()), (500, 500));
    assert!(ring.summary["warnings"].to_string().contains("circle"));
    let listed = world.run(&["list", "--json"]);
    assert_eq!(listed.code, 0, "the sessions are indexed: {listed:?}");
    let second = read(&world, &["019b7900-f6e8"]);
    assert_eq!(second.texts, ["tangerine second life", "noted again"]);
    let first = read(&world, &["019b7900-f300"]);
    assert_eq!(first.texts, ["grapefruit first life", "noted"]);
}

#[test]
fn what_is_left_out_of_a_long_session_is_said() {
    let world = World::with_own_sessions();
    let mut content = header("long", "/x");
    for number in 0..100u64 {
        let parent = number.checked_sub(1).map(|before| format!("m{before}"));
        let role = if number % 2 == 0 { "user" } else { "assistant" };
        content += &message(
            &format!("m{number}"),
            parent.as_deref(),
            role,
            &"word ".repeat(300),
            number,
        );
    }
    world.write("--x--/2026_long.jsonl", content);
    let answer = read(&world, &["long"]);
    assert_eq!(answer.ids.len(), 30);
    assert_eq!((answer.ids[19].as_str(), answer.ids[20].as_str()), ("m19", "m90"));
    assert_eq!(answer.summary["omitted"], 70);
    assert_eq!(answer.summary["truncated"], true);
    let everything = read(&world, &["long", "--all"]);
    assert_eq!(everything.ids.len(), 100);
    assert_eq!(everything.summary["truncated"], false);
}

#[test]
fn a_tree_names_branches_and_the_newest() {
    let world = World::with_sessions(data().join("cases/12-abandoned-branch/sessions"));
    let mut rows: Vec<Value> = world.json(&["tree", "019b7901"]);
    let summary = rows.pop().unwrap();
    assert_eq!(
        (summary["branches"].as_u64(), summary["tip"].as_str()),
        (Some(3), Some("a3000004"))
    );
    let left = rows.iter().find(|row| row["id"] == "a2000001").unwrap();
    assert_eq!(
        (
            left["depth"].as_u64(),
            left["beginsBranch"].as_bool(),
            left["branch"].as_str()
        ),
        (Some(1), Some(true), Some("abandoned"))
    );
    let drawn = world.run(&["tree", "019b7901"]);
    assert!(
        drawn.stdout.contains("├─user Take redis. cobalt") && !drawn.stdout.contains('\x1b'),
        "{drawn:?}"
    );
}

#[test]
fn an_id_must_be_clear_and_inside() {
    let world = World::with_sessions(data().join("cases/13-fork-copies-history/sessions"));
    let listed = world.run(&["list"]);
    assert_eq!(listed.code, 0, "{listed:?}");
    for (session, sentence) in [
        ("019b7901", "is the start of several"),
        ("nothing-like-it", "no session has the id"),
        ("../../../../../etc/passwd", "not in a session folder"),
        ("/etc/hostname.jsonl", "not in a session folder"),
        ("", "cannot be empty"),
    ] {
        let ended = world.run(&["read", session]);
        assert!(
            ended.code == 2 && ended.stderr.contains(sentence),
            "{session}: {ended:?}"
        );
    }
}
