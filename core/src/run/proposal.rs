//! From a command to the entry it asks for, before any rule has spoken.

use super::actor::{Actor, ActorKind};
use super::command::{Act, Answer, Approval, Assign, Command, Handoff, Record, WaiveReview};
use super::position::{Position, item_digest};
use super::rules::{LEADER, PERSON};
use super::state::State;
use super::write;
use crate::document::nearest;
use crate::json::{is_sha256_hex, sha256_hex};
use crate::ledger::{
    Annotated, Answered, Approved, Assigned, Closed, Configured, Entry, Event, HandedOff, Imported,
    ObservedFacts, Recorded, Recovered, Transferred, Waived,
};
use crate::limits;
use crate::reason::{Code, Reason};
use crate::run::{Observed, Witness};

/// The entry that a command asks for.
pub(crate) struct Proposal {
    pub(crate) event: Event,
    /// Text to be staged, with true when the core made it.
    pub(crate) text: Option<(String, bool)>,
    pub(crate) observed: ObservedFacts,
    /// Reasons that are known before the rules speak.
    pub(crate) reasons: Vec<Reason>,
}

impl Proposal {
    pub(crate) fn plain(event: Event) -> Proposal {
        Proposal { event, text: None, observed: ObservedFacts::default(), reasons: Vec::new() }
    }
}

/// What a command comes to.
pub(crate) enum Proposed {
    /// A new entry.
    New(Box<Proposal>),
    /// Something that is in the ledger already.
    Known(u64),
}

pub(crate) type ProposeResult = Result<Proposed, Vec<Reason>>;

fn new(event: Event) -> ProposeResult {
    Ok(Proposed::New(Box::new(Proposal::plain(event))))
}

/// The entry that a command asks for.
pub(crate) fn propose(
    state: &State,
    position: &Position<'_>,
    command: &Command,
    observed: &Observed,
    witness: Option<&Witness>,
) -> ProposeResult {
    match &command.act {
        // INVARIANT: `decide` handles a start before it comes here.
        Act::Start(_) => Err(vec![Reason::new(Code::RunExists)]),
        Act::Assign(assign) => propose_assign(state, position, command, assign),
        Act::Write(write) => write::propose(state, position, command, write, observed),
        Act::Answer(answer) => propose_answer(state, answer),
        Act::WaiveReview(waive) => propose_waiver(state, position, waive),
        Act::Approval(approval) => propose_approval(state, position, approval),
        Act::Handoff(handoff) => propose_handoff(state, position, handoff, observed),
        Act::Record(record) => propose_record(state, position, record),
        Act::Transfer(transfer) => {
            check_id("owner_session_id", &transfer.owner_session_id)?;
            if transfer.owner_session_id == state.owner_session_id {
                return Ok(Proposed::Known(state.last(|event| matches!(event, Event::Transferred(_)))));
            }
            new(Event::Transferred(Transferred {
                owner_session_id: transfer.owner_session_id.clone(),
                reason: transfer.reason.clone(),
            }))
        }
        Act::Configure(configure) => {
            let reasons = super::settings::check_settings(state.protocol(), &configure.settings);
            if !reasons.is_empty() {
                return Err(reasons);
            }
            let mut changed = state.settings.clone();
            changed.change(&configure.settings);
            if changed.has_values_of(&state.settings) {
                return Ok(Proposed::Known(state.last(|event| matches!(event, Event::Configured(_)))));
            }
            if command.actor.is_person() && configure.channel.is_none() {
                return Err(vec![Reason::new(Code::ApprovalChannel).at("channel")]);
            }
            new(Event::Configured(Configured {
                channel: configure.channel,
                settings: configure.settings.clone(),
            }))
        }
        Act::Annotate(note) => {
            check_text("text", &note.text)?;
            check_id("name", &note.name)?;
            let annotated = Annotated { name: note.name.clone(), text: note.text.clone() };
            let newest = state.entries.iter().rev().find_map(|entry| match &entry.event {
                Event::Annotated(known) if known.name == annotated.name => Some((entry.seq, known)),
                _ => None,
            });
            match newest {
                Some((seq, known)) if *known == annotated => Ok(Proposed::Known(seq)),
                _ => new(Event::Annotated(annotated)),
            }
        }
        Act::Import(import) => {
            state.check_slots("slots", &import.slots)?;
            let slots: Vec<_> =
                import.slots.iter().filter(|slot| !state.foreign.contains(slot)).cloned().collect();
            if slots.is_empty() {
                return Ok(Proposed::Known(state.last(|event| matches!(event, Event::Imported(_)))));
            }
            new(Event::Imported(Imported { slots }))
        }
        Act::Recover(recover) => match witness {
            Some(witness) => state.check_slots("slots", &recover.slots).and_then(|()| {
                new(Event::Recovered(Recovered {
                    lost_entries: witness
                        .seq
                        .saturating_add(1)
                        .saturating_sub(u64::try_from(state.entries.len()).unwrap_or(u64::MAX)),
                    slots: recover.slots.clone(),
                    witness_hash: witness.hash.clone(),
                }))
            }),
            None => Ok(Proposed::Known(state.last(|event| matches!(event, Event::Recovered(_))))),
        },
        Act::Cancel(cancel) => {
            let newest = state.last(|event| matches!(event, Event::Closed(_)));
            if newest > 0 {
                return Ok(Proposed::Known(newest));
            }
            check_optional_text("reason", cancel.reason.as_deref())?;
            new(Event::Closed(Closed { reason: cancel.reason.clone() }))
        }
    }
}

impl State {
    /// The record that a new one would repeat: the same gate or attempt on the same draft, the same phase.
    pub(crate) fn record_like(&self, new: &Recorded) -> Option<(&Entry, &Recorded)> {
        self.records().find(|(_, known)| {
            known.kind == new.kind && known.name == new.name && known.draft_sha256 == new.draft_sha256
        })
    }

    /// Place of the newest entry of a kind; 0, the start, when there is none.
    fn last(&self, is_kind: impl Fn(&Event) -> bool) -> u64 {
        self.entries.iter().rev().find(|entry| is_kind(&entry.event)).map_or(0, |entry| entry.seq)
    }
}

/// The role under which an actor writes.
pub(crate) fn role_of(state: &State, actor: &Actor) -> Result<String, Vec<Reason>> {
    if actor.is_person() {
        return Ok(PERSON.to_owned());
    }
    let known = || state.protocol().roles.keys().cloned().chain([LEADER.to_owned()]).collect::<Vec<_>>();
    match &actor.role {
        None if actor.kind == ActorKind::Host => Ok(LEADER.to_owned()),
        None => Err(vec![Reason::new(Code::InputMissingField).at("actor.role").expected(known())]),
        Some(role) if role == LEADER || state.protocol().roles.contains_key(role) => Ok(role.clone()),
        Some(role) => {
            let reason =
                Reason::new(Code::InputRole).at("actor.role").expected(known()).actual(role.as_str());
            Err(vec![with_nearest(reason, known().iter().map(String::as_str), role)])
        }
    }
}

/// The reason with the nearest known word as its remedy.
pub(crate) fn with_nearest<'a>(reason: Reason, known: impl Iterator<Item = &'a str>, wanted: &str) -> Reason {
    match nearest(known, wanted) {
        Some(word) => reason.remedy(format!("did you mean `{word}`?")),
        None => reason,
    }
}

fn propose_assign(
    state: &State,
    position: &Position<'_>,
    command: &Command,
    assign: &Assign,
) -> ProposeResult {
    if !state.protocol().roles.contains_key(&assign.role) {
        let known: Vec<String> = state.protocol().roles.keys().cloned().collect();
        let reason =
            Reason::new(Code::InputRole).at("role").expected(known.clone()).actual(assign.role.as_str());
        return Err(vec![with_nearest(reason, known.iter().map(String::as_str), &assign.role)]);
    }
    if command.actor.kind == ActorKind::Agent && command.actor.role.as_deref() != Some(LEADER) {
        return Err(vec![Reason::new(Code::IdentityRole).at("actor.role").expected(LEADER)]);
    }
    check_digest("token_sha256", &assign.token_sha256)?;
    check_agent_id("invocation_id", assign.invocation_id.as_deref())?;
    if let Some(seq) = state.tokens.get(&assign.token_sha256) {
        return known_assignment(state, assign, *seq);
    }
    let stage = match &assign.stage {
        Some(stage) => stage.clone(),
        None => super::next::stage_for(state, position, &assign.role)
            .ok_or_else(|| vec![Reason::new(Code::IdentityRole).at("role").actual(assign.role.as_str())])?,
    };
    let slot = write::slot_for(state, position, &stage, &assign.role)?;
    let objections = super::next::preconditions(state, position, &slot, &assign.role);
    if !objections.refusals.is_empty() {
        return Err(objections.refusals);
    }
    let draft_sha256 = position.draft.map(|draft| draft.sha256.clone());
    let mut assigned = Assigned {
        digest: String::new(),
        draft_sha256,
        invocation_id: assign.invocation_id.clone(),
        iteration: slot.iteration,
        pass: slot.pass,
        role: assign.role.clone(),
        stage,
        stage_n: slot.stage_n,
        token_sha256: assign.token_sha256.clone(),
    };
    assigned.digest = super::assignment::digest(state, &assigned);
    new(Event::Assigned(assigned))
}

/// The same assignment again is the same act; its token serves for nothing else.
fn known_assignment(state: &State, assign: &Assign, seq: u64) -> ProposeResult {
    let is_same = state.assigned(seq).is_some_and(|known| {
        let is_stage = assign.stage.as_ref().is_none_or(|stage| *stage == known.stage);
        known.role == assign.role && known.invocation_id == assign.invocation_id && is_stage
    });
    if is_same {
        return Ok(Proposed::Known(seq));
    }
    Err(vec![Reason::new(Code::SlotOccupied).at("token_sha256").expected("a token that was not used before")])
}

fn propose_answer(state: &State, answer: &Answer) -> ProposeResult {
    check_optional_text("text", answer.text.as_deref())?;
    let Some(channel) = answer.channel else {
        return Err(vec![Reason::new(Code::ApprovalChannel).at("channel")]);
    };
    let text_sha256 = answer.text.as_ref().map(|text| sha256_hex(text.as_bytes()));
    // An unknown item has no digest; the rule on items refuses it.
    let item = state.items().into_iter().find(|item| item.item_id == answer.item_id);
    let answered = Answered {
        channel,
        item_id: answer.item_id.clone(),
        item_sha256: item.map(item_digest).unwrap_or_default(),
        outcome: answer.outcome,
        text_sha256: text_sha256.clone(),
    };
    if let Some(seq) = state.answers.get(&answer.item_id)
        && let Some(known) = state.answered(*seq)
        && known.outcome == answer.outcome
        && known.text_sha256 == text_sha256
        && item.is_some_and(|item| state.answer_to(item).is_some())
    {
        return Ok(Proposed::Known(*seq));
    }
    with_words(Event::Answered(answered), answer.text.clone())
}

fn with_words(event: Event, text: Option<String>) -> ProposeResult {
    let text = text.map(|text| (text, true));
    Ok(Proposed::New(Box::new(Proposal { text, ..Proposal::plain(event) })))
}

fn propose_waiver(state: &State, position: &Position<'_>, waive: &WaiveReview) -> ProposeResult {
    check_optional_text("reason", waive.reason.as_deref())?;
    let Some(channel) = waive.channel else {
        return Err(vec![Reason::new(Code::ApprovalChannel).at("channel")]);
    };
    if let Some(seq) = state.iterations.last().and_then(|iteration| iteration.waived) {
        return Ok(Proposed::Known(seq));
    }
    let draft_sha256 = position.draft.map(|draft| draft.sha256.clone()).unwrap_or_default();
    let text_sha256 = waive.reason.as_ref().map(|text| sha256_hex(text.as_bytes()));
    with_words(Event::Waived(Waived { channel, draft_sha256, text_sha256 }), waive.reason.clone())
}

fn propose_approval(state: &State, position: &Position<'_>, approval: &Approval) -> ProposeResult {
    check_optional_text("comments", approval.comments.as_deref())?;
    let Some(channel) = approval.channel else {
        return Err(vec![Reason::new(Code::ApprovalChannel).at("channel")]);
    };
    for (at, digest) in [("final_hash", &approval.final_hash), ("sha256", &approval.sha256)] {
        if let Some(digest) = digest {
            check_digest(at, digest)?;
        }
    }
    if approval.final_hash.is_none() && approval.sha256.is_none() {
        return Err(vec![
            Reason::new(Code::InputMissingField)
                .at("sha256")
                .expected("the digest of the plan that was read"),
        ]);
    }
    let plan = state.answerable_entry(position, approval.answer);
    let plan_digest = plan.and_then(|plan| state.written(plan.seq)).map(|written| written.sha256.clone());
    let comments = approval.comments.clone().filter(|comments| !comments.trim().is_empty());
    let approved = Approved {
        answer: approval.answer,
        channel,
        comments_sha256: comments.as_ref().map(|comments| sha256_hex(comments.as_bytes())),
        final_hash: approval
            .final_hash
            .clone()
            .or_else(|| plan.map(|plan| plan.hash.clone()))
            .unwrap_or_default(),
        sha256: approval.sha256.clone().or(plan_digest).unwrap_or_default(),
        target: approval.target.clone(),
    };
    if let Some(known) = state.approved()
        && known.answer == approved.answer
        && known.final_hash == approved.final_hash
        && known.sha256 == approved.sha256
        && known.comments_sha256 == approved.comments_sha256
        && (known.target == approved.target || approved.target.is_none())
    {
        return Ok(Proposed::Known(state.approval.unwrap_or_default()));
    }
    with_words(Event::Approval(approved), comments)
}

fn propose_handoff(
    state: &State,
    position: &Position<'_>,
    handoff: &Handoff,
    observed: &Observed,
) -> ProposeResult {
    let admitted = state.admitted_target(position);
    let plan = state.plan_entry(position);
    let target =
        handoff.target.clone().or_else(|| admitted.and_then(|admitted| admitted.target).map(str::to_owned));
    if let Some(known) = state.handed_off(handoff.step)
        && (target.is_none() || target.as_ref() == Some(&known.target))
    {
        return Ok(Proposed::Known(state.handoffs.get(&handoff.step).copied().unwrap_or_default()));
    }
    let Some(target) = target else {
        let expected: Vec<String> = state.protocol().admission.targets.keys().cloned().collect();
        if admitted.is_none() {
            let answer = state.approved().map_or("no answer yet", |approved| approved.answer.word());
            return Err(vec![Reason::new(Code::HandoffNotAdmitted).actual(answer)]);
        }
        return Err(vec![Reason::new(Code::InputMissingField).at("target").expected(expected)]);
    };
    let mut proposal_observed = ObservedFacts::default();
    let needed =
        state.protocol().admission.targets.get(&target).and_then(|target| target.needs_fact.as_ref());
    let mut unavailable = None;
    if let Some(name) = needed {
        let Some(fact) = observed.fact(name) else {
            return Err(vec![Reason::new(Code::InputObserved).at("observed.facts").expected(name.as_str())]);
        };
        proposal_observed.facts.push(fact.clone());
        if !fact.available {
            unavailable = Some(fact.detail.clone().unwrap_or_else(|| "not available".to_owned()));
        }
    }
    let event = Event::HandedOff(HandedOff {
        admission: admitted.map_or("none", |admitted| admitted.by).to_owned(),
        final_hash: plan.map(|plan| plan.hash.clone()).unwrap_or_default(),
        sha256: plan
            .and_then(|plan| state.written(plan.seq))
            .map(|written| written.sha256.clone())
            .unwrap_or_default(),
        step: handoff.step,
        target,
        unavailable,
    });
    Ok(Proposed::New(Box::new(Proposal { observed: proposal_observed, ..Proposal::plain(event) })))
}

fn propose_record(state: &State, position: &Position<'_>, record: &Record) -> ProposeResult {
    check_optional_text("reason", record.reason.as_deref())?;
    check_text("name", &record.name)?;
    check_text("outcome", &record.outcome)?;
    if let Some(digest) = &record.evidence_sha256 {
        check_digest("evidence_sha256", digest)?;
    }
    let recorded = Recorded {
        draft_sha256: position.draft.map(|draft| draft.sha256.clone()),
        evidence_sha256: record.evidence_sha256.clone(),
        kind: record.kind,
        name: record.name.clone(),
        outcome: record.outcome.clone(),
        reason: record.reason.clone(),
    };
    let known = state.record_like(&recorded);
    match known {
        Some((entry, known)) if known.outcome == recorded.outcome => Ok(Proposed::Known(entry.seq)),
        Some((_, known)) => {
            let reason = Reason::new(Code::SlotOccupied).at(recorded.name.as_str());
            Err(vec![reason.expected(known.outcome.as_str()).actual(recorded.outcome.as_str())])
        }
        None => new(Event::Recorded(recorded)),
    }
}

/// Refuses an id whose form is not allowed.
pub(crate) fn check_id(at: &str, id: &str) -> Result<(), Vec<Reason>> {
    let starts_well =
        id.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let is_plain = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    if id.len() <= limits::ID_BYTES && starts_well && is_plain && !id.contains("..") {
        return Ok(());
    }
    Err(vec![Reason::new(Code::InputId).at(at).actual(shortened(id))])
}

/// Refuses an agent, invocation, turn or thread id whose form is not allowed.
pub(crate) fn check_agent_id(at: &str, id: Option<&str>) -> Result<(), Vec<Reason>> {
    match id {
        Some(id)
            if id.is_empty()
                || id.len() > limits::AGENT_ID_BYTES
                || !id.bytes().all(|byte| byte.is_ascii_graphic()) =>
        {
            let remedy =
                format!("use 1 to {} printable ASCII characters without blanks", limits::AGENT_ID_BYTES);
            Err(vec![Reason::new(Code::InputId).at(at).actual(shortened(id)).remedy(remedy)])
        }
        _ => Ok(()),
    }
}

pub(crate) fn check_digest(at: &str, digest: &str) -> Result<(), Vec<Reason>> {
    if is_sha256_hex(digest) {
        return Ok(());
    }
    Err(vec![Reason::new(Code::InputDigest).at(at).actual(shortened(digest))])
}

pub(crate) fn check_text(at: &str, text: &str) -> Result<(), Vec<Reason>> {
    if text.len() > limits::TEXT_BYTES {
        let most = u64::try_from(limits::TEXT_BYTES).unwrap_or(u64::MAX);
        return Err(vec![
            Reason::new(Code::InputTooLarge)
                .at(at)
                .expected(most)
                .actual(u64::try_from(text.len()).unwrap_or(u64::MAX)),
        ]);
    }
    if text.contains('\0') {
        return Err(vec![Reason::new(Code::InputNul).at(at)]);
    }
    if text.trim().is_empty() {
        return Err(vec![Reason::new(Code::InputMissingField).at(at).expected("text that is not blank")]);
    }
    Ok(())
}

fn check_optional_text(at: &str, text: Option<&str>) -> Result<(), Vec<Reason>> {
    match text {
        Some(text) if !text.trim().is_empty() => check_text(at, text),
        _ => Ok(()),
    }
}

/// At most 80 characters of a text, for a reason.
pub(crate) fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(80).filter(|letter| !letter.is_control()).collect();
    if text.chars().nth(80).is_some() {
        short.push('…');
    }
    short
}
