use std::{
    io,
    ops::Range,
    sync::{Arc, OnceLock, atomic::AtomicU64},
};

use super::contents::{Documents, END, Part, TRAILER, Toc};
use crate::{
    IndexError,
    engine::{Component, OpenSegment, Section, SectionDirectory, open_segment, read_exact_at},
    folder::{Folder, LayerEntry, layer_name},
    record::{FileHead, FileId, Outline},
    search::TermTable,
};

/// A layer of the index, open for reading.
#[derive(Debug)]
pub(crate) struct Layer {
    entry: LayerEntry,
    folder: Folder,
    toc: Toc,
    parts: Vec<(Part, Arc<Section>)>,
    pub(crate) documents: Documents,
    pub(crate) records: Vec<Record>,
    pub(crate) removed: Vec<FileId>,
    segment: OnceLock<OpenSegment>,
    terms: OnceLock<TermTable>,
}

/// The record of a session file in a layer.
#[derive(Debug, Clone)]
pub(crate) struct Record {
    pub(crate) head: Arc<FileHead>,
    /// Where its outline is among the layer's.
    outline: Range<u64>,
}

impl Layer {
    /// Opens a layer. Its bookkeeping is read and its checksums compared; the postings are left for later.
    ///
    /// # Errors
    /// [`IndexError::Damaged`], also when the file is gone.
    pub(crate) fn open(
        folder: &Folder,
        entry: LayerEntry,
        room: &Arc<AtomicU64>,
    ) -> Result<Self, IndexError> {
        let name = layer_name(entry.id);
        let fault = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof | io::ErrorKind::InvalidData => {
                folder.damaged(format!("{name}: {error}"))
            }
            _ => IndexError::io(&folder.path().join(&name), error),
        };
        let file = Arc::new(folder.open_file(&name).map_err(fault)?);
        let length = file.metadata().map_err(fault)?.len();
        if length != entry.length {
            return Err(folder.damaged(format!("{name} has {length} bytes instead of {}", entry.length)));
        }
        let toc = read_toc(&file, entry).map_err(fault)?;
        let parts: Vec<(Part, Arc<Section>)> = toc
            .parts
            .iter()
            .map(|part| {
                let range = part.offset..part.offset.saturating_add(part.length).min(length);
                let section = Section::new(file.clone(), range, part.checksum, room.clone());
                (part.part, Arc::new(section))
            })
            .collect();
        let mut layer = Self {
            entry,
            folder: folder.clone(),
            toc,
            parts,
            documents: Documents::default(),
            records: Vec::new(),
            removed: Vec::new(),
            segment: OnceLock::new(),
            terms: OnceLock::new(),
        };
        layer.documents = layer.decoded(Part::Documents)?;
        layer.removed = layer.decoded(Part::Removed)?;
        layer.records = layer.read_records()?;
        Ok(layer)
    }

    pub(crate) fn entry(&self) -> LayerEntry {
        self.entry
    }

    /// The postings; `None` where the layer has none.
    pub(crate) fn segment(&self) -> Result<Option<&OpenSegment>, IndexError> {
        let Some((name, documents)) = &self.toc.segment else {
            return Ok(None);
        };
        if let Some(segment) = self.segment.get() {
            return Ok(Some(segment));
        }
        if self.documents.len() != u64::from(*documents) {
            return Err(self.fault("documents and postings do not belong together"));
        }
        let mut components = Vec::new();
        for component in Component::ALL {
            components.push((component, self.part(component.into())?.clone()));
        }
        let segment = open_segment(SectionDirectory::new(components), name, *documents)
            .map_err(|error| self.fault(&error.to_string()))?;
        // Another thread may have been faster; both opened the same.
        Ok(Some(self.segment.get_or_init(|| segment)))
    }

    /// The terms of the layer's segment as one text; `None` where it has none.
    pub(crate) fn term_table(&self) -> Result<Option<&TermTable>, IndexError> {
        if let Some(terms) = self.terms.get() {
            return Ok(Some(terms));
        }
        let Some(segment) = self.segment()? else {
            return Ok(None);
        };
        let terms = TermTable::new(segment.inverted.terms(), self.term_count())
            .map_err(|error| self.fault(&error.to_string()))?;
        Ok(Some(self.terms.get_or_init(|| terms)))
    }

    /// Number of its terms; 0 as long as nothing was looked up in it. Never more than could be: damage that nobody
    /// noticed yet must not reserve the memory of the machine.
    pub(crate) fn term_count(&self) -> usize {
        let Some(segment) = self.segment.get() else {
            return 0;
        };
        // A term takes a byte at least.
        let bytes = self.part(Part::Terms).map_or(0, |part| part.length());
        segment.inverted.terms().num_terms().min(bytes as usize)
    }

    /// The table of terms, if somebody needed it already.
    pub(crate) fn known_term_table(&self) -> Option<&TermTable> {
        self.terms.get()
    }

    /// The outline of a record of this layer.
    pub(crate) fn outline(&self, record: &Record) -> Result<Outline, IndexError> {
        let section = self.part(Part::Outlines)?;
        let bytes = section
            .read(record.outline.clone())
            .map_err(|error| self.fault(&error.to_string()))?;
        Ok(Outline::from_bytes(bytes))
    }

    /// Reads every byte and compares it with its checksum. Returns what is damaged.
    pub(crate) fn verify(&self) -> Vec<String> {
        let mut damage = Vec::new();
        for (part, section) in &self.parts {
            match section.verify() {
                Ok(true) => {}
                Ok(false) => damage.push(format!("{}: {part:?} has a wrong checksum", self.name())),
                Err(error) => damage.push(format!("{}: {part:?}: {error}", self.name())),
            }
        }
        damage
    }

    /// The error that something in this layer is not as it was written.
    pub(crate) fn fault(&self, what: &str) -> IndexError {
        self.folder.damaged(format!("{}: {what}", self.name()))
    }

    fn name(&self) -> String {
        layer_name(self.entry.id)
    }

    fn part(&self, part: Part) -> Result<&Arc<Section>, IndexError> {
        let found = self.parts.iter().find(|(known, _)| *known == part);
        found
            .map(|(_, section)| section)
            .ok_or_else(|| self.fault("a part is missing"))
    }

    fn decoded<T: serde::de::DeserializeOwned>(&self, part: Part) -> Result<T, IndexError> {
        let bytes = self
            .part(part)?
            .read_verified()
            .map_err(|error| self.fault(&error.to_string()))?;
        postcard::from_bytes(&bytes).map_err(|error| self.fault(&error.to_string()))
    }

    fn read_records(&self) -> Result<Vec<Record>, IndexError> {
        let bytes = self
            .part(Part::Heads)?
            .read_verified()
            .map_err(|error| self.fault(&error.to_string()))?;
        let heads: Vec<(u64, &[u8])> =
            postcard::from_bytes(&bytes).map_err(|error| self.fault(&error.to_string()))?;
        let outlines = self.part(Part::Outlines)?.length();
        let mut at = 0u64;
        let mut records = Vec::with_capacity(heads.len());
        for (length, head) in heads {
            let head = FileHead::decode(head).ok_or_else(|| self.fault("a record cannot be read"))?;
            let end = at
                .checked_add(length)
                .filter(|end| *end <= outlines)
                .ok_or_else(|| self.fault("an outline is cut"))?;
            records.push(Record {
                head: Arc::new(head),
                outline: at..end,
            });
            at = end;
        }
        Ok(records)
    }
}

fn read_toc(file: &fs_err::File, entry: LayerEntry) -> io::Result<Toc> {
    let invalid = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let mut trailer = [0; TRAILER as usize];
    let end = entry
        .length
        .checked_sub(TRAILER)
        .ok_or_else(|| invalid("too short"))?;
    read_exact_at(file.file(), &mut trailer, end)?;
    let length = u32::from_le_bytes([trailer[0], trailer[1], trailer[2], trailer[3]]);
    let checksum = u32::from_le_bytes([trailer[4], trailer[5], trailer[6], trailer[7]]);
    if trailer[8..] != END[..] || checksum != entry.checksum {
        return Err(invalid("not the layer that was committed"));
    }
    let start = end
        .checked_sub(u64::from(length))
        .ok_or_else(|| invalid("a wrong length"))?;
    let mut toc = vec![0; length as usize];
    read_exact_at(file.file(), &mut toc, start)?;
    if crc32fast::hash(&toc) != checksum {
        return Err(invalid("a wrong checksum"));
    }
    postcard::from_bytes(&toc).map_err(|_| invalid("no table of contents"))
}
