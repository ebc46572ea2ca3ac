//! `doctor` says what is wrong, and changes nothing unless it is asked to.

use std::path::{Path, PathBuf};

use fs_err as fs;
use serde::Deserialize;
use serde_json::Value;

use crate::program::{World, header, message};

#[derive(Debug, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
enum Line {
    Check {
        area: String,
        state: String,
        code: String,
        path: Option<String>,
        message: String,
        advice: Option<String>,
    },
    Repair {
        area: String,
        state: String,
        code: String,
        path: Option<String>,
        message: String,
        advice: Option<String>,
    },
    Summary {
        version: String,
        pi: String,
        agent_dir: String,
        roots: Vec<String>,
        cache: String,
        data: String,
        sound: bool,
        problems: usize,
        notices: usize,
    },
}

/// What `doctor` finds beyond what is in order: area, state, code and path.
fn findings(world: &World, args: &[&str]) -> Vec<(String, String, String, Option<String>)> {
    let mut all = vec!["--json", "doctor"];
    all.extend(args);
    let ended = world.run(&all);
    let lines: Vec<Line> = ended.lines();
    let mut found = Vec::new();
    let mut counts = (0, 0);
    for line in &lines {
        match line {
            Line::Check {
                area,
                state,
                code,
                path,
                message,
                advice,
            } => {
                assert!(!message.is_empty() && advice.as_deref() != Some(""), "{line:?}");
                counts.0 += usize::from(state == "problem");
                counts.1 += usize::from(state == "notice");
                if state != "ok" {
                    found.push((area.clone(), state.clone(), code.clone(), path.clone()));
                }
            }
            Line::Repair {
                area,
                state,
                code,
                path,
                message,
                advice,
            } => {
                assert!(!message.is_empty() && advice.as_deref() != Some(""), "{line:?}");
                found.push((
                    format!("repair {area}"),
                    state.clone(),
                    code.clone(),
                    path.clone(),
                ));
            }
            Line::Summary {
                version,
                pi,
                agent_dir,
                roots,
                cache,
                data,
                sound,
                problems,
                notices,
            } => {
                assert_eq!(version, env!("CARGO_PKG_VERSION"));
                assert_eq!((*problems, *notices), counts);
                assert_eq!(*sound, *problems == 0);
                assert_eq!(ended.code, i32::from(!sound), "{ended:?}");
                assert!(!pi.is_empty() && !roots.is_empty());
                assert!(cache.starts_with(agent_dir.as_str()) && data.starts_with(agent_dir.as_str()));
            }
        }
    }
    assert!(matches!(lines.last(), Some(Line::Summary { .. })), "{ended:?}");
    found
}

fn codes(found: &[(String, String, String, Option<String>)]) -> Vec<(&str, &str, &str)> {
    found
        .iter()
        .map(|(area, state, code, _)| (area.as_str(), state.as_str(), code.as_str()))
        .collect()
}

fn agent(world: &World) -> PathBuf {
    world.home().join(".pi/agent")
}

/// The one folder of the index.
fn index(world: &World) -> PathBuf {
    let cache = agent(world).join("cache/lookback");
    let mut folders = fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().path());
    let folder = folders.next().unwrap();
    assert!(folders.next().is_none());
    folder
}

/// Names, contents and times of everything in a folder.
fn state_of(folder: &Path) -> Vec<(PathBuf, std::time::SystemTime, Vec<u8>)> {
    let mut state = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let modified = fs::symlink_metadata(&path).unwrap().modified().unwrap();
            if path.is_dir() {
                folders.push(path.clone());
                state.push((path, modified, Vec::new()));
            } else {
                let content = fs::read(&path).unwrap();
                state.push((path, modified, content));
            }
        }
    }
    state.sort();
    state
}

fn healthy() -> World {
    let world = World::with_own_sessions();
    let text = header("0198c1f2-0000-7000-8000-000000000001", "/home/dev/shop")
        + &message("a0000001", None, "user", "where is the walrus", 1);
    world.write(
        "--home-dev-shop--/2026_0198c1f2-0000-7000-8000-000000000001.jsonl",
        text,
    );
    assert_eq!(world.run(&["search", "walrus"]).code, 0);
    assert_eq!(world.run(&["tag", "0198c1f2", "zoo"]).code, 0);
    world
}

#[test]
fn a_healthy_world_has_nothing_to_find_and_stays_as_it_is() {
    let world = healthy();
    let before = state_of(world.folder.path());
    assert_eq!(codes(&findings(&world, &[])), []);
    let shown = world.run(&["doctor"]);
    assert!(
        shown.code == 0 && shown.stdout.contains("Nothing is wrong."),
        "{shown:?}"
    );
    assert_eq!(state_of(world.folder.path()), before, "doctor changed something");
    // Nor is there anything to repair.
    assert_eq!(codes(&findings(&world, &["--repair"])), []);
    assert_eq!(state_of(world.folder.path()), before);
}

#[test]
fn before_first_use_there_are_only_notices_and_nothing_is_made() {
    let world = World::with_home();
    let found = findings(&world, &[]);
    assert_eq!(
        codes(&found),
        [
            ("sessions", "notice", "folder-missing"),
            ("index", "notice", "missing")
        ]
    );
    assert!(!world.home().exists());
}

#[test]
fn a_flipped_byte_anywhere_in_the_index_is_found_and_repaired() {
    let world = healthy();
    let layer = fs::read_dir(index(&world))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| {
            path.extension()
                .is_some_and(|extension| extension == "lookback-layer")
        })
        .unwrap();
    let whole = fs::read(&layer).unwrap();
    // A few places in the postings, the records and the table of contents; tests of the index try them all.
    for at in [whole.len() / 5, whole.len() / 2, whole.len() - 3] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        fs::write(&layer, &damaged).unwrap();
        let found = findings(&world, &[]);
        assert!(!found.is_empty(), "byte {at}");
        assert!(
            found.iter().all(|(area, state, code, path)| {
                (area.as_str(), state.as_str(), code.as_str()) == ("index", "problem", "damaged")
                    && path.is_some()
            }),
            "{found:?}"
        );
        assert_eq!(fs::read(&layer).unwrap(), damaged, "it only looks");
    }
    assert_eq!(
        codes(&findings(&world, &["--repair"])),
        [("repair index", "ok", "rebuilt")]
    );
    assert_eq!(codes(&findings(&world, &[])), []);
    assert_eq!(world.run(&["search", "--no-sync", "walrus"]).code, 0);
    assert!(world.run(&["tags", "0198c1f2"]).stdout.contains("#zoo"));
}

#[test]
fn session_files_that_are_damaged_or_that_pi_refuses_are_named_and_left_alone() {
    let world = healthy();
    let damaged = header("0198c1f2-0000-7000-8000-000000000002", "/home/dev/shop")
        + "{\"type\":\"message\",\"id\":\"b00\u{1b}[2J\n"
        + &message("b0000002", None, "user", "still here", 2);
    let damaged = world.write("--home-dev-shop--/2026_damaged.jsonl", damaged);
    let refused = world.write(
        "--home-dev-shop--/2026_refused.jsonl",
        message("c0000001", None, "user", "no header", 3),
    );
    let before = state_of(world.sessions());
    let found = findings(&world, &["--repair"]);
    assert_eq!(
        codes(&found),
        [
            ("sessions", "problem", "damaged-lines"),
            ("sessions", "problem", "pi-refuses"),
        ]
    );
    let paths: Vec<_> = found.iter().map(|(.., path)| path.clone().unwrap()).collect();
    assert_eq!(paths, [damaged.to_str().unwrap(), refused.to_str().unwrap()]);
    assert_eq!(state_of(world.sessions()), before);
    let shown = world.run(&["doctor"]);
    assert_eq!(shown.code, 1);
    assert!(
        shown.stdout.contains("line 2: ") && shown.stdout.contains("2 problems."),
        "{shown:?}"
    );
    assert!(!shown.stdout.contains('\u{1b}'), "{shown:?}");
}

#[test]
fn thousands_of_bad_files_are_counted_not_listed() {
    let world = World::with_own_sessions();
    for number in 0..250 {
        world.write(&format!("x/{number}.jsonl"), "no session\n");
    }
    let found = findings(&world, &[]);
    let of_sessions = found.iter().filter(|(area, ..)| area == "sessions").count();
    assert_eq!(of_sessions, 101);
    assert!(
        found
            .iter()
            .any(|(_, state, code, _)| state == "problem" && code == "more-files")
    );
}

#[test]
fn damaged_tags_are_found_and_put_right_from_their_backup() {
    let world = healthy();
    let tags = agent(&world).join("pi-recall/tags-v1.json");
    fs::write(&tags, "{\"version\":1,\"sess").unwrap();
    assert_eq!(
        codes(&findings(&world, &[])),
        [("tags", "problem", "used-backup")]
    );
    assert_eq!(
        fs::read_to_string(&tags).unwrap(),
        "{\"version\":1,\"sess",
        "it only looks"
    );
    let found = findings(&world, &["--repair"]);
    assert_eq!(
        codes(&found),
        [
            ("repair tags", "ok", "restored"),
            ("repair tags", "notice", "set-aside"),
            ("tags", "notice", "set-aside"),
        ],
        "{found:?}"
    );
    assert!(world.run(&["tags", "0198c1f2"]).stdout.contains("#zoo"));
    fs::write(&tags, "{\"version\":2}").unwrap();
    assert_eq!(
        codes(&findings(&world, &["--repair"]))[0],
        ("repair tags", "problem", "tags-newer-version")
    );
    assert_eq!(
        fs::read_to_string(&tags).unwrap(),
        "{\"version\":2}",
        "a newer file is left alone"
    );
}

#[test]
fn tags_of_sessions_that_are_gone_are_told_and_kept() {
    let world = healthy();
    fs::remove_dir_all(world.sessions().join("--home-dev-shop--")).unwrap();
    assert!(codes(&findings(&world, &["--repair"])).contains(&("tags", "notice", "without-session")));
    let tags = fs::read_to_string(agent(&world).join("pi-recall/tags-v1.json")).unwrap();
    assert!(tags.contains("zoo"));
}

#[test]
fn a_settings_file_that_cannot_be_read_is_a_problem() {
    let world = World::with_home();
    fs::create_dir_all(agent(&world)).unwrap();
    fs::write(agent(&world).join("settings.json"), "{oops").unwrap();
    assert!(codes(&findings(&world, &[])).contains(&("settings", "problem", "settings-unreadable")));
}

#[cfg(unix)]
#[test]
fn what_is_open_to_others_is_found_and_closed() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path, mode| fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    let mode_of = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;

    let world = healthy();
    let (index, data) = (index(&world), agent(&world).join("pi-recall"));
    let tags = data.join("tags-v1.json");
    mode(&index, 0o755);
    mode(&index.join("lookback-index.manifest"), 0o644);
    mode(&tags, 0o640);
    // Shared on purpose, perhaps.
    mode(&data, 0o755);
    let open = [
        ("index", "problem", "open-to-others"),
        ("index", "problem", "open-to-others"),
        ("tags", "notice", "open-to-others"),
        ("tags", "problem", "open-to-others"),
    ];
    assert_eq!(codes(&findings(&world, &[])), open);
    assert_eq!(mode_of(&tags), 0o640, "it only looks");
    assert_eq!(
        codes(&findings(&world, &["--repair"])),
        [
            ("repair index", "ok", "closed"),
            ("repair index", "ok", "closed"),
            ("repair tags", "ok", "closed"),
            ("tags", "notice", "open-to-others"),
        ]
    );
    assert_eq!(
        (mode_of(&index), mode_of(&tags), mode_of(&data)),
        (0o700, 0o600, 0o755)
    );
    mode(&data, 0o777);
    assert_eq!(
        codes(&findings(&world, &[])),
        [("tags", "problem", "open-to-others")]
    );
}

#[cfg(unix)]
#[test]
fn links_and_pipes_in_place_of_our_files_are_told_and_not_followed() {
    let world = healthy();
    let tags = agent(&world).join("pi-recall/tags-v1.json");
    let kept = world.folder.path().join("kept.json");
    fs::rename(&tags, &kept).unwrap();
    fs_err::os::unix::fs::symlink(&kept, &tags).unwrap();
    let found = findings(&world, &["--repair"]);
    assert!(
        codes(&found).contains(&("tags", "problem", "tags-not-a-file")),
        "{found:?}"
    );
    let index = index(&world);
    let moved = world.folder.path().join("moved");
    fs::rename(&index, &moved).unwrap();
    fs_err::os::unix::fs::symlink(&moved, &index).unwrap();
    assert!(codes(&findings(&world, &[])).contains(&("index", "problem", "linked-folder")));
    // A pipe in place of a lock: opening it would wait for ever.
    let lock = agent(&world).join("pi-recall/tags-v1.json.lock");
    fs::remove_file(&lock).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&lock)
            .status()
            .unwrap()
            .success()
    );
    let _ = findings(&world, &[]);
}

#[test]
fn the_holder_of_a_lock_is_named() {
    let world = healthy();
    let path = index(&world).join("lookback-index.lock");
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.file().lock().unwrap();
    let found = findings(&world, &[]);
    assert_eq!(codes(&found), [("index", "notice", "locked")]);
    assert_eq!(found[0].3.as_deref(), path.to_str());
    if cfg!(target_os = "linux") && Path::new("/proc/locks").exists() {
        let lines: Vec<Value> = world.json(&["doctor"]);
        let line = lines.iter().find(|line| line["code"] == "locked").unwrap();
        let message = line["message"].as_str().unwrap();
        assert!(
            message.contains(&format!("process {} ", std::process::id())),
            "{message}"
        );
    }
    drop(file);
    assert_eq!(codes(&findings(&world, &[])), []);
}

#[test]
fn every_code_that_is_found_is_documented() {
    let documented =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/doctor.md")).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../lookback/src/checkup");
    let mut seen = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let source = fs::read_to_string(entry.unwrap().path()).unwrap();
        // Codes are the only quoted words with a hyphen in these files.
        for word in source.split('"').skip(1).step_by(2) {
            let is_code =
                word.contains('-') && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            if is_code {
                seen += 1;
                assert!(
                    documented.contains(&format!("`{word}`")),
                    "{word} is not in docs/doctor.md"
                );
            }
        }
    }
    assert!(seen > 10);
}
