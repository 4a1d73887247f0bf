//! A person's answer to the plan.

use super::Case;
use crate::ledger::{ApprovalAnswer, Approved, Event};
use crate::protocol::StageKind;
use crate::reason::{Code, Reason};
use crate::run::decision::Outcome;

fn approved<'a>(case: &Case<'a>) -> Option<&'a Approved> {
    match case.event {
        Event::Approval(approved) => Some(approved),
        _ => None,
    }
}

pub(super) fn subject(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(approved) = approved(case) else { return };
    let Some(plan) = case.state.answerable_entry(case.position, approved.answer) else {
        reasons.push(Reason::new(Code::ApprovalMissingSubject));
        return;
    };
    let digest = case.state.written(plan.seq).map_or("", |written| written.sha256.as_str());
    if approved.final_hash != plan.hash {
        let reason = Reason::new(Code::ApprovalWrongDigest).at("final_hash");
        reasons.push(reason.expected(plan.hash.as_str()).actual(approved.final_hash.as_str()));
    } else if approved.sha256 != digest {
        reasons.push(
            Reason::new(Code::ApprovalWrongDigest)
                .at("sha256")
                .expected(digest)
                .actual(approved.sha256.as_str()),
        );
    }
}

pub(super) fn answer(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(approved) = approved(case) else { return };
    let is_stuck = case.state.stuck.is_some() || case.state.phase(case.position).1 == Some(Outcome::Stuck);
    if approved.answer == ApprovalAnswer::Approve && is_stuck {
        reasons.push(Reason::new(Code::ApprovalStuck));
    }
    if approved.answer == ApprovalAnswer::RequestChanges && approved.comments_sha256.is_none() {
        reasons.push(Reason::new(Code::ApprovalComments).at("comments"));
    }
    let targets = &case.state.protocol().admission.targets;
    if let Some(target) = approved.target.as_ref().filter(|target| !targets.contains_key(*target)) {
        let expected: Vec<String> = targets.keys().cloned().collect();
        reasons
            .push(Reason::new(Code::HandoffTarget).at("target").expected(expected).actual(target.as_str()));
    }
    let Some(earlier) = case.state.approved() else { return };
    let may_become = match earlier.answer {
        ApprovalAnswer::Stop => true,
        ApprovalAnswer::Approve => approved.answer == ApprovalAnswer::Reject,
        ApprovalAnswer::RequestChanges | ApprovalAnswer::Reject => false,
    };
    if !may_become {
        reasons.push(Reason::new(Code::ApprovalAnswered).actual(earlier.answer.word()));
    }
}

pub(super) fn author(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(approved) = approved(case) else { return };
    if approved.answer != ApprovalAnswer::Approve {
        return;
    }
    let least = case.state.protocol().identity.assurance.approval;
    if case.actor.assurance < least {
        reasons.push(
            Reason::new(Code::ApprovalAssurance).expected(least.word()).actual(case.actor.assurance.word()),
        );
    }
    for (entry, written) in case.state.artifacts() {
        let is_work = matches!(written.kind, StageKind::Draft | StageKind::Review | StageKind::Final);
        let is_same = match (&case.actor.agent_id, &entry.actor.agent_id) {
            (Some(approver), Some(author)) => approver == author,
            _ => entry.actor.is_person(),
        };
        if is_work && is_same {
            reasons.push(Reason::new(Code::ApprovalAuthor).at("actor").actual(written.path.as_str()));
            return;
        }
    }
}
