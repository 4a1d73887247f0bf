//! The program's own sentences: reasons, decisions and next steps as text.

mod decision;
mod reason;
mod step;

pub(crate) use decision::{acted, happened};
pub(crate) use reason::{list, reasons, short};
pub(crate) use step::{Move, moves, moves_of, moves_text};
