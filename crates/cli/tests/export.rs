//! `export` writes what was said, whole, and over nothing that is there.

use fs_err as fs;
use serde::Deserialize;
use serde_json::Value;

use crate::program::{World, data, header, message};

#[derive(Debug, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
enum Line {
    Message {
        id: Option<String>,
        role: String,
        timestamp: Option<String>,
        text: String,
        anchor: String,
    },
    Session {
        id: String,
        path: String,
        cwd: String,
        title: String,
        branch_tip: Option<String>,
        messages: usize,
        warnings: Vec<String>,
    },
}

const ID: &str = "0198c1f2-0000-7000-8000-000000000001";
const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";

/// A session of so many questions and answers.
fn world(pairs: u64) -> World {
    let world = World::with_own_sessions();
    let mut text = header(ID, "/home/dev/shop");
    let mut parent: Option<String> = None;
    for number in 0..pairs {
        for (role, said) in [
            ("user", format!("question {number} with {SECRET}")),
            (
                "assistant",
                format!("answer {number}\n```rust\nfn left_open() {{}}"),
            ),
        ] {
            let id = format!("{}{number:07x}", &role[..1]);
            text += &message(&id, parent.as_deref(), role, &said, number * 2);
            parent = Some(id);
        }
    }
    world.write(
        "--home-dev-shop--/2026_0198c1f2-0000-7000-8000-000000000001.jsonl",
        text,
    );
    world
}

#[test]
fn markdown_holds_every_message_and_each_code_block_ends_with_its_message() {
    let ended = world(100).run(&["export", "0198c1f2"]);
    assert!(ended.code == 0 && ended.stderr.is_empty(), "{}", ended.stderr);
    let text = ended.stdout;
    assert!(text.starts_with("# question 0 with "), "{text}");
    assert!(text.contains(&format!("- Session: {ID}\n- Folder: /home/dev/shop\n")));
    assert_eq!(
        text.matches("\n## User · 2026-01-01 10:0").count() + text.matches("\n## Assistant").count(),
        200
    );
    for number in 0..100 {
        assert!(text.contains(&format!("\nquestion {number} with {SECRET}\n")));
        assert!(text.contains(&format!("\nanswer {number}\n```rust\nfn left_open() {{}}\n```\n")));
    }
}

#[test]
fn json_lines_keep_their_contract() {
    let world = world(40);
    for args in [
        &["export", "0198c1f2", "--format", "json"][..],
        &["--json", "export", "0198c1f2"],
    ] {
        let lines: Vec<Line> = world.run(args).lines();
        assert_eq!(lines.len(), 81);
        for line in &lines[..80] {
            let Line::Message {
                id,
                role,
                timestamp,
                text,
                anchor,
            } = line
            else {
                panic!("{line:?}")
            };
            assert!(
                id.is_some() && timestamp.is_some() && anchor.starts_with(ID),
                "{line:?}"
            );
            assert!(
                text.starts_with(if role == "user" { "question" } else { "answer" }),
                "{line:?}"
            );
        }
        let Line::Session {
            id,
            path,
            cwd,
            title,
            branch_tip,
            messages,
            warnings,
        } = &lines[80]
        else {
            panic!("{:?}", lines[80])
        };
        assert_eq!((id.as_str(), cwd.as_str(), *messages), (ID, "/home/dev/shop", 80));
        assert!(path.ends_with(".jsonl") && title.starts_with("question 0"));
        assert_eq!(branch_tip.as_deref(), Some("a0000027"));
        assert!(warnings.is_empty());
    }
}

#[test]
fn a_branch_tip_exports_its_branch() {
    let world = World::with_sessions(data().join("cases/12-abandoned-branch/sessions"));
    let tree: Vec<Value> = world.json(&["tree", "019b7901"]);
    let leaves: Vec<&str> = tree
        .iter()
        .filter(|row| row["leaf"] == true)
        .filter_map(|row| row["id"].as_str())
        .collect();
    assert!(leaves.len() > 1, "{tree:?}");
    let mut exports = std::collections::BTreeSet::new();
    for leaf in &leaves {
        let export = world.run(&["export", "019b7901", "--branch-tip", leaf]);
        assert_eq!(export.code, 0, "{export:?}");
        exports.insert(export.stdout);
    }
    assert_eq!(exports.len(), leaves.len());
    let unknown = world.run(&["export", "019b7901", "--branch-tip", "no-such-entry"]);
    assert!(unknown.code == 2 && unknown.stdout.is_empty(), "{unknown:?}");
}

#[test]
fn secrets_are_taken_out_on_request() {
    let world = world(2);
    for format in ["md", "json"] {
        let plain = world.run(&["export", "0198c1f2", "--format", format]);
        assert!(plain.stdout.contains(SECRET));
        let redacted = world.run(&["export", "0198c1f2", "--format", format, "--redact"]);
        assert!(!redacted.stdout.contains(SECRET), "{redacted:?}");
        assert!(redacted.stdout.contains("[redacted:github-token]"));
        assert!(
            redacted.stderr.contains("2 secrets were taken out"),
            "{redacted:?}"
        );
    }
}

#[test]
fn a_file_is_written_for_its_owner_and_over_nothing() {
    let world = world(1);
    let target = world.folder.path().join("out.md");
    let args = ["export", "0198c1f2", "-o", "out.md"];
    let written = world.run(&args);
    assert!(written.code == 0 && written.stdout.is_empty(), "{written:?}");
    let text = fs::read_to_string(&target).unwrap();
    assert!(text.contains("question 0"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    }
    fs::write(&target, "mine").unwrap();
    let refused = world.run(&args);
    assert!(
        refused.code == 2 && refused.stderr.contains("--force"),
        "{refused:?}"
    );
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine");
    let forced = world.run(&["export", "0198c1f2", "-o", "out.md", "--force"]);
    assert_eq!(forced.code, 0, "{forced:?}");
    assert_eq!(fs::read_to_string(&target).unwrap(), text);
    // Nothing is left behind, and a session that is not there makes no file.
    assert_eq!(world.run(&["export", "nope", "-o", "other.md"]).code, 2);
    let mut names: Vec<_> = fs::read_dir(world.folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["out.md", "sessions"]);
}

#[test]
fn nothing_is_written_among_pis_sessions_or_through_links() {
    let world = world(1);
    let session = world
        .sessions()
        .join(format!("--home-dev-shop--/2026_{ID}.jsonl"));
    let before = fs::read(&session).unwrap();
    for target in [
        session.to_str().unwrap(),
        "sessions/new.md",
        "sessions/--home-dev-shop--/../x.md",
    ] {
        let refused = world.run(&["export", "0198c1f2", "--force", "-o", target]);
        assert!(
            refused.code == 2 && refused.stderr.contains("session folder"),
            "{target}: {refused:?}"
        );
    }
    assert_eq!(fs::read(&session).unwrap(), before);
    let folder = world.run(&["export", "0198c1f2", "--force", "-o", "sessions"]);
    assert_eq!(folder.code, 2, "{folder:?}");
    let missing = world.run(&["export", "0198c1f2", "-o", "no/such/folder/x.md"]);
    assert_eq!(missing.code, 2, "{missing:?}");
    #[cfg(unix)]
    {
        let kept = world.folder.path().join("kept");
        fs::write(&kept, "kept").unwrap();
        fs_err::os::unix::fs::symlink(&kept, world.folder.path().join("link")).unwrap();
        fs_err::os::unix::fs::symlink(world.sessions(), world.folder.path().join("around")).unwrap();
        for target in ["link", "around/x.md", "/dev/null"] {
            let refused = world.run(&["export", "0198c1f2", "--force", "-o", target]);
            assert_eq!(refused.code, 2, "{target}: {refused:?}");
        }
        assert_eq!(fs::read_to_string(&kept).unwrap(), "kept");
    }
}

#[test]
fn what_a_terminal_acts_on_is_in_no_export() {
    let world = World::with_own_sessions();
    let hostile = "a\u{1b}[2J\u{1b}]0;owned\u{7}b\u{9b}31mc\u{7f}\u{202e}d";
    let text = header("hostile-1", "/home/dev/\\u001b[31mshop") + &message("a1", None, "user", hostile, 1);
    world.write("x/2026_hostile-1.jsonl", text);
    for format in ["md", "json"] {
        let ended = world.run(&["export", "hostile-1", "--format", format]);
        assert_eq!(ended.code, 0, "{ended:?}");
        assert!(
            !ended.stdout.chars().any(|c| c.is_control() && c != '\n'),
            "{format}: {ended:?}"
        );
    }
}
