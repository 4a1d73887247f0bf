//! The built-in protocols, looked up in a list.

use super::{Protocol, parse};

const BUILT_IN: &[(&str, &str)] = &[
    ("standard", include_str!("../../protocols/standard.json")),
    ("gjc", include_str!("../../protocols/gjc.json")),
    ("omx", include_str!("../../protocols/omx.json")),
    ("pi", include_str!("../../protocols/pi.json")),
];

/// The names of the built-in protocols; the first is the default.
pub fn built_in_names() -> impl Iterator<Item = &'static str> {
    BUILT_IN.iter().map(|(name, _)| *name)
}

/// The built-in protocol with this name.
///
/// ```
/// let protocol = ralplan_core::protocol::built_in("standard").unwrap();
/// assert_eq!(protocol.budgets.iterations.default, 5);
/// ```
#[must_use]
pub fn built_in(name: &str) -> Option<Protocol> {
    let (_, text) = BUILT_IN.iter().find(|(known, _)| *known == name)?;
    // INVARIANT: the embedded documents validate (tested).
    parse(text.as_bytes()).ok()
}
