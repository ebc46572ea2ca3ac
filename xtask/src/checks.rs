//! The checks that `cargo xtask ci` makes before it runs the tests.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::steps::Step;

/// The licence checker, in the version that `deny.toml` was written for. Building it takes about four minutes on two
/// cores; where it is on PATH that one is used.
const CARGO_DENY: &str = "0.20.2";

pub(crate) fn steps(root: &Path) -> Vec<Step> {
    let cargo = |name: &str, arguments: &[&str]| Step::new(name, root, "cargo", arguments);
    let mut steps = vec![
        cargo("formatting", &["fmt", "--all", "--check"]),
        cargo(
            "clippy",
            &[
                "clippy",
                "--workspace",
                "--all-targets",
                "--locked",
                "--",
                "-D",
                "warnings",
            ],
        ),
        cargo("documentation", &["doc", "--workspace", "--no-deps", "--locked"])
            .with_environment("RUSTDOCFLAGS", "-D warnings"),
    ];
    steps.extend(licences(root));
    if root.join("fuzz/Cargo.toml").is_file() {
        // A workspace of its own, which no other step would notice to be broken.
        let check = [
            "check",
            "--manifest-path",
            "fuzz/Cargo.toml",
            "--all-targets",
            "--locked",
        ];
        let target = root.join("target/fuzz").to_string_lossy().into_owned();
        steps.push(cargo("fuzz targets", &check).with_environment("CARGO_TARGET_DIR", target));
    }
    steps
}

/// Licences, banned crates and sources, by `deny.toml`; with the tool first where it is missing.
fn licences(root: &Path) -> Vec<Step> {
    let check = ["--locked", "check", "licenses", "bans", "sources"];
    let tools = root.join("target/tools");
    let own = tools
        .join("bin")
        .join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    if version_of(Path::new("cargo-deny")).is_some() {
        return vec![Step::new("licences and bans", root, "cargo-deny", &check)];
    }
    let mut steps = Vec::new();
    if version_of(&own).as_deref() != Some(CARGO_DENY) {
        let tools = tools.to_string_lossy();
        let install = [
            "install",
            "cargo-deny",
            "--version",
            CARGO_DENY,
            "--locked",
            "--force",
            "--root",
            &tools,
        ];
        steps.push(Step::new("licence checker", root, "cargo", &install));
    }
    steps.push(Step::new("licences and bans", root, own, &check));
    steps
}

/// The second word of what `--version` prints, or nothing where the program cannot be started.
fn version_of(program: &Path) -> Option<String> {
    let output = Command::new(program)
        .arg("--version")
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().nth(1).map(str::to_owned)
}
