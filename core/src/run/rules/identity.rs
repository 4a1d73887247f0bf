//! Who may act, and how well that is known.

use super::Case;
use crate::ledger::{Event, Isolation, Written};
use crate::protocol::{IdKind, LeaderMay, Requirement, RoleKind, StageKind};
use crate::reason::{Code, Reason};
use crate::run::state::State;

/// The word under which the leader of a run acts.
pub(crate) const LEADER: &str = "leader";
/// The word under which a person acts.
pub(crate) const PERSON: &str = "person";

pub(super) fn isolation(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Event::Started(started) = case.event else { return };
    if started.protocol.identity.isolation == Requirement::Required && started.isolation == Isolation::None {
        let expected = vec!["process".to_owned(), "agent".to_owned()];
        let reason = Reason::new(Code::RunIsolation).at("isolation").expected(expected).actual("none");
        reasons.push(match started.protocol.messages.get(Code::RunIsolation.name()) {
            Some(message) => reason.message(message.as_str()),
            None => reason,
        });
    }
}

pub(super) fn stage_role(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    let Some(stage) = case.state.protocol().stages.get(&written.stage) else { return };
    if !stage.by.contains(&written.role) {
        reasons.push(
            Reason::new(Code::IdentityRole)
                .at("role")
                .expected(stage.by.clone())
                .actual(written.role.as_str()),
        );
        return;
    }
    if written.role == LEADER && !leader_may(case.state, written.kind) {
        reasons.push(Reason::new(Code::IdentityLeader).at("role").actual(written.stage.as_str()));
    }
}

/// True when the leader may write stages of a kind itself.
fn leader_may(state: &State, kind: StageKind) -> bool {
    let may = &state.protocol().identity.leader_may;
    match kind {
        StageKind::Draft | StageKind::Context => {
            let owns = state.settings.drafting_owner.value == "main";
            may.contains(&LeaderMay::Author) || (may.contains(&LeaderMay::AuthorByOwnership) && owns)
        }
        StageKind::Review => false,
        StageKind::Disposition => true,
        StageKind::Reconciliation | StageKind::Record | StageKind::Final => may.contains(&LeaderMay::Closing),
    }
}

fn id<'a>(case: &Case<'a>, written: &'a Written, kind: IdKind) -> Option<&'a str> {
    match kind {
        IdKind::ThreadId => written.review.as_ref()?.continuity.as_ref()?.thread_id.as_deref(),
        _ => case.actor.id(kind),
    }
}

fn word(kind: IdKind) -> &'static str {
    match kind {
        IdKind::AgentId => "actor.agent_id",
        IdKind::InvocationId => "actor.invocation_id",
        IdKind::TurnId => "actor.turn_id",
        IdKind::ThreadId => "continuity.thread_id",
    }
}

pub(super) fn present(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    // Whoever does the work of a role states who it is, whatever kind of actor it claims to be.
    if !case.state.protocol().roles.contains_key(&written.role) {
        return;
    }
    let keeps_planner = written.kind == StageKind::Draft && case.state.last_agent.contains_key(&written.role);
    for kind in &case.state.protocol().identity.present {
        let is_kept = *kind == IdKind::AgentId
            && keeps_planner
            && case.state.protocol().identity.assignments == Requirement::Optional;
        if id(case, written, *kind).is_none() && !is_kept {
            reasons.push(Reason::new(Code::IdentityMissing).at(word(*kind)));
        }
    }
}

pub(super) fn distinct(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    if !matches!(written.kind, StageKind::Draft | StageKind::Review) {
        return;
    }
    for kind in &case.state.protocol().identity.distinct {
        let Some(value) = id(case, written, *kind) else { continue };
        let others: Vec<String> = case
            .state
            .roles_of
            .get(&(*kind, value.to_owned()))
            .into_iter()
            .flatten()
            .filter(|role| **role != written.role && is_judged(case.state, role))
            .cloned()
            .collect();
        if !others.is_empty() {
            let code = match kind {
                IdKind::AgentId | IdKind::ThreadId => Code::IdentitySelfReview,
                IdKind::InvocationId | IdKind::TurnId => Code::IdentityShared,
            };
            let actual = format!("{value} acted as {}", others.join(", "));
            reasons.push(Reason::new(code).at(word(*kind)).actual(actual));
        }
    }
    let leads = case.actor.agent_id.is_some() && case.actor.agent_id == case.state.started.leader.agent_id;
    if leads && written.role != LEADER && !leader_may(case.state, written.kind) {
        reasons.push(Reason::new(Code::IdentityLeader).at("actor.agent_id").actual(written.role.as_str()));
    }
}

/// True for roles whose work is judged or judges: authors, reviewers and the leader.
fn is_judged(state: &State, role: &str) -> bool {
    role == LEADER
        || state
            .protocol()
            .roles
            .get(role)
            .is_some_and(|role| matches!(role.kind, RoleKind::Author | RoleKind::Reviewer))
}

pub(super) fn repeated_text(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    if written.kind != StageKind::Review {
        return;
    }
    if let Some(seq) = case.state.review_texts.get(&written.text_sha256) {
        let path = case.state.written(*seq).map_or("", |earlier| earlier.path.as_str());
        reasons.push(Reason::new(Code::IdentityRepeated).actual(path));
    }
}

pub(super) fn assignment(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    let is_required = case.state.protocol().identity.assignments == Requirement::Required
        && case.state.protocol().roles.contains_key(&written.role);
    if is_required && written.assignment.is_none() {
        reasons.push(
            Reason::new(Code::IdentityAssignment)
                .at("token")
                .expected(format!("an assignment of {}", written.role)),
        );
    }
    let Some(seq) = written.assignment else { return };
    let Some(assigned) = case.state.assigned(seq) else {
        reasons.push(Reason::new(Code::IdentityToken).at("token").actual(seq));
        return;
    };
    let fits = assigned.role == written.role
        && assigned.stage == written.stage
        && assigned.iteration == written.iteration
        && assigned
            .invocation_id
            .as_ref()
            .is_none_or(|invocation| case.actor.invocation_id.as_ref() == Some(invocation));
    let is_current = case
        .state
        .assignments
        .get(&written.role)
        .is_some_and(|active| Some(active.seq) == written.assignment && !active.is_used);
    if !fits || !is_current {
        let expected = format!(
            "{} of iteration {}, invocation {}",
            assigned.stage,
            assigned.iteration,
            assigned.invocation_id.as_deref().unwrap_or("any")
        );
        reasons.push(Reason::new(Code::IdentityToken).at("token").expected(expected));
    }
}

pub(super) fn assurance(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    let least = case.state.protocol().identity.assurance.review;
    if matches!(written.kind, StageKind::Draft | StageKind::Review) && case.actor.assurance < least {
        reasons.push(
            Reason::new(Code::IdentityAssurance).expected(least.word()).actual(case.actor.assurance.word()),
        );
    }
}
