//! What documents must hold.

use super::Case;
use crate::protocol::StageKind;
use crate::reason::{Code, Reason};

pub(super) fn document(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    for shortcoming in &written.shortcomings {
        let reason = Reason::new(shortcoming.code).at(format!("line {}", shortcoming.line));
        reasons.push(reason.expected(shortcoming.expected.as_str()).actual(shortcoming.found.as_str()));
    }
}

pub(super) fn interview(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    for unreadable in
        written.unreadable.iter().filter(|unreadable| unreadable.code == Code::InterviewUnreadable)
    {
        let reason = Reason::new(Code::InterviewUnreadable).at(format!("line {}", unreadable.line));
        reasons.push(reason.expected(unreadable.expected.as_str()).actual(unreadable.found.as_str()));
    }
    if written.kind != StageKind::Reconciliation {
        return;
    }
    let unasked: Vec<String> =
        case.state.unasked_items().into_iter().map(|item| item.item_id.clone()).collect();
    if case.state.started.interactive && !unasked.is_empty() {
        reasons.push(Reason::new(Code::InterviewOpen).expected(unasked));
    }
    let Some(facts) = &written.reconciliation else { return };
    if let Some(stated) = facts.stated.as_ref().filter(|stated| **stated != facts.token) {
        reasons
            .push(Reason::new(Code::InterviewToken).expected(facts.token.as_str()).actual(stated.as_str()));
    }
}

pub(super) fn final_binding(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    let Some(facts) = &written.final_facts else { return };
    let reason = || Reason::new(Code::FinalNotReviewed);
    let Some(draft) = case.state.plan_draft(case.position) else {
        reasons.push(reason().at("draft_sha256").actual(facts.draft_sha256.as_str()));
        return;
    };
    if facts.draft_sha256 != draft.sha256 {
        reasons.push(
            reason().at("draft_sha256").expected(draft.sha256.as_str()).actual(facts.draft_sha256.as_str()),
        );
    } else if !facts.is_bound {
        let expected = format!("{} bytes with digest {}, then only sections", draft.bytes, draft.sha256);
        reasons.push(
            reason().at("artifact").expected(expected).actual("other bytes, or text outside a section"),
        );
    }
    let may_add = case
        .state
        .protocol()
        .stages
        .get(&written.stage)
        .map(|stage| stage.may_add.clone())
        .unwrap_or_default();
    let foreign: Vec<String> =
        facts.added.iter().filter(|anchor| !may_add.contains(anchor)).cloned().collect();
    if !foreign.is_empty() {
        reasons.push(reason().at("artifact").expected(may_add).actual(foreign));
    }
}

pub(super) fn size(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    let most = case.state.protocol().budgets.artifact_bytes;
    // What the core joins from accepted parts is not counted again, or a full draft could never be closed.
    let is_composed = written.final_facts.as_ref().is_some_and(|facts| facts.composed);
    if written.bytes > most && !is_composed {
        reasons
            .push(Reason::new(Code::BudgetArtifactBytes).at("artifact").expected(most).actual(written.bytes));
    }
}
