use std::{fs::File, io};

use memchr::memchr_iter;

use crate::ScanOptions;
use lookback_session_model::ReadAt;

/// Bytes that are read at once.
const CHUNK: usize = 256 << 10;

/// Where a line begins.
pub(super) enum Start {
    At(u64),
    /// There are only so many.
    OnlyLines(u64),
}

/// Looks for the start of line `wanted`, from 1, in the first `size` bytes of a file.
pub(super) fn start_of(file: &File, size: u64, wanted: u64, options: &ScanOptions<'_>) -> io::Result<Start> {
    let mut buffer = vec![0; CHUNK.min(usize::try_from(size).unwrap_or(CHUNK))];
    let (mut offset, mut ends, mut start) = (0u64, 0u64, 0u64);
    while offset < size && ends + 1 < wanted {
        if options.stop().is_some() {
            return Err(io::Error::other("the reading was stopped"));
        }
        let most = usize::try_from(size - offset).unwrap_or(CHUNK).min(CHUNK);
        let read = match file.read_at(offset, &mut buffer[..most]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        if read == 0 {
            break;
        }
        for end in memchr_iter(b'\n', &buffer[..read]) {
            ends += 1;
            start = offset + end as u64 + 1;
            if ends + 1 == wanted {
                break;
            }
        }
        offset += read as u64;
    }
    // Behind the last line end there is a line only if something stands there.
    let lines = ends + u64::from(start < size);
    Ok(if wanted <= lines {
        Start::At(start)
    } else {
        Start::OnlyLines(lines)
    })
}
