//! All tags at one moment.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;

use crate::notice::Notice;
use crate::session_tags::SessionTags;
use crate::store::View;
use crate::tag::Tag;

/// All tags at one moment. Cheap to clone and to keep; it never changes.
#[derive(Debug, Clone)]
pub struct TagSnapshot {
    view: Arc<View<SessionTags>>,
}

/// A tag and how many sessions have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct TagCount {
    /// The tag.
    pub tag: Tag,
    /// Sessions that have it, by hand or generated.
    pub sessions: usize,
}

impl TagSnapshot {
    pub(crate) fn new(view: Arc<View<SessionTags>>) -> Self {
        Self { view }
    }

    pub(crate) fn view(&self) -> &View<SessionTags> {
        &self.view
    }

    /// Grows whenever the store finds another content than before. Two snapshots of one store with the same revision
    /// are the same; revisions of different stores have nothing to do with each other.
    pub fn revision(&self) -> u64 {
        self.view.revision
    }

    /// What the user should hear of, such as that the tags come from the backup.
    pub fn notices(&self) -> &[Notice] {
        &self.view.notices
    }

    /// What is stored for a session; `None` if nothing is.
    pub fn get(&self, session: &str) -> Option<&SessionTags> {
        self.view.records.get(session)
    }

    /// Whether the session has no tags. One that had some and lost them is untagged, too.
    pub fn is_untagged(&self, session: &str) -> bool {
        self.get(session).is_none_or(SessionTags::is_untagged)
    }

    /// Whether the session has every one of the tags; true if there are none to have.
    pub fn has_all(&self, session: &str, tags: &[Tag]) -> bool {
        tags.is_empty()
            || self
                .get(session)
                .is_some_and(|have| tags.iter().all(|tag| have.has(tag)))
    }

    /// Ids of the sessions that have every one of the tags, in order. Without tags: all sessions that have any.
    pub fn sessions_with_all(&self, tags: &[Tag]) -> Vec<&str> {
        let Some((first, others)) = tags.split_first() else {
            return self.tagged().map(|(session, _)| session).collect();
        };
        // One list is walked, so the shortest one.
        let rarest = others.iter().fold(first, |rarest, tag| {
            if self.sessions_with(tag).len() < self.sessions_with(rarest).len() {
                tag
            } else {
                rarest
            }
        });
        let candidates = self.sessions_with(rarest).iter().map(String::as_str);
        candidates.filter(|session| self.has_all(session, tags)).collect()
    }

    /// Ids of the sessions that have the tag, in order.
    pub fn sessions_with(&self, tag: &Tag) -> &[String] {
        self.by_tag().get(tag).map_or(&[], Vec::as_slice)
    }

    /// Every tag that a session has, with the number of sessions; the most frequent first, equal ones by name.
    pub fn counts(&self) -> Vec<TagCount> {
        let count = |(tag, sessions): (&Tag, &Vec<String>)| TagCount {
            tag: tag.clone(),
            sessions: sessions.len(),
        };
        let mut counts: Vec<_> = self.by_tag().iter().map(count).collect();
        // Stable: equal counts stay in the order of the map.
        counts.sort_by_key(|count| std::cmp::Reverse(count.sessions));
        counts
    }

    /// Everything that is stored, by session id, also sessions that have only suppressed tags.
    pub fn sessions(&self) -> impl Iterator<Item = (&str, &SessionTags)> {
        self.view
            .records
            .iter()
            .map(|(session, tags)| (session.as_str(), tags))
    }

    /// The sessions that have tags, by session id.
    pub fn tagged(&self) -> impl Iterator<Item = (&str, &SessionTags)> {
        self.sessions().filter(|(_, tags)| !tags.is_untagged())
    }

    fn by_tag(&self) -> &BTreeMap<Tag, Vec<String>> {
        self.view.lists.get_or_init(|| {
            let mut by_tag = BTreeMap::<Tag, Vec<String>>::new();
            for (session, tags) in self.sessions() {
                for tag in tags.effective() {
                    by_tag.entry(tag.clone()).or_default().push(session.to_owned());
                }
            }
            by_tag
        })
    }
}
