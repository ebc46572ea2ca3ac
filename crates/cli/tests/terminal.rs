//! Exit codes, colours, pipes that close, and arguments that nobody would type.

use std::{
    io::Read,
    process::{Command, Stdio},
};

use fs_err as fs;

use crate::program::{Ended, World, data, header, message};

fn world() -> World {
    World::with_sessions(data().join("pi-sessions/sessions"))
}

#[test]
fn exit_codes_are_those_of_grep() {
    let world = world();
    for (code, args) in [
        (0, &["search", "hash"][..]),
        (1, &["search", "nosuchwordanywhere"]),
        (0, &["list"]),
        (1, &["list", "--offset", "1000"]),
        (1, &["tags"]),
        (0, &["sync"]),
        (0, &["status"]),
        (0, &["--help"]),
        (0, &["help", "read"]),
        (0, &["--version"]),
        (2, &[]),
        (2, &["no-such-command"]),
        (2, &["list", "--no-such-option"]),
        (2, &["list", "-n", "0"]),
        (2, &["read", "no-such-session"]),
        (2, &["read"]),
        (2, &["export", "no-such-session"]),
        (2, &["inspect", "/no/such/file"]),
        (2, &["tag", "no-such-session", "x"]),
        (2, &["pick"]),
        (2, &["pick", "--print"]),
        (2, &["--cache", "a\0b", "list"]),
    ] {
        // No system call takes a NUL in an argument; the program cannot be called so at all.
        if args.iter().any(|arg| arg.contains('\0')) {
            continue;
        }
        let ended = world.run(args);
        assert_eq!(ended.code, code, "{args:?}: {ended:?}");
        assert_eq!(ended.stderr.is_empty(), code != 2, "{args:?}: {ended:?}");
    }
}

#[test]
fn colours_come_where_they_are_forced_and_go_where_they_are_unwanted() {
    let world = world();
    for args in [&["search", "hash"][..], &["list"], &["doctor"]] {
        let with = |name: &str, value: &str, more: Option<&str>| {
            let mut command = world.command(args);
            command.env(name, value);
            if let Some(more) = more {
                command.env(more, "1");
            }
            Ended::from(command.output().unwrap()).stdout.contains('\u{1b}')
        };
        assert!(!world.run(args).stdout.contains('\u{1b}'), "{args:?} to a pipe");
        assert!(with("CLICOLOR_FORCE", "1", None), "{args:?} forced");
        assert!(
            !with("NO_COLOR", "1", Some("CLICOLOR_FORCE")),
            "{args:?} unwanted"
        );
        assert!(
            !with("TERM", "xterm-256color", None),
            "{args:?} to a pipe with a terminal elsewhere"
        );
    }
    let mut json = world.command(&["--json", "list"]);
    let json = Ended::from(json.env("CLICOLOR_FORCE", "1").output().unwrap());
    assert!(!json.stdout.contains('\u{1b}'), "JSON is never coloured");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let world = World::with_own_sessions();
    let mut text = header("long-1", "/home/dev/shop");
    let mut parent: Option<String> = None;
    for number in 0..3000 {
        let id = format!("{number:08x}");
        text += &message(&id, parent.as_deref(), "user", &"many words ".repeat(50), number);
        parent = Some(id);
    }
    world.write("x/2026_long-1.jsonl", text);
    for args in [
        &["read", "long-1", "--all"][..],
        &["--json", "read", "long-1", "--all"],
        &["tree", "long-1"],
        &["export", "long-1"],
        &["export", "long-1", "--format", "json"],
    ] {
        let mut child = world
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut first).unwrap();
        let ended = child.wait_with_output().unwrap();
        let told = String::from_utf8(ended.stderr).unwrap();
        assert!(
            ended.status.code() == Some(0) && told.is_empty(),
            "{args:?}: {:?} {told}",
            ended.status
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let ended = world()
        .command(&["list"])
        .stdout(full.into_file())
        .output()
        .unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(
        ended.status.code() == Some(2) && told.starts_with("lookback: "),
        "{told}"
    );
}

/// Everything that a person, a script or an attacker could put on a command line.
fn odd_texts() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        " ",
        "-",
        "--",
        "---",
        "-n",
        "-n-1",
        "--limit=",
        "--limit=99999999999999999999",
        "\u{1b}[2J\u{1b}]0;owned\u{7}",
        "\u{9b}31m\u{202e}\u{2066}\u{200b}\u{feff}",
        "\r\n\t\u{b}\u{c}\u{7f}",
        "%s%n%x$(touch owned)`touch owned`;touch owned|touch owned",
        "../../../../etc/passwd",
        "/etc/passwd",
        "/dev/zero",
        "~root/.ssh/id_rsa",
        "file:///etc/passwd",
        "C:\\Users\\me\\.pi\\agent\\sessions\\x.jsonl",
        "\\\\server\\share\\x.jsonl",
        "x.jsonl:stream",
        "CON",
        "((((((((",
        "NEAR(a b, 99999999999999)",
        "\"unclosed",
        "#",
        "#\u{300}",
        "tag: role: cwd: after: before:",
        "after:99999999999d before:0000-00-00",
        "*",
        "**a**",
        "-a -b -c",
        "NOT NOT NOT NOT",
        "👨‍👩‍👧‍👦",
        "\u{10ffff}",
    ]
    .into_iter()
    .map(str::to_owned)
    .collect();
    texts.push("(".repeat(20_000));
    texts.push("a OR ".repeat(15_000));
    texts.push("-x ".repeat(20_000));
    texts.push("é".repeat(50_000));
    texts.push("*a* ".repeat(10_000));
    texts
}

#[test]
fn odd_arguments_end_in_an_answer_or_in_a_sentence() {
    let world = world();
    assert_eq!(world.run(&["sync"]).code, 0);
    for text in odd_texts() {
        for args in [
            &["search", "--no-sync", &text][..],
            &["read", &text],
            &["read", "019", "--around", &text],
            &["export", &text],
            &["inspect", &text],
            &["tag", &text, &text],
            &["tags", &text],
            &["unread", "--all", "--query", &text],
            &["unread", "done", &text],
            &["list", "--no-sync", "--cwd", &text],
            &["completions", &text],
        ] {
            let ended = world.run(args);
            let shown: String = text.chars().take(40).collect();
            assert!((0..=2).contains(&ended.code), "{} {shown:?}: {ended:?}", args[0]);
            let printed = format!("{}{}", ended.stdout, ended.stderr);
            assert!(!printed.contains("panicked"), "{} {shown:?}: {printed}", args[0]);
            let acted_on =
                |c: char| (c.is_control() && !"\n\t".contains(c)) || c == '\u{202e}' || c == '\u{2066}';
            let odd = printed.chars().find(|&c| acted_on(c));
            assert_eq!(odd, None, "{} {shown:?}: {printed:?}", args[0]);
        }
    }
    assert!(!world.folder.path().join("owned").exists());
}

#[test]
#[cfg(unix)]
fn arguments_and_folders_that_are_no_text_are_refused_in_a_sentence() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};
    let world = world();
    let odd = OsStr::from_bytes(b"\xff\xfe\x1b[2J");
    for command in ["search", "read", "export", "inspect", "tag"] {
        let ended = world.command(&[command]).arg(odd).output().unwrap();
        assert!(matches!(ended.status.code(), Some(0..=2)), "{command}: {ended:?}");
        let told = [ended.stdout, ended.stderr].concat();
        assert!(
            !told.contains(&0x1b) && !told.windows(8).any(|part| part == b"panicked"),
            "{command}"
        );
    }
    let folder = world.folder.path().join(odd);
    fs::create_dir(&folder).unwrap();
    let ended = Command::new(env!("CARGO_BIN_EXE_lookback"))
        .env_clear()
        .arg("list")
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(2));
    assert!(
        !ended.stderr.contains(&0x1b),
        "{:?}",
        String::from_utf8_lossy(&ended.stderr)
    );
}

#[test]
fn hostile_names_of_files_and_folders_reach_no_terminal() {
    let world = World::with_own_sessions();
    let name = "x\u{1b}[31m\u{202e}/2026_\u{9b}2Jevil\n1.jsonl";
    let text = header("evil-1", "/home/\\u001b]0;owned\\u0007") + &message("a1", None, "user", "walrus", 1);
    world.write(name, text + "damaged\u{1b}[2J\n");
    world.write("y/\u{1b}[2J.jsonl", "nothing\n");
    for args in [
        &["search", "walrus"][..],
        &["list"],
        &["read", "evil-1"],
        &["tree", "evil-1"],
        &["doctor"],
        &["sync"],
        &["status"],
        &["unread", "--all"],
        &["export", "evil-1"],
        &["tag", "evil-1", "a\u{1b}[31mb"],
        &["inspect", world.sessions().join(name).to_str().unwrap()],
    ] {
        let ended = world.run(args);
        let printed = format!("{}{}", ended.stdout, ended.stderr);
        assert!((0..=1).contains(&ended.code), "{args:?}: {ended:?}");
        let odd = printed
            .chars()
            .find(|&c| (c.is_control() && !"\n\t".contains(c)) || c == '\u{202e}');
        assert_eq!(odd, None, "{args:?}: {printed:?}");
        // In JSON, too: whoever looks at it does so on a terminal.
        let mut json = vec!["--json"];
        json.extend(args);
        let json = world.run(&json);
        let odd = json.stdout.chars().find(|&c| c.is_ascii_control() && c != '\n');
        assert_eq!(odd, None, "{args:?}: {json:?}");
        assert!(
            json.stdout
                .lines()
                .all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok())
        );
    }
}
