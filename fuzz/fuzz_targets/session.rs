//! The session reader, whatever the bytes are: nothing panics, every record slices back to its line, every entry has
//! at most one parent and every walk ends, the same bytes give the same result, and a line that is appended changes
//! nothing that was read before it.

#![no_main]

use std::collections::HashSet;

use camino::Utf8Path;
use libfuzzer_sys::fuzz_target;
use lookback_session_model::{EntryReader, Fields, Item, PiView, Place, SessionFile, SessionReader, Tree};

fuzz_target!(|bytes: &[u8]| {
    let items = read(bytes);
    for item in &items {
        let place = place_of(item);
        let record = slice(bytes, place);
        assert!(!record.contains(&b'\n'), "a record is within one line");
        let lines_before = bytes[..place.offset as usize].iter().filter(|byte| **byte == b'\n').count();
        assert_eq!(lines_before as u64 + 1, place.line);
    }

    let path = Utf8Path::new("2026_fuzz.jsonl");
    let file = SessionFile::from_bytes(path, bytes, 1 << 16);
    assert_eq!(file, SessionFile::from_bytes(path, bytes, 1 << 16), "the same bytes give the same outline");
    let view = PiView::new(&file);
    let _ = (view.active_branch(), view.context(), view.roots(), view.labels(), view.list_row(), view.refusal());
    let mut reader = EntryReader::new(bytes);
    for session in file.sessions() {
        check_tree(session, &mut reader);
    }

    // A line that cannot end inside of what stands before it.
    if bytes.last().is_none_or(|last| *last == b'\n') {
        let mut longer = bytes.to_vec();
        longer.extend_from_slice(b"{\"type\":\"label\",\"id\":\"fuzzfuzz\",\"parentId\":null,\"timestamp\":\"2026-01-01T00:00:00.000Z\"}\n");
        let after = read(&longer);
        assert!(after.starts_with(&items), "what was read before stays");
        assert_eq!(after.len(), items.len() + 1);
    }
});

fn read(bytes: &[u8]) -> Vec<Item> {
    let mut reader = SessionReader::from_bytes(bytes, Fields::ALL);
    let mut items = Vec::new();
    while let Some(item) = reader.next_item().expect("memory can be read") {
        items.push(item);
    }
    items
}

fn place_of(item: &Item) -> Place {
    match item {
        Item::Header(header) => header.place,
        Item::Entry(entry) => entry.place,
    }
}

fn slice(bytes: &[u8], place: Place) -> &[u8] {
    &bytes[place.offset as usize..][..place.length as usize]
}

fn check_tree(session: &lookback_session_model::Session, reader: &mut EntryReader<&[u8]>) {
    let tree = Tree::new(session);
    let nodes = session.nodes();
    let count = nodes.len() as u32;
    let mut reached = HashSet::new();
    let mut open = tree.roots().to_vec();
    while let Some(node) = open.pop() {
        assert!(reached.insert(node), "an entry has one parent");
        open.extend_from_slice(tree.children(node));
    }
    assert_eq!(reached.len() as u32, count, "every entry is reached from a root");
    let mut in_turns = HashSet::new();
    for turn in tree.turns() {
        for node in turn.nodes {
            assert!(nodes[node as usize].has_text() && in_turns.insert(node), "an entry is in one turn");
        }
    }
    // Each of these walks up to the root: a few suffice.
    for node in (0..count).step_by(1 + nodes.len() / 16) {
        assert!(tree.path_to(node).len() <= nodes.len());
        let leaf = tree.leaf_behind(node);
        assert!(leaf < count);
        if let Some(entry) = reader.read(&nodes[node as usize], Fields::ALL).expect("memory can be read") {
            assert_eq!(entry.id, nodes[node as usize].id);
        }
    }
    assert!(tree.tip().is_none_or(|tip| tip < count));
}
