//! What is wrong with a document, and where.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::blocks::Line;
use super::outline::Outline;
use super::parts::Parts;
use super::position::{Lines, Position};

/// The documents whose required content is known.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DocumentKind {
    /// The summary of a draft: principles, drivers, options; in deliberate mode also pre-mortem and test plan.
    RalplanDr,
    /// An architecture decision record.
    Adr,
    /// Requirements with acceptance criteria and a coverage map.
    Spec,
    /// An implementation plan: tasks, dependencies, criteria, risks.
    Tasks,
}

/// How much a diagnostic weighs.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// Required content is missing or wrong.
    Error,
    /// Worth improving.
    Hint,
}

/// What a check looks at beside the text.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CheckOptions {
    /// True in deliberate mode, which asks for a pre-mortem and a test plan.
    #[serde(default)]
    pub deliberate: bool,
}

/// One thing that is wrong, with what was expected.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Diagnostic {
    /// Stable name of the rule, for example `document.principles`.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Level,
    /// Where it stands; the start of the text for what is missing altogether.
    pub position: Position,
    /// What was found.
    pub found: String,
    /// What was expected.
    pub expected: String,
    /// What to do about it.
    pub hint: String,
}

/// A document that is being checked.
pub(crate) struct Context<'a> {
    pub(crate) text: &'a str,
    pub(crate) outline: &'a Outline,
    pub(crate) index: Lines<'a>,
    pub(crate) parts: Parts,
}

impl<'a> Context<'a> {
    pub(crate) fn new(text: &'a str, outline: &'a Outline) -> Self {
        Self { text, outline, index: Lines::new(text), parts: Parts::read(outline) }
    }

    pub(crate) fn lines(&self) -> &'a [Line] {
        &self.outline.blocks.lines
    }

    pub(crate) fn error(&self, code: &'static str, at: usize, say: Say<'_>) -> Diagnostic {
        let position = self.index.position(at);
        let Say { found, expected, hint } = say;
        let (found, expected, hint) = (found.to_owned(), expected.to_owned(), hint.to_owned());
        Diagnostic { code, severity: Level::Error, position, found, expected, hint }
    }

    pub(crate) fn hint(&self, code: &'static str, at: usize, say: Say<'_>) -> Diagnostic {
        Diagnostic { severity: Level::Hint, ..self.error(code, at, say) }
    }
}

/// The words of a diagnostic.
#[derive(Clone, Copy)]
pub(crate) struct Say<'a> {
    pub(crate) found: &'a str,
    pub(crate) expected: &'a str,
    pub(crate) hint: &'a str,
}
