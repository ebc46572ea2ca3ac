//! Keeping a damaged file under another name.

use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};

use super::folder::{only_for_owner, parent_of, sync_folder};
use super::reach;
use crate::error::Error;

/// More damaged copies than this are not piled up; the user has not looked at any of them.
const MOST_COPIES: u32 = 1_000;

/// Gives the damaged file a second name, `<file>.damaged-<n>` with the first free `n`, and tells it.
///
/// The first name stays until a good file replaces it, so that at no time the file is missing: a reader, or a process
/// killed in between, would take that for a store that was never used.
pub(crate) fn set_aside(path: &Utf8Path, bytes: &[u8]) -> Result<Utf8PathBuf, Error> {
    for number in 1..=MOST_COPIES {
        let aside = Utf8PathBuf::from(format!("{path}.damaged-{number}"));
        match keep_as(path, &aside, bytes) {
            Ok(()) => return Ok(aside),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(Error::writing(&aside, error)),
        }
    }
    let full = io::Error::new(
        io::ErrorKind::AlreadyExists,
        "too many damaged copies are kept already",
    );
    Err(Error::writing(path, full))
}

fn keep_as(path: &Utf8Path, aside: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    reach("set aside")?;
    match fs_err::hard_link(path, aside) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => return Err(error),
        // Some file systems have no second names: then the bytes are copied.
        Err(_) => copy_to(aside, bytes)?,
    }
    reach("sync aside")?;
    sync_folder(parent_of(aside))
}

fn copy_to(aside: &Utf8Path, bytes: &[u8]) -> io::Result<()> {
    let mut copy = std::fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(aside)?;
    only_for_owner(&copy)?;
    let written = copy.write_all(bytes).and_then(|()| copy.sync_all());
    if written.is_err() {
        // Half a copy would be taken for the damaged file.
        let _ = fs_err::remove_file(aside);
    }
    written
}
