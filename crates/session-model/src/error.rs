use std::io;

use camino::Utf8PathBuf;

/// A session file that cannot be read at all. Everything milder is a [`Diagnostic`](crate::Diagnostic).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no such file.
    #[error("there is no file {path}")]
    NotFound {
        /// The path that was asked for.
        path: Utf8PathBuf,
    },
    /// Links are not followed: they could lead out of the session folder.
    #[error("{path} is a symbolic link; session files are only read where they lie")]
    Link {
        /// The link.
        path: Utf8PathBuf,
    },
    /// A folder, FIFO, socket or device.
    #[error("{path} is not a regular file")]
    NotAFile {
        /// The path.
        path: Utf8PathBuf,
    },
    /// The operating system refused.
    #[error("cannot read {path}")]
    Io {
        /// The path.
        path: Utf8PathBuf,
        /// What it said.
        source: io::Error,
    },
}

impl OpenError {
    /// A stable name for the kind of error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFound { .. } => "not-found",
            Self::Link { .. } => "link-refused",
            Self::NotAFile { .. } => "not-a-file",
            Self::Io { .. } => "io",
        }
    }
}
