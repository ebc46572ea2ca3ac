//! The packages for npm: the add-on, its compiled part for this platform, and what is built on it.

use super::Release;
use crate::steps::Step;

/// Packages whose folders need nothing but Node to be put together.
const PACKAGES: &[&str] = &["pi-extension", "harness-plugin"];

pub(super) fn steps(release: &Release<'_>) -> Vec<Step> {
    let addon = release.root.join("crates/node-binding");
    let npm =
        |name: &str, folder: &std::path::Path, arguments: &[&str]| Step::new(name, folder, "npm", arguments);
    let folders = release.work.join("npm");
    let made = |name: &str| folders.join(name).to_string_lossy().into_owned();
    let all = folders.to_string_lossy();
    let install = ["ci", "--no-audit", "--no-fund"];
    let mut steps = vec![
        npm("add-on: packages", &addon, &install),
        npm("add-on: build", &addon, &["run", "build:release"]),
        npm("add-on: folders", &addon, &["run", "package", "--", &all]),
    ];
    for package in PACKAGES {
        let folder = release.root.join(package);
        steps.push(npm(&format!("{package}: packages"), &folder, &install));
        steps.push(npm(
            &format!("{package}: folder"),
            &folder,
            &["run", "package", "--", &made(package)],
        ));
    }
    // Folders of several platforms may have been made: this one's is among them.
    let pack =
        "for folder in \"$1\"/*/; do npm pack --silent --pack-destination \"$2\" \"$folder\" || exit 1; done";
    steps.push(Step::new(
        "npm: tarballs",
        release.root,
        "sh",
        &["-c", pack, "sh", &all, &release.out.to_string_lossy()],
    ));
    steps
}
