//! The ledger: the append-only, hash-chained record of a run.

mod artifact;
mod entry;
mod event;
mod receipt;

pub use artifact::{
    AdmissionFacts, AxisVerdict, FinalFacts, FindingFact, FindingsState, ReconciliationFacts, ReviewFacts,
    SectionDigest, Shortcoming, Written,
};
pub use entry::{ENTRY_SCHEMA, Entry, EntryError, NO_PREDECESSOR, ObservedFacts, Warning};
pub use event::{
    Annotated, AnswerOutcome, Answered, ApprovalAnswer, Approved, Assigned, Closed, Configured, Event,
    ForeignSlot, HandedOff, HandoffStep, HostInfo, Imported, Isolation, Mode, RecordKind, Recorded,
    Recovered, RepositoryBinding, Started, Stuck, Transferred, Waived,
};
