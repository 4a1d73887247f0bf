//! Tampering: bytes, files, and entries that are changed and hashed again.
//!
//! Whoever may rewrite the whole ledger can change what no other entry determines, and `verify` cannot tell from the
//! entries alone: times; ids, assurance and sessions of actors, as long as the rules of identity hold; the task, the
//! host, the repository, and everything else of the start that no later entry reads; a setting inside its range before
//! anything depends on it; digests and facts of artifacts whose files are not given; a person's answer, its channel and
//! the digest of its words; what the host observed; notes; and leaving out the newest entries. The witness that a host
//! keeps beside the ledger tells the last and, for what it remembers, all of them; the files tell the facts.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "helpers of tests")]

use ralplan_core::ledger::{ApprovalAnswer, HandoffStep};
use ralplan_core::run::{ArtifactBytes, Health, Run, Verification};
use ralplan_tests::cases::lean;
use ralplan_tests::forge::forged;
use ralplan_tests::script::Script;
use ralplan_tests::texts::{adr, draft, review};
use serde_json::{Value, json};

/// A whole run: two iterations, approval, handoff.
fn whole() -> Script {
    let mut script = Script::started(lean("standard"), "Add rate limiting");
    script.write("planner", "planner", &draft("one"));
    script.write(
        "architect",
        "architect",
        &review("a1", "Verdict: REVISE", &[("f1", "risk-register", "block")]),
    );
    script.write("critic", "critic", &review("c1", "Verdict: APPROVE", &[]));
    script.write("planner", "revision", &draft("two"));
    script.write("architect", "architect", &review("a2", "Verdict: APPROVE", &[]));
    script.write("critic", "critic", &review("c2", "Verdict: APPROVE", &[]));
    script.compose("post-interview");
    script.write("planner", "adr", &adr());
    script.compose("final");
    script.approve(ApprovalAnswer::Approve, None);
    assert!(script.hand_off(HandoffStep::Dispatch, "ultragoal").receipt().is_some());
    script
}

/// A run that is stuck after two objections.
fn stuck() -> Script {
    let mut protocol = lean("standard");
    protocol.budgets.iterations.default = 1;
    let mut script = Script::started(protocol, "Add rate limiting");
    script.write("planner", "planner", &draft("one"));
    script.write(
        "architect",
        "architect",
        &review("a1", "Verdict: REVISE", &[("f1", "risk-register", "block")]),
    );
    script.write("critic", "critic", &review("c1", "Verdict: APPROVE", &[]));
    script.write_with("planner", "revision", &draft("two"), |write| write.token = None);
    script
}

fn files_of(script: &Script) -> ArtifactBytes {
    script.files.iter().map(|(path, text)| (path.clone(), Some(text.as_bytes().to_vec()))).collect()
}

fn verify(ledger: &[u8], files: Option<&ArtifactBytes>) -> Verification {
    Run::open(ledger, None).verify("ledger.jsonl", files)
}

/// Places where a change is tried: all of them near the ends of lines and of the text, every seventh elsewhere.
fn places(bytes: &[u8]) -> Vec<usize> {
    let near_end = |at: usize| {
        bytes.iter().skip(at).take(8).any(|byte| *byte == b'\n') || at + 200 > bytes.len() || at < 200
    };
    (0..bytes.len()).filter(|at| at % 7 == 0 || near_end(*at)).collect()
}

#[test]
fn every_changed_byte_of_a_ledger_is_noticed() {
    let script = whole();
    let ledger = script.ledger.as_bytes();
    let witness = script.run.witness();
    assert!(verify(ledger, None).is_clean);
    let last_line = ledger[..ledger.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    for at in places(ledger) {
        let mut changed = ledger.to_vec();
        changed[at] ^= 1;
        let run = Run::open(&changed, witness.as_ref());
        assert!(!run.health().is_writable(), "byte {at}: {:?}", run.health());
        let alone = Run::open(&changed, None);
        match alone.health() {
            Health::Torn { keep_bytes } => {
                // A lost line feed joins the last two lines to one that is torn.
                assert!(at + 1 >= last_line);
                assert!(*keep_bytes <= u64::try_from(last_line).unwrap());
            }
            health => assert!(!health.is_writable(), "byte {at}"),
        }
        let verification = alone.verify("ledger.jsonl", None);
        assert!(verification.faults.iter().any(|fault| fault.path == "ledger.jsonl"), "byte {at}");
    }
}

#[test]
fn every_byte_that_is_cut_off_is_noticed_by_the_witness() {
    let script = whole();
    let ledger = script.ledger.as_bytes();
    let witness = script.run.witness();
    for end in (0..ledger.len()).step_by(41).chain(ledger.len() - 60..ledger.len()) {
        let run = Run::open(&ledger[..end], witness.as_ref());
        assert!(!run.health().is_writable(), "{end} bytes: {:?}", run.health());
    }
}

#[test]
fn every_changed_byte_of_a_file_names_the_file() {
    let script = whole();
    let files = files_of(&script);
    assert!(verify(script.ledger.as_bytes(), Some(&files)).is_clean);
    for (path, bytes) in &files {
        for at in 0..bytes.as_ref().unwrap().len() {
            // Every byte of a short file; of a long one every eleventh, as each check reads the whole run.
            if bytes.as_ref().unwrap().len() > 300 && at % 11 != 0 {
                continue;
            }
            let mut changed = files.clone();
            changed.get_mut(path).unwrap().as_mut().unwrap()[at] ^= 1;
            let verification = verify(script.ledger.as_bytes(), Some(&changed));
            assert!(verification.faults.iter().any(|fault| fault.path == *path), "{path} byte {at}");
        }
        let mut without = files.clone();
        without.remove(path);
        assert!(
            verify(script.ledger.as_bytes(), Some(&without)).faults.iter().any(|fault| fault.path == *path)
        );
    }
}

/// Place of the n-th entry of an event.
fn place(entries: &[Value], event: &str, n: usize) -> usize {
    entries.iter().enumerate().filter(|(_, entry)| entry["event"] == event).map(|(at, _)| at).nth(n).unwrap()
}

fn of_stage(entries: &[Value], stage: &str, n: usize) -> usize {
    let is_it = |entry: &Value| entry["event"] == "written" && entry["fields"]["stage"] == stage;
    entries.iter().enumerate().filter(|(_, entry)| is_it(entry)).map(|(at, _)| at).nth(n).unwrap()
}

type Change = fn(&mut Vec<Value>);

/// Changes of one fact each, after which the whole chain is hashed again.
const CHANGES: &[(&str, Change)] = &[
    ("a verdict", |all| {
        let at = of_stage(all, "critic", 0);
        all[at]["fields"]["review"]["verdicts"][0]["token"] = json!("REVISE");
    }),
    ("a class", |all| {
        let at = of_stage(all, "architect", 0);
        all[at]["fields"]["review"]["class"] = json!("approve");
    }),
    ("verdict and class of the only objection", |all| {
        let at = of_stage(all, "architect", 0);
        all[at]["fields"]["review"]["class"] = json!("approve");
        all[at]["fields"]["review"]["verdicts"][0]["token"] = json!("APPROVE");
    }),
    ("a verdict that is left out", |all| {
        let at = of_stage(all, "critic", 1);
        all[at]["fields"]["review"]["verdicts"] = json!([]);
    }),
    ("an iteration", |all| {
        let at = of_stage(all, "critic", 1);
        all[at]["fields"]["iteration"] = json!(1);
    }),
    ("a pass", |all| {
        let at = of_stage(all, "critic", 1);
        all[at]["fields"]["pass"] = json!(1);
    }),
    ("the draft that a review read", |all| {
        let (first, at) = (of_stage(all, "planner", 0), of_stage(all, "critic", 1));
        all[at]["fields"]["review"]["draft_sha256"] = all[first]["fields"]["sha256"].clone();
    }),
    ("the digest of the draft", |all| {
        let at = of_stage(all, "revision", 0);
        all[at]["fields"]["sha256"] = json!("0".repeat(64));
    }),
    ("the digest of the final", |all| {
        let at = of_stage(all, "final", 0);
        all[at]["fields"]["sha256"] = json!("0".repeat(64));
    }),
    ("the admission", |all| {
        let at = of_stage(all, "final", 0);
        all[at]["fields"]["final"]["admission"]["effective"] = json!("ultragoal");
    }),
    ("the binding of the final", |all| {
        let at = of_stage(all, "final", 0);
        all[at]["fields"]["final"]["is_bound"] = json!(false);
    }),
    ("a section of the final", |all| {
        let at = of_stage(all, "final", 0);
        all[at]["fields"]["final"]["added"] = json!(["delete-the-backups"]);
    }),
    ("the role of a review", |all| {
        let at = of_stage(all, "critic", 0);
        all[at]["fields"]["role"] = json!("architect");
    }),
    ("the agent of a review", |all| {
        let at = of_stage(all, "critic", 1);
        all[at]["actor"]["agent_id"] = json!("planner-1");
    }),
    ("the path of an artifact", |all| {
        let at = of_stage(all, "critic", 0);
        all[at]["fields"]["path"] = json!("../critic.md");
    }),
    ("a latest name", |all| {
        let at = of_stage(all, "critic", 0);
        all[at]["fields"]["latest"] = json!(["README.md"]);
    }),
    ("an assignment that was never made", |all| {
        let at = of_stage(all, "critic", 0);
        all[at]["fields"]["assignment"] = json!(0);
    }),
    ("no assignment", |all| {
        let at = of_stage(all, "critic", 0);
        all[at]["fields"].as_object_mut().unwrap().remove("assignment");
    }),
    ("the digest of an assignment", |all| {
        let at = place(all, "assigned", 2);
        all[at]["fields"]["digest"] = json!("0".repeat(64));
    }),
    ("the pass of an assignment", |all| {
        let at = place(all, "assigned", 2);
        all[at]["fields"]["pass"] = json!(7);
    }),
    ("the plan of the approval", |all| {
        let at = place(all, "approval", 0);
        all[at]["fields"]["sha256"] = json!("0".repeat(64));
    }),
    ("an approval by an agent", |all| {
        let at = place(all, "approval", 0);
        all[at]["actor"]["kind"] = json!("agent");
    }),
    ("an approval by a reviewer", |all| {
        let at = place(all, "approval", 0);
        all[at]["actor"]["agent_id"] = json!("critic-1");
    }),
    ("an approval before the final", |all| {
        let at = place(all, "approval", 0);
        let approval = all.remove(at);
        let final_at = of_stage(all, "final", 0);
        all.insert(final_at, approval);
    }),
    ("an approval that comes twice", |all| {
        let at = place(all, "approval", 0);
        all.insert(at, all[at].clone());
    }),
    ("no approval", |all| {
        let at = place(all, "approval", 0);
        all.remove(at);
    }),
    ("a rejection that was handed off", |all| {
        let at = place(all, "approval", 0);
        all[at]["fields"]["answer"] = json!("reject");
    }),
    ("the plan of the handoff", |all| {
        let at = place(all, "handed_off", 0);
        all[at]["fields"]["sha256"] = json!("0".repeat(64));
    }),
    ("what admitted the handoff", |all| {
        let at = place(all, "handed_off", 0);
        all[at]["fields"]["admission"] = json!("setting");
    }),
    ("the target of the handoff", |all| {
        let at = place(all, "handed_off", 0);
        all[at]["fields"]["target"] = json!("nowhere");
    }),
    ("a target whose fact was not observed", |all| {
        let at = place(all, "handed_off", 0);
        all[at]["fields"]["target"] = json!("team");
    }),
    ("a review that is left out", |all| {
        let at = of_stage(all, "critic", 1);
        all.remove(at);
    }),
    ("a draft that is left out", |all| {
        let at = of_stage(all, "planner", 0);
        all.remove(at);
    }),
    ("a review that comes twice", |all| {
        let at = of_stage(all, "critic", 1);
        all.insert(at + 1, all[at].clone());
    }),
    ("reviews in another order", |all| {
        let (first, second) = (of_stage(all, "architect", 1), of_stage(all, "critic", 1));
        all.swap(first, second);
    }),
    ("a final before its reviews", |all| {
        let at = of_stage(all, "final", 0);
        let plan = all.remove(at);
        let review = of_stage(all, "critic", 1);
        all.insert(review, plan);
    }),
    ("a second start", |all| {
        let start = all[0].clone();
        all.insert(1, start);
    }),
    ("a protocol without order between the reviews", |all| {
        all[0]["fields"]["protocol"]["review"]["later_passes"] = json!([["critic"], ["architect"]]);
    }),
    ("a protocol without a final", |all| {
        all[0]["fields"]["protocol"]["closing"] = json!([]);
    }),
    ("a protocol whose leader reviews", |all| {
        all[0]["fields"]["protocol"]["stages"]["critic"]["by"] = json!(["leader"]);
    }),
    ("a protocol that hides its handoff target", |all| {
        all[0]["fields"]["protocol"]["admission"]["targets"] = json!({});
    }),
    ("a cap out of range", |all| {
        all[0]["fields"]["settings"]["max_iterations"]["value"] = json!(99);
    }),
    ("a cap that the run went beyond", |all| {
        all[0]["fields"]["settings"]["max_iterations"]["value"] = json!(1);
    }),
    ("a fixed code that only warns", |all| {
        all[0]["fields"]["settings"]["warn"]["value"] = json!(["budget.*"]);
    }),
    ("an invented warning", |all| {
        let at = of_stage(all, "critic", 1);
        all[at]["warnings"] = json!([{"code": "identity.self_review", "message": "invented"}]);
    }),
    ("another leader", |all| {
        all[0]["fields"]["leader"]["agent_id"] = json!("somebody");
    }),
    ("another run", |all| {
        all[0]["fields"]["run_id"] = json!("run-2");
    }),
    ("a cancelled run that went on", |all| {
        let mut closed = all[1].clone();
        closed["event"] = json!("closed");
        closed["fields"] = json!({});
        all.insert(3, closed);
    }),
    ("a pin that never was", |all| {
        let mut pin = all[1].clone();
        pin["event"] = json!("stuck");
        pin["fields"] = json!({"cap": 5, "count": 2, "raised_by_files": false});
        let at = all.len() - 2;
        all.insert(at, pin);
    }),
];

#[test]
fn a_changed_fact_is_noticed_however_the_chain_is_hashed() {
    let script = whole();
    let files = files_of(&script);
    assert_eq!(forged(&script.ledger, |_| {}), script.ledger, "hashing alone changes nothing");
    let mut unnoticed = Vec::new();
    for (name, change) in CHANGES {
        let ledger = forged(&script.ledger, change);
        assert_ne!(ledger, script.ledger, "{name}");
        let run = Run::open(ledger.as_bytes(), None);
        if run.verify("ledger.jsonl", Some(&files)).is_clean {
            unnoticed.push(*name);
        }
        // The witness notices every change, whatever it is.
        let witnessed = Run::open(ledger.as_bytes(), script.run.witness().as_ref());
        assert!(!witnessed.health().is_writable(), "{name}");
    }
    assert_eq!(unnoticed, Vec::<&str>::new());
}

#[test]
fn without_the_files_only_what_the_text_says_goes_unnoticed() {
    let script = whole();
    let from_files = ["a verdict", "the digest of the final", "a section of the final"];
    let mut unnoticed = Vec::new();
    for (name, change) in CHANGES {
        let ledger = forged(&script.ledger, change);
        let is_clean = verify(ledger.as_bytes(), None).is_clean;
        if is_clean && !from_files.contains(name) {
            unnoticed.push(*name);
        }
    }
    assert_eq!(unnoticed, Vec::<&str>::new());
}

#[test]
fn a_removed_pin_and_removed_warnings_are_noticed() {
    let script = stuck();
    assert!(script.run.state().unwrap().entries().iter().any(|entry| entry.event.word() == "stuck"));
    assert!(verify(script.ledger.as_bytes(), None).is_clean);
    // Without the pin, nothing but the newest entry is missing: the witness tells, and the cap still does its work.
    let unpinned = forged(&script.ledger, |all| {
        all.pop();
    });
    let run = Run::open(unpinned.as_bytes(), script.run.witness().as_ref());
    assert!(!run.health().is_writable());
    for (field, value) in [("cap", json!(9)), ("count", json!(4)), ("raised_by_files", json!(true))] {
        let forged = forged(&script.ledger, |all| {
            let at = place(all, "stuck", 0);
            all[at]["fields"][field] = value.clone();
        });
        assert!(!verify(forged.as_bytes(), None).is_clean, "{field}");
    }

    let mut protocol = lean("gjc");
    protocol.identity.assignments = ralplan_core::protocol::Requirement::Optional;
    let mut script = Script::started(protocol, "Add rate limiting");
    script.write("planner", "planner", &draft("one"));
    let mut actor = script.agent("architect");
    actor.agent_id = Some("planner-1".to_owned());
    let write = script.blank_write(
        "architect",
        Some("# Review\n\nArchitectural Status: CLEAR\n\nRecommendation: APPROVE\n"),
    );
    let warned = script.act(actor, ralplan_core::run::Act::Write(Box::new(write)));
    assert!(warned.receipt().is_some(), "{warned:?}");
    assert!(verify(script.ledger.as_bytes(), None).is_clean);
    let silent = forged(&script.ledger, |all| all.last_mut().unwrap()["warnings"] = json!([]));
    assert!(!verify(silent.as_bytes(), None).is_clean);
}
