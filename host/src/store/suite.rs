//! What every store must do. A store of one's own passes when [`check`] returns nothing.

use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::NO_PREDECESSOR;
use ralplan_core::run::Tip;

use super::{Appended, RunKey, Store, StoreError};

/// Runs the conformance suite on an empty store and a run that it does not hold yet.
///
/// `line` is a whole ledger line with its newline, for example one of the vectors.
///
/// # Errors
/// The first thing that the store does wrong, in words.
pub fn check<S: Store>(store: &S, run: &RunKey, line: &str) -> Result<(), String> {
    let guard = store.lock(run).map_err(|error| said("lock", &error))?;
    expect(
        store.read(run).map_err(|error| said("read", &error))?.ledger.is_empty(),
        "a missing ledger reads as empty",
    )?;
    check_staging(store, run)?;
    check_appending(store, run, line)?;
    check_repair(store, run, line)?;
    drop(guard);
    let again = store.lock(run).map_err(|error| said("lock", &error))?;
    drop(again);
    let listed = store.list().map_err(|error| said("list", &error))?;
    expect(listed.contains(run), "a run with a ledger is listed")
}

fn said(act: &str, error: &StoreError) -> String {
    format!("{act}: {error}")
}

fn expect(holds: bool, what: &str) -> Result<(), String> {
    if holds { Ok(()) } else { Err(format!("expected: {what}")) }
}

fn check_staging<S: Store>(store: &S, run: &RunKey) -> Result<(), String> {
    let digest = sha256_hex(b"one");
    let path = run
        .ledger
        .rsplit_once('/')
        .map_or_else(|| "one.md".to_owned(), |(folder, _)| format!("{folder}/one.md"));
    expect(
        store.staged(run, &digest).map_err(|error| said("staged", &error))?.is_none(),
        "nothing is staged at first",
    )?;
    expect(store.publish(run, &path, &digest).is_err(), "what is not staged cannot be published")?;
    for _ in 0..2 {
        store.stage(run, &digest, b"one").map_err(|error| said("stage", &error))?;
    }
    let staged = store.staged(run, &digest).map_err(|error| said("staged", &error))?;
    expect(staged.as_deref() == Some(b"one"), "staged bytes read back")?;
    expect(
        store.file(run, &path).map_err(|error| said("file", &error))?.is_none(),
        "staged bytes have no visible name",
    )?;
    for _ in 0..2 {
        store.publish(run, &path, &digest).map_err(|error| said("publish", &error))?;
    }
    let file = store.file(run, &path).map_err(|error| said("file", &error))?;
    expect(file.as_deref() == Some(b"one"), "published bytes read back")?;
    expect(
        store.staged(run, &digest).map_err(|error| said("staged", &error))?.is_some(),
        "published bytes stay staged",
    )
}

fn check_appending<S: Store>(store: &S, run: &RunKey, line: &str) -> Result<(), String> {
    let empty = Tip { bytes: 0, head: NO_PREDECESSOR.to_owned() };
    let wrong = Tip { bytes: 1, head: NO_PREDECESSOR.to_owned() };
    let append = |expected: &Tip| store.append(run, line, expected).map_err(|error| said("append", &error));
    expect(append(&wrong)? == Appended::Moved, "an append to another length is refused")?;
    expect(append(&empty)? == Appended::Done, "the first line is appended")?;
    expect(append(&empty)? == Appended::Moved, "the same append a second time is refused")?;
    let ledger = store.read(run).map_err(|error| said("read", &error))?.ledger;
    expect(ledger == line.as_bytes(), "the ledger holds exactly the line")
}

fn check_repair<S: Store>(store: &S, run: &RunKey, line: &str) -> Result<(), String> {
    let bytes = u64::try_from(line.len()).unwrap_or(u64::MAX);
    store.repair(run, bytes, b"not there").map_err(|error| said("repair", &error))?;
    let ledger = store.read(run).map_err(|error| said("read", &error))?.ledger;
    expect(ledger == line.as_bytes(), "a repair for another tail changes nothing")
}
