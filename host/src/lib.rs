//! What a native host adds to the core: the run store and agent processes.
#![forbid(unsafe_code)]

pub mod host;
pub mod store;
