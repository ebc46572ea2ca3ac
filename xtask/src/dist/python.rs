//! The Python package: a wheel for this platform, and its source.

use std::path::{Path, PathBuf};

use super::Release;
use crate::steps::Step;

pub(super) fn steps(release: &Release<'_>) -> Vec<Step> {
    let folder = release.root.join("crates/py-binding");
    let environment = release.work.join("python");
    let python = super::python::interpreter(&environment);
    let (environment, out) = (environment.to_string_lossy(), release.out.to_string_lossy());
    vec![
        Step::new(
            "Python: environment",
            release.root,
            "python3",
            &["-m", "venv", &environment],
        ),
        Step::new(
            "Python: maturin",
            &folder,
            &python,
            &[
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                if PORTABLE {
                    "maturin[zig]>=1.9,<2"
                } else {
                    "maturin>=1.9,<2"
                },
            ],
        ),
        wheel(&folder, &python, &out),
        Step::new(
            "Python: source",
            &folder,
            &python,
            &["-m", "maturin", "sdist", "--out", &out],
        ),
    ]
}

/// Whether the wheel is linked against an older C library than this machine's, so that older systems can use it: zig brings
/// the symbols of glibc 2.17, which every Linux of the last ten years has.
const PORTABLE: bool = cfg!(all(target_os = "linux", target_env = "gnu"));

fn wheel(folder: &Path, python: &Path, out: &str) -> Step {
    const NAME: &str = "Python: wheel";
    let build = ["-m", "maturin", "build", "--release", "--locked", "--out", out];
    if !PORTABLE {
        return Step::new(NAME, folder, python, &build);
    }
    // zig is looked for as a module of the first Python on PATH.
    let own = python.parent().unwrap_or(Path::new("")).to_string_lossy();
    let mut words = vec!["-c", r#"PATH="$0:$PATH" exec python "$@""#, &own];
    words.extend(build);
    words.extend(["--zig", "--compatibility", "manylinux2014"]);
    Step::new(NAME, folder, "sh", &words)
}

/// The interpreter of a virtual environment.
pub(super) fn interpreter(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    })
}
