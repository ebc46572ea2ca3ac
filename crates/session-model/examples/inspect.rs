//! What Pi makes of a session file, as this crate computes it: one JSON object per file.
//!
//! ```text
//! cargo run -p lookback-session-model --example inspect -- FILE…
//! ```
//!
//! With `--stdin` the paths are read from standard input, one a line. The fields are those of the truth files in
//! `tests/data`, so that both can be compared.

use std::{
    error::Error,
    io::{self, BufRead, Write},
};

use camino::Utf8Path;
use lookback_session_model::{EntryReader, EntryRef, PiView, SessionFile, Timestamp};
use serde_json::{Map, Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let paths = if arguments == ["--stdin"] {
        io::stdin().lock().lines().collect::<Result<_, _>>()?
    } else {
        arguments
    };
    let mut out = io::stdout().lock();
    for path in paths {
        writeln!(out, "{}", inspect(path.as_str().into())?)?;
    }
    Ok(())
}

/// Texts are cut at this many UTF-16 units.
const CUT: usize = 1500;

/// The first units of a text, without the half of a character at the end.
fn cut(text: &str) -> String {
    let mut units = 0;
    let fits = |character: &char| {
        units += character.len_utf16();
        units <= CUT
    };
    text.chars().take_while(fits).collect()
}

fn inspect(path: &Utf8Path) -> Result<Value, Box<dyn Error>> {
    let file = SessionFile::read(path, 0)?;
    let view = PiView::new(&file);
    let open = match view.refusal() {
        Some(reason) => json!({ "ok": false, "reason": reason }),
        None => opened(&file, &view)?,
    };
    let diagnostics: Vec<_> = file.diagnostics().iter().map(ToString::to_string).collect();
    Ok(json!({
        "file": path.file_name(),
        "list": list(&view),
        "open": open,
        "texts": file.sessions().iter().map(|session| session.nodes().iter().filter(|node| node.has_text()).count()).sum::<usize>(),
        "diagnostics": diagnostics,
    }))
}

fn list(view: &PiView<'_>) -> Value {
    let time = |time: Option<Timestamp>| time.map(|time| time.to_string());
    match view.list_row() {
        None => Value::Null,
        Some(row) => json!({
            "id": row.id,
            "cwd": row.cwd,
            "name": row.name,
            "firstMessage": cut(&row.first_message),
            "title": cut(row.name.as_deref().unwrap_or(&row.first_message)),
            "messageCount": row.message_count,
            "created": time(row.created),
            "modified": time(row.modified),
            "parentSessionPath": row.parent_session,
        }),
    }
}

fn opened(file: &SessionFile, view: &PiView<'_>) -> Result<Value, Box<dyn Error>> {
    let entries = view.entries();
    let position = |entry: &EntryRef| entries.binary_search(entry).ok();
    let id = |entry: &EntryRef| view.node(*entry).id.clone();
    let ids = |list: &[EntryRef]| list.iter().map(id).collect::<Vec<_>>();
    let positions = |list: &[EntryRef]| list.iter().map(position).collect::<Vec<_>>();
    let (branch, context) = (view.active_branch(), view.context());
    let (mut reader, _) = EntryReader::open(file.path())?;
    let messages: Vec<_> = file
        .context_messages(&mut reader)?
        .iter()
        .map(|message| {
            let mut shown = Map::new();
            shown.insert("entryId".to_owned(), json!(id(&message.entry)));
            shown.insert("role".to_owned(), message.role.name().into());
            shown.insert("text".to_owned(), cut(&message.text).into());
            let length = message.text.encode_utf16().count();
            if length > CUT {
                shown.insert("textLength".to_owned(), length.into());
            }
            Value::Object(shown)
        })
        .collect();
    let header = match view.header() {
        Some(header) => serde_json::from_str(&header.raw_as_pi_migrates())?,
        None => Value::Null,
    };
    let labels: Map<_, _> = view
        .labels()
        .into_iter()
        .map(|(id, label)| (id.to_string(), label.into()))
        .collect();
    Ok(json!({
        "ok": true,
        "header": header,
        "entryCount": entries.len(),
        "ids": ids(entries),
        "leafId": view.leaf().as_ref().and_then(id),
        "leafIndex": view.leaf().as_ref().and_then(position),
        "activeBranchIds": ids(&branch),
        "activeBranchIndexes": positions(&branch),
        "contextEntryIds": ids(&context),
        "contextEntryIndexes": positions(&context),
        "contextMessages": messages,
        "sessionName": view.session_name(),
        "labels": labels,
        "treeRootIds": ids(&view.roots()),
    }))
}
