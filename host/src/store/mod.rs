//! Stores: where ledgers and files of runs lie, and the few operations a run needs of them.

mod file;
mod memory;
pub mod suite;

pub use file::FileStore;
pub use memory::MemoryStore;

use ralplan_core::run::{Tip, Witness};

/// Which run: its id, and where its ledger lies from the root.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct RunKey {
    /// Id of the run.
    pub run_id: String,
    /// Path of the ledger, from the root.
    pub ledger: String,
}

/// What a store holds of a run.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Stored {
    /// The bytes of the ledger; empty when there is none.
    pub ledger: Vec<u8>,
    /// What the host remembers of the ledger.
    pub witness: Option<Witness>,
}

/// What came of an append.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Appended {
    /// The line is in the ledger.
    Done,
    /// The ledger was not as expected; nothing was written.
    Moved,
}

/// Why a store could not do something.
#[derive(Debug, thiserror::Error)]
#[error("{code}: {message}")]
pub struct StoreError {
    /// A reason code, for example `store.io` or `path.link`.
    pub code: &'static str,
    /// What happened, with the path.
    pub message: String,
}

impl StoreError {
    /// An error with a reason code.
    #[must_use]
    pub fn new(code: &'static str, message: impl Into<String>) -> StoreError {
        StoreError { code, message: message.into() }
    }
}

/// The name under which a foreign file is kept aside.
pub(crate) fn foreign_name(path: &str, sha256: &str) -> String {
    format!("{path}.foreign-{}", sha256.get(..8).unwrap_or(sha256))
}

/// A place for ledgers and files. Two operations are conditional: [`Store::stage`] puts bytes under their digest if
/// they are not there yet, and [`Store::append`] adds a line if the ledger still is as expected.
pub trait Store {
    /// Held while a command is decided and carried out; a store without locks returns nothing to hold.
    type Guard;

    /// Takes the run for one command.
    ///
    /// # Errors
    /// When another process holds it for too long.
    fn lock(&self, run: &RunKey) -> Result<Self::Guard, StoreError>;
    /// Reads ledger and witness.
    ///
    /// # Errors
    /// When they cannot be read; a missing ledger is empty.
    fn read(&self, run: &RunKey) -> Result<Stored, StoreError>;
    /// Puts bytes under their digest, durably, if they are not there yet.
    ///
    /// # Errors
    /// When they cannot be written.
    fn stage(&self, run: &RunKey, sha256: &str, bytes: &[u8]) -> Result<(), StoreError>;
    /// The bytes under a digest.
    ///
    /// # Errors
    /// When they cannot be read.
    fn staged(&self, run: &RunKey, sha256: &str) -> Result<Option<Vec<u8>>, StoreError>;
    /// Appends a line, durably, if the ledger still ends as expected.
    ///
    /// # Errors
    /// When the outcome is unknown; read again before anything else.
    fn append(&self, run: &RunKey, line: &str, expected: &Tip) -> Result<Appended, StoreError>;
    /// Cuts an incomplete last line off and keeps it aside, if the ledger still ends in it.
    ///
    /// # Errors
    /// When it cannot be done.
    fn repair(&self, run: &RunKey, keep_bytes: u64, tail: &[u8]) -> Result<(), StoreError>;
    /// Gives staged bytes their visible name; what lay there and is not known to the run is kept aside.
    ///
    /// # Errors
    /// When it cannot be done; the next open repairs it.
    fn publish(&self, run: &RunKey, path: &str, sha256: &str) -> Result<(), StoreError>;
    /// The bytes of a visible file.
    ///
    /// # Errors
    /// When they cannot be read; a missing file is none.
    fn file(&self, run: &RunKey, path: &str) -> Result<Option<Vec<u8>>, StoreError>;
    /// True when there is no visible file of that name.
    ///
    /// # Errors
    /// When it cannot be looked up.
    fn is_missing(&self, run: &RunKey, path: &str) -> Result<bool, StoreError> {
        Ok(self.file(run, path)?.is_none())
    }
    /// Remembers the end of the ledger.
    ///
    /// # Errors
    /// When it cannot be written; an older witness is harmless.
    fn remember(&self, run: &RunKey, witness: &Witness) -> Result<(), StoreError>;
    /// The runs that the store holds.
    ///
    /// # Errors
    /// When they cannot be listed.
    fn list(&self) -> Result<Vec<RunKey>, StoreError>;
}
