//! What an entry records of an artifact: its place, its digest and the facts that later decisions read.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::document::OpenItem;
use crate::protocol::{Class, StageKind};
use crate::reason::Code;
use crate::review::{Action, Severity};
use crate::run::Continuity;

/// A section of a draft and its digest.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct SectionDigest {
    /// Anchor of the section.
    pub anchor: String,
    /// Digest of its text.
    pub sha256: String,
}

/// What a document rule found.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Shortcoming {
    /// The code.
    pub code: Code,
    /// What was expected.
    pub expected: String,
    /// What was found.
    pub found: String,
    /// Line, counted from 1.
    pub line: u64,
}

/// The word a reviewer used on one axis.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AxisVerdict {
    /// The axis.
    pub axis: String,
    /// The word; absent when none could be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
}

/// A finding, without its prose.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FindingFact {
    /// What should be done with the target.
    pub action: Action,
    /// Its id.
    pub finding_id: String,
    /// True when evidence is given.
    pub has_evidence: bool,
    /// True when it says why it was missed before.
    pub has_novelty: bool,
    /// True when the target is a section or anchor of the draft, or a new one.
    pub is_known_target: bool,
    /// How much it matters.
    pub severity: Severity,
    /// What it is about.
    pub target_id: String,
}

/// How the findings of a review were read.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingsState {
    /// There is no block.
    Absent,
    /// There is a block that cannot be read.
    Unreadable,
    /// They were read.
    Read,
}

/// Facts of a review.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReviewFacts {
    /// Class of the lane: the worst of its axes.
    pub class: Class,
    /// How the agent goes on from an earlier pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuity: Option<Continuity>,
    /// Draft that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_sha256: Option<String>,
    /// Its findings.
    pub findings: Vec<FindingFact>,
    /// How they were read.
    pub findings_state: FindingsState,
    /// What the reviewer wrote behind its word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub qualifier: Option<String>,
    /// The words, by axis.
    pub verdicts: Vec<AxisVerdict>,
}

/// Facts of a reconciliation with the person.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReconciliationFacts {
    /// Items that stay open.
    pub open: Vec<String>,
    /// The outcome the document states.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<String>,
    /// The outcome that follows from the answers.
    pub token: String,
}

/// What admits the final to execution.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct AdmissionFacts {
    /// Target of the setting, or `off`.
    pub configured: String,
    /// Target that is admitted, or `off`.
    pub effective: String,
    /// Why the two differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Source of the setting.
    pub source: String,
}

/// Facts of a final.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct FinalFacts {
    /// Anchors of the sections that follow the draft.
    pub added: Vec<String>,
    /// What admits it.
    pub admission: AdmissionFacts,
    /// True when the core joined it.
    pub composed: bool,
    /// The draft it names.
    pub draft_sha256: String,
    /// True when its first bytes are that draft and nothing but sections follows.
    pub is_bound: bool,
    /// True when the iterations were used up without consensus.
    pub stuck: bool,
    /// Findings and items that stay open.
    pub unresolved: Vec<String>,
}

/// An artifact was accepted.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// Entry of the assignment whose token it carried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignment: Option<u64>,
    /// Size of the artifact.
    pub bytes: u64,
    /// Facts of a final.
    #[serde(default, rename = "final", skip_serializing_if = "Option::is_none")]
    pub final_facts: Option<FinalFacts>,
    /// Open items that the artifact lists.
    pub items: Vec<OpenItem>,
    /// Iteration it belongs to.
    pub iteration: u32,
    /// Kind of the stage.
    pub kind: StageKind,
    /// Documented names that hold it.
    pub latest: Vec<String>,
    /// Pass of the lane over the whole run; 0 where there is no lane.
    pub pass: u32,
    /// Where it lies, from the root.
    pub path: String,
    /// Facts of a reconciliation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reconciliation: Option<ReconciliationFacts>,
    /// Facts of a review.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<ReviewFacts>,
    /// Role that wrote it.
    pub role: String,
    /// Sections of a draft or context.
    pub sections: Vec<SectionDigest>,
    /// Digest of the artifact.
    pub sha256: String,
    /// What the document rules found.
    pub shortcomings: Vec<Shortcoming>,
    /// Pass inside the iteration, from 1.
    pub slot_pass: u32,
    /// The stage.
    pub stage: String,
    /// Number of the slot.
    pub stage_n: u32,
    /// Digest of the text without white space, case and verdict lines.
    pub text_sha256: String,
    /// What could not be read, by code.
    pub unreadable: Vec<Shortcoming>,
}

impl Written {
    /// The name to show to people: the documented one, if the layout has one, else the path.
    #[must_use]
    pub fn shown_path(&self) -> &str {
        self.latest.first().unwrap_or(&self.path)
    }
}
