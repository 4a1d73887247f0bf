//! The decisions of ralplan: a pure engine for consensus planning.
#![forbid(unsafe_code)]

pub mod document;
pub mod intake;
pub mod json;
pub mod protocol;
pub mod review;
