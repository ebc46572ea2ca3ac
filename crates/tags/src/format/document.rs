//! A whole file, held so that writing it back changes nothing but the records that were changed.

use std::collections::BTreeMap;

use super::fields::{self, Fields};
use crate::notice::Damage;

/// The version that is written, and the only one there has been.
pub(crate) const VERSION: u64 = 1;

/// What a file holds for one session.
pub(crate) trait Record: Clone + Default + PartialEq {
    /// A change to one session.
    type Edit;

    /// What a snapshot works out from all records when it is first asked.
    type Lists: std::fmt::Debug;

    /// The keys that belong to this program.
    const KEYS: &'static [&'static str];

    /// Takes what is known from the fields, or says what is wrong with them.
    fn read(fields: &Fields<'_>) -> Result<Self, &'static str>;

    /// Puts what is known into the fields. `depth` is the indentation of the object.
    fn write(&self, fields: &mut Fields<'_>, depth: usize);

    /// Whether the record says nothing, so that it need not be kept.
    fn is_empty(&self) -> bool;

    /// The record after the edit, or `None` if the edit changes nothing.
    fn edited(&self, edit: &Self::Edit, now_ms: i64) -> Option<Self>;
}

/// Why a text is not a document.
#[derive(Debug)]
pub(crate) enum Unusable {
    Damaged(Damage),
    Newer { found: u64 },
}

#[derive(Debug)]
pub(crate) struct Document<R> {
    /// The top level. The value of `sessions` is kept apart, its place is kept here.
    top: Fields<'static>,
    /// Sorted, so that equal content gives equal bytes whatever the order of the changes was.
    sessions: BTreeMap<String, Entry<R>>,
}

#[derive(Debug)]
struct Entry<R> {
    text: String,
    record: R,
}

/// Indentation of a session's record inside the file.
const RECORD_DEPTH: usize = 2;

impl<R: Record> Document<R> {
    /// The document of a store in which nothing was stored yet.
    pub(crate) fn empty() -> Self {
        let mut top = Fields::default();
        top.set("version", VERSION.to_string());
        top.set("sessions", "{}".to_owned());
        Self {
            top,
            sessions: BTreeMap::new(),
        }
    }

    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Unusable> {
        // Editors of one system put a byte order mark in front; it is no reason to give up a file.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        if bytes.is_empty() {
            return Err(Unusable::Damaged(Damage::Empty));
        }
        let mut top: Fields<'_> = serde_json::from_slice(bytes).map_err(|error| not_json(&error))?;
        match top.get("version").map(version_of) {
            Some(Some(VERSION)) => {}
            Some(Some(found)) if found > VERSION => return Err(Unusable::Newer { found }),
            Some(_) => return Err(wrong(None, "the version is not 1")),
            None => return Err(wrong(None, "there is no version")),
        }
        let mut sessions = BTreeMap::new();
        for (session, text) in read_sessions(&top)?.into_entries() {
            let read = match serde_json::from_str::<Fields<'_>>(&text) {
                Ok(fields) => R::read(&fields),
                Err(_) => Err("the record is not an object"),
            };
            match read {
                Ok(record) => sessions.insert(
                    session.into_owned(),
                    Entry {
                        text: text.into_owned(),
                        record,
                    },
                ),
                Err(what) => return Err(wrong(Some(session.into_owned()), what)),
            };
        }
        top.set("sessions", String::new());
        Ok(Self {
            top: top.into_owned(),
            sessions,
        })
    }

    pub(crate) fn into_records(self) -> BTreeMap<String, R> {
        self.sessions
            .into_iter()
            .map(|(session, entry)| (session, entry.record))
            .collect()
    }

    /// Applies an edit and says whether it changed anything.
    pub(crate) fn edit(&mut self, session: &str, edit: &R::Edit, now_ms: i64) -> bool {
        let old = self.sessions.get(session);
        let edited = match old {
            Some(entry) => entry.record.edited(edit, now_ms),
            None => R::default().edited(edit, now_ms),
        };
        let Some(record) = edited else {
            return false;
        };
        // The text was parsed before, so the fallback is for a session that is new.
        let mut fields: Fields = old
            .and_then(|entry| serde_json::from_str(&entry.text).ok())
            .unwrap_or_default();
        record.write(&mut fields, RECORD_DEPTH);
        if record.is_empty() && fields.has_only(R::KEYS) {
            return self.sessions.remove(session).is_some();
        }
        let text = fields.render(RECORD_DEPTH);
        self.sessions.insert(session.to_owned(), Entry { text, record });
        true
    }

    /// The text of the file.
    pub(crate) fn render(&self) -> String {
        let sessions = self
            .sessions
            .iter()
            .map(|(session, entry)| (session.as_str(), entry.text.as_str()));
        let mut top = self.top.clone();
        top.set("sessions", fields::render_object(sessions, 1));
        let mut text = top.render(0);
        text.push('\n');
        text
    }
}

fn read_sessions<'a>(top: &'a Fields<'_>) -> Result<Fields<'a>, Unusable> {
    let Some(sessions) = top.get("sessions") else {
        return Err(wrong(None, "there are no sessions"));
    };
    serde_json::from_str(sessions).map_err(|_| wrong(None, "the sessions are not an object"))
}

/// A whole number, also in the spelling `1.0`.
fn version_of(value: &str) -> Option<u64> {
    if !fields::is_number(value) {
        return None;
    }
    let number: f64 = value.parse().ok()?;
    (number.fract() == 0.0 && number >= 0.0).then_some(number as u64)
}

fn not_json(error: &serde_json::Error) -> Unusable {
    // An array or a number parses, but is no object: the parser calls that an error of data.
    if error.is_data() {
        return wrong(None, "the file is not an object");
    }
    Unusable::Damaged(Damage::NotJson {
        line: error.line(),
        column: error.column(),
    })
}

fn wrong(session: Option<String>, what: &'static str) -> Unusable {
    Unusable::Damaged(Damage::WrongShape { session, what })
}
