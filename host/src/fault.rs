//! Points at which a test can end the process or make an operation fail.
//!
//! Without the feature `fault-injection` they do nothing and cost nothing. With it, `RALPLAN_FAULT=NAME:COUNT` ends the
//! process at the COUNTth passing of the point; `NAME` may be `*` for any point.

use crate::folder::FolderError;

/// Every point, in the order in which a write passes them.
pub const POINTS: &[&str] = &[
    "put.before_write",
    "put.before_link",
    "put.after_link",
    "truncate.before_cut",
    "append.before_write",
    "append.torn",
    "append.before_sync",
    "append.after_sync",
    "replace.before_write",
    "replace.before_rename",
    "replace.after_rename",
];

#[cfg(feature = "fault-injection")]
mod active {
    use std::sync::atomic::{AtomicU32, Ordering};

    static PASSED: AtomicU32 = AtomicU32::new(0);

    /// True when this passing of the point is the one that was asked for.
    pub(super) fn is_due(point: &str) -> bool {
        let Ok(wanted) = std::env::var("RALPLAN_FAULT") else { return false };
        let (name, count) = wanted.split_once(':').unwrap_or((wanted.as_str(), "1"));
        if name != "*" && name != point {
            return false;
        }
        PASSED.fetch_add(1, Ordering::SeqCst) + 1 == count.parse().unwrap_or(1)
    }
}

/// Ends the process here when a test asked for it.
#[cfg(feature = "fault-injection")]
#[allow(clippy::unnecessary_wraps, reason = "the same shape with and without the feature")]
pub(crate) fn point(point: &'static str) -> Result<(), FolderError> {
    if active::is_due(point) {
        if std::env::var_os("RALPLAN_FAULT_ERROR").is_some() {
            return Err(FolderError::Injected { point });
        }
        abort();
    }
    Ok(())
}

/// True when a test asked for a write that is cut in the middle.
#[cfg(feature = "fault-injection")]
pub(crate) fn torn(point: &'static str) -> bool {
    active::is_due(point)
}

/// Does nothing.
#[cfg(not(feature = "fault-injection"))]
#[inline]
#[allow(clippy::unnecessary_wraps, reason = "the same shape with and without the feature")]
pub(crate) fn point(_: &'static str) -> Result<(), FolderError> {
    Ok(())
}

/// Does nothing.
#[cfg(not(feature = "fault-injection"))]
#[inline]
pub(crate) fn torn(_: &'static str) -> bool {
    false
}

/// Ends the process as if it were killed.
pub(crate) fn abort() {
    if cfg!(feature = "fault-injection") {
        std::process::abort();
    }
}
