//! The tables, column by column. `docs/python.md` and the schema snapshot of the tests say the same.

use lookback::{
    BranchState, EntryId, SessionId, Timestamp,
    tables::{BranchEnds, Messages, Sessions, Spending, Tags, ToolCalls, Warnings},
};

use super::{Cell, Column, Shape, Tabular, whole};

/// A column: name, shape, unit, what it is about, and how a row fills it.
macro_rules! column {
    ($name:literal, $shape:ident, $unit:literal, $about:literal, $cell:expr) => {
        Column {
            name: $name,
            shape: Shape::$shape,
            unit: $unit,
            about: $about,
            cell: $cell,
        }
    };
}

/// The columns of an entry, which are the same in all tables about entries, and then those of the table.
macro_rules! entry_columns {
    ($($column:expr),+ $(,)?) => {
        &[
            column!("session_id", Text, "", "the session in whose file the entry was read", |row| text(row.at.session.as_str())),
            column!("entry_id", Text, "", "the entry; null for records without an id", |row| entry(row.at.entry)),
            column!("parent_id", Text, "", "the entry that it continues", |row| entry(row.at.parent)),
            column!("timestamp", Time, "ms", "when it happened", |row| time(row.at.timestamp)),
            column!("branch", Text, "", "active, compacted (taken out of the model's context) or abandoned", |row| text(state(row.at.branch))),
            column!("copied_from", Text, "", "the older session that owns the entry, where a fork copied it; null where it counts", |row| session(row.at.copied_from)),
            column!("cwd", Text, "", "the folder of the session; empty when it names none", |row| text(row.at.cwd)),
            column!("line", Whole, "", "its line in the file, from 1", |row| count(row.at.line)),
            $($column),+
        ]
    };
}

fn text(text: &str) -> Cell<'_> {
    Cell::Text(Some(text))
}

fn entry(id: Option<&EntryId>) -> Cell<'_> {
    Cell::Text(id.map(EntryId::as_str))
}

fn session(id: Option<&SessionId>) -> Cell<'_> {
    Cell::Text(id.map(SessionId::as_str))
}

fn time(time: Option<Timestamp>) -> Cell<'static> {
    Cell::Time(time.map(Timestamp::as_millis))
}

fn count(count: u64) -> Cell<'static> {
    Cell::Whole(i64::try_from(count).ok())
}

fn state(branch: BranchState) -> &'static str {
    match branch {
        BranchState::Active => "active",
        BranchState::Compacted => "compacted",
        BranchState::Abandoned => "abandoned",
    }
}

impl Tabular for Sessions {
    const COLUMNS: &'static [Column<Self>] = &[
        column!("session_id", Text, "", "the session", |row| text(
            row.summary.id.as_str()
        )),
        column!("cwd", Text, "", "its folder; empty when it names none", |row| {
            text(&row.summary.cwd)
        }),
        column!(
            "title",
            Text,
            "",
            "its name, or else the first text of the user",
            |row| text(&row.summary.title)
        ),
        column!("name", Text, "", "the name it was given", |row| Cell::Text(
            row.summary.name.as_deref()
        )),
        column!("created", Time, "ms", "when it was created", |row| time(
            row.summary.created
        )),
        column!(
            "modified",
            Time,
            "ms",
            "the last message of user or model",
            |row| time(row.summary.modified)
        ),
        column!(
            "first_entry",
            Time,
            "ms",
            "the earliest time of an entry",
            |row| time(row.first)
        ),
        column!("last_entry", Time, "ms", "the latest time of an entry", |row| {
            time(row.last)
        }),
        column!(
            "messages",
            Whole,
            "",
            "messages of all roles on all branches",
            |row| count(row.summary.message_count)
        ),
        column!("user_messages", Whole, "", "messages of the user", |row| count(
            row.user_messages
        )),
        column!("assistant_messages", Whole, "", "messages of the model", |row| {
            count(row.assistant_messages)
        }),
        column!("tool_results", Whole, "", "results of tools", |row| count(
            row.tool_results
        )),
        column!(
            "bash_executions",
            Whole,
            "",
            "commands that the user ran",
            |row| count(row.bash_executions)
        ),
        column!("entries", Whole, "", "entries of all kinds", |row| count(
            row.entries
        )),
        column!(
            "copied_entries",
            Whole,
            "",
            "entries that an older session owns",
            |row| count(row.copied_entries)
        ),
        column!("branches", Whole, "", "entries that nothing continues", |row| {
            count(row.branches)
        }),
        column!("compactions", Whole, "", "compactions", |row| count(
            row.compactions
        )),
        column!(
            "models",
            Texts,
            "",
            "models that were chosen or answered, by first use",
            |row| { Cell::Texts(row.models.iter().map(|model| model.as_str()).collect()) }
        ),
        column!(
            "forked_from",
            Text,
            "",
            "the session it was forked from, where that is known",
            |row| session(row.parent)
        ),
        column!(
            "parent_session",
            Text,
            "",
            "the file it was forked from, as its header names it",
            |row| { Cell::Text(row.summary.parent_session.as_deref()) }
        ),
        column!("path", Text, "", "its file", |row| text(
            row.summary.path.as_str()
        )),
        column!("bytes", Whole, "bytes", "size of its file", |row| count(
            row.bytes
        )),
        column!("version", Whole, "", "format version of its header", |row| {
            Cell::Whole(whole(row.version))
        }),
        column!("damaged_lines", Whole, "", "damaged lines in its file", |row| {
            count(row.damaged_lines)
        }),
        column!("opens_in_pi", Flag, "", "Pi opens its file", |row| Cell::Flag(
            Some(row.opens_in_pi)
        )),
    ];
}

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

impl Tabular for BranchEnds {
    const COLUMNS: &'static [Column<Self>] = &[
        column!("session_id", Text, "", "the session", |row| text(
            row.session.as_str()
        )),
        column!("tip_id", Text, "", "the last entry of the branch", |row| entry(
            row.tip
        )),
        column!(
            "fork_id",
            Text,
            "",
            "the last entry that another branch continues too; null where there is none",
            |row| entry(row.fork_point)
        ),
        column!(
            "is_newest",
            Flag,
            "",
            "the branch that a reader sees first",
            |row| Cell::Flag(Some(row.is_newest))
        ),
        column!("is_pi_leaf", Flag, "", "Pi opens the session here", |row| {
            Cell::Flag(Some(row.is_pi_leaf))
        }),
        column!("entries", Whole, "", "entries from the root on", |row| count(
            row.entries
        )),
        column!(
            "messages",
            Whole,
            "",
            "messages of user and model with text, from the root on",
            |row| count(row.messages)
        ),
        column!("own_messages", Whole, "", "those behind the fork", |row| count(
            row.own_messages
        )),
        column!(
            "compactions",
            Whole,
            "",
            "compactions on the branch",
            |row| count(row.compactions)
        ),
        column!("started", Time, "ms", "the first entry behind the fork", |row| {
            time(row.started)
        }),
        column!("ended", Time, "ms", "the last entry", |row| time(row.ended)),
        column!(
            "copied_from",
            Text,
            "",
            "the older session that owns the last entry; null where it counts",
            |row| session(row.copied_from)
        ),
        column!("cwd", Text, "", "the folder of the session", |row| text(row.cwd)),
        column!(
            "line",
            Whole,
            "",
            "line of the last entry in the file, from 1",
            |row| count(row.line)
        ),
    ];
}

impl Tabular for Tags {
    const COLUMNS: &'static [Column<Self>] = &[
        column!("session_id", Text, "", "the session", |row| text(row.session)),
        column!("tag", Text, "", "the tag, without #", |row| text(row.tag)),
        column!(
            "source",
            Text,
            "",
            "manual, generated, or suppressed (taken away)",
            |row| text(row.source)
        ),
        column!(
            "updated",
            Time,
            "ms",
            "the last change to the session's tags",
            |row| {
                // The range of all other times, so that no consumer meets a date that its calendar has not.
                time(row.updated_ms.and_then(Timestamp::from_millis))
            }
        ),
    ];
}

impl Tabular for Warnings {
    const COLUMNS: &'static [Column<Self>] = &[
        column!("path", Text, "", "the file or folder", |row| text(row.path)),
        column!(
            "line",
            Whole,
            "",
            "the line, from 1; null where it is about more than one",
            |row| { Cell::Whole(row.line.and_then(|line| i64::try_from(line).ok())) }
        ),
        column!("code", Text, "", "a stable name for the kind of thing", |row| {
            text(row.code)
        }),
        column!("message", Text, "", "what it is, as a sentence", |row| text(
            row.message
        )),
        column!("count", Whole, "", "how many there are", |row| count(row.count)),
    ];
}
