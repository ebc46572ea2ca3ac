//! What must hold for every file, whatever is in it.

use std::{collections::HashSet, fs, io};

use camino::Utf8Path;
use lookback_session_model::{
    Diagnostic, Entry, EntryReader, Fields, Item, Link, Node, PiView, ReadAt, Resumed, Role, SessionFile,
    SessionReader, Tree,
};
use proptest::{collection::vec, prelude::*, sample::Index};

use crate::made_up::{Bytes, line, session_bytes};

fn path() -> &'static Utf8Path {
    "x/2026_s1.jsonl".into()
}

fn file(bytes: &[u8]) -> SessionFile {
    SessionFile::from_bytes(path(), bytes, usize::MAX)
}

fn items_from(source: impl ReadAt, length: usize, fields: Fields) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut reader = SessionReader::new(source, length as u64, fields);
    let mut items = Vec::new();
    while let Some(item) = reader.next_item().unwrap() {
        items.push(item);
    }
    (items, reader.diagnostics().iter().cloned().collect())
}

fn items(bytes: &[u8], fields: Fields) -> Vec<Item> {
    items_from(bytes, bytes.len(), fields).0
}

fn entries(bytes: &[u8], fields: Fields) -> Vec<Entry> {
    let entry = |item| match item {
        Item::Entry(entry) => Some(entry),
        Item::Header(_) => None,
    };
    items(bytes, fields).into_iter().filter_map(entry).collect()
}

fn nodes(file: &SessionFile) -> impl Iterator<Item = &Node> {
    file.sessions().iter().flat_map(|session| session.nodes())
}

/// A source that gives a few bytes at a time.
struct Drip<'a>(&'a [u8], usize);

impl ReadAt for Drip<'_> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.1);
        self.0.read_at(offset, &mut buffer[..length])
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn places_are_those_of_lines_and_records(Bytes(bytes) in session_bytes()) {
        let starts: Vec<usize> = std::iter::once(0)
            .chain(bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1))
            .collect();
        for item in items(&bytes, Fields::NONE) {
            let place = match &item {
                Item::Header(header) => header.place,
                Item::Entry(entry) => entry.place,
            };
            let start = starts[place.line as usize - 1];
            let line = bytes[start..].split(|&byte| byte == b'\n').next().unwrap();
            let (offset, length) = (place.offset as usize, place.length as usize);
            prop_assert!(offset >= start && offset + length <= start + line.len());
            if place.recovered {
                let record = &bytes[offset..offset + length];
                let ends = (record.first(), record.trim_ascii_end().last());
                prop_assert_eq!(ends, (Some(&b'{'), Some(&b'}')));
            } else {
                prop_assert_eq!((offset, length), (start, line.len()));
            }
        }
    }

    #[test]
    fn an_entry_read_by_its_place_is_the_entry_that_was_streamed(Bytes(bytes) in session_bytes()) {
        let file = file(&bytes);
        let streamed = entries(&bytes, Fields::ALL);
        prop_assert_eq!(nodes(&file).count(), streamed.len());
        let mut reader = EntryReader::new(&bytes[..]);
        for (node, mut expected) in nodes(&file).zip(streamed) {
            let mut entry = reader.read(node, Fields::ALL).unwrap().expect("it is still there");
            // Version 1 has no parents; the outline knows them.
            entry.parent_id = None;
            expected.parent_id = None;
            prop_assert_eq!(format!("{entry:?}"), format!("{expected:?}"));
        }
    }

    #[test]
    fn every_entry_has_one_place_in_the_tree_and_every_walk_ends(Bytes(bytes) in session_bytes()) {
        let file = file(&bytes);
        for session in file.sessions() {
            let tree = Tree::new(session);
            let mut seen = vec![0; session.nodes().len()];
            let mut open = tree.roots().to_vec();
            while let Some(node) = open.pop() {
                seen[node as usize] += 1;
                open.extend(tree.children(node));
            }
            for (node, times) in session.nodes().iter().zip(&seen) {
                prop_assert_eq!(*times, i32::from(node.link != Link::Repeat));
            }
            for node in 0..session.nodes().len() as u32 {
                prop_assert!(tree.path_to(node).len() <= session.nodes().len());
                prop_assert!(tree.path_to(tree.leaf_behind(node)).contains(&node));
            }
        }
    }

    #[test]
    fn the_same_bytes_give_the_same_file(Bytes(bytes) in session_bytes(), drip in 1..50usize) {
        prop_assert_eq!(file(&bytes), file(&bytes));
        let whole = items_from(&bytes[..], bytes.len(), Fields::ALL);
        let dripped = items_from(Drip(&bytes, drip), bytes.len(), Fields::ALL);
        prop_assert_eq!(format!("{whole:?}"), format!("{dripped:?}"));
    }

    #[test]
    fn a_line_that_is_added_changes_nothing_before_it(Bytes(mut bytes) in session_bytes(), Bytes(added) in line()) {
        if bytes.last() != Some(&b'\n') {
            bytes.push(b'\n');
        }
        let before = (items(&bytes, Fields::ALL), file(&bytes));
        bytes.extend_from_slice(&added);
        bytes.push(b'\n');
        let after = (items(&bytes, Fields::ALL), file(&bytes));
        prop_assert_eq!(format!("{:?}", before.0), format!("{:?}", &after.0[..before.0.len()]));
        for (old, new) in before.1.sessions().iter().zip(after.1.sessions()) {
            let ids: HashSet<_> = new.nodes()[old.nodes().len()..].iter().filter_map(|node| node.id.as_ref()).collect();
            // Only the parent that an entry waited for may come with the new line.
            let awaited = (0..old.nodes().len() as u32)
                .any(|node| matches!(old.nodes()[node as usize].link, Link::Gap | Link::Cut) && ids.contains(old.named_parent(node).unwrap()));
            for (old, new) in old.nodes().iter().zip(new.nodes()) {
                let mut new = new.clone();
                if awaited {
                    (new.parent, new.link) = (old.parent, old.link);
                }
                prop_assert_eq!(old, &new);
            }
        }
    }

    #[test]
    fn turns_hold_every_text_once_and_follow_a_branch(Bytes(bytes) in session_bytes()) {
        let file = file(&bytes);
        for session in file.sessions() {
            let tree = Tree::new(session);
            let mut seen = vec![0; session.nodes().len()];
            for turn in tree.turns() {
                for pair in turn.nodes.windows(2) {
                    prop_assert!(tree.path_to(pair[1]).contains(&pair[0]));
                }
                for &node in &turn.nodes {
                    seen[node as usize] += 1;
                    prop_assert_eq!(session.nodes()[node as usize].role, Some(turn.role));
                }
            }
            for (node, times) in session.nodes().iter().zip(seen) {
                let spoken = matches!(node.role, Some(Role::User | Role::Assistant)) && node.has_text();
                prop_assert_eq!(times, i32::from(spoken && node.link != Link::Repeat));
            }
        }
    }

    #[test]
    fn the_view_of_pi_always_ends(Bytes(bytes) in session_bytes()) {
        let file = file(&bytes);
        let view = PiView::new(&file);
        let entries = view.entries().len();
        prop_assert!(view.active_branch().len() <= entries && view.context().len() <= entries);
        let _ = (view.refusal(), view.roots(), view.labels(), view.session_name(), view.list_row());
        let mut reader = EntryReader::new(&bytes[..]);
        prop_assert!(file.context_messages(&mut reader).unwrap().len() <= 2 * entries);
    }

    #[test]
    fn kept_texts_are_those_of_the_entries(Bytes(bytes) in session_bytes(), keep in 0..80usize) {
        let some = SessionFile::from_bytes(path(), &bytes, keep);
        let mut kept = 0;
        let mut streamed = entries(&bytes, Fields::TEXT).into_iter();
        for session in some.sessions() {
            for node in 0..session.nodes().len() as u32 {
                let entry = streamed.next().unwrap();
                if let Some(text) = session.kept_text(node) {
                    prop_assert_eq!(text, &entry.message().unwrap().text);
                    kept += text.as_str().len();
                }
            }
        }
        prop_assert!(kept <= keep);
    }
}

/// What can happen to a file between two looks at it.
#[derive(Debug, Clone)]
enum Change {
    Append(Bytes),
    AppendTorn(Bytes),
    Rewrite(Bytes),
    Truncate(Index),
    Nothing,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        5 => vec(line(), 1..4).prop_map(|lines| Change::Append(
            Bytes(lines.into_iter().flat_map(|line| [&line.0[..], b"\n"].concat()).collect())
        )),
        2 => (line(), any::<Index>()).prop_map(|(line, at)| Change::AppendTorn(Bytes(line.0[..at.index(line.0.len() + 1)].to_vec()))),
        1 => session_bytes().prop_map(Change::Rewrite),
        1 => any::<Index>().prop_map(Change::Truncate),
        1 => Just(Change::Nothing),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn going_on_with_a_file_equals_reading_it_anew(Bytes(bytes) in session_bytes(), changes in vec(change(), 1..6)) {
        let folder = tempfile::tempdir().unwrap();
        let path = Utf8Path::from_path(folder.path()).unwrap().join("2026_s1.jsonl");
        fs::write(&path, &bytes).unwrap();
        let mut content = bytes;
        let mut known = SessionFile::read(&path, 0).unwrap();
        for change in changes {
            match change {
                Change::Append(lines) | Change::AppendTorn(lines) => content.extend_from_slice(&lines.0),
                Change::Rewrite(bytes) => content = bytes.0,
                Change::Truncate(at) => content.truncate(at.index(content.len() + 1)),
                Change::Nothing => {}
            }
            fs::write(&path, &content).unwrap();
            let before = nodes(&known).count() as u32;
            let fresh = SessionFile::read(&path, 0).unwrap();
            known = match known.resume(0).unwrap() {
                Resumed::Extended(file, first_new) => {
                    prop_assert_eq!(first_new, before);
                    file
                }
                Resumed::Rewritten(file) => file,
            };
            prop_assert_eq!(&known, &fresh);
        }
    }
}
