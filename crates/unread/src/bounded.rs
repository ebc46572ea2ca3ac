//! Reads a file whole, within a bound, and only while somebody still waits for it.

use std::io::{self, Read};

use camino::Utf8Path;
use lookback_session_model::open_session_file;

use crate::{
    control::{ReadEvent, Signals},
    limits,
};

/// Why a file was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    Unreadable,
    Oversized,
    Cancelled,
}

/// Reads the file into `bytes`, which is emptied first. Links, FIFOs and devices are refused without waiting for them.
pub(crate) fn read(path: &Utf8Path, bytes: &mut Vec<u8>, signals: Signals<'_>) -> Result<(), Refused> {
    bytes.clear();
    if signals.is_cancelled() {
        return Err(Refused::Cancelled);
    }
    let (file, stamp) = open_session_file(path).map_err(|_| Refused::Unreadable)?;
    let _open = Open::tell(path, signals);
    if stamp.size > limits::MAX_FILE_BYTES {
        return Err(Refused::Oversized);
    }
    read_to_end(file, path, bytes, signals)
}

/// The file may grow while it is read, so it is its end that counts and not the size it had.
fn read_to_end(
    mut file: impl Read,
    path: &Utf8Path,
    bytes: &mut Vec<u8>,
    signals: Signals<'_>,
) -> Result<(), Refused> {
    loop {
        if signals.is_cancelled() {
            return Err(Refused::Cancelled);
        }
        let filled = bytes.len();
        bytes.resize(filled + limits::READ_CHUNK, 0);
        let read = loop {
            match file.read(&mut bytes[filled..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        bytes.truncate(filled + read.as_ref().copied().unwrap_or(0));
        match read {
            Ok(0) => return Ok(()),
            Ok(_) if bytes.len() as u64 > limits::MAX_FILE_BYTES => return Err(Refused::Oversized),
            Ok(_) => signals.tell(ReadEvent::Chunk {
                path,
                bytes: bytes.len() as u64,
            }),
            Err(_) => return Err(Refused::Unreadable),
        }
    }
}

/// Tells that the file is open and, whatever happens in between, that it is closed.
struct Open<'a> {
    path: &'a Utf8Path,
    signals: Signals<'a>,
}

impl<'a> Open<'a> {
    fn tell(path: &'a Utf8Path, signals: Signals<'a>) -> Self {
        signals.tell(ReadEvent::Opened { path });
        Self { path, signals }
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.signals.tell(ReadEvent::Closed { path: self.path });
    }
}
