use std::collections::HashMap;

use lookback::session_model::EntryId;
use napi_derive::napi;

use super::{Moment, count, name_of};

/// A session file taken apart: what Pi makes of it, and what is there.
#[napi(object, object_from_js = false)]
pub struct Inspection {
    /// The header, every field of it, in the version that Pi migrates it to.
    #[napi(ts_type = "Record<string, unknown>")]
    pub header: Option<serde_json::Value>,
    /// The last name given to the session.
    pub session_name: Option<String>,
    /// The entry at which Pi opens the session.
    pub leaf_id: Option<String>,
    /// The newest message by time.
    pub newest_message_id: Option<String>,
    /// From the root to Pi's leaf.
    #[napi(ts_type = "Array<string | null>")]
    pub active_branch_ids: Vec<Option<String>>,
    /// The entries that make up the model's context in Pi.
    #[napi(ts_type = "Array<string | null>")]
    pub context_entry_ids: Vec<Option<String>>,
    /// Entries without a parent in the file, as Pi's tree shows them.
    #[napi(ts_type = "Array<string | null>")]
    pub tree_root_ids: Vec<Option<String>>,
    /// Labels by entry.
    pub labels: HashMap<String, String>,
    /// Entries that nothing continues, the newest branch first.
    #[napi(ts_type = "Array<string | null>")]
    pub leaves: Vec<Option<String>>,
    /// Entries that several others continue.
    #[napi(ts_type = "Array<string | null>")]
    pub fork_points: Vec<Option<String>>,
    /// The row in Pi's list; missing where Pi does not list the file.
    pub list: Option<PiListRow>,
    /// Whether Pi opens the file.
    pub opens: Opens,
    /// Everything odd.
    pub diagnostics: Vec<Diagnostic>,
}

/// Whether Pi opens a file.
#[napi(object, object_from_js = false)]
pub struct Opens {
    /// It does.
    pub ok: bool,
    /// Why it does not.
    pub reason: Option<String>,
}

/// The row of a file in Pi's own list.
#[napi(object, object_from_js = false)]
pub struct PiListRow {
    /// The session id.
    pub id: Option<String>,
    /// The folder of the session.
    pub cwd: String,
    /// The session name.
    pub name: Option<String>,
    /// The first text of the user.
    pub first_message: String,
    /// The name, or else the first text.
    pub title: String,
    /// Messages of all roles on all branches.
    pub message_count: i64,
    /// When it was created.
    #[napi(ts_type = "Date")]
    pub created: Option<Moment>,
    /// Last activity.
    #[napi(ts_type = "Date")]
    pub modified: Option<Moment>,
    /// The file it was forked from.
    pub parent_session_path: Option<String>,
}

/// One odd thing in a session file.
#[napi(object, object_from_js = false)]
pub struct Diagnostic {
    /// What is odd, such as `damagedLine`.
    pub kind: String,
    /// Number of the line, from 1.
    pub line: i64,
    /// Offset of the line's first byte.
    pub offset: i64,
    /// The same as a sentence.
    pub message: String,
}

impl From<lookback::Inspection> for Inspection {
    fn from(inspection: lookback::Inspection) -> Self {
        let text = |id: Option<EntryId>| id.as_ref().map(EntryId::to_string);
        let ids = |ids: Vec<Option<EntryId>>| ids.into_iter().map(text).collect();
        let labels = inspection.labels.into_iter();
        Self {
            header: inspection.header,
            session_name: inspection.session_name,
            leaf_id: text(inspection.leaf_id),
            newest_message_id: text(inspection.newest_message_id),
            active_branch_ids: ids(inspection.active_branch_ids),
            context_entry_ids: ids(inspection.context_entry_ids),
            tree_root_ids: ids(inspection.tree_root_ids),
            labels: labels.map(|(id, label)| (id.to_string(), label)).collect(),
            leaves: ids(inspection.leaves),
            fork_points: ids(inspection.fork_points),
            list: inspection.list.map(PiListRow::from),
            opens: Opens {
                ok: inspection.opens.ok,
                reason: inspection.opens.reason,
            },
            diagnostics: inspection.diagnostics.into_iter().map(Diagnostic::from).collect(),
        }
    }
}

impl From<lookback::ListRow> for PiListRow {
    fn from(row: lookback::ListRow) -> Self {
        Self {
            id: row.id,
            cwd: row.cwd,
            name: row.name,
            first_message: row.first_message,
            title: row.title,
            message_count: count(row.message_count),
            created: row.created.map(Moment::from),
            modified: row.modified.map(Moment::from),
            parent_session_path: row.parent_session_path,
        }
    }
}

impl From<lookback::Oddity> for Diagnostic {
    fn from(oddity: lookback::Oddity) -> Self {
        Self {
            kind: name_of(oddity.diagnostic.kind),
            line: count(oddity.diagnostic.line),
            offset: count(oddity.diagnostic.offset),
            message: oddity.message,
        }
    }
}
