//! Whole runs under every built-in protocol.

use ralplan_core::ledger::{ApprovalAnswer, HandoffStep};
use ralplan_core::run::{ArtifactBytes, Decision, Outcome};
use ralplan_tests::script::{Script, codes, protocol};
use ralplan_tests::texts::{adr, draft, review};

fn accepted(decision: &Decision) {
    assert!(decision.receipt().is_some(), "{decision:#?}");
}

fn verify(script: &Script) {
    let files: ArtifactBytes = script
        .run
        .files()
        .into_iter()
        .map(|path| (path.clone(), script.files.get(&path).map(|text| text.as_bytes().to_vec())))
        .collect();
    let verification = script.run.verify("ledger.jsonl", Some(&files));
    assert!(verification.is_clean, "{verification:#?}");
    let again = ralplan_core::run::Run::open(script.ledger.as_bytes(), None).verify("ledger.jsonl", None);
    assert!(again.is_clean, "{again:#?}");
}

#[test]
fn a_standard_run_reaches_consensus_approval_and_handoff() {
    let mut script = Script::started(protocol("standard"), "Add rate limiting");
    accepted(&script.write("planner", "planner", &draft("one")));
    accepted(&script.write(
        "architect",
        "architect",
        &review("a1", "Verdict: REVISE", &[("f1", "risk-register", "block")]),
    ));
    accepted(&script.write("critic", "critic", &review("c1", "Verdict: APPROVE", &[])));
    accepted(&script.write("planner", "revision", &draft("two")));
    accepted(&script.write("architect", "architect", &review("a2", "Verdict: APPROVE", &[])));
    accepted(&script.write("critic", "critic", &review("c2", "**Verdict: APPROVE**", &[])));
    accepted(&script.compose("post-interview"));
    accepted(&script.write("planner", "adr", &adr()));
    accepted(&script.compose("final"));
    assert_eq!(script.run.next().outcome, Some(Outcome::PendingApproval));
    assert_eq!(codes(&script.hand_off(HandoffStep::Dispatch, "ultragoal")), ["handoff.not_admitted"]);
    accepted(&script.approve(ApprovalAnswer::Approve, None));
    accepted(&script.hand_off(HandoffStep::Dispatch, "ultragoal"));
    assert_eq!(script.run.next().outcome, Some(Outcome::HandedOff));
    verify(&script);
}
