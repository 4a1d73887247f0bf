//! The driver with agent programs that work, and with every kind that does not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]
#![cfg(unix)]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

use ralplan_core::ledger::Isolation;
use ralplan_core::protocol::Protocol;
use ralplan_core::run::{Act, Command, Outcome, Question, Settings, Start};
use ralplan_host::clock;
use ralplan_host::drive::{Asker, DriveEnd, DriveEvent, DriveOptions, PersonAnswer, drive, leader};
use ralplan_host::host::Host;
use ralplan_host::process::{AgentCommand, CancelFlag, IdRule};
use ralplan_host::store::RunKey;
use ralplan_tests::script::{protocol, start};
use ralplan_tests::texts::{adr, draft, review};

fn sh(script: &str) -> AgentCommand {
    AgentCommand {
        argv: ["/bin/sh", "-c", script].map(str::to_owned).to_vec(),
        resume: None,
        id: IdRule::None,
        time_limit: Duration::from_secs(20),
        output_limit: 100_000,
        retries: 1,
        environment: Vec::new(),
        writes_file: false,
    }
}

struct Stage {
    folder: tempfile::TempDir,
    host: Host,
    key: RunKey,
}

/// A folder with a started run, and texts that agents print by role and iteration.
fn stage(protocol: Protocol, change: impl FnOnce(&mut Start)) -> Stage {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("texts");
    std::fs::create_dir(&texts).unwrap();
    let put = |name: &str, text: &str| std::fs::write(texts.join(name), text).unwrap();
    put("planner-1", &draft("one"));
    put("planner-2", &draft("two"));
    put("adr", &adr());
    put("architect-1", &review("a1", "Verdict: REVISE", &[("f1", "risk-register", "block")]));
    put("architect-2", &review("a2", "Verdict: APPROVE", &[]));
    put("critic-1", &review("c1", "Verdict: APPROVE", &[]));
    put("critic-2", &review("c2", "Verdict: APPROVE", &[]));
    let host = Host::open(folder.path()).unwrap();
    let key = host.key(&protocol, "run-1", "session-1");
    let mut start = start(protocol, "Add rate limiting");
    start.isolation = Isolation::Process;
    change(&mut start);
    let command =
        Command { actor: leader(), at: clock::now(), owner: None, act: Act::Start(Box::new(start)) };
    assert!(host.submit(&key, &command).unwrap().decision.receipt().is_some());
    Stage { folder, host, key }
}

const GOOD: &str = "cat >/dev/null; if [ \"$RALPLAN_STAGE\" = adr ]; then cat texts/adr; else cat texts/$RALPLAN_ROLE-$RALPLAN_ITERATION; fi";

impl Stage {
    fn drive(&self, agents: &[(&str, AgentCommand)]) -> (DriveEnd, Vec<DriveEvent>) {
        self.drive_with(agents, None, &CancelFlag::default())
    }

    fn drive_with<'a>(
        &'a self,
        agents: &[(&str, AgentCommand)],
        ask: Option<&'a mut Asker<'a>>,
        cancel: &CancelFlag,
    ) -> (DriveEnd, Vec<DriveEvent>) {
        let events = Mutex::new(Vec::new());
        let options = DriveOptions {
            agents: agents
                .iter()
                .map(|(role, agent)| ((*role).to_owned(), agent.clone()))
                .collect::<BTreeMap<_, _>>(),
            fallback: &|_| sh(GOOD),
            folder: self.folder.path(),
            ask,
        };
        let listener = |event: DriveEvent| events.lock().unwrap().push(event);
        let end = drive(&self.host, &self.key, options, &listener, cancel).unwrap();
        (end, events.into_inner().unwrap())
    }

    /// The codes of the failed attempts in the ledger.
    fn failures(&self) -> Vec<String> {
        let run = self.host.load(&self.key).unwrap();
        run.state().unwrap().records().map(|(_, record)| record.outcome.clone()).collect()
    }

    fn is_clean(&self) -> bool {
        self.host.verify(&self.key, false).unwrap().is_clean
    }
}

#[test]
fn three_programs_plan_object_revise_and_agree() {
    let stage = stage(protocol("standard"), |_| {});
    let (end, events) = stage.drive(&[]);
    assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::PendingApproval }), "{end:?}");
    let status = stage.host.load(&stage.key).unwrap().status().unwrap();
    assert_eq!((status.iteration, status.assurance.unwrap().word()), (2, "driven"));
    assert!(stage.failures().is_empty());
    assert!(
        events.iter().any(|event| matches!(event, DriveEvent::Accepted { role, .. } if role == "critic"))
    );
    assert!(stage.is_clean());
    assert!(stage.folder.path().join(".ralplan/runs/run-1/pending-approval.md").is_file());
}

#[test]
fn a_program_that_delivers_nothing_usable_is_recorded_and_never_approves() {
    let mut slow = sh("exec sleep 30");
    slow.time_limit = Duration::from_millis(200);
    let mut missing = sh("");
    missing.argv = vec!["/nonexistent/agent".to_owned()];
    let cases: Vec<(&str, AgentCommand, usize)> = vec![
        ("agent.exit", sh("echo 'out of tokens' >&2; exit 7"), 2),
        ("agent.empty", sh("cat >/dev/null; printf '  \\n'"), 2),
        ("agent.too_large", sh("head -c 200000 /dev/zero | tr '\\0' x"), 2),
        ("agent.not_utf8", sh("printf 'abc\\377'"), 2),
        ("agent.timeout", slow, 2),
        ("agent.not_found", missing, 1),
        ("agent.refused", sh("printf '# Review\\n\\nI like it.\\n'"), 2),
        ("agent.refused", sh("printf '# Review\\n\\nVerdict: APPROVE_WITH_CHANGES\\n'"), 2),
    ];
    for (code, agent, attempts) in cases {
        let stage = stage(protocol("standard"), |_| {});
        let (end, events) = stage.drive(&[("architect", agent)]);
        match &end {
            DriveEnd::AgentFailed { role, code: found, message } => {
                assert_eq!((role.as_str(), found.as_str()), ("architect", code), "{message}");
            }
            other => panic!("{code}: {other:?}"),
        }
        assert_eq!(stage.failures(), vec![code.to_owned(); attempts], "{code}");
        assert_eq!(
            events.iter().filter(|event| matches!(event, DriveEvent::Failed { .. })).count(),
            attempts
        );
        let run = stage.host.load(&stage.key).unwrap();
        assert!(
            run.status()
                .unwrap()
                .lanes
                .iter()
                .all(|lane| lane.role != "architect" || lane.verdict.is_empty())
        );
        assert_eq!(run.next().outcome, None, "{code}: the run goes on");
        assert!(stage.is_clean());
        // The other reviewer was not held up, and the run can be resumed.
        let (end, _) = stage.drive(&[]);
        assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::PendingApproval }), "{code}: {end:?}");
    }
}

#[test]
fn an_answer_that_was_refused_is_told_why_and_may_try_again() {
    let stage = stage(protocol("standard"), |_| {});
    let agent = sh(
        "if grep -q 'last answer was refused'; then cat texts/architect-$RALPLAN_ITERATION; else echo '# Review'; fi",
    );
    let (end, _) = stage.drive(&[("architect", agent)]);
    assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::PendingApproval }), "{end:?}");
    assert_eq!(stage.failures(), ["agent.refused", "agent.refused"], "once in each pass");
}

#[test]
fn what_an_agent_started_ends_with_it() {
    let stage = stage(protocol("standard"), |_| {});
    let mark = stage.folder.path().join("still-here");
    let mut slow = sh(&format!("(sleep 1; touch '{}') & sleep 30", mark.display()));
    slow.time_limit = Duration::from_millis(200);
    slow.retries = 0;
    let (end, _) = stage.drive(&[("planner", slow)]);
    assert!(matches!(end, DriveEnd::AgentFailed { .. }), "{end:?}");
    std::thread::sleep(Duration::from_millis(1200));
    assert!(!mark.exists());
}

#[test]
fn a_critic_that_always_objects_ends_in_a_stuck_run_with_the_best_plan_kept() {
    let objects = "cat >/dev/null; printf '# Review %s\\n\\nVerdict: REVISE\\n\\nNo (%s).\\n\\n```ralplan-findings\\n{\"schema\":\"ralplan.findings.v1\",\"findings\":[{\"finding_id\":\"no-%s\",\"target_id\":\"risk-register\",\"action\":\"change\",\"severity\":\"block\",\"evidence\":\"seen\"}]}\\n```\\n' $RALPLAN_ITERATION $RALPLAN_ITERATION $RALPLAN_ITERATION";
    let drafts = "cat >/dev/null; if [ $RALPLAN_STAGE = adr ]; then cat texts/adr; else sed \"s/# Plan one/# Plan $RALPLAN_ITERATION/\" texts/planner-1; fi";
    let architect = "cat >/dev/null; sed \"s/a2/a-$RALPLAN_ITERATION/\" texts/architect-2";
    let stage = stage(protocol("standard"), |_| {});
    let agents = [("critic", sh(objects)), ("planner", sh(drafts)), ("architect", sh(architect))];
    let (end, events) = stage.drive(&agents);
    assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::Stuck }), "{end:?}");
    assert!(
        events.iter().any(|event| matches!(event, DriveEvent::Marker { text } if text == "PLANNING-STUCK"))
    );
    let status = stage.host.load(&stage.key).unwrap().status().unwrap();
    assert_eq!(status.iteration, 5);
    assert!(!status.unresolved.is_empty());
    assert!(stage.is_clean());
}

#[test]
fn an_interactive_run_asks_before_review_and_item_by_item() {
    let stage = stage(protocol("standard"), |start| start.interactive = true);
    let (end, _) = stage.drive(&[]);
    assert!(matches!(&end, DriveEnd::NeedsPerson { question } if question.kind == "draft_review"), "{end:?}");
    let mut asked = Vec::new();
    let mut person = |question: &Question| {
        asked.push(question.kind.clone());
        assert!(question.options.len() >= 2 && question.free_text);
        let option = if question.kind == "draft_review" { "proceed" } else { "confirmed" };
        Some(PersonAnswer { option: option.to_owned(), text: None })
    };
    let (end, _) = stage.drive_with(&[], Some(&mut person), &CancelFlag::default());
    assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::PendingApproval }), "{end:?}");
    assert_eq!(asked, ["draft_review", "item"]);
    assert!(stage.is_clean());
}

#[test]
fn a_person_may_ask_for_changes_or_skip_the_review_before_it_starts() {
    for (option, iteration, waived) in [("request_changes", 2, false), ("skip_review", 1, true)] {
        let stage = stage(protocol("standard"), |start| start.interactive = true);
        let mut person = |question: &Question| {
            let option = if question.kind == "draft_review" { option } else { "deferred" };
            Some(PersonAnswer { option: option.to_owned(), text: Some("Keep it smaller.".to_owned()) })
        };
        let (end, _) = stage.drive_with(&[], Some(&mut person), &CancelFlag::default());
        assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::PendingApproval }), "{option}: {end:?}");
        let status = stage.host.load(&stage.key).unwrap().status().unwrap();
        assert_eq!(status.iteration, iteration, "{option}");
        assert_eq!(status.agreement == "consensus: waived", waived, "{option}: {}", status.agreement);
        assert!(stage.is_clean(), "{option}");
    }
}

#[test]
fn a_run_that_was_stopped_goes_on_later() {
    let stage = stage(protocol("standard"), |_| {});
    let cancel = CancelFlag::default();
    cancel.cancel();
    let (end, _) = stage.drive_with(&[], None, &cancel);
    assert!(matches!(end, DriveEnd::Cancelled), "{end:?}");
    let (end, _) = stage.drive(&[]);
    assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::PendingApproval }), "{end:?}");
}

#[test]
fn agents_see_only_the_variables_they_are_allowed_and_know_that_they_are_driven() {
    let stage = stage(protocol("standard"), |_| {});
    let dump = stage.folder.path().join("environment");
    let agent = sh(&format!("env > '{}'; {GOOD}", dump.display()));
    let _ = stage.drive(&[("planner", agent)]);
    let text = std::fs::read_to_string(dump).unwrap();
    assert!(text.contains("RALPLAN_DRIVEN=1") && text.contains("RALPLAN_ROLE=planner"));
    assert!(!text.contains("CARGO_"), "{text}");
}

#[test]
fn a_resumable_agent_is_resumed_by_its_id() {
    let stage = stage(protocol("standard"), |_| {});
    let mut agent = sh(&format!("echo 'agent-id: 42' >&2; {GOOD}"));
    agent.id = IdRule::Prefix("agent-id:".to_owned());
    let resumed: &Path = &stage.folder.path().join("resumed");
    agent.resume = Some(vec![
        "/bin/sh".to_owned(),
        "-c".to_owned(),
        format!("echo {{id}} >> '{}'; echo 'agent-id: 42' >&2; {GOOD}", resumed.display()),
    ]);
    let (end, _) = stage.drive(&[("planner", agent)]);
    assert!(matches!(end, DriveEnd::Outcome { outcome: Outcome::PendingApproval }), "{end:?}");
    assert_eq!(std::fs::read_to_string(resumed).unwrap().lines().next(), Some("42"));
}

/// The settings type is part of the public words; a wrong one never reaches a run.
#[test]
fn settings_are_pinned_with_their_source() {
    let stage = stage(protocol("standard"), |_| {});
    let run = stage.host.load(&stage.key).unwrap();
    let settings: &Settings = run.state().unwrap().settings();
    assert_eq!(settings.max_iterations.source, "protocol");
}
