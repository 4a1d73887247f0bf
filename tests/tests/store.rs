//! The run store under races, crashes and hostile folders.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command as Process, Output, Stdio};

use ralplan_core::run::{Act, Command, Decision, Run, Setting, SettingsInput};
use ralplan_host::host::Host;
use ralplan_host::store::{FileStore, MemoryStore, RunKey, Store, suite};
use ralplan_host::submit;
use ralplan_tests::files::{key, plain_protocol, start_command, write_command};
use ralplan_tests::script::{Script, codes, protocol, start};
use ralplan_tests::texts::{adr, draft, review};

fn spawn(root: &Path, key: &RunKey, command: &Command, fault: Option<&str>) -> Child {
    let mut process = Process::new(env!("CARGO_BIN_EXE_submit"));
    process.arg(root).arg(&key.run_id).arg(&key.ledger);
    process.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(fault) = fault {
        process.env("RALPLAN_FAULT", fault);
    }
    let mut child = process.spawn().expect("the program starts");
    let text = serde_json::to_vec(command).expect("commands are JSON");
    // A program that is ended early may not read it all.
    let _ = child.stdin.take().expect("piped").write_all(&text);
    child
}

fn finish(child: Child) -> (Output, Option<Decision>) {
    let output = child.wait_with_output().expect("the program ends");
    let decision = serde_json::from_slice(&output.stdout).ok();
    (output, decision)
}

#[test]
fn of_sixteen_writers_of_one_slot_exactly_one_gets_a_receipt() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open(folder.path()).unwrap();
    for round in 0..20 {
        let key = key(&host, &format!("run-{round}"));
        let started = host.submit(&key, &start_command(&key.run_id, SettingsInput::default())).unwrap();
        assert!(started.decision.receipt().is_some());
        let children: Vec<Child> = (0..16)
            .map(|writer| {
                spawn(folder.path(), &key, &write_command("planner", 1, &format!("# Plan {writer}\n")), None)
            })
            .collect();
        let decisions: Vec<Decision> =
            children.into_iter().map(|child| finish(child).1.expect("a decision")).collect();
        let accepted: Vec<_> = decisions.iter().filter_map(Decision::receipt).collect();
        assert_eq!(accepted.len(), 1, "round {round}");
        let refused = decisions.iter().filter(|decision| codes(decision) == ["slot.occupied"]).count();
        assert_eq!(refused, 15, "round {round}");
        let run = host.load(&key).unwrap();
        assert_eq!(run.state().unwrap().entries().len(), 2);
        let file = host.file(&key, accepted[0].path.as_ref().unwrap()).unwrap().unwrap();
        assert!(run.check_receipt(accepted[0], Some(&file)).is_ok());
        assert!(host.verify(&key, false).unwrap().is_clean);
    }
}

#[test]
fn of_twelve_openers_under_a_cap_of_five_exactly_five_are_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open(folder.path()).unwrap();
    let key = key(&host, "run-1");
    let warn = Some(Setting {
        value: vec!["order.*".to_owned(), "identity.*".to_owned()],
        source: "test".to_owned(),
    });
    let settings = SettingsInput { warn, ..SettingsInput::default() };
    host.submit(&key, &start_command("run-1", settings)).unwrap();
    let children: Vec<Child> = (1..=12)
        .map(|n| spawn(folder.path(), &key, &write_command("revision", n, &format!("# Plan {n}\n")), None))
        .collect();
    let decisions: Vec<Decision> =
        children.into_iter().map(|child| finish(child).1.expect("a decision")).collect();
    assert_eq!(decisions.iter().filter(|decision| decision.receipt().is_some()).count(), 5);
    assert_eq!(decisions.iter().filter(|decision| matches!(decision, Decision::Exhausted { .. })).count(), 7);
    assert!(host.verify(&key, false).unwrap().is_clean, "{:#?}", host.verify(&key, false).unwrap());
}

/// The commands of a whole run from task to approval, as a script made them, with the decision words.
fn whole_run() -> Script {
    let mut script = Script::started(protocol("standard"), "Add rate limiting");
    script.write("planner", "planner", &draft("one"));
    script.write(
        "architect",
        "architect",
        &review("a1", "Verdict: REVISE", &[("f1", "risk-register", "block")]),
    );
    script.write("critic", "critic", &review("c1", "Verdict: APPROVE", &[]));
    script.write("planner", "revision", &draft("two"));
    script.write("architect", "architect", &review("a2", "Verdict: APPROVE", &[]));
    script.write("critic", "critic", &review("c2", "**Verdict: APPROVE**", &[]));
    script.compose("post-interview");
    script.write("planner", "adr", &adr());
    script.compose("final");
    script.approve(ralplan_core::ledger::ApprovalAnswer::Approve, None);
    assert!(script.decisions.iter().all(|decision| decision.receipt().is_some()));
    script
}

/// The same command with another text, where it has one.
fn with_other_text(command: &Command) -> Option<Command> {
    let mut command = command.clone();
    match &mut command.act {
        Act::Write(write) if write.artifact.is_some() => {
            let text = write.artifact.as_mut().expect("checked");
            text.push_str("\nA second version.\n");
        }
        _ => return None,
    }
    Some(command)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// After a crash: what was accepted is there, the retry goes through, and the run is clean.
fn check_retry(root: &Path, key: &RunKey, before: usize, command: &Command, place: &str) {
    let host = Host::open(root).unwrap();
    let accepted = host.load(key).unwrap().state().map_or(0, |state| state.entries().len());
    assert!(accepted == before || accepted == before + 1, "{place}: nothing accepted is lost");
    let submitted = host.submit(key, command).unwrap();
    let is_same = matches!(submitted.decision, Decision::Duplicate { .. });
    assert!(submitted.decision.receipt().is_some(), "{place}: {:#?}", submitted.decision);
    assert_eq!(is_same, accepted == before + 1, "{place}: accepted before means duplicate now");
    let verification = host.verify(key, false).unwrap();
    assert!(verification.is_clean, "{place}: {verification:#?}");
}

#[test]
fn a_kill_at_every_effect_of_every_command_loses_and_blocks_nothing() {
    let script = whole_run();
    let base = tempfile::tempdir().unwrap();
    let host = Host::open(base.path()).unwrap();
    let key = host.key(&protocol("standard"), "run-1", "session-1");
    let mut kills = 0;
    for (index, command) in script.commands.iter().enumerate() {
        for count in 1..100 {
            let crashed = tempfile::tempdir().unwrap();
            copy(base.path(), crashed.path());
            let (output, decision) =
                finish(spawn(crashed.path(), &key, command, Some(&format!("*:{count}"))));
            if decision.is_some() && output.status.success() {
                break;
            }
            kills += 1;
            let place = format!("command {index}, point {count}");
            let other = tempfile::tempdir().unwrap();
            copy(crashed.path(), other.path());
            check_retry(crashed.path(), &key, index, command, &place);
            if let Some(command) = with_other_text(command) {
                let host = Host::open(other.path()).unwrap();
                let accepted = host.load(&key).unwrap().state().map_or(0, |state| state.entries().len());
                let decision = host.submit(&key, &command).unwrap().decision;
                // The first text was accepted, or the second one is: never both, never neither.
                assert_eq!(decision.receipt().is_some(), accepted == index, "{place}: {decision:#?}");
                assert!(host.verify(&key, false).unwrap().is_clean, "{place}");
            }
        }
        let submitted = host.submit(&key, command).unwrap();
        assert_eq!(
            serde_json::to_value(&submitted.decision).unwrap(),
            serde_json::to_value(&script.decisions[index]).unwrap()
        );
    }
    assert!(kills > 100, "only {kills} kills");
    assert_eq!(std::fs::read_to_string(base.path().join(&key.ledger)).unwrap(), script.ledger);
}

#[test]
fn a_kill_from_outside_at_any_time_loses_and_blocks_nothing() {
    let script = whole_run();
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open(folder.path()).unwrap();
    let key = host.key(&protocol("standard"), "run-1", "session-1");
    for (index, command) in script.commands.iter().enumerate() {
        for wait in [0, 300, 900, 1500, 2500] {
            let mut child = spawn(folder.path(), &key, command, None);
            std::thread::sleep(std::time::Duration::from_micros(wait));
            let _ = child.kill();
            let _ = child.wait();
            let accepted = host.load(&key).unwrap().state().map_or(0, |state| state.entries().len());
            assert!(accepted == index || accepted == index + 1);
        }
        let accepted = host.load(&key).unwrap().state().map_or(0, |state| state.entries().len());
        let submitted = host.submit(&key, command).unwrap();
        assert!(submitted.decision.receipt().is_some(), "{:#?}", submitted.decision);
        assert_eq!(matches!(submitted.decision, Decision::Duplicate { .. }), accepted == index + 1);
    }
    assert!(host.verify(&key, false).unwrap().is_clean);
}

mod without_locks {
    //! The same on a store that has no locks and fails at any of its operations.

    use std::cell::Cell;

    use ralplan_core::run::{Fact, Tip, Witness};
    use ralplan_host::store::{Appended, StoreError, Stored};

    use super::*;

    /// A store that fails at its nth writing operation, before it or after it.
    struct Failing<'a> {
        inner: &'a MemoryStore,
        passed: Cell<u32>,
        fails_at: u32,
        after: bool,
    }

    impl Failing<'_> {
        fn step<T>(&self, act: impl FnOnce() -> Result<T, StoreError>) -> Result<T, StoreError> {
            self.passed.set(self.passed.get() + 1);
            let is_due = self.passed.get() == self.fails_at;
            if is_due && !self.after {
                return Err(StoreError::new("store.io", "a fault"));
            }
            let result = act();
            if is_due { Err(StoreError::new("store.io", "a fault")) } else { result }
        }
    }

    impl Store for Failing<'_> {
        type Guard = ();
        fn lock(&self, _: &RunKey) -> Result<(), StoreError> {
            Ok(())
        }
        fn read(&self, run: &RunKey) -> Result<Stored, StoreError> {
            self.inner.read(run)
        }
        fn stage(&self, run: &RunKey, sha256: &str, bytes: &[u8]) -> Result<(), StoreError> {
            self.step(|| self.inner.stage(run, sha256, bytes))
        }
        fn staged(&self, run: &RunKey, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
            self.inner.staged(run, sha256)
        }
        fn append(&self, run: &RunKey, line: &str, expected: &Tip) -> Result<Appended, StoreError> {
            self.step(|| self.inner.append(run, line, expected))
        }
        fn repair(&self, run: &RunKey, keep_bytes: u64, tail: &[u8]) -> Result<(), StoreError> {
            self.step(|| self.inner.repair(run, keep_bytes, tail))
        }
        fn publish(&self, run: &RunKey, path: &str, sha256: &str) -> Result<(), StoreError> {
            self.step(|| self.inner.publish(run, path, sha256))
        }
        fn file(&self, run: &RunKey, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
            self.inner.file(run, path)
        }
        fn remember(&self, run: &RunKey, witness: &Witness) -> Result<(), StoreError> {
            self.step(|| self.inner.remember(run, witness))
        }
        fn list(&self) -> Result<Vec<RunKey>, StoreError> {
            self.inner.list()
        }
    }

    fn no_fact(name: &str) -> Fact {
        Fact { available: false, detail: None, name: name.to_owned() }
    }

    #[test]
    fn a_fault_at_every_operation_of_every_command_loses_and_blocks_nothing() {
        let script = whole_run();
        let key =
            RunKey { run_id: "run-1".to_owned(), ledger: ".ralplan/runs/run-1/ledger.jsonl".to_owned() };
        for after in [false, true] {
            for fails_at in 1..6 {
                let store = MemoryStore::new();
                for (index, command) in script.commands.iter().enumerate() {
                    let failing = Failing { inner: &store, passed: Cell::new(0), fails_at, after };
                    let _ = submit(&failing, &key, command, &no_fact);
                    let submitted = submit(&store, &key, command, &no_fact).unwrap();
                    assert!(
                        submitted.decision.receipt().is_some(),
                        "{index} {fails_at} {after}: {:#?}",
                        submitted.decision
                    );
                    assert_eq!(submitted.run.state().unwrap().entries().len(), index + 1);
                }
                let stored = store.read(&key).unwrap();
                let run = Run::open(&stored.ledger, stored.witness.as_ref());
                let files = run
                    .files()
                    .into_iter()
                    .map(|path| (path.clone(), store.file(&key, &path).unwrap()))
                    .collect();
                let verification = run.verify(&key.ledger, Some(&files));
                assert!(verification.is_clean, "{verification:#?}");
            }
        }
    }

    #[test]
    fn of_eight_threads_on_one_slot_exactly_one_gets_a_receipt() {
        let store = MemoryStore::new();
        let key = RunKey {
            run_id: "run-1".to_owned(),
            ledger: ".gjc/_session-session-1/plans/ralplan/run-1/ledger.jsonl".to_owned(),
        };
        submit(&store, &key, &start_command("run-1", SettingsInput::default()), &no_fact).unwrap();
        let accepted = std::thread::scope(|scope| {
            let handles: Vec<_> = (0..8)
                .map(|writer| {
                    let (store, key) = (&store, &key);
                    scope.spawn(move || {
                        let command = write_command("planner", 1, &format!("# Plan {writer}\n"));
                        submit(store, key, &command, &no_fact).unwrap().decision.receipt().is_some()
                    })
                })
                .collect();
            handles
                .into_iter()
                .filter(|_| true)
                .map(|handle| handle.join().unwrap())
                .filter(|accepted| *accepted)
                .count()
        });
        assert_eq!(accepted, 1);
    }
}

#[test]
fn both_stores_pass_the_conformance_suite() {
    let line = whole_run().ledger.lines().next().unwrap().to_owned() + "\n";
    let key = RunKey { run_id: "run-1".to_owned(), ledger: ".ralplan/runs/run-1/ledger.jsonl".to_owned() };
    suite::check(&MemoryStore::new(), &key, &line).unwrap();
    let folder = tempfile::tempdir().unwrap();
    suite::check(&FileStore::open(folder.path()).unwrap(), &key, &line).unwrap();
}

#[cfg(unix)]
mod hostile_folders {
    //! Folders in which links and names try to lead out of the root.

    use std::os::unix::fs::symlink;

    use super::*;

    fn is_empty(folder: &Path) -> bool {
        std::fs::read_dir(folder).unwrap().next().is_none()
    }

    #[test]
    fn a_linked_run_folder_or_ledger_is_refused_and_nothing_is_written_outside() {
        let outside = tempfile::tempdir().unwrap();
        for link in [".gjc", ".gjc/_session-session-1", ".gjc/_session-session-1/plans/ralplan/run-1"] {
            let folder = tempfile::tempdir().unwrap();
            let place = folder.path().join(link);
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            symlink(outside.path(), &place).unwrap();
            let host = Host::open(folder.path()).unwrap();
            let error = host
                .submit(&key(&host, "run-1"), &start_command("run-1", SettingsInput::default()))
                .unwrap_err();
            assert_eq!(error.code(), "path.link", "{link}: {error}");
            assert!(is_empty(outside.path()), "{link}");
        }
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open(folder.path()).unwrap();
        let key = key(&host, "run-1");
        let ledger = folder.path().join(&key.ledger);
        std::fs::create_dir_all(ledger.parent().unwrap()).unwrap();
        let target = outside.path().join("target");
        symlink(&target, &ledger).unwrap();
        let error = host.submit(&key, &start_command("run-1", SettingsInput::default())).unwrap_err();
        assert_eq!(error.code(), "path.link");
        assert!(!target.exists());
    }

    #[test]
    fn a_linked_artifact_is_never_written_through() {
        let outside = tempfile::tempdir().unwrap();
        let target = outside.path().join("precious");
        std::fs::write(&target, "precious").unwrap();
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open(folder.path()).unwrap();
        let key = key(&host, "run-1");
        host.submit(&key, &start_command("run-1", SettingsInput::default())).unwrap();
        let place = folder.path().join(&key.ledger).parent().unwrap().join("stage-01-planner.md");
        symlink(&target, &place).unwrap();
        let submitted = host.submit(&key, &write_command("planner", 1, "# Plan\n")).unwrap();
        assert!(submitted.decision.receipt().is_some(), "the ledger is the truth");
        assert!(!submitted.warnings.is_empty(), "the file could not be written, and that is said");
        assert_eq!(std::fs::read_to_string(&target).unwrap(), "precious");
        assert!(!host.verify(&key, false).unwrap().is_clean);
    }

    #[test]
    fn a_pipe_in_place_of_the_ledger_does_not_hang() {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open(folder.path()).unwrap();
        let key = key(&host, "run-1");
        let ledger = folder.path().join(&key.ledger);
        std::fs::create_dir_all(ledger.parent().unwrap()).unwrap();
        assert!(Process::new("mkfifo").arg(&ledger).status().unwrap().success());
        assert!(host.submit(&key, &start_command("run-1", SettingsInput::default())).is_err());
    }

    #[test]
    fn ids_that_lead_elsewhere_are_refused_before_a_folder_is_made() {
        for run_id in ["..", "a/b", "/etc", "a\0b", "", ".hidden", &"x".repeat(65)] {
            let folder = tempfile::tempdir().unwrap();
            let host = Host::open(folder.path()).unwrap();
            let key = key(&host, run_id);
            let refused = match host.submit(&key, &start_command(run_id, SettingsInput::default())) {
                Ok(submitted) => codes(&submitted.decision).first().map(|code| (*code).to_owned()),
                Err(error) => Some(error.code().to_owned()),
            };
            let refused = refused.unwrap_or_default();
            assert!(refused.starts_with("input.") || refused.starts_with("path."), "{run_id:?}: {refused}");
            assert!(is_empty(folder.path()), "{run_id:?}");
        }
        let folder = tempfile::tempdir().unwrap();
        let host = Host::open(folder.path()).unwrap();
        let error =
            host.submit(&key(&host, "CON"), &start_command("CON", SettingsInput::default())).unwrap_err();
        assert_eq!(error.code(), "path.reserved");
        assert!(is_empty(folder.path()));
    }
}

#[test]
fn one_run_id_has_one_owner() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open(folder.path()).unwrap();
    host.submit(&key(&host, "run-1"), &start_command("run-1", SettingsInput::default())).unwrap();
    let mut second = start(plain_protocol(), "Plan it");
    second.owner_session_id = "session-2".to_owned();
    let command =
        Command { act: Act::Start(Box::new(second)), ..start_command("run-1", SettingsInput::default()) };
    let elsewhere = host.key(&plain_protocol(), "run-1", "session-2");
    let decision = host.submit(&elsewhere, &command).unwrap().decision;
    assert_eq!(codes(&decision), ["run.owner"]);
    let claimed = Command { owner: Some("session-2".to_owned()), ..write_command("planner", 1, "# Plan\n") };
    assert_eq!(codes(&host.submit(&key(&host, "run-1"), &claimed).unwrap().decision), ["run.owner"]);
}

#[test]
fn a_missing_file_comes_back_and_a_foreign_one_is_kept_aside() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::open(folder.path()).unwrap();
    let key = key(&host, "run-1");
    host.submit(&key, &start_command("run-1", SettingsInput::default())).unwrap();
    let command = write_command("planner", 1, "# Plan\n");
    let receipt = host.submit(&key, &command).unwrap().decision.receipt().cloned().unwrap();
    let path = folder.path().join(receipt.path.unwrap());
    std::fs::remove_file(&path).unwrap();
    let again = host.submit(&key, &command).unwrap();
    assert!(matches!(again.decision, Decision::Duplicate { .. }));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "# Plan\n");
    std::fs::write(&path, "edited by hand").unwrap();
    assert!(!host.verify(&key, false).unwrap().is_clean);
    host.submit(&key, &command).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "# Plan\n");
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let aside = std::fs::read_dir(path.parent().unwrap())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .find(|other| other.starts_with(&format!("{name}.foreign-")))
        .expect("the edited file is kept");
    assert_eq!(std::fs::read_to_string(path.parent().unwrap().join(aside)).unwrap(), "edited by hand");
    assert!(host.verify(&key, false).unwrap().is_clean);
}
