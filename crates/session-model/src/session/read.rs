use std::io;

use camino::Utf8Path;

use super::{
    FirstRecord, Session, SessionFile,
    builder::{Builder, read_full},
};
use crate::{
    DiagnosticKind, Diagnostics, Fields, FileStamp, OpenError, Position, ReadAt, SessionReader, hash::Stable,
    open_session_file, reader::Step,
};

/// What became of a file since it was read.
#[derive(Debug, Clone, PartialEq)]
pub enum Resumed {
    /// Only lines were added. The entries from this position on are new (in the only session of the file).
    Extended(SessionFile, u32),
    /// Something else changed, so the file was read anew.
    Rewritten(SessionFile),
}

impl SessionFile {
    /// Reads a session file once, front to back. Up to `keep` bytes of searchable text are kept in memory for
    /// [`Session::kept_text`]; what does not fit is read again when it is asked for.
    ///
    /// # Errors
    /// [`OpenError`] when there is no regular file or it cannot be read. Damage inside is no error, see
    /// [`SessionFile::diagnostics`].
    pub fn read(path: &Utf8Path, keep: usize) -> Result<Self, OpenError> {
        let (mut reader, stamp) = SessionReader::open(path, FIELDS)?;
        let builder = Builder::new(path, keep);
        Self::collect(builder, stamp, &mut reader)
            .and_then(|file| file.settle(&reader))
            .map_err(|source| io_error(path, source))
    }

    /// Goes on where this reading ended: reads only what was appended since. Where more than that happened, the file
    /// is read anew. The result is the same as that of [`SessionFile::read`], except for the texts that are kept:
    /// of an extended file, only those of the new entries.
    ///
    /// # Errors
    /// As [`SessionFile::read`].
    pub fn resume(self, keep: usize) -> Result<Resumed, OpenError> {
        let path = self.path.clone();
        let (file, stamp) = open_session_file(&path)?;
        let appended = self
            .can_resume(&file, stamp)
            .map_err(|source| io_error(&path, source))?;
        if !appended {
            return Self::read(&path, keep).map(Resumed::Rewritten);
        }
        let first = self.sessions.first();
        let known = first.map_or(0, |session| session.nodes.len() as u32);
        let version = first.and_then(Session::header).and_then(|header| header.version);
        let mut reader = SessionReader::resume(file, stamp.size, FIELDS, self.position, version);
        let extended = Self::collect(Builder::from_file(self, keep), stamp, &mut reader)
            .and_then(|file| file.settle(&reader))
            .map_err(|source| io_error(&path, source))?;
        if extended.sessions.len() != 1 {
            return Self::read(&path, keep).map(Resumed::Rewritten);
        }
        Ok(Resumed::Extended(extended, known))
    }

    /// True when the file was only appended to, as far as a look at a few of its bytes can tell.
    fn can_resume(&self, file: &std::fs::File, stamp: FileStamp) -> io::Result<bool> {
        let [session] = self.sessions.as_slice() else {
            return Ok(false);
        };
        let old = session
            .header
            .as_ref()
            .is_none_or(|header| header.version.is_none_or(|version| version < 2.0));
        if old || self.open_ended || !self.stamp.same_file(&stamp) || stamp.size < self.position.offset {
            return Ok(false);
        }
        Ok(fingerprint(file, self.position.offset)? == self.fingerprint)
    }

    /// Notes whether the file changed while it was read, and what its end looks like.
    fn settle(mut self, reader: &SessionReader<std::fs::File>) -> io::Result<Self> {
        let now = FileStamp::of(&reader.source().metadata()?);
        // Growing is what session files do; shrinking, or another time at the same length, is a rewrite under our feet.
        if now.size < self.stamp.size
            || (now.size == self.stamp.size && now.modified_ns != self.stamp.modified_ns)
        {
            self.diagnostics.push(DiagnosticKind::ChangedWhileReading, 0, 0);
        }
        self.fingerprint = fingerprint(reader.lines(), self.position.offset)?;
        Ok(self)
    }

    /// Reads the bytes of a session file in memory, as if they were the file at `path`.
    pub fn from_bytes(path: &Utf8Path, bytes: &[u8], keep: usize) -> Self {
        let mut reader = SessionReader::from_bytes(bytes, FIELDS);
        let stamp = FileStamp {
            size: bytes.len() as u64,
            ..FileStamp::default()
        };
        // Memory can always be read.
        Self::collect(Builder::new(path, keep), stamp, &mut reader).unwrap_or_else(|_| Self {
            path: path.to_owned(),
            stamp,
            position: Position::default(),
            sessions: Vec::new(),
            diagnostics: Diagnostics::default(),
            line_diagnostics: Diagnostics::default(),
            first: FirstRecord::None,
            listed: None,
            pi: None,
            open_ended: false,
            fingerprint: 0,
        })
    }

    fn collect<S: ReadAt>(
        mut builder: Builder,
        stamp: FileStamp,
        reader: &mut SessionReader<S>,
    ) -> io::Result<Self> {
        let mut split_line = 0;
        let mut item = None;
        loop {
            match (reader.next(true, &mut item)?, item.take()) {
                (Step::End, _) => break,
                (Step::Item, item) => {
                    if let Some(item) = item {
                        builder.add(item);
                    }
                }
                (Step::Outlined, _) => {
                    if let Some(message) = reader.take_outlined() {
                        builder.message(message);
                    }
                }
                (Step::Pieces(line, pieces), _) => {
                    split_line = line;
                    builder.pieces(line, &pieces);
                }
            }
        }
        let position = reader.position();
        let lines = reader.take_diagnostics();
        let mut file = builder.finish(stamp, position, &lines, reader.source())?;
        // Of an unfinished line Pi's list may have taken something all the same.
        let taken = !reader.is_unfinished() || split_line > position.lines;
        file.open_ended = position.offset < reader.end() && taken;
        Ok(file)
    }
}

/// What the outline needs: text for titles and turns, and whether a summary is empty.
const FIELDS: Fields = Fields::OUTLINE;

fn io_error(path: &Utf8Path, source: io::Error) -> OpenError {
    OpenError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A hash of the first and the last bytes of the part of a file that was read.
fn fingerprint(file: &impl ReadAt, end: u64) -> io::Result<u64> {
    const HEAD: u64 = 1 << 10;
    const TAIL: u64 = 4 << 10;
    let mut hash = Stable::new();
    let mut buffer = [0; TAIL as usize];
    for (start, stop) in [(0, HEAD.min(end)), (end.saturating_sub(TAIL), end)] {
        let part = &mut buffer[..(stop - start) as usize];
        let filled = read_full(file, start, part)?;
        hash.feed(&part[..filled]);
    }
    Ok(hash.finish())
}
