//! Approval, admission, handoff.

use ralplan_core::ledger::{ApprovalAnswer, HandoffStep};
use ralplan_core::protocol::Protocol;
use ralplan_core::run::{Act, Actor, Approval, Assurance, Fact};

use super::bases::*;
use super::{Case, accepted, duplicate, refused};
use crate::script::{Script, approval, person};

fn answers(s: &mut Script, actor: Actor, change: impl FnOnce(&mut Approval)) {
    let digest = s.run.status().and_then(|status| status.digest);
    let mut act = approval(ApprovalAnswer::Approve, digest, None);
    change(&mut act);
    s.act(actor, Act::Approval(act));
}

fn stuck(s: &mut Script) {
    spent(s);
    close(s);
}

fn automatic(s: &mut Script, target: &str) {
    begin_with(s, free(), |start| start.settings.automatic_handoff = setting(target.to_owned()));
    put(s, "planner", "planner", &plan("one"));
    agree(s, "1");
}

fn team(s: &mut Script, is_available: bool) {
    let detail = (!is_available).then(|| "no tmux".to_owned());
    s.facts = vec![Fact { available: is_available, detail, name: "team".to_owned() }];
}

fn assured(least: Assurance) -> Protocol {
    let mut protocol = free();
    protocol.identity.assurance.approval = least;
    protocol
}

fn pending_under(s: &mut Script, protocol: Protocol) {
    begin(s, protocol);
    put(s, "planner", "planner", &plan("one"));
    agree(s, "1");
    close(s);
}

pub(super) const CASES: &[Case] = &[
    refused("approval_subject", "approval.no_final", "a draft is not approved", |s| {
        agreed(s);
        let digest = draft_digest(s);
        s.answer_plan(ApprovalAnswer::Approve, digest, None);
    }),
    accepted("approval_subject", "approval.no_final", "a final is approved", approved),
    accepted("approval_subject", "approval.no_final", "changes may be asked of a draft", |s| {
        drafted(s);
        let digest = draft_digest(s);
        s.answer_plan(ApprovalAnswer::RequestChanges, digest, Some("shorter"));
    }),
    accepted("approval_subject", "approval.no_final", "in omx the agreed draft is approved", |s| {
        begin(s, lean("omx"));
        put(s, "planner", "draft", &plan("one"));
        put(s, "architect", "architect-review", &review("a1", "approve", &[]));
        put(s, "critic", "critic-review", &review("c1", "approve", &[]));
        s.approve(ApprovalAnswer::Approve, None);
    }),
    refused(
        "approval_subject",
        "approval.wrong_digest",
        "the digest of the draft is not that of the final",
        |s| {
            pending(s);
            let digest = draft_digest(s);
            s.answer_plan(ApprovalAnswer::Approve, digest, None);
        },
    ),
    refused("approval_subject", "approval.wrong_digest", "the digest of an earlier final", |s| {
        pending(s);
        let digest = s.run.status().and_then(|status| status.digest);
        s.approve(ApprovalAnswer::RequestChanges, Some("shorter"));
        put(s, "planner", "revision", &plan("two"));
        put(s, "architect", "architect", &review("a2", "APPROVE", &[]));
        put(s, "critic", "critic", &review("c2", "APPROVE", &[]));
        close(s);
        s.answer_plan(ApprovalAnswer::Approve, digest, None);
    }),
    refused("approval_subject", "approval.wrong_digest", "the hash of another entry", |s| {
        pending(s);
        answers(s, person(), |approval| {
            approval.final_hash = Some(ralplan_core::json::sha256_hex(b"another"));
        });
    }),
    accepted("approval_subject", "approval.wrong_digest", "the digest that was read", |s| {
        pending(s);
        answers(s, person(), |_| {});
    }),
    refused(
        "approval_answer",
        "approval.answered",
        "an approval does not become a request for changes",
        |s| {
            approved(s);
            s.approve(ApprovalAnswer::RequestChanges, Some("shorter"));
        },
    ),
    duplicate("approval_answer", "approval.answered", "approving twice is the same act", |s| {
        approved(s);
        s.approve(ApprovalAnswer::Approve, None);
    }),
    accepted(
        "approval_answer",
        "approval.answered",
        "before the handoff an approval may become a rejection",
        |s| {
            approved(s);
            s.approve(ApprovalAnswer::Reject, None);
        },
    ),
    accepted("approval_answer", "approval.answered", "a stop may become an approval", |s| {
        pending(s);
        s.approve(ApprovalAnswer::Stop, None);
        s.approve(ApprovalAnswer::Approve, None);
    }),
    refused("approval_answer", "approval.missing_comments", "a request for changes says what", |s| {
        pending(s);
        s.approve(ApprovalAnswer::RequestChanges, None);
    }),
    refused("approval_answer", "approval.missing_comments", "blanks are no comments", |s| {
        pending(s);
        s.approve(ApprovalAnswer::RequestChanges, Some(" \n"));
    }),
    accepted("approval_answer", "approval.missing_comments", "a request for changes with comments", |s| {
        pending(s);
        s.approve(ApprovalAnswer::RequestChanges, Some("shorter"));
    }),
    refused("approval_answer", "approval.stuck", "a stuck final is not approved", |s| {
        stuck(s);
        s.approve(ApprovalAnswer::Approve, None);
    }),
    accepted("approval_answer", "approval.stuck", "a stuck final may be rejected", |s| {
        stuck(s);
        s.approve(ApprovalAnswer::Reject, None);
    }),
    refused("approval_answer", "handoff.unknown_target", "an approval names a known target", |s| {
        pending(s);
        answers(s, person(), |approval| approval.target = Some("nowhere".to_owned()));
    }),
    refused("approval_author", "approval.author", "a reviewer under a person's name does not approve", |s| {
        pending(s);
        answers(s, Actor { agent_id: Some("critic-1".to_owned()), ..person() }, |_| {});
    }),
    accepted("approval_author", "approval.author", "another person approves", |s| {
        pending(s);
        answers(s, Actor { agent_id: Some("person-1".to_owned()), ..person() }, |_| {});
    }),
    accepted("approval_author", "approval.author", "whoever wrote it may still reject it", |s| {
        pending(s);
        answers(s, Actor { agent_id: Some("critic-1".to_owned()), ..person() }, |approval| {
            approval.answer = ApprovalAnswer::Reject;
        });
    }),
    refused(
        "approval_author",
        "approval.assurance",
        "a claimed person is too weak where a terminal is asked for",
        |s| {
            pending_under(s, assured(Assurance::Terminal));
            answers(s, Actor { assurance: Assurance::Claimed, ..person() }, |_| {});
        },
    ),
    accepted("approval_author", "approval.assurance", "a person at a terminal", |s| {
        pending_under(s, assured(Assurance::Terminal));
        answers(s, person(), |_| {});
    }),
    refused("handoff", "handoff.not_admitted", "nothing is handed off before an answer", |s| {
        pending(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
    }),
    refused("handoff", "handoff.not_admitted", "nothing is handed off after a stop", |s| {
        pending(s);
        s.approve(ApprovalAnswer::Stop, None);
        s.hand_off(HandoffStep::Ready, "ultragoal");
    }),
    accepted("handoff", "handoff.not_admitted", "an approved plan is handed off", |s| {
        approved(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
    }),
    duplicate("handoff", "handoff.not_admitted", "dispatching twice is the same act", |s| {
        approved(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
    }),
    accepted("handoff", "handoff.not_admitted", "a setting admits a plan with consensus", |s| {
        automatic(s, "ultragoal");
        close(s);
        s.hand_off(HandoffStep::Ready, "ultragoal");
    }),
    refused("handoff", "handoff.unknown_target", "a target that the protocol does not know", |s| {
        approved(s);
        s.hand_off(HandoffStep::Dispatch, "nowhere");
    }),
    accepted("handoff", "handoff.unknown_target", "a target of the protocol", |s| {
        approved(s);
        team(s, true);
        s.hand_off(HandoffStep::Dispatch, "team");
    }),
    refused("handoff", "handoff.other_target", "another target than the person named", |s| {
        pending(s);
        answers(s, person(), |approval| approval.target = Some("ultragoal".to_owned()));
        team(s, true);
        s.hand_off(HandoffStep::Dispatch, "team");
    }),
    accepted("handoff", "handoff.other_target", "the target that the person named", |s| {
        pending(s);
        answers(s, person(), |approval| approval.target = Some("ultragoal".to_owned()));
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
    }),
    refused("handoff", "handoff.target_unavailable", "a target that is not there", |s| {
        approved(s);
        team(s, false);
        s.hand_off(HandoffStep::Dispatch, "team");
    }),
    accepted("handoff", "handoff.target_unavailable", "a target that is there", |s| {
        approved(s);
        team(s, true);
        s.hand_off(HandoffStep::Ready, "team");
    }),
    refused("handoff", "handoff.stuck", "a stuck plan is not handed off", |s| {
        stuck(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
    }),
    accepted("handoff", "handoff.stuck", "a plan with consensus is", |s| {
        approved(s);
        s.hand_off(HandoffStep::Ready, "ultragoal");
    }),
    refused("handoff", "admission.off", "automatic admission is off while items are open", |s| {
        begin_with(s, free(), |start| start.settings.automatic_handoff = setting("ultragoal".to_owned()));
        put(s, "planner", "planner", &plan_with_item("one"));
        agree(s, "1");
        close(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
    }),
    accepted("handoff", "admission.off", "automatic admission is on when nothing is open", |s| {
        automatic(s, "ultragoal");
        close(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
    }),
    refused("handoff", "input.observed", "the fact that a target needs is reported", |s| {
        approved(s);
        s.hand_off(HandoffStep::Dispatch, "team");
    }),
];
