//! Properties of every run: random acts, well-formed and not, under every protocol, beside a naive model.
#![expect(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "helpers of tests"
)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use ralplan_core::json::to_canonical;
use ralplan_core::ledger::{AnswerOutcome, ApprovalAnswer, Event, ForeignSlot, HandoffStep, RecordKind};
use ralplan_core::protocol::{Protocol, StageKind};
use ralplan_core::run::{
    Act, Annotate, Cancel, Channel, Command, Configure, Decision, Health, Import, Outcome, Phase, Record,
    Run, Setting, SettingsInput, Start, Step, Transfer, WaiveReview,
};
use ralplan_tests::cases::lean;
use ralplan_tests::script::{Script, codes, host, person, start};

/// One act of the alphabet, with what it chooses.
#[derive(Clone, Copy, Debug)]
struct Pick {
    act: u8,
    choice: u8,
}

const PROTOCOLS: &[&str] = &["standard", "gjc", "omx", "pi"];
const ITEM: &str = r#"{"schema":"ralplan.open_items.v1","items":[{"item_id":"cache","kind":"decision","text":"Cache?","impact":"high"}]}"#;

/// The naive model: what a person would write down on paper while watching the run.
#[derive(Clone, Debug, Default)]
struct Model {
    drafts: u32,
    cap: u32,
    /// Lane to whether its newest review of the current draft approves.
    lanes: BTreeMap<String, bool>,
    reviewers: Vec<String>,
    stops_early: bool,
    is_waived: bool,
    wants_changes: bool,
    is_pinned: bool,
}

impl Model {
    fn agreement(&self) -> &'static str {
        let objects = self.lanes.values().any(|approves| !approves);
        if self.drafts == 0 {
            "no draft"
        } else if self.is_waived {
            "consensus: waived"
        } else if !(objects && self.stops_early)
            && self.reviewers.iter().any(|role| !self.lanes.contains_key(role))
        {
            "reviews pending"
        } else if objects {
            "no consensus"
        } else {
            "consensus"
        }
    }

    fn may_draft(&self) -> bool {
        self.drafts == 0 || self.wants_changes || self.agreement() == "no consensus"
    }

    fn is_spent(&self) -> bool {
        self.is_pinned || (self.drafts >= self.cap && self.may_draft())
    }

    fn may_close(&self) -> bool {
        let agreed = self.agreement().starts_with("consensus") && !self.wants_changes;
        self.drafts > 0 && (agreed || self.is_spent())
    }
}

struct Player {
    script: Script,
    model: Model,
    marks: u32,
}

impl Player {
    fn new(protocol: Protocol, interactive: bool, cap: u32) -> Player {
        let mut script = Script::new();
        let model = Model {
            cap,
            reviewers: protocol.reviewers().map(str::to_owned).collect(),
            stops_early: protocol.review.stop_at_first_objection,
            ..Model::default()
        };
        let mut command: Start = start(protocol, "Plan it");
        command.interactive = interactive;
        command.settings.max_iterations = Some(Setting { source: "--flag".to_owned(), value: cap });
        assert!(script.act(host(), Act::Start(Box::new(command))).receipt().is_some());
        Player { script, model, marks: 0 }
    }

    fn protocol(&self) -> Protocol {
        self.script.run.state().unwrap().protocol().clone()
    }

    fn mark(&mut self) -> u32 {
        self.marks += 1;
        self.marks
    }

    /// A sound text for a stage; a review approves or objects.
    fn text(&mut self, stage: &str, role: &str, approves: bool) -> String {
        let mark = self.mark();
        let protocol = self.protocol();
        match protocol.stages[stage].kind {
            StageKind::Review => {
                let words: Vec<String> = protocol.roles[role]
                    .verdict
                    .iter()
                    .map(|axis| {
                        let token = if approves { axis.tokens.first() } else { axis.tokens.get(1) };
                        format!(
                            "{}: {}",
                            axis.labels.first().map_or("Verdict", String::as_str),
                            token.unwrap().token
                        )
                    })
                    .collect();
                let finding = r#"{"finding_id":"f1","target_id":"steps","action":"change","severity":"watch","evidence":"seen"}"#;
                let block = format!(
                    "```ralplan-findings\n{{\"schema\":\"ralplan.findings.v1\",\"findings\":[{finding}]}}\n```"
                );
                format!("# Review {mark}\n\n{}\n\nSeen {mark}.\n\n{block}\n", words.join("\n\n"))
            }
            StageKind::Draft if mark.is_multiple_of(3) => {
                format!("# Plan {mark}\n\n## Steps\n\nDo it.\n\n```ralplan-open-items\n{ITEM}\n```\n")
            }
            StageKind::Draft => format!("# Plan {mark}\n\n## Steps\n\nDo it.\n"),
            StageKind::Final => {
                let status = self.script.run.status().unwrap();
                let draft = status.draft.map(|path| self.script.files[&path].clone()).unwrap_or_default();
                format!("{draft}\n## Architecture Decision Record\n\nDecided.\n")
            }
            StageKind::Record => "## Architecture Decision Record\n\nDecided.\n".to_owned(),
            _ => format!("# Note {mark}\n"),
        }
    }

    /// True when a sound review must object, as nobody believes a first round without a word against it.
    fn must_object(&self) -> bool {
        self.protocol().pushback == ralplan_core::protocol::Pushback::Objection && self.model.drafts == 1
    }

    /// Plays a step as a sound host would; none when it is a person's turn or the end.
    fn step(&mut self, step: &Step, approves: bool, with_person: bool) -> Option<Decision> {
        match step {
            Step::Assign { role, slot, .. } | Step::Invoke { role, slot, .. } => {
                let approves = approves && !self.must_object();
                let text = self.text(&slot.stage, role, approves);
                let decision = self.script.write(role, &slot.stage, &text);
                self.note(role, &slot.stage, approves, &decision);
                Some(decision)
            }
            Step::Write { slot, compose, .. } => {
                assert!(*compose);
                Some(self.script.compose(&slot.stage))
            }
            Step::Ask { question } if with_person && question.kind == "item" => {
                let decision = self.script.answer(&question.question_id, AnswerOutcome::Confirmed, None);
                Some(decision)
            }
            Step::Ask { question } if with_person && question.kind == "approval" => {
                Some(self.script.approve(ApprovalAnswer::Approve, None))
            }
            Step::Handoff { target } => {
                self.script.facts =
                    vec![ralplan_core::run::Fact { available: true, detail: None, name: "team".to_owned() }];
                Some(self.script.hand_off(HandoffStep::Dispatch, target))
            }
            _ => None,
        }
    }

    /// Writes down what a decision did.
    fn note(&mut self, role: &str, stage: &str, approves: bool, decision: &Decision) {
        if !matches!(decision, Decision::Accepted { .. }) {
            return;
        }
        match self.protocol().stages[stage].kind {
            StageKind::Draft => {
                self.model.drafts += 1;
                self.model.lanes.clear();
                self.model.is_waived = false;
                self.model.wants_changes = false;
            }
            StageKind::Review => {
                self.model.lanes.insert(role.to_owned(), approves);
            }
            _ => {}
        }
    }

    fn play(&mut self, pick: Pick) {
        let steps = self.script.steps();
        let protocol = self.protocol();
        let was_legal = self.model.may_draft();
        let could_close = self.model.may_close();
        let approves = pick.choice.is_multiple_of(2);
        match pick.act {
            0..=9 => {
                if let Some(step) = steps.get(usize::from(pick.choice / 2) % steps.len().max(1)).cloned() {
                    self.step(&step, approves, true);
                }
            }
            10 | 11 => {
                let drafts: Vec<&str> = protocol.stages_of(StageKind::Draft).collect();
                let stage = drafts[usize::from(pick.choice) % drafts.len()].to_owned();
                let text = self.text(&stage, "planner", true);
                let decision = self.script.write("planner", &stage, &text);
                if matches!(decision, Decision::Accepted { .. }) {
                    assert!(was_legal, "a draft that nobody asked for");
                }
                self.note("planner", &stage, true, &decision);
            }
            12 | 13 => {
                let reviews: Vec<&str> = protocol.stages_of(StageKind::Review).collect();
                let stage = reviews[usize::from(pick.choice) % reviews.len()].to_owned();
                let role = protocol.stages[&stage].by[0].clone();
                let approves = approves && !self.must_object();
                let text = self.text(&stage, &role, approves);
                let decision = self.script.write(&role, &stage, &text);
                self.note(&role, &stage, approves, &decision);
            }
            14 => {
                let closing = protocol.closing.clone();
                if let Some(stage) = closing.get(usize::from(pick.choice) % closing.len().max(1)) {
                    let decision = match protocol.stages[stage].kind {
                        StageKind::Record => {
                            let text = self.text(stage, "planner", true);
                            self.script.write("planner", stage, &text)
                        }
                        _ => self.script.compose(stage),
                    };
                    assert!(
                        could_close || !matches!(decision, Decision::Accepted { .. }),
                        "closing too early"
                    );
                }
            }
            15 => {
                let answer = [
                    ApprovalAnswer::Approve,
                    ApprovalAnswer::RequestChanges,
                    ApprovalAnswer::Reject,
                    ApprovalAnswer::Stop,
                ][usize::from(pick.choice) % 4];
                let digest = self.script.run.status().unwrap().digest.or_else(|| draft_digest(&self.script));
                let is_pinned = self.model.is_pinned;
                let decision = self.script.answer_plan(answer, digest, Some("shorter"));
                if matches!(decision, Decision::Accepted { .. }) {
                    assert!(!(answer == ApprovalAnswer::Approve && is_pinned), "a stuck plan was approved");
                    self.model.wants_changes |= answer == ApprovalAnswer::RequestChanges;
                }
            }
            16 => {
                let act = WaiveReview { channel: Some(Channel::Terminal), reason: None };
                let decision = self.script.act(person(), Act::WaiveReview(act));
                self.model.is_waived |= matches!(decision, Decision::Accepted { .. });
            }
            17 => {
                let value = u32::from(pick.choice % 4) + 1;
                let settings = SettingsInput {
                    max_iterations: Some(Setting { source: "--flag".to_owned(), value }),
                    ..SettingsInput::default()
                };
                let decision = self
                    .script
                    .act(person(), Act::Configure(Configure { channel: Some(Channel::Terminal), settings }));
                if decision.receipt().is_some() {
                    self.model.cap = value;
                }
            }
            18 => {
                let outcome = [AnswerOutcome::Confirmed, AnswerOutcome::Corrected, AnswerOutcome::Deferred]
                    [usize::from(pick.choice) % 3];
                let decision = self.script.answer("cache", outcome, None);
                if matches!(decision, Decision::Accepted { .. }) {
                    // The newest answer to the only item is what counts; corrected asks for a revision.
                    let asked = self
                        .script
                        .run
                        .state()
                        .unwrap()
                        .entries()
                        .iter()
                        .rev()
                        .take_while(|entry| !is_draft(&entry.event));
                    let changes = asked.clone().any(|entry| matches!(&entry.event, Event::Approval(approved) if approved.answer == ApprovalAnswer::RequestChanges));
                    self.model.wants_changes = changes || outcome == AnswerOutcome::Corrected;
                }
            }
            19 => {
                let record = Record {
                    evidence_sha256: None,
                    kind: RecordKind::FailedAttempt,
                    name: "planner".to_owned(),
                    outcome: format!("agent.exit {}", pick.choice % 2),
                    reason: None,
                };
                self.script.act(host(), Act::Record(record));
            }
            20 => {
                self.script.act(
                    host(),
                    Act::Annotate(Annotate { name: "note".to_owned(), text: pick.choice.to_string() }),
                );
            }
            21 => {
                let owner_session_id = format!("session-{}", pick.choice % 3);
                self.script.act(host(), Act::Transfer(Transfer { owner_session_id, reason: None }));
            }
            22 => {
                let count = self.script.commands.len();
                let command = self.script.commands[usize::from(pick.choice) % count].clone();
                if !matches!(
                    command.act,
                    Act::Approval(_)
                        | Act::Configure(_)
                        | Act::WaiveReview(_)
                        | Act::Answer(_)
                        | Act::Write(_)
                ) {
                    self.script.play(command);
                }
            }
            23 => {
                let mut actor = self.script.agent("planner");
                actor.kind = ralplan_core::run::ActorKind::Host;
                let write = self.script.blank_write("nowhere", Some("text"));
                let refused = self.script.act(actor, Act::Write(Box::new(write)));
                assert!(refused.receipt().is_none());
            }
            24 => {
                let agent = self.script.agent("architect");
                let digest = self.script.run.status().unwrap().digest;
                let act = ralplan_tests::script::approval(ApprovalAnswer::Approve, digest, None);
                assert!(
                    self.script
                        .act(agent, Act::Approval(act))
                        .receipt()
                        .is_none_or(|receipt| receipt.event == "approval")
                );
            }
            _ => {
                if pick.choice.is_multiple_of(8) {
                    self.script.act(person(), Act::Cancel(Cancel::default()));
                } else {
                    let slot = ForeignSlot {
                        path: "../x".to_owned(),
                        sha256: "0".repeat(64),
                        stage: "critic".to_owned(),
                        stage_n: 1,
                    };
                    assert!(
                        self.script
                            .act(host(), Act::Import(Import { slots: vec![slot] }))
                            .receipt()
                            .is_none()
                    );
                }
            }
        }
        self.model.is_pinned |=
            self.script.run.state().unwrap().entries().iter().any(|entry| match &entry.event {
                Event::Stuck(_) => true,
                Event::Written(written) => written.final_facts.as_ref().is_some_and(|facts| facts.stuck),
                _ => false,
            });
    }
}

fn is_draft(event: &Event) -> bool {
    matches!(event, Event::Written(written) if written.kind == StageKind::Draft)
}

fn draft_digest(script: &Script) -> Option<String> {
    let state = script.run.state()?;
    state
        .artifacts()
        .filter(|(_, written)| written.kind == StageKind::Draft)
        .last()
        .map(|(_, written)| written.sha256.clone())
}

/// What every decision must be.
fn check_decisions(script: &Script, from: usize) {
    for (at, decision) in script.decisions.iter().enumerate().skip(from) {
        let appended = script.before.get(at + 1).copied().unwrap_or(script.ledger.len()) - script.before[at];
        let lines = script.ledger[script.before[at]..][..appended].matches('\n').count();
        match decision {
            Decision::Accepted { .. } => assert_eq!(lines, 1),
            Decision::Exhausted { .. } => assert!(lines <= 1),
            Decision::Duplicate { .. } | Decision::Refused { .. } => assert_eq!(lines, 0),
        }
        if decision.receipt().is_none() {
            assert!(!decision.reasons().is_empty());
        }
    }
}

/// A retry of what was just accepted is a duplicate with the same receipt.
fn check_retry(script: &Script) {
    let Some(Decision::Accepted { receipt, .. }) = script.decisions.last() else { return };
    let command = script.commands.last().unwrap();
    // An assignment again is a new assignment: the token before is replaced.
    if matches!(command.act, Act::Assign(_)) {
        return;
    }
    let again = script.run.decide(command, &script.observe(command));
    let Decision::Duplicate { receipt: second, .. } = &again else { panic!("{command:?}\n{again:?}") };
    assert_eq!(second.seq, receipt.seq);
    assert_eq!(second.hash, receipt.hash);
}

/// The ledger alone tells the same run, and it is clean.
fn check_ledger(script: &Script) {
    let again = Run::open(script.ledger.as_bytes(), script.run.witness().as_ref());
    assert_eq!(*again.health(), Health::Ok);
    assert_eq!(to_canonical(&again.status()).unwrap(), to_canonical(&script.run.status()).unwrap());
    let verification = again.verify("ledger.jsonl", None);
    assert!(verification.is_clean, "{verification:#?}");
}

/// Steps without anything missing are accepted when they are played well, and the others refused with what is missing.
fn check_steps(player: &Player) {
    for step in player.script.steps() {
        let mut trial =
            Player { script: player.script.clone(), model: player.model.clone(), marks: player.marks + 1000 };
        let missing = match &step {
            Step::Assign { missing, .. } | Step::Invoke { missing, .. } | Step::Write { missing, .. } => {
                missing.clone()
            }
            _ => Vec::new(),
        };
        let Some(decision) = trial.step(&step, true, true) else { continue };
        if missing.is_empty() {
            let unasked = codes(&decision) == ["interview.items_open"];
            assert!(decision.receipt().is_some() || unasked, "{step:?}\n{decision:?}");
        } else {
            let found: Vec<&str> =
                trial.script.decisions.iter().skip(player.script.decisions.len()).flat_map(codes).collect();
            assert!(decision.receipt().is_none(), "{step:?}\n{decision:?}");
            for reason in missing {
                assert!(found.contains(&reason.code.name()), "{step:?}\n{found:?}");
            }
        }
    }
}

/// From here a sound host comes to an end, and a person can end it at once.
fn check_end(player: &Player) {
    if player.script.run.next().phase != Phase::Closed {
        let mut script = player.script.clone();
        assert!(script.act(person(), Act::Cancel(Cancel::default())).receipt().is_some());
        assert_eq!(script.run.next().outcome, Some(Outcome::Cancelled));
    }
    for with_person in [false, true] {
        let mut trial =
            Player { script: player.script.clone(), model: player.model.clone(), marks: player.marks + 2000 };
        let mut is_ended = false;
        for _ in 0..120 {
            let steps = trial.script.steps();
            let ends = |step: &Step| match step {
                Step::Stop { .. } => true,
                Step::Wait { .. } => {
                    !with_person || trial.script.run.next().outcome == Some(Outcome::Stopped)
                }
                Step::Ask { question } => !with_person && question.kind != "draft_review",
                _ => false,
            };
            if steps.iter().any(ends) {
                is_ended = true;
                break;
            }
            let took = steps.iter().any(|step| {
                trial.step(step, true, with_person).is_some_and(|decision| decision.receipt().is_some())
            });
            assert!(took, "nothing goes on from {steps:#?}");
        }
        assert!(is_ended, "no end from {:?}", player.script.run.next());
    }
}

fn check_model(player: &Player) {
    let status = player.script.run.status().unwrap();
    let said = status.agreement.split(':').next().unwrap_or_default().to_owned();
    let expected = player.model.agreement();
    assert!(
        status.agreement == expected || said == expected,
        "engine `{}`, model `{expected}`",
        status.agreement
    );
    assert_eq!(status.iteration, player.model.drafts);
    // An approval never survives a new draft: whatever admits the plan is newer than the newest draft.
    let state = player.script.run.state().unwrap();
    let newest_draft = state.entries().iter().rposition(|entry| is_draft(&entry.event));
    if status.phase == Phase::Approved {
        let admitted = state.entries().iter().rposition(|entry| match &entry.event {
            Event::Approval(approved) => approved.answer == ApprovalAnswer::Approve,
            Event::Written(written) => written.kind == StageKind::Final,
            _ => false,
        });
        assert!(admitted > newest_draft);
        assert!(!player.model.is_pinned);
    }
}

fn pick() -> impl Strategy<Value = Pick> {
    (0_u8..26, any::<u8>()).prop_map(|(act, choice)| Pick { act, choice })
}

fn config() -> Config {
    Config { cases: 48, failure_persistence: None, rng_seed: RngSeed::Fixed(20_260_131), ..Config::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_run_keeps_its_promises(
        which in 0_usize..PROTOCOLS.len(),
        interactive in any::<bool>(),
        cap in 1_u32..4,
        picks in prop::collection::vec(pick(), 1..45),
    ) {
        let mut player = Player::new(lean(PROTOCOLS[which]), interactive, cap);
        let mut highest_cap = cap;
        for pick in picks {
            let from = player.script.decisions.len();
            player.play(pick);
            highest_cap = highest_cap.max(player.model.cap);
            check_decisions(&player.script, from);
            if player.script.decisions.len() > from {
                check_retry(&player.script);
            }
            check_model(&player);
            prop_assert!(player.model.drafts <= highest_cap);
            check_steps(&player);
        }
        check_ledger(&player.script);
        check_end(&player);
    }

    #[test]
    fn no_bytes_make_the_engine_panic(bytes in prop::collection::vec(any::<u8>(), 0..200), at in any::<prop::sample::Index>()) {
        let _ = Command::parse(&bytes);
        let _ = Run::open(&bytes, None).verify("ledger.jsonl", None);
        let script = Script::started(lean("standard"), "Plan it");
        let mut ledger = script.ledger.into_bytes();
        let place = at.index(ledger.len());
        let _: Vec<u8> = ledger.splice(place..place, bytes).collect();
        let run = Run::open(&ledger, None);
        let _ = run.verify("ledger.jsonl", None);
        let _ = run.status();
    }
}
