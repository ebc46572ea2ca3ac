//! Lists session folders, within bounds.

use std::{cmp::Reverse, collections::HashSet, io};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use lookback_session_model::{FileStamp, Timestamp};

use crate::{Error, Scope, Skipped, control::Signals, limits, paths, text};

/// A file that may be read, and the time that puts it in its place.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) path: Utf8PathBuf,
    pub(crate) modified: Timestamp,
}

/// What listing found.
#[derive(Debug, Default)]
pub(crate) struct Discovered {
    /// The newest first, files of the same time by path.
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) available: usize,
    pub(crate) truncated: bool,
    pub(crate) skipped: Skipped,
}

pub(crate) fn discover(
    scope: &Scope,
    active: Option<&Utf8Path>,
    signals: Signals<'_>,
) -> Result<Discovered, Error> {
    let mut look = Look {
        found: Discovered::default(),
        active,
        signals,
        room: limits::MAX_FOLDER_ENTRIES,
        seen: HashSet::new(),
    };
    match scope {
        Scope::Workspace { folder, .. } => look.folder(folder, None)?,
        Scope::All { roots } => {
            look.room = limits::MAX_ENTRIES_OF_ALL;
            look.roots(roots)?;
        }
    }
    let mut found = look.found;
    found.candidates.sort_by(|a, b| {
        (Reverse(a.modified).cmp(&Reverse(b.modified))).then_with(|| paths::order(&a.path, &b.path))
    });
    Ok(found)
}

struct Look<'a> {
    found: Discovered,
    active: Option<&'a Utf8Path>,
    signals: Signals<'a>,
    /// Entries that may still be inspected.
    room: usize,
    /// Real folders that were listed: a link and its target are one.
    seen: HashSet<Utf8PathBuf>,
}

impl Look<'_> {
    fn roots(&mut self, roots: &[Utf8PathBuf]) -> Result<(), Error> {
        for root in roots {
            if !self.is_new(root) {
                continue;
            }
            let mut projects = Vec::new();
            self.folder(root, Some(&mut projects))?;
            projects.sort();
            for project in projects {
                if !self.is_new(&project) {
                    continue;
                }
                match self.folder(&project, None) {
                    // One project that cannot be listed must not hide the others.
                    Err(Error::Folder { .. }) => {
                        self.found.truncated = true;
                        self.found.skipped.folders += 1;
                    }
                    other => other?,
                }
            }
        }
        Ok(())
    }

    fn is_new(&mut self, folder: &Utf8Path) -> bool {
        let real = folder.canonicalize_utf8().unwrap_or_else(|_| folder.to_owned());
        self.seen.insert(real)
    }

    /// Takes the files of one folder and, where `projects` is given, the names of the folders in it.
    fn folder(
        &mut self,
        folder: &Utf8Path,
        mut projects: Option<&mut Vec<Utf8PathBuf>>,
    ) -> Result<(), Error> {
        self.signals.check()?;
        let failed = |source| Error::Folder {
            path: folder.to_owned(),
            source,
        };
        let entries = match fs::read_dir(folder.as_std_path()) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(failed(error)),
        };
        for entry in entries {
            self.signals.check()?;
            if self.room == 0 {
                self.found.truncated = true;
                break;
            }
            self.room -= 1;
            let entry = entry.map_err(failed)?;
            // A name that is no text cannot be handed out in JSON; Pi never gives one.
            let Ok(name) = entry.file_name().into_string() else {
                continue;
            };
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let path = folder.join(&name);
            if let Some(projects) = &mut projects
                && (kind.is_dir() || (kind.is_symlink() && path.is_dir()))
            {
                projects.push(path);
            } else if name.ends_with(".jsonl") {
                self.file(path, kind);
            }
        }
        Ok(())
    }

    fn file(&mut self, path: Utf8PathBuf, kind: std::fs::FileType) {
        if kind.is_symlink() {
            self.found.skipped.links += 1;
            return;
        }
        if !kind.is_file() {
            self.found.skipped.not_files += usize::from(!kind.is_dir());
            return;
        }
        // What vanished or turned into something else since it was listed was never there.
        let Ok(metadata) = std::fs::symlink_metadata(&path) else {
            return;
        };
        let Some(modified) = modified(&metadata).filter(|_| metadata.is_file()) else {
            return;
        };
        self.found.available += 1;
        if text::units(path.as_str()) > limits::PATH_UNITS {
            return;
        }
        if self.active.is_some_and(|active| paths::normal(&path) == active) {
            self.found.skipped.active += 1;
            return;
        }
        self.found.candidates.push(Candidate { path, modified });
    }
}

/// The time to the nearest millisecond, which is what a JavaScript host sees: two files whose times it shows as the
/// same must be ordered by path.
fn modified(metadata: &std::fs::Metadata) -> Option<Timestamp> {
    let rounded = (FileStamp::of(metadata).modified_ns + 500_000).div_euclid(1_000_000);
    i64::try_from(rounded).ok().and_then(Timestamp::from_millis)
}
