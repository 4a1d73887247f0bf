//! What a driver tells while it works, and how it ends.

use ralplan_core::reason::Reason;
use ralplan_core::run::{LaneStatus, Outcome, Question, Receipt};

/// Something happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DriveEvent {
    /// An agent was started.
    Started {
        /// Its role.
        role: String,
        /// What it writes, for example `architect 1`.
        slot: String,
        /// Attempt, from 1.
        attempt: u32,
        /// Its program.
        program: String,
    },
    /// An agent delivered nothing usable; it was recorded.
    Failed {
        /// Its role.
        role: String,
        /// Reason code.
        code: String,
        /// What happened.
        message: String,
        /// True when it is started again.
        is_retried: bool,
    },
    /// An artifact was accepted.
    Accepted {
        /// Who wrote it.
        role: String,
        /// The receipt.
        receipt: Box<Receipt>,
        /// The lane of a reviewer after it.
        lane: Box<Option<LaneStatus>>,
        /// What was let pass.
        warnings: Vec<Reason>,
    },
    /// A milestone was reached; its line is printed alone.
    Marker {
        /// The line.
        text: String,
    },
    /// Something did not work and will be repaired.
    Warning {
        /// What.
        message: String,
    },
}

/// How a driver ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum DriveEnd {
    /// Planning came to its end.
    Outcome {
        /// How.
        outcome: Outcome,
    },
    /// Only a person can go on, and none is there.
    NeedsPerson {
        /// What is asked.
        question: Box<Question>,
    },
    /// Something is to be written that no agent of this driver writes.
    Waiting {
        /// What.
        what: String,
    },
    /// The core refused what the driver did.
    Refused {
        /// Why.
        reasons: Vec<Reason>,
    },
    /// An agent failed in all its attempts.
    AgentFailed {
        /// Its role.
        role: String,
        /// Reason code of the last failure.
        code: String,
        /// What happened.
        message: String,
    },
    /// It was stopped on request; the run can be resumed.
    Cancelled,
}

/// What a person answered.
#[derive(Clone, Debug, Default)]
pub struct PersonAnswer {
    /// Id of the option.
    pub option: String,
    /// Words of their own.
    pub text: Option<String>,
}
