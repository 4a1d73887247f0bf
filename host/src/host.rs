//! A host on files: finds runs, and carries out what the core decides.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::ForeignSlot;
use ralplan_core::limits::STAGE_NUMBER;
use ralplan_core::protocol::Protocol;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{
    Act, ArtifactBytes, Command, Decision, Fact, Health, Phase, Run, Start, Verification, ledger_path,
    slot_patterns,
};

use crate::folder::{self, FolderError};
use crate::store::{FileStore, RunKey, Store, StoreError};
use crate::submit::{Opened, Submitted, open, submit};

/// How a command names its run.
#[derive(Clone, Debug, Default)]
pub struct Selector {
    /// Id of the run (`--run-id`, then `RALPLAN_RUN_ID`).
    pub run_id: Option<String>,
    /// Session that owns it (`--session-id`, then `RALPLAN_SESSION_ID`).
    pub session_id: Option<String>,
    /// True for commands that only read: the newest closed run will do when none is open.
    pub may_be_closed: bool,
}

/// One run in a list.
#[derive(Clone, Debug)]
pub struct RunSummary {
    /// The run.
    pub key: RunKey,
    /// Session that owns it.
    pub owner_session_id: String,
    /// Name of its protocol.
    pub protocol: String,
    /// When it was started.
    pub started_at: String,
    /// When its last entry was written.
    pub changed_at: String,
    /// First line of its task.
    pub task: String,
    /// True when nothing more can be written to it.
    pub is_closed: bool,
    /// Word of its phase, or of the health of its ledger when that is not sound.
    pub phase: String,
}

/// What `doctor` found and did.
#[derive(Debug, Default, serde::Serialize)]
pub struct DoctorReport {
    /// What is wrong: code, path, message, remedy.
    pub findings: Vec<DoctorFinding>,
    /// What was repaired, in words.
    pub fixed: Vec<String>,
}

/// One thing that `doctor` found.
#[derive(Debug, serde::Serialize)]
pub struct DoctorFinding {
    /// A reason code.
    pub code: String,
    /// The file.
    pub path: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

/// Why a host could not do something.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such run.
    #[error("run.not_found: {message}")]
    NotFound {
        /// What was looked for.
        message: String,
    },
    /// Several runs fit.
    #[error("run.ambiguous: several runs are open: {}", runs.join(", "))]
    Ambiguous {
        /// Their ids.
        runs: Vec<String>,
    },
}

impl HostError {
    /// The reason code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            HostError::Store(error) => error.code,
            HostError::NotFound { .. } => "run.not_found",
            HostError::Ambiguous { .. } => "run.ambiguous",
        }
    }
}

/// A host on files.
#[derive(Debug)]
pub struct Host {
    root: PathBuf,
    store: FileStore,
}

impl Host {
    /// Opens the root.
    ///
    /// # Errors
    /// When it is not a folder that can be opened.
    pub fn open(root: &Path) -> Result<Host, HostError> {
        Ok(Host { root: root.to_owned(), store: FileStore::open(root)? })
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &FileStore {
        &self.store
    }

    /// All runs below the root, newest first.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn runs(&self) -> Result<Vec<RunSummary>, HostError> {
        let mut runs = Vec::new();
        for key in self.store.list()? {
            let run = self.load(&key)?;
            runs.push(summary(key, &run));
        }
        runs.sort_by(|left, right| {
            right.started_at.cmp(&left.started_at).then_with(|| left.key.cmp(&right.key))
        });
        Ok(runs)
    }

    /// The run that a command means: the one that is named, else the session's only open run, else the root's only
    /// open run, else for reading the newest closed one.
    ///
    /// # Errors
    /// When there is none, or when there are several.
    pub fn find(&self, selector: &Selector) -> Result<RunKey, HostError> {
        let session = selector.session_id.as_deref();
        let fits = |run: &RunSummary| session.is_none_or(|session| run.owner_session_id == session);
        if let Some(run_id) = &selector.run_id {
            let mut keys: Vec<RunKey> =
                self.store.list()?.into_iter().filter(|key| key.run_id == *run_id).collect();
            if keys.len() > 1 {
                let owned: Vec<RunKey> = self
                    .runs()?
                    .into_iter()
                    .filter(|run| run.key.run_id == *run_id && fits(run))
                    .map(|run| run.key)
                    .collect();
                keys = if owned.is_empty() { keys } else { owned };
            }
            return only(keys, || format!("there is no run `{run_id}` below `{}`", self.root.display()));
        }
        let runs = self.runs()?;
        let of_session: Vec<&RunSummary> = runs.iter().filter(|run| !run.is_closed && fits(run)).collect();
        let open = if of_session.is_empty() {
            runs.iter().filter(|run| !run.is_closed).collect()
        } else {
            of_session
        };
        if open.is_empty()
            && selector.may_be_closed
            && let Some(newest) = runs.first()
        {
            return Ok(newest.key.clone());
        }
        only(open.into_iter().map(|run| run.key.clone()).collect(), || {
            format!("there is no open run below `{}`", self.root.display())
        })
    }

    /// The key of a run that is about to be started.
    #[must_use]
    pub fn key(&self, protocol: &Protocol, run_id: &str, session_id: &str) -> RunKey {
        RunKey { run_id: run_id.to_owned(), ledger: ledger_path(protocol, run_id, session_id) }
    }

    /// Reads a run without changing anything.
    ///
    /// # Errors
    /// When the ledger cannot be read; a damaged one opens, with its health.
    pub fn load(&self, key: &RunKey) -> Result<Run, HostError> {
        let stored = self.store.read(key)?;
        Ok(Run::open(&stored.ledger, stored.witness.as_ref()).placed(&key.run_id, &key.ledger))
    }

    /// Decides a command under the lock of the run and carries out its effects.
    ///
    /// # Errors
    /// When the store fails; a refusal is a decision, not an error.
    pub fn submit(&self, key: &RunKey, command: &Command) -> Result<Submitted, HostError> {
        let mut submitted = match &command.act {
            Act::Start(start) => self.start(key, command, start)?,
            _ => submit(&self.store, key, command, &probe)?,
        };
        if matches!(command.act, Act::Start(_))
            && submitted.decision.receipt().is_some()
            && let Err(error) = self.store.note(key)
        {
            submitted.warnings.push(format!("the index of runs was not written: {error}"));
        }
        Ok(submitted)
    }

    /// Starts a run; one id has one owner, wherever its files lie.
    fn start(&self, key: &RunKey, command: &Command, start: &Start) -> Result<Submitted, HostError> {
        folder::check_path(&key.ledger).map_err(FolderError::from).map_err(StoreError::from)?;
        // What the ledger of a layout would have to say is settled before a folder is made for it.
        let dry = Run::open(b"", None).decide(command, &ralplan_core::run::Observed::default());
        let is_elsewhere = |known: &RunKey| known.run_id == key.run_id && known.ledger != key.ledger;
        let other = self.store.list()?.into_iter().find(is_elsewhere);
        if let Some(other) = other {
            let run = self.load(&other)?;
            let owner = run.state().map_or("unknown", |state| state.owner_session_id()).to_owned();
            let reason = Reason::new(Code::RunOwner)
                .at("run_id")
                .expected(owner)
                .actual(start.owner_session_id.as_str());
            let reason =
                reason.message(format!("the run `{}` exists already, at `{}`", key.run_id, other.ledger));
            let decision = Decision::Refused { next: run.next(), reasons: vec![reason] };
            return Ok(Submitted { decision, run, warnings: Vec::new() });
        }
        let exists = self.store.folder().is_file(&key.ledger);
        if !exists && matches!(dry, Decision::Refused { .. }) {
            return Ok(Submitted { decision: dry, run: Run::open(b"", None), warnings: Vec::new() });
        }
        // Files that lie in slots already use up budgets, as after a ledger was lost or set aside.
        let found = if exists { Vec::new() } else { self.found_slots(start)? };
        let start = Start { found, ..start.clone() };
        let command = Command { act: Act::Start(Box::new(start)), ..command.clone() };
        Ok(submit(&self.store, key, &command, &probe)?)
    }

    /// Files that lie in the slots of a run that has no ledger.
    fn found_slots(&self, start: &Start) -> Result<Vec<ForeignSlot>, HostError> {
        let mut slots = start.found.clone();
        for (folder, pattern) in slot_patterns(&start.protocol, &start.run_id, &start.owner_session_id) {
            for name in self.store.folder().list_files(&folder).map_err(StoreError::from)? {
                let read = pattern.read(&name).filter(|(_, stage_n)| (1..=STAGE_NUMBER).contains(stage_n));
                let Some((stage, stage_n)) = read else { continue };
                let path = format!("{folder}/{name}");
                let Some(bytes) = self.store.folder().read(&path, u64::MAX).map_err(StoreError::from)? else {
                    continue;
                };
                slots.push(ForeignSlot { path, sha256: sha256_hex(&bytes), stage, stage_n });
            }
        }
        Ok(slots)
    }

    /// The bytes of a file of the run, by its path from the root.
    ///
    /// # Errors
    /// When it cannot be read; a missing file is none.
    pub fn file(&self, key: &RunKey, path: &str) -> Result<Option<Vec<u8>>, HostError> {
        Ok(self.store.file(key, path)?)
    }

    /// Verifies ledger and files, or the ledger alone.
    ///
    /// # Errors
    /// When the ledger cannot be read.
    pub fn verify(&self, key: &RunKey, ledger_only: bool) -> Result<Verification, HostError> {
        let run = self.load(key)?;
        if ledger_only {
            return Ok(run.verify(&key.ledger, None));
        }
        let mut files = ArtifactBytes::new();
        for path in run.files() {
            // A file that cannot be read is as good as missing; the fault names it.
            let bytes = self.store.file(key, &path).ok().flatten();
            files.insert(path, bytes);
        }
        let mut verification = run.verify(&key.ledger, Some(&files));
        verification.faults.extend(self.store.own_faults(key)?);
        verification.is_clean = verification.faults.is_empty();
        if !verification.is_clean {
            let newer = self.newer_names(key)?;
            verification.faults.retain(|fault| {
                let found = files.get(&fault.path).and_then(Option::as_ref).map(|bytes| sha256_hex(bytes));
                found.is_none() || newer.get(&fault.path) != found.as_ref()
            });
            verification.is_clean = verification.faults.is_empty();
        }
        Ok(verification)
    }

    /// The digests that other runs expect under documented names that runs share, such as `plans/plan.md`.
    fn newer_names(&self, key: &RunKey) -> Result<BTreeMap<String, String>, HostError> {
        let mut names = BTreeMap::new();
        for other in self.runs()?.into_iter().rev().filter(|other| other.key != *key) {
            names.extend(self.load(&other.key)?.expected_files());
        }
        Ok(names)
    }

    /// Looks for damage. With `fix` it repairs what can be repaired without inventing an entry; with `accept` it
    /// accepts the loss of entries by that command.
    ///
    /// # Errors
    /// When the store cannot be read, or a repair fails.
    pub fn doctor(
        &self,
        key: &RunKey,
        fix: bool,
        accept: Option<&Command>,
    ) -> Result<DoctorReport, HostError> {
        let mut report = DoctorReport::default();
        if let Some(command) = accept {
            let submitted = self.submit(key, command)?;
            match submitted.decision.reasons().first() {
                None => report.fixed.push("the loss of entries was accepted and recorded".to_owned()),
                Some(reason) => report.findings.push(finding(&key.ledger, reason)),
            }
        }
        if fix {
            self.fix(key, &mut report)?;
        }
        let verification = self.verify(key, false)?;
        report.findings.extend(verification.faults.iter().map(|fault| finding(&fault.path, &fault.reason)));
        Ok(report)
    }

    fn fix(&self, key: &RunKey, report: &mut DoctorReport) -> Result<(), HostError> {
        let _guard = self.store.lock(key)?;
        let Opened { run, ledger, .. } = open(&self.store, key)?;
        if let Health::Torn { keep_bytes } = run.health() {
            let keep = usize::try_from(*keep_bytes).unwrap_or(usize::MAX);
            self.store.repair(key, *keep_bytes, ledger.get(keep..).unwrap_or_default())?;
            report
                .fixed
                .push(format!("`{}`: an incomplete last line was cut off and kept aside", key.ledger));
        }
        if !run.health().is_writable() {
            return Ok(());
        }
        let expected = run.expected_files();
        let newer = self.newer_names(key)?;
        for (path, sha256) in &expected {
            let found = self.store.file(key, path)?.map(|bytes| sha256_hex(&bytes));
            let is_right =
                found.as_ref() == Some(sha256) || (found.is_some() && newer.get(path) == found.as_ref());
            let is_staged = self.restage(key, &expected, sha256)?;
            if !is_right && is_staged {
                self.store.publish(key, path, sha256)?;
                report.fixed.push(format!("`{path}` was put back as the ledger records it"));
            }
        }
        let swept = self.store.sweep(key, &|name| expected.values().any(|sha256| sha256 == name))?;
        if swept > 0 {
            report.fixed.push(format!("{swept} staged files that no entry names were removed"));
        }
        if let Some(witness) = run.witness() {
            self.store.remember(key, &witness)?;
        }
        self.store.note(key)?;
        Ok(())
    }

    /// Makes sure that bytes are staged, from any file of the run that still has them.
    fn restage(
        &self,
        key: &RunKey,
        expected: &BTreeMap<String, String>,
        sha256: &str,
    ) -> Result<bool, HostError> {
        if self.store.staged(key, sha256)?.is_some() {
            return Ok(true);
        }
        for path in expected.iter().filter(|(_, known)| *known == sha256).map(|(path, _)| path) {
            if let Some(bytes) = self.store.file(key, path)?.filter(|bytes| sha256_hex(bytes) == sha256) {
                self.store.stage(key, sha256, &bytes)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Frees the session: cancels a sound run, sets a broken ledger aside. Returns what was done, in words.
    ///
    /// # Errors
    /// When it could not be done, or is not so when the disk is read again.
    pub fn clear(&self, key: &RunKey, cancel: &Command) -> Result<String, HostError> {
        let run = self.load(key)?;
        if run.health().is_writable() {
            let submitted = self.submit(key, cancel)?;
            let is_closed = self.load(key)?.next().phase == Phase::Closed;
            return match submitted.decision.reasons().first() {
                None if is_closed => {
                    Ok(format!("the run `{}` is closed; its record stays at `{}`", key.run_id, key.ledger))
                }
                Some(reason) if !is_closed => {
                    Err(StoreError::new(reason.code.name(), reason.message.clone()).into())
                }
                _ => Ok(format!(
                    "the run `{}` was closed before; its record stays at `{}`",
                    key.run_id, key.ledger
                )),
            };
        }
        let _guard = self.store.lock(key)?;
        let aside = self.store.set_aside(key)?;
        if self.store.folder().is_file(&key.ledger) {
            return Err(StoreError::new("store.io", format!("`{}` is still there", key.ledger)).into());
        }
        Ok(format!("the ledger could not be used and was set aside as `{aside}`"))
    }
}

fn only(mut keys: Vec<RunKey>, none: impl FnOnce() -> String) -> Result<RunKey, HostError> {
    match keys.len() {
        0 => Err(HostError::NotFound { message: none() }),
        1 => Ok(keys.remove(0)),
        _ => Err(HostError::Ambiguous { runs: keys.into_iter().map(|key| key.run_id).collect() }),
    }
}

fn finding(path: &str, reason: &Reason) -> DoctorFinding {
    DoctorFinding {
        code: reason.code.name().to_owned(),
        path: path.to_owned(),
        message: reason.message.clone(),
        remedy: reason.remedy.clone(),
    }
}

fn summary(key: RunKey, run: &Run) -> RunSummary {
    let health = run.health().reason().map(|reason| reason.code.name().to_owned());
    let (phase, is_closed) = match run.status() {
        Some(status) => {
            let word = status.outcome.map_or("planning", ralplan_core::run::Outcome::word).to_owned();
            (health.unwrap_or(word), status.phase == Phase::Closed)
        }
        // A ledger that tells nothing still counts as active.
        None => (health.unwrap_or_else(|| "empty".to_owned()), false),
    };
    let state = run.state();
    let at = |entry: Option<&std::sync::Arc<ralplan_core::ledger::Entry>>| {
        entry.map(|entry| entry.at.clone()).unwrap_or_default()
    };
    RunSummary {
        owner_session_id: state.map(|state| state.owner_session_id().to_owned()).unwrap_or_default(),
        protocol: state.map(|state| state.protocol().name.clone()).unwrap_or_default(),
        started_at: at(state.and_then(|state| state.entries().first())),
        changed_at: at(state.and_then(|state| state.entries().last())),
        task: state.and_then(|state| state.started().task.lines().next()).unwrap_or_default().to_owned(),
        key,
        is_closed,
        phase,
    }
}

/// Answers what the core asks about this machine, by name.
#[must_use]
pub fn probe(name: &str) -> Fact {
    let (available, detail) = match name {
        "team" => tmux(),
        _ => (false, Some("this host does not know how to find out".to_owned())),
    };
    Fact { available, detail, name: name.to_owned() }
}

/// Whether a tmux session is at hand: the program is on the path and this process runs inside of it.
fn tmux() -> (bool, Option<String>) {
    let is_inside = std::env::var_os("TMUX").is_some_and(|value| !value.is_empty());
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let is_installed = std::env::split_paths(&paths).any(|folder| folder.join("tmux").is_file());
    match (is_installed, is_inside) {
        (true, true) => (true, None),
        (false, _) => (false, Some("tmux is not installed".to_owned())),
        (true, false) => (false, Some("no tmux session".to_owned())),
    }
}
