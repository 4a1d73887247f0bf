//! Reading Markdown artifacts: outline, facts, required content, diagnostics.

mod adr;
pub(crate) mod block_json;
pub(crate) mod blocks;
mod check;
mod diagnostic;
mod graph;
mod graph_rule;
mod items;
pub(crate) mod label;
mod nearest;
mod options;
mod outline;
mod part;
mod parts;
mod paths;
mod plan;
mod position;
mod risks;
mod section_name;
pub(crate) mod slug;
mod table;
mod task_rules;
mod tasks;
mod text_digest;
mod units;
mod wording;

pub use check::check;
pub use diagnostic::{CheckOptions, Diagnostic, DocumentKind, Level};
pub use items::{ITEMS_BLOCK, ITEMS_SCHEMA, Impact, ItemKind, ItemsError, OpenItem, read_open_items};
pub use nearest::nearest;
pub use outline::{Anchor, Outline, Section};
pub use plan::{PlanFacts, PlanItem, PlanRisk, PlanTask};
pub use position::{Lines, Position};
pub use slug::slug;
pub use text_digest::text_digest;
pub use wording::vague_words;
