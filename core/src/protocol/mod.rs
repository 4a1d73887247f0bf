//! The rules a run obeys, as data.
//!
//! A protocol document chooses roles, words, order, budgets and layout. Stage *kinds* carry fixed
//! preconditions that no document can switch off.

mod builtin;
mod parse;
mod policy;
mod stage;
mod validate;
mod verdict;

pub use builtin::{built_in, built_in_names};
pub use parse::{ProtocolError, parse};
pub use policy::{
    Admission, AssuranceMinimum, Budgets, ConflictRules, CounterReview, Enforcement, EnforcementDefault,
    IdKind, Identity, Interview, Layout, LeaderMay, PhaseRule, QualityGate, QualityGateKind, QualityGateMode,
    Range, Ratchet, Target, Unattended,
};
pub use stage::{
    Binding, Exhaustion, FindingsRule, Numbering, Opens, Pushback, Requirement, Review, Stage, StageKind,
    VerdictMissing, When,
};
pub use validate::check;
pub use verdict::{Axis, Class, Role, RoleKind, Token};

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The schema word of a protocol document.
pub const SCHEMA: &str = "ralplan.protocol.v1";

/// A protocol document.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Protocol {
    /// Always `ralplan.protocol.v1`.
    pub schema: String,
    /// Name of the protocol, an id.
    pub name: String,
    /// Version of the document, counted by its author.
    pub version: u32,
    /// Who takes part, by role name.
    pub roles: BTreeMap<String, Role>,
    /// The kinds of artifacts, by stage name.
    pub stages: BTreeMap<String, Stage>,
    /// Context stages in the order in which they are written before the first draft.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// How drafts are reviewed.
    pub review: Review,
    /// Stages after consensus or exhaustion, in order; empty when the draft itself is approved.
    pub closing: Vec<String>,
    /// What the stage number means.
    pub numbering: Numbering,
    /// How much may be spent.
    pub budgets: Budgets,
    /// Whether an all-approving first pass must hold an objection or a finding.
    pub pushback: Pushback,
    /// When findings collide and how that is settled.
    pub conflicts: ConflictRules,
    /// What later passes may still object to; absent when they may object to anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratchet: Option<Ratchet>,
    /// Who may act, and how well that must be known.
    pub identity: Identity,
    /// Whether open items are reconciled with a person before the final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interview: Option<Interview>,
    /// Further gates after the reviews.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<QualityGate>,
    /// What lets a plan go on to execution.
    pub admission: Admission,
    /// What follows the handoff.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<PhaseRule>,
    /// The line printed when a milestone is reached, by milestone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub markers: BTreeMap<String, String>,
    /// Sentences that a host prints on certain refusals, by reason code.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub messages: BTreeMap<String, String>,
    /// Where the files of a run lie.
    pub layout: Layout,
    /// Which softenable codes only warn.
    pub enforcement: Enforcement,
}

impl Protocol {
    /// The names of the reviewer roles, in alphabetical order.
    pub fn reviewers(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().filter(|(_, role)| role.kind == RoleKind::Reviewer).map(|(name, _)| name.as_str())
    }

    /// The names of the stages of a kind, in alphabetical order.
    pub fn stages_of(&self, kind: StageKind) -> impl Iterator<Item = &str> {
        self.stages.iter().filter(move |(_, stage)| stage.kind == kind).map(|(name, _)| name.as_str())
    }

    /// The stage in which a reviewer role writes, if it has one.
    #[must_use]
    pub fn review_stage(&self, role: &str) -> Option<&str> {
        self.stages
            .iter()
            .find(|(_, stage)| stage.kind == StageKind::Review && stage.by.iter().any(|by| by == role))
            .map(|(name, _)| name.as_str())
    }

    /// The draft stage that opens an iteration.
    #[must_use]
    pub fn opener(&self, is_first: bool) -> Option<&str> {
        self.stages
            .iter()
            .find(|(_, stage)| {
                stage.kind == StageKind::Draft && stage.opens.is_some_and(|opens| opens.fits(is_first))
            })
            .map(|(name, _)| name.as_str())
    }

    /// The final stage; none when the draft itself is approved.
    #[must_use]
    pub fn final_stage(&self) -> Option<&str> {
        self.stages_of(StageKind::Final).next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_reads_validates_and_has_its_own_words() {
        let mut final_words = std::collections::BTreeSet::new();
        for name in built_in_names() {
            let protocol = built_in(name).unwrap();
            assert_eq!(protocol.name, name);
            let text = serde_json::to_string(&protocol).unwrap();
            assert_eq!(parse(text.as_bytes()).unwrap(), protocol);
            final_words.insert(protocol.layout.artifact.clone());
        }
        assert_eq!(built_in_names().count(), 4);
        assert_eq!(final_words.len(), 3, "standard and gjc share the file names of gjc's document");
    }
}
