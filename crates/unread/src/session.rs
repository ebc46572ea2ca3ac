//! One session file as a row of the list.

use camino::Utf8Path;
use lookback_session_model::{EntryKind, Fields, Header, Item as Record, NameChange, SessionReader};

use crate::{State, UserMessage, control::Signals, ending::Ending, limits, paths, text};

/// What a session file says.
#[derive(Debug)]
pub(crate) struct Session {
    pub(crate) id: String,
    pub(crate) cwd: String,
    pub(crate) name: String,
    pub(crate) message_count: u64,
    pub(crate) damaged_lines: u64,
    pub(crate) stop_reason: Option<String>,
    pub(crate) state: Option<(State, Option<UserMessage>)>,
}

/// Why the bytes of a file are no session of this scan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unfit {
    NotUtf8,
    Malformed,
    Foreign,
    /// Nobody waits for it any more.
    Cancelled,
}

impl Session {
    /// Reads the bytes of a whole file. `workspace`, where given, is the only one whose sessions are wanted.
    pub(crate) fn read(
        bytes: &[u8],
        workspace: Option<&Utf8Path>,
        signals: Signals<'_>,
    ) -> Result<Self, Unfit> {
        if std::str::from_utf8(bytes).is_err() {
            return Err(Unfit::NotUtf8);
        }
        // Not `recovered`, as the session model calls the first record behind a mark: nothing was damaged.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut reader = SessionReader::from_bytes(bytes, Fields::TEXT);
        let (id, cwd) = header(&mut reader)?;
        if workspace.is_some_and(|workspace| paths::normal(Utf8Path::new(&cwd)) != workspace) {
            return Err(Unfit::Foreign);
        }
        let (mut name, mut title, mut message_count) = (None, None, 0);
        let mut ending = Ending::default();
        // Reading from memory does not fail.
        while let Ok(Some(record)) = reader.next_item() {
            let Record::Entry(entry) = record else {
                // The header of another session: its messages still are the last ones of the file.
                continue;
            };
            // A file can hold a hundred thousand messages of a few bytes.
            if signals.is_cancelled() {
                return Err(Unfit::Cancelled);
            }
            let line = bytes
                .get(entry.place.offset as usize..)
                .and_then(|rest| rest.get(..entry.place.length as usize))
                .unwrap_or_default();
            ending.follow(&entry, line);
            match &entry.kind {
                EntryKind::SessionInfo { name: change } => {
                    name = match change {
                        NameChange::Set(name) => short_name(name),
                        NameChange::Cleared | NameChange::Invalid => None,
                    };
                }
                EntryKind::Message(_) => {
                    message_count += 1;
                    if title.is_none() {
                        title = ending.question().map(str::to_owned);
                    }
                }
                _ => {}
            }
        }
        let name = name
            .or_else(|| title.and_then(|title| short_name(&title)))
            .unwrap_or_else(|| id.clone());
        Ok(Self {
            id,
            cwd,
            name,
            message_count,
            damaged_lines: reader.diagnostics().damaged_lines(),
            stop_reason: ending.stop_reason.take(),
            state: ending.state(),
        })
    }
}

/// The id and the workspace in the first record. Damaged lines in front of it are passed over, as Pi passes over them;
/// any other record there means that Pi would not open the file.
fn header(reader: &mut SessionReader<&[u8]>) -> Result<(String, String), Unfit> {
    while let Ok(Some(record)) = reader.next_item() {
        match record {
            Record::Header(header) if !header.place.recovered => return checked(header),
            Record::Header(_) => {}
            Record::Entry(entry) if entry.place.recovered => {}
            Record::Entry(_) => break,
        }
    }
    Err(Unfit::Malformed)
}

fn checked(header: Header) -> Result<(String, String), Unfit> {
    let id = header.id.filter(|id| is_session_id(id.as_str()));
    let cwd = header.cwd;
    let fits = !cwd.is_empty() && !cwd.contains('\0') && text::units(&cwd) <= limits::PATH_UNITS;
    match id {
        Some(id) if fits => Ok((id.as_str().to_owned(), cwd)),
        _ => Err(Unfit::Malformed),
    }
}

/// The ids that Pi gives and accepts. Anything else could not be resumed by its id.
fn is_session_id(id: &str) -> bool {
    let bytes = id.as_bytes();
    let outer = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    bytes.len() <= limits::ID_UNITS
        && outer(bytes.first())
        && outer(bytes.last())
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

/// A name fit for the list; text with a NUL in it is none.
fn short_name(name: &str) -> Option<String> {
    let name = text::trim(name);
    (!name.is_empty() && !name.contains('\0')).then(|| text::cut(name, limits::NAME_UNITS).to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::Control;

    const FILE: &[u8] = br#"{"type":"session","version":3,"id":"s1","cwd":"/a"}
{"type":"message","id":"a1","parentId":null,"message":{"role":"user","content":"hello"}}
"#;

    #[test]
    fn a_cancelled_reading_ends_between_two_records() {
        let flag = AtomicBool::new(false);
        let control = Control::new().cancel(&flag);
        assert!(Session::read(FILE, None, control.signals()).is_ok());
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
        let ended = Session::read(FILE, None, control.signals());
        assert_eq!(ended.err(), Some(Unfit::Cancelled));
    }
}
