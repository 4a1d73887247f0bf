//! Budgets, identity, admission, layout and enforcement of a protocol.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::stage::Requirement;
use crate::review::Action;
use crate::run::Assurance;

/// A number with its default and the range in which a team may set it.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Value without a setting.
    pub default: u32,
    /// Smallest value.
    pub min: u32,
    /// Largest value.
    pub max: u32,
}

/// How much a run may spend.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// Drafts of one run.
    pub iterations: Range,
    /// Reviews of one lane in one iteration.
    pub passes_per_lane: Range,
    /// Size of one artifact, in bytes.
    pub artifact_bytes: u64,
}

/// When findings of different roles collide and how that is settled.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ConflictRules {
    /// Pairs of actions on one target that cannot both be followed.
    pub incompatible: Vec<[Action; 2]>,
    /// The choices of a disposition.
    pub choices: Vec<String>,
    /// Rounds after which a standing disagreement goes to a person; 0 for never.
    pub person_after_rounds: u32,
}

/// What later passes may still object to.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Ratchet {
    /// First pass to which it applies.
    pub from_pass: u32,
    /// Who rules on new blockers of whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_review: Option<CounterReview>,
}

/// Who rules on new blockers of whom.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CounterReview {
    /// The role that rules.
    pub by: String,
    /// The roles whose blockers it rules on.
    pub of: Vec<String>,
}

/// An id that an actor may carry.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum IdKind {
    /// The agent.
    AgentId,
    /// One start of the agent.
    InvocationId,
    /// One turn of the conversation.
    TurnId,
    /// The thread of the agent's host.
    ThreadId,
}

/// The least assurance for acts of a kind.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AssuranceMinimum {
    /// For reviews.
    pub review: Assurance,
    /// For a person's approval.
    pub approval: Assurance,
    /// For automatic admission.
    pub automatic: Assurance,
}

/// Work that the leader of a run may do itself.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderMay {
    /// Write drafts.
    Author,
    /// Write drafts when the run's setting gives it the planner's work.
    AuthorByOwnership,
    /// Write closing stages.
    Closing,
}

/// Who may act, and how well that must be known.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// Whether writes of roles need the token of an assignment.
    pub assignments: Requirement,
    /// The least assurance.
    pub assurance: AssuranceMinimum,
    /// Ids that must be stated.
    pub present: Vec<IdKind>,
    /// Ids in which roles must differ.
    pub distinct: Vec<IdKind>,
    /// Work that the leader may do itself.
    pub leader_may: Vec<LeaderMay>,
    /// `required` when the roles must be isolated from each other.
    pub isolation: Requirement,
    /// `reason` when a change of agent needs one, `free` otherwise.
    pub continuity: String,
    /// Reasons for a change of agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub continuity_reasons: Vec<String>,
}

/// What becomes of open items when no person is there.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Unattended {
    /// They stay open confirmations and switch automatic admission off.
    OpenConfirmations,
}

/// Whether open items are reconciled with a person before the final.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Interview {
    /// What becomes of open items when no person is there.
    pub unattended: Unattended,
}

/// Whether a quality gate can stop a plan.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QualityGateMode {
    /// Not passing calls for a revision.
    #[default]
    Blocking,
    /// The result is recorded only.
    Advisory,
}

/// Who runs a quality gate.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum QualityGateKind {
    /// An agent.
    #[default]
    Agent,
    /// A command.
    Command,
}

/// A gate after the reviews.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct QualityGate {
    /// Name of the gate, an id.
    pub name: String,
    /// Whether it can stop a plan.
    #[serde(default)]
    pub mode: QualityGateMode,
    /// Who runs it.
    #[serde(default)]
    pub kind: QualityGateKind,
    /// Model that its agent should use.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// A target of a handoff.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// Fact that the host must report as available.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub needs_fact: Option<String>,
}

/// What lets a plan go on to execution.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Admission {
    /// Sources of an admission: `person`, `setting`, `supervisor`, `prior_consent`.
    pub by: Vec<String>,
    /// The targets, by name.
    pub targets: BTreeMap<String, Target>,
}

/// A phase after the handoff.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseRule {
    /// Name of the phase.
    pub name: String,
    /// Most attempts.
    pub cap: u32,
}

/// Where the files of a run lie. Paths are relative to the root and use `{run}`, `{session}`,
/// `{session:percent}`, `{slug}`, `{started:compact}`, `{stage}`, `{n}`, `{n:02}`.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Layout {
    /// Folder of the artifacts.
    pub folder: String,
    /// Path of the ledger, from the root.
    pub ledger: String,
    /// Path of an artifact, from the folder.
    pub artifact: String,
    /// Documented names that hold the latest artifact of a stage, from the folder.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub latest: BTreeMap<String, String>,
    /// `subtract` when rows of another program are imported, `refuse` otherwise.
    pub foreign_rows: String,
    /// `add` when a missing final newline is added, `keep` otherwise.
    pub final_newline: String,
}

/// What an unlisted softenable code does.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EnforcementDefault {
    /// It refuses.
    Deny,
    /// It warns.
    Warn,
}

/// Which softenable codes only warn.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Enforcement {
    /// What an unlisted softenable code does.
    pub default: EnforcementDefault,
    /// Codes, or prefixes such as `document.*`, that only warn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warn: Vec<String>,
}
