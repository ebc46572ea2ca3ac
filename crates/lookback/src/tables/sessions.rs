use std::{io, ops::ControlFlow};

use lookback_session_model::{Link, NodeKind, PiView, Role, Session, SessionId, SessionSummary, Timestamp};
use smol_str::SmolStr;

use super::{RowKind, Scan};

/// Sessions. One is in a [`Filter`](super::Filter)'s span when any part of its life is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sessions;

/// One session.
#[derive(Debug, Clone)]
pub struct SessionRow<'a> {
    /// Id, file, folder, title and times, as lists show them.
    pub summary: &'a SessionSummary,
    /// The format version of its header; 1 where the header names none, `None` without a header.
    pub version: Option<f64>,
    /// Size of its file.
    pub bytes: u64,
    /// Time of its first entry.
    pub first: Option<Timestamp>,
    /// Time of its last entry.
    pub last: Option<Timestamp>,
    /// Entries of all kinds.
    pub entries: u64,
    /// Entries that are copies from an older session.
    pub copied_entries: u64,
    /// Messages of the user.
    pub user_messages: u64,
    /// Messages of the model.
    pub assistant_messages: u64,
    /// Results of tools.
    pub tool_results: u64,
    /// Commands that the user ran.
    pub bash_executions: u64,
    /// Branches: entries that nothing continues.
    pub branches: u64,
    /// Compactions.
    pub compactions: u64,
    /// The session it was forked from, where its file was found.
    pub parent: Option<&'a SessionId>,
    /// The models that were chosen or answered, in the order of their first use.
    pub models: &'a [SmolStr],
    /// Damaged lines in its file.
    pub damaged_lines: u64,
    /// Pi opens its file.
    pub opens_in_pi: bool,
}

impl RowKind for Sessions {
    type Row<'a> = SessionRow<'a>;

    fn scan(
        &self,
        scan: &Scan<'_>,
        emit: &mut dyn FnMut(&SessionRow<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let mut opens_in_pi = None;
        for (position, session) in scan.sessions() {
            let times = || session.nodes().iter().filter_map(|node| node.time);
            let summary = scan.file.summary(session);
            let (first, last) = (times().min(), times().max());
            if !scan
                .filter
                .touches(first.or(summary.created), last.or(summary.modified))
            {
                continue;
            }
            let opens_in_pi = *opens_in_pi.get_or_insert_with(|| PiView::new(scan.file).refusal().is_none());
            let of_role = |role| {
                count(session, |_, kind, of| {
                    kind == NodeKind::Message && of == Some(role)
                })
            };
            let row = SessionRow {
                summary: &summary,
                version: session.header().and_then(|header| header.version),
                bytes: scan.file.stamp().size,
                first,
                last,
                entries: count(session, |_, _, _| true),
                copied_entries: count(session, |node, _, _| scan.owner(position, node).is_some()),
                user_messages: of_role(Role::User),
                assistant_messages: of_role(Role::Assistant),
                tool_results: of_role(Role::ToolResult),
                bash_executions: of_role(Role::BashExecution),
                branches: scan.trees[position].leaves().len() as u64,
                compactions: count(session, |_, kind, _| kind == NodeKind::Compaction),
                parent: scan.parent,
                models: session.models(),
                damaged_lines: scan.file.diagnostics().damaged_lines(),
                opens_in_pi,
            };
            if emit(&row).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn count(session: &Session, wanted: impl Fn(u32, NodeKind, Option<Role>) -> bool) -> u64 {
    let all = session.nodes().iter().enumerate();
    let counted = all.filter(|(position, node)| {
        node.link != Link::Repeat && wanted(*position as u32, node.kind, node.role)
    });
    counted.count() as u64
}
