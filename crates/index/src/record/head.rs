use camino::Utf8PathBuf;
use lookback_session_model::{FileStamp, SessionId, SessionSummary, Timestamp};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use super::{
    TurnTable,
    bytes::{Decoder, Encoder},
};

/// The number of a session file in this index: it stays when the file grows, is rewritten, or moves.
pub(crate) type FileId = u32;

/// What every search needs of a session file.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FileHead {
    pub(crate) file: FileId,
    pub(crate) path: Utf8PathBuf,
    /// The state of the file that was read.
    pub(crate) stamp: FileStamp,
    /// Number for the next document of the file. Numbers are never used twice.
    pub(crate) next_doc: u32,
    pub(crate) entries: u32,
    pub(crate) damaged_lines: u64,
    /// The sessions in it, one as a rule.
    pub(crate) sessions: Vec<SessionRow>,
    pub(crate) turns: TurnTable,
}

/// A session's row in lists, without the path of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SessionRow {
    pub(crate) id: SessionId,
    pub(crate) cwd: String,
    pub(crate) title: String,
    pub(crate) name: Option<String>,
    pub(crate) created: Option<Timestamp>,
    pub(crate) modified: Option<Timestamp>,
    pub(crate) message_count: u64,
    pub(crate) parent_session: Option<String>,
    /// The models that answered, in the order of their first use.
    pub(crate) models: Vec<SmolStr>,
    /// The id comes from the header, not from the name of the file.
    pub(crate) own_id: bool,
}

/// The part of a head that serde writes.
#[derive(Serialize, Deserialize)]
struct Basics {
    file: FileId,
    path: Utf8PathBuf,
    stamp: FileStamp,
    next_doc: u32,
    entries: u32,
    damaged_lines: u64,
    sessions: Vec<SessionRow>,
}

impl SessionRow {
    pub(crate) fn new(summary: SessionSummary, models: &[SmolStr], own_id: bool) -> Self {
        // A title that is the name needs no second copy.
        let title = match &summary.name {
            Some(name) if *name == summary.title => String::new(),
            _ => summary.title,
        };
        Self {
            id: summary.id,
            cwd: summary.cwd,
            title,
            name: summary.name,
            created: summary.created,
            modified: summary.modified,
            message_count: summary.message_count,
            parent_session: summary.parent_session,
            models: models.to_vec(),
            own_id,
        }
    }
}

impl FileHead {
    /// The list row of one of its sessions.
    pub(crate) fn summary(&self, session: &SessionRow) -> SessionSummary {
        let title = match &session.name {
            Some(name) if session.title.is_empty() => name.clone(),
            _ => session.title.clone(),
        };
        SessionSummary {
            id: session.id.clone(),
            path: self.path.clone(),
            cwd: session.cwd.clone(),
            title,
            name: session.name.clone(),
            created: session.created,
            modified: session.modified,
            message_count: session.message_count,
            parent_session: session.parent_session.clone(),
        }
    }

    pub(crate) fn encode(&self) -> Result<Vec<u8>, postcard::Error> {
        let basics = postcard::to_allocvec(&Basics {
            file: self.file,
            path: self.path.clone(),
            stamp: self.stamp,
            next_doc: self.next_doc,
            entries: self.entries,
            damaged_lines: self.damaged_lines,
            sessions: self.sessions.clone(),
        })?;
        let mut out = Encoder::default();
        out.block(&basics);
        out.raw(&self.turns.encode());
        Ok(out.into_bytes())
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Decoder::new(bytes);
        let basics: Basics = postcard::from_bytes(from.block()?).ok()?;
        let turns = TurnTable::decode(from.rest())?;
        let sessions = basics.sessions.len() as u32;
        if turns.rows.iter().any(|row| row.session >= sessions) {
            return None;
        }
        Some(Self {
            file: basics.file,
            path: basics.path,
            stamp: basics.stamp,
            next_doc: basics.next_doc,
            entries: basics.entries,
            damaged_lines: basics.damaged_lines,
            sessions: basics.sessions,
            turns,
        })
    }
}
