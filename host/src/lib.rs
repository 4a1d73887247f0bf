//! What a native host adds to the core: the run store and agent processes.
#![forbid(unsafe_code)]

pub mod clock;
pub mod drive;
pub mod fault;
pub mod folder;
pub mod host;
pub mod lint;
pub mod outline;
pub mod process;
pub mod root;
pub mod settings;
pub mod store;
mod submit;

pub use submit::{Opened, Submitted, open, submit};
