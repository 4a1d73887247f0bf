use proptest::prelude::*;

use super::*;
use crate::protocol::Token;

fn axis(name: &str, tokens: &[(&str, Class)], aliases: &[(&str, &str)], labels: &[&str]) -> Axis {
    Axis {
        axis: name.into(),
        tokens: tokens.iter().map(|(token, class)| Token { token: (*token).into(), class: *class }).collect(),
        aliases: aliases.iter().map(|(alias, token)| ((*alias).into(), (*token).into())).collect(),
        labels: labels.iter().map(|label| (*label).into()).collect(),
        flag: false,
        ignore_case: false,
    }
}

fn one() -> Vec<Axis> {
    let tokens = [("APPROVE", Class::Approve), ("ITERATE", Class::Revise), ("REJECT", Class::Reject)];
    let aliases =
        [("OKAY", "APPROVE"), ("APPROVED", "APPROVE"), ("REVISION NEEDED", "ITERATE"), ("REVISE", "ITERATE")];
    vec![axis("verdict", &tokens, &aliases, &[])]
}

fn pair() -> Vec<Axis> {
    let status = [("CLEAR", Class::Approve), ("WATCH", Class::Revise), ("BLOCK", Class::Reject)];
    let decision =
        [("APPROVE", Class::Approve), ("COMMENT", Class::Revise), ("REQUEST CHANGES", Class::Reject)];
    vec![
        axis("status", &status, &[], &["Architectural Status", "architectureStatus", "Status"]),
        axis("decision", &decision, &[], &["Code Review Recommendation", "Recommendation"]),
    ]
}

fn single(text: &str) -> Result<String, VerdictError> {
    read_verdict(text, &one(), "critic").map(|verdict| verdict.tokens["verdict"].clone())
}

fn both(text: &str) -> Result<(String, String), VerdictError> {
    read_verdict(text, &pair(), "architect")
        .map(|verdict| (verdict.tokens["status"].clone(), verdict.tokens["decision"].clone()))
}

#[test]
fn every_shape_of_a_single_verdict_is_read() {
    for (text, token) in [
        ("**Verdict: APPROVE**\n\nThe cache plan is small.", "APPROVE"),
        (
            "# Ralplan Architect Review: Cache\n\n- Reviewer role: architect\n- Verdict: `ITERATE`\n- Sequence: before Critic",
            "ITERATE",
        ),
        ("# Critic Verdict — rename plan\n## 1. Final Verdict\n**ITERATE** — two gaps.", "ITERATE"),
        ("# Critic Review — 예약\n- 대상: plan.md\n- 판정: **ITERATE**", "ITERATE"),
        ("- agent_role: architect\n- verdict: approve", "APPROVE"),
        ("## Verdict: REJECT", "REJECT"),
        ("# Review\n\nProse.\n\n## Verdict\n\n**APPROVE**\n", "APPROVE"),
        ("# Review\n\nProse.\n\n## Verdict\n\n### APPROVE\n", "APPROVE"),
        ("# Review\n\nA.\n\nB.\n\n**Verdict:** ITERATE — because", "ITERATE"),
        ("# Review\n\nA.\n\nB.\n\n- Verdict: REJECT", "REJECT"),
        ("# Review\n\nA.\n\nB.\n\nVerdict: REJECT", "REJECT"),
        ("**[REJECT]**\n\nmore", "REJECT"),
        ("**ITERATE**\n\nmore", "ITERATE"),
        ("ITERATE\n\nmore", "ITERATE"),
        ("# T\n\na\n\nb\n\nc\n\nd\n\n## [APPROVE]\n", "APPROVE"),
        ("# T\n\n## 판정：ITERATE\n", "ITERATE"),
        ("ARCHITECT VERDICT: APPROVE", "APPROVE"),
        ("Final verdict: **APPROVE**", "APPROVE"),
        ("## Verdict (1 paragraph)\n\n**APPROVE.**", "APPROVE"),
        ("Verdict: ✅ APPROVE", "APPROVE"),
        ("✅ **Verdict: APPROVE**", "APPROVE"),
        ("Verdict: OKAY. The plan holds.", "APPROVE"),
        ("Verdict: REVISION NEEDED; two items", "ITERATE"),
        ("Verdict: [ITERATE]", "ITERATE"),
        ("## 최종 판정\n\nREJECT, 근거 부족", "REJECT"),
        ("**판정:**ITERATE", "ITERATE"),
        ("## 裁定\n\nAPPROVE。理由充分", "APPROVE"),
        ("**Verdict**\n\nAPPROVE\n", "APPROVE"),
        ("# Verdict\n\nAPPROVE\n", "APPROVE"),
        ("> the leader wrote this itself\n\n**Verdict: APPROVE**", "APPROVE"),
        ("Verdict: ❌ REJECT", "REJECT"),
        ("Verdict: APPROVE\r\n\r\nmore\r\n", "APPROVE"),
        ("Verdict: APPROVE <!-- note -->", "APPROVE"),
    ] {
        assert_eq!(single(text).as_deref(), Ok(token), "{text:?}");
    }
}

#[test]
fn no_foreign_word_is_read() {
    for word in [
        "APPROVE_WITH_CHANGES",
        "APPROVE-WITH-CHANGES",
        "APPROVE WITH CHANGES",
        "APPROVE_WITH_SYNTHESIS",
        "APPROVE w/caveats",
        "APPROVE w/ caveats",
        "APPROVE-WITH-NOTES",
        "APPROVE WITH AMENDMENTS",
        "APPROVE, with changes",
        "APPROVE — with caveats",
        "APPROVE; but only later",
        "APPROVE. With changes",
        "APPROVE_RESOLVED",
        "ENDORSE_WITH_MINOR_REVISIONS",
        "PROCEED",
        "PROCEED-WITH-CHANGES",
        "CONDITIONAL APPROVAL",
        "CONDITIONAL REJECT",
        "NEEDS-REVISION",
        "NEEDS_PLANNER_REVISION",
        "CRITICAL_REVISION_REQUIRED",
        "READY_FOR_CRITIC",
        "SOUND",
        "APPROVE/ITERATE",
        "APPROVE / ITERATE",
        "APPROVE → ITERATE",
        "APPROVE | ITERATE | REJECT",
        "[APPROVE | REJECT]",
        "APPROVE*",
        "APPROVE?",
        "APPROVE\u{200B}",
        "~~APPROVE~~",
        "<del>APPROVE</del>",
        "~~APPROVE~~ REJECT",
        "not APPROVE",
        "❌ APPROVE",
        "APPROVE-ish",
        "APPROVE. but wait",
        "DISAPPROVE",
        "APPROVE\nwith changes in section 2",
        "APPROVE  \nbut only after the fix",
        "PASS (with caveats)",
        "\"APPROVE\"",
    ] {
        for text in [
            format!("**Verdict:** {word}"),
            format!("# Review\n\n## Verdict\n\n{word}\n"),
            format!("## Verdict: {word}"),
            format!("- Verdict: {word}\n- Verdict: APPROVE"),
            format!("{word}\n"),
        ] {
            assert!(single(&text).is_err(), "{text:?} {:?}", single(&text));
        }
    }
}

#[test]
fn a_foreign_word_is_named_with_its_line() {
    let error = single("# Architect Review\n**Verdict:** APPROVE-WITH-CHANGES").unwrap_err();
    assert_eq!(
        error.problems,
        [VerdictProblem::Unknown {
            axis: "verdict".into(),
            word: "APPROVE-WITH-CHANGES".into(),
            line: 2,
            nearest: Some("APPROVE".into()),
        }]
    );
    assert_eq!(
        error.to_string(),
        "line 2 states `APPROVE-WITH-CHANGES`, which is not a verdict; `APPROVE` would be"
    );
}

#[test]
fn places_that_do_not_count_are_missing() {
    for (text, line) in [
        ("## Ralplan Critic review\n\n```yaml\nverdict: APPROVE\n```\n", 4),
        ("a\n\nb\n\nc\n\n~~~\nVerdict: APPROVE\n~~~", 8),
        ("````\n```\n```\nVerdict: APPROVE\n````", 4),
        ("```\nVerdict: APPROVE\n", 2),
        ("- x\n\n  ```\n  Verdict: APPROVE\n  ```\n", 4),
        ("<!-- note\nVerdict: APPROVE\n-->\n", 2),
        ("<!--\nVerdict: APPROVE\n", 2),
        ("text <!--\nVerdict: APPROVE\n--> text", 2),
        ("> Verdict: APPROVE\n", 1),
        ("> **Verdict: APPROVE**\nlazy\n", 1),
        ("a\n\n    Verdict: APPROVE\n", 3),
        ("---\nverdict: APPROVE\n---\n\nprose\n", 2),
        ("# Verdict: APPROVE\n\nThe plan is good and complete.\n", 1),
        ("# T\n\n<div>\nVerdict: APPROVE\n</div>\n", 4),
    ] {
        let error = single(text).unwrap_err();
        let missing =
            VerdictProblem::Missing { axis: "verdict".into(), where_to_look: MissingHint::Hidden { line } };
        assert_eq!(error.problems, [missing], "{text:?}");
    }
    for text in [
        "",
        "Verdict:",
        "## Verdict\n\n## Next\n",
        "# probe",
        "We APPROVE this plan.",
        "The verdict: APPROVE is near",
        "Approving verdict: APPROVE",
        "# T\n\na\n\nb\n\n## Conclusion\n\nAPPROVE",
        "a\n\nb\n\nc\n\nAPPROVE\n",
        "| Verdict | APPROVE |\n| --- | --- |\n| Verdict | APPROVE |\n",
        "- [ ] APPROVE\n- [x] ITERATE\n",
        "- [ ] Verdict: APPROVE\n",
        "CONSENSUS_APPROVED",
        "I will NOT emit CONSENSUS_APPROVED yet",
    ] {
        assert!(single(text).is_err(), "{text:?}");
    }
}

#[test]
fn lost_line_breaks_are_hinted_at() {
    let text = "## Summary All closed. ## Architectural Status CLEAR ## Code Review Recommendation APPROVE";
    let error = both(text).unwrap_err();
    assert_eq!(
        error.problems[0],
        VerdictProblem::Missing { axis: "status".into(), where_to_look: MissingHint::LineBreaksLost }
    );
    assert_eq!(error.problems.len(), 2);
}

#[test]
fn later_statements_agree_or_refuse() {
    let error = single("Verdict: ITERATE\n\n## Final Verdict: APPROVE\n").unwrap_err();
    assert_eq!(
        error.problems,
        [VerdictProblem::Contradictory {
            axis: "verdict".into(),
            first: "ITERATE".into(),
            second: "APPROVE".into(),
            line: 3,
        }]
    );
    assert_eq!(single("APPROVE\n\n## Final Verdict: APPROVE\n").as_deref(), Ok("APPROVE"));
    assert_eq!(single("Verdict: APPROVE\n\n- Verdict: met\n- Verdict: upheld").as_deref(), Ok("APPROVE"));
    assert!(single("APPROVE\n\nVerdict: REJECT").is_err());
    for later in ["Approved-ish", "iterating", "needs work", "blocked", "conditional", "revised"] {
        assert!(single(&format!("Verdict: APPROVE\n\n- Verdict: {later}")).is_err(), "{later}");
    }
    assert!(single("Verdict: pending\n\nVerdict: APPROVE").is_err());
}

#[test]
fn two_roles_in_one_text_refuse() {
    let text = "# Hand-off\n\n## Architect\nVerdict: APPROVE\n\n## Critic\nVerdict: APPROVE\n";
    assert_eq!(single(text).unwrap_err().problems, [VerdictProblem::TwoRoles { line: 7 }]);
    assert!(single("Architect Verdict: APPROVE\nCritic Verdict: APPROVE\n").is_err());
    assert!(single("## Architect\n### Verdict\nAPPROVE\n## Critic\n### Verdict\nAPPROVE\n").is_err());
    assert!(single("# Architect and Critic\n\n## Critic verdict\nAPPROVE\n").is_ok());
}

#[test]
fn the_role_widens_the_labels() {
    let read = |role| read_verdict("Security Verdict: APPROVE", &one(), role).is_ok();
    assert!(read("security") && !read("critic"));
}

#[test]
fn what_follows_the_word_is_kept() {
    for (text, qualifier) in [
        ("Verdict: APPROVE (leader fallback)", Some("(leader fallback)")),
        ("Verdict: APPROVE (with 2 required patches)", Some("(with 2 required patches)")),
        ("Verdict: ITERATE — two gaps", Some("two gaps")),
        ("Verdict: APPROVE.", None),
    ] {
        let verdict = read_verdict(text, &one(), "critic").unwrap();
        assert_eq!((verdict.qualifier.as_deref(), verdict.line), (qualifier, 1), "{text}");
    }
}

#[test]
fn pairs_are_read_in_every_shape() {
    for (text, status, decision) in [
        ("## Architectural Status\n`WATCH`\n## Code Review Recommendation\n`COMMENT`\n", "WATCH", "COMMENT"),
        (
            "# R\n\n## Architectural Status\n\nBLOCK\n\n## Code Review Recommendation\n\nREQUEST CHANGES — see 1\n",
            "BLOCK",
            "REQUEST CHANGES",
        ),
        (
            "## Verdict\n\n- architectureStatus: CLEAR\n- productStatus: CLEAR\n- codeStatus: WATCH\n- recommendation: APPROVE\n",
            "CLEAR",
            "APPROVE",
        ),
        ("## Status: WATCH\n\n## Recommendation: COMMENT\n", "WATCH", "COMMENT"),
        ("**Verdict:** CLEAR / APPROVE\n", "CLEAR", "APPROVE"),
        ("## Verdict\n\nwatch / comment — one low finding\n", "WATCH", "COMMENT"),
        (
            "Verdict: APPROVE\n\n**Architectural Status:** CLEAR\n**Recommendation:** APPROVE\n",
            "CLEAR",
            "APPROVE",
        ),
        (
            "## Architectural Status\nCLEAR\n\n## Code Review Recommendation\nAPPROVE\n\n- Recommendation: accept it\n",
            "CLEAR",
            "APPROVE",
        ),
        (
            "- Status: final text\n\n## Architectural Status\nCLEAR\n\n## Recommendation\nAPPROVE\n",
            "CLEAR",
            "APPROVE",
        ),
    ] {
        assert_eq!(both(text), Ok((status.into(), decision.into())), "{text:?}");
    }
}

#[test]
fn pairs_that_are_not_clean_are_refused() {
    for text in [
        "Verdict: APPROVE",
        "Status: CLEAR",
        "Verdict: CLEAR / APPROVE w/caveats",
        "Verdict: CLEAR/WATCH / APPROVE",
        "Verdict: CLEAR → APPROVE",
        "Architectural Status: CLEAR_WITH_NOTES\nRecommendation: APPROVE",
        "Architectural Status: CLEAR\nRecommendation: APPROVE WITH CHANGES",
        "Architectural Status: CLEAR\nRecommendation: APPROVE\n\nStatus: BLOCK",
        "Architectural Status: CLEAR\nRecommendation: APPROVE\n\nVerdict: REQUEST CHANGES",
        "Architectural Status: CLEAR\nRecommendation: APPROVE\n\nVerdict: APPROVE-WITH-CHANGES",
        "Verdict: CLEAR / APPROVE\n\nVerdict: WATCH / COMMENT",
        "> Architectural Status: CLEAR\n\nRecommendation: APPROVE",
    ] {
        assert!(both(text).is_err(), "{text:?} {:?}", both(text));
    }
}

#[test]
fn a_present_axis_stays_known_when_the_other_is_missing() {
    let reading = examine_verdict("**Architectural Status: WATCH** — one low finding", &pair(), "architect");
    assert_eq!(reading.axes["status"].as_deref(), Some("WATCH"));
    assert_eq!(reading.axes["decision"], None);
    let missing = VerdictProblem::Missing { axis: "decision".into(), where_to_look: MissingHint::Nothing };
    assert_eq!(reading.problems, [missing]);
}

proptest! {
    #[test]
    fn any_text_is_read_without_panic(text in any::<String>()) {
        let _ = examine_verdict(&text, &one(), "critic");
        let _ = examine_verdict(&text, &pair(), "architect");
    }

    #[test]
    fn what_is_read_as_an_approval_holds_the_word(
        text in "(Verdict|verdict|[:*`#>| _\n-]|APPROVE|ITERATE|okay|WITH|[a-z]|~~|\\[|\\]|```|<!--|-->|\n\n){0,25}"
    ) {
        if let Ok(token) = single(&text) {
            let upper = text.to_uppercase();
            prop_assert!(upper.contains(&token) || upper.contains("OKAY") || upper.contains("REVISE"));
            prop_assert!(!(upper.contains("APPROVE_WITH") && text.lines().count() == 1 && token == "APPROVE" && upper.matches("APPROVE").count() == 1));
        }
    }
}
