use std::{path::Path, sync::Arc};

use tantivy::{
    BitSet, Index, IndexSettings, InvertedIndexReader, SegmentReader, TantivyDocument,
    directory::OwnedBytes,
    fastfield::{AliveBitSet, write_alive_bitset},
    index::{SegmentComponent, SegmentId},
    indexer::{AddOperation, SegmentWriter, merge_filtered_segments},
};

use super::{
    MemoryDirectory, SectionDirectory,
    schema::{PositionCount, schema, text_field, tokenizers},
};

/// The files of a segment that are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Component {
    Terms,
    Postings,
    Positions,
    FieldNorms,
    FastFields,
    Store,
}

impl Component {
    pub(crate) const ALL: [Self; 6] = [
        Self::Terms,
        Self::Postings,
        Self::Positions,
        Self::FieldNorms,
        Self::FastFields,
        Self::Store,
    ];

    fn in_tantivy(self) -> SegmentComponent {
        match self {
            Self::Terms => SegmentComponent::Terms,
            Self::Postings => SegmentComponent::Postings,
            Self::Positions => SegmentComponent::Positions,
            Self::FieldNorms => SegmentComponent::FieldNorms,
            Self::FastFields => SegmentComponent::FastFields,
            Self::Store => SegmentComponent::Store,
        }
    }

    /// The component that a file of a segment is, by its extension.
    pub(super) fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let component = SegmentComponent::try_from(extension).ok()?;
        Self::ALL
            .into_iter()
            .find(|known| known.in_tantivy() == component)
    }
}

/// A finished segment in memory.
pub(crate) struct Segment {
    /// Its name in Tantivy, which its files carry inside.
    pub(crate) name: String,
    pub(crate) documents: u32,
    pub(crate) components: Vec<(Component, OwnedBytes)>,
}

impl Segment {
    fn take(
        segment: &tantivy::Segment,
        directory: &MemoryDirectory,
        documents: u32,
    ) -> tantivy::Result<Self> {
        let mut components = Vec::new();
        for component in Component::ALL {
            let path = segment.relative_path(component.in_tantivy());
            let bytes = directory.take(&path).ok_or_else(|| {
                tantivy::TantivyError::SystemError(format!("the segment has no {}", path.display()))
            })?;
            components.push((component, bytes));
        }
        Ok(Self {
            name: segment.id().uuid_string(),
            documents,
            components,
        })
    }
}

/// Builds one segment, document by document.
pub(crate) struct SegmentBuilder {
    writer: SegmentWriter,
    segment: tantivy::Segment,
    directory: MemoryDirectory,
    count: PositionCount,
}

impl SegmentBuilder {
    /// Texts longer than this become several documents, so that the memory for one document is bounded.
    pub(crate) const LONGEST_DOCUMENT: usize = 1 << 20;

    /// `budget` is a hint how many bytes of memory the segment will take, see [`SegmentBuilder::memory`].
    pub(crate) fn new(budget: usize, stop: Arc<dyn Fn() -> bool + Send + Sync>) -> tantivy::Result<Self> {
        let directory = MemoryDirectory::with_stop(stop);
        let count = PositionCount::default();
        let index = open(directory.clone(), &count)?;
        let segment = index.new_segment();
        let writer = SegmentWriter::for_segment(budget, segment.clone())?;
        Ok(Self {
            writer,
            segment,
            directory,
            count,
        })
    }

    /// Adds the text of a turn. Returns how many documents it took and how many positions it has.
    pub(crate) fn add(&mut self, text: &str) -> tantivy::Result<(u32, u32)> {
        self.count.set(0);
        let mut documents = 0;
        for piece in pieces(text) {
            let mut document = TantivyDocument::new();
            document.add_text(text_field(), piece);
            self.writer.add_document(AddOperation { opstamp: 0, document })?;
            documents += 1;
        }
        Ok((documents, self.count.get()))
    }

    /// Documents so far.
    pub(crate) fn documents(&self) -> u32 {
        self.writer.max_doc()
    }

    /// Bytes of memory it takes by now.
    pub(crate) fn memory(&self) -> usize {
        self.writer.mem_usage()
    }

    pub(crate) fn finish(self) -> tantivy::Result<Segment> {
        let documents = self.writer.max_doc();
        self.writer.finalize()?;
        Segment::take(&self.segment, &self.directory, documents)
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
    let index = open(directory, &PositionCount::default())?;
    let id = SegmentId::from_uuid_string(name)
        .map_err(|error| tantivy::TantivyError::InvalidArgument(error.to_string()))?;
    let segment = index.segment(index.new_segment_meta(id, documents));
    let reader = SegmentReader::open(&segment)?;
    let inverted = reader.inverted_index(text_field())?;
    Ok(OpenSegment { segment, inverted })
}

/// A segment open for reading.
pub(crate) struct OpenSegment {
    segment: tantivy::Segment,
    pub(crate) inverted: Arc<InvertedIndexReader>,
}

/// Merges segments into one with the documents for which `alive` holds, in their order.
pub(crate) fn merge(
    segments: &[(&OpenSegment, &dyn Fn(u32) -> bool)],
    stop: Arc<dyn Fn() -> bool + Send + Sync>,
) -> tantivy::Result<Segment> {
    let directory = MemoryDirectory::with_stop(stop);
    let mut filters = Vec::with_capacity(segments.len());
    let mut sources = Vec::with_capacity(segments.len());
    for (open, alive) in segments {
        let documents = open.segment.meta().max_doc();
        let mut kept = BitSet::with_max_value(documents);
        for document in (0..documents).filter(|document| alive(*document)) {
            kept.insert(document);
        }
        let mut bytes = Vec::new();
        write_alive_bitset(&kept, &mut bytes)?;
        filters.push(Some(AliveBitSet::open(OwnedBytes::new(bytes))));
        sources.push(open.segment.clone());
    }
    let merged = merge_filtered_segments(&sources, settings(), filters, directory.clone())?;
    let [segment] = merged
        .searchable_segments()?
        .try_into()
        .map_err(|_| tantivy::TantivyError::SystemError("a merge gave no single segment".to_owned()))?;
    let documents = segment.meta().max_doc();
    Segment::take(&segment, &directory, documents)
}

fn open(directory: impl Into<Box<dyn tantivy::Directory>>, count: &PositionCount) -> tantivy::Result<Index> {
    let mut index = Index::create(directory, schema(), settings())?;
    index.set_tokenizers(tokenizers(count));
    Ok(index)
}

fn settings() -> IndexSettings {
    IndexSettings {
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    }
}

impl std::fmt::Debug for OpenSegment {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OpenSegment")
            .field("documents", &self.segment.meta().max_doc())
            .finish_non_exhaustive()
    }
}
