//! The one version of everything: it stands in the workspace and is stamped into the npm packages.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;
use toml_edit::DocumentMut;

/// Folders of the npm packages.
const PACKAGES: &[&str] = &["crates/node-binding", "pi-extension", "harness-plugin"];

/// Show the version and check that all parts have it, or give them all a new one
#[derive(Args)]
pub(crate) struct Version {
    /// The new version, as in 1.2.3 or 1.2.3-rc.1; without it, all are compared
    new: Option<String>,
}

impl Version {
    pub(crate) fn run(self, root: &Path) -> Result<String> {
        match self.new {
            None => agreed(root),
            Some(new) => {
                stamp(root, &new)?;
                Ok(format!(
                    "{new}: now run `cargo update --workspace`, and write `## [{new}]` into CHANGELOG.md"
                ))
            }
        }
    }
}

/// The version that stands once, in the workspace.
pub(crate) fn current(root: &Path) -> Result<String> {
    let manifest = workspace(root)?;
    let version = manifest["workspace"]["package"]["version"].as_str();
    Ok(version
        .context("workspace.package.version in Cargo.toml is not a text")?
        .to_owned())
}

/// The version of all parts.
///
/// # Errors
///
/// Names every place that has another one.
pub(crate) fn agreed(root: &Path) -> Result<String> {
    let version = current(root)?;
    let mut others = Vec::new();
    let manifest = workspace(root)?;
    for (name, dependency) in own_dependencies(&manifest) {
        if dependency != version {
            others.push(format!("Cargo.toml: {name} {dependency}"));
        }
    }
    for path in npm_files(root) {
        let file = json(&path)?;
        for (place, found) in npm_versions(&file) {
            if found.as_str() != Some(&version) {
                others.push(format!("{}: {place} {found}", path.display()));
            }
        }
    }
    if !others.is_empty() {
        bail!(
            "not all parts have version {version}; `cargo xtask version {version}` gives it to them:\n  {}",
            others.join("\n  ")
        );
    }
    Ok(version)
}

fn stamp(root: &Path, new: &str) -> Result<()> {
    let numbers = new.split(['-', '+']).next().unwrap_or_default().split('.');
    if numbers.clone().count() != 3 || !numbers.clone().all(|number| number.parse::<u32>().is_ok()) {
        bail!("{new} is not a version like 1.2.3 or 1.2.3-rc.1");
    }
    let mut manifest = workspace(root)?;
    let names: Vec<String> = own_dependencies(&manifest)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    if let Some(version) = manifest["workspace"]["package"]["version"].as_value_mut() {
        // What stands around it stays.
        let around = version.decor().clone();
        *version = new.into();
        *version.decor_mut() = around;
    }
    for name in names {
        manifest["workspace"]["dependencies"][&name]["version"] = new.into();
    }
    fs_err::write(root.join("Cargo.toml"), manifest.to_string())?;
    for path in npm_files(root) {
        let stamped = with_version(&fs_err::read_to_string(&path)?, new);
        fs_err::write(&path, stamped)?;
    }
    agreed(root)?;
    Ok(())
}

fn workspace(root: &Path) -> Result<DocumentMut> {
    let manifest = fs_err::read_to_string(root.join("Cargo.toml"))?;
    manifest.parse().context("Cargo.toml")
}

/// The crates of the workspace that others of it need, with the version that is asked for.
fn own_dependencies(manifest: &DocumentMut) -> Vec<(String, String)> {
    let dependencies = manifest["workspace"]["dependencies"].as_table_like();
    dependencies
        .into_iter()
        .flat_map(|table| table.iter())
        .filter(|(_, dependency)| dependency.get("path").is_some())
        .map(|(name, dependency)| {
            let version = dependency.get("version").and_then(toml_edit::Item::as_str);
            (name.to_owned(), version.unwrap_or("none").to_owned())
        })
        .collect()
}

/// Manifests and lock files that are there.
fn npm_files(root: &Path) -> Vec<PathBuf> {
    let folders = PACKAGES.iter().map(|folder| root.join(folder));
    folders
        .flat_map(|folder| ["package.json", "package-lock.json"].map(|file| folder.join(file)))
        .filter(|path| path.is_file())
        .collect()
}

fn json(path: &Path) -> Result<Value> {
    serde_json::from_slice(&fs_err::read(path)?).with_context(|| format!("{} is not JSON", path.display()))
}

/// Every place of a manifest or a lock file that holds the version of one of our packages.
fn npm_versions(file: &Value) -> Vec<(String, &Value)> {
    let own = file["packages"]
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(folder, _)| is_own(folder));
    let mut places = vec![("version".to_owned(), &file["version"])];
    places.extend(own.map(|(folder, package)| (format!("packages[{folder:?}]"), &package["version"])));
    places.retain(|(_, version)| !version.is_null());
    places
}

/// Whether a folder in a lock file is the package itself or another one of this repository.
fn is_own(folder: &str) -> bool {
    folder.is_empty() || folder.starts_with("../")
}

/// A manifest or a lock file as npm writes it, with another version in these places and no other change.
fn with_version(text: &str, new: &str) -> String {
    let mut is_place = true;
    let lines = text.split_inclusive('\n').map(|line| {
        if let Some(folder) = line
            .strip_prefix("    \"")
            .and_then(|rest| rest.split_once("\": {"))
        {
            is_place = is_own(folder.0);
        }
        match line.split_once("\"version\": \"") {
            Some((before, rest)) if is_place => {
                is_place = false;
                let after = rest.split_once('"').map_or("", |(_, after)| after);
                format!("{before}\"version\": \"{new}\"{after}")
            }
            _ => line.to_owned(),
        }
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::{Version, agreed};
    use std::path::Path;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        fs_err::create_dir_all(path.parent().unwrap()).unwrap();
        fs_err::write(path, text).unwrap();
    }

    fn repository() -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        write(
            root.path(),
            "Cargo.toml",
            "[workspace.package]\nversion = \"0.1.0\" # one\n\n[workspace.dependencies]\n\
             own = { path = \"own\", version = \"0.1.0\" }\nother = \"0.1.0\"\n",
        );
        write(
            root.path(),
            "pi-extension/package.json",
            "{\n  \"name\": \"x\",\n  \"version\": \"0.1.0\"\n}\n",
        );
        write(
            root.path(),
            "pi-extension/package-lock.json",
            r#"{
  "version": "0.1.0",
  "packages": {
    "": {
      "version": "0.1.0"
    },
    "../crates/a": {
      "name": "a",
      "version": "0.1.0"
    },
    "node_modules/b": {
      "version": "0.1.0"
    }
  }
}
"#,
        );
        root
    }

    fn stamped(root: &Path, new: &str) -> anyhow::Result<String> {
        Version {
            new: Some(new.to_owned()),
        }
        .run(root)
    }

    #[test]
    fn a_new_version_reaches_every_part_and_no_package_of_others() {
        let root = repository();
        assert_eq!(agreed(root.path()).unwrap(), "0.1.0");
        stamped(root.path(), "0.2.0-rc.1").unwrap();
        assert_eq!(agreed(root.path()).unwrap(), "0.2.0-rc.1");
        let manifest = fs_err::read_to_string(root.path().join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains("# one") && manifest.contains("other = \"0.1.0\""),
            "{manifest}"
        );
        let lock = fs_err::read_to_string(root.path().join("pi-extension/package-lock.json")).unwrap();
        assert_eq!(lock.matches("0.2.0-rc.1").count(), 3, "{lock}");
        assert_eq!(lock.matches("0.1.0").count(), 1, "{lock}");
    }

    #[test]
    fn a_part_with_another_version_is_named() {
        let root = repository();
        write(
            root.path(),
            "harness-plugin/package.json",
            r#"{"version":"0.0.9"}"#,
        );
        let error = agreed(root.path()).unwrap_err().to_string();
        assert!(
            error.contains("harness-plugin/package.json: version \"0.0.9\""),
            "{error}"
        );
        assert!(stamped(root.path(), "1.2").is_err());
    }

    #[test]
    fn this_repository_has_one_version() {
        agreed(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))).unwrap();
    }
}
