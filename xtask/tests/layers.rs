//! The arrows between crates, as `docs/architecture.md` allows them, compared with the manifests.
//!
//! The table under the heading `## Layers and arrows` is the only place where an arrow is allowed; this test reads it.
//! Development dependencies are free: a test may use a heavier neighbour than the crate itself.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const HEADING: &str = "## Layers and arrows";

/// From a crate or package to those of ours that it uses.
type Arrows = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The allowed arrows: names in backticks, the first cell of each row being where the arrows begin.
fn allowed(document: &str) -> Result<Arrows, String> {
    let mut lines = document.lines().skip_while(|line| line.trim() != HEADING).skip(1);
    if !document.lines().any(|line| line.trim() == HEADING) {
        return Err(format!("the heading `{HEADING}` is missing"));
    }
    let rows: Vec<&str> = lines
        .by_ref()
        .map(str::trim)
        .take_while(|line| !line.starts_with("## "))
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'))
        .collect();
    let cells = |row: &str| -> Vec<String> {
        row.trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().to_owned())
            .collect()
    };
    let (head, rows) = rows
        .split_at_checked(2)
        .ok_or("there is no table under the heading")?;
    if cells(head[0]) != ["crate", "may use"] {
        return Err(format!(
            "the table starts with {} instead of | crate | may use |",
            head[0]
        ));
    }
    let mut arrows = Arrows::new();
    for row in rows {
        let cells = cells(row);
        let [from, to] = cells.as_slice() else {
            return Err(format!("{row} has not two cells"));
        };
        let from = names(from);
        let [from] = from.as_slice() else {
            return Err(format!("{row} does not begin with one name in backticks"));
        };
        if arrows
            .insert(from.clone(), names(to).into_iter().collect())
            .is_some()
        {
            return Err(format!("`{from}` has two rows"));
        }
    }
    Ok(arrows)
}

/// What stands between backticks.
fn names(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The arrows between the crates of the workspace, by `cargo metadata`.
fn crates() -> Arrows {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    let name = |package: &Value| package["name"].as_str().expect("a name").to_owned();
    let ours: BTreeSet<String> = packages.iter().map(name).collect();
    let arrows = packages.iter().map(|package| {
        let uses = package["dependencies"]
            .as_array()
            .expect("a list of dependencies")
            .iter();
        let uses = uses.filter(|dependency| dependency["kind"] != "dev").map(name);
        (name(package), uses.filter(|name| ours.contains(name)).collect())
    });
    arrows.collect()
}

/// The arrows from one npm package to packages of ours.
fn npm_package(manifest: &Value) -> (String, BTreeSet<String>) {
    let ours = |name: &str| {
        name == "lookback-node"
            || name.starts_with("lookback-node-")
            || name == "pi-lookback"
            || name == "pi-harness-plugin-lookback"
    };
    let uses = ["dependencies", "peerDependencies", "optionalDependencies"]
        .iter()
        .filter_map(|kind| manifest[kind].as_object())
        .flat_map(|dependencies| dependencies.keys())
        .filter(|name| ours(name))
        .cloned();
    (
        manifest["name"]
            .as_str()
            .expect("a package has a name")
            .to_owned(),
        uses.collect(),
    )
}

/// A sentence for each arrow that is not allowed, and for each row and crate that has no partner.
fn objections(allowed: &Arrows, found: &Arrows) -> Vec<String> {
    let mut sentences = Vec::new();
    for (from, uses) in found {
        let Some(may) = allowed.get(from) else {
            sentences.push(format!(
                "`{from}` has no row in the table of docs/architecture.md"
            ));
            continue;
        };
        for to in uses.difference(may) {
            let reach: Vec<&str> = may.iter().map(String::as_str).collect();
            let reach = if reach.is_empty() {
                "none of our crates".to_owned()
            } else {
                reach.join(", ")
            };
            sentences.push(format!(
                "`{from}` must not depend on `{to}`: docs/architecture.md allows it {reach}. \
                 Remove the dependency, or argue for the arrow in that table"
            ));
        }
    }
    for (from, may) in allowed {
        for name in std::iter::once(from).chain(may) {
            // The add-on's npm package is made when it is built.
            if !found.contains_key(name) && name != "lookback-node" {
                sentences.push(format!(
                    "the row of `{from}` names `{name}`, which does not exist"
                ));
            }
        }
    }
    sentences
}

#[test]
fn no_crate_uses_one_beside_or_above_it() {
    let document =
        fs_err::read_to_string(root().join("docs/architecture.md")).expect("the document is there");
    let allowed =
        allowed(&document).unwrap_or_else(|fault| panic!("docs/architecture.md cannot be read: {fault}"));
    let mut found = crates();
    assert!(
        found.len() >= 8,
        "cargo metadata names only {} crates",
        found.len()
    );
    for folder in ["pi-extension", "harness-plugin"] {
        let manifest =
            fs_err::read(root().join(folder).join("package.json")).expect("the package has a manifest");
        found.extend([npm_package(
            &serde_json::from_slice(&manifest).expect("the manifest is JSON"),
        )]);
    }
    let objections = objections(&allowed, &found);
    assert!(objections.is_empty(), "\n{}\n", objections.join("\n"));
}

#[test]
fn the_allowed_arrows_have_no_cycle() {
    let document =
        fs_err::read_to_string(root().join("docs/architecture.md")).expect("the document is there");
    let mut left = allowed(&document).expect("the table can be read");
    while !left.is_empty() {
        let lowest: Vec<String> = left
            .iter()
            .filter(|(_, uses)| !uses.iter().any(|name| left.contains_key(name)))
            .map(|(name, _)| name.clone())
            .collect();
        assert!(
            !lowest.is_empty(),
            "the rows of {:?} point at each other in a circle",
            left.keys()
        );
        lowest.iter().for_each(|name| {
            left.remove(name);
        });
    }
}

const SMALL: &str = "# Title\n\n## Layers and arrows\n\nSome words.\n\n| crate | may use |\n|---|---|\n\
    | `low` | – |\n| `high` | `low` |\n\n| other | table |\n|---|---|\n| `no` | `no` |\n";

fn arrows(rows: &[(&str, &[&str])]) -> Arrows {
    rows.iter()
        .map(|(from, to)| {
            (
                (*from).to_owned(),
                to.iter().map(|&name| name.to_owned()).collect(),
            )
        })
        .collect()
}

#[test]
fn the_table_is_read_and_faults_in_it_are_named() {
    assert_eq!(allowed(SMALL), Ok(arrows(&[("low", &[]), ("high", &["low"])])));
    for (text, fault) in [
        ("# Title", "heading"),
        ("## Layers and arrows\n\nwords", "no table"),
        ("## Layers and arrows\n|a|b|\n|---|---|\n", "instead of"),
        (
            "## Layers and arrows\n| crate | may use |\n|---|---|\n| low | – |\n",
            "backticks",
        ),
        (
            "## Layers and arrows\n| crate | may use |\n|---|---|\n| `a` | – |\n| `a` | – |\n",
            "two rows",
        ),
        (
            "## Layers and arrows\n| crate | may use |\n|---|---|\n| `a` |\n",
            "two cells",
        ),
    ] {
        let error = allowed(text).expect_err(text);
        assert!(error.contains(fault), "{text:?} gives {error:?}");
    }
}

#[test]
fn a_forbidden_arrow_is_named() {
    let allowed = allowed(SMALL).expect("the table can be read");
    assert_eq!(
        objections(&allowed, &arrows(&[("low", &[]), ("high", &["low"])])),
        Vec::<String>::new()
    );
    let upward = objections(&allowed, &arrows(&[("low", &["high"]), ("high", &[])]));
    assert!(
        upward.len() == 1
            && upward[0].starts_with(
                "`low` must not depend on `high`: docs/architecture.md allows it none of our crates"
            ),
        "{upward:?}"
    );
    let unknown = objections(&allowed, &arrows(&[("low", &[]), ("high", &[]), ("new", &[])]));
    assert_eq!(unknown, ["`new` has no row in the table of docs/architecture.md"]);
    let stale = objections(&allowed, &arrows(&[("high", &[])]));
    assert!(
        stale
            .iter()
            .all(|sentence| sentence.contains("`low`, which does not exist"))
            && stale.len() == 2,
        "{stale:?}"
    );
}

#[test]
fn npm_packages_are_judged_by_what_they_install() {
    let manifest = serde_json::json!({
        "name": "pi-lookback",
        "dependencies": { "lookback-node": "0.1.0", "other": "1" },
        "peerDependencies": { "pi-harness-plugin-lookback": "*" },
        "devDependencies": { "lookback-node-linux-x64-gnu": "0.1.0" },
    });
    let (name, uses) = npm_package(&manifest);
    assert_eq!(name, "pi-lookback");
    assert_eq!(
        uses.iter().map(String::as_str).collect::<Vec<_>>(),
        ["lookback-node", "pi-harness-plugin-lookback"]
    );
}
