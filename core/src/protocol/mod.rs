//! The rules a run obeys, as data.

mod verdict;

pub use verdict::{Axis, Class, Token};
