use std::{cell::RefCell, rc::Rc};

use lookback_ranker::{Leaf, NONE, Posting, Provider, TermSource, Vocabulary, resolve, resolve_in};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use tantivy::{
    DocSet, TERMINATED,
    postings::{Postings as _, SegmentPostings, TermInfo},
    schema::IndexRecordOption,
};

use super::known_terms::Place;
use crate::{
    IndexError,
    columns::{Columns, LayerTurns},
    engine::OpenSegment,
    layer::Layer,
    snapshot::Snapshot,
};

/// The postings of a commit, in the ordinals of its [`Columns`], for one search.
#[derive(Debug)]
pub(super) struct Postings<'a> {
    pub(super) snapshot: &'a Snapshot,
    columns: &'a Columns,
    /// The postings of common terms: those of a word are needed for itself, and for each of its neighbours.
    decoded: RefCell<FxHashMap<SmolStr, Rc<[Posting]>>>,
}

/// Terms with fewer postings are decoded anew as fast as they are looked up.
const COMMON: usize = 256;
/// Postings of terms that are kept for one search, at most.
const MOST_KEPT: usize = 1 << 18;

/// A layer with postings.
#[derive(Clone, Copy)]
pub(super) struct OpenLayer<'a> {
    /// Its position in the commit.
    position: usize,
    pub(super) layer: &'a Layer,
    pub(super) segment: &'a OpenSegment,
    turns: &'a LayerTurns,
}

impl<'a> Postings<'a> {
    pub(super) fn new(snapshot: &'a Snapshot) -> Self {
        Self {
            snapshot,
            columns: snapshot.columns(),
            decoded: RefCell::default(),
        }
    }

    /// Where the postings of a term are in a layer; `None` where it has none.
    fn term_info(&self, layer: &OpenLayer<'_>, term: &str) -> Result<Option<TermInfo>, IndexError> {
        let (known, layers) = (&self.snapshot.known_terms, self.snapshot.layers.len());
        if let Some(info) = known.get(term, layer.position, layers).info {
            return Ok(info);
        }
        let terms = layer.segment.inverted.terms();
        let found = terms.get(term).map_err(|error| layer.fault(&error))?;
        known.note(term, layer.position, layers, |place| {
            place.info = Some(found.clone())
        });
        Ok(found)
    }

    /// The number of turns of a layer in which a term occurs that has this ordinal there.
    pub(super) fn frequency(
        &self,
        layer: &OpenLayer<'_>,
        term: &str,
        ordinal: u64,
    ) -> Result<u32, IndexError> {
        layer.frequency(ordinal, || self.term_info(layer, term))
    }

    /// The number of turns of a layer in which a term occurs.
    fn turns_in(&self, layer: &OpenLayer<'_>, term: &str) -> Result<u32, IndexError> {
        let (known, layers) = (&self.snapshot.known_terms, self.snapshot.layers.len());
        let place = known.get(term, layer.position, layers);
        match place {
            Place { info: Some(None), .. } => return Ok(0),
            Place {
                turns: Some(turns), ..
            } => return Ok(turns),
            _ => {}
        }
        let terms = layer.segment.inverted.terms();
        let ordinal = terms.term_ord(term).map_err(|error| layer.fault(&error))?;
        let turns = match ordinal {
            Some(ordinal) => self.frequency(layer, term, ordinal)?,
            None => 0,
        };
        known.note(term, layer.position, layers, |place| {
            place.turns = Some(turns);
            if ordinal.is_none() {
                place.info = Some(None);
            }
        });
        Ok(turns)
    }

    /// Visits those of `turns`, which ascend, that hold the term; its postings stand at the first document of the turn
    /// that has it.
    fn each_turn(
        &self,
        term: &str,
        turns: &[u32],
        option: IndexRecordOption,
        mut visit: impl FnMut(&OpenLayer<'_>, &mut SegmentPostings, u32),
    ) -> Result<(), IndexError> {
        for layer in self.layers() {
            let layer = layer?;
            let of_layer = layer.turns.among(turns);
            let info = match of_layer {
                [] => None,
                _ => self.term_info(&layer, term)?,
            };
            let Some(info) = info else { continue };
            let mut postings = layer.postings(&info, option)?;
            for &turn in of_layer {
                let first = self.columns.first_documents[turn as usize];
                if postings.doc() < first {
                    postings.seek(first);
                }
                if postings.doc() == TERMINATED {
                    break;
                }
                if layer.turn(postings.doc()) == Some(turn) {
                    visit(&layer, &mut postings, turn);
                }
            }
        }
        Ok(())
    }

    /// The layers that have postings, in the order of their turns.
    pub(super) fn layers(&self) -> impl Iterator<Item = Result<OpenLayer<'a>, IndexError>> + '_ {
        let pairs = self.snapshot.layers.iter().zip(&self.columns.turns_of_layers);
        pairs
            .enumerate()
            .filter_map(|(position, (layer, turns))| match layer.segment() {
                Ok(Some(segment)) => Some(Ok(OpenLayer {
                    position,
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

    fn postings(&self, info: &TermInfo, option: IndexRecordOption) -> Result<SegmentPostings, IndexError> {
        let postings = self.segment.inverted.read_postings_from_terminfo(info, option);
        postings.map_err(|error| self.fault(&error))
    }

    /// Appends the postings of a block of documents of a term, whose postings in this layer begin at `start`.
    fn append(&self, documents: &[u32], frequencies: &[u32], start: usize, out: &mut Vec<Posting>) {
        let before = out.len();
        out.resize(before + documents.len(), Posting::new(NONE, 0.0));
        let mut count = before;
        // Without a branch: whether a document is a turn of its own, nobody could foretell.
        for (document, frequency) in documents.iter().zip(frequencies) {
            let turn = self.turns.of_documents.get(*document as usize).copied();
            let turn = turn.unwrap_or(NONE);
            out[count] = Posting::new(turn, *frequency as f32);
            count += usize::from(turn != NONE);
        }
        out.truncate(count);
        if self.turns.has_repeats {
            // The documents of a long text follow one another, also from block to block: their counts are one.
            let from = before.saturating_sub(1).max(start);
            let mut kept = from;
            for at in from..out.len() {
                let posting = out[at];
                if at > from && out[kept].turn == posting.turn {
                    out[kept].tf += posting.tf;
                } else {
                    kept += usize::from(at > from);
                    out[kept] = posting;
                }
            }
            if from < out.len() {
                out.truncate(kept + 1);
            }
        }
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
        if let Some(decoded) = self.decoded.borrow().get(term) {
            out.extend_from_slice(decoded);
            return Ok(());
        }
        let before = out.len();
        for layer in self.layers() {
            let layer = layer?;
            if let Some(info) = self.term_info(&layer, term)? {
                let start = out.len();
                layer.each_block(&info, IndexRecordOption::WithFreqs, |documents, frequencies| {
                    layer.append(documents, frequencies, start, out);
                })?;
            }
        }
        let own = &out[before..];
        if own.len() >= COMMON {
            let mut decoded = self.decoded.borrow_mut();
            let kept: usize = decoded.values().map(|postings| postings.len()).sum();
            if kept + own.len() <= MOST_KEPT {
                decoded.insert(SmolStr::new(term), own.into());
            }
        }
        Ok(())
    }

    fn posting_count(&self, term: &str) -> Result<usize, IndexError> {
        let mut count = 0;
        for layer in self.layers() {
            let info = self.term_info(&layer?, term)?;
            count += info.map_or(0, |info| info.doc_freq as usize);
        }
        Ok(count)
    }

    fn retain_with_term(&self, term: &str, turns: &mut Vec<u32>) -> Result<(), IndexError> {
        let mut kept = Vec::with_capacity(turns.len());
        self.each_turn(term, turns, IndexRecordOption::Basic, |_, _, turn| {
            kept.push(turn)
        })?;
        *turns = kept;
        Ok(())
    }

    fn term_positions(
        &self,
        term: &str,
        turns: &[u32],
        visit: &mut dyn FnMut(u32, &[u32]),
    ) -> Result<(), IndexError> {
        let mut positions = Vec::new();
        let option = IndexRecordOption::WithFreqsAndPositions;
        self.each_turn(term, turns, option, |layer, postings, turn| {
            positions.clear();
            // All documents of the turn, as long as they are some.
            while layer.turn(postings.doc()) == Some(turn) {
                postings.append_positions_with_offset(0, &mut positions);
                postings.advance();
            }
            visit(turn, &positions);
        })
    }
}

impl Provider for Postings<'_> {
    fn postings(&self, leaf: &Leaf, out: &mut Vec<Posting>) -> Result<(), IndexError> {
        resolve(leaf, self, out)
    }

    fn postings_in(&self, leaf: &Leaf, turns: &[u32], out: &mut Vec<Posting>) -> Result<(), IndexError> {
        resolve_in(leaf, turns, self, out)
    }
}

impl Vocabulary for Postings<'_> {
    type Error = IndexError;

    fn document_frequency(&self, term: &str) -> Result<u32, IndexError> {
        let mut count = 0;
        for layer in self.layers() {
            count += self.turns_in(&layer?, term)?;
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
