//! The view of old versions that Pi has after migrating them. Nothing is written.

use super::{Item, SessionReader};
use crate::{ContentShape, DiagnosticKind, Entry, EntryId, EntryKind, Header, NameChange, ReadAt, Role};

impl<S: ReadAt> SessionReader<S> {
    /// Gives a record its place among the records as Pi counts them, and the ids of version 1. A `scalar` is a number
    /// or the like where an entry should be.
    pub(super) fn migrate(&mut self, item: &mut Item, scalar: bool) {
        let number = self.position.records;
        match item {
            Item::Header(header) => self.migrate_header(header),
            Item::Entry(entry) => {
                self.position.records += u64::from(!entry.place.recovered);
                self.migrate_entry(entry, number);
                self.note_oddities(entry, scalar);
            }
        }
    }

    fn migrate_header(&mut self, header: &Header) {
        self.version.get_or_insert(header.version);
        if !header.place.recovered {
            self.position.records += 1;
        }
        if self.header_id != header.id {
            // Another session begins here, and its first entry continues nothing.
            self.previous = None;
            self.header_id.clone_from(&header.id);
        }
        if header.id.is_none() {
            let place = header.place;
            self.diagnostics
                .push(DiagnosticKind::HeaderWithoutId, place.line, place.offset);
        }
    }

    fn migrate_entry(&mut self, entry: &mut Entry, number: u64) {
        let Some(version) = self.version else { return };
        if version.is_some_and(|version| version < 2.0) {
            self.number_entry(entry, number);
        }
        // Only where it migrates a file Pi knows the old name of this role.
        if version.is_none_or(|version| version >= Header::CURRENT_VERSION)
            && let EntryKind::Message(message) = &mut entry.kind
            && message.role_name.is_some()
            && message.role == Some(Role::Custom)
        {
            message.role = Some(Role::Other);
        }
    }

    /// Version 1: every entry continues the one before, and its id is its number. Pi draws random ids here, new ones
    /// at every look, until it rewrites the file.
    fn number_entry(&mut self, entry: &mut Entry, number: u64) {
        let id = if entry.place.recovered {
            EntryId::new(format!("v1-byte-{}", entry.place.offset))
        } else {
            EntryId::new(format!("v1-{number}"))
        };
        entry.parent_id = self.previous.replace(id.clone());
        entry.id = Some(id);
        // What an index means is uncertain where lines were lost before it.
        if !entry.place.recovered {
            index_to_id(&mut entry.kind, number);
        }
    }

    fn note_oddities(&mut self, entry: &Entry, scalar: bool) {
        let mut note = |kind| self.diagnostics.push(kind, entry.place.line, entry.place.offset);
        match (&entry.id, &entry.kind) {
            _ if scalar => note(DiagnosticKind::NotARecord),
            (None, _) => note(DiagnosticKind::MissingId),
            (Some(_), EntryKind::Unknown { .. }) => note(DiagnosticKind::UnknownKind),
            _ => {}
        }
        match &entry.kind {
            EntryKind::Message(message) if message.content == ContentShape::Invalid => {
                note(DiagnosticKind::InvalidContent);
            }
            EntryKind::SessionInfo {
                name: NameChange::Invalid,
            } => note(DiagnosticKind::InvalidName),
            _ => {}
        }
    }
}

/// The first record that a compaction of version 1 keeps has an index, the header's being 0. Where that is another
/// header the id means no entry, and nothing is kept: as in Pi.
pub(crate) fn index_to_id(kind: &mut EntryKind, number: u64) {
    if let EntryKind::Compaction {
        first_kept,
        first_kept_index: Some(index),
        ..
    } = kind
        && index.fract() == 0.0
        && (1.0..number as f64).contains(index)
    {
        *first_kept = Some(EntryId::new(format!("v1-{index}")));
    }
}
