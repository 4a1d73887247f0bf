//! Every limit of the engine, in one table, each with the code that reports it.

/// Largest number of entries in one ledger.
pub const LEDGER_ENTRIES: u64 = 10_000;
/// Largest ledger, in bytes.
pub const LEDGER_BYTES: u64 = 64 * 1024 * 1024;
/// Longest run, session, stage, role or item id, in bytes.
pub const ID_BYTES: usize = 64;
/// Longest agent, invocation, turn or thread id, in bytes.
pub const AGENT_ID_BYTES: usize = 128;
/// Largest stage number a caller may give.
pub const STAGE_NUMBER: u32 = 999;
/// Longest task, in bytes.
pub const TASK_BYTES: usize = 64 * 1024;
/// Longest comment, reason or answer text, in bytes.
pub const TEXT_BYTES: usize = 64 * 1024;
/// Most findings in one review.
pub const FINDINGS: usize = 200;
/// Most open items in one artifact.
pub const ITEMS: usize = 200;
/// Most sections recorded for one draft.
pub const SECTIONS: usize = 2_000;
/// Most document diagnostics recorded for one artifact.
pub const DIAGNOSTICS: usize = 200;
/// Most reasons in one decision.
pub const REASONS: usize = 50;

/// One row of the limits table in the documentation.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// What is limited.
    pub what: &'static str,
    /// The largest value that is accepted.
    pub value: u64,
    /// The reason code of one more.
    pub code: &'static str,
}

/// All limits, for the documentation and its test.
pub const LIMITS: &[Limit] = &[
    Limit { what: "entries in one ledger", value: LEDGER_ENTRIES, code: "ledger.limit" },
    Limit { what: "bytes of one ledger", value: LEDGER_BYTES, code: "ledger.limit" },
    Limit { what: "bytes of a run, session or item id", value: ID_BYTES as u64, code: "input.id" },
    Limit {
        what: "bytes of an agent, invocation, turn or thread id",
        value: AGENT_ID_BYTES as u64,
        code: "input.id",
    },
    Limit { what: "stage number", value: STAGE_NUMBER as u64, code: "input.stage_number" },
    Limit { what: "bytes of a task", value: TASK_BYTES as u64, code: "input.too_large" },
    Limit { what: "bytes of a comment or an answer", value: TEXT_BYTES as u64, code: "input.too_large" },
    Limit { what: "findings in one review", value: FINDINGS as u64, code: "input.too_large" },
    Limit { what: "open items in one artifact", value: ITEMS as u64, code: "input.too_large" },
    Limit { what: "sections recorded for one draft", value: SECTIONS as u64, code: "input.too_large" },
];
