//! Whole runs with the program: from a task to a plan that is handed off, and to a run that is stuck.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "tests")]

mod common;

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use common::{AGENTS, Place, said};

const RUN: [&str; 5] = ["run", "Add rate limiting", "--run-id", "r", "--no-deliberate"];

fn run<'a>(agents: &[&'a str]) -> Vec<&'a str> {
    RUN.iter().chain(agents).copied().collect()
}

#[test]
fn a_run_ends_pending_approval_and_says_where_the_plan_is_what_was_objected_and_what_to_type() {
    let place = Place::new();
    place.texts();
    let said = place.ends(0, &run(&AGENTS));
    let plan = ".ralplan/runs/r/pending-approval.md";
    assert!(said.out.starts_with(&format!("pending approval: {plan}\n")), "{}", said.out);
    assert!(said.out.contains("- iteration 1, architect REVISE ("), "{}", said.out);
    assert!(said.out.contains("block f1 on risk-register: seen in the draft"), "{}", said.out);
    assert!(said.out.contains("ralplan approve --digest "), "{}", said.out);
    assert!(said.err.contains("architect wrote architect 1: REVISE (block f1)"), "{}", said.err);

    assert!(place.ends(0, &["verify"]).out.starts_with("clean: "));
    assert!(place.ends(0, &["verify", ".ralplan/runs/r/ledger.jsonl"]).out.contains("ledger only"));
    place.ends(0, &["run", "--resume"]);
    let document = place.ends(0, &["run", "--resume", "--json"]).json();
    assert_eq!(document["end"], "pending_approval");
    assert_eq!(document["objections"][0]["role"], "architect");
    for (verb, part) in
        [("report", "## Iteration 2"), ("diagram", "architect 1 (REVISE)"), ("log", "wrote final 2")]
    {
        let out = place.ends(0, &[verb]).out;
        assert!(out.contains(part), "{verb}: {out}");
    }
    assert!(place.ends(0, &["replay", "-v"]).out.contains("decided alike"));
}

#[test]
fn changing_one_byte_of_any_file_is_found_and_the_file_named() {
    let place = Place::new();
    place.plan();
    let folder = place.path().join(".ralplan/runs/r");
    let names: Vec<String> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md") || name == "ledger.jsonl")
        .collect();
    assert!(names.len() > 8, "{names:?}");
    for name in names {
        let path = folder.join(&name);
        let bytes = fs::read(&path).unwrap();
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle] ^= 1;
        fs::write(&path, changed).unwrap();
        let said = place.ends(2, &["verify", "--run-id", "r"]);
        assert!(said.out.contains(&name), "{name}: {}", said.out);
        fs::write(&path, bytes).unwrap();
    }
    place.ends(0, &["verify"]);
}

#[test]
fn only_the_right_digest_is_approved_and_a_handoff_needs_it() {
    let place = Place::new();
    place.plan();
    assert_eq!(
        place.ends(2, &["handoff", "--target", "ultragoal", "--json"]).reasons(),
        ["handoff.not_admitted"]
    );
    let wrong = "0".repeat(64);
    let refused = place.ends(2, &["approve", "--digest", &wrong, "--yes", "--json"]);
    assert_eq!(refused.reasons(), ["approval.wrong_digest"]);
    let digest = place.digest();
    let approved =
        place.ends(0, &["approve", "--digest", &digest, "--target", "ultragoal", "--yes", "--json"]);
    assert_eq!(approved.json()["receipt"]["assurance"], "claimed");
    assert_eq!(place.ends(2, &["handoff", "--target", "team", "--json"]).json()["decision"], "refused");
    let handed = place.ends(0, &["handoff", "--json"]);
    place.put("receipt.json", &handed.out);
    assert!(place.ends(0, &["check-receipt", "receipt.json"]).out.starts_with("valid: "));
    place.put("receipt.json", handed.out.replace(&digest, &wrong));
    assert!(place.ends(2, &["check-receipt", "receipt.json"]).err.contains("receipt.mismatch"));
    // The same handoff again is the same receipt.
    assert_eq!(place.ends(0, &["handoff", "--run-id", "r", "--json"]).json()["decision"], "duplicate");
}

#[test]
fn a_critic_that_never_agrees_ends_stuck_with_the_marker_and_a_way_on() {
    let place = Place::new();
    place.texts();
    let agents = ["--agent", "planner=sh agent.sh", "--agent", "critic=sh agent.sh stubborn"];
    let mut words = run(&agents);
    words.extend(["--agent", "architect=sh agent.sh stubborn", "--warn", "identity.repeated_text"]);
    let said = place.ends(3, &words);
    assert!(said.out.lines().any(|line| line == "PLANNING-STUCK"), "{}", said.out);
    assert_eq!(said.out.matches("PLANNING-STUCK").count(), 1, "{}", said.out);
    assert!(said.out.contains("ralplan new --from r"), "{}", said.out);
    let digest = place.digest();
    let refused = place.ends(2, &["approve", "--digest", &digest, "--yes", "--json"]);
    assert!(refused.reasons().contains(&"approval.stuck".to_owned()));
    assert_eq!(place.ends(2, &["handoff", "--target", "ultragoal", "--json"]).json()["decision"], "refused");
    let document = place.ends(3, &["run", "--resume", "--json"]).json();
    assert_eq!(document["markers"][0], "PLANNING-STUCK");
    place.ends(0, &["new", "--from", "r", "--run-id", "s"]);
    let ledger = fs::read_to_string(place.path().join(".ralplan/runs/s/ledger.jsonl")).unwrap();
    assert!(ledger.contains(r#""continues":"r""#) && ledger.contains("Add rate limiting"));
}

#[test]
fn an_agent_that_fails_is_told_recorded_and_made_good_by_a_resume() {
    let place = Place::new();
    place.texts();
    let mut words = run(&AGENTS);
    words.extend(["--agent", "critic=sh -c 'echo no >&2; exit 7'", "--json"]);
    let said = place.ends(1, &words);
    assert_eq!(said.error(), "agent.exit");
    assert!(said.json()["error"]["remedy"].as_str().unwrap().contains("ralplan run --resume --run-id r"));
    assert!(place.ends(0, &["log"]).out.contains("agent.exit"));
    let mut words = vec!["run", "--resume"];
    words.extend(AGENTS);
    place.ends(0, &words);
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let place = Place::new();
    place.texts();
    let mut words = run(&AGENTS);
    words.extend(["--agent", "architect=sleep 60"]);
    let mut child = place.command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("architect writes")));
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let rest: Vec<String> = lines.map(Result::unwrap).collect();
    assert_eq!(child.wait().unwrap().code(), Some(1), "{rest:?}");
    assert!(rest.iter().any(|line| line.contains("ralplan run --resume --run-id r")), "{rest:?}");
    let mut words = vec!["run", "--resume"];
    words.extend(AGENTS);
    place.ends(0, &words);
}

#[test]
fn an_interactive_run_without_a_terminal_waits_for_a_person() {
    let place = Place::new();
    place.texts();
    let mut words = run(&AGENTS);
    words.push("--interactive");
    let said = place.ends(4, &words);
    assert!(said.out.contains("ralplan waive-review --run-id r"), "{}", said.out);
    place.ends(0, &["waive-review", "--yes"]);
}

#[test]
fn agents_act_neither_as_persons_nor_as_drivers() {
    let place = Place::new();
    place.plan();
    let digest = place.digest();
    let act = |words: &[&str]| said(place.command(words).env("RALPLAN_DRIVEN", "1").output().unwrap());
    let refused = act(&["approve", "--digest", &digest, "--yes", "--json"]);
    assert_eq!((refused.code, refused.error().as_str()), (2, "approval.not_person"));
    assert_eq!(act(&["answer", "x", "confirmed", "--yes", "--json"]).error(), "approval.not_person");
    assert_eq!(act(&["run", "More", "--json"]).error(), "input.argument");
    assert_eq!(act(&["status"]).code, 0);
}

#[test]
fn a_person_without_a_terminal_is_told_the_exact_command() {
    let place = Place::new();
    place.plan();
    let digest = place.digest();
    for words in [
        &["approve", "--target", "team"][..],
        &["reject"],
        &["stop", "--yes"],
        &["request-changes", "--comments", "It's late"],
    ] {
        let mut words = words.to_vec();
        words.push("--json");
        let said = place.ends(4, &words);
        assert_eq!(said.error(), "approval.channel");
        let remedy = said.json()["error"]["remedy"].as_str().unwrap().to_owned();
        assert!(remedy.contains(&format!("--digest {digest} --yes --run-id r")), "{remedy}");
    }
    assert_eq!(place.ends(4, &["answer", "x", "confirmed", "--json"]).error(), "approval.channel");
}

#[test]
fn without_agents_the_built_in_ones_object_revise_and_agree() {
    let place = Place::new();
    place.put("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"0.1.0\"\n");
    place.put("src/login.rs", "pub fn login(name: &str) -> bool { !name.is_empty() }\n");
    let said = place.ends(0, &["run", "Add rate limiting to the login endpoint"]);
    assert!(said.err.contains("built-in agents, which guess"), "{}", said.err);
    assert!(said.out.contains("objections on the way:\n- iteration 1, "), "{}", said.out);
    let status = place.ends(0, &["status", "--json"]).json();
    assert!(status["iteration"].as_u64().unwrap() >= 2);
    assert_eq!(status["phase"], "pending_approval");
    assert!(place.ends(0, &["verify"]).out.starts_with("clean: "));
    assert_eq!(place.ends(2, &["outline", "critic", "--json"]).error(), "input.argument");
}

#[test]
fn built_in_agents_with_a_stubborn_critic_come_to_the_cap_under_every_protocol() {
    for (protocol, word, marker) in [
        ("standard", "REVISE", Some("PLANNING-STUCK")),
        ("gjc", "ITERATE", Some("PLANNING-STUCK")),
        ("omx", "iterate", None),
        ("pi", "ITERATE", None),
    ] {
        let place = Place::new();
        let script = format!(
            "cat >/dev/null\nprintf '# Review %s\\n\\nVerdict: {word}\\n\\n- **MAJOR** `risk-register` not answered (%s)\\n\\n```ralplan-findings\\n{{\"schema\":\"ralplan.findings.v1\",\"findings\":[{{\"finding_id\":\"no-%s\",\"target_id\":\"risk-register\",\"action\":\"change\",\"severity\":\"block\",\"evidence\":\"seen\"}}]}}\\n```\\n' $RALPLAN_ITERATION $RALPLAN_ITERATION $RALPLAN_ITERATION\n"
        );
        fs::write(place.path().join("critic.sh"), script).unwrap();
        let words = run(&["--protocol", protocol, "--agent", "critic=sh critic.sh"]);
        let out = place.ends(3, &words).out;
        assert_eq!(marker.is_some(), out.lines().any(|line| Some(line) == marker), "{protocol}: {out}");
        assert!(out.contains("iterations  5 of 5"), "{protocol}: {out}");
        assert!(place.ends(0, &["verify"]).out.starts_with("clean: "), "{protocol}");
        place.ends(2, &["handoff"]);
        place.ends(0, &["new", "--from", "r", "--run-id", "s"]);
    }
}
