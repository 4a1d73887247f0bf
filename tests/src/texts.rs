//! Artifacts that meet the document rules, for scripts.

/// A draft that holds every part, with a mark that tells versions apart.
#[must_use]
pub fn draft(mark: &str) -> String {
    format!(
        "# Plan {mark}\n\n## RALPLAN-DR Summary\n\n### Principles\n\n1. Small steps\n2. No new service\n3. Reversible\n\n### Decision Drivers\n\n\
1. Abuse of the login endpoint\n2. Time to ship\n3. Operating cost\n\n### Viable Options\n\n#### Option A: token bucket in process\n\n\
- Pros: no new dependency\n- Cons: per process only\n\n#### Option B: shared store\n\n- Pros: exact\n- Cons: another service\n\n\
## Task Breakdown\n\n### T1 Add the limiter\n\nFiles: `src/limit.rs`\n\nAcceptance: `cargo test limit` passes\n\n### T2 Wire it in\n\n\
Files: `src/login.rs`\n\nAcceptance: the sixth request in a minute answers 429\n\n## Dependency Graph\n\n- T1 -> T2\n\n## Acceptance Criteria\n\n\
- The sixth login in one minute from one address answers 429\n- `cargo test limit` passes\n\n## Risk Register\n\n\
| Risk | Likelihood | Impact | Mitigation |\n| --- | --- | --- | --- |\n| Lock-out behind one address | medium | medium | allow list |\n\n\
## Assumptions\n\n- One process serves all logins\n"
    )
}

/// A review with a verdict line, the parts of an architect, and findings.
#[must_use]
pub fn review(mark: &str, verdict: &str, findings: &[(&str, &str, &str)]) -> String {
    let listed: Vec<String> = findings
        .iter()
        .map(|(id, target, severity)| {
            format!(
                r#"{{"finding_id":"{id}","target_id":"{target}","action":"change","severity":"{severity}","evidence":"seen in the draft"}}"#
            )
        })
        .collect();
    format!(
        "# Review {mark}\n\n{verdict}\n\n## Antithesis\n\nA shared store would be exact ({mark}).\n\n## Trade-off Tension\n\nAccuracy against cost.\n\n\
## Synthesis\n\nStart in process.\n\n```ralplan-findings\n{{\"schema\":\"ralplan.findings.v1\",\"findings\":[{}]}}\n```\n",
        listed.join(",")
    )
}

/// A decision record with all six fields.
#[must_use]
pub fn adr() -> String {
    "## Architecture Decision Record\n\n### Decision\n\nLimit in process.\n\n### Drivers\n\nAbuse.\n\n### Alternatives Considered\n\nA shared store.\n\n\
### Why Chosen\n\nNo new service.\n\n### Consequences\n\nPer process counts.\n\n### Follow-ups\n\nMeasure.\n"
        .to_owned()
}
