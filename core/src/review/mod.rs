//! What reviewers say: verdicts and findings.

mod verdict;

pub use verdict::{
    MissingHint, Verdict, VerdictError, VerdictProblem, VerdictReading, examine_verdict, read_verdict,
};
