//! What reviewers say: verdicts and findings.

mod finding;
mod verdict;

pub use finding::{
    Action, FINDINGS_BLOCK, FINDINGS_SCHEMA, Finding, FindingsError, Severity, read_findings, read_tagged,
};
pub use verdict::{
    MissingHint, Verdict, VerdictError, VerdictProblem, VerdictReading, examine_verdict, read_verdict,
};
