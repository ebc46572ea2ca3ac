//! Who may read and write what Lookback wrote.

use camino::Utf8Path;

use super::{Area, Check};

/// What is asked of a file or folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A file that only its owner may read.
    PrivateFile,
    /// A folder that only its owner may enter.
    PrivateFolder,
    /// A folder that others may read where its owner wants it so.
    Folder,
}

impl Wanted {
    /// The mode that Lookback gives it.
    #[cfg(unix)]
    pub(super) fn mode(self) -> u32 {
        match self {
            Self::PrivateFile => 0o600,
            Self::PrivateFolder | Self::Folder => 0o700,
        }
    }
}

/// Looks at owner and mode. What is not there is in order.
#[cfg(unix)]
pub(super) fn check(area: Area, path: &Utf8Path, wanted: Wanted, checks: &mut Vec<Check>) {
    use std::os::unix::fs::MetadataExt;

    use super::CheckState;

    // A link is judged by the folder it leads to; in place of files links are refused elsewhere.
    let metadata = match wanted {
        Wanted::Folder => std::fs::metadata(path),
        Wanted::PrivateFile | Wanted::PrivateFolder => std::fs::symlink_metadata(path),
    };
    let Ok(metadata) = metadata else { return };
    if metadata.is_symlink() {
        return;
    }
    let user = rustix::process::geteuid().as_raw();
    if metadata.uid() != user {
        let message = format!("belongs to user {}, not to user {user}", metadata.uid());
        checks.push(Check::new(area, CheckState::Problem, "other-owner", message).at(path));
    }
    let others = metadata.mode() & 0o077;
    if others == 0 {
        return;
    }
    let state = match wanted {
        Wanted::Folder if others & 0o022 == 0 => CheckState::Notice,
        _ => CheckState::Problem,
    };
    let message = format!("is open to other users (mode {:04o})", metadata.mode() & 0o7777);
    let advice = match wanted {
        Wanted::Folder => "`chmod 700` closes it, unless it is shared on purpose",
        Wanted::PrivateFile | Wanted::PrivateFolder => "`lookback doctor --repair` closes it",
    };
    checks.push(
        Check::new(area, state, "open-to-others", message)
            .at(path)
            .advise(advice),
    );
}

#[cfg(not(unix))]
pub(super) fn check(_area: Area, _path: &Utf8Path, _wanted: Wanted, _checks: &mut Vec<Check>) {}
