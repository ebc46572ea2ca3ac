use std::collections::BTreeMap;

use camino::Utf8Path;
use lookback_session_model::{
    Diagnostic, EntryId, EntryRef, PiListRow, PiView, SessionFile, Timestamp, Tree,
};
use serde::Serialize;

use crate::Error;

/// A session file taken apart: what Pi makes of it, and what is there.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Inspection {
    /// The header, every field of it, in the version that Pi migrates it to.
    pub header: Option<serde_json::Value>,
    /// The last name given to the session.
    pub session_name: Option<String>,
    /// The entry at which Pi opens the session.
    pub leaf_id: Option<EntryId>,
    /// The newest message by time.
    pub newest_message_id: Option<EntryId>,
    /// From the root to Pi's leaf.
    pub active_branch_ids: Vec<Option<EntryId>>,
    /// The entries that make up the model's context in Pi.
    pub context_entry_ids: Vec<Option<EntryId>>,
    /// Entries without a parent in the file, as Pi's tree shows them.
    pub tree_root_ids: Vec<Option<EntryId>>,
    /// Labels by entry.
    pub labels: BTreeMap<EntryId, String>,
    /// Entries that nothing continues, the newest branch first.
    pub leaves: Vec<Option<EntryId>>,
    /// Entries that several others continue.
    pub fork_points: Vec<Option<EntryId>>,
    /// The row in Pi's list; `None` where Pi does not list the file.
    pub list: Option<ListRow>,
    /// Whether Pi opens the file.
    pub opens: Opens,
    /// Everything odd.
    pub diagnostics: Vec<Oddity>,
}

/// Whether Pi opens a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Opens {
    /// It does.
    pub ok: bool,
    /// Why it does not.
    pub reason: Option<String>,
}

/// The row of a file in Pi's own list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListRow {
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
    pub message_count: u64,
    /// When it was created.
    pub created: Option<Timestamp>,
    /// Last activity.
    pub modified: Option<Timestamp>,
    /// The file it was forked from.
    pub parent_session_path: Option<String>,
}

/// One odd thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Oddity {
    /// What, where.
    #[serde(flatten)]
    pub diagnostic: Diagnostic,
    /// The same as a sentence.
    pub message: String,
}

/// Takes a session file apart, wherever it lies. Links are refused.
///
/// # Errors
/// [`Error`] when the file cannot be read.
pub fn inspect(path: &Utf8Path) -> Result<Inspection, Error> {
    let file = SessionFile::read(path, 0)?;
    let view = PiView::new(&file);
    let id = |entry: &EntryRef| view.node(*entry).id.clone();
    let ids = |entries: Vec<EntryRef>| entries.iter().map(id).collect();
    let trees: Vec<Tree<'_>> = file.sessions().iter().map(Tree::new).collect();
    let of_tree = |tree: &Tree<'_>, node: u32| tree.session().nodes()[node as usize].id.clone();
    let newest = trees
        .iter()
        .filter_map(|tree| Some((tree, tree.newest_message()?)));
    let newest = newest.max_by_key(|(tree, node)| tree.session().nodes()[*node as usize].time);
    let refusal = view.refusal();
    Ok(Inspection {
        header: view
            .header()
            .and_then(|header| serde_json::from_str(&header.raw_as_pi_migrates()).ok()),
        session_name: view.session_name().map(str::to_owned),
        leaf_id: view.leaf().and_then(|leaf| id(&leaf)),
        newest_message_id: newest.and_then(|(tree, node)| of_tree(tree, node)),
        active_branch_ids: ids(view.active_branch()),
        context_entry_ids: ids(view.context()),
        tree_root_ids: ids(view.roots()),
        labels: view
            .labels()
            .into_iter()
            .map(|(id, label)| (id.clone(), label.to_owned()))
            .collect(),
        leaves: trees
            .iter()
            .flat_map(|tree| tree.leaves().into_iter().map(|node| of_tree(tree, node)))
            .collect(),
        fork_points: trees
            .iter()
            .flat_map(|tree| tree.fork_points().into_iter().map(|node| of_tree(tree, node)))
            .collect(),
        list: view.list_row().map(ListRow::from),
        opens: Opens {
            ok: refusal.is_none(),
            reason: refusal.map(str::to_owned),
        },
        diagnostics: file.diagnostics().iter().map(Oddity::from).collect(),
    })
}

impl From<PiListRow> for ListRow {
    fn from(row: PiListRow) -> Self {
        Self {
            id: row.id.map(|id| id.to_string()),
            cwd: row.cwd,
            title: row.name.clone().unwrap_or_else(|| row.first_message.clone()),
            name: row.name,
            first_message: row.first_message,
            message_count: row.message_count,
            created: row.created,
            modified: row.modified,
            parent_session_path: row.parent_session,
        }
    }
}

impl From<&Diagnostic> for Oddity {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            message: diagnostic.to_string(),
            diagnostic: diagnostic.clone(),
        }
    }
}
