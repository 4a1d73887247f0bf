//! Order, by kind of stage.

use super::Case;
use crate::ledger::{Event, Written};
use crate::protocol::{Numbering, Opens, StageKind};
use crate::reason::{Code, Reason};
use crate::run::position::Join;

pub(super) fn open_run(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    if let Some(outcome) = case.state.closed {
        let is_dispatch_record = matches!(case.event, Event::Recorded(recorded) if recorded.kind == crate::ledger::RecordKind::Phase);
        if !is_dispatch_record {
            reasons.push(Reason::new(Code::RunClosed).actual(outcome.word()));
        }
    }
}

fn of_kind<'a>(case: &Case<'a>, kind: StageKind) -> Option<&'a Written> {
    case.written().filter(|written| written.kind == kind)
}

pub(super) fn stage_number(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    if case.state.protocol().numbering == Numbering::Iteration && written.stage_n != written.iteration {
        reasons.push(
            Reason::new(Code::OrderStageNumber)
                .at("stage_n")
                .expected(written.iteration)
                .actual(written.stage_n),
        );
    }
    let used =
        case.position.lanes.iter().find(|lane| lane.role == written.role).map_or(0, |lane| lane.passes);
    let next = used.saturating_add(1);
    let counts_passes =
        written.kind == StageKind::Review && case.state.protocol().numbering == Numbering::Iteration;
    if counts_passes && written.slot_pass != next {
        reasons.push(Reason::new(Code::OrderPass).at("pass").expected(next).actual(written.slot_pass));
    }
}

pub(super) fn context_order(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = of_kind(case, StageKind::Context) else { return };
    if case.position.draft.is_some() && written.iteration <= case.position.iteration {
        reasons.push(Reason::new(Code::OrderContextLate).at(written.stage.as_str()));
    }
    let missing: Vec<String> = case
        .state
        .missing_contexts()
        .into_iter()
        .take_while(|name| *name != written.stage)
        .map(str::to_owned)
        .collect();
    let is_listed = case.state.protocol().opening.contains(&written.stage);
    if is_listed
        && case.position.draft.is_none()
        && !missing.is_empty()
        && case.state.missing_contexts().contains(&written.stage.as_str())
    {
        reasons.push(Reason::new(Code::OrderContext).at(written.stage.as_str()).expected(missing));
    }
}

pub(super) fn draft_order(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = of_kind(case, StageKind::Draft) else { return };
    let is_first = case.position.draft.is_none();
    let opens =
        case.state.protocol().stages.get(&written.stage).and_then(|stage| stage.opens).unwrap_or(Opens::Any);
    if !opens.fits(is_first) {
        let code = if is_first { Code::OrderOpensAgain } else { Code::OrderOpensFirst };
        let reason = Reason::new(code).at("stage").actual(written.stage.as_str());
        reasons.push(match case.state.protocol().opener(is_first) {
            Some(stage) => reason.expected(stage),
            None => reason,
        });
    }
    if is_first {
        let missing: Vec<String> = case.state.missing_contexts().into_iter().map(str::to_owned).collect();
        if !missing.is_empty() {
            reasons.push(Reason::new(Code::OrderContext).expected(missing));
        }
        return;
    }
    match case.position.join {
        Join::Pending if case.position.awaits_reviews() => reasons.push(missing_reviews(case)),
        _ if !case.position.calls_for_revision => reasons.push(Reason::new(Code::OrderConsensus)),
        _ => {}
    }
}

fn missing_reviews(case: &Case<'_>) -> Reason {
    let missing: Vec<String> = case
        .position
        .lanes
        .iter()
        .filter(|lane| lane.review.is_none())
        .map(|lane| lane.role.to_owned())
        .collect();
    Reason::new(Code::OrderJoin).expected(missing)
}

pub(super) fn review_order(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = of_kind(case, StageKind::Review) else { return };
    if case.position.draft.is_none() {
        reasons.push(Reason::new(Code::OrderNoDraft));
        return;
    }
    if case.state.final_entry().is_some() {
        reasons.push(Reason::new(Code::OrderFinal));
    }
    let own = case.position.lanes.iter().find(|lane| lane.role == written.role);
    let Some(own) = own else { return };
    let earlier = case.position.lanes.iter().filter(|lane| lane.group < own.group);
    let missing: Vec<String> =
        earlier.filter(|lane| lane.review.is_none()).map(|lane| lane.role.to_owned()).collect();
    let is_over = case.state.settings.stop_at_first_objection.value && case.position.has_objection();
    if is_over && own.review.is_none() {
        reasons.push(Reason::new(Code::OrderRound));
    } else if !missing.is_empty() {
        reasons.push(Reason::new(Code::OrderGroup).at(written.role.as_str()).expected(missing));
    }
}

pub(super) fn disposition_order(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    if of_kind(case, StageKind::Disposition).is_some() {
        reasons.push(Reason::new(Code::OrderNoConflict));
    }
}

pub(super) fn closing_order(case: &Case<'_>, reasons: &mut Vec<Reason>) {
    let Some(written) = case.written() else { return };
    if !matches!(written.kind, StageKind::Reconciliation | StageKind::Record | StageKind::Final) {
        return;
    }
    if !case.position.is_closing_open(case.state) {
        reasons.push(match case.position.join {
            Join::Pending => missing_reviews(case),
            _ => objecting_lanes(case),
        });
    }
    let missing: Vec<String> =
        case.state.missing_closing(&written.stage).into_iter().map(str::to_owned).collect();
    if !missing.is_empty() {
        reasons.push(Reason::new(Code::OrderClosing).at(written.stage.as_str()).expected(missing));
    }
    if case.state.final_entry().is_some() {
        reasons.push(Reason::new(Code::OrderFinal).at(written.stage.as_str()));
    }
}

fn objecting_lanes(case: &Case<'_>) -> Reason {
    let said: Vec<String> = case
        .position
        .lanes
        .iter()
        .filter_map(|lane| {
            let review = lane.review?;
            let words: Vec<&str> = review
                .verdicts
                .iter()
                .map(|verdict| verdict.token.as_deref().unwrap_or("no verdict"))
                .collect();
            Some(format!("{}: {}", lane.role, words.join(" / ")))
        })
        .collect();
    Reason::new(Code::OrderNoConsensus).actual(said)
}
