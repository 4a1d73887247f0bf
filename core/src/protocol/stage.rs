//! Stages and the order in which drafts are reviewed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::DocumentKind;

/// A kind of artifact. The kind fixes the preconditions, whatever the stage is called.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum StageKind {
    /// What a draft is based on; written before the draft of its iteration.
    Context,
    /// A version of the plan; opens an iteration and voids all earlier verdicts.
    Draft,
    /// A reviewer's judgement of the current draft.
    Review,
    /// How conflicts between reviewers were settled.
    Disposition,
    /// What a person said about the open items.
    Reconciliation,
    /// A further closing document, for example the decision record.
    Record,
    /// The reviewed draft plus closing sections, pending a person's approval.
    Final,
}

/// Which iterations a draft stage opens.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Opens {
    /// The first iteration only.
    First,
    /// All but the first.
    Again,
    /// Every iteration.
    Any,
}

impl Opens {
    /// True when a stage that opens so may open the first, or a later, iteration.
    #[must_use]
    pub fn fits(self, is_first: bool) -> bool {
        match self {
            Opens::First => is_first,
            Opens::Again => !is_first,
            Opens::Any => true,
        }
    }
}

/// Condition under which a context stage is required.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum When {
    /// Only in runs that ask questions first.
    AskFirst,
}

/// One stage of a protocol.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// What kind of artifact it is.
    pub kind: StageKind,
    /// Who may write it: role names, `leader`, `person`.
    pub by: Vec<String>,
    /// For drafts: which iterations it opens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opens: Option<Opens>,
    /// True when the stage may be left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub optional: bool,
    /// Condition under which a context stage is required.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// True when the artifact holds questions to a person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub asks: bool,
    /// Parts that the document must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<DocumentKind>,
    /// For finals: anchors of the sections that may follow the draft.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub may_add: Vec<String>,
}

/// Which draft a review is taken to have read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Binding {
    /// The command or its assignment must state the digest.
    Stated,
    /// A digest is compared when stated; otherwise it is the current draft.
    Current,
}

/// What a missing verdict counts as.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum VerdictMissing {
    /// The review is refused.
    Refuse,
    /// The review is accepted and objects.
    Objection,
}

/// How findings are written.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingsRule {
    /// A findings block is required.
    Required,
    /// A findings block is read when there is one.
    Optional,
    /// A findings block or a list tagged with severity words is read.
    Tagged,
}

/// Whether something is asked for.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Requirement {
    /// It must be there.
    Required,
    /// It may be there.
    Optional,
}

/// What happens when the iterations are used up and the reviewers still object.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Exhaustion {
    /// The closing stages open, so that the best draft is kept as a stuck final.
    Close,
    /// Planning halts with the best draft as it is.
    Halt,
}

/// How drafts are reviewed.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Review {
    /// Groups of roles in the first iteration: parallel inside a group, groups one after another.
    pub first_pass: Vec<Vec<String>>,
    /// Groups of roles in later iterations.
    pub later_passes: Vec<Vec<String>>,
    /// True when the first objection ends the round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stop_at_first_objection: bool,
    /// What a missing verdict counts as.
    pub verdict_missing: VerdictMissing,
    /// How findings are written.
    pub findings: FindingsRule,
    /// Which draft a review is taken to have read.
    pub draft: Binding,
    /// What happens when the iterations are used up.
    pub exhausted: Exhaustion,
}

impl Review {
    /// The groups of an iteration, counted from 1.
    #[must_use]
    pub fn groups(&self, iteration: u32) -> &[Vec<String>] {
        if iteration <= 1 { &self.first_pass } else { &self.later_passes }
    }
}

/// What the stage number means.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Numbering {
    /// It must equal the iteration.
    Iteration,
    /// It is the caller's label, free from 1 to 999.
    Label,
}

/// Whether an all-approving first pass is believed.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pushback {
    /// It is.
    Off,
    /// It needs at least one finding of severity watch or block.
    Finding,
    /// It needs at least one objecting verdict.
    Objection,
}
