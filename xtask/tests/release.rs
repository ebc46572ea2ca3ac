//! The scripts of the release, run without publishing anything.
#![cfg(unix)]

use std::{
    path::Path,
    process::{Command, Output},
};

fn script(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    Command::new(root.join(".github/scripts").join(name))
        .args(arguments)
        .envs(environment.iter().copied())
        .env_remove("GITHUB_OUTPUT")
        .current_dir(root)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn packages_for_npm_are_published_behind_what_they_need() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "pi-lookback-1.2.3-rc.1",
        "pi-harness-plugin-lookback-1.2.3-rc.1",
        "lookback-node-1.2.3-rc.1",
        "lookback-node-linux-x64-gnu-1.2.3-rc.1",
        "lookback-node-win32-x64-msvc-1.2.3-rc.1",
    ] {
        fs_err::write(folder.path().join(format!("{name}.tgz")), "").unwrap();
    }
    let place = folder.path().to_str().unwrap();
    let run = || script("publish-npm.sh", &[place], &[("NPM_PUBLISH", "echo")]);
    let done = run();
    assert!(done.status.success(), "{}", text(&done.stderr));
    let told = text(&done.stdout);
    let names: Vec<&str> = told
        .lines()
        .map(|line| line.rsplit('/').next().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "lookback-node-linux-x64-gnu-1.2.3-rc.1.tgz",
            "lookback-node-win32-x64-msvc-1.2.3-rc.1.tgz",
            "lookback-node-1.2.3-rc.1.tgz",
            "pi-lookback-1.2.3-rc.1.tgz",
            "pi-harness-plugin-lookback-1.2.3-rc.1.tgz",
        ]
    );

    fs_err::remove_file(folder.path().join("lookback-node-1.2.3-rc.1.tgz")).unwrap();
    let incomplete = run();
    assert!(!incomplete.status.success());
    assert!(
        text(&incomplete.stdout).is_empty(),
        "nothing is published of half a release"
    );
}

#[test]
fn a_tag_that_is_not_the_version_stops_the_release() {
    let trial = script("release-version.sh", &[], &[("TAG", "")]);
    assert!(trial.status.success(), "{}", text(&trial.stderr));
    let version = env!("CARGO_PKG_VERSION");
    assert!(text(&trial.stdout).contains(&format!("version={version}")));
    let other = script("release-version.sh", &[], &[("TAG", "v99.0.0")]);
    assert!(!other.status.success());
    assert!(
        text(&other.stderr).contains("the tag is v99.0.0"),
        "{}",
        text(&other.stderr)
    );
}
