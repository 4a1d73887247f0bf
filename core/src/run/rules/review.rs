//! What a review must say, and about what.

use super::Case;
use crate::ledger::{FindingsState, ReviewFacts, Written};
use crate::protocol::{Binding, Class, FindingsRule, Pushback, VerdictMissing};
use crate::reason::{Code, Reason};
use crate::review::Severity;

fn review<'a>(case: &Case<'a>) -> Option<(&'a Written, &'a ReviewFacts)> {
    let written = case.written()?;
    Some((written, written.review.as_ref()?))
}

pub(super) fn binding(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some((_, review)) = review(case) else { return };
    let Some(draft) = case.position.draft else { return };
    match &review.draft_sha256 {
        None if case.state.protocol().review.draft == Binding::Stated => {
            reasons.push(
                Reason::new(Code::ReviewDraftMissing).at("draft_sha256").expected(draft.sha256.as_str()),
            );
        }
        Some(stated) if *stated != draft.sha256 => {
            let reason = Reason::new(Code::ReviewWrongDraft).at("draft_sha256");
            reasons.push(reason.expected(draft.sha256.as_str()).actual(stated.as_str()));
        }
        _ => {}
    }
}

pub(super) fn verdict(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some((written, review)) = review(case) else { return };
    if case.state.protocol().review.verdict_missing != VerdictMissing::Refuse {
        return;
    }
    for missing in review.verdicts.iter().filter(|verdict| verdict.token.is_none()) {
        reasons.push(Reason::new(Code::VerdictMissing).at(missing.axis.as_str()).expected(words(
            case,
            written,
            &missing.axis,
        )));
    }
}

/// The words of an axis of the reviewer's role.
fn words(case: &Case<'_>, written: &Written, axis: &str) -> Vec<String> {
    let role = case.state.protocol().roles.get(&written.role);
    let axis = role.and_then(|role| role.verdict.iter().find(|known| known.axis == axis));
    axis.map(|axis| axis.tokens.iter().map(|token| token.token.clone()).collect()).unwrap_or_default()
}

pub(super) fn findings(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some((written, review)) = review(case) else { return };
    if review.findings_state == FindingsState::Absent
        && case.state.protocol().review.findings == FindingsRule::Required
    {
        reasons.push(Reason::new(Code::FindingMissing).expected("a fenced block `ralplan-findings`"));
    }
    for unreadable in
        written.unreadable.iter().filter(|unreadable| unreadable.code == Code::FindingUnreadable)
    {
        let reason = Reason::new(Code::FindingUnreadable).at(format!("line {}", unreadable.line));
        reasons.push(reason.expected(unreadable.expected.as_str()).actual(unreadable.found.as_str()));
    }
}

pub(super) fn pushback(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some((written, review)) = review(case) else { return };
    let rule = case.state.protocol().pushback;
    if rule == Pushback::Off || case.position.iteration != 1 || review.class != Class::Approve {
        return;
    }
    let others = || case.position.lanes.iter().filter(|lane| lane.role != written.role);
    let completes = others().all(|lane| lane.review.is_some_and(|review| review.class == Class::Approve));
    let watches =
        |review: &ReviewFacts| review.findings.iter().any(|finding| finding.severity >= Severity::Watch);
    let has_finding = watches(review) || others().filter_map(|lane| lane.review).any(watches);
    let is_enough = rule == Pushback::Finding && has_finding;
    if completes && !is_enough {
        let expected = match rule {
            Pushback::Objection => "an objecting verdict in the first pass",
            _ => "a finding of severity watch or block in the first pass",
        };
        reasons.push(Reason::new(Code::PushbackMissing).expected(expected));
    }
}
