//! Tables about whole sessions, their branches, their tags, and what is odd in their files.

use lookback::{
    Timestamp,
    tables::{BranchEnds, Sessions, Tags, Warnings},
};

use super::{
    super::{Cell, Column, Shape, Tabular, whole},
    count, entry, session, text, time,
};

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
