//! The test suites: what `cargo xtask test` runs.

use std::path::Path;

use serde_json::Value;

use crate::steps::Step;

/// All suites in the order in which they run. A new one is one more line here; a suite whose folder holds no tests
/// yet is named and passed over.
const SUITES: &[Suite] = &[
    Suite {
        name: "Rust",
        folder: ".",
        kind: Kind::Cargo,
    },
    Suite {
        name: "Node add-on",
        folder: "crates/node-binding",
        kind: Kind::Npm,
    },
    Suite {
        name: "Pi extension",
        folder: "pi-extension",
        kind: Kind::Npm,
    },
    Suite {
        name: "Harness plugin",
        folder: "harness-plugin",
        kind: Kind::Npm,
    },
    Suite {
        name: "Python package",
        folder: "crates/py-binding",
        kind: Kind::Python,
    },
];

struct Suite {
    name: &'static str,
    folder: &'static str,
    kind: Kind,
}

#[derive(Clone, Copy)]
enum Kind {
    /// All crates of the workspace, with the examples in their documentation.
    Cargo,
    /// `npm test`, once `package.json` has such a script.
    Npm,
    /// pytest on the installed package, once there are `pyproject.toml` and a folder `tests`.
    Python,
}

/// The steps of all suites that are there, and a sentence for each one that is not.
pub(crate) fn steps(root: &Path) -> (Vec<Step>, Vec<String>) {
    let mut steps = Vec::new();
    let mut absent = Vec::new();
    for suite in SUITES {
        let folder = root.join(suite.folder);
        match suite.kind.missing(&folder) {
            None => steps.extend(suite.kind.steps(suite.name, root, &folder)),
            Some(what) => absent.push(format!("{}: no tests yet ({}/{what})", suite.name, suite.folder)),
        }
    }
    (steps, absent)
}

impl Kind {
    /// What the folder would need to be a suite.
    fn missing(self, folder: &Path) -> Option<&'static str> {
        match self {
            Kind::Cargo => None,
            Kind::Npm => {
                let manifest = fs_err::read(folder.join("package.json")).unwrap_or_default();
                let manifest: Value = serde_json::from_slice(&manifest).unwrap_or_default();
                (!manifest["scripts"]["test"].is_string()).then_some("package.json has no script `test`")
            }
            Kind::Python => {
                let there = folder.join("pyproject.toml").is_file() && folder.join("tests").is_dir();
                (!there).then_some("pyproject.toml and tests/ are not there")
            }
        }
    }

    fn steps(self, name: &str, root: &Path, folder: &Path) -> Vec<Step> {
        let part = |what: &str| format!("{name}: {what}");
        match self {
            Kind::Cargo => vec![Step::new(
                part("tests"),
                root,
                "cargo",
                &["test", "--workspace", "--locked"],
            )],
            Kind::Npm => vec![
                // `npm ci` installs what the lock file says and nothing else, Node itself included.
                Step::new(
                    part("packages"),
                    folder,
                    "npm",
                    &["ci", "--no-audit", "--no-fund"],
                ),
                Step::new(part("tests"), folder, "npm", &["test"]),
            ],
            Kind::Python => {
                // An environment of its own: nothing is installed into the developer's Python.
                let environment = root.join("target/python");
                let python = environment.join(if cfg!(windows) {
                    "Scripts/python.exe"
                } else {
                    "bin/python"
                });
                let wheels = environment.join("wheels");
                let (environment, wheels) = (environment.to_string_lossy(), wheels.to_string_lossy());
                vec![
                    Step::new(
                        part("environment"),
                        root,
                        "python3",
                        &["-m", "venv", &environment],
                    ),
                    Step::new(
                        part("packages"),
                        folder,
                        &python,
                        &[
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--disable-pip-version-check",
                            "-r",
                            "tests/requirements.txt",
                        ],
                    ),
                    // The unoptimised build shares its folder and most of its crates with the other suites.
                    Step::new(
                        part("wheel"),
                        folder,
                        &python,
                        &[
                            "-m",
                            "maturin",
                            "build",
                            "--profile",
                            "dev",
                            "--locked",
                            "--out",
                            &wheels,
                        ],
                    ),
                    // From the folder of wheels only: a published package of the same version must not come instead.
                    Step::new(
                        part("installation"),
                        folder,
                        &python,
                        &[
                            "-m",
                            "pip",
                            "install",
                            "--quiet",
                            "--disable-pip-version-check",
                            "--no-index",
                            "--no-deps",
                            "--force-reinstall",
                            "--find-links",
                            &wheels,
                            "pi-lookback",
                        ],
                    ),
                    Step::new(part("tests"), folder, &python, &["-m", "pytest"]),
                ]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::steps;

    fn commands(root: &std::path::Path) -> Vec<String> {
        steps(root).0.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn suites_join_when_their_folders_hold_tests() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs_err::create_dir_all(path.parent().unwrap()).unwrap();
            fs_err::write(path, text).unwrap();
        };
        write("pi-extension/package.json", r#"{"name": "pi-lookback"}"#);
        assert_eq!(commands(root.path()), ["cargo test --workspace --locked"]);
        assert_eq!(steps(root.path()).1.len(), 4, "every absent suite is named");

        write(
            "pi-extension/package.json",
            r#"{"scripts": {"test": "node --test"}}"#,
        );
        write("crates/py-binding/pyproject.toml", "[project]");
        write("crates/py-binding/tests/test_open.py", "");
        let commands = commands(root.path());
        assert_eq!(commands[1..3], ["npm ci --no-audit --no-fund", "npm test"]);
        assert!(commands.last().unwrap().ends_with("-m pytest"), "{commands:?}");
        assert_eq!(steps(root.path()).1.len(), 2);
    }
}
