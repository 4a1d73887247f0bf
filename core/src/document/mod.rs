//! Reading Markdown artifacts: outline, facts, required content, diagnostics.

mod blocks;
mod label;
mod nearest;
mod outline;
mod position;
mod slug;
mod table;

pub use nearest::nearest;
pub use outline::{Anchor, Outline, Section};
pub use position::{Lines, Position};
pub use slug::slug;
