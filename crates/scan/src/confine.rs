//! Paths that callers name, kept inside of the session folders.

use std::path::{Path, PathBuf};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use lookback_session_model::OpenError;

use crate::ScanError;

/// The real path of a session file. A relative path starts at a session folder.
///
/// Links are resolved before it is decided where the file is. Inside is what lies in a session folder, or in a folder
/// that a session folder links to: Pi follows these links, and so do searches.
pub(crate) fn session_file(path: &Utf8Path, roots: &[Utf8PathBuf]) -> Result<Utf8PathBuf, ScanError> {
    if path.extension() != Some("jsonl") || path.as_str().contains('\0') {
        return Err(ScanError::NotASession {
            path: path.to_owned(),
        });
    }
    let named: Vec<Utf8PathBuf> = if path.is_absolute() {
        vec![path.to_owned()]
    } else {
        roots.iter().map(|root| root.join(path)).collect()
    };
    let mut missing = false;
    for named in named {
        let (Some(folder), Some(name)) = (named.parent(), named.file_name()) else {
            continue;
        };
        // The file itself is not resolved: where it is a link it is refused when it is opened.
        let Ok(folder) = fs::canonicalize(folder.as_std_path()) else {
            continue;
        };
        if !roots.iter().any(|root| is_inside(&folder, root)) {
            continue;
        }
        match Utf8PathBuf::from_path_buf(folder.join(name)) {
            Ok(real) if std::fs::symlink_metadata(&real).is_ok() => return Ok(real),
            _ => missing = true,
        }
    }
    let path = path.to_owned();
    // Whether something outside exists is not told.
    Err(if missing {
        OpenError::NotFound { path }.into()
    } else {
        ScanError::OutsideRoots { path }
    })
}

fn is_inside(folder: &Path, root: &Utf8Path) -> bool {
    let Ok(real_root) = fs::canonicalize(root.as_std_path()) else {
        return false;
    };
    folder.starts_with(&real_root)
        || linked_folders(root)
            .iter()
            .any(|linked| folder.starts_with(linked))
}

/// The folders outside that a session folder links to.
fn linked_folders(root: &Utf8Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(root.as_std_path()) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_symlink()))
        .filter_map(|entry| fs::canonicalize(entry.path()).ok())
        .filter(|real| real.is_dir())
        .collect()
}
