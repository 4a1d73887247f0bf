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
