//! What lets a plan go on to execution.

use super::Case;
use crate::ledger::Event;
use crate::reason::{Code, Reason};
use crate::run::decision::Outcome;

/// Why a setting does not admit the plan, when it was to.
fn automatic_off(case: &Case<'_>) -> Option<Reason> {
    let plan = case.state.plan_entry(case.position).filter(|_| case.state.approved().is_none())?;
    let admission = &case.state.written(plan.seq)?.final_facts.as_ref()?.admission;
    let why = admission.reason.as_deref()?;
    Some(Reason::new(Code::AdmissionOff).at(admission.configured.as_str()).actual(why))
}

pub(super) fn handoff(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Event::HandedOff(handed) = case.event else { return };
    let protocol = case.state.protocol();
    if case.state.phase(case.position).1 == Some(Outcome::Stuck) {
        reasons.push(Reason::new(Code::HandoffStuck));
    }
    let Some(target) = protocol.admission.targets.get(&handed.target) else {
        let expected: Vec<String> = protocol.admission.targets.keys().cloned().collect();
        reasons.push(
            Reason::new(Code::HandoffTarget).at("target").expected(expected).actual(handed.target.as_str()),
        );
        return;
    };
    let Some(admitted) = case.state.admitted_target(case.position) else {
        let answer = case.state.approved().map_or("no answer yet", |approved| approved.answer.word());
        reasons.push(Reason::new(Code::HandoffNotAdmitted).actual(answer));
        reasons.extend(automatic_off(case));
        return;
    };
    if admitted.target.is_some_and(|admitted| admitted != handed.target) {
        let expected = admitted.target.unwrap_or_default();
        reasons.push(
            Reason::new(Code::HandoffOtherTarget)
                .at("target")
                .expected(expected)
                .actual(handed.target.as_str()),
        );
    }
    if let Some(fact) = &target.needs_fact
        && let Some(detail) = handed.unavailable.as_ref()
    {
        reasons.push(Reason::new(Code::HandoffUnavailable).at(fact.as_str()).actual(detail.as_str()));
    }
}
