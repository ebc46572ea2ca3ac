//! One file, looked through for lines with a word of the query.

use std::{fs::File, io, ops::Range};

use lookback_session_model::{Fields, Header, Item, ReadAt, Role, SessionReader};
use memchr::{memchr, memrchr};

use crate::{
    evidence::{Evidence, Match},
    mute::Ears,
    options::{ScanOptions, Stop},
    overview::{Observer, Overview},
    prefilter::{Passing, Prefilter},
    words::Words,
};

/// Bytes that are read at once: they stay in the cache of the core while they are looked at.
const CHUNK: usize = 256 << 10;
/// A line that is longer is not kept in memory.
const LONG_LINE: usize = 4 << 20;

/// A file that is not longer is kept in memory, and need not be read a second time.
const SHORT_FILE: u64 = 1 << 20;

/// Why a file was not looked at to its end.
#[derive(Debug)]
pub(crate) enum Interrupt {
    Stop(Stop),
    Io(io::Error),
}

impl From<io::Error> for Interrupt {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Where a line stands in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineSpan {
    pub(crate) offset: u64,
    pub(crate) length: u64,
}

/// What a look through a file found.
#[derive(Debug, Default)]
pub(crate) struct Sifted<'a> {
    /// The header, where the first line is one.
    pub(crate) header: Option<Header>,
    /// Lines with a word of the query, ascending. The first has one in its text; of the others, which are not parsed,
    /// only their bytes are known to have one. Empty when there is no such line.
    pub(crate) lines: Vec<LineSpan>,
    /// One of the lines has a match for certain.
    pub(crate) matches: bool,
    /// What its lines tell of the file, where somebody observes them and nothing is odd.
    pub(crate) overview: Option<Overview>,
    /// The whole file, where it is short.
    pub(crate) bytes: Option<&'a [u8]>,
}

/// Looks through files. Keeps its memory between them.
#[derive(Debug)]
pub(crate) struct Sifter<'a> {
    prefilter: &'a Prefilter,
    evidence: &'a Evidence,
    options: &'a ScanOptions<'a>,
    buffer: Vec<u8>,
    ears: Ears,
    observer: Option<Observer>,
}

impl<'a> Sifter<'a> {
    pub(crate) fn new(
        prefilter: &'a Prefilter,
        evidence: &'a Evidence,
        options: &'a ScanOptions<'a>,
        observer: Option<Observer>,
    ) -> Self {
        Self {
            prefilter,
            evidence,
            options,
            buffer: Vec::new(),
            ears: Ears::new(),
            observer,
        }
    }

    /// Looks through a file as long as it was when it was opened.
    pub(crate) fn sift(
        &mut self,
        file: &File,
        size: u64,
        words: &mut Words<'_>,
    ) -> Result<Sifted<'_>, Interrupt> {
        let mut sifted = Sifted::default();
        if let Some(observer) = &self.observer {
            observer.begin();
        }
        // Short files stay in the buffer.
        let stays = size <= SHORT_FILE;
        // Offset of the buffer's first byte, how much of the buffer is filled, and how much of that was looked at.
        let (mut base, mut filled, mut done) = (0u64, 0usize, 0usize);
        loop {
            self.check()?;
            let read = self.fill(file, base + filled as u64, size, filled, CHUNK)?;
            let newest = filled;
            filled += read;
            if base + filled as u64 == size || read == 0 {
                self.lines(done..filled, base, &mut sifted, words)?;
                if let Some(observer) = self.observer.as_ref().filter(|_| sifted.matches) {
                    observer.look(&self.buffer[..filled]);
                    sifted.overview = observer.finish();
                }
                sifted.bytes = (base == 0).then(|| &self.buffer[..filled]);
                return Ok(sifted);
            }
            if let Some(end) = memrchr(b'\n', &self.buffer[newest..filled]) {
                let end = newest + end + 1;
                self.lines(done..end, base, &mut sifted, words)?;
                if stays {
                    done = end;
                } else {
                    if let Some(observer) = &self.observer {
                        observer.look(&self.buffer[..end]);
                    }
                    self.buffer.copy_within(end..filled, 0);
                    base += end as u64;
                    filled -= end;
                }
            } else if filled >= LONG_LINE {
                let length = self.long_line(file, base, size, &mut sifted, words)?;
                base += length;
                filled = 0;
            }
        }
    }

    fn check(&self) -> Result<(), Interrupt> {
        match self.options.stop() {
            Some(stop) => Err(Interrupt::Stop(stop)),
            None => Ok(()),
        }
    }

    /// Reads up to `most` more bytes behind those that are there.
    fn fill(&mut self, file: &File, offset: u64, size: u64, filled: usize, most: usize) -> io::Result<usize> {
        let wanted = usize::try_from(size.saturating_sub(offset))
            .unwrap_or(usize::MAX)
            .min(most);
        if self.buffer.len() < filled + wanted {
            self.buffer.resize(filled + wanted, 0);
        }
        loop {
            match file.read_at(offset, &mut self.buffer[filled..filled + wanted]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    /// Looks at lines in the buffer, with their ends. `base` is the offset of the buffer.
    fn lines(
        &self,
        range: Range<usize>,
        base: u64,
        sifted: &mut Sifted<'_>,
        words: &mut Words<'_>,
    ) -> Result<(), Interrupt> {
        if let Some(observer) = &self.observer {
            observer.go_to(range.start);
        }
        let base = base + range.start as u64;
        let lines = &self.buffer[range];
        if base == 0 {
            sifted.header = header(lines)?;
        }
        let mut outcome = Ok(());
        let observer = self.observer.as_ref();
        let listen = |bytes: &[u8]| {
            let (end, speaks) = self.ears.listen(bytes);
            if let Some(observer) = observer {
                observer.line(end, speaks);
            }
            (end, speaks)
        };
        // What is observed may never be read as a session, and if it is, the lines without a match cost little more.
        let passing = |sifted: &Sifted<'_>| match observer {
            Some(_) if sifted.matches => Passing::All,
            _ => Passing::Filtered,
        };
        self.prefilter.candidates(lines, passing(sifted), listen, |line| {
            if outcome.is_err() {
                return Passing::Filtered;
            }
            let mut says = Match::Perhaps;
            // When one line matches, the file is read as a session anyway, and its turns decide about the others.
            if sifted.lines.is_empty() || observer.is_some() && !sifted.matches {
                // With its end: an unfinished line is read otherwise than a damaged one.
                let with_end = &lines[line.start..lines.len().min(line.end + 1)];
                let reader = SessionReader::from_bytes(with_end, Fields::TEXT);
                match says_any(reader, self.evidence, words, self.options) {
                    Ok(found) => says = found,
                    Err(error) => outcome = Err(error),
                }
            }
            sifted.matches |= says == Match::Yes;
            if says > Match::No {
                if let Some(observer) = observer {
                    observer.candidate();
                }
                sifted.lines.push(LineSpan {
                    offset: base + line.start as u64,
                    length: line.len() as u64,
                });
            }
            passing(sifted)
        });
        // A text was left in its middle.
        if outcome.is_err() {
            self.check()?;
        }
        Ok(outcome?)
    }

    /// Looks at the line from `base` on that is too long to be kept. Returns its length with its end.
    fn long_line(
        &mut self,
        file: &File,
        base: u64,
        size: u64,
        sifted: &mut Sifted<'_>,
        words: &mut Words<'_>,
    ) -> Result<u64, Interrupt> {
        let mut length = 0u64;
        if let Some(observer) = &self.observer {
            observer.give_up();
        }
        loop {
            self.check()?;
            let read = self.fill(file, base + length, size, 0, CHUNK)?;
            if read == 0 {
                break;
            }
            if let Some(end) = memchr(b'\n', &self.buffer[..read]) {
                length += end as u64 + 1;
                break;
            }
            length += read as u64;
        }
        // A few megabytes were kept for it.
        self.buffer = Vec::new();
        let section = Section {
            file,
            base,
            options: self.options,
        };
        let reader = SessionReader::new(section, length, Fields::TEXT);
        let says = says_any(reader, self.evidence, words, self.options);
        self.check()?;
        if says? > Match::No {
            sifted.lines.push(LineSpan { offset: base, length });
        }
        Ok(length)
    }
}

/// The header in the first line.
fn header(lines: &[u8]) -> io::Result<Option<Header>> {
    let end = memchr(b'\n', lines).map_or(lines.len(), |end| end + 1);
    Ok(
        match SessionReader::from_bytes(&lines[..end], Fields::NONE).next_item()? {
            Some(Item::Header(header)) => Some(header),
            _ => None,
        },
    )
}

/// Whether the records of some lines have text of user or assistant that is what is looked for.
fn says_any<S: ReadAt>(
    mut reader: SessionReader<S>,
    evidence: &Evidence,
    words: &mut Words<'_>,
    options: &ScanOptions<'_>,
) -> io::Result<Match> {
    let mut best = Match::No;
    while let Some(item) = reader.next_item()? {
        let Item::Entry(entry) = item else { continue };
        let Some(message) = entry.message() else { continue };
        if matches!(message.role, Some(Role::User | Role::Assistant)) {
            best = best.max(evidence.is_in(message.text.as_str(), words, options)?);
            if best == Match::Yes {
                break;
            }
        }
    }
    Ok(best)
}

/// Stands for the end of the scan where only errors of reading can be told.
pub(crate) fn stopped() -> io::Error {
    io::Error::other("the scan was stopped")
}

/// The rest of a file from an offset on as if it were a file, which cannot be read any more when the scan is to stop.
pub(crate) struct Section<'a> {
    pub(crate) file: &'a File,
    pub(crate) base: u64,
    pub(crate) options: &'a ScanOptions<'a>,
}

impl ReadAt for Section<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        if self.options.stop().is_some() {
            return Err(stopped());
        }
        self.file.read_at(self.base + offset, buffer)
    }
}
