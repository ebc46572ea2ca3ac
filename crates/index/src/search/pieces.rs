//! Where in a row of terms a piece of one can be.

/// Bytes that a piece has at least: shorter ones are nearly everywhere.
pub(super) const SHORTEST: usize = 3;

/// Terms that are told apart by nothing else than a look at them.
pub(super) const TERMS_OF_BLOCK: usize = 128;

/// Rows of the table; three bytes that follow one another have one of them.
const ROWS: usize = 1 << 12;

/// For every three bytes that follow one another, the blocks of terms that may have them.
///
/// Looking for a piece through all terms reads megabytes; with the blocks that have all threes of the piece, it mostly
/// reads some kilobytes. Takes four bytes for each term.
#[derive(Debug)]
pub(super) struct Pieces {
    /// One bit for each block, row after row.
    bits: Vec<u64>,
    words_of_row: usize,
    blocks: usize,
}

impl Pieces {
    /// For so many terms, none of which is known yet.
    pub(super) fn new(terms: usize) -> Self {
        let blocks = terms.div_ceil(TERMS_OF_BLOCK);
        let words_of_row = blocks.div_ceil(64);
        Self {
            bits: vec![0; ROWS * words_of_row],
            words_of_row,
            blocks,
        }
    }

    /// Notes that a block has this text.
    pub(super) fn add(&mut self, block: usize, text: &[u8]) {
        for three in text.windows(SHORTEST) {
            self.bits[row(three) * self.words_of_row + block / 64] |= 1 << (block % 64);
        }
    }

    /// Visits the blocks that can have the piece, ascending; those that follow one another together.
    pub(super) fn each_run(&self, piece: &[u8], mut visit: impl FnMut(std::ops::Range<usize>)) {
        if piece.len() < SHORTEST {
            visit(0..self.blocks);
            return;
        }
        let rows: Vec<&[u64]> = piece
            .windows(SHORTEST)
            .map(|three| &self.bits[row(three) * self.words_of_row..][..self.words_of_row])
            .collect();
        let has_all = |block: usize| {
            let mut rows = rows.iter();
            rows.all(|row| row[block / 64] >> (block % 64) & 1 == 1)
        };
        let mut block = 0;
        while block < self.blocks {
            let word = block / 64;
            if block % 64 == 0 && rows.iter().fold(u64::MAX, |all, row| all & row[word]) == 0 {
                block += 64;
                continue;
            }
            let start = block;
            while block < self.blocks && has_all(block) {
                block += 1;
            }
            if block > start {
                visit(start..block);
            }
            block += 1;
        }
    }
}

fn row(three: &[u8]) -> usize {
    let number = three
        .iter()
        .fold(0u32, |number, byte| number << 8 | u32::from(*byte));
    (number.wrapping_mul(0x9e37_79b1) >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_with_the_piece_is_never_passed_over() {
        let texts: Vec<String> = (0..300)
            .map(|number| format!("term{number}\nx{}", number * 7))
            .collect();
        let mut pieces = Pieces::new(300 * TERMS_OF_BLOCK);
        for (block, text) in texts.iter().enumerate() {
            pieces.add(block, text.as_bytes());
        }
        for piece in ["term12", "rm2", "x70", "9\nx", "m1", ""] {
            let mut seen = Vec::new();
            pieces.each_run(piece.as_bytes(), |run| seen.extend(run));
            assert!(seen.is_sorted_by(|one, other| one < other));
            let having = (0..300).filter(|block| texts[*block].contains(piece));
            assert!(having.into_iter().all(|block| seen.contains(&block)), "{piece}");
        }
        let mut seen = 0;
        pieces.each_run(b"term299", |run| seen += run.len());
        assert!(seen < 10, "{seen} of 300");
    }
}
