//! What an entry records. Every fact that a later decision reads stands here.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::artifact::Written;
use crate::intake::Risk;
use crate::protocol::Protocol;
use crate::run::{Actor, Channel, Settings, SettingsInput};

/// How thorough the plan must be.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The usual summary.
    Short,
    /// With pre-mortem and expanded test plan.
    Deliberate,
}

/// How the roles are separated on the host.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Isolation {
    /// A process of its own for each role.
    Process,
    /// An agent of its own for each role.
    Agent,
    /// Not at all.
    None,
}

/// The repository a run belongs to.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RepositoryBinding {
    /// Root of the work tree, for display.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
    /// Commit at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// Branch at the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
}

/// A file that lay in a slot before the ledger knew it. It only subtracts: it occupies the slot and
/// uses up budgets.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ForeignSlot {
    /// Path of the file.
    pub path: String,
    /// Digest of the file.
    pub sha256: String,
    /// Stage whose slot it occupies.
    pub stage: String,
    /// Number of that slot.
    pub stage_n: u32,
}

/// The program that hosts the run.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HostInfo {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Entry 0: everything the run depends on.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Started {
    /// True when questions come before the draft.
    pub ask_first: bool,
    /// The repository.
    pub binding: RepositoryBinding,
    /// Where the run came from, when it continues another: that run's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// Slots that were found on disk.
    pub found: Vec<ForeignSlot>,
    /// The host.
    pub host: HostInfo,
    /// True when a person is asked at decision points.
    pub interactive: bool,
    /// How the roles are separated.
    pub isolation: Isolation,
    /// Who leads the run.
    pub leader: Actor,
    /// How thorough the plan must be.
    pub mode: Mode,
    /// Session that owns the run.
    pub owner_session_id: String,
    /// The protocol document.
    pub protocol: Protocol,
    /// Risk words of the task.
    pub risks: Vec<Risk>,
    /// Number of the rule set.
    pub rules: u32,
    /// Id of the run.
    pub run_id: String,
    /// The settings.
    pub settings: Settings,
    /// What is to be planned.
    pub task: String,
}

/// A role was handed an assignment.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Assigned {
    /// Digest of the assignment, a pure function of role, slot and what is to be read.
    pub digest: String,
    /// Draft to be read; absent for authors without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_sha256: Option<String>,
    /// Start of the agent this is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation_id: Option<String>,
    /// Iteration it belongs to.
    pub iteration: u32,
    /// Pass of the lane over the whole run; 0 for authors.
    pub pass: u32,
    /// The role.
    pub role: String,
    /// Stage to be written.
    pub stage: String,
    /// Number of the slot.
    pub stage_n: u32,
    /// Digest of the one-time token.
    pub token_sha256: String,
}

/// What a person said about an item.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerOutcome {
    /// The plan has it right.
    Confirmed,
    /// The plan has it wrong; calls for a revision.
    Corrected,
    /// It stays open.
    Deferred,
}

/// A person answered an open item.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Answered {
    /// Through which channel.
    pub channel: Channel,
    /// The item.
    pub item_id: String,
    /// Digest of what was asked; the answer holds as long as the item says the same.
    pub item_sha256: String,
    /// What was said.
    pub outcome: AnswerOutcome,
    /// Digest of the words; they lie beside the ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_sha256: Option<String>,
}

/// A person waived the review of a draft.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Waived {
    /// Through which channel.
    pub channel: Channel,
    /// The draft.
    pub draft_sha256: String,
    /// Digest of the reason; the words lie beside the ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_sha256: Option<String>,
}

/// A person's answer to the plan.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ApprovalAnswer {
    /// Go on to execution.
    Approve,
    /// Revise it.
    RequestChanges,
    /// Give it up.
    Reject,
    /// Keep it as it is and stop.
    Stop,
}

impl ApprovalAnswer {
    /// The word as it is written in data.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ApprovalAnswer::Approve => "approve",
            ApprovalAnswer::RequestChanges => "request_changes",
            ApprovalAnswer::Reject => "reject",
            ApprovalAnswer::Stop => "stop",
        }
    }
}

/// A person answered the plan.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Approved {
    /// The answer.
    pub answer: ApprovalAnswer,
    /// Through which channel.
    pub channel: Channel,
    /// Digest of the comments; the words lie beside the ledger.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments_sha256: Option<String>,
    /// Hash of the entry that holds the plan.
    pub final_hash: String,
    /// Digest of the plan.
    pub sha256: String,
    /// Target that the person named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// Step of a handoff.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HandoffStep {
    /// The plan may be taken.
    Ready,
    /// It was taken; closes the run.
    Dispatch,
}

/// The plan was handed off.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct HandedOff {
    /// `person` or `setting`.
    pub admission: String,
    /// Hash of the entry that holds the plan.
    pub final_hash: String,
    /// Digest of the plan.
    pub sha256: String,
    /// Ready or dispatch.
    pub step: HandoffStep,
    /// Where it goes.
    pub target: String,
    /// Why the target is not available, when it needs a fact that does not hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
}

/// What is recorded beside the artifacts.
#[derive(Clone, Copy, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// An agent was started and nothing usable came.
    FailedAttempt,
    /// Result of a quality gate.
    QualityGate,
    /// A phase after the handoff.
    Phase,
}

/// Something was recorded that moves no stage.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Recorded {
    /// Draft it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_sha256: Option<String>,
    /// Digest of the evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_sha256: Option<String>,
    /// What kind of record.
    pub kind: RecordKind,
    /// Role, gate or phase.
    pub name: String,
    /// For example `agent.timeout`, `pass`, `fail`.
    pub outcome: String,
    /// In words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Settings were changed.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Configured {
    /// Through which channel, when a person did it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// The new values.
    pub settings: SettingsInput,
}

/// The run went to another session.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Transferred {
    /// The new owner.
    pub owner_session_id: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// A note that no decision reads.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Annotated {
    /// What the note is about.
    pub name: String,
    /// The note, as text.
    pub text: String,
}

/// Files of another program were taken note of.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The slots they occupy.
    pub slots: Vec<ForeignSlot>,
}

/// The loss of entries was accepted.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Recovered {
    /// Entries that the witness knew and the ledger lost.
    pub lost_entries: u64,
    /// Slots found on disk.
    pub slots: Vec<ForeignSlot>,
    /// Hash of the last entry that the witness knew.
    pub witness_hash: String,
}

/// The cap was reached: nothing more is opened and nothing is admitted, for good.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Stuck {
    /// The cap.
    pub cap: u32,
    /// Iterations that were opened.
    pub count: u32,
    /// True when files found on disk raised the count.
    pub raised_by_files: bool,
}

/// The run was closed without a handoff.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What an entry records.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "event", content = "fields", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// Entry 0.
    Started(Box<Started>),
    /// A role was handed an assignment.
    Assigned(Assigned),
    /// An artifact was accepted.
    Written(Box<Written>),
    /// A person answered an open item.
    Answered(Answered),
    /// A person waived the review of a draft.
    Waived(Waived),
    /// A person answered the plan.
    Approval(Approved),
    /// The plan was handed off.
    HandedOff(HandedOff),
    /// Something was recorded that moves no stage.
    Recorded(Recorded),
    /// Settings were changed.
    Configured(Configured),
    /// The run went to another session.
    Transferred(Transferred),
    /// A note that no decision reads.
    Annotated(Annotated),
    /// Files of another program were taken note of.
    Imported(Imported),
    /// The loss of entries was accepted.
    Recovered(Recovered),
    /// The cap was reached.
    Stuck(Stuck),
    /// The run was closed without a handoff.
    Closed(Closed),
}

impl Event {
    /// The word of the event.
    #[must_use]
    pub fn word(&self) -> &'static str {
        match self {
            Event::Started(_) => "started",
            Event::Assigned(_) => "assigned",
            Event::Written(_) => "written",
            Event::Answered(_) => "answered",
            Event::Waived(_) => "waived",
            Event::Approval(_) => "approval",
            Event::HandedOff(_) => "handed_off",
            Event::Recorded(_) => "recorded",
            Event::Configured(_) => "configured",
            Event::Transferred(_) => "transferred",
            Event::Annotated(_) => "annotated",
            Event::Imported(_) => "imported",
            Event::Recovered(_) => "recovered",
            Event::Stuck(_) => "stuck",
            Event::Closed(_) => "closed",
        }
    }
}
