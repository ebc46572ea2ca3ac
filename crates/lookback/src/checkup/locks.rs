//! Who holds a lock. The lock files lie there all the time; what counts is the operating system's lock on them.

use std::fs::{File, TryLockError};

use camino::Utf8Path;

use super::{Area, Check, CheckState};

/// Looks whether somebody holds the lock on a file. The lock is shared and given back at once.
pub(super) fn check(area: Area, path: &Utf8Path, checks: &mut Vec<Check>) {
    // Only a plain file: opening a FIFO would wait for whoever writes to it.
    if !std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()) {
        return;
    }
    let Ok(file) = fs_err::File::open(path) else {
        return;
    };
    match file.file().try_lock_shared() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let holder = holder(file.file())
                .map_or_else(|| "another process".to_owned(), |name| format!("process {name}"));
            let message = format!("is held by {holder}, which is writing; others read what was there before");
            checks.push(Check::new(area, CheckState::Notice, "locked", message).at(path));
        }
        Err(TryLockError::Error(error)) => {
            let message = format!("cannot be locked: {error}");
            let check = Check::new(area, CheckState::Problem, "lock-failed", message).at(path);
            checks.push(check.advise("choose a folder on a local disk"));
        }
    }
}

/// Number and name of the process that holds the lock, where the system tells.
#[cfg(target_os = "linux")]
fn holder(file: &File) -> Option<String> {
    use std::os::unix::fs::MetadataExt;

    let metadata = file.metadata().ok()?;
    let device = metadata.dev();
    // As `major` and `minor` of the C library take a device number apart.
    let (major, minor) = (
        (device >> 8 & 0xfff) | (device >> 32 & !0xfff),
        (device & 0xff) | (device >> 12 & !0xff),
    );
    let wanted = format!("{major:02x}:{minor:02x}:{}", metadata.ino());
    let locks = fs_err::read_to_string("/proc/locks").ok()?;
    let process: u32 = locks.lines().find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        // `->` marks those who wait.
        if fields.get(1) == Some(&"FLOCK") && fields.get(5) == Some(&wanted.as_str()) {
            fields[4].parse().ok()
        } else {
            None
        }
    })?;
    let name = fs_err::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default();
    Some(format!("{process} {}", name.trim()).trim_end().to_owned())
}

#[cfg(not(target_os = "linux"))]
fn holder(_file: &File) -> Option<String> {
    None
}
