//! What is wrong with a text that is not strict JSON.

use thiserror::Error;

/// Why a text was refused before its content was looked at.
///
/// Paths are written as in `findings[2].evidence`; the whole document is `.`. Lines and columns start at 1, columns
/// count characters.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum JsonError {
    /// The text breaks the grammar of JSON.
    #[error("expected {expected}, found {found} at line {line}, column {column} (`{path}`)")]
    NotJson {
        /// What may stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
        /// The value in which the fault is.
        path: String,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The bytes are not UTF-8.
    #[error("expected UTF-8, found the byte `{found:#04x}` at line {line}, column {column}")]
    NotUtf8 {
        /// The first byte that belongs to no character.
        found: u8,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// The text starts with a byte order mark.
    #[error("expected UTF-8 without a byte order mark, found a {encoding} byte order mark")]
    ByteOrderMark {
        /// The encoding that the mark announces.
        encoding: &'static str,
    },
    /// A NUL character, as itself or as `\u0000`.
    #[error("expected no NUL character, found one at line {line}, column {column} (`{path}`)")]
    Nul {
        /// The value in which it stands.
        path: String,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// An object names a key twice.
    #[error("expected each key once, found `{key}` again at line {line}, column {column} (`{path}`)")]
    DuplicateKey {
        /// The key.
        key: String,
        /// The object.
        path: String,
        /// The line of the second one.
        line: usize,
        /// The column of the second one.
        column: usize,
    },
    /// A number that is no integer between -(2^53 - 1) and 2^53 - 1.
    #[error(
        "expected an integer from -9007199254740991 to 9007199254740991, found {found} at line {line}, column {column} (`{path}`)"
    )]
    Number {
        /// The number as written.
        found: String,
        /// Where it stands.
        path: String,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// Half of a surrogate pair.
    #[error("expected a whole surrogate pair, found {found} at line {line}, column {column} (`{path}`)")]
    Surrogate {
        /// The escape as written.
        found: String,
        /// The value in which it stands.
        path: String,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// More arrays and objects inside each other than allowed.
    #[error("expected at most {limit} levels, found more at line {line}, column {column} (`{path}`)")]
    TooDeep {
        /// How many are allowed.
        limit: usize,
        /// The value that is one too deep.
        path: String,
        /// The line.
        line: usize,
        /// The column.
        column: usize,
    },
    /// More bytes than allowed.
    #[error("expected at most {limit} bytes, found {found}")]
    TooLarge {
        /// How many are allowed.
        limit: usize,
        /// How many there are.
        found: usize,
    },
}

impl JsonError {
    /// The reason code.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotJson { .. } => "input.not_json",
            Self::NotUtf8 { .. } => "input.not_utf8",
            Self::ByteOrderMark { .. } => "input.byte_order_mark",
            Self::Nul { .. } => "input.nul",
            Self::DuplicateKey { .. } => "input.duplicate_key",
            Self::Number { .. } => "input.number",
            Self::Surrogate { .. } => "input.surrogate",
            Self::TooDeep { .. } => "input.too_deep",
            Self::TooLarge { .. } => "input.too_large",
        }
    }

    /// The path of the value with the fault, `.` for the whole document.
    pub fn path(&self) -> &str {
        match self {
            Self::NotJson { path, .. }
            | Self::Nul { path, .. }
            | Self::DuplicateKey { path, .. }
            | Self::Number { path, .. }
            | Self::Surrogate { path, .. }
            | Self::TooDeep { path, .. } => path,
            Self::NotUtf8 { .. } | Self::ByteOrderMark { .. } | Self::TooLarge { .. } => super::place::ROOT,
        }
    }
}
