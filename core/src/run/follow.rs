//! What must follow: the facts of an entry that the entries before it determine.
//!
//! An entry whose facts do not follow was not decided by this engine, whatever its hash says. What cannot be derived
//! again, and so can be changed by whoever may rewrite the whole ledger: times, ids and assurance of actors, words of the
//! task, digests of files that are not there, answers of persons, and the observations of the host.

use super::actor::ActorKind;
use super::check::is_time;
use super::compose;
use super::decide::{settle_admission, spent};
use super::decision::Slot;
use super::facts::class_of;
use super::next::preconditions;
use super::position::{Position, item_digest};
use super::proposal::{check_digest, check_id, check_text, role_of};
use super::rules::{self, Case, LEADER, Moment};
use super::settings::check_settings;
use super::state::State;
use super::write::slot_for;
use crate::intake::detect_risks;
use crate::ledger::{Assigned, Entry, Event, HandedOff, ReviewFacts, Stuck, Written};
use crate::limits;
use crate::protocol::{Role, StageKind};
use crate::reason::{Code, Reason};

pub(crate) fn broken(message: &str) -> Reason {
    Reason::new(Code::LedgerBroken).message(message)
}

/// What of entry 0 could not have been started.
pub(crate) fn start_faults(state: &State, entry: &Entry) -> Vec<Reason> {
    let started = &state.started;
    let mut faults = Vec::new();
    if let Err(errors) = crate::protocol::check(&started.protocol) {
        faults.extend(errors.iter().map(Reason::from));
    }
    faults.extend(check_settings(&started.protocol, &started.settings.as_input()));
    faults.extend(state.check_slots("found", &started.found).err().into_iter().flatten());
    faults.extend(check_id("run_id", &started.run_id).err().into_iter().flatten());
    faults.extend(check_id("owner_session_id", &started.owner_session_id).err().into_iter().flatten());
    let position = state.position();
    let case = Case { state, position: &position, actor: &entry.actor, event: &entry.event };
    faults.extend(rules::walk(&case, &[Moment::Precondition, Moment::Content]).refusals);
    faults.extend(check_text("task", &started.task).err().into_iter().flatten());
    if !is_time(&entry.at) {
        faults.push(Reason::new(Code::InputTime).at("at").actual(entry.at.as_str()));
    }
    if started.risks != detect_risks(&started.task) {
        faults.push(broken("the risk words are not those of the task"));
    }
    if started.leader != entry.actor {
        faults.push(broken("the leader is not the one who started the run"));
    }
    faults
}

/// What of an entry does not follow from the entries before it.
pub(crate) fn entry_faults(state: &State, position: &Position<'_>, entry: &Entry) -> Vec<Reason> {
    let mut faults = Vec::new();
    if !is_time(&entry.at) {
        faults.push(Reason::new(Code::InputTime).at("at").actual(entry.at.as_str()));
    }
    let case = Case { state, position, actor: &entry.actor, event: &entry.event };
    let objections = rules::walk(&case, &[Moment::Precondition, Moment::Content]);
    faults.extend(objections.refusals);
    let recorded: Vec<Code> = entry.warnings.iter().map(|warning| warning.code).collect();
    let missing = objections.warnings.iter().filter(|warning| !recorded.contains(&warning.code));
    faults.extend(missing.map(|warning| broken("a warning is not recorded").actual(warning.code.name())));
    if let Some((_, reason)) = spent(state, position, &entry.event) {
        faults.push(reason);
    }
    let found: Vec<Code> = objections.warnings.iter().map(|warning| warning.code).collect();
    // The softened token of an assignment is no fact of the entry, so that warning cannot be derived again.
    let extra = recorded.iter().filter(|code| **code != Code::IdentityToken && !found.contains(code));
    faults.extend(extra.map(|code| broken("a warning does not follow").actual(code.name())));
    match &entry.event {
        Event::Started(_) => faults.push(broken("the run is started twice")),
        Event::Written(written) => check_written(state, position, entry, written, &mut faults),
        Event::Assigned(assigned) => check_assigned(state, position, entry, assigned, &mut faults),
        Event::HandedOff(handed) => check_handed_off(state, position, entry, handed, &mut faults),
        Event::Waived(waived) => same_draft(position, Some(waived.draft_sha256.as_str()), &mut faults),
        Event::Recorded(recorded) => {
            same_draft(position, recorded.draft_sha256.as_deref(), &mut faults);
            if state.record_like(recorded).is_some() {
                faults.push(Reason::new(Code::SlotOccupied).at(recorded.name.as_str()));
            }
        }
        Event::Configured(configured) => {
            faults.extend(check_settings(state.protocol(), &configured.settings));
            if entry.actor.is_person() && configured.channel.is_none() {
                faults.push(Reason::new(Code::ApprovalChannel).at("channel"));
            }
        }
        Event::Imported(imported) => {
            faults.extend(state.check_slots("slots", &imported.slots).err().into_iter().flatten())
        }
        Event::Recovered(recovered) => {
            faults.extend(state.check_slots("slots", &recovered.slots).err().into_iter().flatten());
            // The end that was lost cannot be one that the ledger has.
            if state.entries.iter().any(|known| known.hash == recovered.witness_hash) {
                faults.push(broken("nothing was lost before this was accepted as a loss"));
            }
        }
        Event::Stuck(stuck) => check_stuck(state, position, stuck, &mut faults),
        Event::Answered(answered) => {
            let item = state.items().into_iter().find(|item| item.item_id == answered.item_id);
            if item.is_some_and(|item| item_digest(item) != answered.item_sha256) {
                faults
                    .push(broken("the answer is not about what the item says").at(answered.item_id.as_str()));
            }
        }
        Event::Transferred(transferred) => {
            faults.extend(
                check_id("owner_session_id", &transferred.owner_session_id).err().into_iter().flatten(),
            );
        }
        Event::Annotated(note) => faults.extend(check_text("text", &note.text).err().into_iter().flatten()),
        Event::Approval(_) | Event::Closed(_) => {}
    }
    faults
}

fn check_written(
    state: &State,
    position: &Position<'_>,
    entry: &Entry,
    written: &Written,
    faults: &mut Vec<Reason>,
) {
    match slot_for(state, position, &written.stage, &written.role) {
        Ok(slot) if slot.iteration != written.iteration || slot.pass != written.pass => {
            let expected = format!("iteration {}, pass {}", slot.iteration, slot.pass);
            faults.push(
                broken("iteration or pass does not follow")
                    .expected(expected)
                    .actual(format!("iteration {}, pass {}", written.iteration, written.pass)),
            );
        }
        Ok(_) => {}
        Err(reasons) => faults.extend(reasons),
    }
    match role_of(state, &entry.actor) {
        Ok(role) if role != written.role => {
            let reason = broken("the role is not that of the actor").expected(role);
            faults.push(reason.actual(written.role.as_str()));
        }
        Ok(_) => {}
        Err(reasons) => faults.extend(reasons),
    }
    let most_passes = if written.kind == StageKind::Review { limits::STAGE_NUMBER } else { 1 };
    if !(1..=limits::STAGE_NUMBER).contains(&written.stage_n)
        || !(1..=most_passes).contains(&written.slot_pass)
    {
        faults.push(Reason::new(Code::InputStageNumber).at(written.stage.as_str()).actual(written.stage_n));
    }
    if state.foreign_slot(&written.stage, written.stage_n).is_some() {
        faults.push(Reason::new(Code::SlotOccupied).at(format!("{} {}", written.stage, written.stage_n)));
    }
    if state.slots.contains_key(&(written.stage.clone(), written.stage_n, written.slot_pass)) {
        faults.push(Reason::new(Code::SlotOccupied).at(format!("{} {}", written.stage, written.stage_n)));
    }
    if state.kind_of(&written.stage) != Some(written.kind) {
        faults.push(broken("the kind is not that of the stage").at(written.stage.as_str()));
    }
    let path = state.artifact_path(&written.stage, written.stage_n, written.slot_pass);
    if path != written.path || state.latest_paths(&written.stage) != written.latest {
        faults.push(broken("the path is not that of the slot").expected(path).actual(written.path.as_str()));
    }
    if let (Some(review), Some(role)) = (&written.review, state.protocol().roles.get(&written.role))
        && class_of(role, &review.verdicts) != review.class
    {
        faults.push(broken("the class is not that of the verdict").at(written.role.as_str()));
    }
    if let (Some(review), Some(role)) = (&written.review, state.protocol().roles.get(&written.role))
        && !has_axes_of(role, review)
    {
        faults.push(broken("the verdicts are not on the axes of the role").at(written.role.as_str()));
    }
    if (written.kind == StageKind::Review) != written.review.is_some()
        || (written.kind == StageKind::Reconciliation) != written.reconciliation.is_some()
        || (written.kind == StageKind::Final) != written.final_facts.is_some()
    {
        faults.push(broken("the facts are not those of the kind").at(written.stage.as_str()));
    }
    if let Some(facts) = &written.reconciliation
        && facts.token != state.reconciliation_token()
    {
        faults.push(
            broken("the outcome of the interview does not follow")
                .expected(state.reconciliation_token())
                .actual(facts.token.as_str()),
        );
    }
    if let Some(facts) = &written.reconciliation {
        let open: Vec<&String> = state.open_items().into_iter().map(|item| &item.item_id).collect();
        if !facts.open.iter().eq(open) {
            faults.push(broken("the open items do not follow").at(written.stage.as_str()));
        }
    }
    if let Some(facts) = &written.final_facts {
        let draft = state.plan_draft(position).filter(|_| facts.stuck);
        if facts.unresolved != draft.map(|draft| compose::unresolved(state, draft)).unwrap_or_default() {
            faults.push(broken("what is unresolved does not follow").at(written.stage.as_str()));
        }
        let mut again = written.clone();
        settle_admission(state, position, &mut again, !entry.warnings.is_empty(), &entry.observed);
        let is_stuck = position.is_exhausted && !position.has_consensus();
        if again.final_facts.as_ref() != Some(facts) || facts.stuck != is_stuck {
            faults.push(broken("the admission does not follow").at(written.stage.as_str()));
        }
    }
}

/// True when each axis of the role has one verdict, with a word of the axis or none.
fn has_axes_of(role: &Role, review: &ReviewFacts) -> bool {
    review.verdicts.len() == role.verdict.len()
        && review.verdicts.iter().zip(&role.verdict).all(|(verdict, axis)| {
            let is_word = |word: &String| axis.tokens.iter().any(|token| token.token == *word);
            verdict.axis == axis.axis && verdict.token.as_ref().is_none_or(is_word)
        })
}

fn check_assigned(
    state: &State,
    position: &Position<'_>,
    entry: &Entry,
    assigned: &Assigned,
    faults: &mut Vec<Reason>,
) {
    faults.extend(check_digest("token_sha256", &assigned.token_sha256).err().into_iter().flatten());
    let expected = super::assignment::digest(state, assigned);
    if expected != assigned.digest {
        let reason = broken("the digest of the assignment does not follow").expected(expected);
        faults.push(reason.actual(assigned.digest.as_str()));
    }
    let slot = Slot {
        iteration: assigned.iteration,
        optional: false,
        pass: assigned.pass,
        stage: assigned.stage.clone(),
        stage_n: assigned.stage_n,
    };
    faults.extend(preconditions(state, position, &slot, &assigned.role).refusals);
    match slot_for(state, position, &assigned.stage, &assigned.role) {
        Ok(next)
            if (next.iteration, next.pass, next.stage_n) != (slot.iteration, slot.pass, slot.stage_n) =>
        {
            faults.push(broken("the slot of the assignment does not follow").at(assigned.stage.as_str()));
        }
        Ok(_) => {}
        Err(reasons) => faults.extend(reasons),
    }
    if assigned.draft_sha256.as_ref() != position.draft.map(|draft| &draft.sha256) {
        faults.push(broken("the draft of the assignment is not the current one").at(assigned.stage.as_str()));
    }
    if entry.actor.kind == ActorKind::Agent && entry.actor.role.as_deref() != Some(LEADER) {
        faults.push(Reason::new(Code::IdentityRole).at("actor.role").expected(LEADER));
    }
}

fn check_handed_off(
    state: &State,
    position: &Position<'_>,
    entry: &Entry,
    handed: &HandedOff,
    faults: &mut Vec<Reason>,
) {
    let admission = state.admitted_target(position).map_or("none", |admitted| admitted.by);
    let plan = state.plan_entry(position);
    let digest = plan.and_then(|plan| state.written(plan.seq)).map(|written| written.sha256.as_str());
    let hash = plan.map(|plan| plan.hash.as_str());
    let is_same = handed.admission == admission
        && hash == Some(handed.final_hash.as_str())
        && digest == Some(handed.sha256.as_str());
    if !is_same {
        faults.push(
            broken("the handoff is not that of the admitted plan")
                .expected(hash.unwrap_or_default())
                .actual(handed.final_hash.as_str()),
        );
    }
    let needed =
        state.protocol().admission.targets.get(&handed.target).and_then(|target| target.needs_fact.as_ref());
    let is_known = needed
        .is_none_or(|name| entry.observed.facts.iter().any(|fact| fact.name == *name && fact.available));
    if !is_known {
        faults.push(
            Reason::new(Code::InputObserved).at("observed.facts").expected(needed.map_or("", String::as_str)),
        );
    }
}

fn same_draft(position: &Position<'_>, recorded: Option<&str>, faults: &mut Vec<Reason>) {
    let current = position.draft.map(|draft| draft.sha256.as_str());
    if recorded != current {
        let reason = broken("the draft is not the current one").expected(current.unwrap_or_default());
        faults.push(reason.actual(recorded.unwrap_or_default()));
    }
}

/// A run is pinned by an opener that nothing but the budget keeps out.
fn check_stuck(state: &State, position: &Position<'_>, stuck: &Stuck, faults: &mut Vec<Reason>) {
    let cap = state.settings.max_iterations.value;
    let opener = state.protocol().opener(position.draft.is_none()).unwrap_or_default();
    let writers = state.protocol().stages.get(opener).map(|stage| stage.by.as_slice()).unwrap_or_default();
    let is_only_over_budget = |role: &String| {
        slot_for(state, position, opener, role).is_ok_and(|slot| {
            let refusals = preconditions(state, position, &slot, role).refusals;
            !refusals.is_empty() && refusals.iter().all(|reason| reason.code == Code::BudgetIterations)
        })
    };
    let follows =
        state.stuck.is_none() && !position.has_consensus() && writers.iter().any(is_only_over_budget);
    let is_raised = state.foreign_iterations() > 0;
    let has_counts =
        stuck.cap == cap && stuck.count == position.iteration && stuck.raised_by_files == is_raised;
    if !follows || !has_counts {
        faults.push(
            broken("the run is pinned before its iterations are used up")
                .expected(cap)
                .actual(position.iteration),
        );
    }
}
