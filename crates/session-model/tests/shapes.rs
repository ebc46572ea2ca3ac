//! Trees of unusual shape: linear time, and no call stack that grows with them.

use std::{fmt::Write as _, time::Instant};

use lookback_session_model::{DiagnosticKind, Link, PiView, SessionFile, Tree};

/// A session whose entry n has the id `e<id(n)>` and the parent `e<parent(n)>`.
fn session(count: u32, id: impl Fn(u32) -> u32, parent: impl Fn(u32) -> Option<u32>) -> SessionFile {
    let mut text = String::from(
        "{\"type\":\"session\",\"version\":3,\"id\":\"s1\",\"timestamp\":\"2026-03-02T09:00:00.000Z\",\"cwd\":\"/x\"}\n",
    );
    for n in 0..count {
        let parent = parent(n).map_or("null".to_owned(), |parent| format!("\"e{parent}\""));
        writeln!(
            text,
            r#"{{"type":"message","id":"e{}","parentId":{parent},"timestamp":"2026-03-02T09:00:01.000Z","message":{{"role":"user","content":"n{n}"}}}}"#,
            id(n)
        )
        .unwrap();
    }
    SessionFile::from_bytes("x/2026_s1.jsonl".into(), text.as_bytes(), 0)
}

/// Everything that walks the tree.
fn walk(file: &SessionFile) -> (usize, usize, usize) {
    let session = &file.sessions()[0];
    let tree = Tree::new(session);
    let tip = tree.tip().unwrap();
    let path = tree.path_to(tip).len();
    let texts: usize = tree.turns().iter().map(|turn| turn.nodes.len()).sum();
    tree.leaf_behind(tree.roots()[0]);
    let view = PiView::new(file);
    let _ = (view.refusal(), view.context(), view.roots(), view.labels());
    (path, tree.leaves().len(), texts)
}

const MANY: u32 = 60_000;
const N: usize = MANY as usize;

#[test]
fn long_chains_rings_and_stars_take_linear_time() {
    let start = Instant::now();
    let chain = session(MANY, |n| n, |n| n.checked_sub(1));
    assert_eq!(walk(&chain), (N, 1, N));
    let backwards = session(MANY, |n| MANY - n, |n| Some(MANY - n - 1));
    // The last line is the root, so the tip is there; the first line is the other end.
    assert_eq!(walk(&backwards), (1, 1, N));
    assert_eq!(Tree::new(&backwards.sessions()[0]).path_to(0).len(), N);
    let ring = session(MANY, |n| n, |n| Some((n + MANY - 1) % MANY));
    assert_eq!(walk(&ring), (N, 1, N));
    assert_eq!(ring.diagnostics().count(DiagnosticKind::ParentCycle), 1);
    assert!(PiView::new(&ring).refusal().is_some());
    let star = session(MANY, |n| n, |n| (n > 0).then_some(0));
    assert_eq!(walk(&star), (2, N - 1, N));
    let selves = session(MANY, |n| n, Some);
    assert_eq!(walk(&selves), (1, N, N));
    assert_eq!(
        selves.diagnostics().count(DiagnosticKind::ParentCycle),
        u64::from(MANY)
    );
    let orphans = session(MANY, |n| n, |n| Some(n + MANY));
    assert_eq!(walk(&orphans), (N, 1, N));
    assert_eq!(
        orphans.diagnostics().count(DiagnosticKind::MissingParent),
        u64::from(MANY)
    );
    // A budget that only something worse than linear can miss, on a machine however busy.
    assert!(start.elapsed().as_secs() < 120, "{:?}", start.elapsed());
}

#[test]
fn one_id_for_all_entries_takes_linear_time() {
    let one_id = session(MANY, |_| 7, |_| Some(7));
    // Each means the one before it; Pi would see the last one as its own parent.
    assert_eq!(walk(&one_id), (N, 1, N));
    assert!(PiView::new(&one_id).refusal().is_some());
    let pairs = session(MANY, |n| n % 2, |n| Some((n + 1) % 2));
    assert_eq!(walk(&pairs).2, N);
}

#[test]
fn copies_are_told_from_entries_that_only_share_an_id() {
    let line = |text: &str| {
        format!(
            "{{\"type\":\"message\",\"id\":\"a\",\"parentId\":null,\"timestamp\":\"2026-03-02T09:00:01.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n"
        )
    };
    let text = [line("one"), line("one"), line("two"), line("two"), line("one")].concat();
    let file = SessionFile::from_bytes("x/2026_s1.jsonl".into(), text.as_bytes(), 0);
    let links: Vec<_> = file.sessions()[0].nodes().iter().map(|node| node.link).collect();
    assert_eq!(
        links,
        [Link::Root, Link::Repeat, Link::Root, Link::Repeat, Link::Root]
    );
    assert_eq!(file.summary(&file.sessions()[0]).message_count, 3);
    assert_eq!(file.diagnostics().count(DiagnosticKind::RepeatedEntry), 2);
    assert_eq!(file.diagnostics().count(DiagnosticKind::DuplicateId), 2);
}
