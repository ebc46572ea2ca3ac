use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use tantivy::{
    Index, IndexSettings, InvertedIndexReader, SegmentReader,
    directory::OwnedBytes,
    index::{SegmentComponent, SegmentId},
    indexer::SegmentWriter,
};

use super::{
    MemoryDirectory, SectionDirectory,
    inversion::Inversion,
    schema::{schema, text_field},
};

/// The files of a segment that are kept. Tantivy has more, which for our schema are empty: see [`empty_files`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Component {
    Terms,
    Postings,
    Positions,
}

impl Component {
    pub(crate) const ALL: [Self; 3] = [Self::Terms, Self::Postings, Self::Positions];

    fn in_tantivy(self) -> SegmentComponent {
        match self {
            Self::Terms => SegmentComponent::Terms,
            Self::Postings => SegmentComponent::Postings,
            Self::Positions => SegmentComponent::Positions,
        }
    }

    /// The component that a file of a segment is, by its extension.
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        let component = component(path)?;
        Self::ALL
            .into_iter()
            .find(|known| known.in_tantivy() == component)
    }
}

fn component(path: &Path) -> Option<SegmentComponent> {
    SegmentComponent::try_from(path.extension()?.to_str()?).ok()
}

/// A finished segment in memory.
pub(crate) struct Segment {
    /// Its name in Tantivy, which its files carry inside.
    pub(crate) name: String,
    pub(crate) documents: u32,
    pub(crate) components: Vec<(Component, OwnedBytes)>,
}

impl Segment {
    pub(super) fn take(
        segment: &tantivy::Segment,
        directory: &MemoryDirectory,
        documents: u32,
    ) -> tantivy::Result<Self> {
        let mut components = Vec::new();
        for component in Component::ALL {
            let path = segment.relative_path(component.in_tantivy());
            components.push((component, taken(directory, &path)?));
        }
        Ok(Self {
            name: segment.id().uuid_string(),
            documents,
            components,
        })
    }
}

fn taken(directory: &MemoryDirectory, path: &Path) -> tantivy::Result<OwnedBytes> {
    directory
        .take(path)
        .ok_or_else(|| tantivy::TantivyError::SystemError(format!("the segment has no {}", path.display())))
}

/// Builds one segment, document by document.
pub(crate) struct SegmentBuilder {
    inversion: Inversion,
    stop: Arc<dyn Fn() -> bool + Send + Sync>,
}

impl SegmentBuilder {
    /// Texts longer than this become several documents, so that the memory for one document is bounded.
    pub(crate) const LONGEST_DOCUMENT: usize = 1 << 20;

    /// Writing the segment fails from the moment on when `stop` says so.
    pub(crate) fn new(stop: Arc<dyn Fn() -> bool + Send + Sync>) -> Self {
        Self {
            inversion: Inversion::default(),
            stop,
        }
    }

    /// Adds the text of a turn. Returns how many documents it took and how many positions it has.
    pub(crate) fn add(&mut self, text: &str) -> (u32, u32) {
        let (mut documents, mut length) = (0, 0);
        for piece in pieces(text) {
            length = self.inversion.add(piece, length);
            documents += 1;
        }
        (documents, length)
    }

    /// Documents so far.
    pub(crate) fn documents(&self) -> u32 {
        self.inversion.documents()
    }

    /// Bytes of memory it takes by now, and will take while it is written.
    pub(crate) fn memory(&self) -> usize {
        self.inversion.memory()
    }

    pub(crate) fn finish(self) -> tantivy::Result<Segment> {
        let documents = self.documents();
        let directory = MemoryDirectory::with_stop(self.stop);
        let segment = open(directory.clone())?.new_segment();
        self.inversion.write(&segment)?;
        Segment::take(&segment, &directory, documents)
    }
}

/// The text in pieces of bounded length, cut at white space where there is some. Never empty.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        if text.len() <= SegmentBuilder::LONGEST_DOCUMENT {
            rest = None;
            return Some(text);
        }
        let end = text.floor_char_boundary(SegmentBuilder::LONGEST_DOCUMENT);
        // Looking back further than any word is long finds nothing more.
        let from = text.floor_char_boundary(end - (64 << 10));
        let cut = text[from..end]
            .rfind(char::is_whitespace)
            .map_or(end, |at| from + at);
        let (piece, more) = text.split_at(cut);
        rest = Some(more);
        Some(piece)
    })
}

/// Opens a segment for reading. `name` and `documents` are those it was written with.
pub(crate) fn open_segment(
    directory: SectionDirectory,
    name: &str,
    documents: u32,
) -> tantivy::Result<OpenSegment> {
    let index = open(directory)?;
    let id = SegmentId::from_uuid_string(name)
        .map_err(|error| tantivy::TantivyError::InvalidArgument(error.to_string()))?;
    let segment = index.segment(index.new_segment_meta(id, documents));
    let inverted = SegmentReader::open(&segment)?.inverted_index(text_field())?;
    Ok(OpenSegment { documents, inverted })
}

/// A segment open for reading.
pub(crate) struct OpenSegment {
    pub(super) documents: u32,
    pub(crate) inverted: Arc<InvertedIndexReader>,
}

pub(super) fn open(directory: impl Into<Box<dyn tantivy::Directory>>) -> tantivy::Result<Index> {
    Index::create(directory, schema(), settings())
}

fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

/// The file of every segment that this is a path of, where it is one of those that have no content: there are neither
/// stored texts nor columns nor lengths.
pub(super) fn empty_file(path: &Path) -> Option<OwnedBytes> {
    static FILES: OnceLock<Vec<(SegmentComponent, OwnedBytes)>> = OnceLock::new();
    let component = component(path)?;
    // Without them no segment can be opened, and that is the error.
    let files = FILES.get_or_init(|| empty_files().unwrap_or_default());
    let found = files.iter().find(|(known, _)| *known == component);
    found.map(|(_, bytes)| bytes.clone())
}

fn empty_files() -> tantivy::Result<Vec<(SegmentComponent, OwnedBytes)>> {
    /// The least that Tantivy takes.
    const MEMORY: usize = 1 << 20;
    let directory = MemoryDirectory::default();
    let segment = open(directory.clone())?.new_segment();
    SegmentWriter::for_segment(MEMORY, segment.clone())?.finalize()?;
    let mut files = Vec::new();
    for component in [
        SegmentComponent::FieldNorms,
        SegmentComponent::FastFields,
        SegmentComponent::Store,
    ] {
        let bytes = taken(&directory, &segment.relative_path(component.clone()))?;
        files.push((component, bytes));
    }
    Ok(files)
}

impl std::fmt::Debug for OpenSegment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenSegment")
            .field("documents", &self.documents)
            .finish_non_exhaustive()
    }
}
