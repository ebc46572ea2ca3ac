use lookback::session_model::EntryId;
use napi_derive::napi;

use super::{Moment, count, name_of};

/// The branches of a session as rows, ready to be drawn from top to bottom.
///
/// The newest branch stays at depth 0; a branch that was left is drawn one step deeper, in front of what continues its
/// fork point.
#[napi(object, object_from_js = false)]
pub struct BranchTree {
    /// Id of the session.
    pub session: String,
    /// Its file.
    pub path: String,
    /// The rows.
    pub rows: Vec<BranchRow>,
    /// Number of branches: entries that nothing continues.
    pub branches: i64,
    /// The end of the newest branch.
    pub tip: Option<String>,
    /// The entry at which Pi opens the session.
    pub pi_leaf: Option<String>,
    /// Entries in all.
    pub entries: i64,
}

/// One row of a tree.
#[napi(object, object_from_js = false)]
pub struct BranchRow {
    /// The entry.
    pub id: Option<String>,
    /// What it is: `user`, `assistant`, `branchSummary`, `compaction`, …
    pub kind: String,
    /// When it happened.
    #[napi(ts_type = "Date")]
    pub timestamp: Option<Moment>,
    /// The first line of its text.
    pub text: String,
    /// How many steps it is drawn to the right.
    pub depth: i64,
    /// It begins a branch: what it continues stands further up.
    pub begins_branch: bool,
    /// Several branches continue it.
    pub fork_point: bool,
    /// Nothing continues it.
    pub leaf: bool,
    /// An entry before it is missing from the file.
    pub gap: bool,
    /// How it stands to the newest branch.
    #[napi(ts_type = "'active' | 'compacted' | 'abandoned'")]
    pub branch: String,
    /// The label the user gave it.
    pub label: Option<String>,
    /// Entries between the row above on its branch and this one that are not shown.
    pub hidden: i64,
}

impl From<lookback::BranchTree> for BranchTree {
    fn from(tree: lookback::BranchTree) -> Self {
        Self {
            session: tree.session.to_string(),
            path: tree.path.into_string(),
            rows: tree.rows.into_iter().map(BranchRow::from).collect(),
            branches: count(tree.branches),
            tip: tree.tip.as_ref().map(EntryId::to_string),
            pi_leaf: tree.pi_leaf.as_ref().map(EntryId::to_string),
            entries: count(tree.entries),
        }
    }
}

impl From<lookback::BranchRow> for BranchRow {
    fn from(row: lookback::BranchRow) -> Self {
        Self {
            id: row.id.as_ref().map(EntryId::to_string),
            kind: row.kind.to_owned(),
            timestamp: row.timestamp.map(Moment::from),
            text: row.text,
            depth: count(row.depth),
            begins_branch: row.begins_branch,
            fork_point: row.fork_point,
            leaf: row.leaf,
            gap: row.gap,
            branch: name_of(row.branch),
            label: row.label,
            hidden: count(row.hidden),
        }
    }
}
