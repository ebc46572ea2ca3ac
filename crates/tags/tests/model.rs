//! Random sequences of operations against a map in memory.

use std::collections::BTreeMap;

use lookback_tags::{Tag, TagEdit, TagSnapshot, TagStore};
use proptest::prelude::*;

use crate::support::{DataDir, lists, property_config};

/// Manual, generated and suppressed tags by session: the rules written down once more, as simply as can be.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Model(pub(crate) BTreeMap<String, [Vec<String>; 3]>);

impl Model {
    pub(crate) fn apply(&mut self, session: &str, edit: &TagEdit) {
        let [manual, generated, suppressed] = self.0.entry(session.to_owned()).or_default();
        let has = |list: &[String], tag: &Tag| list.iter().any(|name| name == tag.as_str());
        let drop = |list: &mut Vec<String>, tag: &Tag| list.retain(|name| name != tag.as_str());
        match edit {
            TagEdit::Add(tags) => {
                for tag in tags {
                    if !has(manual, tag) {
                        manual.push(tag.to_string());
                    }
                    drop(generated, tag);
                    drop(suppressed, tag);
                }
            }
            TagEdit::Remove(tags) => {
                for tag in tags {
                    if !has(suppressed, tag) {
                        suppressed.push(tag.to_string());
                    }
                    drop(manual, tag);
                    drop(generated, tag);
                }
            }
            TagEdit::SetGenerated(tags) => {
                generated.clear();
                for tag in tags {
                    if !has(manual, tag) && !has(suppressed, tag) && !has(generated, tag) {
                        generated.push(tag.to_string());
                    }
                }
            }
            _ => unreachable!("an edit that the model does not know"),
        }
        self.0
            .retain(|_, lists| lists.iter().any(|list| !list.is_empty()));
    }

    pub(crate) fn of(snapshot: &TagSnapshot) -> Self {
        let owned = |list: Vec<&str>| list.into_iter().map(str::to_owned).collect();
        Self(
            snapshot
                .sessions()
                .map(|(session, tags)| (session.to_owned(), lists(Some(tags)).map(owned)))
                .collect(),
        )
    }
}

#[derive(Debug, Clone)]
enum Step {
    Edit(usize, TagEdit),
    /// Several at once, through the other store: another process.
    Batch(Vec<(usize, TagEdit)>),
    Reopen,
    CutFile(usize),
    RemoveFile,
    Repair,
}

const SESSIONS: [&str; 3] = ["a", "b", "c"];

fn some_tags() -> impl Strategy<Value = Vec<Tag>> {
    let spellings = ["x", "X", "#x", "y", "Y y", "y-y", "café", "CAFE\u{301}", "z"];
    prop::collection::vec(
        prop::sample::select(spellings.to_vec()).prop_map(|text| Tag::new(text).unwrap()),
        0..4,
    )
}

fn some_edit() -> impl Strategy<Value = (usize, TagEdit)> {
    (0..SESSIONS.len(), 0..3, some_tags()).prop_map(|(session, kind, tags)| {
        let edit = match kind {
            0 => TagEdit::Add(tags),
            1 => TagEdit::Remove(tags),
            _ => TagEdit::SetGenerated(tags),
        };
        (session, edit)
    })
}

fn some_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => some_edit().prop_map(|(session, edit)| Step::Edit(session, edit)),
        3 => prop::collection::vec(some_edit(), 0..4).prop_map(Step::Batch),
        1 => Just(Step::Reopen),
        1 => any::<usize>().prop_map(Step::CutFile),
        1 => Just(Step::RemoveFile),
        1 => Just(Step::Repair),
    ]
}

proptest! {
    #![proptest_config(property_config(96))]

    /// Nothing is lost by any of this, not even by damage: the backup is as new as the file.
    #[test]
    fn the_store_does_what_a_map_does(steps in prop::collection::vec(some_step(), 1..40)) {
        let dir = DataDir::new();
        let mut store = dir.store();
        let other = dir.store();
        let file = dir.path.join(TagStore::FILE_NAME);
        let mut model = Model::default();
        for (now, step) in steps.into_iter().enumerate() {
            match step {
                Step::Edit(session, edit) => {
                    let session = SESSIONS[session];
                    let before = model.clone();
                    model.apply(session, &edit);
                    let outcome = store.apply(&[(session, edit)], now as i64).unwrap();
                    prop_assert_eq!(Model::of(&outcome.snapshot), model.clone());
                    prop_assert_eq!(outcome.changed, model != before);
                }
                Step::Batch(edits) => {
                    edits.iter().for_each(|(session, edit)| model.apply(SESSIONS[*session], edit));
                    let edits: Vec<_> = edits.into_iter().map(|(session, edit)| (SESSIONS[session], edit)).collect();
                    other.apply(&edits, now as i64).unwrap();
                }
                Step::Reopen => store = dir.store(),
                Step::CutFile(at) => {
                    if let Ok(bytes) = fs_err::read(&file) {
                        fs_err::write(&file, &bytes[..at % (bytes.len() - 1)]).unwrap();
                    }
                }
                Step::RemoveFile => drop(fs_err::remove_file(&file)),
                Step::Repair => {
                    let outcome = store.repair().unwrap();
                    prop_assert!(outcome.snapshot.notices().is_empty());
                }
            }
            prop_assert_eq!(Model::of(&store.snapshot().unwrap()), model.clone());
        }
    }
}
