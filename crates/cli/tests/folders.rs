//! Folders of every kind: none, empty, full of other things, hostile.

use fs_err as fs;

use serde_json::Value;

use crate::program::{World, header, message};

#[test]
fn without_sessions_it_says_what_to_do() {
    let world = World::with_home();
    for args in [&["search", "anything"][..], &["list"], &["sync"], &["status"]] {
        let ended = world.run(args);
        assert!(
            ended.stdout.contains(".pi/agent/sessions (does not exist)"),
            "{args:?}: {ended:?}"
        );
        assert!(ended.stdout.contains("--sessions"), "{args:?}: {ended:?}");
    }
    assert_eq!(world.run(&["search", "anything"]).code, 1);
    assert!(
        !world.home().join(".pi/agent/sessions").exists(),
        "Pi's folders are Pi's to make"
    );
}

#[test]
fn a_filter_or_a_deadline_that_leaves_nothing_is_not_taken_for_an_empty_folder() {
    let world = World::with_home();
    let folder = world.home().join(".pi/agent/sessions/--x--");
    fs::create_dir_all(&folder).unwrap();
    fs::write(
        folder.join("2026_one.jsonl"),
        header("one", "/x") + &message("a1", None, "user", "walrus", 1),
    )
    .unwrap();
    for args in [
        &["search", "walrus #nosuch"][..],
        &["search", "--engine", "scan", "--timeout", "0", "walrus"],
        &["list", "--cwd", "/nowhere"],
    ] {
        let ended = world.run(args);
        assert_eq!(ended.code, 1, "{args:?}: {ended:?}");
        assert!(!ended.stdout.contains("are looked for in"), "{args:?}: {ended:?}");
    }
}

#[test]
fn finds_sessions_where_pi_keeps_them() {
    let world = World::with_home();
    let agent = world.home().join(".pi/agent");
    let custom = world.folder.path().join("custom");
    for (folder, id) in [
        (agent.join("sessions/--x--"), "default-one"),
        (custom.clone(), "custom-one"),
    ] {
        fs::create_dir_all(&folder).unwrap();
        fs::write(
            folder.join(format!("2026_{id}.jsonl")),
            header(id, "/x") + &message("a1", None, "user", "walrus", 1),
        )
        .unwrap();
    }
    let ids = |lines: Vec<Value>| -> Vec<String> {
        let mut ids: Vec<_> = lines
            .iter()
            .filter_map(|line| line["id"].as_str().map(str::to_owned))
            .collect();
        ids.sort();
        ids
    };
    assert_eq!(ids(world.json(&["list"])), ["default-one"]);
    fs::write(
        agent.join("settings.json"),
        format!("{{\"sessionDir\":{:?}}}", custom),
    )
    .unwrap();
    assert_eq!(ids(world.json(&["list"])), ["custom-one", "default-one"]);
    let mut with_env = world.command(&["list", "--json"]);
    with_env
        .env("PI_CODING_AGENT_DIR", world.folder.path().join("other"))
        .env("PI_CODING_AGENT_SESSION_DIR", &custom);
    let ended = crate::program::Ended::from(with_env.output().unwrap());
    assert_eq!(ids(ended.lines()), ["custom-one"]);
}

#[test]
fn unrelated_and_hostile_files_are_passed_over() {
    let world = World::with_own_sessions();
    world.write(
        "--x--/2026_good.jsonl",
        header("good", "/x") + &message("a1", None, "user", "walrus", 1),
    );
    for number in 0..10_000 {
        fs::write(
            world.sessions().join("--x--").join(format!("note-{number}.txt")),
            "walrus",
        )
        .unwrap();
    }
    fs::create_dir(world.sessions().join("--empty--")).unwrap();
    world.write("--x--/empty.jsonl", "");
    world.write("--x--/garbage.jsonl", vec![0xff; 4096]);
    #[cfg(unix)]
    {
        let secret = world.folder.path().join("secret.jsonl");
        fs::write(
            &secret,
            header("secret", "/x") + &message("a1", None, "user", "walrus", 1),
        )
        .unwrap();
        std::os::unix::fs::symlink(&secret, world.sessions().join("--x--/link.jsonl")).unwrap();
        std::os::unix::fs::symlink(world.sessions(), world.sessions().join("--loop--")).unwrap();
        let fifo = std::process::Command::new("mkfifo")
            .arg(world.sessions().join("--x--/fifo.jsonl"))
            .status();
        assert!(
            fifo.is_ok_and(|status| status.success()),
            "this test needs mkfifo"
        );
        let ended = world.run(&[
            "inspect",
            world.sessions().join("--x--/fifo.jsonl").to_str().unwrap(),
        ]);
        assert!(
            ended.code == 2 && ended.stderr.contains("not a regular file"),
            "{ended:?}"
        );
        let ended = world.run(&[
            "inspect",
            world.sessions().join("--x--/link.jsonl").to_str().unwrap(),
        ]);
        assert!(
            ended.code == 2 && ended.stderr.contains("symbolic link"),
            "{ended:?}"
        );
    }
    let ended = world.run(&["search", "walrus", "--json"]);
    let lines: Vec<Value> = ended.lines();
    assert_eq!(lines.len(), 2, "{lines:#?}");
    assert_eq!(lines[0]["session"]["id"], "good");
}

#[test]
fn one_bad_folder_does_not_hide_the_others() {
    let world = World::with_own_sessions();
    world.write(
        "--x--/2026_good.jsonl",
        header("good", "/x") + &message("a1", None, "user", "walrus", 1),
    );
    let not_a_folder = world.folder.path().join("file");
    fs::write(&not_a_folder, "x").unwrap();
    let ended = world.run(&[
        "search",
        "walrus",
        "--json",
        "--sessions",
        not_a_folder.to_str().unwrap(),
        "--sessions",
        "/does/not/exist",
    ]);
    let lines: Vec<Value> = ended.lines();
    assert_eq!(lines[0]["session"]["id"], "good", "{ended:?}");
}

#[test]
fn a_closed_pipe_is_no_error() {
    use std::process::Stdio;
    let world = World::with_sessions(crate::program::data().join("pi-sessions/sessions"));
    let mut child = world
        .command(&["list"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{ended:?}");
}

#[test]
fn where_no_index_may_be_the_files_are_searched() {
    let world = World::with_own_sessions();
    world.write(
        "--x--/2026_good.jsonl",
        header("good", "/x") + &message("a1", None, "user", "walrus", 1),
    );
    let scanned = world.run(&["search", "walrus", "--engine", "scan", "--json"]);
    let lines: Vec<Value> = scanned.lines();
    assert_eq!(
        (
            lines[0]["session"]["id"].as_str(),
            lines[1]["sync"]["state"].as_str()
        ),
        (Some("good"), Some("scanned"))
    );
    assert!(!world.home().exists(), "a scan writes nothing");

    let cache = world.folder.path().join("file");
    fs::write(&cache, "not a folder").unwrap();
    let cache = cache.to_str().unwrap();
    let searched = world.run(&["search", "walrus", "--json", "--cache", cache]);
    let lines: Vec<Value> = searched.lines();
    assert_eq!(lines[0]["session"]["id"], "good", "{searched:?}");
    assert!(lines[1]["sync"]["because"]["message"].is_string(), "{searched:?}");
    let read = world.run(&["read", "good", "--cache", cache]);
    assert!(read.code == 0 && read.stdout.contains("walrus"), "{read:?}");
    let from_line = world.run(&["read", "good", "--line", "1", "--cache", cache]);
    assert!(
        from_line.code == 0 && from_line.stdout.contains("user: walrus"),
        "{from_line:?}"
    );
    assert_eq!(fs::read_to_string(cache).unwrap(), "not a folder");
}

/// A limit on the size of files stops a write in its middle, as a full disk does.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_and_what_was_there_is_still_found() {
    let world = World::with_own_sessions();
    let first = [
        header("s1", "/home/dev/shop"),
        message("a0000001", None, "user", "where is the parser", 0),
    ];
    world.write("--p--/x_s1.jsonl", first.concat());
    assert_eq!(world.run(&["sync"]).code, 0);
    let mut second = header("s2", "/home/dev/shop");
    for word in 0..4000u64 {
        let text = format!("different{word} words{word} fill{word} the{word} disk{word}");
        second += &message(&format!("b{word:07}"), None, "user", &text, word);
    }
    world.write("--p--/x_s2.jsonl", second);
    let limited = |args: &[&str]| {
        let inner = world.command(args);
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\""])
            .arg(inner.get_program())
            .args(inner.get_args())
            .env_clear()
            .current_dir(world.folder.path());
        for (name, value) in inner.get_envs() {
            shell.env(name, value.unwrap());
        }
        crate::program::Ended::from(shell.output().unwrap())
    };
    let sync = limited(&["sync"]);
    assert_eq!(sync.code, 2, "{sync:?}");
    assert!(sync.stderr.contains("no room left to write"), "{sync:?}");
    let search = limited(&["search", "parser"]);
    assert_eq!(search.code, 0, "{search:?}");
    assert!(search.stdout.contains("where is the parser"), "{search:?}");
    // With room again the sync goes on.
    assert_eq!(world.run(&["search", "disk3999"]).code, 0);
}

/// What a shell can hand over, that is: no NUL, and nothing of more than 100,000 bytes.
#[test]
fn bad_queries_end_with_an_answer_and_a_warning() {
    let world = World::with_own_sessions();
    for id in ["abc1", "abc2"] {
        let text = message("a0000001", None, "user", "a redis queue of the user", 0);
        world.write(
            &format!("--p--/x_{id}.jsonl"),
            header(id, "/home/dev/shop") + &text,
        );
    }
    assert_eq!(world.run(&["sync"]).code, 0);
    let inputs: Vec<serde_json::Value> =
        serde_json::from_str(include_str!("../../../tests/data/bad-queries.json")).unwrap();
    let mut tried = 0;
    for input in &inputs {
        let text = input["text"]
            .as_str()
            .unwrap()
            .repeat(input["times"].as_u64().unwrap() as usize);
        if text.contains('\0') || text.len() > 100_000 {
            continue;
        }
        tried += 1;
        let lines: Vec<serde_json::Value> = world.json(&["search", "--", &text]);
        let warnings = lines.last().unwrap()["warnings"].as_array().unwrap();
        let shown: String = text.chars().take(40).collect();
        for code in input["warnings"].as_array().unwrap() {
            assert!(
                warnings.iter().any(|warning| warning["code"] == *code),
                "{shown:?}: {warnings:?}"
            );
        }
    }
    assert!(tried > 25, "{tried}");
}
