//! Whole runs under every built-in protocol.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use ralplan_core::ledger::{AnswerOutcome, ApprovalAnswer, ForeignSlot, HandoffStep};
use ralplan_core::protocol::{Exhaustion, Protocol, StageKind};
use ralplan_core::run::{
    Act, ArtifactBytes, Cancel, Channel, Configure, Decision, Fact, Outcome, Setting, SettingsInput, Start,
    Step, WaiveReview,
};
use ralplan_tests::script::{Script, codes, host, person, protocol, start};
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

/// The words and stages of a protocol, for a run that goes the same way under each.
struct Words {
    protocol: Protocol,
    first: &'static str,
    again: &'static str,
    reviews: &'static [(&'static str, &'static str)],
    approve: fn(&str, &str) -> String,
    object: fn(&str, &str) -> String,
    target: &'static str,
    marker: Option<&'static str>,
    plan: &'static str,
}

fn plain(mark: &str, word: &str) -> String {
    review(mark, &format!("Verdict: {word}"), &[("f1", "risk-register", "watch")])
}

fn gjc(role: &str, mark: &str, status: &str, recommendation: &str, verdict: &str) -> String {
    match role {
        "architect" => format!(
            "# Review {mark}\n\nArchitectural Status: {status}\n\nRecommendation: {recommendation}\n\nSeen {mark}.\n"
        ),
        _ => format!("# Review {mark}\n\nVerdict: {verdict}\n\nSeen {mark}.\n"),
    }
}

fn trio() -> Protocol {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/three-reviewers.json");
    ralplan_core::protocol::parse(&std::fs::read(path).unwrap()).unwrap()
}

fn words(name: &str) -> Words {
    match name {
        "standard" => Words {
            protocol: protocol("standard"),
            first: "planner",
            again: "revision",
            reviews: &[("architect", "architect"), ("critic", "critic")],
            approve: |_, mark| plain(mark, "APPROVE"),
            object: |_, mark| plain(mark, "REVISE"),
            target: "ultragoal",
            marker: None,
            plan: ".ralplan/runs/run-1/pending-approval.md",
        },
        "gjc" => Words {
            protocol: protocol("gjc"),
            first: "planner",
            again: "revision",
            reviews: &[("architect", "architect"), ("critic", "critic")],
            approve: |role, mark| gjc(role, mark, "CLEAR", "APPROVE", "OKAY"),
            object: |role, mark| gjc(role, mark, "CLEAR", "APPROVE", "ITERATE"),
            target: "ultragoal",
            marker: None,
            plan: ".gjc/_session-session-1/plans/ralplan/run-1/pending-approval.md",
        },
        "omx" => Words {
            protocol: protocol("omx"),
            first: "draft",
            again: "draft",
            reviews: &[("architect", "architect-review"), ("critic", "critic-review")],
            approve: |_, mark| plain(mark, "approve"),
            object: |role, mark| plain(mark, if role == "critic" { "iterate" } else { "approve" }),
            target: "ralph",
            marker: None,
            plan: ".omx/plans/prd-20260131T000001000Z-add-rate-limiting.md",
        },
        "pi" => Words {
            protocol: protocol("pi"),
            first: "plan_draft",
            again: "plan_draft",
            reviews: &[("architect", "architect_review"), ("critic", "critic_review")],
            approve: |_, mark| plain(mark, "APPROVE"),
            object: |role, mark| plain(mark, if role == "critic" { "ITERATE" } else { "APPROVE" }),
            target: "execution",
            marker: Some("PIPELINE_RALPLAN_COMPLETE"),
            plan: "plans/plan.md",
        },
        _ => Words {
            protocol: trio(),
            first: "planner",
            again: "revision",
            reviews: &[("architect", "architect"), ("critic", "critic"), ("security", "security")],
            approve: |role, mark| plain(mark, if role == "security" { "PASS" } else { "APPROVE" }),
            object: |role, mark| plain(mark, if role == "security" { "CONCERN" } else { "REVISE" }),
            target: "ultragoal",
            marker: None,
            plan: ".ralplan/runs/run-1/pending-approval.md",
        },
    }
}

const NAMES: &[&str] = &["standard", "gjc", "omx", "pi", "trio"];

fn begin(words: &Words, change: impl FnOnce(&mut Start)) -> Script {
    let mut script = Script::new();
    let mut command = start(words.protocol.clone(), "Add rate limiting");
    change(&mut command);
    accepted(&script.act(host(), Act::Start(Box::new(command))));
    if words.protocol.name == "pi" {
        let spec = "# Spec\n\n## Acceptance Criteria\n\n- The sixth login answers 429\n\n## Requirement Coverage Map\n\n- R1: T1\n";
        accepted(&script.write("planner", "spec", spec));
    }
    script
}

fn round(script: &mut Script, words: &Words, n: u32, objects: bool) {
    let stage = if n == 1 { words.first } else { words.again };
    accepted(&script.write("planner", stage, &draft(&n.to_string())));
    for (role, stage) in words.reviews {
        let text = if objects { words.object } else { words.approve };
        accepted(&script.write(role, stage, &text(role, &format!("{role}-{n}"))));
    }
}

/// The closing stages, up to the plan.
fn close(script: &mut Script, words: &Words) -> Decision {
    let closing = words.protocol.closing.clone();
    let mut last = script.decisions.last().unwrap().clone();
    for stage in &closing {
        last = match words.protocol.stages[stage].kind {
            StageKind::Record => script.write("planner", stage, &adr()),
            StageKind::Final if words.protocol.name == "pi" => {
                let path = script.run.status().unwrap().draft.unwrap();
                let text = format!("{}\n{}", script.files[&path], adr());
                script.write("planner", stage, &text)
            }
            _ => script.compose(stage),
        };
        accepted(&last);
    }
    last
}

#[test]
fn every_protocol_reaches_consensus_in_its_own_words_and_files() {
    for name in NAMES {
        let words = words(name);
        let mut script = begin(&words, |_| {});
        round(&mut script, &words, 1, true);
        round(&mut script, &words, 2, false);
        let last = close(&mut script, &words);
        let Decision::Accepted { markers, .. } = &last else { panic!("{name}: {last:?}") };
        assert_eq!(markers.first().map(String::as_str), words.marker, "{name}");
        assert_eq!(script.run.next().outcome, Some(Outcome::PendingApproval), "{name}");
        assert_eq!(
            codes(&script.hand_off(HandoffStep::Dispatch, words.target)),
            ["handoff.not_admitted"],
            "{name}"
        );
        assert!(script.files.contains_key(words.plan), "{name}: {:?}", script.files.keys());
        accepted(&script.approve(ApprovalAnswer::Approve, None));
        accepted(&script.hand_off(HandoffStep::Ready, words.target));
        accepted(&script.hand_off(HandoffStep::Dispatch, words.target));
        assert_eq!(script.run.next().outcome, Some(Outcome::HandedOff), "{name}");
        verify(&script);
    }
}

#[test]
fn a_critic_that_always_objects_ends_after_five_iterations() {
    for name in NAMES {
        let words = words(name);
        let mut script = begin(&words, |_| {});
        for n in 1..=5 {
            assert_ne!(script.run.next().outcome, Some(Outcome::Stuck), "{name} {n}");
            round(&mut script, &words, n, true);
        }
        let sixth = script.write("planner", words.again, &draft("6"));
        let Decision::Exhausted { stuck: true, reasons, .. } = &sixth else { panic!("{name}: {sixth:?}") };
        assert_eq!(reasons[0].code.name(), "budget.iterations", "{name}");
        let pins = script
            .run
            .state()
            .unwrap()
            .entries()
            .iter()
            .filter(|entry| entry.event.word() == "stuck")
            .count();
        assert_eq!(pins, 1, "{name}");
        let settings = SettingsInput {
            max_iterations: Some(Setting { source: "--flag".to_owned(), value: 9 }),
            ..SettingsInput::default()
        };
        accepted(
            &script.act(person(), Act::Configure(Configure { channel: Some(Channel::Terminal), settings })),
        );
        let seventh = script.write("planner", words.again, &draft("7"));
        assert!(
            matches!(seventh, Decision::Exhausted { stuck: true, .. }),
            "{name}: a higher cap does not unpin"
        );

        let status = script.run.status().unwrap();
        assert_eq!(status.outcome, Some(Outcome::Stuck), "{name}");
        assert!(!status.unresolved.is_empty(), "{name}");
        assert!(status.draft.is_some(), "{name}: the best draft is kept");
        if words.protocol.review.exhausted == Exhaustion::Close {
            let last = close(&mut script, &words);
            let Decision::Accepted { markers, receipt, .. } = &last else { panic!("{name}") };
            assert_eq!(*markers, ["PLANNING-STUCK"], "{name}");
            assert_eq!(receipt.admission.as_ref().unwrap().effective, "off", "{name}");
            assert!(script.files[words.plan].contains("## Unresolved"), "{name}");
            assert_eq!(codes(&script.approve(ApprovalAnswer::Approve, None)), ["approval.stuck"], "{name}");
        } else {
            let digest =
                script.run.state().unwrap().artifacts().last().map(|(_, written)| written.sha256.clone());
            assert_eq!(
                codes(&script.answer_plan(ApprovalAnswer::Approve, digest, None)),
                ["approval.no_final", "approval.stuck"],
                "{name}"
            );
        }
        assert!(
            codes(&script.hand_off(HandoffStep::Dispatch, words.target)).contains(&"handoff.stuck"),
            "{name}"
        );
        assert!(
            script.run.next().steps.iter().all(|step| matches!(step, Step::Stop { outcome: Outcome::Stuck })),
            "{name}"
        );
        verify(&script);
        accepted(&script.act(person(), Act::Cancel(Cancel::default())));
    }
}

#[test]
fn the_best_draft_is_the_one_with_the_fewest_objections() {
    let mut words = words("standard");
    words.protocol.budgets.iterations.default = 3;
    let mut script = begin(&words, |_| {});
    for (n, severity) in [(1, "block"), (2, "watch"), (3, "block")] {
        let stage = if n == 1 { words.first } else { words.again };
        accepted(&script.write("planner", stage, &draft(&n.to_string())));
        accepted(&script.write("architect", "architect", &plain(&format!("a{n}"), "APPROVE")));
        let text = review(&format!("c{n}"), "Verdict: REVISE", &[("f2", "risk-register", severity)]);
        accepted(&script.write("critic", "critic", &text));
    }
    close(&mut script, &words);
    assert!(script.files[words.plan].starts_with(&draft("2")));
    assert!(script.files[words.plan].contains("critic:f2"));
    verify(&script);
}

#[test]
fn a_person_waives_the_review_and_everything_says_so() {
    let words = words("standard");
    let mut script = begin(&words, |start| start.settings.automatic_handoff = automatic("ultragoal"));
    accepted(&script.write("planner", "planner", &draft("1")));
    let waive = WaiveReview { channel: Some(Channel::Terminal), reason: Some("a small change".to_owned()) };
    accepted(&script.act(person(), Act::WaiveReview(waive)));
    let last = close(&mut script, &words);
    let admission = last.receipt().unwrap().admission.clone().unwrap();
    assert_eq!(
        (admission.effective.as_str(), admission.reason.as_deref()),
        ("off", Some("consensus_waived"))
    );
    assert_eq!(script.run.status().unwrap().agreement, "consensus: waived");
    accepted(&script.approve(ApprovalAnswer::Approve, None));
    verify(&script);
}

fn automatic(target: &str) -> Option<Setting<String>> {
    Some(Setting { source: "--flag".to_owned(), value: target.to_owned() })
}

#[test]
fn open_items_are_answered_corrected_and_deferred() {
    let words = words("standard");
    let mut script = begin(&words, |start| start.interactive = true);
    round(&mut script, &words, 1, false);
    let item = script.run.status().unwrap().open_items[0].clone();
    assert_eq!(codes(&script.compose("post-interview")), ["interview.items_open"]);
    accepted(&script.answer(&item, AnswerOutcome::Corrected, Some("two processes serve logins")));
    assert!(
        script
            .run
            .next()
            .steps
            .iter()
            .any(|step| matches!(step, Step::Assign { role, .. } if role == "planner"))
    );
    round(&mut script, &words, 2, false);
    accepted(&script.answer(&item, AnswerOutcome::Deferred, None));
    close(&mut script, &words);
    let text = &script.files[words.plan];
    assert!(text.contains("open confirmation, deferred"), "{text}");
    assert_eq!(codes(&script.answer(&item, AnswerOutcome::Confirmed, None)), ["order.after_final"]);
    verify(&script);
}

#[test]
fn asking_for_changes_voids_the_final_until_the_next_one() {
    let words = words("standard");
    let mut script = begin(&words, |_| {});
    round(&mut script, &words, 1, false);
    close(&mut script, &words);
    let first = script.run.status().unwrap().digest;
    accepted(&script.approve(ApprovalAnswer::RequestChanges, Some("shorter")));
    let refused = script.answer_plan(ApprovalAnswer::Approve, first.clone(), None);
    assert_eq!(codes(&refused), ["approval.answered"]);
    round(&mut script, &words, 2, false);
    close(&mut script, &words);
    assert_eq!(codes(&script.answer_plan(ApprovalAnswer::Approve, first, None)), ["approval.wrong_digest"]);
    accepted(&script.approve(ApprovalAnswer::Stop, None));
    assert_eq!(script.run.next().outcome, Some(Outcome::Stopped));
    accepted(&script.approve(ApprovalAnswer::Approve, None));
    accepted(&script.approve(ApprovalAnswer::Reject, None));
    assert_eq!(script.run.next().outcome, Some(Outcome::Rejected));
    assert_eq!(codes(&script.hand_off(HandoffStep::Dispatch, "ultragoal"))[0], "run.closed");
    verify(&script);
}

#[test]
fn changes_past_the_cap_are_exhausted_and_leave_the_final_approvable() {
    let mut words = words("standard");
    words.protocol.budgets.iterations.default = 1;
    let mut script = begin(&words, |_| {});
    round(&mut script, &words, 1, false);
    close(&mut script, &words);
    let past = script.approve(ApprovalAnswer::RequestChanges, Some("shorter"));
    assert!(matches!(past, Decision::Exhausted { stuck: false, .. }), "{past:?}");
    assert!(past.effects().is_empty());
    accepted(&script.approve(ApprovalAnswer::Approve, None));
    accepted(&script.hand_off(HandoffStep::Dispatch, "ultragoal"));
    verify(&script);
}

/// A standard run to its final with an automatic handoff, and what it was admitted to.
fn admission(change: impl FnOnce(&mut Script, &Words), target: &str) -> (String, Option<String>) {
    let mut words = words("standard");
    for stage in words.protocol.stages.values_mut() {
        stage.documents.clear();
    }
    let mut script = begin(&words, |start| {
        start.settings.automatic_handoff = automatic(target);
        start.settings.warn = Some(Setting {
            source: "--flag".to_owned(),
            value: vec!["identity.repeated_text".to_owned(), "identity.missing".to_owned()],
        });
    });
    change(&mut script, &words);
    let last = close(&mut script, &words);
    let admission = last.receipt().unwrap().admission.clone().unwrap();
    verify(&script);
    (admission.effective, admission.reason)
}

fn without_items(script: &mut Script) {
    accepted(&script.write("planner", "planner", "# Plan\n\n## Risk Register\n\nLow.\n"));
}

fn agree(script: &mut Script) {
    accepted(&script.write("architect", "architect", &plain("a1", "APPROVE")));
    accepted(&script.write("critic", "critic", &plain("c1", "APPROVE")));
}

#[test]
fn automatic_admission_takes_effect_or_says_why_not() {
    let off = |reason: &str| ("off".to_owned(), Some(reason.to_owned()));
    assert_eq!(
        admission(
            |script, _| {
                without_items(script);
                agree(script);
            },
            "ultragoal"
        ),
        ("ultragoal".to_owned(), None)
    );
    assert_eq!(
        admission(
            |script, _| {
                without_items(script);
                agree(script);
            },
            "off"
        ),
        ("off".to_owned(), None)
    );
    assert_eq!(admission(|script, words| round(script, words, 1, false), "ultragoal"), off("open_items"));
    assert_eq!(
        admission(
            |script, _| {
                script.facts = vec![Fact {
                    available: false,
                    detail: Some("no tmux".to_owned()),
                    name: "team".to_owned(),
                }];
                without_items(script);
                agree(script);
            },
            "team"
        ),
        off("team_unavailable:no tmux")
    );
    assert_eq!(
        admission(
            |script, _| {
                without_items(script);
                accepted(&script.write("architect", "architect", &plain("same", "APPROVE")));
                accepted(&script.write("critic", "critic", &plain("same", "APPROVE")));
            },
            "ultragoal"
        ),
        off("warnings")
    );
    assert_eq!(
        admission(
            |script, _| {
                without_items(script);
                accepted(&script.write("architect", "architect", &plain("a1", "APPROVE")));
                let mut actor = script.agent("critic");
                actor.assurance = ralplan_core::run::Assurance::Claimed;
                let token = "claimed";
                let assign = ralplan_core::run::Assign {
                    invocation_id: None,
                    role: "critic".to_owned(),
                    stage: None,
                    token_sha256: ralplan_core::json::sha256_hex(token.as_bytes()),
                };
                accepted(&script.act(host(), Act::Assign(assign)));
                let mut write = script.blank_write("critic", Some(&plain("c1", "APPROVE")));
                write.token = Some(token.to_owned());
                accepted(&script.act(actor, Act::Write(Box::new(write))));
            },
            "ultragoal"
        ),
        off("assurance:claimed")
    );
}

#[test]
fn a_second_pass_of_a_lane_never_takes_an_objection_back() {
    let words = words("standard");
    let mut script = begin(&words, |start| {
        start.settings.max_passes_per_lane = Some(Setting { source: "--flag".to_owned(), value: 2 });
    });
    accepted(&script.write("planner", "planner", &draft("1")));
    accepted(&script.write("architect", "architect", &plain("a1", "APPROVE")));
    accepted(&script.write("critic", "critic", &plain("c1", "REVISE")));
    accepted(&script.write("critic", "critic", &plain("c2", "APPROVE")));
    assert!(script.files.keys().any(|path| path.ends_with("stage-01-critic-p2.md")));
    assert!(script.run.status().unwrap().agreement.starts_with("no consensus"));
    assert!(script.write("critic", "critic", &plain("c3", "REVISE")).receipt().is_none());
    assert_eq!(codes(&script.compose("post-interview")), ["order.no_consensus"]);
    accepted(&script.write("planner", "revision", &draft("2")));
    accepted(&script.write("architect", "architect", &plain("a2", "APPROVE")));
    accepted(&script.write("critic", "critic", &plain("c4", "APPROVE")));
    close(&mut script, &words);
    verify(&script);
}

#[test]
fn an_answer_holds_only_as_long_as_the_item_says_what_was_asked() {
    let words = words("standard");
    let mut script = begin(&words, |_| {});
    let item = |text: &str| {
        format!(
            "\n```ralplan-open-items\n{{\"schema\":\"ralplan.open_items.v1\",\"items\":[{{\"item_id\":\"q1\",\"kind\":\"decision\",\"text\":\"{text}\",\"impact\":\"high\"}}]}}\n```\n"
        )
    };
    accepted(&script.write("planner", "planner", &(draft("1") + &item("Use a blue theme"))));
    accepted(&script.answer("q1", AnswerOutcome::Confirmed, None));
    assert!(!script.run.status().unwrap().open_items.contains(&"q1".to_owned()));
    accepted(&script.write("architect", "architect", &plain("a1", "REVISE")));
    accepted(&script.write("critic", "critic", &plain("c1", "APPROVE")));
    accepted(&script.write("planner", "revision", &(draft("2") + &item("Drop the production database"))));
    assert!(script.run.status().unwrap().open_items.contains(&"q1".to_owned()));
    verify(&script);
}

#[test]
fn the_same_words_for_a_later_draft_are_no_retry() {
    let words = words("standard");
    let mut script = begin(&words, |_| {});
    round(&mut script, &words, 1, false);
    close(&mut script, &words);
    accepted(&script.approve(ApprovalAnswer::RequestChanges, Some("shorter")));
    accepted(&script.write("planner", "revision", &draft("2")));
    let same = script.write("architect", "architect", &plain("architect-1", "APPROVE"));
    assert_eq!(codes(&same), ["identity.repeated_text"]);
    accepted(&script.write("architect", "architect", &plain("a2", "APPROVE")));
    accepted(&script.write("critic", "critic", &plain("c2", "APPROVE")));
    // The decision record may well be the same again.
    close(&mut script, &words);
    assert_eq!(script.run.next().outcome, Some(Outcome::PendingApproval));
    verify(&script);
}

#[test]
fn a_retried_older_draft_leaves_the_newest_under_the_documented_name() {
    let words = words("omx");
    let mut script = begin(&words, |_| {});
    round(&mut script, &words, 1, true);
    let first = script
        .commands
        .iter()
        .rposition(|command| matches!(&command.act, Act::Write(write) if write.stage == "draft"))
        .unwrap();
    let mut again = script.commands[first].clone();
    round(&mut script, &words, 2, false);
    if let Act::Write(write) = &mut again.act {
        write.stage_n = Some(1);
    }
    assert!(matches!(script.play(again), Decision::Duplicate { .. }));
    assert_eq!(script.files[words.plan], draft("2"));
    verify(&script);
}

#[test]
fn files_in_the_slots_use_up_iterations_and_block_nothing() {
    for name in NAMES {
        let words = words(name);
        let mut slots = Vec::new();
        for stage in [words.first, words.reviews[0].1] {
            slots.push(ForeignSlot {
                path: format!("left/{stage}.md"),
                sha256: ralplan_core::json::sha256_hex(stage.as_bytes()),
                stage: stage.to_owned(),
                stage_n: 1,
            });
        }
        let mut script = begin(&words, |start| start.found = slots);
        accepted(&script.write("planner", words.first, &draft("1")));
        for (role, stage) in words.reviews {
            accepted(&script.write(role, stage, &(words.approve)(role, role)));
        }
        assert_eq!(script.run.status().unwrap().iteration, 2, "{name}");
        close(&mut script, &words);
        accepted(&script.approve(ApprovalAnswer::Approve, None));
        verify(&script);
    }
}
