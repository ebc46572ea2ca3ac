//! The archive of the program: itself, completions, manual pages, licence.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use flate2::{Compression, write::GzEncoder};

use super::Release;

const SHELLS: &[(&str, &str)] = &[
    ("bash", "lookback.bash"),
    ("zsh", "_lookback"),
    ("fish", "lookback.fish"),
    ("powershell", "_lookback.ps1"),
    ("elvish", "lookback.elv"),
];

pub(super) fn program(release: &Release<'_>) -> Result<()> {
    let name = format!("lookback-{}-{}", release.version, release.target);
    let folder = release.work.join(&name);
    fs_err::create_dir_all(folder.join("completions"))?;
    fs_err::create_dir_all(folder.join("man"))?;
    let built = executable(&release.root.join("target/release"));
    fs_err::copy(&built, executable(&folder))?;
    for (shell, file) in SHELLS {
        let text = printed(&built, &["completions", shell])?;
        fs_err::write(folder.join("completions").join(file), text)?;
    }
    fs_err::write(folder.join("man/lookback.1"), printed(&built, &["man"])?)?;
    for file in ["LICENSE", "README.md", "CHANGELOG.md"] {
        fs_err::copy(release.root.join(file), folder.join(file))?;
    }
    let packed = fs_err::File::create(release.out.join(format!("{name}.tar.gz")))?;
    let mut tar = tar::Builder::new(GzEncoder::new(packed, Compression::best()));
    tar.append_dir_all(&name, &folder)?;
    tar.into_inner()?.finish()?;
    Ok(())
}

/// The program in a folder.
pub(super) fn executable(folder: &Path) -> PathBuf {
    folder.join(format!("lookback{}", std::env::consts::EXE_SUFFIX))
}

fn printed(program: &Path, arguments: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("{} could not be started", program.display()))?;
    if !output.status.success() || output.stdout.is_empty() {
        bail!(
            "{} {} ended with {} and {} bytes",
            program.display(),
            arguments.join(" "),
            output.status,
            output.stdout.len()
        );
    }
    Ok(output.stdout)
}
