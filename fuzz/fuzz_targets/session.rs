//! Reads any bytes as a session file, and checks what must hold for every file: nothing panics, every record slices
//! back to its line, every entry has one place in the tree and every walk ends, the same bytes give the same result, what
//! is appended changes nothing that was read before it, and going on with a file equals reading it anew.

#![no_main]

use std::{cell::RefCell, fs, path::PathBuf};

use libfuzzer_sys::fuzz_target;
use lookback_session_model::{
    Entry, EntryReader, Fields, Item, Link, PiView, Resumed, Role, SessionFile, SessionReader, Tree,
};

fuzz_target!(|bytes: &[u8]| {
    let file = SessionFile::from_bytes("x/2026_s1.jsonl".into(), bytes, usize::MAX);
    assert_eq!(
        file,
        SessionFile::from_bytes("x/2026_s1.jsonl".into(), bytes, usize::MAX),
        "the same bytes give the same file"
    );
    let items = items(bytes);
    places(bytes, &items);
    lookups(bytes, &file, &items);
    for session in file.sessions() {
        trees(session);
    }
    views(bytes, &file);
    // Any place will do to cut the file in two, as long as it is the same one every time.
    let at = bytes.iter().fold(7, |hash: usize, &byte| hash.wrapping_mul(31) ^ usize::from(byte)) % (bytes.len() + 1);
    prefix(bytes, at, &items);
    resumed(bytes, at);
});

fn items(bytes: &[u8]) -> Vec<Item> {
    let mut reader = SessionReader::from_bytes(bytes, Fields::ALL);
    std::iter::from_fn(|| reader.next_item().expect("memory can be read")).collect()
}

fn entries(items: &[Item]) -> impl Iterator<Item = &Entry> {
    items.iter().filter_map(|item| match item {
        Item::Entry(entry) => Some(entry),
        Item::Header(_) => None,
    })
}

/// Offsets slice back to lines and records.
fn places(bytes: &[u8], items: &[Item]) {
    let lines: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    let mut starts = Vec::with_capacity(lines.len());
    let mut offset = 0;
    for line in &lines {
        starts.push(offset);
        offset += line.len() + 1;
    }
    for item in items {
        let place = match item {
            Item::Header(header) => header.place,
            Item::Entry(entry) => entry.place,
        };
        let (line, start) = (lines[place.line as usize - 1], starts[place.line as usize - 1]);
        let (from, length) = (place.offset as usize, place.length as usize);
        if place.recovered {
            assert!(from >= start && from + length <= start + line.len());
            let record = bytes[from..from + length].trim_ascii_end();
            // Behind a byte order mark anything can stand.
            assert!(start == 0 || (record[0] == b'{' && record[record.len() - 1] == b'}'));
        } else {
            assert_eq!((from, length), (start, line.len()));
        }
    }
}

/// An entry read by its place is the entry that was streamed.
fn lookups(bytes: &[u8], file: &SessionFile, items: &[Item]) {
    let mut reader = EntryReader::new(bytes);
    let nodes = file.sessions().iter().flat_map(|session| session.nodes());
    let mut streamed = entries(items);
    for node in nodes {
        let mut expected = streamed.next().expect("every node is an entry").clone();
        let mut entry = reader
            .read(node, Fields::ALL)
            .expect("memory can be read")
            .expect("the entry is there");
        (entry.parent_id, expected.parent_id) = (None, None);
        assert_eq!(format!("{entry:?}"), format!("{expected:?}"));
    }
    assert!(streamed.next().is_none());
}

/// Every entry has one place in the tree, every walk ends, and turns hold every text once.
fn trees(session: &lookback_session_model::Session) {
    let tree = Tree::new(session);
    let nodes = session.nodes();
    let mut seen = vec![0; nodes.len()];
    let mut open = tree.roots().to_vec();
    while let Some(node) = open.pop() {
        seen[node as usize] += 1;
        open.extend(tree.children(node));
    }
    for (node, times) in nodes.iter().zip(&seen) {
        assert_eq!(*times, i32::from(node.link != Link::Repeat));
    }
    let mut texts = vec![0; nodes.len()];
    for turn in tree.turns() {
        for &node in &turn.nodes {
            texts[node as usize] += 1;
            assert_eq!(nodes[node as usize].role, Some(turn.role));
        }
    }
    for (node, times) in nodes.iter().zip(texts) {
        let spoken = matches!(node.role, Some(Role::User | Role::Assistant)) && node.has_text();
        assert_eq!(times, i32::from(spoken && node.link != Link::Repeat));
    }
    if let Some(tip) = tree.tip() {
        assert!(tree.path_to(tip).len() <= nodes.len());
    }
}

fn views(bytes: &[u8], file: &SessionFile) {
    let view = PiView::new(file);
    let count = view.entries().len();
    assert!(view.active_branch().len() <= count && view.context().len() <= count);
    let _ = (view.refusal(), view.roots(), view.labels(), view.list_row());
    let mut reader = EntryReader::new(bytes);
    file.context_messages(&mut reader).expect("memory can be read");
}

/// Whole lines that are added change nothing before them.
fn prefix(bytes: &[u8], at: usize, items_of_all: &[Item]) {
    let Some(end) = bytes[..at].iter().rposition(|&byte| byte == b'\n') else {
        return;
    };
    let before = items(&bytes[..=end]);
    assert_eq!(format!("{before:?}"), format!("{:?}", &items_of_all[..before.len()]));
}

/// Going on with a file that was appended to equals reading it anew.
fn resumed(bytes: &[u8], at: usize) {
    thread_local! {
        static PATH: RefCell<PathBuf> = RefCell::new(
            std::env::temp_dir().join(format!("lookback-fuzz-{}_s1.jsonl", std::process::id()))
        );
    }
    PATH.with_borrow(|path| {
        let name = path.to_str().expect("a path that is text");
        fs::write(path, &bytes[..at]).expect("a file that can be written");
        let first = SessionFile::read(name.into(), 0).expect("a file that can be read");
        fs::write(path, bytes).expect("a file that can be written");
        let resumed = first.resume(0).expect("a file that can be read");
        let anew = SessionFile::read(name.into(), 0).expect("a file that can be read");
        let (Resumed::Extended(resumed, _) | Resumed::Rewritten(resumed)) = resumed;
        assert_eq!(resumed, anew);
    });
}
