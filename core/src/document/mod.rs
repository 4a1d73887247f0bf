//! Reading Markdown artifacts: outline, facts, required content, diagnostics.

pub(crate) mod block_json;
pub(crate) mod blocks;
pub(crate) mod label;
mod nearest;
mod outline;
mod position;
pub(crate) mod slug;
mod table;
mod text_digest;

pub use nearest::nearest;
pub use outline::{Anchor, Outline, Section};
pub use position::{Lines, Position};
pub use slug::slug;
pub use text_digest::text_digest;

mod pending;
pub use pending::*;
