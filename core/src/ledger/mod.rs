//! The ledger: the append-only, hash-chained record of a run.

mod entry;
mod event;
mod receipt;

pub use entry::{ENTRY_SCHEMA, Entry, EntryError, NO_PREDECESSOR, ObservedFacts, Warning};
pub use event::{
    AdmissionFacts, Annotated, AnswerOutcome, Answered, ApprovalAnswer, Approved, Assigned, AxisVerdict,
    Closed, Configured, Event, FinalFacts, FindingFact, FindingsState, ForeignSlot, HandedOff, HandoffStep,
    HostInfo, Imported, Isolation, Mode, ReconciliationFacts, RecordKind, Recorded, Recovered,
    RepositoryBinding, ReviewFacts, SectionDigest, Shortcoming, Started, Stuck, Transferred, Waived, Written,
};
