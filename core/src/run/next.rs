//! What can come next, by the same preconditions that decide.

use super::actor::{Actor, ActorKind, Assurance};
use super::decision::{Outcome, Phase, Question, QuestionOption, Slot, Step};
use super::position::{Join, Position};
use super::rules::{self, Case, LEADER, Moment, Objections, PERSON};
use super::state::State;
use super::write::slot_for;
use crate::document::OpenItem;
use crate::ledger::{Event, FinalFacts, HandoffStep, Written};
use crate::protocol::{Class, RoleKind, StageKind};
use crate::reason::Reason;

/// The steps of a state.
pub(crate) fn steps(
    state: &State,
    position: &Position<'_>,
    phase: &Phase,
    outcome: Option<Outcome>,
) -> Vec<Step> {
    match (phase, outcome) {
        (Phase::Closed, Some(outcome)) => vec![Step::Stop { outcome }],
        (Phase::Stuck, _) if is_stuck_for_good(state, position) => {
            vec![Step::Stop { outcome: Outcome::Stuck }]
        }
        (Phase::Approved, _) => approved_steps(state, position),
        (Phase::PendingApproval, _) => pending_steps(state, position),
        _ => planning_steps(state, position),
    }
}

/// True when nothing of a stuck run is left to be written: there is a plan, or there will be none.
fn is_stuck_for_good(state: &State, position: &Position<'_>) -> bool {
    let is_written = state.plan_entry(position).is_some() || state.protocol().final_stage().is_none();
    is_written || !position.is_closing_open(state)
}

fn approved_steps(state: &State, position: &Position<'_>) -> Vec<Step> {
    let admitted = state.admitted_target(position).and_then(|admitted| admitted.target);
    let ready = state.handed_off(HandoffStep::Ready).map(|handed| handed.target.as_str());
    let targets: Vec<&str> = match admitted.or(ready) {
        Some(target) => vec![target],
        None => state.protocol().admission.targets.keys().map(String::as_str).collect(),
    };
    targets.into_iter().map(|target| Step::Handoff { target: target.to_owned() }).collect()
}

fn pending_steps(state: &State, position: &Position<'_>) -> Vec<Step> {
    let question = state.plan_entry(position).map(|plan| approval_question(state, plan.seq));
    question
        .map(|question| Step::Ask { question })
        .into_iter()
        .chain([Step::Wait { what: "approval".to_owned() }])
        .collect()
}

fn planning_steps(state: &State, position: &Position<'_>) -> Vec<Step> {
    if position.is_closing_open(state) {
        return closing_steps(state, position);
    }
    if position.draft.is_none() {
        return opening_steps(state, position);
    }
    if position.awaits_reviews() {
        return review_steps(state, position);
    }
    draft_steps(state, position)
}

fn opening_steps(state: &State, position: &Position<'_>) -> Vec<Step> {
    match state.missing_contexts().first() {
        Some(stage) => work(state, position, stage, &[]).into_iter().collect(),
        None => draft_steps(state, position),
    }
}

fn draft_steps(state: &State, position: &Position<'_>) -> Vec<Step> {
    let opener = state.protocol().opener(position.draft.is_none());
    opener.and_then(|stage| work(state, position, stage, &[])).into_iter().collect()
}

fn review_steps(state: &State, position: &Position<'_>) -> Vec<Step> {
    let mut steps = Vec::new();
    if state.started.interactive
        && position.iteration == 1
        && !position.lanes.iter().any(|lane| lane.review.is_some())
    {
        steps.extend(draft_question(position).map(|question| Step::Ask { question }));
    }
    for lane in position.lanes.iter().filter(|lane| lane.review.is_none()) {
        let Some(stage) = state.protocol().review_stage(lane.role) else { continue };
        let beside: Vec<String> = position
            .lanes
            .iter()
            .filter(|other| other.group == lane.group && other.role != lane.role && other.review.is_none())
            .map(|other| other.role.to_owned())
            .collect();
        steps.extend(work(state, position, stage, &beside));
    }
    steps
}

fn closing_steps(state: &State, position: &Position<'_>) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    if state.started.interactive {
        steps.extend(state.unasked_items().first().map(|item| Step::Ask { question: item_question(item) }));
    }
    for stage in &state.protocol().closing {
        if state.closing.contains_key(stage) {
            continue;
        }
        steps.extend(work(state, position, stage, &[]));
        if !state.protocol().stages.get(stage).is_some_and(|rules| rules.optional) {
            break;
        }
    }
    steps
}

/// The step in which a stage is written: by an agent where the protocol names a role, else directly.
fn work(state: &State, position: &Position<'_>, stage: &str, beside: &[String]) -> Option<Step> {
    let rules = state.protocol().stages.get(stage)?;
    let role = rules.by.iter().find(|by| state.protocol().roles.contains_key(*by));
    let can_compose = matches!(rules.kind, StageKind::Final | StageKind::Reconciliation);
    let by_leader = rules.by.iter().any(|by| by == LEADER);
    match role {
        Some(role) if !(can_compose && by_leader) => Some(agent_step(state, position, stage, role, beside)),
        _ => {
            let writer = if by_leader { LEADER } else { PERSON };
            let slot = slot_for(state, position, stage, writer).ok()?;
            let missing = preconditions(state, position, &slot, writer).refusals;
            Some(Step::Write { slot, by: rules.by.clone(), compose: can_compose, missing })
        }
    }
}

fn agent_step(state: &State, position: &Position<'_>, stage: &str, role: &str, beside: &[String]) -> Step {
    let slot = slot_for(state, position, stage, role).unwrap_or(Slot {
        iteration: position.iteration,
        optional: false,
        pass: 0,
        stage: stage.to_owned(),
        stage_n: position.iteration,
    });
    let missing: Vec<Reason> = preconditions(state, position, &slot, role).refusals;
    let held = state.assignments.get(role).filter(|active| !active.is_used).filter(|active| {
        state.assigned(active.seq).is_some_and(|assigned| {
            let draft = position.draft.map(|draft| draft.sha256.as_str());
            let is_current = assigned.draft_sha256.is_none() || assigned.draft_sha256.as_deref() == draft;
            assigned.stage == stage && assigned.iteration == slot.iteration && is_current
        })
    });
    let role_name = role.to_owned();
    match held {
        Some(active) => Step::Invoke {
            role: role_name,
            slot,
            assignment: active.seq,
            resume: state.last_agent.get(role).cloned(),
            parallel_with: beside.to_vec(),
            missing,
        },
        None => Step::Assign { role: role_name, slot, parallel_with: beside.to_vec(), missing },
    }
}

/// What speaks against writing into a slot, whatever would be written.
pub(crate) fn preconditions(state: &State, position: &Position<'_>, slot: &Slot, role: &str) -> Objections {
    let Some(kind) = state.kind_of(&slot.stage) else { return Objections::default() };
    let used = position.lanes.iter().find(|lane| lane.role == role).map_or(0, |lane| lane.passes);
    let event = Event::Written(Box::new(probe(kind, slot, role, used.saturating_add(1))));
    let kind_of_actor = if role == PERSON { ActorKind::Person } else { ActorKind::Agent };
    let actor = Actor { role: Some(role.to_owned()), ..Actor::new(kind_of_actor, Assurance::Claimed) };
    let case = Case { state, position, actor: &actor, event: &event };
    let mut objections = rules::walk(&case, &[Moment::Precondition]);
    if let Some((_, reason)) = super::decide::spent(state, position, &event) {
        objections.refusals.push(reason);
    }
    objections
}

/// An artifact without content, for the preconditions of its slot.
fn probe(kind: StageKind, slot: &Slot, role: &str, slot_pass: u32) -> Written {
    Written {
        assignment: None,
        bytes: 0,
        final_facts: None::<FinalFacts>,
        items: Vec::new(),
        iteration: slot.iteration,
        kind,
        latest: Vec::new(),
        pass: slot.pass,
        path: String::new(),
        reconciliation: None,
        review: None,
        role: role.to_owned(),
        sections: Vec::new(),
        sha256: String::new(),
        shortcomings: Vec::new(),
        slot_pass: if kind == StageKind::Review { slot_pass } else { 1 },
        stage: slot.stage.clone(),
        stage_n: slot.stage_n,
        text_sha256: String::new(),
        unreadable: Vec::new(),
    }
}

/// The stage that a role writes next.
pub(crate) fn stage_for(state: &State, position: &Position<'_>, role: &str) -> Option<String> {
    let rules = state.protocol().roles.get(role)?;
    if rules.kind == RoleKind::Reviewer {
        return state.protocol().review_stage(role).map(str::to_owned);
    }
    let (phase, outcome) = state.phase(position);
    steps(state, position, &phase, outcome).into_iter().find_map(|step| match step {
        Step::Assign { role: of, slot, .. } | Step::Invoke { role: of, slot, .. } if of == role => {
            Some(slot.stage)
        }
        _ => None,
    })
}

fn option(id: &str, label: &str, description: &str) -> QuestionOption {
    QuestionOption { description: description.to_owned(), id: id.to_owned(), label: label.to_owned() }
}

fn draft_question(position: &Position<'_>) -> Option<Question> {
    let draft = position.draft?;
    Some(Question {
        free_text: true,
        kind: "draft_review".to_owned(),
        options: vec![
            option("proceed", "Proceed to review", "let the reviewers read the draft"),
            option("request_changes", "Request changes", "say what the planner should change first"),
            option(
                "skip_review",
                "Skip review",
                "go on without reviewers; nothing is admitted automatically",
            ),
        ],
        question_id: format!("draft_review:{}", draft.sha256.get(..8).unwrap_or_default()),
        receipts: vec![draft.sha256.clone()],
        recommended: Some("proceed".to_owned()),
        text: format!("The draft lies at {}. Shall it be reviewed?", draft.path),
    })
}

fn item_question(item: &OpenItem) -> Question {
    let default = item.default.as_deref().unwrap_or("as the plan has it");
    Question {
        free_text: true,
        kind: "item".to_owned(),
        options: vec![
            option("confirmed", "Confirm", default),
            option("corrected", "Correct", "say what is right; the plan is revised"),
            option("deferred", "Leave open", "keep it as an open confirmation in the final"),
        ],
        question_id: item.item_id.clone(),
        receipts: Vec::new(),
        recommended: None,
        text: item.text.clone(),
    }
}

fn approval_question(state: &State, seq: u64) -> Question {
    let digest = state.written(seq).map_or("", |written| written.sha256.as_str());
    let path = state.written(seq).map_or("", |written| written.shown_path());
    let mut options = vec![option(
        "request_changes",
        "Refine further",
        "say what should change; the reviewers read it again",
    )];
    let targets: Vec<&String> = state.protocol().admission.targets.keys().collect();
    for target in targets {
        options.push(option(
            &format!("approve:{target}"),
            &format!("Approve execution via {target}"),
            "hand this exact plan off",
        ));
    }
    options.push(option("reject", "Reject", "close the run without a plan"));
    options.push(option("stop", "Stop here", "keep the plan as pending approval"));
    let assurance = state.weakest.map_or("unknown", Assurance::word);
    Question {
        free_text: true,
        kind: "approval".to_owned(),
        options,
        question_id: format!("approval:{}", digest.get(..8).unwrap_or_default()),
        receipts: vec![digest.to_owned()],
        recommended: None,
        text: format!(
            "The plan lies at {path} ({}, identities {assurance}). What shall happen?",
            agreement(state)
        ),
    }
}

/// In one phrase, how the reviewers stand to the plan.
pub(crate) fn agreement(state: &State) -> String {
    let position = state.position();
    let said: Vec<String> = position
        .lanes
        .iter()
        .filter_map(|lane| {
            let review = lane.review?;
            let words: Vec<&str> =
                review.verdicts.iter().map(|verdict| verdict.token.as_deref().unwrap_or("none")).collect();
            let qualifier = review.qualifier.as_deref().filter(|_| review.class == Class::Approve);
            Some(format!(
                "{} {}{}",
                lane.role,
                words.join("/"),
                qualifier.map(|text| format!(" {text}")).unwrap_or_default()
            ))
        })
        .collect();
    match position.join {
        Join::Consensus => format!("consensus: {}", said.join(", ")),
        Join::Waived => "consensus: waived".to_owned(),
        Join::Objection => format!("no consensus: {}", said.join(", ")),
        Join::Pending => "reviews pending".to_owned(),
        Join::NoDraft => "no draft".to_owned(),
    }
}
