//! What crosses the crates of ralplan: scripts that play runs, the texts they use, and the vectors that every host reads.

pub mod cases;
pub mod forge;
pub mod script;
pub mod texts;
pub mod vectors;
