//! What only a person may do.

use super::{Case, LEADER};
use crate::ledger::Event;
use crate::reason::{Code, Reason};
use crate::run::actor::ActorKind;
use crate::run::position::Join;

pub(super) fn person_acts(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let is_host = matches!(case.actor.kind, ActorKind::Person | ActorKind::Host);
    let leads = case.actor.role.as_deref() == Some(LEADER);
    let (is_allowed, expected) = match case.event {
        Event::Answered(_) | Event::Waived(_) | Event::Approval(_) => {
            (case.actor.is_person(), vec!["person"])
        }
        Event::HandedOff(_) => (is_host || leads, vec!["host", "leader", "person"]),
        _ => (is_host, vec!["host", "person"]),
    };
    if !is_allowed {
        let expected: Vec<String> = expected.into_iter().map(str::to_owned).collect();
        let remedy = if expected.len() == 1 {
            "ask a person to do it"
        } else {
            "let the host, the leader or a person do it"
        };
        reasons.push(
            Reason::new(Code::ApprovalNotPerson)
                .at("actor.kind")
                .expected(expected)
                .actual(case.actor.kind.word())
                .remedy(remedy),
        );
    }
}

pub(super) fn item_answer(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Event::Answered(answered) = case.event else { return };
    let known: Vec<String> = case.state.items().into_iter().map(|item| item.item_id.clone()).collect();
    if !known.contains(&answered.item_id) {
        reasons.push(
            Reason::new(Code::InputItem).at("item_id").expected(known).actual(answered.item_id.as_str()),
        );
    }
    if case.state.final_entry().is_some() {
        reasons.push(Reason::new(Code::OrderFinal).at("item_id"));
    }
}

pub(super) fn waiver(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    if case.position.join == Join::NoDraft {
        reasons.push(Reason::new(Code::OrderNoDraft));
    }
    if case.state.final_entry().is_some() {
        reasons.push(Reason::new(Code::OrderFinal));
    } else if case.position.has_objection() {
        let remedy = "revise the draft, or start another run; an objection is not waived away";
        reasons.push(Reason::new(Code::OrderRound).remedy(remedy));
    }
}
