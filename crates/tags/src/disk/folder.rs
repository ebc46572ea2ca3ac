//! The folder of the files: its creation, its durability, and what killed processes left in it.

use std::fs::File;
use std::io;

use camino::Utf8Path;

use super::reach;
use crate::error::Error;

pub(super) const TEMP_SUFFIX: &str = ".tmp";

/// Temporary files of `path` begin so. The dot keeps them out of listings, the full name apart from other files'.
pub(super) fn temp_prefix(path: &Utf8Path) -> String {
    format!(".{}.", path.file_name().unwrap_or_default())
}

pub(super) fn parent_of(path: &Utf8Path) -> &Utf8Path {
    match path.parent() {
        Some(parent) if !parent.as_str().is_empty() => parent,
        _ => Utf8Path::new("."),
    }
}

/// Creates the folder and what is missing above it, closed to other users whatever the umask. A folder that exists
/// keeps its mode: it may be shared on purpose.
pub(crate) fn ensure_folder(folder: &Utf8Path) -> Result<(), Error> {
    if folder.is_dir() {
        return Ok(());
    }
    let parent = parent_of(folder);
    if parent != folder {
        ensure_folder(parent)?;
    }
    let failed = |error| Error::writing(folder, error);
    reach("create folder").map_err(failed)?;
    match fs_err::create_dir(folder) {
        Ok(()) => {}
        // Another process was faster, unless a file has the name.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => return Ok(()),
        Err(error) => return Err(failed(error)),
    }
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        reach("set folder mode").map_err(failed)?;
        fs_err::set_permissions(folder, Permissions::from_mode(0o700)).map_err(failed)?;
    }
    reach("sync parent folder").map_err(failed)?;
    sync_folder(parent).map_err(failed)
}

/// Makes the names in the folder durable.
pub(super) fn sync_folder(folder: &Utf8Path) -> io::Result<()> {
    #[cfg(unix)]
    fs_err::File::open(folder)?.sync_all()?;
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Closes an open file to other users; a mode given at creation would be subject to the umask.
pub(super) fn only_for_owner(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::fs::Permissions;
        use std::os::unix::fs::PermissionsExt;
        let wanted = 0o600;
        if file.metadata()?.permissions().mode() & 0o777 != wanted {
            file.set_permissions(Permissions::from_mode(wanted))?;
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Removes the temporary files of processes that were killed. Only for the holder of the lock: nobody else has one.
/// What cannot be removed stays; it harms nobody.
pub(crate) fn remove_left_over_temps(path: &Utf8Path) {
    let prefix = temp_prefix(path);
    let Ok(entries) = parent_of(path).read_dir_utf8() else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && name.starts_with(&prefix) && name.ends_with(TEMP_SUFFIX) {
            let _ = fs_err::remove_file(entry.path());
        }
    }
}
