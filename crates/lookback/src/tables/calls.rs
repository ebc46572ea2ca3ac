use std::{collections::HashMap, io, ops::ControlFlow};

use lookback_session_model::{EntryId, EntryKind, Fields, Node, Role, Timestamp};
use smol_str::SmolStr;

use super::{EntryFacts, RowKind, Scan};

/// Tool calls of the model, each with its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolCalls {
    /// The arguments are wanted. Without them, rows have empty arguments.
    pub arguments: bool,
}

/// One tool call.
#[derive(Debug, Clone, Copy)]
pub struct ToolCallRow<'a> {
    /// The message that made the call.
    pub at: EntryFacts<'a>,
    /// The id that the result names.
    pub call: &'a str,
    /// The tool.
    pub tool: &'a str,
    /// The arguments as JSON text.
    pub arguments: &'a str,
    /// Its place among the calls of the message, from 0.
    pub position: u32,
    /// The provider of the model that made the call.
    pub provider: Option<&'a str>,
    /// The model that made the call.
    pub model: Option<&'a str>,
    /// What came of it; `None` where no result is in the file.
    pub result: Option<&'a CallResult>,
}

/// The result of a tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallResult {
    /// Its entry.
    pub entry: Option<EntryId>,
    /// When it was there.
    pub timestamp: Option<Timestamp>,
    /// The tool failed.
    pub is_error: bool,
    /// Size of its record in the file.
    pub bytes: u64,
}

impl RowKind for ToolCalls {
    type Row<'a> = ToolCallRow<'a>;

    fn scan(
        &self,
        scan: &Scan<'_>,
        emit: &mut dyn FnMut(&ToolCallRow<'_>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let results = results(scan)?;
        let wanted = |_, node: &Node| node.role == Some(Role::Assistant) && scan.filter.spans(node.time);
        // Without the field there is no list of calls either, so it is read in both cases.
        scan.entries(Fields::TOOL_CALLS, wanted, |session, at, entry| {
            let EntryKind::Message(message) = &entry.kind else {
                return ControlFlow::Continue(());
            };
            for (position, call) in message.tool_calls.iter().enumerate() {
                emit(&ToolCallRow {
                    at,
                    call: &call.id,
                    tool: &call.name,
                    arguments: if self.arguments { &call.arguments } else { "" },
                    position: position as u32,
                    provider: message.provider.as_deref(),
                    model: message.model.as_deref(),
                    result: results.get(&(session, call.id.clone())),
                })?;
            }
            ControlFlow::Continue(())
        })
    }
}

/// The results of all calls in the file, by session and call: about 150 bytes for each, without their text. Of several
/// results of one call the first one counts: it is what the model saw.
fn results(scan: &Scan<'_>) -> io::Result<HashMap<(usize, SmolStr), CallResult>> {
    let mut results = HashMap::new();
    let is_result = |_, node: &Node| node.role == Some(Role::ToolResult);
    // Read to the end, so there is nothing to break off.
    let _ = scan.entries(Fields::NONE, is_result, |session, at, entry| {
        let bytes = entry.place.length;
        if let EntryKind::Message(message) = entry.kind
            && let Some(call) = message.tool_call_id
        {
            results.entry((session, call)).or_insert_with(|| CallResult {
                entry: at.entry.cloned(),
                timestamp: at.timestamp,
                is_error: message.is_error,
                bytes,
            });
        }
        ControlFlow::Continue(())
    })?;
    Ok(results)
}
