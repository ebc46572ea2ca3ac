//! Filters of query and scope, live context, forks, paging.

use std::collections::BTreeSet;

use lookback_ranker::{Forks, Holder, LiveContext, NONE, Policy, SearchRequest, Turn, Warning};
use lookback_session_model::{BranchState, EntryId, Role, SessionId, Timestamp};

use crate::corpora::{Library, Searcher, request};

fn shop() -> Searcher {
    let mut library = Library::default();
    library.session(
        "aaa1",
        "2026-03-09T00:00:00Z",
        &["redis question", "redis answer"],
    );
    library.session("aaa2", "2026-03-01T00:00:00Z", &["redis question", "an answer"]);
    library.session("bbb1", "2025-01-01T00:00:00Z", &["a question", "redis answer"]);
    let session = library.session("ccc1", "2026-02-01T00:00:00Z", &[]);
    library.turn(
        session,
        "ccc1/0",
        Role::User,
        BranchState::Abandoned,
        "redis question",
    );
    let summary = library.index.summary_mut(1).unwrap();
    summary.cwd = "/home/dev/shop".into();
    summary.name = Some("Deploy day".into());
    summary.parent_session = Some("/gone.jsonl".into());
    library
        .annotations
        .tags
        .insert(SessionId::new("aaa1"), vec!["Ops".into(), "cache".into()]);
    library
        .annotations
        .tags
        .insert(SessionId::new("ccc1"), vec!["ops".into()]);
    library.annotations.unread = Some([SessionId::new("ccc1")].into());
    library.searcher()
}

#[test]
fn filters_of_the_query() {
    let shop = shop();
    for (filters, expected) in [
        ("", &["aaa1", "aaa2", "bbb1", "ccc1"][..]),
        ("#ops", &["aaa1", "ccc1"]),
        ("#ops #cache", &["aaa1"]),
        ("-#ops", &["aaa2", "bbb1"]),
        ("is:tagged", &["aaa1", "ccc1"]),
        ("is:fork", &["aaa2"]),
        ("is:unread", &["ccc1"]),
        ("-is:unread", &["aaa1", "aaa2", "bbb1"]),
        ("role:assistant", &["aaa1", "bbb1"]),
        ("role:user role:assistant", &["aaa1", "aaa2", "bbb1", "ccc1"]),
        ("-role:user", &["aaa1", "bbb1"]),
        ("cwd:/home/dev", &["aaa1", "aaa2", "bbb1", "ccc1"]),
        ("cwd:/home/dev/shop/", &["aaa2"]),
        ("cwd:/home/de", &[]),
        ("cwd:SHOP", &["aaa2"]),
        ("session:aaa1", &["aaa1"]),
        ("session:AAA", &["aaa1", "aaa2"]),
        ("name:deploy", &["aaa2"]),
        ("after:2026-02-15", &["aaa1", "aaa2"]),
        ("after:7d", &["aaa1"]),
        ("before:2026-01-01", &["bbb1"]),
        ("-before:2026-01-01", &["aaa1", "aaa2", "ccc1"]),
        ("branch:abandoned", &["ccc1"]),
        ("-branch:abandoned", &["aaa1", "aaa2", "bbb1"]),
    ] {
        for query in [format!("redis {filters}"), filters.to_owned()] {
            // Without the word, other turns of the same role fit.
            if query.is_empty() || query.starts_with("role:") || query.starts_with("-role:") {
                continue;
            }
            let ranking = shop.answer(&request(&query, Policy::default()));
            let mut found = shop.sessions_of(&ranking);
            found.sort_unstable();
            assert_eq!(found, expected, "{query}");
            assert_eq!(ranking.sessions_matched, expected.len(), "{query}");
        }
    }
}

#[test]
fn a_query_of_filters_lists_the_latest_first() {
    let shop = shop();
    assert_eq!(
        shop.find("role:user", Policy::default()),
        ["aaa1", "aaa2", "ccc1", "bbb1"]
    );
    let nothing = shop.answer(&request("", Policy::default()));
    assert_eq!(nothing.hits, []);
    assert_eq!(nothing.warnings, [Warning::NothingToSearch]);
}

#[test]
fn what_filters_cannot_do_is_said() {
    let mut shop = shop();
    let warnings = |shop: &Searcher, query: &str| -> Vec<&'static str> {
        shop.answer(&request(query, Policy::default()))
            .warnings
            .iter()
            .map(Warning::code)
            .collect()
    };
    assert_eq!(warnings(&shop, "redis #nosuch"), ["unknown-tag"]);
    assert_eq!(warnings(&shop, "redis session:zzz"), ["unknown-session"]);
    assert_eq!(warnings(&shop, "redis session:aaa"), ["ambiguous-session"]);
    assert_eq!(warnings(&shop, "redis cwd:."), ["current-folder-unknown"]);
    shop.labels = Default::default();
    assert_eq!(warnings(&shop, "redis is:unread"), ["unread-unknown"]);
}

#[test]
fn scope() {
    let shop = shop();
    let find = |change: &dyn Fn(&mut SearchRequest)| {
        let mut request = request("redis", Policy::default());
        change(&mut request);
        let ranking = shop.answer(&request);
        let mut found: Vec<String> = shop
            .sessions_of(&ranking)
            .iter()
            .map(|id| (*id).to_owned())
            .collect();
        found.sort_unstable();
        (found.join(" "), ranking.sessions_searched)
    };
    let ids = |ids: &[&str]| -> BTreeSet<SessionId> { ids.iter().map(|id| SessionId::new(*id)).collect() };
    assert_eq!(
        find(&|r| r.scope.cwd = Some("/home/dev".into())),
        ("aaa1 bbb1 ccc1".into(), 3)
    );
    assert_eq!(
        find(&|r| r.scope.sessions = Some(ids(&["bbb1", "x"]))),
        ("bbb1".into(), 1)
    );
    assert_eq!(
        find(&|r| r.scope.without_sessions = ids(&["bbb1"])),
        ("aaa1 aaa2 ccc1".into(), 3)
    );
    assert_eq!(
        find(&|r| r.scope.tags = ["#OPS".to_owned()].into()),
        ("aaa1 ccc1".into(), 2)
    );
    assert_eq!(
        find(&|r| r.scope.roles = [Role::Assistant].into()),
        ("aaa1 bbb1".into(), 4)
    );
    assert_eq!(
        find(&|r| r.scope.branches = [BranchState::Abandoned].into()),
        ("ccc1".into(), 4)
    );
    assert_eq!(
        find(&|r| r.scope.since = Timestamp::parse("2026-03-05")),
        ("aaa1".into(), 4)
    );
    assert_eq!(
        find(&|r| r.scope.until = Timestamp::parse("2026-01-01")),
        ("bbb1".into(), 4)
    );
    let mut here = request("redis cwd:.", Policy::default());
    here.scope.current_cwd = Some("/home/dev/shop".into());
    assert_eq!(shop.sessions_of(&shop.answer(&here)), ["aaa2"]);
}

#[test]
fn the_present_context_is_left_out_and_said() {
    let mut shop = shop();
    shop.live_turns = vec![0];
    let mut request = request("redis", Policy::default());
    request.scope.live = Some(LiveContext {
        session: SessionId::new("aaa1"),
        entries: [EntryId::new("e")].into(),
    });
    let ranking = shop.answer(&request);
    let at = shop
        .sessions_of(&ranking)
        .iter()
        .position(|id| *id == "aaa1")
        .unwrap();
    assert_eq!(
        shop.turns_of(&ranking)[at],
        "aaa1/1",
        "the rest of the session stays findable"
    );
    assert_eq!(ranking.warnings, [Warning::LiveContextLeftOut { turns: 1 }]);
}

/// Case 13: a parent, and forks that copy its first turns.
fn family() -> Searcher {
    let mut library = Library::default();
    for id in ["parent", "fork1", "fork2"] {
        library.session(id, "2026-01-01T00:00:00Z", &[]);
    }
    let mut exchange = 0;
    let mut push = |library: &mut Library, name: &str, session: u32, copies: &[u32], text: &str| {
        let copies: Vec<Holder> = copies
            .iter()
            .map(|session| Holder {
                session: *session,
                branch: BranchState::Active,
            })
            .collect();
        let turn = Turn {
            session,
            exchange,
            role: Role::User,
            branch: BranchState::Active,
            time_ms: 0,
            length: 0,
            position: exchange,
            model: NONE,
        };
        exchange += 1;
        library.named(name, text);
        library.index.push(turn, &copies, text);
    };
    push(&mut library, "shared", 0, &[1, 2], "quokka why is the build slow");
    push(&mut library, "parent's own", 0, &[2], "bandicoot done");
    push(
        &mut library,
        "fork1's own",
        1,
        &[],
        "potoroo use another linker for the quokka",
    );
    library.searcher()
}

#[test]
fn what_forks_share_is_one_hit_of_the_oldest() {
    let family = family();
    let ranking = family.answer(&request("\"why is the build\"", Policy::default()));
    assert_eq!(family.sessions_of(&ranking), ["parent"]);
    assert_eq!(ranking.hits[0].also_in, [1, 2]);
    assert_eq!(ranking.sessions_matched, 1);
    assert_eq!(family.find("potoroo", Policy::default()), ["fork1"]);
    assert_eq!(
        family.find("quokka", Policy::default()).len(),
        2,
        "each has words of its own"
    );
    // A filter that leaves only a fork finds the copy there.
    let ranking = family.answer(&request("bandicoot session:fork2", Policy::default()));
    assert_eq!(family.sessions_of(&ranking), ["fork2"]);
    assert_eq!(ranking.hits[0].also_in, [0]);
}

#[test]
fn families_are_folded_where_the_policy_says_so() {
    let mut library = Library::default();
    for (id, parent, text) in [
        ("a", NONE, "redis"),
        ("b", 0, "nothing"),
        ("c", 1, "redis redis"),
        ("d", 4, "redis"),
        ("e", 3, "redis"),
    ] {
        library.child(id, parent, &[text]);
    }
    let library = library.searcher();
    let mut policy = Policy::strict();
    assert_eq!(policy.grouping.forks, Forks::FoldFamilies);
    let ranking = library.answer(&request("redis", policy.clone()));
    assert_eq!(library.sessions_of(&ranking)[0], "a");
    assert_eq!(ranking.hits[0].also_in, [2], "over a parent that does not match");
    assert!(
        ranking.sessions_matched <= 2,
        "sessions that name each other as parents end somewhere"
    );
    policy.grouping.forks = Forks::FoldCopies;
    assert_eq!(library.find("redis", policy).len(), 4);
}

#[test]
fn long_sessions_hide_nobody() {
    let mut library = Library::default();
    let many: Vec<String> = (0..2000).map(|i| format!("redis redis redis {i}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    library.session("long", "2026-03-01T00:00:00Z", &many);
    for i in 0..30 {
        library.session(
            &format!("short{i:02}"),
            "2026-03-01T00:00:00Z",
            &["one redis among other words"],
        );
    }
    let library = library.searcher();
    for name in Policy::NAMES {
        let ranking = library.answer(&request("redis", Policy::named(name).unwrap()));
        assert_eq!(ranking.sessions_matched, 31, "{name}");
    }
}
