use std::io::Write;

use anyhow::{Context, bail};
use camino::{Utf8Path, Utf8PathBuf};
use lookback::{ExportFormat, ExportRequest};

use crate::{
    Out, Session,
    args::{Export, Format},
    exit::Outcome,
    terminal::{harmless, one_line},
};

pub(crate) fn run(session: &Session, args: &Export, out: Out<'_>) -> anyhow::Result<Outcome> {
    let format = match args.format {
        // `--json` means the same everywhere.
        _ if session.json => ExportFormat::JsonLines,
        Format::Md => ExportFormat::Markdown,
        Format::Json => ExportFormat::JsonLines,
    };
    let target = args
        .output
        .as_ref()
        .map(|path| session.surroundings.resolve(path));
    if let Some(target) = &target {
        check_target(session, target, args.force)?;
    }
    let export = session.open()?.export(&ExportRequest {
        session: args.session.clone(),
        branch_tip: args.branch_tip.clone(),
        format,
        redact: args.redact,
    })?;
    // Standard output is the document.
    let mut told = anstream::AutoStream::auto(std::io::stderr());
    for warning in &export.warnings {
        writeln!(told, "lookback: {}", one_line(warning))?;
    }
    if export.redacted > 0 {
        writeln!(told, "lookback: {} secrets were taken out", export.redacted)?;
    }
    match &target {
        None => out.write_all(export.text.as_bytes())?,
        Some(target) => {
            write_file(target, &export.text, args.force)?;
            writeln!(
                told,
                "{} messages written to {}",
                export.messages,
                harmless(target.as_str())
            )?;
        }
    }
    Ok(if export.messages == 0 {
        Outcome::Nothing
    } else {
        Outcome::Found
    })
}

/// Refuses what must not be written over, before anything is read.
fn check_target(session: &Session, target: &Utf8Path, force: bool) -> anyhow::Result<()> {
    let folder = fs_err::canonicalize(folder_of(target).as_std_path())?;
    for root in &session.locations.roots {
        // Pi's files are Pi's, and whatever lies among them is taken for a session.
        if fs_err::canonicalize(root.as_std_path()).is_ok_and(|root| folder.starts_with(root)) {
            bail!("{target} lies in a session folder of Pi, where Lookback writes nothing");
        }
    }
    match std::fs::symlink_metadata(target) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("cannot look at {target}")),
        Ok(metadata) if !metadata.is_file() => bail!("{target} is not a plain file, so it is not replaced"),
        Ok(_) if !force => bail!("{target} is there already; --force replaces it"),
        Ok(_) => Ok(()),
    }
}

/// Writes the document for its owner only, whole or not at all.
fn write_file(target: &Utf8Path, text: &str, force: bool) -> anyhow::Result<()> {
    let failed = || format!("cannot write {target}");
    let mut file = tempfile::Builder::new()
        .prefix(".lookback-export-")
        .tempfile_in(folder_of(target))
        .with_context(failed)?;
    file.write_all(text.as_bytes()).with_context(failed)?;
    let persisted = if force {
        file.persist(target)
    } else {
        // Somebody may have made one since it was looked at.
        file.persist_noclobber(target)
    };
    persisted.map_err(|error| error.error).with_context(failed)?;
    Ok(())
}

fn folder_of(target: &Utf8Path) -> Utf8PathBuf {
    match target.parent() {
        Some(parent) if !parent.as_str().is_empty() => parent.to_owned(),
        _ => ".".into(),
    }
}
