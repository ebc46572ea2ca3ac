//! Whose folder it is, who may read it, and what happens where it cannot be written.

use camino::Utf8Path;
use fs_err as fs;
use lookback_index::{Index, IndexError, IndexState, SyncOptions};

use crate::{
    archive::{Archive, Script, hits},
    children,
};

fn archive() -> Archive {
    let archive = Archive::new();
    let mut script = Script::new("s1", 1);
    script.user("Where is the parser?");
    archive.write("a_s1", &script);
    archive
}

fn refusal(archive: &Archive) -> &'static str {
    Index::open(&archive.cache()).unwrap_err().code()
}

#[test]
fn a_folder_with_other_files_is_refused_and_left_alone() {
    let archive = archive();
    fs::create_dir_all(archive.cache()).unwrap();
    fs::write(archive.cache().join("thesis.txt"), "years of work").unwrap();
    assert_eq!(refusal(&archive), "foreign-folder");
    assert_eq!(fs::read_dir(archive.cache()).unwrap().count(), 1);
}

#[test]
fn a_stray_file_in_our_own_folder_is_left_alone_and_does_no_harm() {
    let archive = archive();
    archive.sync();
    fs::write(archive.cache().join("thesis.txt"), "years of work").unwrap();
    let mut script = Script::new("s2", 2);
    script.user("Where is the lexer?");
    archive.write("a_s2", &script);
    archive.sync();
    assert_eq!(archive.found("lexer"), ["s2"]);
    assert!(archive.cache().join("thesis.txt").exists());
}

#[test]
fn an_empty_folder_is_taken() {
    let archive = archive();
    fs::create_dir_all(archive.cache()).unwrap();
    archive.sync();
    assert_eq!(archive.found("parser"), ["s1"]);
}

#[test]
fn a_file_in_the_place_of_the_folder_is_refused() {
    let archive = archive();
    fs::write(archive.cache(), "not a folder").unwrap();
    assert_eq!(refusal(&archive), "foreign-folder");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_place_of_the_folder_is_refused() {
    let archive = archive();
    let elsewhere = archive.path().join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, archive.cache()).unwrap();
    assert_eq!(refusal(&archive), "linked-folder");
    assert_eq!(fs::read_dir(elsewhere).unwrap().count(), 0);
}

/// Links inside the folder lead nowhere either: not for reading, and not for writing.
#[cfg(unix)]
#[test]
fn links_in_the_place_of_files_are_not_followed() {
    let archive = archive();
    archive.sync();
    let target = archive.path().join("target");
    fs::write(&target, "precious").unwrap();
    let lock = archive.cache().join("lookback-index.lock");
    fs::remove_file(&lock).unwrap();
    std::os::unix::fs::symlink(&target, &lock).unwrap();
    let mut script = Script::new("s2", 2);
    script.user("Where is the lexer?");
    archive.write("a_s2", &script);
    let roots = archive.roots();
    assert!(archive.index().sync(&SyncOptions::new(&roots)).is_err());
    assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
    assert_eq!(archive.found("parser"), ["s1"]);
}

/// Only root can give files away, so it says nothing where it is not run as root.
#[cfg(unix)]
#[test]
fn a_folder_of_another_user_is_refused() {
    let archive = archive();
    archive.sync();
    if std::os::unix::fs::chown(archive.cache(), Some(12345), None).is_ok() {
        assert_eq!(refusal(&archive), "other-owner");
    }
}

#[cfg(unix)]
#[test]
fn files_are_for_their_owner_only_under_any_umask() {
    use std::os::unix::fs::PermissionsExt;

    let archive = archive();
    for mask in ["000", "022", "777"] {
        let _ = fs::remove_dir_all(archive.path().join("deep"));
        // The umask belongs to the process: another one has to be started with it.
        let output = with_shell(
            &format!("umask {mask}"),
            "folder::child_that_syncs",
            archive.path(),
        );
        assert!(output.status.success(), "umask {mask}");
        let mode = |path: &Utf8Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let cache = archive.path().join("deep/er/cache");
        for folder in [
            &archive.path().join("deep"),
            &archive.path().join("deep/er"),
            &cache,
        ] {
            assert_eq!(mode(folder), 0o700, "{folder} under umask {mask}");
        }
        for entry in cache.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            assert_eq!(mode(entry.path()), 0o600, "{} under umask {mask}", entry.path());
        }
    }
}

/// Runs a child behind some commands of a shell, which set what belongs to a process.
#[cfg(unix)]
fn with_shell(commands: &str, entry_point: &str, orders: &Utf8Path) -> std::process::Output {
    let child = children::child(entry_point, orders.as_str());
    let mut shell = std::process::Command::new("sh");
    shell
        .arg("-c")
        .arg(format!("{commands}; exec \"$0\" \"$@\""))
        .arg(child.get_program())
        .args(child.get_args())
        .envs(child.get_envs().filter_map(|(name, value)| Some((name, value?))));
    shell.output().unwrap()
}

/// Not a test: syncs into a folder that is not there yet.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_syncs() {
    let Some(orders) = children::orders() else { return };
    let archive = Utf8Path::new(&orders);
    let index = Index::open(&archive.join("deep/er/cache")).unwrap();
    index
        .sync(&SyncOptions::new(&[archive.join("sessions")]))
        .unwrap();
    assert_eq!(hits(&index, "parser").len(), 1);
}

#[test]
fn an_index_of_a_later_version_is_refused_and_left_alone() {
    let archive = archive();
    archive.sync();
    let manifest = archive.cache().join("lookback-index.manifest");
    let mut bytes = fs::read(&manifest).unwrap();
    bytes[16..20].copy_from_slice(&7u32.to_le_bytes());
    fs::write(&manifest, &bytes).unwrap();
    match Index::open(&archive.cache()) {
        Err(IndexError::NewerFormat { found: 7, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(fs::read(&manifest).unwrap(), bytes);
}

#[test]
fn an_index_of_an_earlier_version_is_built_again() {
    let archive = archive();
    archive.sync();
    let manifest = archive.cache().join("lookback-index.manifest");
    let mut bytes = fs::read(&manifest).unwrap();
    bytes[16..20].copy_from_slice(&0u32.to_le_bytes());
    fs::write(&manifest, &bytes).unwrap();
    assert_eq!(archive.index().status().unwrap().state, IndexState::Outdated);
    assert!(archive.sync().rebuilt.is_some());
    assert_eq!(archive.found("parser"), ["s1"]);
}

/// A folder in the place of the manifest's new version keeps everybody from committing, root too.
#[test]
fn a_commit_that_fails_leaves_the_last_one() {
    let archive = archive();
    archive.sync();
    let block = archive.cache().join("lookback-index.manifest.new");
    fs::create_dir_all(block.join("full")).unwrap();
    let mut script = Script::new("s2", 2);
    script.user("Where is the lexer?");
    archive.write("a_s2", &script);
    let roots = archive.roots();
    let index = archive.index();
    assert!(index.sync(&SyncOptions::new(&roots)).is_err());
    assert_eq!(hits(&index, "parser").len(), 1);
    assert!(hits(&index, "lexer").is_empty());
    fs::remove_dir_all(block).unwrap();
    archive.sync();
    assert_eq!(archive.found("lexer"), ["s2"]);
}

/// A limit on the size of files makes writes fail as a full disk does, and asks for no rights.
#[cfg(unix)]
#[test]
fn on_a_full_disk_the_last_commit_stays() {
    let archive = archive();
    archive.sync();
    let mut script = Script::new("s2", 2);
    for word in 0..4000 {
        script.user(&format!(
            "different{word} words{word} fill{word} the{word} disk{word}"
        ));
    }
    archive.write("a_s2", &script);
    let output = with_shell(
        "trap '' XFSZ; ulimit -f 16",
        "folder::child_that_meets_a_full_disk",
        archive.path(),
    );
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stdout)
    );
    // With room again the sync goes on.
    archive.sync();
    assert_eq!(archive.found("disk3999"), ["s2"]);
}

/// Not a test: syncs where there is no room.
#[test]
#[ignore = "entry point of child processes"]
fn child_that_meets_a_full_disk() {
    let Some(orders) = children::orders() else { return };
    let archive = Utf8Path::new(&orders);
    let index = Index::open(&archive.join("cache")).unwrap();
    let before = index.status().unwrap();
    let error = index
        .sync(&SyncOptions::new(&[archive.join("sessions")]))
        .unwrap_err();
    assert_eq!(error.code(), "disk-full");
    assert_eq!(hits(&index, "parser").len(), 1);
    assert!(hits(&index, "disk3999").is_empty());
    assert_eq!(index.status().unwrap(), before);
    // The half of a layer is not left in the way of everything else.
    assert_eq!(fs::read_dir(archive.join("cache")).unwrap().count(), 4);
}

/// Nobody may write where nobody has the right to: root too, so the file system itself has to say no.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_can_be_searched() {
    let archive = archive();
    archive.sync();
    let (cache, twin) = (archive.cache(), archive.path().join("twin"));
    fs::create_dir_all(&twin).unwrap();
    let mount = |arguments: &[&str]| {
        let output = std::process::Command::new("mount").args(arguments).output();
        output.is_ok_and(|output| output.status.success())
    };
    // Where the test may not mount, it says nothing.
    if !mount(&["--bind", cache.as_str(), twin.as_str()]) {
        return;
    }
    let read_only = mount(&["-o", "remount,ro,bind", twin.as_str()]);
    let index = Index::open(&twin).unwrap();
    let found = hits(&index, "parser").len();
    let mut script = Script::new("s2", 2);
    script.user("Where is the lexer?");
    archive.write("a_s2", &script);
    let roots = archive.roots();
    let result = index.sync(&SyncOptions::new(&roots));
    drop(index);
    let unmounted = std::process::Command::new("umount").arg(twin.as_str()).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    assert_eq!(found, 1);
    if read_only {
        assert_eq!(result.unwrap_err().code(), "read-only");
    }
}
