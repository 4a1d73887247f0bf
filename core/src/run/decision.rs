//! What the core answers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actor::Assurance;
use crate::ledger::AdmissionFacts;
use crate::reason::Reason;

/// What the host must do now, in order.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "effect", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// Cut a torn tail off the ledger and keep it beside it.
    Repair {
        /// Bytes of the ledger that stay.
        keep_bytes: u64,
    },
    /// Put bytes under their digest, synced.
    Stage {
        /// Digest of the bytes.
        sha256: String,
        /// Their number.
        bytes: u64,
        /// The text, when the core made it; otherwise the host has the bytes.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        text: Option<String>,
    },
    /// Append a line to the ledger if it still is as expected: the commit point.
    Append {
        /// The line, newline included.
        line: String,
        /// What the ledger must be before.
        expected: Tip,
    },
    /// Give staged bytes their visible name.
    Publish {
        /// The name, from the root.
        path: String,
        /// Digest of the bytes.
        sha256: String,
    },
    /// Remove a file.
    Remove {
        /// The name, from the root.
        path: String,
    },
}

/// Where a ledger ends.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tip {
    /// Bytes of the ledger.
    pub bytes: u64,
    /// Hash of its last entry; 64 zeros for an empty ledger.
    pub head: String,
}

/// Proof of one accepted write.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// What admits a final.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub admission: Option<AdmissionFacts>,
    /// How it is known who acted.
    pub assurance: Assurance,
    /// When.
    pub at: String,
    /// Size of the artifact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u64>,
    /// Draft that a review or final is bound to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_sha256: Option<String>,
    /// Word of the event.
    pub event: String,
    /// Hash of the entry.
    pub hash: String,
    /// Iteration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iteration: Option<u32>,
    /// Session that owns the run.
    pub owner_session_id: String,
    /// Pass of the lane.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<u32>,
    /// Where the artifact lies, from the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The run.
    pub run_id: String,
    /// Place in the ledger.
    pub seq: u64,
    /// Digest of the artifact or the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// Number of the slot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage_n: Option<u32>,
}

/// Where a run stands as a whole.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Phase {
    /// There is no run yet.
    NotStarted,
    /// Agents plan.
    Planning,
    /// A plan waits for a person, or nothing more can be planned.
    PendingApproval,
    /// The plan is admitted and not yet taken.
    Approved,
    /// Planning ended without consensus.
    Stuck,
    /// The run is closed.
    Closed,
}

/// How planning ended.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// The plan waits for a person.
    PendingApproval,
    /// A person or a setting admits the plan.
    Approved,
    /// The plan was handed off.
    HandedOff,
    /// A person rejected the plan.
    Rejected,
    /// A person keeps the plan and stops.
    Stopped,
    /// The run was cancelled.
    Cancelled,
    /// The iterations were used up without consensus.
    Stuck,
}

impl Outcome {
    /// The word as it is written in data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Outcome::PendingApproval => "pending_approval",
            Outcome::Approved => "approved",
            Outcome::HandedOff => "handed_off",
            Outcome::Rejected => "rejected",
            Outcome::Stopped => "stopped",
            Outcome::Cancelled => "cancelled",
            Outcome::Stuck => "stuck",
        }
    }
}

/// A choice of a question.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionOption {
    /// What it does.
    pub description: String,
    /// Id to answer with.
    pub id: String,
    /// Its name.
    pub label: String,
}

/// A question to a person.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// True when words of one's own may be added.
    pub free_text: bool,
    /// `draft_review`, `item` or `approval`.
    pub kind: String,
    /// The choices, at least two.
    pub options: Vec<QuestionOption>,
    /// Id to refer to it.
    pub question_id: String,
    /// Digests of what it is about.
    pub receipts: Vec<String>,
    /// The choice that is recommended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recommended: Option<String>,
    /// The question.
    pub text: String,
}

/// A slot in which an artifact is written.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// Iteration it belongs to.
    pub iteration: u32,
    /// True when it may be left out.
    pub optional: bool,
    /// Pass of the lane over the whole run; 0 where there is no lane.
    pub pass: u32,
    /// The stage.
    pub stage: String,
    /// Number of the slot.
    pub stage_n: u32,
}

/// A next step, legal when nothing is missing.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Step {
    /// Hand an assignment to a role.
    Assign {
        /// The role.
        role: String,
        /// What it will write.
        slot: Slot,
        /// Roles that may work at the same time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parallel_with: Vec<String>,
        /// What is still missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missing: Vec<Reason>,
    },
    /// Start the agent of a role with its assignment.
    Invoke {
        /// The role.
        role: String,
        /// What it will write.
        slot: Slot,
        /// The assignment: place of its entry in the ledger.
        assignment: u64,
        /// Agent of the role in an earlier pass.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        resume: Option<String>,
        /// Roles that may work at the same time.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        parallel_with: Vec<String>,
        /// What is still missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missing: Vec<Reason>,
    },
    /// Ask a person.
    Ask {
        /// The question.
        question: Question,
    },
    /// Write a stage that needs no agent of its own.
    Write {
        /// What is written.
        slot: Slot,
        /// Who may write it.
        by: Vec<String>,
        /// True when the core can join the document.
        compose: bool,
        /// What is still missing.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        missing: Vec<Reason>,
    },
    /// Hand the plan off.
    Handoff {
        /// The target.
        target: String,
    },
    /// Nothing to do until someone acts.
    Wait {
        /// For what.
        #[serde(rename = "for")]
        what: String,
    },
    /// The run has ended.
    Stop {
        /// How.
        outcome: Outcome,
    },
}

/// Where a run stands and what can come next.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Next {
    /// Where the run stands.
    pub phase: Phase,
    /// How planning ended, when it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// What can come next.
    pub steps: Vec<Step>,
}

/// A budget.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Budget {
    /// Drafts of the run.
    Iterations,
    /// Reviews of one lane in one iteration.
    Passes,
    /// Attempts of a phase.
    Phase,
}

/// What the core answers to a command.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum Decision {
    /// It is done: one entry.
    Accepted {
        /// What to do, in order.
        effects: Vec<Effect>,
        /// Lines to print for milestones that were reached.
        markers: Vec<String>,
        /// What comes next.
        next: Next,
        /// Proof.
        receipt: Box<Receipt>,
        /// Reasons that were let pass.
        warnings: Vec<Reason>,
    },
    /// It was done before: no entry, the original receipt, repairs.
    Duplicate {
        /// What to do, in order.
        effects: Vec<Effect>,
        /// What comes next.
        next: Next,
        /// The original proof.
        receipt: Box<Receipt>,
        /// Reasons that were let pass then.
        warnings: Vec<Reason>,
    },
    /// It may not be done.
    Refused {
        /// What comes next.
        next: Next,
        /// Why, at least one.
        reasons: Vec<Reason>,
    },
    /// A budget is used up.
    Exhausted {
        /// Which.
        budget: Budget,
        /// What to do, in order.
        effects: Vec<Effect>,
        /// Lines to print for milestones that were reached.
        markers: Vec<String>,
        /// What comes next.
        next: Next,
        /// Why, at least one.
        reasons: Vec<Reason>,
        /// True when the run is stuck for good.
        stuck: bool,
    },
}

impl Decision {
    /// What comes next.
    #[must_use]
    pub fn next(&self) -> &Next {
        match self {
            Decision::Accepted { next, .. }
            | Decision::Duplicate { next, .. }
            | Decision::Refused { next, .. }
            | Decision::Exhausted { next, .. } => next,
        }
    }

    /// What the host must do.
    #[must_use]
    pub fn effects(&self) -> &[Effect] {
        match self {
            Decision::Accepted { effects, .. }
            | Decision::Duplicate { effects, .. }
            | Decision::Exhausted { effects, .. } => effects,
            Decision::Refused { .. } => &[],
        }
    }

    /// Why it was not done; empty when it was.
    #[must_use]
    pub fn reasons(&self) -> &[Reason] {
        match self {
            Decision::Refused { reasons, .. } | Decision::Exhausted { reasons, .. } => reasons,
            Decision::Accepted { .. } | Decision::Duplicate { .. } => &[],
        }
    }

    /// The receipt, when the act is in the ledger.
    #[must_use]
    pub fn receipt(&self) -> Option<&Receipt> {
        match self {
            Decision::Accepted { receipt, .. } | Decision::Duplicate { receipt, .. } => Some(receipt),
            Decision::Refused { .. } | Decision::Exhausted { .. } => None,
        }
    }
}
