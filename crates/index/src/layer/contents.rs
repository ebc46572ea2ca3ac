use std::io::{self, BufWriter, Write};

use camino::Utf8Path;
use serde::{Deserialize, Serialize};

use crate::{
    IndexError,
    engine::{Component, Segment},
    folder::{Folder, LayerEntry, layer_name},
    record::{FileHead, FileId, Outline},
};

/// A layer before it is written.
#[derive(Default)]
pub(crate) struct LayerContents {
    pub(crate) segment: Option<Segment>,
    pub(crate) documents: Documents,
    pub(crate) records: Vec<(FileHead, Outline)>,
    /// Files that are gone.
    pub(crate) removed: Vec<FileId>,
}

/// Which turn each document of a segment is: runs of consecutive documents of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Documents {
    runs: Vec<Run>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Run {
    file: FileId,
    /// Number of the first document within the file.
    first: u32,
    count: u32,
}

impl Documents {
    /// The next document of the segment is this one of a file.
    pub(crate) fn push(&mut self, file: FileId, doc: u32) {
        match self.runs.last_mut() {
            Some(run) if run.file == file && run.first + run.count == doc => run.count += 1,
            _ => self.runs.push(Run {
                file,
                first: doc,
                count: 1,
            }),
        }
    }

    /// File and number within the file of every document, in the order of the segment.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (FileId, u32)> + '_ {
        self.runs
            .iter()
            .flat_map(|run| (0..run.count).map(move |at| (run.file, run.first.wrapping_add(at))))
    }

    /// The runs: file, number of the first document within the file, number of documents.
    pub(crate) fn runs(&self) -> impl Iterator<Item = (FileId, u32, u32)> + '_ {
        self.runs.iter().map(|run| (run.file, run.first, run.count))
    }

    pub(crate) fn len(&self) -> u64 {
        self.runs.iter().map(|run| u64::from(run.count)).sum()
    }
}

/// The parts of a layer file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Part {
    Terms,
    Postings,
    Positions,
    Documents,
    Heads,
    Outlines,
    Removed,
}

impl From<Component> for Part {
    fn from(component: Component) -> Self {
        match component {
            Component::Terms => Self::Terms,
            Component::Postings => Self::Postings,
            Component::Positions => Self::Positions,
        }
    }
}

/// The table of contents, at the end of a layer file. Behind it: its length, its checksum, [`END`].
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Toc {
    /// The segment's name and number of documents.
    pub(super) segment: Option<(String, u32)>,
    pub(super) parts: Vec<TocPart>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TocPart {
    pub(super) part: Part,
    pub(super) offset: u64,
    pub(super) length: u64,
    pub(super) checksum: u32,
}

/// The last bytes of a layer file.
pub(super) const END: &[u8; 8] = b"lb-layer";
/// Length and checksum of the table of contents, and [`END`].
pub(super) const TRAILER: u64 = 16;

impl LayerContents {
    pub(crate) fn is_empty(&self) -> bool {
        self.segment.is_none() && self.records.is_empty() && self.removed.is_empty()
    }

    /// Writes the layer to a file of its own. It belongs to the index from the commit on that names it.
    pub(crate) fn write(self, folder: &Folder, id: u64) -> Result<LayerEntry, IndexError> {
        let name = layer_name(id);
        let path = folder.path().join(&name);
        self.try_write(folder, &name, &path, id).inspect_err(|_| {
            // On a full disk the half of a layer is in the way of everything else.
            let _ = folder.remove_file(&name);
        })
    }

    fn try_write(
        self,
        folder: &Folder,
        name: &str,
        path: &Utf8Path,
        id: u64,
    ) -> Result<LayerEntry, IndexError> {
        let failed = |error| IndexError::io(path, error);
        // What a killed writer left behind under this name belongs to no commit.
        folder.remove_file(name).map_err(failed)?;
        let mut out = LayerWriter {
            // The postings of large layers go past the buffer; small layers are written in one go.
            file: BufWriter::with_capacity(64 << 10, folder.create_file(name).map_err(failed)?),
            offset: 0,
            toc: Toc::default(),
        };
        let engine = |error: postcard::Error| IndexError::Engine {
            message: error.to_string(),
        };
        if let Some(segment) = self.segment {
            out.toc.segment = Some((segment.name, segment.documents));
            for (component, bytes) in segment.components {
                out.part(component.into(), &[&bytes]).map_err(failed)?;
            }
        }
        let documents = postcard::to_allocvec(&self.documents).map_err(engine)?;
        out.part(Part::Documents, &[&documents]).map_err(failed)?;
        let mut heads = Vec::new();
        for (head, outline) in &self.records {
            heads.push((outline.bytes().len() as u64, head.encode().map_err(engine)?));
        }
        let heads = postcard::to_allocvec(&heads).map_err(engine)?;
        out.part(Part::Heads, &[&heads]).map_err(failed)?;
        let outlines: Vec<&[u8]> = self.records.iter().map(|(_, outline)| outline.bytes()).collect();
        out.part(Part::Outlines, &outlines).map_err(failed)?;
        let removed = postcard::to_allocvec(&self.removed).map_err(engine)?;
        out.part(Part::Removed, &[&removed]).map_err(failed)?;

        let toc = postcard::to_allocvec(&out.toc).map_err(engine)?;
        let checksum = crc32fast::hash(&toc);
        let mut trailer = toc;
        trailer.extend((trailer.len() as u32).to_le_bytes());
        trailer.extend(checksum.to_le_bytes());
        trailer.extend(END);
        out.file.write_all(&trailer).map_err(failed)?;
        out.file.flush().map_err(failed)?;
        Ok(LayerEntry {
            id,
            length: out.offset + trailer.len() as u64,
            checksum,
        })
    }
}

struct LayerWriter {
    file: BufWriter<fs_err::File>,
    offset: u64,
    toc: Toc,
}

impl LayerWriter {
    fn part(&mut self, part: Part, pieces: &[&[u8]]) -> io::Result<()> {
        let mut hasher = crc32fast::Hasher::new();
        let offset = self.offset;
        for piece in pieces {
            hasher.update(piece);
            self.file.write_all(piece)?;
            self.offset += piece.len() as u64;
        }
        self.toc.parts.push(TocPart {
            part,
            offset,
            length: self.offset - offset,
            checksum: hasher.finalize(),
        });
        Ok(())
    }
}
