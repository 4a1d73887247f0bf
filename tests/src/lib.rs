//! What crosses the crates of ralplan: scripts that play runs, the texts they use, and the vectors that every host reads.
#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    reason = "all of it is test code: a script that cannot go on stops its test"
)]

pub mod cases;
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
