use std::{cmp::Ordering, collections::HashMap};

use lookback_session_model::{Discovery, FileStamp, FoundFile};

use crate::snapshot::{KnownFile, Snapshot};

/// How the session folders differ from the index.
#[derive(Debug, Default)]
pub(super) struct Changes<'a> {
    /// Files to read, those with the latest change first: what was done last is what is searched for.
    pub(super) work: Vec<Change<'a>>,
    /// Files that are gone.
    pub(super) removed: Vec<&'a KnownFile>,
}

/// A file that is not as the index knows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Change<'a> {
    pub(super) found: &'a FoundFile,
    pub(super) kind: ChangeKind<'a>,
}

#[derive(Debug, Clone, Copy)]
pub(super) enum ChangeKind<'a> {
    New,
    /// The same file at another path.
    Moved(&'a KnownFile),
    /// Longer than before; perhaps only appended to.
    Longer(&'a KnownFile),
    /// Anything else: to be read anew.
    Other(&'a KnownFile),
}

impl Change<'_> {
    /// Bytes that will have to be read, as far as one can tell.
    pub(super) fn bytes(&self) -> u64 {
        match self.kind {
            ChangeKind::New | ChangeKind::Other(_) => self.found.stamp.size,
            ChangeKind::Moved(_) => 0,
            ChangeKind::Longer(known) => self.found.stamp.size - known.head().stamp.size,
        }
    }
}

impl<'a> Changes<'a> {
    /// Compares what was found with what is known.
    pub(super) fn between(found: &'a Discovery, snapshot: Option<&'a Snapshot>) -> Self {
        let known = snapshot.map_or(&[][..], |snapshot| &snapshot.files);
        let mut changes = Self::default();
        let mut new: Vec<&FoundFile> = Vec::new();
        // Bytes, not components: comparing those is ten times slower, and comparing is all that is done here.
        let mut files: Vec<&FoundFile> = found.files.iter().collect();
        files.sort_by(|a, b| a.path.as_str().cmp(b.path.as_str()));
        let (mut files, mut records) = (files.into_iter().peekable(), known.iter().peekable());
        loop {
            let order = match (files.peek(), records.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(file), Some(record)) => file.path.as_str().cmp(record.path().as_str()),
            };
            let file = if order.is_le() { files.next() } else { None };
            let record = if order.is_ge() { records.next() } else { None };
            match (file, record) {
                (Some(file), Some(record)) => changes.compare(file, record),
                (Some(file), None) => new.push(file),
                (None, Some(record)) => changes.removed.push(record),
                (None, None) => break,
            }
        }
        changes.match_moved(new);
        if !found.complete {
            // What could not be looked at may still be there.
            changes.removed.clear();
        }
        changes.work.sort_by(|a, b| {
            let (a, b) = (a.found, b.found);
            b.stamp
                .modified_ns
                .cmp(&a.stamp.modified_ns)
                .then_with(|| a.path.cmp(&b.path))
        });
        changes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.work.is_empty() && self.removed.is_empty()
    }

    fn compare(&mut self, found: &'a FoundFile, known: &'a KnownFile) {
        let stamp = known.head().stamp;
        if stamp == found.stamp {
            return;
        }
        // A file of the same length with another time may have other text anywhere; only one that grew is taken as
        // appended to, and only after a look at its bytes.
        let kind = if found.stamp.same_file(&stamp) && found.stamp.size > stamp.size {
            ChangeKind::Longer(known)
        } else {
            ChangeKind::Other(known)
        };
        self.work.push(Change { found, kind });
    }

    /// Finds the files that are gone from one path and there under another, untouched: folders are renamed.
    fn match_moved(&mut self, new: Vec<&'a FoundFile>) {
        let mut gone: HashMap<FileStamp, &KnownFile> = HashMap::new();
        for record in &self.removed {
            let stamp = record.head().stamp;
            // Without an inode the rest of a stamp can be that of another file. An id that comes from the file's
            // name changes with it.
            let own_ids = record.head().sessions.iter().all(|session| session.own_id);
            if stamp.inode != 0 && own_ids {
                gone.insert(stamp, record);
            }
        }
        for found in new {
            let kind = match gone.remove(&found.stamp) {
                Some(known) => {
                    self.removed
                        .retain(|record| record.head().file != known.head().file);
                    ChangeKind::Moved(known)
                }
                None => ChangeKind::New,
            };
            self.work.push(Change { found, kind });
        }
    }
}
