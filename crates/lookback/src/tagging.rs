use lookback_session_model::Timestamp;
use lookback_tags::{SessionTags, Tag, TagSnapshot};

use crate::{Error, Located, Lookback};

impl Lookback {
    /// All tags as they are now. Costs one system call when nothing changed.
    ///
    /// # Errors
    /// When the tag file cannot be read.
    pub fn tags(&self) -> Result<TagSnapshot, Error> {
        Ok(self.tags.snapshot()?)
    }

    /// The tags of one session.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`]; when the tag file cannot be read.
    pub fn tags_of(&self, session: &str) -> Result<(Located, SessionTags), Error> {
        let found = self.locate(session)?;
        let tags = self
            .tags
            .snapshot()?
            .get(found.id.as_str())
            .cloned()
            .unwrap_or_default();
        Ok((found, tags))
    }

    /// Puts tags on a session; they are on disk when this returns.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`]; when the tag file cannot be written. Then the old tags stand.
    pub fn tag(&self, session: &str, tags: &[Tag], now: Timestamp) -> Result<(Located, SessionTags), Error> {
        let found = self.locate(session)?;
        let outcome = self.tags.add(found.id.as_str(), tags, now.as_millis())?;
        let tags = outcome
            .snapshot
            .get(found.id.as_str())
            .cloned()
            .unwrap_or_default();
        Ok((found, tags))
    }

    /// Takes tags away from a session. They are not generated for it again.
    ///
    /// # Errors
    /// As [`Lookback::tag`].
    pub fn untag(
        &self,
        session: &str,
        tags: &[Tag],
        now: Timestamp,
    ) -> Result<(Located, SessionTags), Error> {
        let found = self.locate(session)?;
        let outcome = self.tags.remove(found.id.as_str(), tags, now.as_millis())?;
        let tags = outcome
            .snapshot
            .get(found.id.as_str())
            .cloned()
            .unwrap_or_default();
        Ok((found, tags))
    }

    /// Sets the tags that a program found for a session, in place of all generated ones so far. Those that a person set
    /// or took away are left out.
    ///
    /// # Errors
    /// As [`Lookback::tag`].
    pub fn set_generated_tags(
        &self,
        session: &str,
        tags: &[Tag],
        now: Timestamp,
    ) -> Result<(Located, SessionTags), Error> {
        let found = self.locate(session)?;
        let outcome = self
            .tags
            .set_generated(found.id.as_str(), tags, now.as_millis())?;
        let tags = outcome
            .snapshot
            .get(found.id.as_str())
            .cloned()
            .unwrap_or_default();
        Ok((found, tags))
    }
}
