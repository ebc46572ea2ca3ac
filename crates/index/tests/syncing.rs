//! What a sync notices, and what it costs to notice it.

use fs_err as fs;
use lookback_index::{SyncOptions, SyncState};

use crate::archive::{Archive, Script, hits};

#[test]
fn a_first_sync_finds_everything_and_a_second_nothing_new() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    script.assistant("In the attic, beside the lexer.");
    archive.write("a_s1", &script);
    let report = archive.sync();
    assert_eq!(
        (report.state, report.files, report.added),
        (SyncState::Updated, 1, 1)
    );
    assert_eq!(report.bytes_read, script.text().len() as u64);
    assert_eq!(archive.found("attic lexer"), ["s1"]);
    let generation = archive.index().status().unwrap().generation;
    assert_eq!(archive.sync().state, SyncState::Unchanged);
    assert_eq!(archive.index().status().unwrap().generation, generation);
}

#[test]
fn nothing_is_made_where_there_is_nothing_to_index() {
    let archive = Archive::new();
    assert_eq!(archive.sync().state, SyncState::Unchanged);
    assert!(!archive.cache().exists());
    assert!(archive.found("anything").is_empty());
}

#[test]
fn of_a_file_that_grew_only_the_new_bytes_are_read() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    script.assistant("In the attic.");
    archive.write("a_s1", &script);
    archive.sync();
    // The answer goes on, so its turn is replaced; a question follows, which is a new one.
    let more = script.assistant("No, in the cellar.") + &script.user("Which cellar?");
    archive.append("a_s1", &more);
    let report = archive.sync();
    assert_eq!((report.extended, report.rewritten, report.added), (1, 0, 0));
    assert_eq!(report.bytes_read, more.len() as u64);
    assert_eq!(hits(&archive.index(), "attic").len(), 1);
    assert_eq!(hits(&archive.index(), "\"attic no in the cellar\"").len(), 1);
    assert_eq!(archive.index().status().unwrap().turns, 3);
}

#[test]
fn an_open_index_answers_from_the_newest_commit_of_others() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive.sync();
    let (reader, writer) = (archive.index(), archive.index());
    assert_eq!(hits(&reader, "parser").len(), 1);
    archive.append("a_s1", &script.assistant("In the attic"));
    let roots = archive.roots();
    writer.sync(&SyncOptions::new(&roots)).unwrap();
    assert_eq!(hits(&reader, "attic").len(), 1);
    assert_eq!(reader.status().unwrap(), writer.status().unwrap());
    writer.rebuild(SyncOptions::WAIT).unwrap();
    assert!(hits(&reader, "attic").is_empty());
    writer.sync(&SyncOptions::new(&roots)).unwrap();
    assert_eq!(hits(&reader, "attic").len(), 1);
}

#[test]
fn half_a_line_waits_for_its_other_half() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive.sync();
    let line = script.assistant("An answer with 数据库 and more");
    // The cut goes through a character.
    let cut = line.find('据').unwrap() + 1;
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(archive.file("a_s1"))
        .unwrap();
    std::io::Write::write_all(&mut file, &line.as_bytes()[..cut]).unwrap();
    let report = archive.sync();
    assert_eq!((report.state, report.extended), (SyncState::Updated, 1));
    assert!(archive.found("数据库").is_empty());
    assert_eq!(archive.sync().state, SyncState::Unchanged);
    std::io::Write::write_all(&mut file, &line.as_bytes()[cut..]).unwrap();
    archive.sync();
    assert_eq!(hits(&archive.index(), "数据库").len(), 1);
    let status = archive.index().status().unwrap();
    assert_eq!((status.turns, status.damaged_lines), (2, 0));
}

#[test]
fn a_rewritten_file_loses_its_old_text() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("The old zebra");
    archive.write("a_s1", &script);
    archive.sync();
    let mut other = Script::new("s1", 2);
    other.user("A new giraffe");
    other.assistant("Much longer than the old text, so that it looks appended to.");
    archive.write("a_s1", &other);
    let report = archive.sync();
    assert_eq!((report.rewritten, report.extended), (1, 0));
    assert!(archive.found("zebra").is_empty());
    assert_eq!(archive.found("giraffe"), ["s1"]);
}

#[test]
fn a_shorter_file_loses_what_was_cut_off() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Stays here");
    let kept = script.text().to_owned();
    script.assistant("Goes away");
    archive.write("a_s1", &script);
    archive.sync();
    fs::write(archive.file("a_s1"), kept).unwrap();
    assert_eq!(archive.sync().rewritten, 1);
    assert!(archive.found("goes away").is_empty());
    assert_eq!(archive.found("stays"), ["s1"]);
}

/// Neither length nor time tells, only the inode or its time of change does.
#[test]
fn other_bytes_of_the_same_length_and_time_are_noticed() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("The old zebra");
    archive.write("a_s1", &script);
    archive.sync();
    let path = archive.file("a_s1");
    let time = fs::metadata(&path).unwrap().modified().unwrap();
    for (round, replace) in [true, false].into_iter().enumerate() {
        let animal = ["camel", "llama"][round];
        let text = script.text().replace("zebra", animal);
        if replace {
            let other = archive.project().join("other");
            fs::write(&other, &text).unwrap();
            fs::rename(&other, &path).unwrap();
        } else {
            fs::write(&path, &text).unwrap();
        }
        let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
        file.file().set_modified(time).unwrap();
        drop(file);
        assert_eq!(archive.sync().rewritten, 1, "{animal}");
        assert!(archive.found("zebra").is_empty());
        assert_eq!(archive.found(animal), ["s1"]);
    }
}

#[test]
fn files_of_a_renamed_folder_are_not_read_again() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive.sync();
    let moved = archive.path().join("sessions/--home-dev-store--");
    fs::rename(archive.project(), &moved).unwrap();
    let report = archive.sync();
    assert_eq!((report.moved, report.added, report.removed), (1, 0, 0));
    assert_eq!(report.bytes_read, 0);
    let found = hits(&archive.index(), "parser");
    assert_eq!(found[0].session.path, moved.join("a_s1.jsonl"));
    assert!(found[0].snippet.text.contains("parser"));
    // It grows on at its new place.
    let line = script.assistant("In the attic");
    let mut file = fs::OpenOptions::new()
        .append(true)
        .open(moved.join("a_s1.jsonl"))
        .unwrap();
    std::io::Write::write_all(&mut file, line.as_bytes()).unwrap();
    assert_eq!(archive.sync().extended, 1);
    assert_eq!(archive.found("attic"), ["s1"]);
}

#[test]
fn a_renamed_file_is_found_under_its_new_name_only() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive.sync();
    fs::rename(archive.file("a_s1"), archive.file("b_s1")).unwrap();
    archive.sync();
    let found = hits(&archive.index(), "parser");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].session.path, archive.file("b_s1"));
}

#[test]
fn a_deleted_file_is_gone_and_comes_back_with_its_file() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    let mut other = Script::new("s2", 2);
    other.user("Where is the lexer?");
    archive.write("a_s2", &other);
    archive.sync();
    fs::remove_file(archive.file("a_s1")).unwrap();
    assert_eq!(archive.sync().removed, 1);
    assert!(archive.found("parser").is_empty());
    assert_eq!(archive.index().sessions().unwrap().len(), 1);
    archive.write("a_s1", &script);
    assert_eq!(archive.sync().added, 1);
    assert_eq!(archive.found("parser"), ["s1"]);
}

#[test]
fn another_branch_changes_the_state_of_old_turns() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("A question about turtles");
    let question = script.last();
    script.assistant("An answer about rabbits");
    archive.write("a_s1", &script);
    archive.sync();
    assert_eq!(hits(&archive.index(), "branch:active rabbits").len(), 1);
    script.branch_from(Some(&question));
    let line = script.assistant("Another answer about hedgehogs");
    archive.append("a_s1", &line);
    let report = archive.sync();
    assert_eq!((report.extended, report.bytes_read), (1, line.len() as u64));
    assert!(hits(&archive.index(), "branch:active rabbits").is_empty());
    assert_eq!(hits(&archive.index(), "branch:abandoned rabbits").len(), 1);
    assert_eq!(hits(&archive.index(), "branch:active hedgehogs").len(), 1);
}

#[test]
fn a_new_name_is_a_new_title() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive.sync();
    assert_eq!(
        archive.index().sessions().unwrap()[0].title,
        "Where is the parser?"
    );
    archive.append("a_s1", &script.name("Attic search"));
    archive.sync();
    assert_eq!(archive.index().sessions().unwrap()[0].title, "Attic search");
}

#[test]
fn folders_left_out_are_not_indexed_and_said_so() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    let roots = archive.roots();
    let options = SyncOptions {
        exclude: &|folder| folder.as_str().ends_with("--"),
        ..SyncOptions::new(&roots)
    };
    archive.sync();
    let report = archive.index().sync(&options).unwrap();
    assert_eq!((report.files, report.removed, report.skipped_count), (0, 1, 1));
    assert_eq!(report.excluded().count(), 1);
    assert!(archive.found("parser").is_empty());
}

#[test]
fn several_roots_make_one_index() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    let second = archive.path().join("more");
    fs::create_dir_all(&second).unwrap();
    let mut other = Script::new("s2", 2);
    other.user("Another parser");
    fs::write(second.join("b_s2.jsonl"), other.text()).unwrap();
    let missing = archive.path().join("missing");
    let roots = [archive.roots()[0].clone(), second, missing.clone()];
    let report = archive.index().sync(&SyncOptions::new(&roots)).unwrap();
    assert_eq!(report.missing_roots, [missing]);
    assert_eq!(archive.found("parser"), ["s1", "s2"]);
    // Without a root its sessions are gone.
    assert_eq!(archive.sync().removed, 1);
    assert_eq!(archive.found("parser"), ["s1"]);
}

/// A folder that cannot be listed: as root no mode keeps us out, so the folder's name is put where a folder must be.
#[test]
#[cfg(unix)]
fn a_look_that_could_not_see_everything_removes_nothing() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive.sync();
    fs::rename(archive.path().join("sessions"), archive.path().join("away")).unwrap();
    // A link to itself can be neither listed nor taken for missing.
    std::os::unix::fs::symlink("sessions", archive.path().join("sessions")).unwrap();
    let report = archive.sync();
    assert!(!report.complete);
    assert_eq!((report.removed, report.skipped_count), (0, 1));
    assert_eq!(archive.found("parser"), ["s1"]);
}

#[test]
fn texts_of_any_length_are_indexed_whole() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    let filler = "alpha beta gamma ".repeat(36_000);
    script.user(&format!("first {filler} middle_word {filler} last"));
    archive.write("a_s1", &script);
    archive.sync();
    for word in [
        "first",
        "middle_word",
        "last",
        "\"gamma middle_word alpha\"",
        "\"gamma last\"",
    ] {
        assert_eq!(archive.found(word), ["s1"], "{word}");
    }
    let found = hits(&archive.index(), "beta");
    assert_eq!(found.len(), 1, "its documents are one turn");
    assert_eq!(archive.index().status().unwrap().turns, 1);
}

#[test]
fn session_files_are_only_read() {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    let state = || {
        let metadata = fs::metadata(archive.file("a_s1")).unwrap();
        (
            metadata.modified().unwrap(),
            metadata.permissions(),
            fs::read(archive.file("a_s1")).unwrap(),
        )
    };
    let before = state();
    archive.sync();
    archive.found("parser");
    archive.index().outline(&archive.file("a_s1")).unwrap();
    assert_eq!(state(), before);
}
