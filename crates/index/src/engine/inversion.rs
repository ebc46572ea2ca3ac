use lookback_ranker::analysis::stretches;
use tantivy::{DocId, Segment, postings::InvertedIndexSerializer};

use super::{
    schema::text_field,
    vocabulary::{Occurrence, Vocabulary},
};

/// Documents on their way to postings.
///
/// They are kept as one row of occurrences, four bytes each, in the order of the text. Sorting them by terms in the end
/// costs less than a list for each term that grows with every occurrence.
#[derive(Debug, Default)]
pub(super) struct Inversion {
    vocabulary: Vocabulary,
    /// Pieces of about [`PIECE`] occurrences, so that the row grows without being copied.
    full: Vec<Vec<Occurrence>>,
    last: Vec<Occurrence>,
    occurrences: usize,
    documents: Vec<Document>,
    /// The place for the next token: positions counted over all documents.
    next_place: u32,
}

#[derive(Debug, Clone, Copy)]
struct Document {
    /// The place of its first position.
    place: u32,
    /// What its first position is: texts of several documents have positions that go on.
    position: u32,
}

/// Occurrences in a piece of the row.
const PIECE: usize = 1 << 18;
/// Places between two entries of the table from places to documents.
const STRIDE: u32 = 128;

impl Inversion {
    /// Adds a document whose positions begin with `position`. Returns the one behind its last.
    pub(super) fn add(&mut self, text: &str, position: u32) -> u32 {
        if self.last.len() >= PIECE {
            self.full.push(std::mem::take(&mut self.last));
        }
        let first = self.last.len();
        for stretch in stretches(text) {
            self.vocabulary.analyse(stretch, &mut self.last);
        }
        let added = &mut self.last[first..];
        self.occurrences += added.len();
        let length = added.iter().map(|occurrence| occurrence & 1).sum::<u32>();
        self.documents.push(Document {
            place: self.next_place,
            position,
        });
        self.next_place += length;
        if let Some(last) = added.last_mut().filter(|last| **last & 1 == 0) {
            // Whatever the analysis says, no place is in two documents.
            *last |= 1;
            self.next_place += 1;
        }
        position.saturating_add(length)
    }

    /// Documents so far.
    pub(super) fn documents(&self) -> u32 {
        self.documents.len() as u32
    }

    /// Bytes of memory that it takes by now and will take when it is sorted.
    pub(super) fn memory(&self) -> usize {
        self.occurrences * 2 * size_of::<u32>()
            + self.documents.capacity() * size_of::<Document>()
            + self.vocabulary.memory()
    }

    /// Writes terms, postings and positions of a segment.
    pub(super) fn write(mut self, segment: &Segment) -> tantivy::Result<()> {
        self.full.push(std::mem::take(&mut self.last));
        let terms = std::mem::take(&mut self.vocabulary).into_terms();
        let order = terms.sorted();
        let (places, ends) = sort_by_term(std::mem::take(&mut self.full), &order);
        let documents = Documents::new(&self.documents, self.next_place);

        let mut serializer = InvertedIndexSerializer::open(segment)?;
        let mut field = serializer.new_field(text_field(), self.occurrences as u64, None)?;
        let mut deltas = Vec::new();
        let mut start = 0;
        for term in order {
            let end = ends[term as usize] as usize;
            field.new_term(terms.get(term).as_bytes(), 0, true)?;
            documents.each(&places[start..end], &mut deltas, |document, deltas| {
                field.write_doc(document, deltas.len() as u32, deltas);
            });
            field.close_term()?;
            start = end;
        }
        field.close()?;
        Ok(serializer.close()?)
    }
}

/// The places of all occurrences, those of the first term first, and for each term where its places end.
fn sort_by_term(row: Vec<Vec<Occurrence>>, order: &[u32]) -> (Vec<u32>, Vec<u32>) {
    let mut ends = vec![0u32; order.len()];
    for occurrence in row.iter().flatten() {
        ends[(occurrence >> 1) as usize] += 1;
    }
    let mut next = 0;
    for term in order {
        let count = &mut ends[*term as usize];
        next += *count;
        *count = next - *count;
    }
    let mut places = vec![0u32; next as usize];
    let mut place = 0;
    for piece in row {
        for occurrence in piece {
            let end = &mut ends[(occurrence >> 1) as usize];
            places[*end as usize] = place;
            *end += 1;
            place += occurrence & 1;
        }
    }
    (places, ends)
}

/// Which document a place is in.
struct Documents<'a> {
    documents: &'a [Document],
    /// For every so many places the document of the first of them.
    at_stride: Vec<u32>,
}

impl<'a> Documents<'a> {
    fn new(documents: &'a [Document], places: u32) -> Self {
        let mut at_stride = Vec::with_capacity((places / STRIDE) as usize + 1);
        let mut document = 0;
        for place in (0..=places).step_by(STRIDE as usize) {
            while documents
                .get(document + 1)
                .is_some_and(|next| next.place <= place)
            {
                document += 1;
            }
            at_stride.push(document as u32);
        }
        Self { documents, at_stride }
    }

    /// Hands out the documents of ascending places, with their positions as differences. `deltas` is only memory.
    fn each(&self, places: &[u32], deltas: &mut Vec<u32>, mut visit: impl FnMut(DocId, &[u32])) {
        let mut rest = places;
        while let Some(&first) = rest.first() {
            let mut document = self.at_stride[(first / STRIDE) as usize] as usize;
            let end = loop {
                match self.documents.get(document + 1) {
                    Some(next) if next.place <= first => document += 1,
                    Some(next) => break next.place,
                    None => break u32::MAX,
                }
            };
            let Document { place, position } = self.documents[document];
            deltas.clear();
            let mut last = place;
            for &at in rest.iter().take_while(|at| **at < end) {
                deltas.push(at - last);
                last = at;
            }
            deltas[0] = deltas[0].saturating_add(position);
            rest = &rest[deltas.len()..];
            visit(document as DocId, deltas);
        }
    }
}
