use camino::Utf8PathBuf;
use lookback_session_model::{SessionId, Timestamp};
use lookback_tags::{SessionTags, Tag, TagSnapshot};

use crate::{Error, Located, Lookback};

/// Whose tags are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tagged<'a> {
    /// A session with a file: its id, the start of it, or its path.
    Written(&'a str),
    /// A session that is open, by its full id: Pi writes its file only when somebody said something. Its path is empty
    /// until then.
    Open(&'a str),
}

impl<'a> From<&'a str> for Tagged<'a> {
    fn from(session: &'a str) -> Self {
        Self::Written(session)
    }
}

impl<'a> From<&'a String> for Tagged<'a> {
    fn from(session: &'a String) -> Self {
        Self::Written(session)
    }
}

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
    pub fn tags_of<'a>(&self, session: impl Into<Tagged<'a>>) -> Result<(Located, SessionTags), Error> {
        let found = self.tagged(session.into())?;
        Ok(with_tags(found, &self.tags.snapshot()?))
    }

    /// Puts tags on a session; they are on disk when this returns.
    ///
    /// # Errors
    /// Those of [`Lookback::locate`]; when the tag file cannot be written. Then the old tags stand.
    pub fn tag<'a>(
        &self,
        session: impl Into<Tagged<'a>>,
        tags: &[Tag],
        now: Timestamp,
    ) -> Result<(Located, SessionTags), Error> {
        let found = self.tagged(session.into())?;
        let outcome = self.tags.add(found.id.as_str(), tags, now.as_millis())?;
        Ok(with_tags(found, &outcome.snapshot))
    }

    /// Takes tags away from a session. They are not generated for it again.
    ///
    /// # Errors
    /// As [`Lookback::tag`].
    pub fn untag<'a>(
        &self,
        session: impl Into<Tagged<'a>>,
        tags: &[Tag],
        now: Timestamp,
    ) -> Result<(Located, SessionTags), Error> {
        let found = self.tagged(session.into())?;
        let outcome = self.tags.remove(found.id.as_str(), tags, now.as_millis())?;
        Ok(with_tags(found, &outcome.snapshot))
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
        Ok(with_tags(found, &outcome.snapshot))
    }

    fn tagged(&self, session: Tagged<'_>) -> Result<Located, Error> {
        match session {
            Tagged::Written(session) => self.locate(session),
            Tagged::Open(id) => match self.locate(id) {
                Ok(found) if found.id.as_str() == id => Ok(found),
                Ok(_) | Err(Error::SessionNotFound { .. } | Error::AmbiguousSession { .. }) => Ok(Located {
                    id: SessionId::new(id),
                    path: Utf8PathBuf::new(),
                }),
                Err(error) => Err(error),
            },
        }
    }
}

fn with_tags(found: Located, tags: &TagSnapshot) -> (Located, SessionTags) {
    let own = tags.get(found.id.as_str()).cloned().unwrap_or_default();
    (found, own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_without_a_file_keeps_its_tags_until_it_has_one() {
        let dir = tempfile::tempdir().unwrap();
        let folder = camino::Utf8Path::from_path(dir.path()).unwrap();
        let open = || {
            let builder = Lookback::builder().root(folder.join("sessions"));
            builder
                .cache(folder.join("cache"))
                .data(folder.join("data"))
                .open()
                .unwrap()
        };
        let (id, tags) = ("0198c1f2-7a31-7d60", [Tag::new("rust").unwrap()]);
        let unknown = open().tag(id, &tags, Timestamp::EPOCH).unwrap_err();
        assert_eq!(unknown.code(), "session-not-found");

        let (found, _) = open().tag(Tagged::Open(id), &tags, Timestamp::EPOCH).unwrap();
        assert_eq!((found.id.as_str(), found.path.as_str()), (id, ""));

        let sessions = folder.join("sessions/--work--");
        fs_err::create_dir_all(&sessions).unwrap();
        let header = format!(r#"{{"type":"session","version":3,"id":"{id}","cwd":"/work"}}"#);
        fs_err::write(sessions.join(format!("2026_{id}.jsonl")), header + "\n").unwrap();
        for session in [Tagged::Open(id), Tagged::Written(id)] {
            let (found, tagged) = open().tags_of(session).unwrap();
            assert_eq!(found.path.file_name(), Some("2026_0198c1f2-7a31-7d60.jsonl"));
            assert_eq!(tagged.manual, tags);
        }
    }
}
