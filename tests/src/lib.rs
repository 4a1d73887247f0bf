//! What crosses the crates of ralplan: scripts that play runs, and the texts they use.

pub mod script;
pub mod texts;

/// Pages with Rust in them; their blocks are compiled and run as documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../docs/hosts.md")]
    struct Hosts;
}
