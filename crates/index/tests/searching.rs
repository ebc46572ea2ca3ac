//! What a hit says, beyond what ranking decides.

use std::collections::BTreeSet;

use fs_err as fs;
use lookback_index::SyncOptions;
use lookback_ranker::{Annotations, LiveContext, Scope, SearchRequest};
use lookback_session_model::{BranchState, EntryId, Role, SessionId};

use crate::archive::{Archive, Script, exact, hits, reply};

/// A session of two exchanges with an abandoned answer.
fn archive() -> (Archive, Script) {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("How do I feed the turtles?");
    let question = script.last();
    script.assistant("With lettuce, says the keeper.");
    script.branch_from(Some(&question));
    script.assistant("With dandelions.");
    script.assistant("And a little calcium.");
    archive.write("a_s1", &script);
    archive.sync();
    (archive, script)
}

#[test]
fn a_hit_names_the_very_entry_its_branch_and_its_leaf() {
    let (archive, script) = archive();
    let found = hits(&archive.index(), "calcium");
    assert_eq!(found.len(), 1);
    let hit = &found[0];
    assert_eq!(hit.entry.as_str(), script.last());
    assert_eq!((hit.role, hit.branch), (Role::Assistant, BranchState::Active));
    assert_eq!(hit.leaf.as_ref().unwrap().as_str(), script.last());
    assert_eq!(hit.snippet.text, "And a little calcium.");
    assert_eq!(&hit.snippet.text[hit.snippet.highlights[0].clone()], "calcium");

    let abandoned = &hits(&archive.index(), "lettuce")[0];
    assert_eq!(abandoned.branch, BranchState::Abandoned);
    assert_eq!(abandoned.leaf, Some(abandoned.entry.clone()));
}

#[test]
fn what_was_prepared_changes_no_answer() {
    let empty = Archive::new();
    empty.index().prepare();
    assert!(hits(&empty.index(), "calcium").is_empty());

    let (archive, mut script) = archive();
    let (expected, index) = (hits(&archive.index(), "calcium lettuce"), archive.index());
    index.prepare();
    assert_eq!(hits(&index, "calcium lettuce"), expected);

    // What is being prepared is out of date as soon as a sync finds something new.
    let index = archive.index();
    script.user("And the newts?");
    index.prepare();
    archive.write("a_s1", &script);
    archive.sync();
    assert_eq!(hits(&index, "newts").len(), 1);
    // Prepared already: nothing to do.
    index.prepare();
    assert_eq!(hits(&index, "newts").len(), 1);
}

#[test]
fn words_of_several_entries_of_a_turn_are_one_text() {
    let (archive, _) = archive();
    assert_eq!(hits(&archive.index(), "dandelions calcium").len(), 1);
    assert_eq!(hits(&archive.index(), "\"dandelions and a\"").len(), 1);
}

#[test]
fn identifiers_parts_and_infixes_are_found_in_every_layer() {
    let archive = Archive::new();
    for (salt, text) in [
        (1, "call getUserById twice"),
        (2, "rename user_by_id"),
        (3, "getUserByName"),
    ] {
        let id = format!("s{salt}");
        let mut script = Script::new(&id, salt);
        script.user(text);
        archive.write(&format!("a_{id}"), &script);
        // One layer each.
        archive.sync();
    }
    let ranked = |query: &str| -> Vec<String> {
        let request = SearchRequest {
            exact: false,
            ..exact(query)
        };
        let hits = reply(&archive.index(), &request).hits;
        hits.iter().map(|hit| hit.session.id.to_string()).collect()
    };
    let found = |query: &str| {
        let mut ids = ranked(query);
        ids.sort();
        ids
    };
    assert_eq!(ranked("getUserById")[0], "s1");
    assert_eq!(found("getuser*"), ["s1", "s3"]);
    assert_eq!(found("*serbyi*"), ["s1", "s2"]);
    assert_eq!(found("user"), ["s1", "s2", "s3"]);
    assert_eq!(ranked("getUserByNmae")[0], "s3", "a slip of the keyboard");
}

#[test]
fn a_file_that_changed_meanwhile_gives_no_wrong_snippet() {
    let (archive, _) = archive();
    let mut other = Script::new("s1", 9);
    other.user("Entirely different");
    let index = archive.index();
    for _ in 0..2 {
        // Read from the file, and kept from the first time.
        assert_eq!(hits(&index, "calcium")[0].snippet.text, "And a little calcium.");
    }
    archive.write("a_s1", &other);
    let found = hits(&index, "calcium");
    assert_eq!((found.len(), found[0].snippet.text.as_str()), (1, ""));
    fs::remove_file(archive.file("a_s1")).unwrap();
    assert_eq!(hits(&index, "calcium")[0].snippet.text, "");
}

#[test]
fn an_open_index_sees_what_others_commit() {
    let (archive, mut script) = archive();
    let index = archive.index();
    assert!(hits(&index, "parsley").is_empty());
    archive.append("a_s1", &script.user("What about parsley?"));
    archive.sync();
    assert_eq!(hits(&index, "parsley").len(), 1);
}

#[test]
fn tags_come_with_the_search() {
    let (archive, _) = archive();
    let mut annotations = Annotations::default();
    annotations
        .tags
        .insert(SessionId::new("s1"), vec!["Animals".into()]);
    let index = archive.index();
    let found = index.search(&exact("#animals"), &annotations).unwrap();
    assert_eq!(found.hits.len(), 1);
    assert_eq!(found.hits[0].tags, ["Animals"]);
    assert!(!found.hits[0].entry.as_str().is_empty());
    // Other tags at the next search of the same commit.
    assert!(
        index
            .search(&exact("#animals"), &Annotations::default())
            .unwrap()
            .hits
            .is_empty()
    );
}

#[test]
fn what_is_before_the_models_eyes_is_left_out() {
    let (archive, script) = archive();
    let live = |entries: &[&str]| Scope {
        live: Some(LiveContext {
            session: SessionId::new("s1"),
            entries: entries
                .iter()
                .map(|id| EntryId::new(*id))
                .collect::<BTreeSet<_>>(),
        }),
        ..Scope::default()
    };
    let search = |query: &str, scope: Scope| {
        let request = SearchRequest {
            scope,
            ..exact(query)
        };
        reply(&archive.index(), &request)
    };
    assert!(search("calcium", live(&[&script.last()])).hits.is_empty());
    assert_eq!(search("lettuce", live(&[&script.last()])).hits.len(), 1);
}

#[test]
fn filters_alone_list_sessions() {
    let (archive, _) = archive();
    let found = hits(&archive.index(), "cwd:/home/dev/shop");
    assert_eq!(found.len(), 1);
    assert!(!found[0].entry.as_str().is_empty());
    assert!(!found[0].snippet.text.is_empty());
}

#[test]
fn two_sessions_in_one_file_are_two() {
    let archive = Archive::new();
    let mut first = Script::new("s1", 1);
    first.user("Talk about turtles");
    let mut second = Script::new("s2", 2);
    second.user("Talk about rabbits");
    fs::write(archive.file("a_s1"), format!("{}{}", first.text(), second.text())).unwrap();
    archive.sync();
    assert_eq!(archive.found("turtles"), ["s1"]);
    assert_eq!(archive.found("rabbits"), ["s2"]);
    let status = archive.index().status().unwrap();
    assert_eq!((status.files, status.sessions), (1, 2));
}

#[test]
fn models_of_answers_are_known() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Question one");
    script.assistant("From the swift one");
    script.user("Question two");
    script.entry(
        r#""type":"message","message":{"role":"assistant","content":[{"type":"text","text":"From the steady one"}],"provider":"acme","model":"steady-2"}"#,
    );
    archive.write("a_s1", &script);
    archive.index().sync(&SyncOptions::new(&archive.roots())).unwrap();
    assert_eq!(hits(&archive.index(), "model:steady one").len(), 1);
    assert!(hits(&archive.index(), "model:steady swift").is_empty());
    assert_eq!(hits(&archive.index(), "model:swift swift").len(), 1);
}
