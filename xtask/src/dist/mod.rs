//! Everything that is released, built for this platform into one folder.

mod archive;
mod crates;
mod npm;
mod python;
mod smoke;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use sha2::{Digest, Sha256};

use crate::{
    steps::{self, Step},
    version,
};

/// Build everything that is released, for this platform, and try each part in a fresh place
#[derive(Args)]
pub(crate) struct Dist {
    /// Where the files go; it is emptied first
    #[arg(long, value_name = "DIR", default_value = "dist")]
    out: PathBuf,
    /// Build only
    #[arg(long)]
    no_smoke: bool,
    /// Try what is there already, and build nothing
    #[arg(long, conflicts_with = "no_smoke")]
    smoke_only: bool,
    /// Leave out the crates, whose packages are all compiled once more
    #[arg(long)]
    no_crates: bool,
}

/// What a release is called and where its parts are.
pub(crate) struct Release<'a> {
    /// The repository.
    root: &'a Path,
    /// Where the finished files lie.
    out: PathBuf,
    /// Where they are put together.
    work: PathBuf,
    /// The one version of all parts.
    version: String,
    /// The target triple of this platform.
    target: String,
}

impl Dist {
    pub(crate) fn run(self, root: &Path) -> Result<()> {
        let release = Release {
            root,
            out: root.join(&self.out),
            work: root.join("target/dist"),
            version: version::agreed(root)?,
            target: host()?,
        };
        changelog_tells_of(root, &release.version)?;
        if !self.smoke_only {
            release.build(!self.no_crates)?;
        }
        if !self.no_smoke {
            smoke::run(&release)?;
        }
        Ok(())
    }
}

impl Release<'_> {
    fn build(&self, with_crates: bool) -> Result<()> {
        for folder in [&self.out, &self.work] {
            if folder.exists() {
                fs_err::remove_dir_all(folder)?;
            }
            fs_err::create_dir_all(folder)?;
        }
        let program = Step::new(
            "program",
            self.root,
            "cargo",
            &["build", "--release", "--locked", "-p", "lookback-cli"],
        );
        let mut steps = vec![program];
        steps.extend(npm::steps(self));
        steps.extend(python::steps(self));
        if with_crates {
            steps.push(crates::step(self));
        }
        steps::run("cargo xtask dist", &steps)?;
        archive::program(self)?;
        if with_crates {
            crates::collect(self)?;
        }
        let sums = self.checksums()?;
        println!("\n{}:\n{sums}", self.out.display());
        Ok(())
    }

    /// The checksums of all files, written beside them as `sha256sum` reads them.
    fn checksums(&self) -> Result<String> {
        let mut names: Vec<PathBuf> = fs_err::read_dir(&self.out)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_>>()?;
        names.sort();
        let mut sums = String::new();
        for path in names.iter().filter(|path| path.is_file()) {
            let sum = Sha256::digest(fs_err::read(path)?);
            let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
            sums.push_str(&format!("{hex}  {}\n", name_of(path)));
        }
        fs_err::write(self.out.join(format!("SHA256SUMS-{}", self.target)), &sums)?;
        Ok(sums)
    }

    /// The one file whose name begins and ends so.
    fn file(&self, start: &str, end: &str) -> Result<PathBuf> {
        let mut found = Vec::new();
        for entry in fs_err::read_dir(&self.out)? {
            let path = entry?.path();
            let name = name_of(&path);
            if name.starts_with(start) && name.ends_with(end) {
                found.push(path);
            }
        }
        match found.as_slice() {
            [path] => Ok(path.clone()),
            [] => bail!(
                "{} has no {start}…{end}; run `cargo xtask dist` first",
                self.out.display()
            ),
            more => bail!("{} has several of {start}…{end}: {more:?}", self.out.display()),
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The target triple that rustc builds for here.
fn host() -> Result<String> {
    let output = Command::new("rustc")
        .arg("-vV")
        .output()
        .context("rustc could not be started")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

/// A version is not released before the changelog has a heading for it, or for what is not released yet.
fn changelog_tells_of(root: &Path, version: &str) -> Result<()> {
    let changelog = fs_err::read_to_string(root.join("CHANGELOG.md"))?;
    let mut headings = changelog.lines().filter_map(|line| line.strip_prefix("## "));
    let told = headings.any(|heading| {
        let mut words = heading.split([' ', '[', ']']);
        words.any(|word| word == version || word == "Unreleased")
    });
    if !told {
        bail!("CHANGELOG.md has no heading `## [{version}]`: write what changed before it is released");
    }
    Ok(())
}
