//! What crosses the crates of ralplan: scripts that play runs, the texts they use, and the vectors that every host reads.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

pub mod cases;
pub mod files;
pub mod forge;
pub mod script;
pub mod texts;
pub mod vectors;

/// Pages with Rust in them; their blocks are compiled and run as documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/hosts.md")]
    struct Hosts;
}
