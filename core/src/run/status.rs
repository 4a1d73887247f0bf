//! The status of a run, for people and programs.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::actor::Assurance;
use super::decision::{Next, Outcome, Phase};
use super::next::agreement;
use super::{Health, Run};
use crate::ledger::{Mode, Warning};
use crate::protocol::Class;

/// One lane, as the status shows it.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct LaneStatus {
    /// Class of the newest verdict on the current draft.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<Class>,
    /// Findings of the newest review, as `severity finding_id`.
    pub findings: Vec<String>,
    /// Reviews in this iteration.
    pub passes: u32,
    /// Most reviews in one iteration.
    pub max_passes: u32,
    /// Where the newest review of the current draft lies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The role.
    pub role: String,
    /// Words of the newest verdict on the current draft.
    pub verdict: Vec<String>,
}

/// The status of a run.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Status {
    /// How the reviewers stand to the plan, in one phrase.
    pub agreement: String,
    /// The weakest assurance among drafts and reviews.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assurance: Option<Assurance>,
    /// Digest of the plan that is pending approval.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Where the best draft lies, when there is no plan yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<String>,
    /// What may be done with the ledger.
    pub health: Health,
    /// The current iteration.
    pub iteration: u32,
    /// The lanes.
    pub lanes: Vec<LaneStatus>,
    /// Most iterations.
    pub max_iterations: u32,
    /// How thorough the plan must be.
    pub mode: Mode,
    /// What comes next.
    pub next: Next,
    /// Ids of open items.
    pub open_items: Vec<String>,
    /// How planning ended, when it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Session that owns the run.
    pub owner_session_id: String,
    /// Where the run stands.
    pub phase: Phase,
    /// Where the plan lies: under its documented name, if the layout has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Name of the protocol.
    pub protocol: String,
    /// Id of the run.
    pub run_id: String,
    /// What is to be planned.
    pub task: String,
    /// What stays unresolved about a plan that is stuck.
    pub unresolved: Vec<String>,
    /// What was let pass, oldest first.
    pub warnings: Vec<Warning>,
}

impl Run {
    /// The status; none before the run is started.
    #[must_use]
    pub fn status(&self) -> Option<Status> {
        let state = self.state.as_ref()?;
        let position = state.position();
        let (phase, outcome) = state.phase(&position);
        let plan = state.plan_entry(&position).and_then(|entry| state.written(entry.seq));
        let best = if position.is_exhausted { state.best_draft() } else { position.draft };
        let is_stuck = outcome == Some(Outcome::Stuck);
        let current = state.iterations.last();
        let lanes = position
            .lanes
            .iter()
            .map(|lane| {
                let newest = current
                    .and_then(|current| current.reviews.get(lane.role))
                    .and_then(|reviews| reviews.last());
                let findings = lane.review.map(|review| review.findings.as_slice()).unwrap_or_default();
                LaneStatus {
                    class: lane.review.map(|review| review.class),
                    findings: findings
                        .iter()
                        .map(|finding| format!("{} {}", finding.severity.word(), finding.finding_id))
                        .collect(),
                    passes: lane.passes,
                    max_passes: state.settings.max_passes_per_lane.value,
                    path: newest.and_then(|seq| state.written(*seq)).map(|written| written.path.clone()),
                    role: lane.role.to_owned(),
                    verdict: lane
                        .review
                        .map(|review| {
                            review
                                .verdicts
                                .iter()
                                .map(|verdict| verdict.token.clone().unwrap_or_else(|| "none".to_owned()))
                                .collect()
                        })
                        .unwrap_or_default(),
                }
            })
            .collect();
        Some(Status {
            agreement: agreement(state),
            assurance: state.weakest,
            digest: plan.map(|plan| plan.sha256.clone()),
            draft: best.map(|draft| draft.path.clone()),
            health: self.health.clone(),
            iteration: position.iteration,
            lanes,
            max_iterations: state.settings.max_iterations.value,
            mode: state.started.mode,
            next: state.next(),
            open_items: state.open_items().into_iter().map(|item| item.item_id.clone()).collect(),
            outcome,
            owner_session_id: state.owner_session_id.clone(),
            phase,
            plan: plan.map(|plan| plan.shown_path().to_owned()),
            protocol: state.protocol().name.clone(),
            run_id: state.started.run_id.clone(),
            task: state.started.task.clone(),
            unresolved: best
                .filter(|_| is_stuck)
                .map(|draft| super::compose::unresolved(state, draft))
                .unwrap_or_default(),
            warnings: state.entries.iter().flat_map(|entry| entry.warnings.iter().cloned()).collect(),
        })
    }
}
