//! What crosses the crates of ralplan: scripts that play runs, and the texts they use.

pub mod script;
pub mod texts;
