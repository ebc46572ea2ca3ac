//! A look at some bytes of the files, to know which letters are rare in them before all bytes are searched.

use std::fmt;

use lookback_session_model::{FoundFile, ReadAt, open_session_file};

/// Files that are looked at, spread over all of them, and bytes of each.
const FILES: usize = 8;
const BYTES: usize = 64 << 10;

/// Bytes of some files. What follows from them is only a matter of speed.
pub(crate) struct Sample {
    bytes: Vec<u8>,
    /// How often each two neighbours occur, cases alike.
    pairs: Vec<u32>,
}

impl fmt::Debug for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sample")
            .field("bytes", &self.bytes.len())
            .finish_non_exhaustive()
    }
}

impl Sample {
    /// Reads from the middle of some files; from those that cannot be read, nothing.
    pub(crate) fn of(files: &[FoundFile]) -> Self {
        let mut bytes = Vec::with_capacity(FILES * BYTES);
        let step = files.len().div_ceil(FILES).max(1);
        for found in files.iter().skip(step / 2).step_by(step) {
            let Ok((file, stamp)) = open_session_file(&found.path) else {
                continue;
            };
            let filled = bytes.len();
            bytes.resize(filled + BYTES, 0);
            let read = file.read_at(stamp.size / 2, &mut bytes[filled..]).unwrap_or(0);
            bytes.truncate(filled + read);
        }
        Self::new(bytes)
    }

    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        let mut pairs = vec![0; 1 << 16];
        for pair in bytes.windows(2) {
            pairs[index(pair[0], pair[1])] += 1;
        }
        Self { bytes, pairs }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How often two bytes stand side by side.
    pub(crate) fn pair(&self, first: u8, second: u8) -> u32 {
        self.pairs[index(first, second)]
    }
}

fn index(first: u8, second: u8) -> usize {
    usize::from(first | 0x20) << 8 | usize::from(second | 0x20)
}
