//! Ledgers that were shortened, broken or lost.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use ralplan_core::run::{Act, Cancel, Command, Decision, Recover, Setting, SettingsInput};
use ralplan_host::host::{Host, Selector};
use ralplan_host::store::RunKey;
use ralplan_tests::files::{key, start_command, write_command};
use ralplan_tests::script::{codes, host, protocol, start};

fn command(act: Act) -> Command {
    Command { actor: host(), at: "2026-01-31T09:40:00.000Z".to_owned(), owner: None, act }
}

/// A run with two drafts, in a folder of its own.
fn two_drafts() -> (tempfile::TempDir, Host, RunKey) {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open(folder.path()).unwrap();
    let key = key(&host, "run-1");
    let warn = Some(Setting {
        value: vec!["order.*".to_owned(), "identity.*".to_owned()],
        source: "test".to_owned(),
    });
    host.submit(&key, &start_command("run-1", SettingsInput { warn, ..SettingsInput::default() })).unwrap();
    host.submit(&key, &write_command("planner", 1, "# Plan 1\n")).unwrap();
    host.submit(&key, &write_command("revision", 2, "# Plan 2\n")).unwrap();
    (folder, host, key)
}

#[test]
fn a_shortened_ledger_reads_and_refuses_until_the_loss_is_accepted() {
    let (folder, host, key) = two_drafts();
    let path = folder.path().join(&key.ledger);
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    std::fs::write(&path, lines[..2].concat()).unwrap();
    assert_eq!(
        codes(&host.submit(&key, &write_command("revision", 3, "# Plan 3\n")).unwrap().decision),
        ["ledger.shortened"]
    );
    assert_eq!(host.load(&key).unwrap().status().unwrap().iteration, 1);
    assert!(!host.verify(&key, false).unwrap().is_clean);
    let report =
        host.doctor(&key, false, Some(&command(Act::Recover(Recover { slots: Vec::new() })))).unwrap();
    assert!(report.findings.is_empty(), "{report:#?}");
    assert!(
        host.submit(&key, &write_command("revision", 3, "# Plan 3\n")).unwrap().decision.receipt().is_some()
    );
    assert!(host.verify(&key, false).unwrap().is_clean);
}

#[test]
fn a_torn_tail_is_cut_off_kept_aside_and_nothing_else_is_lost() {
    let (folder, host, key) = two_drafts();
    let path = folder.path().join(&key.ledger);
    let mut text = std::fs::read_to_string(&path).unwrap();
    let whole = text.clone();
    text.push_str("{\"actor\":{\"ki");
    std::fs::write(&path, &text).unwrap();
    assert!(!host.verify(&key, false).unwrap().is_clean);
    let report = host.doctor(&key, true, None).unwrap();
    assert!(report.findings.is_empty(), "{report:#?}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
    let names: Vec<String> = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(names.iter().any(|name| name.starts_with("ledger.jsonl.torn-")), "{names:?}");
}

#[test]
fn a_broken_ledger_reads_refuses_and_is_set_aside_and_its_files_still_count() {
    let (folder, host, key) = two_drafts();
    let path = folder.path().join(&key.ledger);
    let text =
        std::fs::read_to_string(&path).unwrap().replacen("\"stage\":\"planner\"", "\"stage\":\"plannex\"", 1);
    std::fs::write(&path, &text).unwrap();
    assert_eq!(
        codes(&host.submit(&key, &write_command("revision", 3, "# Plan 3\n")).unwrap().decision),
        ["ledger.broken"]
    );
    assert!(host.load(&key).unwrap().status().is_some(), "it still reads");
    let said = host.clear(&key, &command(Act::Cancel(Cancel::default()))).unwrap();
    assert!(said.contains("ledger.broken-"), "{said}");
    let cap = Some(Setting { value: 2, source: "test".to_owned() });
    host.submit(
        &key,
        &start_command("run-1", SettingsInput { max_iterations: cap, ..SettingsInput::default() }),
    )
    .unwrap();
    let decision = host.submit(&key, &write_command("planner", 3, "# Plan 3\n")).unwrap().decision;
    assert!(matches!(decision, Decision::Exhausted { .. }), "two drafts lie there: {decision:#?}");
    let decision = host.submit(&key, &write_command("planner", 1, "# Another\n")).unwrap().decision;
    assert_eq!(codes(&decision), ["slot.occupied"]);
}

#[test]
fn a_ledger_that_was_deleted_is_noticed_and_can_be_cleared() {
    let (folder, host, key) = two_drafts();
    std::fs::remove_file(folder.path().join(&key.ledger)).unwrap();
    assert_eq!(
        codes(&host.submit(&key, &write_command("revision", 3, "# Plan 3\n")).unwrap().decision),
        ["ledger.shortened"]
    );
    host.clear(&key, &command(Act::Cancel(Cancel::default()))).unwrap();
    assert!(
        host.submit(&key, &start_command("run-1", SettingsInput::default()))
            .unwrap()
            .decision
            .receipt()
            .is_some()
    );
}

#[test]
fn cancel_and_clear_work_on_a_sound_run_and_free_the_session() {
    let (_folder, host, key) = two_drafts();
    assert_eq!(host.find(&Selector::default()).unwrap(), key);
    host.clear(&key, &command(Act::Cancel(Cancel::default()))).unwrap();
    assert_eq!(host.find(&Selector::default()).unwrap_err().code(), "run.not_found");
    let selector = Selector { may_be_closed: true, ..Selector::default() };
    assert_eq!(host.find(&selector).unwrap(), key);
    assert_eq!(
        codes(&host.submit(&key, &write_command("revision", 3, "# Plan 3\n")).unwrap().decision),
        ["run.closed"]
    );
    assert!(matches!(
        host.submit(&key, &write_command("planner", 1, "# Plan 1\n")).unwrap().decision,
        Decision::Duplicate { .. }
    ));
}

#[test]
fn one_changed_byte_of_any_file_fails_verification_and_names_the_file() {
    let (folder, host, key) = two_drafts();
    for path in host.load(&key).unwrap().files() {
        let place = folder.path().join(&path);
        let sound = std::fs::read(&place).unwrap();
        for at in 0..sound.len() {
            let mut changed = sound.clone();
            changed[at] ^= 1;
            std::fs::write(&place, &changed).unwrap();
            let verification = host.verify(&key, false).unwrap();
            assert!(verification.faults.iter().any(|fault| fault.path == path), "{path} at {at}");
        }
        std::fs::write(&place, &sound).unwrap();
    }
    assert!(host.verify(&key, false).unwrap().is_clean);
}

#[test]
fn two_runs_that_share_a_documented_name_both_verify() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open(folder.path()).unwrap();
    let mut protocol = protocol("pi");
    for stage in protocol.stages.values_mut() {
        stage.documents.clear();
    }
    protocol.opening.clear();
    protocol.stages.retain(|_, stage| stage.kind != ralplan_core::protocol::StageKind::Context);
    protocol.layout.latest.retain(|stage, _| protocol.stages.contains_key(stage));
    protocol.identity.assignments = ralplan_core::protocol::Requirement::Optional;
    for run_id in ["run-1", "run-2"] {
        let mut start = start(protocol.clone(), "Plan it");
        start.run_id = run_id.to_owned();
        let key = host.key(&protocol, run_id, "session-1");
        let started = host.submit(&key, &command(Act::Start(Box::new(start)))).unwrap();
        assert!(started.decision.receipt().is_some(), "{:#?}", started.decision);
        let mut write = write_command("plan_draft", 1, &format!("# Plan of {run_id}\n"));
        write.actor.kind = ralplan_core::run::ActorKind::Agent;
        write.actor.invocation_id = Some(run_id.to_owned());
        write.actor.turn_id = Some(run_id.to_owned());
        let decision = host.submit(&key, &write).unwrap().decision;
        assert!(decision.receipt().is_some(), "{decision:#?}");
    }
    for run_id in ["run-1", "run-2"] {
        let key = host.key(&protocol, run_id, "session-1");
        assert!(host.verify(&key, false).unwrap().is_clean, "{run_id}");
    }
    assert_eq!(
        std::fs::read_to_string(folder.path().join("plans/drafts/plan_draft.md")).unwrap(),
        "# Plan of run-2\n"
    );
    let drafts: Vec<_> = std::fs::read_dir(folder.path().join("plans/drafts"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(drafts.len(), 3, "two folders of runs and the latest draft: {drafts:?}");
}

#[test]
fn one_changed_byte_of_what_a_run_keeps_for_itself_is_noticed_and_the_file_named() {
    let (folder, host, key) = two_drafts();
    let own = folder.path().join(&key.ledger).parent().unwrap().to_owned();
    let mut files = vec![own.join("head.json"), folder.path().join(&key.ledger)];
    files.extend(std::fs::read_dir(own.join("staged")).unwrap().map(|entry| entry.unwrap().path()));
    for place in files {
        let sound = std::fs::read(&place).unwrap();
        let path = place.strip_prefix(folder.path()).unwrap().to_string_lossy().into_owned();
        for at in 0..sound.len() {
            let mut changed = sound.clone();
            changed[at] ^= 1;
            std::fs::write(&place, &changed).unwrap();
            let verification = host.verify(&key, false).unwrap();
            assert!(
                verification.faults.iter().any(|fault| fault.path == path),
                "{path} at {at}: {verification:#?}"
            );
        }
        std::fs::write(&place, &sound).unwrap();
    }
    assert!(host.verify(&key, false).unwrap().is_clean);
}
