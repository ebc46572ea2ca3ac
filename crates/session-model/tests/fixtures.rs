//! Every fixture must equal the truth that Pi computed for it.

use std::fs;

use camino::{Utf8Path, Utf8PathBuf};
use lookback_session_model::{EntryReader, EntryRef, PiView, SessionFile};
use serde_json::Value;

pub(crate) fn data() -> Utf8PathBuf {
    Utf8Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

/// Texts in truth files are cut at this many UTF-16 units.
const CUT: usize = 1500;

fn cut(text: &str) -> String {
    String::from_utf16_lossy(&text.encode_utf16().take(CUT).collect::<Vec<_>>())
}

struct Check<'a> {
    name: &'a str,
    file: &'a SessionFile,
    view: &'a PiView<'a>,
    open: &'a Value,
    random_ids: bool,
}

impl Check<'_> {
    fn position(&self, entry: EntryRef) -> u64 {
        self.view
            .entries()
            .iter()
            .position(|known| *known == entry)
            .unwrap() as u64
    }

    /// Entries by id, or by position in files whose ids Pi invents.
    fn list(&self, entries: &[EntryRef], ids: &str, positions: &str) {
        if !self.random_ids {
            let found: Vec<_> = entries
                .iter()
                .map(|&entry| self.view.node(entry).id.as_ref().unwrap().as_str())
                .collect();
            assert_eq!(serde_json::json!(found), self.open[ids], "{}: {ids}", self.name);
        }
        let found: Vec<_> = entries.iter().map(|&entry| self.position(entry)).collect();
        assert_eq!(
            serde_json::json!(found),
            self.open[positions],
            "{}: {positions}",
            self.name
        );
    }

    fn entries(&self) {
        let truth = self.open["entries"].as_array().unwrap();
        assert_eq!(self.view.entries().len(), truth.len(), "{}", self.name);
        for (&entry, truth) in self.view.entries().iter().zip(truth) {
            let node = self.view.node(entry);
            if !self.random_ids {
                assert_eq!(
                    node.id.as_ref().map(|id| id.as_str()),
                    truth["id"].as_str(),
                    "{}",
                    self.name
                );
                let parent = self.file.sessions()[0].named_parent(entry.node);
                assert_eq!(
                    parent.map(|id| id.as_str()),
                    truth["parentId"].as_str(),
                    "{}",
                    self.name
                );
            }
            assert_eq!(
                node.role.map(|role| role.name()),
                truth["role"].as_str(),
                "{}",
                self.name
            );
        }
    }

    fn context_texts(&self) {
        let (mut reader, _) = EntryReader::open(self.file.path()).unwrap();
        let messages = self.file.context_messages(&mut reader).unwrap();
        let truth = self.open["contextMessages"].as_array().unwrap();
        assert_eq!(messages.len(), truth.len(), "{}: {messages:#?}", self.name);
        for (message, truth) in messages.iter().zip(truth) {
            assert_eq!(
                message.role.name(),
                truth["role"].as_str().unwrap(),
                "{}",
                self.name
            );
            assert_eq!(
                cut(&message.text),
                truth["text"].as_str().unwrap(),
                "{}",
                self.name
            );
            if let Some(length) = truth["textLength"].as_u64() {
                assert_eq!(
                    message.text.encode_utf16().count() as u64,
                    length,
                    "{}",
                    self.name
                );
            }
        }
    }

    fn list_row(&self, truth: &Value) {
        let row = self.view.list_row();
        if truth.is_null() {
            assert_eq!(row, None, "{}", self.name);
            return;
        }
        let row = row.unwrap_or_else(|| panic!("{} is listed by Pi", self.name));
        let summary = self.file.summary(&self.file.sessions()[0]);
        assert_eq!(summary.title, truth["title"].as_str().unwrap(), "{}", self.name);
        assert_eq!(
            cut(&row.first_message),
            truth["firstMessage"].as_str().unwrap(),
            "{}",
            self.name
        );
        assert_eq!(row.name.as_deref(), truth["name"].as_str(), "{}", self.name);
        assert_eq!(row.cwd, truth["cwd"].as_str().unwrap(), "{}", self.name);
        assert_eq!(
            row.message_count,
            truth["messageCount"].as_u64().unwrap(),
            "{}",
            self.name
        );
        assert_eq!(
            row.parent_session.as_deref(),
            truth["parentSessionPath"].as_str(),
            "{}",
            self.name
        );
        for (time, key) in [
            (row.created, "created"),
            (row.modified, "modified"),
            (summary.modified, "modified"),
        ] {
            assert_eq!(
                time.map(|time| time.to_string()).as_deref(),
                truth[key].as_str(),
                "{}: {key}",
                self.name
            );
        }
    }
}

#[test]
fn equal_the_truth_of_pi() {
    let root = data().join("pi-sessions");
    let index: Value = serde_json::from_str(&fs::read_to_string(root.join("index.json")).unwrap()).unwrap();
    let fixtures = index["fixtures"].as_array().unwrap();
    assert!(fixtures.len() >= 20);
    for fixture in fixtures {
        let name = fixture["name"].as_str().unwrap();
        let truth: Value =
            serde_json::from_str(&fs::read_to_string(root.join(fixture["truth"].as_str().unwrap())).unwrap())
                .unwrap();
        let file = SessionFile::read(&root.join(fixture["path"].as_str().unwrap()), 0).unwrap();
        let view = PiView::new(&file);
        let open = &truth["open"];
        let random_ids = fixture["entryIdsRandom"].as_bool().unwrap_or(false);
        let check = Check {
            name,
            file: &file,
            view: &view,
            open,
            random_ids,
        };
        assert_eq!(view.refusal().is_none(), open["ok"].as_bool().unwrap(), "{name}");
        let header: Value = serde_json::from_str(&view.header().unwrap().raw_as_pi_migrates()).unwrap();
        assert_eq!(header, open["header"], "{name}");
        check.entries();
        assert_eq!(
            view.leaf().map(|leaf| check.position(leaf)),
            open["leafIndex"].as_u64(),
            "{name}"
        );
        check.list(&view.active_branch(), "activeBranchIds", "activeBranchIndexes");
        check.list(&view.context(), "contextEntryIds", "contextEntryIndexes");
        check.context_texts();
        assert_eq!(view.session_name(), open["sessionName"].as_str(), "{name}");
        if !random_ids {
            let labels: serde_json::Map<_, _> = view
                .labels()
                .into_iter()
                .map(|(id, label)| (id.to_string(), label.into()))
                .collect();
            assert_eq!(Value::Object(labels), open["labels"], "{name}");
            let roots: Vec<_> = view
                .roots()
                .into_iter()
                .map(|root| view.node(root).id.as_ref().unwrap().as_str())
                .collect();
            assert_eq!(serde_json::json!(roots), open["treeRootIds"], "{name}");
        }
        check.list_row(&truth["list"]);
        assert!(file.diagnostics().is_empty(), "{name}: {:?}", file.diagnostics());
    }
}
