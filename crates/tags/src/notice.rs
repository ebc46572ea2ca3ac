//! What a caller must be told although the call succeeded.

use std::fmt;

use camino::Utf8PathBuf;

/// Something that happened to the stored files and that the user should hear of.
///
/// Notices travel with the snapshot or the outcome; the call itself succeeded.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Notice {
    /// The file was damaged or gone, and what was read comes from its backup. Changes that were made after the backup
    /// are not in it.
    UsedBackup {
        /// The file that could not be used.
        path: Utf8PathBuf,
        /// The backup that was read.
        backup: Utf8PathBuf,
        /// What is wrong with the file.
        damage: Damage,
    },
    /// The file was damaged and there is no good backup: the store counts as empty.
    NoGoodCopy {
        /// The damaged file.
        path: Utf8PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
    /// A damaged file was kept under another name before a good one took its place.
    SetAside {
        /// The name that the file had.
        path: Utf8PathBuf,
        /// The name under which it can be found now.
        set_aside: Utf8PathBuf,
    },
    /// The change is safe, but its backup could not be written.
    BackupNotWritten {
        /// The backup file.
        path: Utf8PathBuf,
        /// Why not.
        reason: String,
    },
}

impl Notice {
    /// A short name for the kind of notice, fit for programs. It never changes for a kind.
    pub fn code(&self) -> &'static str {
        match self {
            Self::UsedBackup { .. } => "used-backup",
            Self::NoGoodCopy { .. } => "no-good-copy",
            Self::SetAside { .. } => "set-aside",
            Self::BackupNotWritten { .. } => "backup-not-written",
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UsedBackup { path, backup, damage } => {
                write!(f, "{path} {damage}; the backup {backup} is used")
            }
            Self::NoGoodCopy { path, damage } => {
                write!(f, "{path} {damage}, and there is no good backup of it")
            }
            Self::SetAside { path, set_aside } => write!(f, "the damaged {path} was kept as {set_aside}"),
            Self::BackupNotWritten { path, reason } => {
                write!(f, "the change is stored, but its backup {path} is not: {reason}")
            }
        }
    }
}

/// Why a file could not be used.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// The file is not there, although its backup is.
    Missing,
    /// The file has no content.
    Empty,
    /// The content is not JSON: cut, overwritten, or not UTF-8.
    NotJson {
        /// Line of the first fault, from 1.
        line: usize,
        /// Column of the first fault, in bytes from 1; 0 if unknown.
        column: usize,
    },
    /// The content is JSON, but not what the format demands.
    WrongShape {
        /// The session whose record is at fault; `None` for the file as a whole.
        session: Option<String>,
        /// What is wrong.
        what: &'static str,
    },
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing => f.write_str("is missing"),
            Self::Empty => f.write_str("is empty"),
            Self::NotJson { line, column } => {
                write!(f, "is damaged at line {line}, column {column}")
            }
            Self::WrongShape { session: None, what } => write!(f, "has a wrong shape: {what}"),
            Self::WrongShape {
                session: Some(session),
                what,
            } => {
                write!(f, "has a wrong record for session {session:?}: {what}")
            }
        }
    }
}
