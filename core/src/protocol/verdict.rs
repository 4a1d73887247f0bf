//! The axes on which a reviewer gives a verdict.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a verdict token means for the plan, best first.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// The reviewer agrees with the draft as it stands.
    Approve,
    /// The reviewer wants changes before it agrees.
    Revise,
    /// The reviewer rejects the draft.
    Reject,
}

/// One word a reviewer may use on an axis, with its meaning.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Token {
    /// The word as it is written in a review, for example `REQUEST CHANGES`.
    pub token: String,
    /// What the word means.
    pub class: Class,
}

/// One axis of a verdict, for example gjc's architectural status.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// Name of the axis, the key under which the token is stored.
    pub axis: String,
    /// The closed list of words, best first.
    pub tokens: Vec<Token>,
    /// Other spellings, each mapped to a word of `tokens`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub aliases: BTreeMap<String, String>,
    /// Labels that introduce the statement in a review, for example `Architectural Status`;
    /// empty means `Verdict` and its documented relatives.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// True when the host states this axis as a field of the command instead of in the text.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub flag: bool,
    /// True when upper and lower case do not differ.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ignore_case: bool,
}

/// Whether a role writes the plan or judges it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RoleKind {
    /// Writes drafts and closing stages.
    Author,
    /// Reviews drafts in a lane of its own.
    Reviewer,
}

/// A role of a protocol.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Role {
    /// Author or reviewer.
    pub kind: RoleKind,
    /// The axes of its verdict; empty for authors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdict: Vec<Axis>,
    /// Parts that its reviews must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub must_hold: Vec<String>,
    /// Severity words of its reviews, each mapped to a severity, where the protocol reads a tagged list.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub severities: BTreeMap<String, crate::review::Severity>,
    /// Name of the embedded instructions; absent means those of the role's kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// Further instructions of the team, appended to the prompt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instructions: Option<String>,
}

impl Axis {
    /// The word of the closed list that a spelling stands for.
    #[must_use]
    pub fn word(&self, spelling: &str) -> Option<String> {
        let is_word = |word: &str| {
            if self.ignore_case { word.eq_ignore_ascii_case(spelling) } else { word == spelling }
        };
        let direct = self.tokens.iter().find(|token| is_word(&token.token)).map(|token| token.token.clone());
        direct.or_else(|| self.aliases.iter().find(|(alias, _)| is_word(alias)).map(|(_, word)| word.clone()))
    }
}
