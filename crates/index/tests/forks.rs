//! Entries that several sessions hold count once, for the oldest of them.

use fs_err as fs;
use lookback_session_model::EntryId;

use crate::archive::{Archive, Script, hits};

/// A session, a fork of it, and a fork of the fork.
fn archive() -> (Archive, Script) {
    let archive = Archive::new();
    let mut parent = Script::new("parent", 1);
    parent.user("Shared question about turtles");
    parent.assistant("Shared answer about lettuce");
    archive.write("a_parent", &parent);
    let mut child = parent.fork("child", 2, archive.file("a_parent").as_str());
    child.user("Only in the child: rabbits");
    archive.write("b_child", &child);
    let mut grandchild = child.fork("grandchild", 3, archive.file("b_child").as_str());
    grandchild.assistant("Only in the grandchild: hedgehogs");
    archive.write("c_grandchild", &grandchild);
    archive.sync();
    (archive, parent)
}

#[test]
fn a_copied_turn_is_found_once_where_it_comes_from() {
    let (archive, _) = archive();
    let found = hits(&archive.index(), "lettuce");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].session.id.as_str(), "parent");
    let mut also: Vec<&str> = found[0].also_in.iter().map(|id| id.as_str()).collect();
    also.sort_unstable();
    assert_eq!(also, ["child", "grandchild"]);
    assert_eq!(archive.found("rabbits"), ["child"]);
    assert_eq!(archive.found("hedgehogs"), ["grandchild"]);
}

#[test]
fn without_the_parent_the_oldest_copy_takes_its_place() {
    let (archive, parent) = archive();
    fs::remove_file(archive.file("a_parent")).unwrap();
    archive.sync();
    let found = hits(&archive.index(), "lettuce");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].session.id.as_str(), "child");
    assert!(found[0].snippet.text.contains("lettuce"));
    archive.write("a_parent", &parent);
    archive.sync();
    assert_eq!(hits(&archive.index(), "lettuce")[0].session.id.as_str(), "parent");
}

#[test]
fn a_filter_that_leaves_the_parent_out_finds_the_copy() {
    let (archive, _) = archive();
    let found = hits(&archive.index(), "session:child lettuce");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].session.id.as_str(), "child");
    assert!(
        found[0].snippet.text.contains("lettuce"),
        "read from the copy's own file"
    );
}

#[test]
fn an_entry_is_located_in_all_its_sessions() {
    let (archive, parent) = archive();
    let locations = archive.index().locate(&EntryId::new(parent.last())).unwrap();
    let sessions: Vec<&str> = locations.iter().map(|found| found.session.id.as_str()).collect();
    assert_eq!(sessions, ["parent", "child", "grandchild"]);
    assert!(locations.iter().all(|found| found.node == 1));
    assert!(
        archive
            .index()
            .locate(&EntryId::new("ffffffff"))
            .unwrap()
            .is_empty()
    );
}

/// Messages without ids and times look alike in every session; they are no copies.
#[test]
fn entries_that_do_not_say_who_they_are_are_not_folded() {
    let archive = Archive::new();
    for id in ["one", "two"] {
        let text = format!(
            "{{\"type\":\"session\",\"version\":3,\"id\":\"{id}\",\"cwd\":\"/home/dev\"}}\n{}",
            "{\"type\":\"message\",\"message\":{\"role\":\"user\",\"content\":\"Hello turtles\"}}\n"
        );
        fs::write(archive.file(&format!("a_{id}")), text).unwrap();
    }
    archive.sync();
    assert_eq!(archive.found("turtles"), ["one", "two"]);
}
