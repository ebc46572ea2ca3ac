//! Inputs of a kind that breaks tools like this one: every expectation about files and trees in `tests/data/cases`.

use std::{collections::BTreeMap, fs, time::Instant};

use camino::Utf8PathBuf;
use lookback_session_model::{
    BranchState, DiagnosticKind, Discovery, EntryReader, Fields, Lineage, Link, Parent, PiView, Role,
    Session, SessionFile, Tree,
};
use serde_json::Value;

use crate::fixtures::data;

/// One of the cases: what is expected, and its files.
struct Case {
    expect: Value,
    files: Vec<SessionFile>,
    folder: Utf8PathBuf,
}

fn case(number: &str) -> Case {
    let folder = fs::read_dir(data().join("cases"))
        .unwrap()
        .map(|entry| Utf8PathBuf::try_from(entry.unwrap().path()).unwrap())
        .find(|path| path.file_name().unwrap().starts_with(number))
        .unwrap();
    let expect = serde_json::from_str(&fs::read_to_string(folder.join("expect.json")).unwrap()).unwrap();
    let found = Discovery::look(&[folder.join("sessions")], |_| false);
    let files = found
        .files
        .iter()
        .map(|file| SessionFile::read(&file.path, usize::MAX).unwrap())
        .collect();
    Case {
        expect,
        files,
        folder,
    }
}

fn text(session: &Session, node: u32) -> &str {
    session.kept_text(node).map_or("", |text| text.as_str())
}

fn id(session: &Session, node: u32) -> &str {
    session.nodes()[node as usize].id.as_ref().unwrap().as_str()
}

fn ids<'a>(session: &'a Session, nodes: &[u32]) -> Vec<&'a str> {
    nodes.iter().map(|&node| id(session, node)).collect()
}

/// The texts along the path to an entry.
fn path_texts<'a>(session: &'a Session, tree: &Tree<'_>, node: u32) -> Vec<&'a str> {
    let path = tree.path_to(node);
    path.into_iter()
        .filter(|&node| session.nodes()[node as usize].has_text())
        .map(|node| text(session, node))
        .collect()
}

impl Case {
    fn sessions(&self) -> impl Iterator<Item = (&SessionFile, &Session)> {
        self.files
            .iter()
            .flat_map(|file| file.sessions().iter().map(move |session| (file, session)))
    }

    fn session(&self, id: &str) -> (&SessionFile, &Session) {
        self.sessions()
            .find(|(_, session)| session.id().as_str() == id)
            .unwrap_or_else(|| panic!("no session {id}"))
    }

    /// The entries whose text has all words, in all sessions.
    fn find(&self, words: &str) -> Vec<(&Session, u32)> {
        self.sessions()
            .flat_map(|(_, session)| (0..session.nodes().len() as u32).map(move |node| (session, node)))
            .filter(|&(session, node)| {
                let text = text(session, node);
                words.split_whitespace().all(|word| text.contains(word))
            })
            .collect()
    }

    /// Everything in `expect.json` that the model answers.
    fn check(&self) {
        let map = |key: &str| self.expect[key].as_object().cloned().unwrap_or_default();
        for search in self.expect["search"].as_array().unwrap() {
            self.check_search(search);
        }
        for (session, lines) in map("damagedLines") {
            let (file, _) = self.session(&session);
            let damaged: Vec<_> = file
                .diagnostics()
                .iter()
                .filter(|diagnostic| diagnostic.kind.is_damage())
                .map(|diagnostic| diagnostic.line)
                .collect();
            assert_eq!(serde_json::json!(damaged), lines, "{session}");
        }
        for (id, count) in map("messageCount") {
            let (file, session) = self.session(&id);
            assert_eq!(
                serde_json::json!(file.summary(session).message_count),
                count,
                "{id}"
            );
        }
        for (id, name) in map("name") {
            let (file, session) = self.session(&id);
            assert_eq!(file.summary(session).name.as_deref(), name.as_str(), "{id}");
        }
        for (id, time) in map("lastActivity") {
            let (file, session) = self.session(&id);
            assert_eq!(file.summary(session).modified.unwrap().to_string(), time, "{id}");
        }
        for (id, leaf) in map("piLeaf") {
            let (file, _) = self.session(&id);
            let view = PiView::new(file);
            assert_eq!(
                view.node(view.leaf().unwrap()).id.as_ref().unwrap().as_str(),
                leaf,
                "{id}"
            );
        }
        for (id, order) in map("readOrder") {
            let (_, session) = self.session(&id);
            let tree = Tree::new(session);
            assert_eq!(
                serde_json::json!(ids(session, &tree.path_to(tree.tip().unwrap()))),
                order,
                "{id}"
            );
        }
        for (id, leaves) in map("leaves") {
            let (_, session) = self.session(&id);
            assert_eq!(
                serde_json::json!(ids(session, &Tree::new(session).leaves())),
                leaves,
                "{id}"
            );
        }
        for (id, unread) in map("unread") {
            let (_, session) = self.session(&id);
            let last = session
                .nodes()
                .iter()
                .rev()
                .find(|node| node.role.is_some())
                .unwrap();
            let is_unread = last.role == Some(Role::User) && last.has_text();
            assert_eq!(serde_json::json!(is_unread), unread, "{id}");
        }
    }

    fn check_search(&self, search: &Value) {
        let words = search["q"].as_str().unwrap();
        let found = self.find(words);
        let hit = found
            .iter()
            .find(|(session, _)| session.id().as_str() == search["session"]);
        let &(session, node) = hit.unwrap_or_else(|| panic!("{words}: not in its session"));
        if let Some(entry) = search["entry"].as_str() {
            assert_eq!(id(session, node), entry, "{words}");
        }
        let state = Tree::new(session).state(node);
        match search["branch"].as_str() {
            Some("abandoned") => assert_eq!(state, BranchState::Abandoned, "{words}"),
            Some("active") => assert_eq!(state, BranchState::Active, "{words}"),
            _ => {}
        }
    }
}

#[test]
fn a_torn_append_and_runs_of_nul_bytes_lose_only_what_is_lost() {
    let case = case("01");
    case.check();
    let (file, session) = case.session("019b78ff-fce8-7a01-8b07-9a0100000001");
    let tree = Tree::new(session);
    let path = tree.path_to(tree.tip().unwrap());
    assert_eq!(
        ids(session, &path),
        ["a1000001", "a1000002", "a1000004", "a1000005", "a1000006"]
    );
    let gaps: Vec<_> = path.iter().filter(|&&node| session.is_behind_gap(node)).collect();
    assert_eq!(ids(session, &[*gaps[0]]), ["a1000004"]);
    assert_eq!(gaps.len(), 1);
    assert_eq!(session.named_parent(*gaps[0]).unwrap().as_str(), "a1000003");
    assert!(session.nodes()[*gaps[0] as usize].place.recovered);
    assert_eq!(
        file.summary(session).modified.unwrap().to_string(),
        "2026-01-01T10:01:11.000Z"
    );
    let (file, session) = case.session("019b7900-00d0-7a02-8b0e-9a0100000002");
    assert_eq!(
        file.summary(session).modified.unwrap().to_string(),
        "2026-01-01T10:01:36.000Z"
    );
    assert_eq!(file.diagnostics().count(DiagnosticKind::RecoveredLine), 1);
    assert!(session.nodes().iter().all(|node| node.link != Link::Gap));
}

#[test]
fn bytes_that_are_not_utf8_are_replaced_and_offsets_stay() {
    let case = case("02");
    case.check();
    let (file, _) = case.session("019b7900-23f8-7a0b-8b4d-9a010000000b");
    assert_eq!(file.diagnostics().damaged_lines(), 1);
    let (file, session) = case.session("019b7900-27e0-7a0c-8b54-9a010000000c");
    assert_eq!(file.diagnostics().count(DiagnosticKind::ReplacedBytes), 4);
    let words = [
        "medlar",
        "quince",
        "rambutan",
        "durian",
        "loquat",
        "salak",
        "mangosteen",
    ];
    let hits: Vec<_> = words.iter().map(|word| case.find(word)).collect();
    assert!(hits.iter().all(|hits| hits.len() == 1));
    assert_eq!(text(session, 0), "medlar \u{fffd}\u{fffd} quince");
    let bytes = fs::read(file.path()).unwrap();
    for node in session.nodes() {
        let record = &bytes[node.place.offset as usize..][..node.place.length as usize];
        assert!(record.starts_with(b"{\"type\"") && record.ends_with(b"}"));
    }
}

#[test]
fn halves_of_surrogate_pairs_do_not_lose_a_line() {
    let case = case("03");
    case.check();
    let (file, session) = case.session("019b7900-4b08-7a15-8b93-9a0100000015");
    assert!(file.summary(session).name.unwrap().contains('\u{fffd}'));
    for word in ["alder", "birch", "cedar", "dogwood", "elder", "hawthorn"] {
        assert_eq!(case.find(word).len(), 1, "{word}");
    }
}

#[test]
fn byte_order_mark_crlf_blank_lines_and_a_missing_last_newline_change_nothing() {
    let case = case("05");
    case.check();
    assert_eq!(case.files.len(), 4);
    for (file, session) in case.sessions() {
        let summary = file.summary(session);
        assert_eq!(
            (summary.cwd.as_str(), summary.message_count),
            ("/home/dev/bom", 3)
        );
        assert!((0..session.nodes().len() as u32).all(|node| !text(session, node).contains('\r')));
        assert_eq!(file.diagnostics().damaged_lines(), 0);
        // Pi itself does not get past the mark.
        let marked = file.diagnostics().count(DiagnosticKind::ByteOrderMark) == 1;
        let view = PiView::new(file);
        assert_eq!(
            (view.refusal().is_some(), view.list_row().is_none()),
            (marked, marked)
        );
    }
}

#[test]
fn equal_ids_circles_and_second_headers_end_and_show_nothing_twice() {
    let start = Instant::now();
    let case = case("07");
    case.check();
    for (_, session) in case.sessions() {
        let tree = Tree::new(session);
        let mut seen = vec![0; session.nodes().len()];
        let mut open = tree.roots().to_vec();
        while let Some(node) = open.pop() {
            seen[node as usize] += 1;
            open.extend(tree.children(node));
        }
        let whole =
            |(node, &times): (usize, &i32)| times == i32::from(session.nodes()[node].link != Link::Repeat);
        assert!(seen.iter().enumerate().all(whole), "{}: {seen:?}", session.id());
    }
    let (file, session) = case.session("019b7900-e748-7a3d-8bab-9a010000003d");
    let tree = Tree::new(session);
    assert_eq!(
        ids(session, &tree.path_to(tree.tip().unwrap())),
        [
            "a0000001", "a0000002", "a0000003", "a0000004", "a0000005", "a0000006", "a0000006"
        ]
    );
    assert_eq!(file.diagnostics().count(DiagnosticKind::RepeatedEntry), 2);
    let (file, session) = case.session("019b7900-ef18-7a3f-8bb9-9a010000003f");
    assert_eq!(file.diagnostics().count(DiagnosticKind::ParentCycle), 1);
    let (_, bergamot) = case.find("bergamot")[0];
    assert!(Tree::new(session).path_to(bergamot).len() <= 500);
    assert!(PiView::new(file).refusal().is_some());
    let (file, other) = case.session("019b7900-f6e8-7a41-8bc7-9a0100000041");
    assert_eq!((file.sessions().len(), other.nodes().len()), (2, 2));
    assert_eq!(other.header().unwrap().cwd, "/home/dev/other");
    assert!(start.elapsed().as_secs() < 2);
}

#[test]
fn a_rename_with_an_old_parent_does_not_hide_the_newest_messages() {
    let case = case("09");
    case.check();
    let (file, session) = case.session("019b7901-3568-7a51-8b37-9a0100000051");
    let tree = Tree::new(session);
    assert_eq!(id(session, tree.tip().unwrap()), "a1000008");
    assert_eq!(path_texts(session, &tree, tree.tip().unwrap()).len(), 8);
    assert_eq!(tree.state(case.find("juniper")[0].1), BranchState::Active);
    let view = PiView::new(file);
    let shown: Vec<_> = view
        .active_branch()
        .iter()
        .filter(|entry| view.node(**entry).has_text())
        .map(|entry| id(session, entry.node))
        .collect();
    assert_eq!(shown, ["a1000001", "a1000002"]);
}

#[test]
fn branches_are_read_one_at_a_time() {
    let case = case("12");
    case.check();
    let (_, session) = case.session("019b7901-aa98-7a6f-8b09-9a010000006f");
    let tree = Tree::new(session);
    assert_eq!(ids(session, &tree.fork_points()), ["a1000002"]);
    let words = |node: u32| -> Vec<&str> {
        path_texts(session, &tree, node)
            .iter()
            .map(|text| text.rsplit(' ').next().unwrap())
            .collect()
    };
    assert_eq!(
        words(tree.tip().unwrap()),
        ["vermilion", "ochre", "magenta", "amaranth", "it.", "mauve"]
    );
    let (_, indigo) = case.find("indigo")[0];
    let leaf = tree.leaf_behind(indigo);
    assert_eq!(id(session, leaf), "a2000004");
    assert_eq!(
        words(leaf),
        ["vermilion", "ochre", "cobalt", "indigo", "jobs.", "periwinkle"]
    );
    let (_, celadon) = case.find("celadon")[0];
    assert_eq!(
        words(tree.leaf_behind(celadon)),
        ["vermilion", "ochre", "files?", "celadon"]
    );
}

#[test]
fn forks_share_their_history_and_know_their_parent() {
    let case = case("13");
    case.check();
    let quokkas = case.find("quokka");
    let keys: Vec<_> = quokkas
        .iter()
        .map(|&(session, node)| {
            let turns = Tree::new(session).turns();
            turns.iter().find(|turn| turn.nodes.contains(&node)).unwrap().key
        })
        .collect();
    assert_eq!(keys.len(), 5);
    assert!(keys.iter().all(|key| *key == keys[0]));
    for word in ["potoroo", "wombat", "dunnart", "quoll"] {
        assert_eq!(case.find(word).len(), 1, "{word}");
    }
    let mut costs: BTreeMap<String, f64> = BTreeMap::new();
    for (file, session) in case.sessions() {
        let (mut reader, _) = EntryReader::open(file.path()).unwrap();
        for node in session.nodes() {
            let entry = reader.read(node, Fields::USAGE).unwrap().unwrap();
            let Some(message) = entry.message().filter(|message| message.usage.is_some()) else {
                continue;
            };
            let id = message.response_id.clone().unwrap_or_default();
            costs.insert(
                id.to_string(),
                message.usage.as_ref().unwrap().cost.total.unwrap(),
            );
        }
    }
    assert_eq!(
        costs.keys().map(String::as_str).collect::<Vec<_>>(),
        ["", "resp_0001", "resp_0002", "resp_0003"]
    );
    let total: f64 = costs.values().sum();
    assert!((total - 4.0 * 0.0003).abs() < 1e-9, "{total}");
}

#[test]
fn lineage_survives_missing_parents_foreign_paths_and_moved_folders() {
    let case = case("13");
    let moved = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::try_from(moved.path().to_owned()).unwrap();
    let found = Discovery::look(&[case.folder.join("sessions")], |_| false);
    let summaries: Vec<_> = found
        .files
        .iter()
        .map(|found| {
            let path = root.join(found.path.file_name().unwrap());
            fs::copy(&found.path, &path).unwrap();
            let file = SessionFile::read(&path, 0).unwrap();
            file.summary(&file.sessions()[0])
        })
        .collect();
    let lineage = Lineage::new(&summaries);
    let parents: Vec<_> = (0..5).map(|session| lineage.parent(session).clone()).collect();
    let missing = |path: &str| Parent::Missing(path.to_owned());
    assert_eq!(
        parents,
        [
            Parent::None,
            Parent::Known(0),
            Parent::Known(0),
            missing(
                "/home/dev/.pi/agent/sessions/--home-dev-forks--/2025-12-24T08-00-00-000Z_deleted-parent.jsonl"
            ),
            missing("C:\\Users\\dev\\.pi\\agent\\sessions\\--C--src--\\x.jsonl"),
        ]
    );
    assert_eq!(lineage.ancestors(1), (vec![0], None));
    assert!(
        lineage
            .ancestors(3)
            .1
            .unwrap()
            .as_str()
            .ends_with("deleted-parent.jsonl")
    );
}
