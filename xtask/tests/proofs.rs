//! Two pages promise tests: `docs/seed-parity.md` for every behaviour that was taken over, `docs/security.md` for every
//! threat. Here their tables are read, and every test that they name has to be there.
//!
//! A proof is written in backticks, as `crates/x/tests/y.rs::name` (Rust and Python) or as
//! `pi-extension/tests/z.test.ts: "title"` (TypeScript and JavaScript).

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What stands in the third cell of a row that has no test: nothing is there to be tested, for a reason.
const REASON: &str = "Different:";

struct Row {
    line: usize,
    section: String,
    cells: Vec<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The rows of all tables whose head has three cells and ends in `proof`.
fn rows(document: &str) -> Vec<Row> {
    let mut section = String::new();
    let mut is_proofs = false;
    let mut is_table = false;
    let mut rows = Vec::new();
    for (at, line) in document.lines().enumerate() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.clone_into(&mut section);
        }
        if !line.starts_with('|') {
            is_table = false;
            continue;
        }
        let cells = cells(line);
        if !is_table {
            is_table = true;
            is_proofs = cells.len() == 3 && cells[2] == "proof";
        } else if is_proofs && !cells[0].starts_with("---") {
            rows.push(Row {
                line: at + 1,
                section: section.clone(),
                cells,
            });
        }
    }
    rows
}

/// The cells of a row; `\|` is a character of a cell.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().replace("\\|", "\u{1}");
    let inner = line.trim_matches('|');
    inner
        .split('|')
        .map(|cell| cell.trim().replace('\u{1}', "|"))
        .collect()
}

/// Tests named in a cell, as (path, name or title).
fn proofs(cell: &str) -> Vec<(&str, &str)> {
    let spans = cell.split('`').skip(1).step_by(2);
    spans
        .filter_map(|span| {
            if let Some((path, title)) = span.split_once(": \"") {
                return Some((path, title.strip_suffix('"')?));
            }
            // `Lookback::tool` is no path.
            span.split_once("::").filter(|(path, _)| path.contains('/'))
        })
        .collect()
}

/// Names of the tests that run: those that only child processes enter are marked as ignored.
fn rust_tests(source: &str) -> Vec<String> {
    let mut tests = Vec::new();
    let mut lines = source.lines().map(str::trim);
    while let Some(line) = lines.next() {
        if !line.starts_with("#[test]") {
            continue;
        }
        let mut is_ignored = false;
        for line in lines.by_ref() {
            is_ignored |= line.starts_with("#[ignore");
            if let Some((_, rest)) = line.split_once("fn ") {
                let name: String = rest
                    .chars()
                    .take_while(|&c| c.is_alphanumeric() || c == '_')
                    .collect();
                if !is_ignored {
                    tests.push(name);
                }
                break;
            }
        }
    }
    tests
}

fn python_tests(source: &str) -> Vec<String> {
    let names = source.lines().filter_map(|line| line.strip_prefix("def "));
    names
        .filter_map(|rest| rest.split_once('('))
        .map(|(name, _)| name.to_owned())
        .filter(|name| name.starts_with("test_"))
        .collect()
}

/// Titles of tests; of a template the pieces between its `${…}`.
fn script_tests(source: &str) -> Vec<Vec<String>> {
    let mut titles = Vec::new();
    for (at, _) in source.match_indices("test(") {
        if source[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.' || c == '_') {
            continue;
        }
        let rest = source[at + "test(".len()..].trim_start();
        let Some(quote) = rest.chars().next().filter(|c| "'\"`".contains(*c)) else {
            continue;
        };
        let mut pieces = vec![String::new()];
        let mut rest = rest[1..].chars();
        while let Some(c) = rest.next() {
            match c {
                '\\' => pieces.last_mut().expect("never empty").extend(rest.next()),
                '$' if quote == '`' && rest.as_str().starts_with('{') => {
                    let end = rest.as_str().find('}').expect("a placeholder ends");
                    rest = rest.as_str()[end + 1..].chars();
                    pieces.push(String::new());
                }
                c if c == quote => break,
                c => pieces.last_mut().expect("never empty").push(c),
            }
        }
        titles.push(pieces);
    }
    titles
}

/// Whether a title is what a template makes with some values. A template of values alone would fit everything.
fn fits(title: &str, pieces: &[String]) -> bool {
    if pieces.iter().all(String::is_empty) {
        return false;
    }
    let [first, middle @ .., last] = pieces else {
        return pieces.len() == 1 && pieces[0] == title;
    };
    let Some(rest) = title.strip_prefix(first.as_str()) else {
        return false;
    };
    let Some(mut rest) = rest.strip_suffix(last.as_str()) else {
        return false;
    };
    middle.iter().all(|piece| match rest.split_once(piece.as_str()) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

fn is_there(path: &str, name: &str) -> Result<(), String> {
    let source = fs_err::read_to_string(root().join(path))
        .map_err(|_| format!("`{path}`, the place of a test, does not exist"))?;
    let is_there = if path.ends_with(".rs") {
        rust_tests(&source).iter().any(|test| test == name)
    } else if path.ends_with(".py") {
        python_tests(&source).iter().any(|test| test == name)
    } else {
        script_tests(&source).iter().any(|pieces| fits(name, pieces))
    };
    if is_there {
        Ok(())
    } else {
        Err(format!("`{path}` has no test `{name}`"))
    }
}

/// A sentence for everything that is wrong with a page.
fn objections(page: &str, rows: &[Row], is_reason_enough: bool) -> Vec<String> {
    let mut sentences = Vec::new();
    let mut seen = BTreeSet::new();
    for Row { line, section, cells } in rows {
        let mut say = |what: String| sentences.push(format!("{page}:{line}: {what}"));
        if cells.len() != 3 || cells.iter().any(String::is_empty) {
            say("a row has three cells, none of them empty".to_owned());
            continue;
        }
        if !seen.insert((section, &cells[0])) {
            say(format!("“{}” stands here twice", cells[0]));
        }
        let proofs = proofs(&cells[2]);
        if proofs.is_empty() && !(is_reason_enough && cells[2].starts_with(REASON)) {
            say(format!("no test is named for “{}”", cells[0]));
        }
        for (path, name) in proofs {
            if let Err(what) = is_there(path, name) {
                say(what);
            }
        }
    }
    sentences
}

fn page(name: &str) -> Vec<Row> {
    rows(&fs_err::read_to_string(root().join(name)).expect("the page is there"))
}

#[test]
fn every_behaviour_of_the_seeds_has_its_proof() {
    let rows = page("docs/seed-parity.md");
    let objections = objections("docs/seed-parity.md", &rows, true);
    assert!(objections.is_empty(), "\n{}\n", objections.join("\n"));
    let mut sections = BTreeMap::<&str, usize>::new();
    for row in &rows {
        *sections.entry(&row.section).or_default() += 1;
    }
    assert_eq!(sections.len(), 4, "one table for each seed: {sections:?}");
    assert!(rows.len() >= 120, "only {} behaviours: {sections:?}", rows.len());
}

#[test]
fn every_threat_has_a_test() {
    let rows = page("docs/security.md");
    let objections = objections("docs/security.md", &rows, false);
    assert!(objections.is_empty(), "\n{}\n", objections.join("\n"));
    assert!(rows.len() >= 30, "only {} threats", rows.len());
}

#[test]
fn tests_are_found_in_every_language() {
    let rust = "#[test]\nfn one() {}\n#[cfg(unix)]\n#[test]\n#[ignore = \"child\"]\nfn child() {}\n\
        proptest! {\n    #[test]\n    fn two(x: u8) {}\n}\nfn three() {}\n";
    assert_eq!(rust_tests(rust), ["one", "two"]);
    assert_eq!(
        python_tests("def test_a(x):\n    def test_b():\ndef c():\n"),
        ["test_a"]
    );
    let script = "test('it\\'s', () => {});\ntest(\n  `a ${x} c ${y}`, {});\npattern.test('no');\n";
    let titles = script_tests(script);
    assert_eq!(titles.len(), 2, "{titles:?}");
    assert!(fits("it's", &titles[0]) && !fits("it's not", &titles[0]));
    assert!(fits("a b c d", &titles[1]) && !fits("a b d", &titles[1]));
}

#[test]
fn what_is_wrong_with_a_table_is_named() {
    let document = "## A\n\n| other | table |\n|---|---|\n| x | y |\n\n| behaviour | ours | proof |\n|---|---|---|\n\
        | a \\| b | ok | `xtask/tests/proofs.rs::what_is_wrong_with_a_table_is_named` |\n\
        | c | ok | Different: for a reason |\n| d | ok | none |\n| d |  | x |\n\
        | e | ok | `xtask/tests/proofs.rs::nosuch`, `no/such.test.ts: \"title\"` |\n";
    let rows = rows(document);
    assert_eq!(rows[0].cells[0], "a | b");
    let found = objections("x.md", &rows, true).join("\n");
    let expected = [
        "x.md:11: no test is named for “d”",
        "x.md:12: a row has three cells",
        "x.md:13: `xtask/tests/proofs.rs` has no test `nosuch`",
        "x.md:13: `no/such.test.ts`, the place of a test, does not exist",
    ];
    assert_eq!(found.lines().count(), expected.len(), "{found}");
    for (line, expected) in found.lines().zip(expected) {
        assert!(line.starts_with(expected), "{line}");
    }
    assert_eq!(objections("x.md", &rows[1..2], false).len(), 1);
}
