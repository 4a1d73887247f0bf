//! Which paths are allowed below a root.

/// Why a path is refused.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// It leaves the root, or is empty.
    #[error("`{path}` leaves its folder; expected a relative path without `.` and `..`")]
    Escape {
        /// The path.
        path: String,
    },
    /// It starts at the top of a file system.
    #[error("`{path}` is absolute; expected a path relative to the root")]
    Absolute {
        /// The path.
        path: String,
    },
    /// It holds a NUL or control character.
    #[error("`{path}` holds a NUL or control character")]
    Control {
        /// The path, without those characters.
        path: String,
    },
    /// A component is reserved on some system.
    #[error("`{part}` in `{path}` is reserved on some systems; use another name")]
    Reserved {
        /// The path.
        path: String,
        /// The component.
        part: String,
    },
    /// A component is longer than file systems allow.
    #[error("a component of `{path}` is longer than 255 bytes")]
    TooLong {
        /// The path, shortened.
        path: String,
    },
}

impl PathError {
    /// The reason code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            PathError::Escape { .. } => "path.escape",
            PathError::Absolute { .. } => "path.absolute",
            PathError::Control { .. } => "path.nul",
            PathError::Reserved { .. } => "path.reserved",
            PathError::TooLong { .. } => "path.too_long",
        }
    }
}

/// Device names of Windows, which no file may have there, with any extension.
const DEVICES: &[&str] = &[
    "con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9",
    "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9",
];

/// Checks a path below a root: relative, with `/` between its parts, and with names that every system takes.
///
/// # Errors
/// See [`PathError`].
pub fn check_path(path: &str) -> Result<(), PathError> {
    let shown = || path.chars().filter(|letter| !letter.is_control()).take(120).collect::<String>();
    if path.chars().any(char::is_control) {
        return Err(PathError::Control { path: shown() });
    }
    let has_drive = path.as_bytes().get(1) == Some(&b':');
    if path.starts_with(['/', '\\']) || has_drive {
        return Err(PathError::Absolute { path: shown() });
    }
    for part in path.split('/') {
        if part.is_empty() || part == "." || part == ".." {
            return Err(PathError::Escape { path: shown() });
        }
        if part.len() > 255 {
            return Err(PathError::TooLong { path: shown() });
        }
        let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
        let is_odd = part.ends_with(['.', ' ']) || part.contains(['\\', ':', '<', '>', '"', '|', '?', '*']);
        if is_odd || DEVICES.contains(&stem.as_str()) {
            return Err(PathError::Reserved { path: shown(), part: part.to_owned() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_relative_paths_are_allowed() {
        for path in ["a", "a/b.md", ".ralplan/runs/r/ledger.jsonl", "plans/계획.md", "console.md", "a b"] {
            assert_eq!(check_path(path), Ok(()), "{path}");
        }
    }

    #[test]
    fn each_kind_of_refusal_has_its_code() {
        let long = "x".repeat(256);
        let cases = [
            ("", "path.escape"),
            ("..", "path.escape"),
            ("a/../b", "path.escape"),
            ("a//b", "path.escape"),
            ("./a", "path.escape"),
            ("a/", "path.escape"),
            ("/etc/passwd", "path.absolute"),
            ("\\\\host\\share", "path.absolute"),
            ("C:/x", "path.absolute"),
            ("C:x", "path.absolute"),
            ("a\0b", "path.nul"),
            ("a\nb", "path.nul"),
            ("NUL", "path.reserved"),
            ("a/con.md", "path.reserved"),
            ("Com1.txt", "path.reserved"),
            ("a.", "path.reserved"),
            ("a ", "path.reserved"),
            ("a\\b", "path.reserved"),
            ("file:stream", "path.reserved"),
            (long.as_str(), "path.too_long"),
        ];
        for (path, code) in cases {
            assert_eq!(check_path(path).map_err(|error| error.code()), Err(code), "{path:?}");
        }
    }
}
