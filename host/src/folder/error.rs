//! Why a folder could not do something.

use super::path::PathError;

/// Why a folder could not do something. Each variant names the path.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The path itself is refused.
    #[error(transparent)]
    Path(#[from] PathError),
    /// A symbolic link stands in the way.
    #[error("`{part}` in `{path}` is a symbolic link; expected a plain file or folder")]
    Link {
        /// The path.
        path: String,
        /// The component that is a link.
        part: String,
    },
    /// Something else than a file has this name.
    #[error("`{path}` is not a plain file")]
    NotAFile {
        /// The path.
        path: String,
    },
    /// Something else than a folder stands on the way.
    #[error("`{part}` in `{path}` is not a folder")]
    NotAFolder {
        /// The path.
        path: String,
        /// The component.
        part: String,
    },
    /// The file is larger than it may be.
    #[error("`{path}` has {found} bytes; expected at most {most}")]
    TooLarge {
        /// The path.
        path: String,
        /// Most bytes.
        most: u64,
        /// Its bytes.
        found: u64,
    },
    /// Another process holds the lock.
    #[error("`{path}` is held by another process for more than 30 seconds; wait for it, or end it")]
    Locked {
        /// The path.
        path: String,
    },
    /// The system refused.
    #[error("cannot {act} `{path}`: {source}")]
    Io {
        /// What was tried.
        act: &'static str,
        /// The path.
        path: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A fault that a test asked for.
    #[error("a test asked for a fault at `{point}`")]
    Injected {
        /// The point.
        point: &'static str,
    },
}

impl FolderError {
    pub(super) fn io(act: &'static str, path: &str, source: std::io::Error) -> FolderError {
        FolderError::Io { act, path: path.to_owned(), source }
    }

    pub(super) fn gone(path: &str) -> FolderError {
        FolderError::io("open", path, std::io::ErrorKind::NotFound.into())
    }

    /// The reason code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            FolderError::Path(error) => error.code(),
            FolderError::Link { .. } => "path.link",
            FolderError::Locked { .. } => "store.locked",
            FolderError::TooLarge { .. } => "input.too_large",
            FolderError::NotAFile { .. }
            | FolderError::NotAFolder { .. }
            | FolderError::Io { .. }
            | FolderError::Injected { .. } => "store.io",
        }
    }
}
