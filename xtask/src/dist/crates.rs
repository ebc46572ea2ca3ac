//! The crates, in the order in which they can be published.

use std::collections::BTreeMap;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Release;
use crate::steps::Step;

/// Packs every crate that is published and compiles what was packed, each against the packed others.
pub(super) fn step(release: &Release<'_>) -> Step {
    Step::new(
        "crates",
        release.root,
        "cargo",
        // Uncommitted work is a developer's trial; a release runs on a clean checkout.
        &["package", "--workspace", "--locked", "--allow-dirty"],
    )
}

/// Copies the packed crates and writes down the order.
pub(super) fn collect(release: &Release<'_>) -> Result<()> {
    let order = order(release)?;
    let folder = release.out.join("crates");
    fs_err::create_dir_all(&folder)?;
    for name in &order {
        let file = format!("{name}-{}.crate", release.version);
        fs_err::copy(
            release.root.join("target/package").join(&file),
            folder.join(&file),
        )?;
    }
    fs_err::write(folder.join("ORDER"), order.join("\n") + "\n")?;
    Ok(())
}

/// The names of the crates that are published, each behind all that it needs.
pub(super) fn order(release: &Release<'_>) -> Result<Vec<String>> {
    let output = Command::new("cargo")
        .args(["metadata", "--no-deps", "--format-version", "1", "--locked"])
        .current_dir(release.root)
        .output()
        .context("cargo metadata could not be started")?;
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata gave no JSON")?;
    in_order(needs(&metadata))
}

/// What each published crate of the workspace needs of the others.
fn needs(metadata: &Value) -> BTreeMap<String, Vec<String>> {
    let packages = metadata["packages"].as_array().map_or(&[][..], Vec::as_slice);
    let is_published = |package: &&Value| package["publish"].as_array().is_none_or(|to| !to.is_empty());
    let name = |value: &Value| value["name"].as_str().unwrap_or_default().to_owned();
    let published: Vec<&Value> = packages.iter().filter(is_published).collect();
    let names: Vec<String> = published.iter().map(|package| name(package)).collect();
    published
        .iter()
        .map(|package| {
            let needed = package["dependencies"]
                .as_array()
                .into_iter()
                .flatten()
                // A dependency of tests without a version is left out of the packed crate.
                .filter(|dependency| dependency["kind"] != "dev" || dependency["req"] != "*")
                .map(name)
                .filter(|needed| names.contains(needed) && *needed != name(package));
            (name(package), needed.collect())
        })
        .collect()
}

fn in_order(mut needs: BTreeMap<String, Vec<String>>) -> Result<Vec<String>> {
    let mut order = Vec::new();
    while !needs.is_empty() {
        let ready: Vec<String> = needs
            .iter()
            .filter(|(_, needed)| needed.iter().all(|name| order.contains(name)))
            .map(|(name, _)| name.clone())
            .collect();
        if ready.is_empty() {
            bail!("these crates need one another: {:?}", needs.keys());
        }
        needs.retain(|name, _| !ready.contains(name));
        order.extend(ready);
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::{in_order, needs};
    use serde_json::json;

    #[test]
    fn a_crate_is_published_behind_what_it_needs_in_its_tests_too() {
        let metadata = json!({"packages": [
            {"name": "face", "publish": null, "dependencies": [
                {"name": "engine", "kind": null, "req": "^1"}, {"name": "elsewhere", "kind": null, "req": "^1"}]},
            {"name": "engine", "publish": null, "dependencies": [
                {"name": "model", "kind": "dev", "req": "^1"}, {"name": "engine", "kind": "dev", "req": "*"}]},
            {"name": "model", "publish": null, "dependencies": [{"name": "face", "kind": "dev", "req": "*"}]},
            {"name": "tasks", "publish": [], "dependencies": [{"name": "face", "kind": null, "req": "*"}]},
        ]});
        assert_eq!(in_order(needs(&metadata)).unwrap(), ["model", "engine", "face"]);
    }

    #[test]
    fn a_circle_is_named() {
        let circle =
            [("a", "b"), ("b", "a")].map(|(name, needed)| (name.to_owned(), vec![needed.to_owned()]));
        let error = in_order(circle.into()).unwrap_err().to_string();
        assert!(error.contains("\"a\", \"b\""), "{error}");
    }
}
