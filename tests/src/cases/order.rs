//! Order and numbers.

use ralplan_core::ledger::{ApprovalAnswer, HandoffStep, RecordKind};
use ralplan_core::run::{Act, Annotate, Cancel, Record};

use super::bases::*;
use super::{Case, accepted, duplicate, exhausted, refused, warned};
use crate::script::{Script, host, person};

fn cancel(s: &mut Script) {
    s.act(person(), Act::Cancel(Cancel { reason: None }));
}

fn recorded(s: &mut Script, kind: RecordKind, name: &str) {
    let record = Record {
        evidence_sha256: None,
        kind,
        name: name.to_owned(),
        outcome: "pass".to_owned(),
        reason: None,
    };
    s.act(host(), Act::Record(record));
}

fn pi_started(s: &mut Script, ask_first: bool) {
    let mut protocol = lean("pi");
    protocol.identity.assignments = ralplan_core::protocol::Requirement::Optional;
    begin_with(s, protocol, |start| start.ask_first = ask_first);
}

fn two_passes(s: &mut Script) {
    begin_with(s, free(), |start| start.settings.max_passes_per_lane = setting(2));
    put(s, "planner", "planner", &plan("one"));
    put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
}

fn stops_early(s: &mut Script, stop: bool) {
    let mut protocol = free();
    protocol.review.stop_at_first_objection = stop;
    begin(s, protocol);
    put(s, "planner", "planner", &plan("one"));
    put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
}

fn softened(s: &mut Script) {
    begin_with(s, free(), |start| start.settings.warn = setting(vec!["order.*".to_owned()]));
}

pub(super) const CASES: &[Case] = &[
    refused("open_run", "run.closed", "nothing is written after the run was cancelled", |s| {
        drafted(s);
        cancel(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
    }),
    refused("open_run", "run.closed", "a rejected plan cannot be approved", |s| {
        pending(s);
        s.approve(ApprovalAnswer::Reject, None);
        s.approve(ApprovalAnswer::Approve, None);
    }),
    refused("open_run", "run.closed", "a plan that was handed off is not cancelled", |s| {
        approved(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
        cancel(s);
    }),
    refused("open_run", "run.closed", "a gate is not recorded after the end", |s| {
        drafted(s);
        cancel(s);
        recorded(s, RecordKind::QualityGate, "lint");
    }),
    refused("open_run", "run.closed", "settings are not changed after the end", |s| {
        drafted(s);
        cancel(s);
        configure(s, |settings| settings.max_iterations = setting(9));
    }),
    accepted("open_run", "run.closed", "an open run takes a review", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[]));
    }),
    accepted("open_run", "run.closed", "a note may follow the end, as no decision reads it", |s| {
        drafted(s);
        cancel(s);
        s.act(host(), Act::Annotate(Annotate { name: "note".to_owned(), text: "kept".to_owned() }));
    }),
    accepted("open_run", "run.closed", "a phase is recorded after the handoff", |s| {
        approved(s);
        s.hand_off(HandoffStep::Dispatch, "ultragoal");
        recorded(s, RecordKind::Phase, "execution");
    }),
    duplicate("open_run", "run.closed", "cancelling twice is the same act", |s| {
        drafted(s);
        cancel(s);
        cancel(s);
    }),
    duplicate("open_run", "run.closed", "a retried write finds its entry after the end", |s| {
        drafted(s);
        cancel(s);
        put(s, "planner", "planner", &plan("one"));
    }),
    refused("stage_number", "order.stage_number", "the number of a first draft is 1", |s| {
        begin(s, free());
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(2));
    }),
    accepted("stage_number", "order.stage_number", "the number is the iteration", |s| {
        begin(s, free());
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(1));
    }),
    accepted("stage_number", "order.stage_number", "where numbers are labels, any number is", |s| {
        begin(s, lean("gjc"));
        put_with(s, "planner", "planner", &plan("one"), |_, write| write.stage_n = Some(42));
    }),
    refused("stage_number", "order.pass", "a pass is not skipped", |s| {
        two_passes(s);
        put_with(s, "architect", "architect", &review("a2", "APPROVE", &[]), |_, write| write.pass = Some(3));
    }),
    accepted("stage_number", "order.pass", "the second pass follows the first", |s| {
        two_passes(s);
        put_with(s, "architect", "architect", &review("a2", "APPROVE", &[]), |_, write| write.pass = Some(2));
    }),
    refused("context_order", "order.context_late", "context comes before the draft", |s| {
        begin(s, lean("omx"));
        put(s, "planner", "draft", &plan("one"));
        put(s, "planner", "test-spec", "# Test spec\n");
    }),
    accepted("context_order", "order.context_late", "context may come again before the next draft", |s| {
        pi_started(s, false);
        put(s, "planner", "spec", "# Spec\n");
        put(s, "planner", "plan_draft", &plan("one"));
        put(s, "architect", "architect_review", &review("a1", "REVISION NEEDED", &[]));
        put(s, "planner", "spec", "# Spec again\n");
    }),
    refused(
        "context_order",
        "order.context_missing",
        "questions come before the spec when they are asked first",
        |s| {
            pi_started(s, true);
            put(s, "planner", "spec", "# Spec\n");
        },
    ),
    accepted(
        "context_order",
        "order.context_missing",
        "the spec needs no questions when none are asked first",
        |s| {
            pi_started(s, false);
            put(s, "planner", "spec", "# Spec\n");
        },
    ),
    refused("draft_order", "order.opens_first", "the first stage opens the first iteration only", |s| {
        objected(s);
        put(s, "planner", "planner", &plan("two"));
    }),
    accepted("draft_order", "order.opens_first", "a revision opens a later iteration", |s| {
        objected(s);
        put(s, "planner", "revision", &plan("two"));
    }),
    refused("draft_order", "order.opens_again", "a revision does not open the first iteration", |s| {
        begin(s, free());
        put(s, "planner", "revision", &plan("one"));
    }),
    accepted("draft_order", "order.opens_again", "a first draft opens the first iteration", |s| {
        begin(s, free());
        put(s, "planner", "planner", &plan("one"));
    }),
    refused("draft_order", "order.context_missing", "a first draft needs the spec", |s| {
        pi_started(s, false);
        put(s, "planner", "plan_draft", &plan("one"));
    }),
    accepted("draft_order", "order.context_missing", "a first draft follows the spec", |s| {
        pi_started(s, false);
        put(s, "planner", "spec", "# Spec\n");
        put(s, "planner", "plan_draft", &plan("one"));
    }),
    refused(
        "draft_order",
        "order.join_incomplete",
        "one objection does not open a revision while the other review is out",
        |s| {
            drafted(s);
            put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
            put(s, "planner", "revision", &plan("two"));
        },
    ),
    accepted("draft_order", "order.join_incomplete", "both reviews are in and one objects", |s| {
        objected(s);
        put(s, "planner", "revision", &plan("two"));
    }),
    accepted(
        "draft_order",
        "order.join_incomplete",
        "a person may ask for changes before the reviews are in",
        |s| {
            drafted(s);
            let digest = draft_digest(s);
            s.answer_plan(ApprovalAnswer::RequestChanges, digest, Some("shorter"));
            put(s, "planner", "revision", &plan("two"));
        },
    ),
    accepted(
        "draft_order",
        "order.join_incomplete",
        "the first objection ends a round where the protocol says so",
        |s| {
            stops_early(s, true);
            put(s, "planner", "revision", &plan("two"));
        },
    ),
    warned("draft_order", "order.join_incomplete", "a team may soften the order to a warning", |s| {
        softened(s);
        put(s, "planner", "planner", &plan("one"));
        put(s, "planner", "revision", &plan("two"));
    }),
    refused("draft_order", "order.no_objection", "what both approve is not revised", |s| {
        agreed(s);
        put(s, "planner", "revision", &plan("two"));
    }),
    accepted("draft_order", "order.no_objection", "what a person wants changed is revised", |s| {
        pending(s);
        s.approve(ApprovalAnswer::RequestChanges, Some("shorter"));
        put(s, "planner", "revision", &plan("two"));
    }),
    refused("review_order", "order.no_draft", "there is nothing to review yet", |s| {
        begin(s, free());
        put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
    }),
    accepted("review_order", "order.no_draft", "a review follows the draft", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
    }),
    refused("review_order", "order.review_too_early", "later passes go one after another", |s| {
        objected(s);
        put(s, "planner", "revision", &plan("two"));
        put(s, "critic", "critic", &review("c2", "APPROVE", &[]));
    }),
    accepted("review_order", "order.review_too_early", "in the first pass the critic need not wait", |s| {
        drafted(s);
        put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
    }),
    refused("review_order", "order.round_over", "the first objection ends the round", |s| {
        stops_early(s, true);
        put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
    }),
    accepted("review_order", "order.round_over", "without that rule the other review is awaited", |s| {
        stops_early(s, false);
        put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
    }),
    refused(
        "review_order",
        "order.after_final",
        "a plan that is pending approval is not reviewed again",
        |s| {
            begin_with(s, free(), |start| start.settings.max_passes_per_lane = setting(2));
            put(s, "planner", "planner", &plan("one"));
            agree(s, "1");
            close(s);
            put(s, "critic", "critic", &review("c2", "REJECT", &[("f9", "block")]));
        },
    ),
    accepted("review_order", "order.after_final", "before the final a second pass may still object", |s| {
        begin_with(s, free(), |start| start.settings.max_passes_per_lane = setting(2));
        put(s, "planner", "planner", &plan("one"));
        agree(s, "1");
        put(s, "critic", "critic", &review("c2", "REJECT", &[("f9", "block")]));
    }),
    refused("disposition_order", "order.no_conflict", "there is no conflict to settle", |s| {
        objected(s);
        let write = s.blank_write("disposition", Some("# Disposition\n"));
        s.act(host(), Act::Write(Box::new(write)));
    }),
    accepted(
        "disposition_order",
        "order.no_conflict",
        "a round without conflict goes on without a disposition",
        |s| {
            objected(s);
            put(s, "planner", "revision", &plan("two"));
        },
    ),
    refused("closing_order", "order.no_consensus", "one objection keeps the closing stages shut", |s| {
        objected(s);
        s.compose("post-interview");
    }),
    accepted("closing_order", "order.no_consensus", "consensus opens the closing stages", |s| {
        agreed(s);
        s.compose("post-interview");
    }),
    accepted("closing_order", "order.no_consensus", "used-up iterations open them too", |s| {
        spent(s);
        s.compose("post-interview");
    }),
    refused("closing_order", "order.join_incomplete", "one approval keeps the closing stages shut", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "APPROVE", &[("f1", "watch")]));
        s.compose("post-interview");
    }),
    refused("closing_order", "order.closing", "the final waits for the decision record", |s| {
        agreed(s);
        s.compose("post-interview");
        s.compose("final");
    }),
    accepted("closing_order", "order.closing", "the final follows the decision record", |s| {
        agreed(s);
        close(s);
    }),
    accepted("closing_order", "order.closing", "an optional record may be left out", |s| {
        begin(s, lean("gjc"));
        put(s, "planner", "planner", &plan("one"));
        put(s, "architect", "architect", &gjc_review("a1", "CLEAR", "APPROVE"));
        put(s, "critic", "critic", &review("c1", "OKAY", &[]));
        s.compose("post-interview");
        s.compose("final");
    }),
    refused("closing_order", "order.after_final", "there is one final for a draft", |s| {
        begin(s, lean("gjc"));
        put(s, "planner", "planner", &plan("one"));
        put(s, "architect", "architect", &gjc_review("a1", "CLEAR", "APPROVE"));
        put(s, "critic", "critic", &review("c1", "OKAY", &[]));
        s.compose("post-interview");
        s.compose("final");
        put_with(
            s,
            "planner",
            "final",
            &format!("{}\n## Unresolved\n\nNothing.\n", plan("one")),
            |_, write| write.stage_n = Some(2),
        );
    }),
    duplicate("closing_order", "order.after_final", "the same final again is the same act", |s| {
        pending(s);
        s.compose("final");
    }),
    exhausted("budget", "budget.iterations", "the opener past the cap pins the run", |s| {
        spent(s);
        put(s, "planner", "revision", &plan("three"));
    }),
    exhausted("budget", "budget.iterations", "a second opener past the cap adds nothing", |s| {
        spent(s);
        put(s, "planner", "revision", &plan("three"));
        put(s, "planner", "revision", &plan("four"));
    }),
    exhausted("budget", "budget.iterations", "a higher cap does not unpin a run that is stuck", |s| {
        spent(s);
        put(s, "planner", "revision", &plan("three"));
        configure(s, |settings| settings.max_iterations = setting(9));
        put(s, "planner", "revision", &plan("three"));
    }),
    exhausted("budget", "budget.iterations", "an assignment past the cap pins the run too", |s| {
        spent(s);
        assign(s, "planner", Some("revision"), "token");
    }),
    exhausted(
        "budget",
        "budget.iterations",
        "where assignments are required, the opener past the cap needs none",
        |s| {
            begin_with(s, lean("standard"), |start| start.settings.max_iterations = setting(1));
            s.write("planner", "planner", &plan("one"));
            s.write("architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
            s.write("critic", "critic", &review("c1", "APPROVE", &[]));
            put(s, "planner", "revision", &plan("two"));
        },
    ),
    exhausted("budget", "budget.passes", "a lane that is done is not assigned again", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
        assign(s, "architect", None, "token");
    }),
    exhausted("budget", "budget.iterations", "changes asked for past the cap leave the plan as it is", |s| {
        begin_with(s, free(), |start| start.settings.max_iterations = setting(1));
        put(s, "planner", "planner", &plan("one"));
        agree(s, "1");
        close(s);
        s.approve(ApprovalAnswer::RequestChanges, Some("shorter"));
    }),
    accepted("budget", "budget.iterations", "the last iteration of the cap is used", |s| {
        begin_with(s, free(), |start| start.settings.max_iterations = setting(2));
        put(s, "planner", "planner", &plan("one"));
        put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
        put(s, "critic", "critic", &review("c1", "APPROVE", &[]));
        put(s, "planner", "revision", &plan("two"));
    }),
    accepted(
        "budget",
        "budget.iterations",
        "a higher cap opens another iteration while nothing is pinned",
        |s| {
            spent(s);
            configure(s, |settings| settings.max_iterations = setting(3));
            put(s, "planner", "revision", &plan("three"));
        },
    ),
    exhausted("budget", "budget.passes", "a lane reviews a draft once", |s| {
        drafted(s);
        put(s, "architect", "architect", &review("a1", "REVISE", &[("f1", "block")]));
        put_with(s, "architect", "architect", &review("a2", "APPROVE", &[]), |_, write| write.pass = Some(2));
    }),
    accepted("budget", "budget.passes", "a second pass where the team allows two", |s| {
        two_passes(s);
        put(s, "architect", "architect", &review("a2", "APPROVE", &[]));
    }),
    accepted("budget", "budget.passes", "a new draft gives each lane a new pass", |s| {
        objected(s);
        put(s, "planner", "revision", &plan("two"));
        put(s, "architect", "architect", &review("a2", "APPROVE", &[]));
    }),
];
