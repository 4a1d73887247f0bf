//! Whole runs, command by command.

use ralplan_core::ledger::{AnswerOutcome, ApprovalAnswer, HandoffStep};

use super::Case;
use super::bases::*;
use crate::script::Script;

const fn whole(
    name: &'static str,
    code: &'static str,
    fires: bool,
    outcome: &'static str,
    play: fn(&mut Script),
) -> Case {
    Case { file: "run", name, code, fires, outcome, is_whole: true, play }
}

pub(super) const CASES: &[Case] = &[
    whole(
        "standard: objection, revision, consensus, approval, handoff",
        "run.closed",
        false,
        "accepted",
        |s| {
            begin(s, lean("standard"));
            s.write("planner", "planner", &plan("one"));
            s.write("architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
            s.write("critic", "critic", &review("c1", "APPROVE", &[]));
            s.write("planner", "revision", &plan("two"));
            s.write("architect", "architect", &review("a2", "APPROVE", &[]));
            s.write("critic", "critic", &review("c2", "APPROVE", &[]));
            s.compose("post-interview");
            s.write("planner", "adr", &record());
            s.compose("final");
            s.approve(ApprovalAnswer::Approve, None);
            s.hand_off(HandoffStep::Dispatch, "ultragoal");
        },
    ),
    whole("gjc: consensus at once, interview, stop, approval", "approval.answered", false, "accepted", |s| {
        begin_with(s, lean("gjc"), |start| start.interactive = true);
        put(s, "planner", "planner", &plan_with_item("one"));
        put(s, "architect", "architect", &gjc_review("a1", "CLEAR", "APPROVE"));
        put(s, "critic", "critic", &review("c1", "OKAY", &[]));
        s.answer("cache", AnswerOutcome::Confirmed, Some("in memory"));
        s.compose("post-interview");
        s.compose("final");
        s.approve(ApprovalAnswer::Stop, None);
        s.approve(ApprovalAnswer::Approve, None);
    }),
    whole("omx: an agreed draft is the plan", "approval.no_final", false, "accepted", |s| {
        begin(s, lean("omx"));
        put(s, "planner", "draft", &plan("one"));
        put(s, "architect", "architect-review", &review("a1", "Approved", &[]));
        put(s, "critic", "critic-review", &review("c1", "okay", &[]));
        s.approve(ApprovalAnswer::Approve, None);
        s.hand_off(HandoffStep::Dispatch, "ralph");
    }),
    whole(
        "pi: the architect's objection ends the round, then both approve",
        "order.round_over",
        false,
        "accepted",
        |s| {
            begin(s, lean("pi"));
            s.write("planner", "spec", "# Spec\n");
            s.write("planner", "plan_draft", &plan("one"));
            s.write("architect", "architect_review", &review("a1", "REVISION NEEDED", &[]));
            s.write("planner", "plan_draft", &plan("two"));
            s.write("architect", "architect_review", &review("a2", "APPROVE", &[]));
            s.write("critic", "critic_review", &review("c2", "OKAY", &[]));
            s.write("planner", "plan", &format!("{}\n{}", plan("two"), record()));
            s.approve(ApprovalAnswer::Approve, None);
            s.hand_off(HandoffStep::Dispatch, "execution");
        },
    ),
    whole(
        "standard: a critic that always objects is exhausted",
        "budget.iterations",
        true,
        "exhausted",
        |s| {
            begin_with(s, free(), |start| start.settings.max_iterations = setting(2));
            put(s, "planner", "planner", &plan("one"));
            put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
            put(s, "critic", "critic", &review("c1", "REVISE", &[("f1", "block")]));
            put(s, "planner", "revision", &plan("two"));
            put(s, "architect", "architect", &review("a2", "APPROVE", &[]));
            put(s, "critic", "critic", &review("c2", "REVISE", &[("f1", "block")]));
            put(s, "planner", "revision", &plan("three"));
        },
    ),
];
