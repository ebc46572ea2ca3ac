use lookback::session_model::EntryId;
use napi_derive::napi;

use super::{Moment, count, name_of};

/// One branch of a session, or a part of it, as a conversation.
///
/// It has the text of user and assistant, summaries of compactions and branches, and a mark where an entry is missing.
#[napi(object, object_from_js = false)]
pub struct Transcript {
    /// Id of the session.
    pub session: String,
    /// Its file.
    pub path: String,
    /// The messages, in the order of the branch.
    pub messages: Vec<TranscriptMessage>,
    /// The end of the branch: hand it in again to stay on this branch.
    pub branch_tip: Option<String>,
    /// Messages of the branch before the first one here.
    pub before: i64,
    /// Messages of the branch after the last one here.
    pub after: i64,
    /// Messages left out between the head and the tail.
    pub omitted: i64,
    /// Messages of the branch in all.
    pub total: i64,
    /// Something was left out or cut.
    pub truncated: bool,
    /// Characters of text that were cut.
    pub cut_characters: i64,
    /// What a reader should know.
    pub warnings: Vec<String>,
}

/// One message of a transcript.
#[napi(object, object_from_js = false)]
pub struct TranscriptMessage {
    /// The entry; for a gap the id of the entry that is missing.
    pub id: Option<String>,
    /// Who speaks; in a gap nobody.
    #[napi(ts_type = "'user' | 'assistant' | 'branchSummary' | 'compactionSummary' | 'gap'")]
    pub role: String,
    /// When.
    #[napi(ts_type = "Date")]
    pub timestamp: Option<Moment>,
    /// What.
    pub text: String,
    /// Names this very line of the file, also where two entries have the same id.
    pub anchor: String,
    /// How the entry stands to the newest branch.
    #[napi(ts_type = "'active' | 'compacted' | 'abandoned'")]
    pub branch: String,
}

impl From<lookback::Transcript> for Transcript {
    fn from(transcript: lookback::Transcript) -> Self {
        Self {
            session: transcript.session.to_string(),
            path: transcript.path.into_string(),
            messages: transcript
                .messages
                .into_iter()
                .map(TranscriptMessage::from)
                .collect(),
            branch_tip: transcript.branch_tip.as_ref().map(EntryId::to_string),
            before: count(transcript.before),
            after: count(transcript.after),
            omitted: count(transcript.omitted),
            total: count(transcript.total),
            truncated: transcript.truncated,
            cut_characters: count(transcript.cut_characters),
            warnings: transcript.warnings,
        }
    }
}

impl From<lookback::TranscriptMessage> for TranscriptMessage {
    fn from(message: lookback::TranscriptMessage) -> Self {
        Self {
            id: message.id.as_ref().map(EntryId::to_string),
            role: message.role.name().to_owned(),
            timestamp: message.timestamp.map(Moment::from),
            text: message.text,
            anchor: message.anchor,
            branch: name_of(message.branch),
        }
    }
}
