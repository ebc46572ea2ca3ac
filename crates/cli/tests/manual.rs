//! Completions, the manual page and `docs/cli.md` are made of the definition of the command line.

use std::path::Path;

use fs_err as fs;

use crate::program::World;

#[test]
fn the_documentation_of_the_command_line_is_up_to_date() {
    let made = World::with_home().run(&["man", "--format", "markdown"]);
    assert_eq!(made.code, 0, "{made:?}");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cli.md");
    assert!(
        fs::read_to_string(path).unwrap() == made.stdout,
        "docs/cli.md is not what the program says; renew it with: cargo run -q -- man --format markdown > docs/cli.md"
    );
}

#[test]
fn the_manual_page_has_every_command() {
    let world = World::with_home();
    let page = world.run(&["man"]);
    assert_eq!(page.code, 0);
    assert!(page.stdout.contains(".TH lookback 1"), "{}", page.stdout);
    let help = world.run(&["--help"]).stdout;
    let commands = help
        .split("Commands:\n")
        .nth(1)
        .unwrap()
        .split("\n\n")
        .next()
        .unwrap();
    let mut seen = 0;
    for line in commands.lines() {
        let name = line.split_whitespace().next().unwrap();
        if name == "help" || !line.starts_with("  ") || line.starts_with("   ") {
            continue;
        }
        seen += 1;
        let section = format!(".SH \"LOOKBACK {}\"\n", name.to_uppercase());
        assert!(page.stdout.contains(&section), "{name}");
    }
    assert!(seen > 15, "{help}");
    assert!(page.stdout.contains(".SH \"EXIT STATUS\""));
}

#[test]
fn every_shell_has_its_completions() {
    let world = World::with_home();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = world.run(&["completions", shell]);
        assert_eq!(script.code, 0, "{script:?}");
        for word in ["lookback", "search", "branch-tip", "no-pager"] {
            assert!(script.stdout.contains(word), "{word} for {shell}");
        }
    }
    assert_eq!(world.run(&["completions", "cmd"]).code, 2);
}
