//! What reviewers say: verdicts and findings.
