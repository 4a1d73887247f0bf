//! From a `write` to the entry it asks for: slot, text, facts.

use super::command::{Command, Write};
use super::compose;
use super::decision::Slot;
use super::facts::{Reading, TextFacts, class_of};
use super::observed::Observed;
use super::position::Position;
use super::proposal::{Proposal, ProposeResult, Proposed, role_of, with_nearest};
use super::state::State;
use crate::json::sha256_hex;
use crate::ledger::{
    AdmissionFacts, AxisVerdict, Event, FinalFacts, FindingsState, ObservedFacts, ReconciliationFacts,
    ReviewFacts, Written,
};
use crate::limits;
use crate::protocol::{Numbering, Role, StageKind};
use crate::reason::{Code, Reason};
use crate::review::VerdictProblem;

/// The slot in which a role writes a stage next.
pub(crate) fn slot_for(
    state: &State,
    position: &Position<'_>,
    stage: &str,
    role: &str,
) -> Result<Slot, Vec<Reason>> {
    let Some(rules) = state.protocol().stages.get(stage) else {
        let known: Vec<String> = state.protocol().stages.keys().cloned().collect();
        let reason = Reason::new(Code::InputStage)
            .at("stage")
            .expected(known.clone())
            .actual(super::proposal::shortened(stage));
        return Err(vec![with_nearest(reason, known.iter().map(String::as_str), stage)]);
    };
    let following = position.iteration.saturating_add(1);
    let iteration = match rules.kind {
        StageKind::Draft => following,
        StageKind::Context if position.draft.is_some() && position.calls_for_revision => following,
        _ => position.iteration.max(1),
    };
    let pass = if rules.kind == StageKind::Review {
        let passes = state.lane_passes.get(role).copied().unwrap_or(0).max(state.foreign_passes(stage));
        passes.saturating_add(1)
    } else {
        0
    };
    // Where numbers are labels, the next one is the first that no foreign file holds.
    let is_held = |number: &u32| state.foreign_slot(stage, *number).is_some();
    let stage_n = (iteration..=limits::STAGE_NUMBER).find(|number| !is_held(number)).unwrap_or(iteration);
    Ok(Slot { iteration, optional: rules.optional, pass, stage: stage.to_owned(), stage_n })
}

/// The entry that a `write` asks for.
pub(crate) fn propose(
    state: &State,
    position: &Position<'_>,
    command: &Command,
    write: &Write,
    observed: &Observed,
) -> ProposeResult {
    let role = role_of(state, &command.actor)?;
    let mut slot = slot_for(state, position, &write.stage, &role)?;
    if let Some(stage_n) = write.stage_n {
        if !(1..=limits::STAGE_NUMBER).contains(&stage_n) {
            return Err(vec![
                Reason::new(Code::InputStageNumber).at("stage_n").expected("1 to 999").actual(stage_n),
            ]);
        }
        slot.stage_n = stage_n;
    }
    check_pass(state, write)?;
    let Some(kind) = state.kind_of(&write.stage) else { return Err(vec![Reason::new(Code::InputStage)]) };
    if let Some(digest) = &write.draft_sha256 {
        super::proposal::check_digest("draft_sha256", digest)?;
    }
    // A review is the work of one lane; no enforcement lets another role speak in it.
    let writers =
        state.protocol().stages.get(&write.stage).map(|stage| stage.by.as_slice()).unwrap_or_default();
    if kind == StageKind::Review && !writers.contains(&role) {
        let reason = Reason::new(Code::IdentityRole).at("role").expected(writers.to_vec());
        return Err(vec![reason.actual(role.as_str())]);
    }
    let (text, is_made) = text_of(state, position, write, kind, observed)?;
    let mut reading = read(state, position, command, write, &role, &slot, &text)?;
    if let Some(seq) = known(state, position, write, &slot, &reading.written) {
        return Ok(Proposed::Known(seq));
    }
    reading.written.slot_pass = write.pass.unwrap_or_else(|| next_pass(state, position, kind, &role));
    occupy(state, &reading.written)?;
    let mut facts = ObservedFacts::default();
    if write.compose {
        facts.artifacts = compose::needed_artifacts(state, position, kind);
    }
    if let Some(name) = super::needs::target_fact(state, kind) {
        match observed.fact(&name) {
            Some(fact) => facts.facts.push(fact.clone()),
            None => return Err(vec![Reason::new(Code::InputObserved).at("observed.facts").expected(name)]),
        }
    }
    reading.written.path = state.artifact_path(&write.stage, slot.stage_n, reading.written.slot_pass);
    Ok(Proposed::New(Box::new(Proposal {
        event: Event::Written(Box::new(reading.written)),
        text: Some((text, is_made)),
        observed: facts,
        reasons: reading.reasons,
    })))
}

/// The text of the artifact, and whether the core made it.
fn text_of(
    state: &State,
    position: &Position<'_>,
    write: &Write,
    kind: StageKind,
    observed: &Observed,
) -> Result<(String, bool), Vec<Reason>> {
    if let Some(text) = &write.artifact {
        check_artifact(text)?;
    }
    if write.compose {
        let text = match kind {
            StageKind::Final => {
                compose::compose_final(state, position, &write.stage, write.artifact.as_deref(), observed)?
            }
            StageKind::Reconciliation => compose::compose_reconciliation(state, observed)?,
            _ => {
                let reason = Reason::new(Code::InputUnknownValue).at("compose");
                return Err(vec![
                    reason.expected("a final or a reconciliation").actual(write.stage.as_str()),
                ]);
            }
        };
        return Ok((text, true));
    }
    let Some(text) = &write.artifact else {
        return Err(vec![Reason::new(Code::InputMissingField).at("artifact")]);
    };
    if text.trim().is_empty() {
        return Err(vec![Reason::new(Code::InputEmpty).at("artifact")]);
    }
    // A text over the limit is refused before it is read any further.
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let most = state.protocol().budgets.artifact_bytes;
    if bytes > most {
        return Err(vec![Reason::new(Code::BudgetArtifactBytes).at("artifact").expected(most).actual(bytes)]);
    }
    if state.protocol().layout.final_newline == "add" && !text.ends_with('\n') {
        return Ok((format!("{text}\n"), true));
    }
    Ok((text.clone(), false))
}

fn check_artifact(text: &str) -> Result<(), Vec<Reason>> {
    if text.starts_with('\u{feff}') {
        return Err(vec![Reason::new(Code::InputByteOrderMark).at("artifact")]);
    }
    if text.contains('\0') {
        return Err(vec![Reason::new(Code::InputNul).at("artifact")]);
    }
    Ok(())
}

struct ReadArtifact {
    written: Written,
    reasons: Vec<Reason>,
}

fn read(
    state: &State,
    position: &Position<'_>,
    command: &Command,
    write: &Write,
    role: &str,
    slot: &Slot,
    text: &str,
) -> Result<ReadArtifact, Vec<Reason>> {
    let Some(stage) = state.protocol().stages.get(&write.stage) else {
        return Err(vec![Reason::new(Code::InputStage)]);
    };
    let targets = position.draft.map(|draft| draft.sections.as_slice()).unwrap_or_default();
    let reading = Reading { protocol: state.protocol(), mode: state.started.mode, stage, role, targets };
    let facts = TextFacts::read(text, &reading);
    let mut reasons = facts.check_limits();
    reasons.extend(closing_faults(state, stage.kind, text));
    let assignment = assignment_of(state, role, write, &mut reasons);
    let stated_draft = write.draft_sha256.clone().or_else(|| {
        assignment.and_then(|seq| state.assigned(seq)).and_then(|assigned| assigned.draft_sha256.clone())
    });
    let review = match (stage.kind, state.protocol().roles.get(role)) {
        (StageKind::Review, Some(rules)) => {
            Some(review_facts(write, rules, &facts, stated_draft.clone(), &mut reasons))
        }
        _ => None,
    };
    let reconciliation = (stage.kind == StageKind::Reconciliation).then(|| ReconciliationFacts {
        open: state.open_items().into_iter().map(|item| item.item_id.clone()).collect(),
        stated: compose::stated_outcome(text),
        token: state.reconciliation_token().to_owned(),
    });
    let final_facts = (stage.kind == StageKind::Final).then(|| final_facts(state, position, write, text));
    let written = Written {
        assignment,
        bytes: facts.bytes,
        final_facts,
        items: facts.items,
        iteration: slot.iteration,
        kind: stage.kind,
        latest: state.latest_paths(&write.stage),
        pass: slot.pass,
        path: String::new(),
        reconciliation,
        review,
        role: role.to_owned(),
        sections: facts.sections,
        sha256: facts.sha256,
        shortcomings: facts.shortcomings,
        slot_pass: 1,
        stage: write.stage.clone(),
        stage_n: slot.stage_n,
        text_sha256: facts.text_sha256,
        unreadable: facts.unreadable,
    };
    super::decide::check_continuity(command, write)?;
    Ok(ReadArtifact { written, reasons })
}

/// What keeps a draft or a record from becoming part of a final later, told while it can still be changed.
fn closing_faults(state: &State, kind: StageKind, text: &str) -> Option<Reason> {
    let final_stage = state.protocol().final_stage()?;
    let may_add = state.protocol().stages.get(final_stage).map(|stage| stage.may_add.as_slice())?;
    let unclosed = || Reason::new(Code::InputUnclosed).at("artifact");
    match kind {
        StageKind::Draft => (!compose::takes_sections(text)).then(unclosed),
        StageKind::Record => match compose::closing_anchors(text, may_add) {
            None => Some(unclosed()),
            Some(added) => {
                let foreign: Vec<String> =
                    added.into_iter().filter(|anchor| !may_add.contains(anchor)).collect();
                let reason = Reason::new(Code::FinalNotReviewed).at("artifact").expected(may_add.to_vec());
                let reason =
                    reason.message("a section of this document may not follow the draft in the final");
                (!foreign.is_empty()).then(|| {
                    reason.actual(foreign).remedy("leave the section out, or put it under an allowed one")
                })
            }
        },
        _ => None,
    }
}

/// The assignment whose token the write carries.
fn assignment_of(state: &State, role: &str, write: &Write, reasons: &mut Vec<Reason>) -> Option<u64> {
    let token = write.token.as_ref()?;
    let digest = sha256_hex(token.as_bytes());
    let active = state.assignments.get(role);
    let found = active
        .filter(|active| state.assigned(active.seq).is_some_and(|assigned| assigned.token_sha256 == digest));
    if found.is_none() {
        let reason = Reason::new(Code::IdentityToken).at("token");
        reasons.push(match active {
            Some(active) => reason.expected(format!("the token of assignment {}", active.seq)),
            None => reason.expected("an assignment of this role"),
        });
    }
    found.map(|active| active.seq)
}

fn review_facts(
    write: &Write,
    role: &Role,
    facts: &TextFacts,
    draft_sha256: Option<String>,
    reasons: &mut Vec<Reason>,
) -> ReviewFacts {
    let mut verdicts = Vec::new();
    for axis in &role.verdict {
        let stated = write.verdicts.iter().find(|stated| stated.axis == axis.axis);
        let read = facts.verdicts.get(&axis.axis).cloned().flatten();
        let words = || axis.tokens.iter().map(|token| token.token.clone()).collect::<Vec<_>>();
        let token = match stated {
            None => read,
            Some(stated) => match axis.word(&stated.token) {
                None => {
                    let reason = Reason::new(Code::VerdictUnknown).at(axis.axis.as_str());
                    let reason = reason.expected(words()).actual(super::proposal::shortened(&stated.token));
                    reasons.push(with_nearest(reason, words().iter().map(String::as_str), &stated.token));
                    None
                }
                Some(word) => {
                    if let Some(read) = read.filter(|read| *read != word) {
                        let reason = Reason::new(Code::VerdictContradictory).at(axis.axis.as_str());
                        reasons.push(reason.expected(word.as_str()).actual(read));
                    }
                    Some(word)
                }
            },
        };
        verdicts.push(AxisVerdict { axis: axis.axis.clone(), token });
    }
    for stated in &write.verdicts {
        if !role.verdict.iter().any(|axis| axis.axis == stated.axis) {
            let known: Vec<String> = role.verdict.iter().map(|axis| axis.axis.clone()).collect();
            reasons.push(
                Reason::new(Code::InputUnknownValue)
                    .at("verdicts")
                    .expected(known)
                    .actual(stated.axis.as_str()),
            );
        }
    }
    reasons.extend(qualifier_fault(role, &verdicts, facts.qualifier.as_deref()));
    reasons.extend(facts.problems.iter().filter_map(|problem| reason_of(problem, role)));
    ReviewFacts {
        class: class_of(role, &verdicts),
        continuity: write.continuity.clone(),
        draft_sha256,
        findings: facts.findings.clone(),
        findings_state: facts.findings_state.unwrap_or(FindingsState::Absent),
        qualifier: facts.qualifier.clone(),
        verdicts,
    }
}

/// A word of another class behind an approving one takes the approval back.
fn qualifier_fault(role: &Role, verdicts: &[AxisVerdict], qualifier: Option<&str>) -> Option<Reason> {
    let qualifier = qualifier?;
    if class_of(role, verdicts) != crate::protocol::Class::Approve {
        return None;
    }
    let words: Vec<String> =
        qualifier.split(|letter: char| !letter.is_alphanumeric()).map(str::to_uppercase).collect();
    let tokens = role.verdict.iter().flat_map(|axis| &axis.tokens);
    let against = tokens.filter(|token| token.class != crate::protocol::Class::Approve);
    let found =
        against.map(|token| token.token.as_str()).find(|token| words.contains(&token.to_uppercase()))?;
    let reason = Reason::new(Code::VerdictContradictory).at("qualifier");
    Some(reason.expected("one verdict").actual(format!("{found} in {qualifier}")))
}

/// A problem of the verdict statement as a reason; a missing one is left to the rule.
fn reason_of(problem: &VerdictProblem, role: &Role) -> Option<Reason> {
    let words: Vec<String> =
        role.verdict.iter().flat_map(|axis| &axis.tokens).map(|token| token.token.clone()).collect();
    match problem {
        VerdictProblem::Missing { .. } => None,
        // A word beside the text stands for an axis that the text leaves unread, but not against a second verdict.
        VerdictProblem::Unknown { word, line, .. } => {
            let reason = Reason::new(Code::VerdictUnknown).at(format!("line {line}"));
            Some(with_nearest(
                reason.expected(words.clone()).actual(word.as_str()),
                words.iter().map(String::as_str),
                word,
            ))
        }
        VerdictProblem::Contradictory { first, second, line, .. } => {
            let reason = Reason::new(Code::VerdictContradictory).at(format!("line {line}"));
            Some(reason.expected(first.as_str()).actual(second.as_str()))
        }
        VerdictProblem::TwoRoles { line } => {
            Some(Reason::new(Code::IdentityTwoRoles).at(format!("line {line}")))
        }
    }
}

fn final_facts(state: &State, position: &Position<'_>, write: &Write, text: &str) -> FinalFacts {
    let draft = state.plan_draft(position);
    let draft_sha256 =
        write.draft_sha256.clone().or_else(|| draft.map(|draft| draft.sha256.clone())).unwrap_or_default();
    // What follows is read against the draft that the final names, so that the file alone tells it again.
    let named = state.iteration_of(&draft_sha256).and_then(|iteration| state.written(iteration.draft));
    let tail = named.and_then(|draft| compose::read_tail(text, draft.bytes, &draft.sha256));
    let stuck = position.is_exhausted && !position.has_consensus();
    FinalFacts {
        added: tail.as_ref().map(|tail| tail.added.clone()).unwrap_or_default(),
        // Settled after the rules have spoken.
        admission: AdmissionFacts {
            configured: String::new(),
            effective: "off".to_owned(),
            reason: None,
            source: String::new(),
        },
        composed: write.compose,
        draft_sha256,
        is_bound: tail.is_some_and(|tail| tail.is_sections_only),
        stuck,
        unresolved: draft
            .filter(|_| stuck)
            .map(|draft| compose::unresolved(state, draft))
            .unwrap_or_default(),
    }
}

/// The place of the same artifact, when the ledger holds it already.
fn known(
    state: &State,
    position: &Position<'_>,
    write: &Write,
    slot: &Slot,
    written: &Written,
) -> Option<u64> {
    let is_same = |seq: &u64| {
        state.written(*seq).is_some_and(|known| {
            let verdicts = |written: &Written| written.review.as_ref().map(|review| review.verdicts.clone());
            known.stage == written.stage
                && known.sha256 == written.sha256
                && verdicts(known) == verdicts(written)
                && write.pass.is_none_or(|pass| pass == known.slot_pass)
                && !(written.kind == StageKind::Review && has_newer_assignment(written, known))
        })
    };
    let in_slot = state
        .slots
        .range((write.stage.clone(), slot.stage_n, 0)..=(write.stage.clone(), slot.stage_n, u32::MAX))
        .map(|(_, seq)| *seq)
        .find(is_same);
    if in_slot.is_some() || write.stage_n.is_some() {
        return in_slot;
    }
    // Without a number, the same text as the newest artifact of the stage is the same act again, unless something
    // tells that it is meant for a later draft.
    let newest = state.artifacts().filter(|(_, known)| known.stage == write.stage).last();
    let (entry, known) = newest.filter(|(entry, _)| is_same(&entry.seq))?;
    let is_retry = !has_newer_assignment(written, known)
        && !is_for_another_draft(state, position, write, entry.seq, known);
    is_retry.then_some(entry.seq)
}

/// True when an artifact carries the token of another assignment than the known one did.
fn has_newer_assignment(written: &Written, known: &Written) -> bool {
    written.assignment.is_some() && written.assignment != known.assignment
}

/// True when a write that repeats a known artifact is about a later draft than that artifact was.
fn is_for_another_draft(
    state: &State,
    position: &Position<'_>,
    write: &Write,
    seq: u64,
    known: &Written,
) -> bool {
    let review = known.review.as_ref().and_then(|review| review.draft_sha256.as_ref());
    let read = review.or(known.final_facts.as_ref().map(|facts| &facts.draft_sha256));
    if let (Some(stated), Some(read)) = (&write.draft_sha256, read) {
        return stated != read;
    }
    let token = write.token.as_ref().map(|token| sha256_hex(token.as_bytes()));
    let held = known.assignment.and_then(|seq| state.assigned(seq)).map(|assigned| &assigned.token_sha256);
    if token.is_some() && token.as_ref() == held {
        return false;
    }
    let follows_a_draft = !matches!(known.kind, StageKind::Context | StageKind::Draft);
    follows_a_draft && position.draft.is_some() && seq < position.draft_seq
}

/// The pass inside the iteration that a review takes.
fn next_pass(state: &State, position: &Position<'_>, kind: StageKind, role: &str) -> u32 {
    if kind != StageKind::Review || state.protocol().numbering == Numbering::Label {
        return 1;
    }
    let used = position.lanes.iter().find(|lane| lane.role == role).map_or(0, |lane| lane.passes);
    let has_room = used < state.settings.max_passes_per_lane.value;
    if has_room { used.saturating_add(1) } else { used.max(1) }
}

/// Refuses a pass that no slot has: only reviews have more than one.
fn check_pass(state: &State, write: &Write) -> Result<(), Vec<Reason>> {
    let most = if state.kind_of(&write.stage) == Some(StageKind::Review) { limits::STAGE_NUMBER } else { 1 };
    match write.pass {
        Some(pass) if !(1..=most).contains(&pass) => {
            let reason = Reason::new(Code::InputStageNumber).at("pass");
            Err(vec![reason.expected(format!("1 to {most}")).actual(pass)])
        }
        _ => Ok(()),
    }
}

/// Refuses a slot that holds something else, and a path that has a meaning already.
fn occupy(state: &State, written: &Written) -> Result<(), Vec<Reason>> {
    let key = (written.stage.clone(), written.stage_n, written.slot_pass);
    let place = format!("{} {}", written.stage, written.stage_n);
    if let Some(known) = state.slots.get(&key).and_then(|seq| state.written(*seq)) {
        let reason = Reason::new(Code::SlotOccupied).at(place);
        return Err(vec![reason.expected(known.sha256.as_str()).actual(written.sha256.as_str())]);
    }
    let path = state.artifact_path(&written.stage, written.stage_n, written.slot_pass);
    let other =
        state.artifacts().find(|(_, other)| other.path == path || written.latest.contains(&other.path));
    if let Some((_, other)) = other {
        let reason = Reason::new(Code::SlotOccupied).at(path);
        return Err(vec![reason.expected(other.sha256.as_str()).actual(written.sha256.as_str())]);
    }
    if let Some(foreign) = state.foreign_slot(&written.stage, written.stage_n) {
        let reason = Reason::new(Code::SlotOccupied).at(place);
        return Err(vec![reason.expected(foreign.sha256.as_str()).actual(written.sha256.as_str())]);
    }
    Ok(())
}
