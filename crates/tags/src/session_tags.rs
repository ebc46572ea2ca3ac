//! The tags of one session and what can be done to them.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::format::{Fields, Record, read_number, read_texts};
use crate::tag::Tag;

/// The tags of one session.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SessionTags {
    /// Set by a person, in the order in which they were set.
    pub manual: Vec<Tag>,
    /// Set by a program; never one that is also manual.
    pub generated: Vec<Tag>,
    /// Removed by a person; never generated again. Setting it by hand lifts that.
    pub suppressed: Vec<Tag>,
    /// Time of the last change, in milliseconds since 1970; 0 if there was none.
    pub updated_ms: i64,
}

impl SessionTags {
    /// The tags that the session has: the manual ones, then the generated ones.
    pub fn effective(&self) -> impl Iterator<Item = &Tag> {
        self.manual.iter().chain(&self.generated)
    }

    /// Whether the session has the tag.
    pub fn has(&self, tag: &Tag) -> bool {
        self.manual.contains(tag) || self.generated.contains(tag)
    }

    /// Whether the session has neither manual nor generated tags. Suppressed ones do not count.
    pub fn is_untagged(&self) -> bool {
        self.manual.is_empty() && self.generated.is_empty()
    }
}

/// What to do to the tags of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TagEdit {
    /// A person sets these. They stop being generated or suppressed.
    Add(Vec<Tag>),
    /// A person removes these. They become suppressed, also those that the session does not have.
    Remove(Vec<Tag>),
    /// A program sets these *instead of* all generated ones so far. Those that are manual or suppressed are left out.
    SetGenerated(Vec<Tag>),
}

const MANUAL: &str = "manualTags";
const GENERATED: &str = "autoTags";
const SUPPRESSED: &str = "suppressedTags";
const UPDATED: &str = "updatedAt";

impl Record for SessionTags {
    type Edit = TagEdit;
    type Lists = BTreeMap<Tag, Vec<String>>;

    const KEYS: &'static [&'static str] = &[MANUAL, GENERATED, SUPPRESSED, UPDATED];

    fn read(fields: &Fields<'_>) -> Result<Self, &'static str> {
        let manual = read_tags(fields, MANUAL, "manualTags is not a list of strings")?;
        let mut generated = read_tags(fields, GENERATED, "autoTags is not a list of strings")?;
        take_away(&mut generated, &manual);
        Ok(Self {
            manual,
            generated,
            suppressed: read_tags(fields, SUPPRESSED, "suppressedTags is not a list of strings")?,
            updated_ms: match fields.get(UPDATED) {
                Some(value) => read_number(value).ok_or("updatedAt is not a number")?,
                None => 0,
            },
        })
    }

    fn write(&self, fields: &mut Fields<'_>, depth: usize) {
        // All four, because pi-recall refuses a file in which one is missing.
        for (key, tags) in [
            (MANUAL, &self.manual),
            (GENERATED, &self.generated),
            (SUPPRESSED, &self.suppressed),
        ] {
            fields.set_texts(key, tags, depth);
        }
        fields.set(UPDATED, self.updated_ms.to_string());
    }

    fn is_empty(&self) -> bool {
        self.manual.is_empty() && self.generated.is_empty() && self.suppressed.is_empty()
    }

    fn edited(&self, edit: &TagEdit, now_ms: i64) -> Option<Self> {
        let mut next = self.clone();
        match edit {
            TagEdit::Add(tags) => {
                add_new(&mut next.manual, tags);
                take_away(&mut next.generated, tags);
                take_away(&mut next.suppressed, tags);
            }
            TagEdit::Remove(tags) => {
                take_away(&mut next.manual, tags);
                take_away(&mut next.generated, tags);
                add_new(&mut next.suppressed, tags);
            }
            TagEdit::SetGenerated(tags) => {
                next.generated.clear();
                add_new(&mut next.generated, tags);
                take_away(&mut next.generated, &self.manual);
                take_away(&mut next.generated, &self.suppressed);
            }
        }
        if next == *self {
            return None;
        }
        next.updated_ms = now_ms;
        Some(next)
    }
}

/// A list of the file in the spelling of this program. A missing one counts as empty: somebody wrote less, not wrong.
fn read_tags(fields: &Fields<'_>, key: &str, wrong: &'static str) -> Result<Vec<Tag>, &'static str> {
    let Some(value) = fields.get(key) else {
        return Ok(Vec::new());
    };
    let texts = read_texts(value).ok_or(wrong)?;
    // What is no tag under the rule cannot be shown, searched or removed, so it is not one here either.
    let spelled: Vec<_> = texts.iter().filter_map(|text| Tag::new(text).ok()).collect();
    let mut tags = Vec::new();
    add_new(&mut tags, &spelled);
    Ok(tags)
}

/// Up to this many tags, comparing each with each is faster than a set. Beyond it a set is a must: a file may hold a
/// list of a million tags.
const FEW: usize = 16;

/// Appends each tag that is not yet there.
fn add_new(list: &mut Vec<Tag>, tags: &[Tag]) {
    if list.len() + tags.len() <= FEW {
        for tag in tags {
            if !list.contains(tag) {
                list.push(tag.clone());
            }
        }
        return;
    }
    let mut present: HashSet<Tag> = list.iter().cloned().collect();
    list.extend(tags.iter().filter(|tag| present.insert((*tag).clone())).cloned());
}

fn take_away(list: &mut Vec<Tag>, tags: &[Tag]) {
    if list.len().min(tags.len()) <= FEW {
        list.retain(|tag| !tags.contains(tag));
        return;
    }
    let gone: HashSet<&Tag> = tags.iter().collect();
    list.retain(|tag| !gone.contains(tag));
}
