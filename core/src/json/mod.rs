//! Strict and canonical JSON, the one place that reads, writes and hashes it.
//!
//! Text from outside goes through [`strict`] and [`shape`], text that is stored or hashed through [`canonical`] and
//! [`digest`].

pub mod canonical;
pub mod digest;
mod explain;
mod line;
pub mod nearest;
mod place;
mod scan;
pub mod shape;
pub mod strict;
mod strict_error;

/// The largest integer that every reader of JSON keeps exact, 2^53 - 1 (RFC 7493, section 2.2).
pub const MAX_INTEGER: u64 = (1 << 53) - 1;

/// How many arrays and objects may be open at once.
pub const MAX_DEPTH: usize = 64;

/// How many bytes one text may have.
pub const MAX_BYTES: usize = 64 * 1024 * 1024;

pub use canonical::{CanonicalError, to_canonical};
pub use digest::{Sha256Hex, is_sha256_hex, sha256_hex};
pub use line::{Members, NotCanonical, check_line};
pub use shape::{InputError, ShapeError, from_text, from_value};
pub use strict::{Limits, parse};
pub use strict_error::JsonError;
