use std::io::{self, Read, Write};

use fs_err as fs;
use serde::{Deserialize, Serialize};

use super::{Folder, MANIFEST, MANIFEST_BEING_WRITTEN};
use crate::IndexError;

/// First bytes of every manifest, of all versions to come: they say that the folder is ours.
const MARK: &[u8; 16] = b"lookback-index\r\n";

/// What an index consists of: the commit. It is replaced as a whole, by renaming; before that nothing has happened,
/// after it everything has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    /// Grows with every commit, over rebuilds too.
    pub(crate) generation: u64,
    /// Version of the text analysis that cut the terms.
    pub(crate) analysis: u32,
    pub(crate) next_layer: u64,
    pub(crate) next_file: u32,
    /// A first build has come to its end.
    pub(crate) complete: bool,
    /// Of several records of one file that in the last layer holds.
    pub(crate) layers: Vec<LayerEntry>,
}

/// A layer of a commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LayerEntry {
    pub(crate) id: u64,
    /// Length of its file.
    pub(crate) length: u64,
    /// Checksum of its table of contents, which holds the checksums of everything else.
    pub(crate) checksum: u32,
}

/// What a look at the manifest found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ManifestState {
    /// There is none, and no layer either: no index yet.
    Missing,
    Present(Manifest),
    /// An older version wrote the index, or an older analysis.
    Outdated,
    Damaged(&'static str),
}

impl Manifest {
    /// Grows with every change of what is on disk: manifest, layers, records.
    pub(crate) const FORMAT: u32 = 2;

    pub(crate) fn empty(generation: u64) -> Self {
        Self {
            generation,
            analysis: lookback_ranker::analysis::VERSION,
            next_layer: 1,
            next_file: 1,
            complete: false,
            layers: Vec::new(),
        }
    }

    /// The bytes on disk; `None` where there are none.
    pub(crate) fn read(folder: &Folder) -> Result<Option<Vec<u8>>, IndexError> {
        let read = || {
            let mut bytes = Vec::new();
            folder
                .open_file(MANIFEST)?
                .take(Self::LONGEST)
                .read_to_end(&mut bytes)?;
            Ok::<_, io::Error>(bytes)
        };
        match read() {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(IndexError::io(&folder.path().join(MANIFEST), error)),
        }
    }

    /// More than this is no manifest.
    const LONGEST: u64 = 16 << 20;

    /// Understands the bytes on disk.
    ///
    /// # Errors
    /// [`IndexError::NewerFormat`].
    pub(crate) fn decode(folder: &Folder, bytes: Option<&[u8]>) -> Result<ManifestState, IndexError> {
        let Some(bytes) = bytes else {
            let orphans = folder
                .layers()
                .map_err(|error| IndexError::io(folder.path(), error))?;
            return Ok(if orphans.is_empty() {
                ManifestState::Missing
            } else {
                ManifestState::Damaged("the manifest is missing")
            });
        };
        let Some(rest) = bytes.strip_prefix(MARK) else {
            return Ok(ManifestState::Damaged("the manifest is no manifest"));
        };
        let Some((format, rest)) = rest.split_first_chunk() else {
            return Ok(ManifestState::Damaged("the manifest is cut"));
        };
        let format = u32::from_le_bytes(*format);
        if format > Self::FORMAT {
            // Damage can look like this, but a newer index must survive that we cannot read it.
            return Err(IndexError::NewerFormat {
                folder: folder.path().to_owned(),
                found: format,
                known: Self::FORMAT,
            });
        }
        if format < Self::FORMAT {
            return Ok(ManifestState::Outdated);
        }
        let Some((checksum, body)) = rest.split_first_chunk() else {
            return Ok(ManifestState::Damaged("the manifest is cut"));
        };
        if crc32fast::hash(body) != u32::from_le_bytes(*checksum) {
            return Ok(ManifestState::Damaged("the manifest has a wrong checksum"));
        }
        match postcard::from_bytes::<Self>(body) {
            Ok(manifest) if manifest.analysis != lookback_ranker::analysis::VERSION => {
                Ok(ManifestState::Outdated)
            }
            Ok(manifest) => Ok(ManifestState::Present(manifest)),
            Err(_) => Ok(ManifestState::Damaged("the manifest cannot be read")),
        }
    }

    /// The number of the last commit as far as it can be read; a rebuild goes on counting from there.
    pub(crate) fn last_generation(folder: &Folder) -> Result<u64, IndexError> {
        let bytes = Self::read(folder)?;
        Ok(match Self::decode(folder, bytes.as_deref())? {
            ManifestState::Present(manifest) => manifest.generation,
            _ => 0,
        })
    }

    fn encode(&self) -> Result<Vec<u8>, postcard::Error> {
        let body = postcard::to_allocvec(self)?;
        let mut bytes = MARK.to_vec();
        bytes.extend(Self::FORMAT.to_le_bytes());
        bytes.extend(crc32fast::hash(&body).to_le_bytes());
        bytes.extend(body);
        Ok(bytes)
    }

    /// Makes this the last commit. Returns the bytes on disk.
    ///
    /// Nothing is synced: whatever a loss of power leaves behind is noticed by its checksum and made again.
    pub(crate) fn commit(&self, folder: &Folder) -> Result<Vec<u8>, IndexError> {
        let path = folder.path().join(MANIFEST);
        let failed = |error| IndexError::io(&path, error);
        let bytes = self.encode().map_err(|error| IndexError::Engine {
            message: error.to_string(),
        })?;
        folder.remove_file(MANIFEST_BEING_WRITTEN).map_err(failed)?;
        let mut file = folder.create_file(MANIFEST_BEING_WRITTEN).map_err(failed)?;
        file.write_all(&bytes).map_err(failed)?;
        drop(file);
        fs::rename(folder.path().join(MANIFEST_BEING_WRITTEN), &path).map_err(failed)?;
        Ok(bytes)
    }

    /// True when the folder has a manifest of ours, of whatever version.
    pub(super) fn bears_our_mark(folder: &Folder) -> bool {
        let mut mark = [0; MARK.len()];
        folder
            .open_file(MANIFEST)
            .and_then(|mut file| file.read_exact(&mut mark))
            .is_ok_and(|()| mark == *MARK)
    }
}
