use std::{io, ops::ControlFlow};

use lookback_session_model::Discovery;
use lookback_tags::{SessionTags, Tag, TagSnapshot};

use super::{RowKind, Scan};

/// The tags of all sessions at one moment, also of sessions whose file is gone. No session file is read, so a
/// [`Filter`](super::Filter) does not matter.
#[derive(Debug, Clone)]
pub struct Tags(pub TagSnapshot);

/// One tag of one session.
#[derive(Debug, Clone, Copy)]
pub struct TagRow<'a> {
    /// The session.
    pub session: &'a str,
    /// The tag, without `#`.
    pub tag: &'a str,
    /// `manual`, `generated`, or `suppressed` for one that was taken away and is not generated again.
    pub source: &'static str,
    /// Time of the last change to the session's tags, in milliseconds since 1970.
    pub updated_ms: Option<i64>,
}

impl RowKind for Tags {
    type Row<'a> = TagRow<'a>;

    fn reads_files(&self) -> bool {
        false
    }

    fn scan(
        &self,
        _: &Scan<'_>,
        _: &mut dyn FnMut(&TagRow<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        Ok(ControlFlow::Continue(()))
    }

    fn discovered(
        &self,
        _: &Discovery,
        emit: &mut dyn FnMut(&TagRow<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (session, tags) in self.0.sessions() {
            let lists: [(&'static str, &Vec<Tag>); 3] = [
                ("manual", &tags.manual),
                ("generated", &tags.generated),
                ("suppressed", &tags.suppressed),
            ];
            for (source, tag) in lists
                .iter()
                .flat_map(|(source, tags)| tags.iter().map(move |tag| (*source, tag)))
            {
                emit(&TagRow {
                    session,
                    tag: tag.as_str(),
                    source,
                    updated_ms: updated(tags),
                })?;
            }
        }
        ControlFlow::Continue(())
    }
}

fn updated(tags: &SessionTags) -> Option<i64> {
    Some(tags.updated_ms).filter(|&time| time != 0)
}
