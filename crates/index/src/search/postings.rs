use lookback_ranker::{Leaf, NONE, Posting, Provider, TermSource, Vocabulary, resolve};
use tantivy::{
    DocSet, TERMINATED,
    postings::{Postings as _, TermInfo},
    schema::IndexRecordOption,
};

use crate::{
    IndexError,
    columns::{Columns, LayerTurns},
    engine::OpenSegment,
    layer::Layer,
    snapshot::Snapshot,
};

/// The postings of a commit, in the ordinals of its [`Columns`].
#[derive(Debug)]
pub(super) struct Postings<'a> {
    pub(super) snapshot: &'a Snapshot,
    columns: &'a Columns,
}

/// A layer with postings.
#[derive(Clone, Copy)]
pub(super) struct OpenLayer<'a> {
    pub(super) layer: &'a Layer,
    pub(super) segment: &'a OpenSegment,
    turns: &'a LayerTurns,
}

impl<'a> Postings<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            columns: snapshot.columns(),
        }
    }

    /// The layers that have postings, in the order of their turns.
    pub(super) fn layers(&self) -> impl Iterator<Item = Result<OpenLayer<'a>, IndexError>> + '_ {
        let pairs = self.snapshot.layers.iter().zip(&self.columns.turns_of_layers);
        pairs.filter_map(|(layer, turns)| match layer.segment() {
            Ok(Some(segment)) => Some(Ok(OpenLayer {
                layer,
                segment,
                turns,
            })),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        })
    }
}

impl OpenLayer<'_> {
    pub(super) fn term_info(&self, term: &str) -> Result<Option<TermInfo>, IndexError> {
        let terms = self.segment.inverted.terms();
        terms.get(term).map_err(|error| self.fault(&error))
    }

    /// The number of turns in which the term with this ordinal occurs; `info` tells where its postings are. Where all
    /// documents are turns of their own, it is the number that the engine keeps; elsewhere the postings are counted.
    pub(super) fn frequency(
        &self,
        ordinal: u64,
        info: impl FnOnce() -> Result<Option<TermInfo>, IndexError>,
    ) -> Result<u32, IndexError> {
        self.turns.counts.of(self.layer.term_count(), ordinal, || {
            let Some(info) = info()? else {
                return Ok(0);
            };
            if !self.turns.has_holes {
                return Ok(info.doc_freq);
            }
            let (mut count, mut last) = (0, NONE);
            self.each_block(&info, IndexRecordOption::Basic, |documents, _| {
                for turn in documents.iter().filter_map(|document| self.turn(*document)) {
                    count += u32::from(turn != last);
                    last = turn;
                }
            })?;
            Ok(count)
        })
    }

    pub(super) fn fault(&self, error: &dyn std::fmt::Display) -> IndexError {
        self.layer.fault(&error.to_string())
    }

    fn turn(&self, document: u32) -> Option<u32> {
        let turn = self.turns.of_documents.get(document as usize).copied();
        turn.filter(|turn| *turn != NONE)
    }

    /// Visits the documents with a term, ascending, a block at a time, with their frequencies where `option` asks for
    /// these.
    fn each_block(
        &self,
        info: &TermInfo,
        option: IndexRecordOption,
        mut visit: impl FnMut(&[u32], &[u32]),
    ) -> Result<(), IndexError> {
        let mut blocks = self
            .segment
            .inverted
            .read_block_postings_from_terminfo(info, option)
            .map_err(|error| self.fault(&error))?;
        while blocks.block_len() > 0 {
            visit(blocks.docs(), blocks.freqs());
            blocks.advance();
        }
        Ok(())
    }
}

impl TermSource for Postings<'_> {
    type Error = IndexError;

    fn term_postings(&self, term: &str, out: &mut Vec<Posting>) -> Result<(), IndexError> {
        for layer in self.layers() {
            let layer = layer?;
            if let Some(info) = layer.term_info(term)? {
                out.reserve(info.doc_freq.min(1 << 20) as usize);
                // The documents of a long text follow one another: their counts are one.
                let mut last = NONE;
                layer.each_block(&info, IndexRecordOption::WithFreqs, |documents, frequencies| {
                    for (document, frequency) in documents.iter().zip(frequencies) {
                        let Some(turn) = layer.turn(*document) else {
                            continue;
                        };
                        match out.last_mut() {
                            Some(posting) if turn == last => posting.tf += *frequency as f32,
                            _ => out.push(Posting::new(turn, *frequency as f32)),
                        }
                        last = turn;
                    }
                })?;
            }
        }
        Ok(())
    }

    fn term_positions(
        &self,
        term: &str,
        turns: &[u32],
        visit: &mut dyn FnMut(u32, &[u32]),
    ) -> Result<(), IndexError> {
        let mut positions = Vec::new();
        let mut more = Vec::new();
        for layer in self.layers() {
            let layer = layer?;
            let from = turns.partition_point(|turn| *turn < layer.turns.start);
            let to = turns.partition_point(|turn| *turn < layer.turns.end);
            if from == to {
                continue;
            }
            let Some(info) = layer.term_info(term)? else {
                continue;
            };
            let mut postings = layer
                .segment
                .inverted
                .read_postings_from_terminfo(&info, IndexRecordOption::WithFreqsAndPositions)
                .map_err(|error| layer.fault(&error))?;
            for turn in &turns[from..to] {
                let first = self.columns.first_documents[*turn as usize];
                let mut document = postings.doc();
                if document < first {
                    document = postings.seek(first);
                }
                positions.clear();
                // All documents of the turn, as long as they are some.
                while document != TERMINATED && layer.turns.of_documents.get(document as usize) == Some(turn)
                {
                    postings.positions(&mut more);
                    positions.extend_from_slice(&more);
                    document = postings.advance();
                }
                if !positions.is_empty() {
                    visit(*turn, &positions);
                }
                if document == TERMINATED {
                    break;
                }
            }
        }
        Ok(())
    }
}

impl Provider for Postings<'_> {
    fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), IndexError> {
        resolve(leaf, self, out)
    }
}

impl Vocabulary for Postings<'_> {
    type Error = IndexError;

    fn document_frequency(&self, term: &str) -> Result<u32, IndexError> {
        let mut count = 0;
        for layer in self.layers() {
            let layer = layer?;
            let terms = layer.segment.inverted.terms();
            if let Some(ordinal) = terms.term_ord(term).map_err(|error| layer.fault(&error))? {
                count += layer.frequency(ordinal, || layer.term_info(term))?;
            }
        }
        Ok(count)
    }

    fn terms_with_prefix(&self, prefix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), IndexError> {
        self.each_with_prefix(prefix, visit)
    }

    fn terms_containing(&self, infix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), IndexError> {
        self.each_containing(infix, visit)
    }

    fn terms_with_suffix(&self, suffix: &str, visit: &mut dyn FnMut(&str, u32)) -> Result<(), IndexError> {
        self.each_with_suffix(suffix, visit)
    }

    fn terms_within_distance(
        &self,
        term: &str,
        distance: u8,
        visit: &mut dyn FnMut(&str, u32),
    ) -> Result<(), IndexError> {
        self.each_within(term, distance, visit)
    }
}
