use std::sync::Arc;

use tantivy::{
    DocSet, InvertedIndexReader, TERMINATED,
    postings::{FieldSerializer, InvertedIndexSerializer, Postings, TermInfo},
    schema::IndexRecordOption,
    termdict::TermStreamer,
};

use super::{MemoryDirectory, OpenSegment, Segment, schema::text_field, segment::open};

/// Stands for a document that is left out.
const GONE: u32 = u32::MAX;

/// Merges segments into one with the documents for which `alive` holds, in their order.
pub(crate) fn merge(
    segments: &[(&OpenSegment, &dyn Fn(u32) -> bool)],
    stop: Arc<dyn Fn() -> bool + Send + Sync>,
) -> tantivy::Result<Segment> {
    let directory = MemoryDirectory::with_stop(stop);
    let segment = open(directory.clone())?.new_segment();
    let mut documents = 0;
    let mut sources = Vec::with_capacity(segments.len());
    for (open, alive) in segments {
        let numbers = (0..open.documents)
            .map(|document| {
                if !alive(document) {
                    return GONE;
                }
                documents += 1;
                documents - 1
            })
            .collect();
        let mut terms = open.inverted.terms().stream()?;
        if terms.advance() {
            sources.push(Source {
                terms,
                inverted: &open.inverted,
                numbers,
            });
        }
    }
    let tokens = segments
        .iter()
        .map(|(open, _)| open.inverted.total_num_tokens())
        .sum();
    let mut serializer = InvertedIndexSerializer::open(&segment)?;
    let mut field = serializer.new_field(text_field(), tokens, None)?;
    write(sources, &mut field)?;
    field.close()?;
    serializer.close()?;
    Segment::take(&segment, &directory, documents)
}

struct Source<'a> {
    terms: TermStreamer<'a>,
    inverted: &'a InvertedIndexReader,
    /// The new number of each document.
    numbers: Vec<u32>,
}

/// Writes the terms of all sources, each of which stands at its next one. They are ordered, so the documents of the first
/// source come first.
fn write(mut sources: Vec<Source<'_>>, field: &mut FieldSerializer<'_>) -> tantivy::Result<()> {
    let mut term = Vec::new();
    let mut positions = Vec::new();
    while let Some(next) = sources.iter().map(|source| source.terms.key()).min() {
        term.clear();
        term.extend_from_slice(next);
        let mut is_open = false;
        for source in sources.iter().filter(|source| source.terms.key() == term) {
            let mut postings = source.postings(source.terms.value())?;
            while postings.doc() != TERMINATED {
                let number = source
                    .numbers
                    .get(postings.doc() as usize)
                    .copied()
                    .unwrap_or(GONE);
                if number != GONE {
                    if !is_open {
                        field.new_term(&term, 0, true)?;
                        is_open = true;
                    }
                    postings.positions(&mut positions);
                    to_deltas(&mut positions);
                    field.write_doc(number, postings.term_freq(), &positions);
                }
                postings.advance();
            }
        }
        if is_open {
            field.close_term()?;
        }
        sources.retain_mut(|source| source.terms.key() != term || source.terms.advance());
    }
    Ok(())
}

impl Source<'_> {
    fn postings(&self, info: &TermInfo) -> tantivy::Result<impl Postings + use<>> {
        Ok(self
            .inverted
            .read_postings_from_terminfo(info, IndexRecordOption::WithFreqsAndPositions)?)
    }
}

fn to_deltas(positions: &mut [u32]) {
    let mut before = 0;
    for position in positions {
        let delta = position.wrapping_sub(before);
        before = *position;
        *position = delta;
    }
}
