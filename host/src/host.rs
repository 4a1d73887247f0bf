//! A host on files: finds runs, and carries out what the core decides.

use std::path::{Path, PathBuf};

use ralplan_core::run::{Command, Decision, Run, Verification};

use crate::store::{RunKey, StoreError};

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
}

#[allow(clippy::todo, clippy::missing_errors_doc, missing_docs)]
impl Host {
    /// Opens the root.
    pub fn open(_root: &Path) -> Result<Host, HostError> {
        todo!()
    }
    /// The root.
    pub fn root(&self) -> &Path {
        &self.root
    }
    /// All runs below the root, newest first.
    pub fn runs(&self) -> Result<Vec<RunSummary>, HostError> {
        todo!()
    }
    /// The run that a command means.
    pub fn find(&self, _selector: &Selector) -> Result<RunKey, HostError> {
        todo!()
    }
    /// The key of a run that is about to be started.
    pub fn key(&self, _protocol: &ralplan_core::protocol::Protocol, _run_id: &str, _session_id: &str) -> RunKey {
        todo!()
    }
    /// Reads a run without changing anything.
    pub fn load(&self, _key: &RunKey) -> Result<Run, HostError> {
        todo!()
    }
    /// Decides a command under the lock of the run and carries out its effects.
    pub fn submit(&self, _key: &RunKey, _command: &Command) -> Result<Submitted, HostError> {
        todo!()
    }
    /// The bytes of a file of the run, by its path from the root.
    pub fn file(&self, _key: &RunKey, _path: &str) -> Result<Option<Vec<u8>>, HostError> {
        todo!()
    }
    /// Verifies ledger and files, or the ledger alone.
    pub fn verify(&self, _key: &RunKey, _ledger_only: bool) -> Result<Verification, HostError> {
        todo!()
    }
    /// Looks for damage, and repairs it with `fix`; `accept` accepts the loss of entries.
    pub fn doctor(&self, _key: &RunKey, _fix: bool, _accept: Option<&Command>) -> Result<DoctorReport, HostError> {
        todo!()
    }
    /// Frees the session: cancels a sound run, sets a broken ledger aside. Returns what was done, in words.
    pub fn clear(&self, _key: &RunKey, _cancel: &Command) -> Result<String, HostError> {
        todo!()
    }
}
