use lookback::{Located, Timestamp, tags};
use napi_derive::napi;

use super::{Moment, count, texts};

/// All tags.
#[napi(object, object_from_js = false)]
pub struct AllTags {
    /// Every tag that a session has; the most frequent first, equal ones by name.
    pub tags: Vec<TagCount>,
    /// What the user should hear of, such as that the tags come from the backup.
    pub notices: Vec<String>,
}

/// A tag and how many sessions have it.
#[napi(object, object_from_js = false)]
pub struct TagCount {
    /// The tag, without `#`.
    pub tag: String,
    /// Sessions that have it, by hand or generated.
    pub sessions: i64,
}

/// The tags of one session.
#[napi(object, object_from_js = false)]
pub struct SessionTags {
    /// Id of the session.
    pub session: String,
    /// Its file; empty for an open session that has none yet.
    pub path: String,
    /// The tags that it has: the manual ones, then the generated ones.
    pub tags: Vec<String>,
    /// Set by a person, in the order in which they were set.
    pub manual: Vec<String>,
    /// Set by a program; never one that is also manual.
    pub generated: Vec<String>,
    /// Removed by a person; never generated again.
    pub suppressed: Vec<String>,
    /// Time of the last change, if there was one.
    #[napi(ts_type = "Date")]
    pub updated: Option<Moment>,
}

/// A session that was found.
#[napi(object, object_from_js = false)]
pub struct FoundSession {
    /// Its id.
    pub session: String,
    /// Its file.
    pub path: String,
}

impl From<tags::TagSnapshot> for AllTags {
    fn from(snapshot: tags::TagSnapshot) -> Self {
        let tag = |tag: tags::TagCount| TagCount {
            tag: tag.tag.to_string(),
            sessions: count(tag.sessions),
        };
        Self {
            tags: snapshot.counts().into_iter().map(tag).collect(),
            notices: texts(snapshot.notices()),
        }
    }
}

impl From<(Located, tags::SessionTags)> for SessionTags {
    fn from((found, tags): (Located, tags::SessionTags)) -> Self {
        let changed = Some(tags.updated_ms).filter(|&time| time != 0);
        Self {
            session: found.id.to_string(),
            path: found.path.into_string(),
            tags: texts(tags.effective()),
            manual: texts(&tags.manual),
            generated: texts(&tags.generated),
            suppressed: texts(&tags.suppressed),
            updated: changed.and_then(Timestamp::from_millis).map(Moment::from),
        }
    }
}

impl From<Located> for FoundSession {
    fn from(found: Located) -> Self {
        Self {
            session: found.id.to_string(),
            path: found.path.into_string(),
        }
    }
}
