use std::{io, ops::ControlFlow};

use lookback_session_model::{EntryKind, Fields, Node, NodeKind, Role, Usage};

use super::{EntryFacts, RowKind, Scan};

/// Tokens and costs: one row for each answer of a model, for each summary, and for what was spent beside the
/// conversation. Answers without numbers have a row too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spending;

/// What one answer cost.
#[derive(Debug, Clone, Copy)]
pub struct UsageRow<'a> {
    /// Where and when.
    pub at: EntryFacts<'a>,
    /// `message`, `compaction`, `branchSummary`, or `usage` for what was spent beside the conversation.
    pub source: &'static str,
    /// What that was spent on, a free word.
    pub purpose: Option<&'a str>,
    /// The provider.
    pub provider: Option<&'a str>,
    /// The model.
    pub model: Option<&'a str>,
    /// Why the answer ended.
    pub stop_reason: Option<&'a str>,
    /// The provider's id of the answer.
    pub response: Option<&'a str>,
    /// Tokens and cost as they stand in the file.
    pub usage: Usage,
}

impl RowKind for Spending {
    type Row<'a> = UsageRow<'a>;

    fn scan(
        &self,
        scan: &Scan<'_>,
        emit: &mut dyn FnMut(&UsageRow<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let may_cost = |node: &Node| match node.kind {
            NodeKind::Message => node.role == Some(Role::Assistant),
            NodeKind::Usage | NodeKind::Compaction | NodeKind::BranchSummary => true,
            _ => false,
        };
        let wanted = |_, node: &Node| may_cost(node) && scan.filter.spans(node.time);
        scan.entries(Fields::USAGE, wanted, |_, at, entry| {
            let empty = UsageRow {
                at,
                source: "message",
                purpose: None,
                provider: None,
                model: None,
                stop_reason: None,
                response: None,
                usage: Usage::default(),
            };
            match &entry.kind {
                EntryKind::Message(message) => emit(&UsageRow {
                    provider: message.provider.as_deref(),
                    model: message.model.as_deref(),
                    stop_reason: message.stop_reason.as_deref(),
                    response: message.response_id.as_deref(),
                    usage: message.usage.as_deref().copied().unwrap_or_default(),
                    ..empty
                }),
                EntryKind::Usage {
                    kind,
                    provider,
                    model,
                    usage,
                } => emit(&UsageRow {
                    source: "usage",
                    purpose: Some(kind.as_str()),
                    provider: Some(provider.as_str()).filter(|name| !name.is_empty()),
                    model: Some(model.as_str()).filter(|name| !name.is_empty()),
                    usage: usage.as_deref().copied().unwrap_or_default(),
                    ..empty
                }),
                // Summaries cost nothing that is known where an extension wrote them.
                EntryKind::Compaction {
                    usage: Some(usage), ..
                } => emit(&UsageRow {
                    source: "compaction",
                    usage: **usage,
                    ..empty
                }),
                EntryKind::BranchSummary {
                    usage: Some(usage), ..
                } => emit(&UsageRow {
                    source: "branchSummary",
                    usage: **usage,
                    ..empty
                }),
                _ => ControlFlow::Continue(()),
            }
        })
    }
}
