//! Carrying out a command on any store: read, decide, effects in order, commit.

use std::collections::BTreeMap;

use ralplan_core::json::sha256_hex;
use ralplan_core::run::{Act, ArtifactText, Command, Decision, Effect, Fact, Observed, Run};

use crate::store::{Appended, RunKey, Store, StoreError};

/// How often a command is decided again after another writer was first.
const ATTEMPTS: u32 = 64;

/// What came of a command.
#[derive(Debug)]
pub struct Submitted {
    /// The decision.
    pub decision: Decision,
    /// The run after it.
    pub run: Run,
    /// What did not work and will be repaired on the next open.
    pub warnings: Vec<String>,
}

/// Decides a command and carries out its effects.
///
/// `fact` answers what the core asks about the host, by name.
///
/// # Errors
/// When the store fails before the decision is in the ledger, or when it is not known whether it is.
pub fn submit<S: Store>(
    store: &S,
    key: &RunKey,
    command: &Command,
    fact: &dyn Fn(&str) -> Fact,
) -> Result<Submitted, StoreError> {
    let _guard = store.lock(key)?;
    for _ in 0..ATTEMPTS {
        let Opened { mut run, mut warnings, ledger } = open(store, key)?;
        let observed = observe(store, key, &run, command, fact)?;
        let decision = run.decide(command, &observed);
        if carry_out(store, key, command, &mut run, &decision, &ledger, &mut warnings)? == Appended::Done {
            return Ok(Submitted { decision, run, warnings });
        }
    }
    Err(StoreError::new(
        "ledger.moved",
        format!("`{}` was changed by others {ATTEMPTS} times in a row", key.ledger),
    ))
}

/// A run that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The run.
    pub run: Run,
    /// What could not be put back.
    pub warnings: Vec<String>,
    /// The bytes of the ledger.
    pub ledger: Vec<u8>,
}

/// Opens a run and puts back files that are missing although the ledger names them.
///
/// # Errors
/// When the store cannot be read.
pub fn open<S: Store>(store: &S, key: &RunKey) -> Result<Opened, StoreError> {
    let stored = store.read(key)?;
    let run = Run::open(&stored.ledger, stored.witness.as_ref()).placed(&key.run_id, &key.ledger);
    let mut warnings = Vec::new();
    for (path, sha256) in run.expected_files() {
        let is_lost = store.is_missing(key, &path)? && store.staged(key, &sha256)?.is_some();
        if is_lost && let Err(error) = store.publish(key, &path, &sha256) {
            warnings.push(format!("`{path}` could not be put back: {error}"));
        }
    }
    Ok(Opened { run, warnings, ledger: stored.ledger })
}

fn observe<S: Store>(
    store: &S,
    key: &RunKey,
    run: &Run,
    command: &Command,
    fact: &dyn Fn(&str) -> Fact,
) -> Result<Observed, StoreError> {
    let needs = run.needs(command);
    let mut observed = Observed::default();
    if needs.artifacts.is_empty() && needs.facts.is_empty() {
        return Ok(observed);
    }
    let paths: BTreeMap<String, String> =
        run.expected_files().into_iter().map(|(path, sha256)| (sha256, path)).collect();
    for sha256 in needs.artifacts {
        let staged = store.staged(key, &sha256)?;
        let bytes = match (staged, paths.get(&sha256)) {
            (Some(bytes), _) => Some(bytes),
            (None, Some(path)) => store.file(key, path)?,
            (None, None) => None,
        };
        if let Some(text) = bytes.and_then(|bytes| String::from_utf8(bytes).ok()) {
            observed.artifacts.push(ArtifactText { sha256, text });
        }
    }
    observed.facts.extend(needs.facts.iter().map(|name| fact(name)));
    Ok(observed)
}

/// Carries out the effects; `Moved` when the ledger was not as expected and nothing was appended.
fn carry_out<S: Store>(
    store: &S,
    key: &RunKey,
    command: &Command,
    run: &mut Run,
    decision: &Decision,
    ledger: &[u8],
    warnings: &mut Vec<String>,
) -> Result<Appended, StoreError> {
    for effect in decision.effects() {
        match effect {
            Effect::Repair { keep_bytes } => {
                let keep = usize::try_from(*keep_bytes).unwrap_or(usize::MAX);
                store.repair(key, *keep_bytes, ledger.get(keep..).unwrap_or_default())?;
            }
            Effect::Stage { sha256, text, .. } => {
                let text = text.as_deref().or_else(|| submitted_text(command)).unwrap_or_default();
                store.stage(key, sha256, text.as_bytes())?;
            }
            Effect::Append { line, expected } => {
                if append(store, key, line, expected)? == Appended::Moved {
                    return Ok(Appended::Moved);
                }
                run.commit(line)
                    .map_err(|reason| StoreError::new("store.outcome_unknown", reason.message))?;
                if let Some(witness) = run.witness()
                    && let Err(error) = store.remember(key, &witness)
                {
                    warnings.push(format!("the end of the ledger was not noted: {error}"));
                }
            }
            Effect::Publish { path, sha256 } => publish(store, key, command, path, sha256, warnings),
            Effect::Remove { path } => warnings.push(format!("`{path}` was left in place")),
            other => warnings.push(format!("an effect is not known to this host: {other:?}")),
        }
    }
    Ok(Appended::Done)
}

/// The text that the command itself carries.
fn submitted_text(command: &Command) -> Option<&str> {
    match &command.act {
        Act::Write(write) => write.artifact.as_deref(),
        _ => None,
    }
}

/// Appends a line; when the outcome is unknown, looks whether it arrived.
fn append<S: Store>(
    store: &S,
    key: &RunKey,
    line: &str,
    expected: &ralplan_core::run::Tip,
) -> Result<Appended, StoreError> {
    match store.append(key, line, expected) {
        Ok(appended) => Ok(appended),
        Err(error) => {
            let start = usize::try_from(expected.bytes).unwrap_or(usize::MAX);
            let ledger = store.read(key)?.ledger;
            let arrived = ledger.get(start..).is_some_and(|rest| rest.starts_with(line.as_bytes()));
            if arrived { Ok(Appended::Done) } else { Err(error) }
        }
    }
}

/// Publishes; a failure is a warning, and the next open repairs it.
fn publish<S: Store>(
    store: &S,
    key: &RunKey,
    command: &Command,
    path: &str,
    sha256: &str,
    warnings: &mut Vec<String>,
) {
    let mut result = Ok(());
    if store.staged(key, sha256).is_ok_and(|staged| staged.is_none())
        && let Some(text) = submitted_text(command).filter(|text| sha256_hex(text.as_bytes()) == sha256)
    {
        result = store.stage(key, sha256, text.as_bytes());
    }
    if let Err(error) = result.and_then(|()| store.publish(key, path, sha256)) {
        warnings
            .push(format!("`{path}` could not be written and will be put back by the next command: {error}"));
    }
}
