//! Reading Markdown artifacts: outline, facts, required content, diagnostics.

pub(crate) mod blocks;
pub(crate) mod label;
mod nearest;
mod outline;
mod position;
mod slug;
mod table;

pub use nearest::nearest;
pub use outline::{Anchor, Outline, Section};
pub use position::{Lines, Position};
pub use slug::slug;
