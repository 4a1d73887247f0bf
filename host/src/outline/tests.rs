use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ralplan_core::document::{CheckOptions, DocumentKind, Outline, check};
use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::{HostInfo, Isolation, RepositoryBinding};
use ralplan_core::protocol::{Protocol, built_in};
use ralplan_core::review::{Finding, read_findings};
use ralplan_core::run::{
    Act, Actor, ActorKind, ArtifactText, Assign, Assurance, Command, Effect, Observed, Outcome, Run,
    SettingsInput, Start, Step, Write,
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
        ("src/generate.rs", "//! Unlimited.\n"),
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
        let artifacts =
            needs.map(|sha256| ArtifactText { text: self.texts[&sha256].clone(), sha256 }).collect();
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
        let why =
            decision.reasons().iter().map(|reason| format!("- {}: {}\n", reason.code.name(), reason.message));
        (decision.receipt().map(|receipt| receipt.seq), why.collect())
    }

    /// Lets a role answer until it is accepted, at most three times.
    fn let_answer(&mut self, role: &str, stage: &str) {
        let mut refusal = String::new();
        for _ in 0..3 {
            let id = format!("{role}-{}", self.count);
            let token_sha256 = sha256_hex(id.as_bytes());
            let (role_name, stage_name) = (role.to_owned(), stage.to_owned());
            let assign = Assign {
                invocation_id: Some(id.clone()),
                role: role_name,
                stage: Some(stage_name),
                token_sha256,
            };
            let (seq, why) = self.act(leader(), Act::Assign(assign));
            let assignment = self.run.assignment(seq.expect(&why)).unwrap();
            let prompt = format!("{}{refusal}", assignment.prompt);
            let text = answer(role, &prompt, self.root).unwrap();
            assert_eq!(
                answer(role, &prompt, self.root).unwrap(),
                text,
                "the same prompt gives the same text"
            );
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
            refusal =
                format!("\n## Your last answer was refused\n\n{why}\nWrite the whole document again.\n");
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
        let reviews: Vec<_> =
            play.written.iter().filter(|(_, prompt, _)| prompt.contains("## Verdict")).collect();
        assert!(reviews.iter().any(|(_, _, text)| !objections(text).is_empty()), "{name}");
        let last = reviews.last().unwrap();
        assert!(objections(&last.2).is_empty(), "{name} {}", last.2);
        assert!(play.refused.is_empty(), "{name} {:#?}", play.refused);
    }
}

#[test]
fn a_deliberate_task_in_an_empty_folder_gets_a_plan() {
    for protocol in protocols() {
        let root = tempfile::tempdir().unwrap();
        let name = protocol.name.clone();
        let play = play(
            root.path(),
            protocol,
            "Fix it.\n- Drop table `users` | now\n- do {that}; {command} -> x",
            true,
        );
        assert_eq!(play.run.next().outcome, Some(Outcome::PendingApproval), "{name} {:#?}", play.refused);
    }
}

const REVIEW: &str = "\n- `Verdict: WORD`, best to worst `YES`, `AGAIN`, `NO`\n";

/// The prompt of a review of `draft.md` with the given instructions.
fn review_prompt(instructions: &str) -> String {
    let (lens, own) = if instructions.starts_with("- `") { (instructions, "") } else { ("", instructions) };
    format!(
        "# Reviewer\n\n{lens}\n\nAgree only when you would defend the\nplan yourself.\n\n{own}\n\n## Task\n\n{TASK}\n\n\
         ## This assignment\n\n- role: r\n- stage: review 1\n- review pass 1 of run x\n\nRead these files:\n\n\
         - draft under review: `draft.md` (stage plan, sha256 0, 1 bytes)\n\n## Verdict\n{REVIEW}"
    )
}

const DESIGN: &str = "- `Antithesis`: the strongest case";
const EXECUTION: &str = "- `Criteria`: one line per criterion";

/// The review of a draft, and the ids that it found.
fn review(root: &Path, draft: &str, prompt: &str) -> (String, Vec<String>) {
    fs::write(root.join("draft.md"), draft).unwrap();
    let text = answer("r", prompt, root).unwrap();
    let ids = objections(&text).into_iter().map(|finding| finding.finding_id).collect();
    (text, ids)
}

/// The draft to which nobody objects, from a run.
fn good(root: &Path) -> String {
    drafts(&play(root, built_in("standard").unwrap(), TASK, false)).pop().unwrap()
}

#[test]
fn a_good_draft_is_approved_on_its_first_pass() {
    let root = repository();
    let draft = good(root.path());
    for lens in [DESIGN, EXECUTION, "Look for: login"] {
        let (text, ids) = review(root.path(), &draft, &review_prompt(lens));
        assert!(ids.is_empty() && text.contains("\nVerdict: YES\n"), "{lens} {text}");
    }
}

#[test]
fn each_fault_has_its_own_finding() {
    let root = repository();
    let draft = good(root.path());
    let cases = [
        (
            DESIGN,
            "- Cons: one more boundary, and `src/login.rs` changes all the same\n",
            "",
            "option-sides-no-cons",
        ),
        (DESIGN, "Files: `src/login.rs`", "Files: `src/nowhere.rs`", "missing-file"),
        (DESIGN, "Revert", "Take", "rollback"),
        (DESIGN, "3. Let a command decide, not an opinion\n", "", "principles"),
        (DESIGN, "| src/login.rs takes on one more duty | medium", "| Nothing | medium", "unanswered-con"),
        (
            EXECUTION,
            "- `cargo test` exits 0\n\n## Ver",
            "- It is robust and fast\n\n## Ver",
            "vague-criterion",
        ),
        (EXECUTION, "Acceptance: `cargo test` exits 0\n\n### T2", "\n### T2", "task-criteria"),
        (EXECUTION, "Files: `src/login.rs`, `tests/login_test.rs`\n", "", "task-paths"),
        (EXECUTION, "| run `cargo test` before and after T1 |", "| |", "risk-register"),
    ];
    for (lens, part, instead, id) in cases {
        assert!(draft.contains(part), "{part}");
        let heading = if id == "rollback" { "## Rollback" } else { "## No such heading" };
        let worse = draft.replace(part, instead).replace(heading, "## Back");
        let (text, ids) = review(root.path(), &worse, &review_prompt(lens));
        assert!(ids.iter().all(|found| found.starts_with(id)) && !ids.is_empty(), "{id} {ids:?}");
        assert!(text.contains("\nVerdict: AGAIN\n"), "{id}");
        let outline = Outline::read(&worse);
        for finding in objections(&text) {
            let is_there =
                finding.target_id.starts_with("new:") || outline.find(&finding.target_id).is_some();
            assert!(is_there, "{finding:?}");
        }
        let other =
            review(root.path(), &worse, &review_prompt(if lens == DESIGN { EXECUTION } else { DESIGN }));
        assert!(other.1.is_empty(), "{id} is for one lens only: {:?}", other.1);
        assert_repaired(root.path(), &text, id);
    }
}

/// A revision changes what the review of `draft.md` found, and says so by its id.
fn assert_repaired(root: &Path, review_text: &str, id: &str) {
    fs::write(root.join("review.md"), review_text).unwrap();
    let prompt = format!(
        "# Planner\n\n## Task\n\n{TASK}\n\n## This assignment\n\n- role: p\n- stage: plan 2\n- iteration 2 of run x\n\n\
         - current draft: `draft.md` (x)\n- review of the current draft: `review.md` (x)\n"
    );
    let revised = answer("p", &prompt, root).unwrap();
    let findings = objections(review_text);
    assert!(
        findings.iter().all(|finding| revised.contains(&format!("- `{}`: ", finding.finding_id))),
        "{revised}"
    );
    if id == "principles" {
        return; // No program can invent a principle: the finding stays open, in its section.
    }
    for lens in [DESIGN, EXECUTION] {
        let (text, ids) = review(root, &revised, &review_prompt(lens));
        assert!(ids.is_empty(), "{id} {text}\n{revised}");
    }
}

#[test]
fn a_draft_that_is_no_plan_gets_the_worst_word() {
    let root = repository();
    let (text, _) = review(root.path(), "# Soup\n\nBoil it.\n", &review_prompt(EXECUTION));
    assert!(text.contains("\nVerdict: NO\n"), "{text}");
}

#[test]
fn a_team_reviewer_looks_for_its_own_topics() {
    let root = repository();
    let prompt = review_prompt("Look for trouble: secrets, login, trust boundaries.");
    let (_, ids) = review(root.path(), &good(root.path()), &prompt);
    assert_eq!(ids, ["secrets", "trust-boundaries"]);
}

#[test]
fn a_refused_first_pass_looks_harder() {
    let root = repository();
    let refused =
        format!("{}\n## Your last answer was refused\n\n- pushback.missing: x\n", review_prompt(DESIGN));
    let (text, ids) = review(root.path(), &good(root.path()), &refused);
    assert!(ids == ["unconfirmed"] && text.contains("Verdict: AGAIN"), "{text}");
    assert_repaired(root.path(), &text, "unconfirmed");
}

#[test]
fn what_persons_say_is_worked_in() {
    let root = repository();
    let draft = good(root.path());
    for (path, text) in [
        ("draft.md", draft.as_str()),
        ("wish.md", "Count per account, too.\n"),
        ("said.md", "Use `just test`.\n"),
    ] {
        fs::write(root.path().join(path), text).unwrap();
    }
    let items = ralplan_core::document::read_open_items(&draft, &Outline::read(&draft)).unwrap();
    let prompt = format!(
        "# Planner\n\n## Task\n\n{TASK}\n\n## This assignment\n\n- role: p\n- stage: plan 2\n\n- current draft: `draft.md` (x)\n\n\
         Follow what persons said:\n\n- changes a person asks for: `wish.md`\n- a person's answer on `{}`: `said.md`\n",
        items[1].item_id
    );
    let revised = answer("p", &prompt, root.path()).unwrap();
    assert!(revised.contains("for what a person asked: Count per account, too."), "{revised}");
    assert!(revised.contains("- [x] Use just test. (said by a person)"), "{revised}");
    assert!(!revised.contains(&items[1].text), "{revised}");
}

#[test]
fn the_plan_follows_the_task_and_the_project() {
    let root = repository();
    let plan = |task: &str| drafts(&play(root.path(), built_in("omx").unwrap(), task, false)).remove(0);
    let (login, cart) = (plan(TASK), plan("Empty the cart after 30 days. Tell the customer by mail"));
    assert!(login.contains("Files: `src/login.rs`") && !login.contains("cart"), "{login}");
    assert!(
        cart.contains("Files: `src/cart.rs`") && cart.contains("### T2 Tell the customer by mail"),
        "{cart}"
    );
    assert!(!login.contains("target/login.rs"), "built files are no sources");
    assert!(!login.contains("generate"), "`rate` is no word of it");
}

#[test]
fn questions_and_specs_meet_their_rules() {
    let root = repository();
    let ask = |stage: &str| {
        let prompt = format!(
            "# Planner\n\n## Task\n\n{TASK}\n\n## This assignment\n\n- role: p\n- stage: {stage} 1\n"
        );
        answer("p", &prompt, root.path()).unwrap()
    };
    let spec = ask("spec");
    assert!(
        check(&spec, &Outline::read(&spec), DocumentKind::Spec, CheckOptions::default()).is_empty(),
        "{spec}"
    );
    assert!(ask("questions").contains("- [ ] "));
}

#[test]
fn bad_prompts_are_named() {
    let root = repository();
    assert_eq!(answer("p", "hello", root.path()), Err(OutlineError::NotAnAssignment("## Task")));
    for path in ["gone.md", "../gone.md", "/etc/passwd"] {
        let prompt = review_prompt(DESIGN).replace("draft.md", path);
        let error = answer("r", &prompt, root.path()).unwrap_err();
        assert!(matches!(&error, OutlineError::Unreadable(named, _) if named == path), "{error}");
    }
}

#[test]
#[cfg(unix)]
fn links_are_not_followed() {
    let (root, outside) = (repository(), tempfile::tempdir().unwrap());
    fs::write(outside.path().join("login_secret.rs"), "login").unwrap();
    std::os::unix::fs::symlink(outside.path(), root.path().join("linked")).unwrap();
    let plan = drafts(&play(root.path(), built_in("omx").unwrap(), TASK, false)).remove(0);
    assert!(!plan.contains("secret"), "{plan}");
}

#[test]
fn the_agents_stay_small() {
    let sources = [
        include_str!("mod.rs"),
        include_str!("plan.rs"),
        include_str!("prompt.rs"),
        include_str!("review.rs"),
        include_str!("revision.rs"),
    ];
    let lines: usize = sources.iter().map(|text| text.lines().count()).sum();
    assert!(lines < 400, "{lines} lines");
}
