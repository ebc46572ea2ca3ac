//! The JSON lines as a program would read them: into structs that refuse what they do not know.

use serde::Deserialize;
use serde_json::Value;

use crate::program::{World, data};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Session {
    #[serde(rename = "type")]
    pub(crate) kind: Option<String>,
    pub(crate) id: String,
    pub(crate) path: String,
    pub(crate) cwd: String,
    pub(crate) title: String,
    pub(crate) name: Option<String>,
    pub(crate) created: Option<String>,
    pub(crate) modified: Option<String>,
    pub(crate) message_count: u64,
    pub(crate) parent_session: Option<String>,
    pub(crate) tags: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) role: String,
    pub(crate) timestamp: Option<String>,
    pub(crate) branch: String,
    pub(crate) leaf: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Snippet {
    pub(crate) text: String,
    pub(crate) highlights: Vec<(usize, usize)>,
}

#[derive(Debug, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub(crate) enum SearchLine {
    Hit {
        rank: usize,
        score: f64,
        session: Box<Session>,
        entry: Entry,
        snippet: Snippet,
        also_in: Vec<String>,
    },
    Summary {
        sessions_matched: usize,
        returned: usize,
        offset: usize,
        next_offset: Option<usize>,
        sessions_searched: usize,
        relaxed: Vec<Value>,
        warnings: Vec<Value>,
        sync: Value,
    },
}

#[derive(Debug, Deserialize)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub(crate) enum ReadLine {
    Message {
        id: Option<String>,
        role: String,
        timestamp: Option<String>,
        text: String,
        anchor: String,
    },
    Summary {
        session: String,
        path: String,
        branch_tip: Option<String>,
        before: usize,
        after: usize,
        omitted: usize,
        total: usize,
        truncated: bool,
        cut_characters: usize,
        warnings: Vec<String>,
    },
}

/// The hits of a search and what its summary says.
pub(crate) fn search(world: &World, args: &[&str]) -> Vec<SearchLine> {
    let mut all = vec!["search"];
    all.extend(args);
    let lines: Vec<SearchLine> = world.json(&all);
    assert!(
        matches!(lines.last(), Some(SearchLine::Summary { .. })),
        "the last line is the summary"
    );
    lines
}

#[test]
fn search_keeps_its_contract() {
    let world = World::with_sessions(data().join("pi-sessions/sessions"));
    let lines = search(&world, &["hash"]);
    let SearchLine::Summary {
        sessions_matched,
        returned,
        offset,
        next_offset,
        sessions_searched,
        relaxed,
        warnings,
        sync,
    } = lines.last().unwrap()
    else {
        panic!("no summary")
    };
    assert_eq!((*returned, *offset, *next_offset), (lines.len() - 1, 0, None));
    assert_eq!((*sessions_matched, *sessions_searched), (*returned, 20));
    assert!(
        relaxed.is_empty() && warnings.is_empty(),
        "{relaxed:?} {warnings:?}"
    );
    assert_eq!(sync["state"], "updated");
    for (position, line) in lines[..lines.len() - 1].iter().enumerate() {
        let SearchLine::Hit {
            rank,
            score,
            session,
            entry,
            snippet,
            also_in,
        } = line
        else {
            panic!("{line:?}")
        };
        assert_eq!(*rank, position + 1);
        assert!(score.is_finite() && also_in.is_empty());
        assert!(session.kind.is_none() && session.tags.is_empty() && session.message_count > 0);
        assert!(!session.title.is_empty() && session.created <= session.modified);
        assert!(session.path.ends_with(".jsonl") && session.cwd.starts_with('/'));
        assert!(session.name.is_some() || session.parent_session.is_none());
        assert!(["user", "assistant"].contains(&entry.role.as_str()) && entry.id.len() == 8);
        assert!(entry.timestamp.is_some() && entry.leaf.is_some() && entry.branch == "active");
        assert!(!snippet.highlights.is_empty(), "{snippet:?}");
        for &(start, end) in &snippet.highlights {
            assert!(
                snippet.text[start..end].to_lowercase().contains("hash"),
                "{snippet:?}"
            );
        }
    }
}

#[test]
fn list_is_the_list_of_pi() {
    let world = World::with_sessions(data().join("pi-sessions/sessions"));
    let truth: Value =
        serde_json::from_str(&fs_err::read_to_string(data().join("pi-sessions/list-all.json")).unwrap())
            .unwrap();
    let lines: Vec<Value> = world.json(&["list", "--limit", "100"]);
    let (summary, rows) = lines.split_last().unwrap();
    assert_eq!(
        (summary["type"].as_str(), summary["total"].as_u64()),
        (Some("summary"), Some(20))
    );
    let rows: Vec<Session> = rows
        .iter()
        .map(|row| serde_json::from_value(row.clone()).unwrap())
        .collect();
    assert!(rows.iter().all(|row| row.kind.as_deref() == Some("session")));
    let of_truth: Vec<_> = truth.as_array().unwrap().iter().collect();
    assert_eq!(rows.len(), of_truth.len());
    for (row, truth) in rows.iter().zip(of_truth) {
        assert_eq!(row.id, truth["id"].as_str().unwrap());
        assert_eq!(row.title, truth["title"].as_str().unwrap());
        assert_eq!(row.cwd, truth["cwd"].as_str().unwrap());
        assert_eq!(row.message_count, truth["messageCount"].as_u64().unwrap());
        assert_eq!(row.modified.as_deref(), truth["modified"].as_str());
        assert!(row.path.ends_with(truth["path"].as_str().unwrap()));
    }
}

#[test]
fn tags_appear_in_lists_and_hits_at_once() {
    let world = World::with_sessions(data().join("cases/12-abandoned-branch/sessions"));
    let tagged = world.run(&["tag", "019b7901", "#Queue", "mail"]);
    assert_eq!(tagged.code, 0, "{tagged:?}");
    let lines = search(&world, &["indigo"]);
    let SearchLine::Hit { session, .. } = &lines[0] else {
        panic!("{lines:?}")
    };
    assert_eq!(session.tags, ["queue", "mail"]);
    assert_eq!(search(&world, &["indigo #queue"]).len(), 2);
    assert_eq!(search(&world, &["indigo #other"]).len(), 1);
    let untagged = world.run(&["untag", "019b7901", "queue"]);
    assert!(
        untagged.stdout.contains("#mail") && !untagged.stdout.contains("#queue"),
        "{untagged:?}"
    );
    let refused = world.run(&["tag", "019b7901", "!!"]);
    assert_eq!(refused.code, 2, "{refused:?}");
}
