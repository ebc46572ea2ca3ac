use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{
    BranchState, EntryId, EntryKind, EntryReader, Fields, Link, NodeKind, PiView, Role, Session, SessionFile,
    SessionId, Timestamp, Tree,
};
use serde::Serialize;

use crate::{Error, sessions};

/// The branches of a session as rows, ready to be drawn from top to bottom.
///
/// The newest branch stays at depth 0; a branch that was left is drawn one step deeper, in front of what continues its
/// fork point. Entries between messages (tool results, changes of settings) are counted, not shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BranchTree {
    /// The session.
    pub session: SessionId,
    /// Its file.
    pub path: Utf8PathBuf,
    /// The rows.
    pub rows: Vec<BranchRow>,
    /// Number of branches: entries that nothing continues.
    pub branches: usize,
    /// The end of the newest branch.
    pub tip: Option<EntryId>,
    /// The entry at which Pi opens the session.
    pub pi_leaf: Option<EntryId>,
    /// Entries in all.
    pub entries: usize,
}

/// One row of a [`BranchTree`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BranchRow {
    /// The entry.
    pub id: Option<EntryId>,
    /// What it is: `user`, `assistant`, `branchSummary`, `compaction`, …
    pub kind: &'static str,
    /// When it happened.
    pub timestamp: Option<Timestamp>,
    /// The first line of its text.
    pub text: String,
    /// How many steps it is drawn to the right.
    pub depth: usize,
    /// It begins a branch: what it continues stands further up.
    pub begins_branch: bool,
    /// Several branches continue it.
    pub fork_point: bool,
    /// Nothing continues it.
    pub leaf: bool,
    /// An entry before it is missing from the file.
    pub gap: bool,
    /// How it stands to the newest branch.
    pub branch: BranchState,
    /// The label the user gave it.
    pub label: Option<String>,
    /// Entries between the row above on its branch and this one that are not shown.
    pub hidden: usize,
}

/// Characters of an entry's first line that are shown.
const TEXT: usize = 120;

pub(crate) fn draw(path: &Utf8Path, id: &SessionId) -> Result<BranchTree, Error> {
    let file = SessionFile::read(path, 0)?;
    let session = sessions::of_file(&file, path, id)?;
    let tree = Tree::new(session);
    let view = PiView::new(&file);
    let labels = view.labels().into_iter().collect();
    let id_of = |node: u32| session.nodes()[node as usize].id.clone();
    let (mut reader, _) = EntryReader::open(path)?;
    let mut drawing = Drawing {
        session,
        tree: &tree,
        labels,
        reader: &mut reader,
        rows: Vec::new(),
    };
    drawing.walk().map_err(|source| Error::Read {
        path: path.to_owned(),
        source,
    })?;
    Ok(BranchTree {
        session: session.id().clone(),
        path: path.to_owned(),
        rows: drawing.rows,
        branches: tree.leaves().len(),
        tip: tree.tip().and_then(id_of),
        pi_leaf: view.leaf().and_then(|leaf| view.node(leaf).id.clone()),
        entries: session.nodes().len(),
    })
}

struct Drawing<'a> {
    session: &'a Session,
    tree: &'a Tree<'a>,
    labels: std::collections::HashMap<&'a EntryId, &'a str>,
    reader: &'a mut EntryReader<std::fs::File>,
    rows: Vec<BranchRow>,
}

/// An entry still to be drawn, and what is known of the way to it.
struct Step {
    node: u32,
    depth: usize,
    hidden: usize,
    begins_branch: bool,
}

impl Drawing<'_> {
    /// Without recursion: a session can be a chain of a million entries.
    fn walk(&mut self) -> std::io::Result<()> {
        let on_newest = |node: &u32| self.tree.state(*node) != BranchState::Abandoned;
        let mut roots = self.tree.roots().to_vec();
        // The newest branch comes last, behind what was left for it.
        roots.sort_by_key(|node| on_newest(node));
        let step = |node, depth, begins_branch| Step {
            node,
            depth,
            hidden: 0,
            begins_branch,
        };
        let mut open: Vec<Step> = roots
            .iter()
            .rev()
            .map(|&root| step(root, 0, roots.len() > 1))
            .collect();
        while let Some(Step {
            node,
            depth,
            hidden,
            begins_branch,
        }) = open.pop()
        {
            let children = self.tree.children(node);
            let shown = self.row(node, depth, hidden, begins_branch)?;
            let hidden = if shown { 0 } else { hidden + 1 };
            let begins = begins_branch && !shown;
            // The child on the newest branch, or else the last one, goes on at the same depth.
            let main = children
                .iter()
                .copied()
                .find(|child| self.tree.state(*child) != BranchState::Abandoned);
            let main = main.or(children.last().copied());
            if let Some(main) = main {
                open.push(Step {
                    node: main,
                    depth,
                    hidden,
                    begins_branch: begins,
                });
            }
            for &child in children.iter().rev().filter(|&&child| Some(child) != main) {
                open.push(Step {
                    node: child,
                    depth: depth + 1,
                    hidden: 0,
                    begins_branch: true,
                });
            }
        }
        Ok(())
    }

    fn row(&mut self, node: u32, depth: usize, hidden: usize, begins_branch: bool) -> std::io::Result<bool> {
        let outline = &self.session.nodes()[node as usize];
        let label = outline
            .id
            .as_ref()
            .and_then(|id| self.labels.get(id))
            .map(|label| (*label).to_owned());
        let fork_point = self.tree.children(node).len() > 1;
        let speaks = match outline.kind {
            NodeKind::Message => outline.has_text() || outline.role == Some(Role::BashExecution),
            NodeKind::Compaction | NodeKind::BranchSummary | NodeKind::CustomMessage => true,
            _ => false,
        };
        if !speaks && !fork_point && label.is_none() {
            return Ok(false);
        }
        let fields = Fields::TEXT.with(Fields::SUMMARIES).with(Fields::OTHER_TEXT);
        let text = match self.reader.read(outline, fields)?.map(|entry| entry.kind) {
            Some(EntryKind::Message(message)) => match message.bash {
                Some(bash) => format!("! {}", bash.command),
                None => message.text.into_string(),
            },
            Some(EntryKind::Compaction { summary, .. } | EntryKind::BranchSummary { summary, .. }) => {
                summary.into_string()
            }
            Some(EntryKind::CustomMessage { text, .. }) => text.into_string(),
            _ => String::new(),
        };
        self.rows.push(BranchRow {
            id: outline.id.clone(),
            kind: kind_name(outline.kind, outline.role),
            timestamp: outline.time,
            text: first_line(&text),
            depth,
            begins_branch,
            fork_point,
            leaf: self.tree.children(node).is_empty(),
            gap: outline.link == Link::Gap,
            branch: self.tree.state(node),
            label,
            hidden,
        });
        Ok(true)
    }
}

fn kind_name(kind: NodeKind, role: Option<Role>) -> &'static str {
    match kind {
        NodeKind::Message => role.map_or("message", Role::name),
        NodeKind::ModelChange => "modelChange",
        NodeKind::ThinkingLevelChange => "thinkingLevelChange",
        NodeKind::Usage => "usage",
        NodeKind::Compaction => "compaction",
        NodeKind::BranchSummary => "branchSummary",
        NodeKind::Custom => "custom",
        NodeKind::CustomMessage => "customMessage",
        NodeKind::ContextEdit => "contextEdit",
        NodeKind::Label => "label",
        NodeKind::SessionInfo => "sessionInfo",
        _ => "unknown",
    }
}

fn first_line(text: &str) -> String {
    let line = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or_default();
    let mut cut: String = line.chars().take(TEXT).collect();
    if cut.len() < line.len() {
        cut.push('…');
    }
    cut
}
