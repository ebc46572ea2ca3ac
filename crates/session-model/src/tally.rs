//! Counts, title and times as Pi's own list computes them.

use serde::{Deserialize, Serialize};

use crate::{ContentShape, Entry, EntryKind, Header, NameChange, Role, Text, Timestamp};

/// Longer titles are cut: nobody reads on, and lists stay small. In UTF-16 units, Pi's own unit.
const TITLE: usize = 1500;

/// What Pi's list says of one session; grows entry by entry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    pub(crate) name: Option<String>,
    pub(crate) message_count: u64,
    /// Text of the first user message that has some; cut.
    pub(crate) first_message: Option<String>,
    /// Largest time of a message of user or assistant, as a number of milliseconds; it may be absurd.
    last_number: Option<f64>,
    /// The largest of these times that is a time.
    last: Option<Timestamp>,
    /// Pi cannot list the file: a message or name it does not expect.
    pub(crate) unlistable: bool,
}

/// What counts of a message.
pub(crate) struct Said<'a> {
    pub(crate) role: Option<Role>,
    pub(crate) content: ContentShape,
    /// The entry has no message at all.
    pub(crate) is_missing: bool,
    /// The message's own time, as a number and where that is one.
    pub(crate) time_number: Option<f64>,
    pub(crate) time: Option<Timestamp>,
    /// The entry's time.
    pub(crate) written: Option<Timestamp>,
    pub(crate) text: &'a Text,
}

impl Tally {
    pub(crate) fn add(&mut self, entry: &Entry) {
        match &entry.kind {
            EntryKind::Message(message) => self.add_message(&Said {
                role: message.role,
                content: message.content,
                is_missing: message.missing,
                time_number: message.time_number,
                time: message.timestamp,
                written: entry.timestamp,
                text: &message.text,
            }),
            EntryKind::SessionInfo { name } => match name {
                NameChange::Set(name) => self.name = Some(name.clone()),
                NameChange::Cleared => self.name = None,
                NameChange::Invalid => self.unlistable = true,
            },
            _ => {}
        }
    }

    pub(crate) fn add_message(&mut self, said: &Said<'_>) {
        self.message_count += 1;
        self.unlistable |= said.is_missing;
        if !matches!(said.role, Some(Role::User | Role::Assistant)) || said.content == ContentShape::Absent {
            return;
        }
        let number = said
            .time_number
            .or_else(|| said.written.map(|time| time.as_millis() as f64));
        if let Some(number) = number {
            self.last_number = Some(self.last_number.unwrap_or(0.0).max(number));
            self.last = self.last.max(said.time.or(said.written));
        }
        if said.content == ContentShape::Invalid {
            self.unlistable = true;
        } else if self.first_message.is_none() && said.role == Some(Role::User) && !said.text.is_empty() {
            // No UTF-16 unit is more than three bytes of UTF-8, so this much is enough for the cut.
            let start = said.text.start_joined_by_spaces(3 * (TITLE + 1));
            self.first_message = Some(cut(&start).to_owned());
        }
    }

    /// The name, or else the first text of the user, as Pi shows it.
    pub(crate) fn title(&self) -> &str {
        self.name
            .as_deref()
            .or(self.first_message.as_deref())
            .unwrap_or("(no messages)")
    }

    /// Last activity as Pi computes it, which can be no time at all; `mtime` is the last resort.
    pub(crate) fn modified_in_pi(
        &self,
        header: Option<&Header>,
        mtime: Option<Timestamp>,
    ) -> Option<Timestamp> {
        match self.last_number.filter(|&number| number > 0.0) {
            Some(number) => Timestamp::from_number(number),
            // Pi takes the header's time here only where it is a text.
            None => header
                .filter(|header| header.has_text_for_time())
                .and_then(|header| header.timestamp)
                .or(mtime),
        }
    }

    /// Last activity; where Pi's number is absurd, the next best time.
    pub(crate) fn modified(&self, header: Option<&Header>, mtime: Option<Timestamp>) -> Option<Timestamp> {
        self.last
            .filter(|time| time.as_millis() > 0)
            .or_else(|| header.and_then(|header| header.timestamp))
            .or(mtime)
    }
}

/// The first [`TITLE`] UTF-16 units of a text, never half a character.
fn cut(text: &str) -> &str {
    if text.len() <= TITLE {
        return text;
    }
    let mut units = 0;
    let end = text.char_indices().find_map(|(at, character)| {
        units += character.len_utf16();
        (units > TITLE).then_some(at)
    });
    &text[..end.unwrap_or(text.len())]
}
