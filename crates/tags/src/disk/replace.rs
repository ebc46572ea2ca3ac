//! Putting new content in the place of a file so that everybody sees either the old or the new one.

use std::io::{self, Write};

use camino::Utf8Path;

use super::folder::{TEMP_SUFFIX, only_for_owner, parent_of, sync_folder, temp_prefix};
use super::{Identity, Pinned, identity_at, reach};
use crate::error::Error;

/// What became of an attempt to replace a file.
pub(crate) enum Replaced {
    /// The new file.
    Done { pinned: Pinned, identity: Identity },
    /// The file is no longer the one that the caller had read; nothing was done.
    Overtaken,
}

/// Replaces `path`, provided that `still` finds its present state to be the expected one.
///
/// The lock keeps users of this crate apart; the check narrows the gap for programs that replace the file without
/// asking for a lock, as pi-recall does.
pub(crate) fn replace_file(
    path: &Utf8Path,
    bytes: &[u8],
    still: impl FnOnce(Option<&Identity>) -> bool,
) -> Result<Replaced, Error> {
    let writing = |error| Error::writing(path, error);
    let folder = parent_of(path);
    let mut temp = create_temp(path, folder).map_err(writing)?;
    fill(&mut temp, bytes).map_err(writing)?;
    if !still(identity_at(path)?.as_ref()) {
        return Ok(Replaced::Overtaken);
    }
    reach("rename").map_err(writing)?;
    let handle = temp.persist(path).map_err(|error| writing(error.error))?;
    let not_durable = |source| Error::NotDurable {
        path: path.to_owned(),
        source,
    };
    // Taken now, because the rename may itself have changed the times of the file.
    let metadata = handle.metadata().map_err(not_durable)?;
    reach("sync folder").map_err(not_durable)?;
    sync_folder(folder).map_err(not_durable)?;
    Ok(Replaced::Done {
        pinned: Pinned::new(handle),
        identity: Identity::of(&metadata),
    })
}

fn create_temp(path: &Utf8Path, folder: &Utf8Path) -> io::Result<tempfile::NamedTempFile> {
    reach("create temp")?;
    tempfile::Builder::new()
        .prefix(&temp_prefix(path))
        .suffix(TEMP_SUFFIX)
        .tempfile_in(folder)
}

fn fill(temp: &mut tempfile::NamedTempFile, bytes: &[u8]) -> io::Result<()> {
    reach("set mode")?;
    only_for_owner(temp.as_file())?;
    reach("write")?;
    temp.write_all(bytes)?;
    reach("sync file")?;
    temp.as_file().sync_all()
}
