//! The Python package: a wheel for this platform, and its source.

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
                "maturin>=1.9,<2",
            ],
        ),
        Step::new(
            "Python: wheel",
            &folder,
            &python,
            &["-m", "maturin", "build", "--release", "--locked", "--out", &out],
        ),
        Step::new(
            "Python: source",
            &folder,
            &python,
            &["-m", "maturin", "sdist", "--out", &out],
        ),
    ]
}

/// The interpreter of a virtual environment.
pub(super) fn interpreter(environment: &std::path::Path) -> std::path::PathBuf {
    environment.join(if cfg!(windows) {
        "Scripts/python.exe"
    } else {
        "bin/python"
    })
}
