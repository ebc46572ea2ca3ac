//! Tables with a row for each entry, or for a part of one.

use lookback::tables::{Messages, Spending, ToolCalls};

use super::{
    super::{Cell, Column, Shape, Tabular, whole},
    count, entry, session, state, text, time,
};

impl Tabular for Messages {
    const COLUMNS: &'static [Column<Self>] = entry_columns![
        column!("role", Text, "", "who speaks", |row| text(row.voice.name())),
        column!(
            "text",
            Text,
            "",
            "what is said; of a bash execution the command, then its output",
            |row| text(row.text)
        ),
        column!("characters", Whole, "code points", "length of the text", |row| {
            count(row.text.chars().count() as u64)
        }),
        column!("provider", Text, "", "the provider that answered", |row| {
            Cell::Text(row.provider)
        }),
        column!("model", Text, "", "the model that answered", |row| Cell::Text(
            row.model
        )),
        column!("stop_reason", Text, "", "why the answer ended", |row| Cell::Text(
            row.stop_reason
        )),
        column!("error", Text, "", "the error that ended the answer", |row| {
            Cell::Text(row.error)
        }),
        column!("tool_calls", Whole, "", "tool calls in the answer", |row| count(
            row.tool_calls.into()
        )),
        column!("images", Whole, "", "pictures in the message", |row| count(
            row.images.into()
        )),
        column!("tool", Text, "", "the tool whose result this is", |row| {
            Cell::Text(row.tool)
        }),
        column!("call_id", Text, "", "the tool call whose result this is", |row| {
            Cell::Text(row.call)
        }),
        column!(
            "is_error",
            Flag,
            "",
            "the tool failed; null where this is no result",
            |row| Cell::Flag(row.is_error)
        ),
        column!("exit_code", Whole, "", "exit code of a bash execution", |row| {
            Cell::Whole(whole(row.exit_code))
        }),
        column!(
            "tokens_before",
            Whole,
            "tokens",
            "size of the context before a compaction",
            |row| { Cell::Whole(whole(row.tokens_before)) }
        ),
    ];
}

impl Tabular for ToolCalls {
    const COLUMNS: &'static [Column<Self>] = entry_columns![
        column!("call_id", Text, "", "the id that the result names", |row| text(
            row.call
        )),
        column!("tool", Text, "", "the tool", |row| text(row.tool)),
        column!("arguments", Text, "", "the arguments as JSON", |row| text(
            row.arguments
        )),
        column!(
            "position",
            Whole,
            "",
            "place among the calls of the message, from 0",
            |row| count(row.position.into())
        ),
        column!("provider", Text, "", "the provider of the model", |row| {
            Cell::Text(row.provider)
        }),
        column!("model", Text, "", "the model that made the call", |row| {
            Cell::Text(row.model)
        }),
        column!(
            "is_error",
            Flag,
            "",
            "the tool failed; null where no result is in the file",
            |row| { Cell::Flag(row.result.map(|result| result.is_error)) }
        ),
        column!("result_id", Text, "", "the entry with the result", |row| {
            entry(row.result.and_then(|result| result.entry.as_ref()))
        }),
        column!(
            "result_timestamp",
            Time,
            "ms",
            "when the result was there",
            |row| { time(row.result.and_then(|result| result.timestamp)) }
        ),
        column!(
            "result_bytes",
            Whole,
            "bytes",
            "size of the result's record in the file",
            |row| { Cell::Whole(row.result.and_then(|result| i64::try_from(result.bytes).ok())) }
        ),
    ];
}

impl Tabular for Spending {
    const COLUMNS: &'static [Column<Self>] = entry_columns![
        column!(
            "source",
            Text,
            "",
            "message, compaction, branchSummary, or usage for what was spent beside the conversation",
            |row| text(row.source)
        ),
        column!(
            "purpose",
            Text,
            "",
            "what was spent beside the conversation, a free word",
            |row| Cell::Text(row.purpose)
        ),
        column!("provider", Text, "", "the provider", |row| Cell::Text(
            row.provider
        )),
        column!("model", Text, "", "the model", |row| Cell::Text(row.model)),
        column!("stop_reason", Text, "", "why the answer ended", |row| Cell::Text(
            row.stop_reason
        )),
        column!(
            "response_id",
            Text,
            "",
            "the provider's id of the answer",
            |row| Cell::Text(row.response)
        ),
        column!(
            "input_tokens",
            Whole,
            "tokens",
            "read, without those from the cache",
            |row| Cell::Whole(whole(row.usage.input))
        ),
        column!(
            "output_tokens",
            Whole,
            "tokens",
            "written, reasoning included",
            |row| Cell::Whole(whole(row.usage.output))
        ),
        column!(
            "cache_read_tokens",
            Whole,
            "tokens",
            "read from the provider's cache",
            |row| Cell::Whole(whole(row.usage.cache_read))
        ),
        column!(
            "cache_write_tokens",
            Whole,
            "tokens",
            "written to the provider's cache",
            |row| Cell::Whole(whole(row.usage.cache_write))
        ),
        column!(
            "reasoning_tokens",
            Whole,
            "tokens",
            "part of the written ones spent on reasoning",
            |row| Cell::Whole(whole(row.usage.reasoning))
        ),
        column!(
            "total_tokens",
            Whole,
            "tokens",
            "all of them; old files lack it",
            |row| Cell::Whole(whole(row.usage.total_tokens))
        ),
        column!(
            "input_cost",
            Number,
            "USD",
            "for tokens read",
            |row| Cell::Number(row.usage.cost.input)
        ),
        column!("output_cost", Number, "USD", "for tokens written", |row| {
            Cell::Number(row.usage.cost.output)
        }),
        column!("cache_read_cost", Number, "USD", "for reading the cache", |row| {
            Cell::Number(row.usage.cost.cache_read)
        }),
        column!(
            "cache_write_cost",
            Number,
            "USD",
            "for writing the cache",
            |row| Cell::Number(row.usage.cost.cache_write)
        ),
        column!("cost", Number, "USD", "the sum that Pi wrote down", |row| {
            Cell::Number(row.usage.cost.total)
        }),
    ];
}
