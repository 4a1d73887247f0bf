use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ralplan_core::document::{CheckOptions, DocumentKind, Outline, check};
use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::{HostInfo, Isolation, RepositoryBinding};
use ralplan_core::protocol::{Protocol, built_in};
use ralplan_core::review::{Finding, read_findings};
use ralplan_core::run::{
    Act, Actor, ActorKind, ArtifactText, Assign, Assurance, Command, Effect, Observed, Outcome, Run, SettingsInput,
    Start, Step, Write,
};

use super::{OutlineError, answer};

const TASK: &str = "Add rate limiting to the login endpoint";

/// A small repository.
fn repository() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, text) in [
        ("Cargo.toml", "[package]\nname = \"shop\"\n"),
        ("src/login.rs", "//! The login endpoint.\npub fn login() {}\n"),
        ("src/cart.rs", "//! The cart.\n"),
        ("tests/login_test.rs", "// login\n"),
        ("README.md", "# Shop\n\nlogin, rate, limits, endpoint\n"),
        ("target/login.rs", "// built\n"),
    ] {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    root
}

/// A run that is driven by the outline agents, in memory but for what agents read.
struct Play<'a> {
    root: &'a Path,
    run: Run,
    texts: BTreeMap<String, String>,
    count: u32,
    /// Role and text of everything that agents wrote, with the prompt.
    written: Vec<(String, String, String)>,
    refused: Vec<String>,
}

impl Play<'_> {
    fn act(&mut self, actor: Actor, act: Act) -> (Option<u64>, String) {
        self.count += 1;
        let at = format!("2026-01-31T09:{:02}:{:02}.000Z", self.count / 60, self.count % 60);
        let command = Command { actor, at, owner: None, act };
        let needs = self.run.needs(&command).artifacts.into_iter();
        let artifacts = needs.map(|sha256| ArtifactText { text: self.texts[&sha256].clone(), sha256 }).collect();
        let decision = self.run.decide(&command, &Observed { artifacts, facts: Vec::new() });
        for effect in decision.effects() {
            match effect {
                Effect::Stage { sha256, text, .. } => {
                    let own = match &command.act {
                        Act::Write(write) => write.artifact.clone(),
                        _ => None,
                    };
                    self.texts.insert(sha256.clone(), text.clone().or(own).unwrap());
                }
                Effect::Append { line, .. } => self.run.commit(line).unwrap(),
                Effect::Publish { path, sha256 } => {
                    let path = self.root.join(path);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    fs::write(path, &self.texts[sha256]).unwrap();
                }
                other => panic!("unexpected effect {other:?}"),
            }
        }
        let why = decision.reasons().iter().map(|reason| format!("- {}: {}\n", reason.code.name(), reason.message));
        (decision.receipt().map(|receipt| receipt.seq), why.collect())
    }

    /// Lets a role answer until it is accepted, at most three times.
    fn let_answer(&mut self, role: &str, stage: &str) {
        let mut refusal = String::new();
        for _ in 0..3 {
            let id = format!("{role}-{}", self.count);
            let token_sha256 = sha256_hex(id.as_bytes());
            let (role_name, stage_name) = (role.to_owned(), stage.to_owned());
            let assign =
                Assign { invocation_id: Some(id.clone()), role: role_name, stage: Some(stage_name), token_sha256 };
            let (seq, why) = self.act(leader(), Act::Assign(assign));
            let assignment = self.run.assignment(seq.expect(&why)).unwrap();
            let prompt = format!("{}{refusal}", assignment.prompt);
            let text = answer(role, &prompt, self.root).unwrap();
            assert_eq!(answer(role, &prompt, self.root).unwrap(), text, "the same prompt gives the same text");
            let actor = Actor {
                role: Some(role.to_owned()),
                agent_id: Some(format!("{role}-agent")),
                invocation_id: Some(id.clone()),
                turn_id: Some(format!("{id}.1")),
                ..Actor::new(ActorKind::Agent, Assurance::Driven)
            };
            let is_final = self.run.state().unwrap().protocol().final_stage() == Some(stage);
            let write = Write { token: Some(id), ..blank(stage, Some(text.clone()), is_final) };
            let (seq, why) = self.act(actor, Act::Write(Box::new(write)));
            if seq.is_some() {
                self.written.push((role.to_owned(), prompt, text));
                return;
            }
            self.refused.push(format!("{role} {stage}: {why}"));
            refusal = format!("\n## Your last answer was refused\n\n{why}\nWrite the whole document again.\n");
        }
        panic!("{role} cannot answer {stage}: {:#?}", self.refused);
    }

    fn drive(&mut self) {
        for _ in 0..40 {
            let next = self.run.next();
            if matches!(next.outcome, Some(Outcome::PendingApproval | Outcome::Stuck)) {
                return;
            }
            match next.steps.first() {
                Some(Step::Assign { role, slot, .. } | Step::Invoke { role, slot, .. }) => {
                    self.let_answer(role, &slot.stage);
                }
                Some(Step::Write { slot, .. }) => {
                    let (seq, why) = self.act(leader(), Act::Write(Box::new(blank(&slot.stage, None, true))));
                    assert!(seq.is_some(), "{why}");
                }
                _ => return,
            }
        }
    }
}

fn leader() -> Actor {
    let (role, agent_id) = (Some("leader".to_owned()), Some("leader-1".to_owned()));
    Actor { role, agent_id, ..Actor::new(ActorKind::Host, Assurance::Driven) }
}

fn blank(stage: &str, artifact: Option<String>, compose: bool) -> Write {
    Write {
        artifact,
        compose,
        continuity: None,
        draft_sha256: None,
        pass: None,
        stage: stage.to_owned(),
        stage_n: None,
        token: None,
        verdicts: Vec::new(),
    }
}

fn play<'a>(root: &'a Path, protocol: Protocol, task: &str, deliberate: bool) -> Play<'a> {
    let start = Start {
        ask_first: false,
        binding: RepositoryBinding::default(),
        continues: None,
        deliberate: Some(deliberate),
        found: Vec::new(),
        host: HostInfo { name: "test".to_owned(), version: "1".to_owned() },
        interactive: false,
        isolation: Isolation::Process,
        owner_session_id: "session-1".to_owned(),
        protocol: Box::new(protocol),
        run_id: "run-1".to_owned(),
        settings: SettingsInput::default(),
        task: task.to_owned(),
    };
    let run = Run::open(b"", None);
    let (texts, written, refused) = (BTreeMap::new(), Vec::new(), Vec::new());
    let mut play = Play { root, run, texts, count: 0, written, refused };
    let (seq, why) = play.act(leader(), Act::Start(Box::new(start)));
    assert!(seq.is_some(), "{why}");
    play.drive();
    play
}

fn protocols() -> Vec<Protocol> {
    let trio = include_bytes!("../../../docs/examples/three-reviewers.json");
    let built_in = ["standard", "gjc", "omx", "pi"].into_iter().map(|name| built_in(name).unwrap());
    built_in.chain([ralplan_core::protocol::parse(trio).unwrap()]).collect()
}

/// The drafts of a play, in order.
fn drafts(play: &Play<'_>) -> Vec<String> {
    let plans = play.written.iter().filter(|(_, _, text)| text.starts_with("# Plan"));
    plans.map(|(_, _, text)| text.clone()).collect()
}

fn objections(text: &str) -> Vec<Finding> {
    read_findings(text).unwrap().unwrap()
}

#[test]
fn every_protocol_reaches_consensus_after_an_objection() {
    for protocol in protocols() {
        let root = repository();
        let name = protocol.name.clone();
        let play = play(root.path(), protocol, TASK, false);
        let next = play.run.next();
        assert_eq!(next.outcome, Some(Outcome::PendingApproval), "{name} {:#?} {next:#?}", play.refused);
        let drafts = drafts(&play).len();
        assert!((2..=3).contains(&drafts), "{name} {drafts}");
        let reviews: Vec<_> = play.written.iter().filter(|(_, prompt, _)| prompt.contains("## Verdict")).collect();
        assert!(reviews.iter().any(|(_, _, text)| !objections(text).is_empty()), "{name}");
        let last = reviews.last().unwrap();
        assert!(objections(&last.2).is_empty(), "{name} {}", last.2);
        for (_, _, text) in &play.written {
            println!("---- {name}\n{text}");
        }
    }
}
