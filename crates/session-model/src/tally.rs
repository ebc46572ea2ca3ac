//! Counts, title and times as Pi's own list computes them.

use serde::{Deserialize, Serialize};

use crate::{ContentShape, Entry, EntryKind, Header, NameChange, Role, Timestamp};

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

impl Tally {
    pub(crate) fn add(&mut self, entry: &Entry) {
        let message = match &entry.kind {
            EntryKind::Message(message) => message,
            EntryKind::SessionInfo { name } => {
                match name {
                    NameChange::Set(name) => self.name = Some(name.clone()),
                    NameChange::Cleared => self.name = None,
                    NameChange::Invalid => self.unlistable = true,
                }
                return;
            }
            _ => return,
        };
        self.message_count += 1;
        self.unlistable |= message.missing;
        if !matches!(message.role, Some(Role::User | Role::Assistant))
            || message.content == ContentShape::Absent
        {
            return;
        }
        let number = message
            .time_number
            .or_else(|| entry.timestamp.map(|time| time.as_millis() as f64));
        if let Some(number) = number {
            self.last_number = Some(self.last_number.unwrap_or(0.0).max(number));
            self.last = self.last.max(message.timestamp.or(entry.timestamp));
        }
        if message.content == ContentShape::Invalid {
            self.unlistable = true;
        } else if self.first_message.is_none() && message.role == Some(Role::User) && !message.text.is_empty()
        {
            // No UTF-16 unit is more than three bytes of UTF-8, so this much is enough for the cut.
            let start = message.text.start_joined_by_spaces(3 * (TITLE + 1));
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
