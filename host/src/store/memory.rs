//! A store in memory, without locks: for tests and for hosts that keep nothing.

use std::collections::BTreeMap;
use std::sync::Mutex;

use ralplan_core::json::sha256_hex;
use ralplan_core::run::{Run, Tip, Witness};

use super::{Appended, RunKey, Store, StoreError, Stored};

#[derive(Debug, Default)]
struct Held {
    ledger: Vec<u8>,
    witness: Option<Witness>,
    staged: BTreeMap<String, Vec<u8>>,
    files: BTreeMap<String, Vec<u8>>,
    torn: Vec<Vec<u8>>,
}

/// A store in memory. It has no locks: a command that comes second is decided again.
#[derive(Debug, Default)]
pub struct MemoryStore {
    runs: Mutex<BTreeMap<RunKey, Held>>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> MemoryStore {
        MemoryStore::default()
    }

    fn with<T>(&self, run: &RunKey, act: impl FnOnce(&mut Held) -> T) -> T {
        // A panic of another thread leaves whole values behind, so its poison is of no interest.
        let mut runs = self.runs.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        act(runs.entry(run.clone()).or_default())
    }
}

impl Store for MemoryStore {
    type Guard = ();

    fn lock(&self, _: &RunKey) -> Result<(), StoreError> {
        Ok(())
    }

    fn read(&self, run: &RunKey) -> Result<Stored, StoreError> {
        Ok(self.with(run, |held| Stored { ledger: held.ledger.clone(), witness: held.witness.clone() }))
    }

    fn stage(&self, run: &RunKey, sha256: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.with(run, |held| {
            held.staged.entry(sha256.to_owned()).or_insert_with(|| bytes.to_vec());
        });
        Ok(())
    }

    fn staged(&self, run: &RunKey, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.with(run, |held| held.staged.get(sha256).cloned()))
    }

    fn append(&self, run: &RunKey, line: &str, expected: &Tip) -> Result<Appended, StoreError> {
        Ok(self.with(run, |held| {
            if Run::open(&held.ledger, None).tip() != *expected
                || u64::try_from(held.ledger.len()) != Ok(expected.bytes)
            {
                return Appended::Moved;
            }
            held.ledger.extend_from_slice(line.as_bytes());
            Appended::Done
        }))
    }

    fn repair(&self, run: &RunKey, keep_bytes: u64, tail: &[u8]) -> Result<(), StoreError> {
        self.with(run, |held| {
            let keep = usize::try_from(keep_bytes).unwrap_or(usize::MAX);
            // Another command may have repaired the ledger and gone on since this one read it.
            if held.ledger.get(keep..).is_some_and(|rest| rest == tail) {
                let tail = held.ledger.split_off(keep);
                held.torn.push(tail);
            }
        });
        Ok(())
    }

    fn publish(&self, run: &RunKey, path: &str, sha256: &str) -> Result<(), StoreError> {
        self.with(run, |held| {
            let Some(bytes) = held.staged.get(sha256).cloned() else {
                return Err(StoreError::new("store.io", format!("nothing is staged under {sha256}")));
            };
            if let Some(foreign) =
                held.files.get(path).filter(|known| !held.staged.values().any(|staged| staged == *known))
            {
                let digest = sha256_hex(foreign);
                let foreign = foreign.clone();
                held.files.insert(super::foreign_name(path, &digest), foreign);
            }
            held.files.insert(path.to_owned(), bytes);
            Ok(())
        })
    }

    fn file(&self, run: &RunKey, path: &str) -> Result<Option<Vec<u8>>, StoreError> {
        Ok(self.with(run, |held| held.files.get(path).cloned()))
    }

    fn remember(&self, run: &RunKey, witness: &Witness) -> Result<(), StoreError> {
        self.with(run, |held| {
            // A slower command must not put an older witness over a newer one.
            if held.witness.as_ref().is_none_or(|known| known.seq < witness.seq) {
                held.witness = Some(witness.clone());
            }
        });
        Ok(())
    }

    fn list(&self) -> Result<Vec<RunKey>, StoreError> {
        let runs = self.runs.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok(runs.iter().filter(|(_, held)| !held.ledger.is_empty()).map(|(key, _)| key.clone()).collect())
    }
}
