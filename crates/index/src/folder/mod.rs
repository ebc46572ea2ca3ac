//! The folder of an index: whose it is, what is in it, and how files in it are made.

mod lock;
mod manifest;

use std::io::{self, Write};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;

pub(crate) use lock::WriterLock;
pub(crate) use manifest::{LayerEntry, Manifest, ManifestState};

use crate::IndexError;

const MANIFEST: &str = "lookback-index.manifest";
const MANIFEST_BEING_WRITTEN: &str = "lookback-index.manifest.new";
const LOCK: &str = "lookback-index.lock";
const LAYER_SUFFIX: &str = ".lookback-layer";
/// Tells programs that make backups to leave the folder out; see <https://bford.info/cachedir/>.
const CACHE_TAG: &str = "CACHEDIR.TAG";
const CACHE_TAG_TEXT: &str = "Signature: 8a477f597d28d172789f06886806bc55\n# This folder holds the search index of Lookback. It can be deleted and is made again.\n";

/// The folder of an index.
#[derive(Debug, Clone)]
pub(crate) struct Folder {
    path: Utf8PathBuf,
}

impl Folder {
    /// Looks whether the folder may be used: it is missing, empty, or ours.
    pub(crate) fn open(path: &Utf8Path) -> Result<Self, IndexError> {
        let folder = Self {
            path: path.to_owned(),
        };
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(folder),
            Err(error) => return Err(IndexError::io(path, error)),
        };
        if metadata.is_symlink() {
            return Err(IndexError::LinkedFolder {
                folder: path.to_owned(),
            });
        }
        if !metadata.is_dir() {
            return Err(IndexError::ForeignFolder {
                folder: path.to_owned(),
            });
        }
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let user = rustix::process::geteuid().as_raw();
            if metadata.uid() != user {
                return Err(IndexError::OtherOwner {
                    folder: path.to_owned(),
                    owner: metadata.uid(),
                    user,
                });
            }
        }
        if folder.is_foreign()? {
            return Err(IndexError::ForeignFolder {
                folder: path.to_owned(),
            });
        }
        Ok(folder)
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        &self.path
    }

    pub(crate) fn damaged(&self, what: impl Into<String>) -> IndexError {
        IndexError::Damaged {
            folder: self.path.clone(),
            what: what.into(),
        }
    }

    /// Makes the folder where it is missing, and closes it to others.
    pub(crate) fn create(&self) -> Result<(), IndexError> {
        let failed = |error| IndexError::io(&self.path, error);
        if !self.path.is_dir() {
            make_folders(&self.path).map_err(failed)?;
        }
        only_for_owner(&self.path, 0o700).map_err(failed)?;
        let tag = self.path.join(CACHE_TAG);
        if !tag.exists() {
            // A courtesy to other programs: not having it harms nobody.
            let _ = self
                .create_file(CACHE_TAG)
                .and_then(|mut file| file.write_all(CACHE_TAG_TEXT.as_bytes()));
        }
        Ok(())
    }

    /// Files that are not ours in a folder without our manifest: whoever put them there may miss them.
    fn is_foreign(&self) -> Result<bool, IndexError> {
        if Manifest::bears_our_mark(self) {
            return Ok(false);
        }
        let entries = fs::read_dir(&self.path).map_err(|error| IndexError::io(&self.path, error))?;
        for entry in entries {
            let entry = entry.map_err(|error| IndexError::io(&self.path, error))?;
            let name = entry.file_name();
            let ours = name.to_str().is_some_and(|name| {
                [MANIFEST, MANIFEST_BEING_WRITTEN, LOCK, CACHE_TAG].contains(&name)
                    || layer_id(name).is_some()
            });
            if !ours || !entry.file_type().is_ok_and(|kind| kind.is_file()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Opens a file for reading; never through a link.
    pub(crate) fn open_file(&self, name: &str) -> io::Result<fs::File> {
        let mut options = fs::OpenOptions::new();
        options.read(true);
        no_links(&mut options);
        options.open(self.path.join(name))
    }

    /// Makes a file that was not there, for its owner only.
    pub(crate) fn create_file(&self, name: &str) -> io::Result<fs::File> {
        let path = self.path.join(name);
        let mut options = fs::OpenOptions::new();
        options.write(true).create_new(true);
        no_links(&mut options);
        #[cfg(unix)]
        {
            use fs_err::os::unix::fs::OpenOptionsExt;
            options.mode(0o600);
        }
        let file = options.open(&path)?;
        // A strict umask must not lock us out either.
        only_for_owner(&path, 0o600)?;
        Ok(file)
    }

    pub(crate) fn remove_file(&self, name: &str) -> io::Result<()> {
        match fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The layers that lie in the folder, whether they belong to the last commit or not.
    pub(crate) fn layers(&self) -> io::Result<Vec<u64>> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut layers = Vec::new();
        for entry in entries {
            layers.extend(entry?.file_name().to_str().and_then(layer_id));
        }
        Ok(layers)
    }

    /// Removes the layers that are in no commit: of merges, and of writers that were killed. Only for the holder of
    /// the lock. Readers that have such a layer open keep it.
    pub(crate) fn remove_layers_outside(&self, manifest: &Manifest) {
        for id in self.layers().unwrap_or_default() {
            if !manifest.layers.iter().any(|layer| layer.id == id) {
                // What cannot be removed now is removed next time.
                let _ = self.remove_file(&layer_name(id));
            }
        }
        let _ = self.remove_file(MANIFEST_BEING_WRITTEN);
    }
}

/// The file name of a layer.
pub(crate) fn layer_name(id: u64) -> String {
    format!("{id:016x}{LAYER_SUFFIX}")
}

fn layer_id(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(LAYER_SUFFIX)?;
    if digits.len() == 16 {
        u64::from_str_radix(digits, 16).ok()
    } else {
        None
    }
}

/// Makes a folder and what is missing above it, each for its owner only: a strict umask must not lock us out on the way.
fn make_folders(path: &Utf8Path) -> io::Result<()> {
    if path.as_str().is_empty() || path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent() {
        make_folders(parent)?;
    }
    match fs::create_dir(path) {
        Ok(()) => only_for_owner(path, 0o700),
        // Another process was faster, unless a file has the name.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Gives a file or folder this mode where it has another.
fn only_for_owner(path: &Utf8Path, mode: u32) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::symlink_metadata(path)?.permissions().mode() & 0o777 != mode {
            fs::set_permissions(path, std::fs::Permissions::from_mode(mode))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (path, mode);
    Ok(())
}

fn no_links(options: &mut fs::OpenOptions) {
    #[cfg(unix)]
    {
        use fs_err::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_CLOEXEC | libc::O_NONBLOCK);
    }
    #[cfg(not(unix))]
    let _ = options;
}
