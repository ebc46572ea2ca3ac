//! The tables, column by column. `docs/python.md` and the schema snapshot of the tests say the same.

use lookback::{BranchState, EntryId, SessionId, Timestamp};

use super::Cell;

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

mod entries;
mod sessions;

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
