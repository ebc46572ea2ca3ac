//! Sessions by id and path, outlines that are up to date.

use fs_err as fs;
use lookback_index::IndexError;
use lookback_session_model::SessionFile;

use crate::archive::{Archive, Script};

fn archive() -> Archive {
    let archive = Archive::new();
    for (id, salt) in [("aaaa1111", 1), ("aaaa2222", 2), ("bbbb3333", 3)] {
        let mut script = Script::new(id, salt);
        script.user("Hello");
        archive.write(&format!("x_{id}"), &script);
    }
    archive.sync();
    archive
}

#[test]
fn full_ids_and_unique_beginnings_find_their_session() {
    let archive = archive();
    let index = archive.index();
    for (named, id) in [("aaaa1111", "aaaa1111"), ("aaaa2", "aaaa2222"), ("b", "bbbb3333")] {
        assert_eq!(index.find_session(named).unwrap().id.as_str(), id, "{named}");
    }
}

#[test]
fn what_fits_several_sessions_is_never_the_first_of_them() {
    let archive = archive();
    match archive.index().find_session("aaaa") {
        Err(IndexError::SessionAmbiguous { candidates, .. }) => assert_eq!(candidates.len(), 2),
        other => panic!("{other:?}"),
    }
    for named in ["", "cccc", "../../etc/passwd", "/etc/passwd"] {
        let error = archive.index().find_session(named).unwrap_err();
        assert_eq!(error.code(), "session-not-found", "{named}");
    }
}

#[test]
fn paths_lead_to_indexed_files_through_links_too() {
    let archive = archive();
    let path = archive.file("x_aaaa1111");
    let index = archive.index();
    assert_eq!(index.find_session(path.as_str()).unwrap().id.as_str(), "aaaa1111");
    #[cfg(unix)]
    {
        let link = archive.path().join("link");
        std::os::unix::fs::symlink(archive.project(), &link).unwrap();
        let through = link.join("x_aaaa2222.jsonl");
        assert_eq!(
            index.find_session(through.as_str()).unwrap().id.as_str(),
            "aaaa2222"
        );
    }
}

#[test]
fn copies_of_a_session_are_no_ambiguity() {
    let archive = archive();
    fs::copy(archive.file("x_bbbb3333"), archive.file("x_bbbb3333 (copy)")).unwrap();
    archive.sync();
    assert_eq!(
        archive.index().find_session("bbbb").unwrap().id.as_str(),
        "bbbb3333"
    );
}

#[test]
fn an_outline_is_that_of_the_file_as_it_is_now() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Hello");
    archive.write("a_s1", &script);
    archive.sync();
    let path = archive.file("a_s1");
    let fresh = || SessionFile::read(&path, 0).unwrap();
    assert_eq!(archive.index().outline(&path).unwrap(), fresh());
    archive.append("a_s1", &script.assistant("And more"));
    assert_eq!(archive.index().outline(&path).unwrap(), fresh());
    archive.write("a_s1", &Script::new("s2", 7));
    assert_eq!(archive.index().outline(&path).unwrap(), fresh());
    fs::remove_file(&path).unwrap();
    assert_eq!(archive.index().outline(&path).unwrap_err().code(), "not-found");
}

#[test]
fn the_latest_activity_comes_first() {
    let archive = archive();
    let ids: Vec<String> = archive
        .index()
        .sessions()
        .unwrap()
        .iter()
        .map(|session| session.id.to_string())
        .collect();
    assert_eq!(ids, ["bbbb3333", "aaaa2222", "aaaa1111"]);
}
