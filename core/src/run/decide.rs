//! The decision: from a command to what the host must do.

use super::actor::Actor;
use super::check::{check_folder_id, check_slots, is_time};
use super::command::{Act, Command, Start, Write};
use super::decision::{Budget, Decision, Effect, Next, Phase, Receipt, Tip};
use super::observed::Observed;
use super::position::{Join, Position};
use super::proposal::{Proposal, Proposed, check_agent_id, check_id, check_text, propose, shortened};
use super::rules::{self, Case, Moment, Objections};
use super::settings::{Settings, check_settings};
use super::state::State;
use super::{Health, Run};
use crate::intake::detect_risks;
use crate::json::sha256_hex;
use crate::ledger::{
    AdmissionFacts, ENTRY_SCHEMA, Entry, Event, Mode, NO_PREDECESSOR, ObservedFacts, Started, Stuck, Warning,
    Written,
};
use crate::limits;
use crate::protocol::StageKind;
use crate::reason::{Code, Reason};

const ALL: &[Moment] = &[Moment::Precondition, Moment::Content];

impl Run {
    /// Decides a command. Pure: the same run, command and observations give the same decision.
    #[must_use]
    pub fn decide(&self, command: &Command, observed: &Observed) -> Decision {
        if let Err(reasons) = check_envelope(command) {
            return self.refuse(reasons);
        }
        if let Some(reason) = self.write_obstacle(command) {
            return self.refuse(vec![reason]);
        }
        match (&self.state, &command.act) {
            (None, Act::Start(start)) => self.decide_start(command, start),
            (None, _) => self.refuse(vec![Reason::new(Code::RunNotStarted)]),
            (Some(state), Act::Start(start)) => self.decide_restart(state, command, start),
            (Some(state), _) => self.decide_act(state, command, observed),
        }
    }

    fn refuse(&self, reasons: Vec<Reason>) -> Decision {
        Decision::Refused { next: self.next(), reasons }
    }

    /// Why nothing can be written to this ledger now.
    fn write_obstacle(&self, command: &Command) -> Option<Reason> {
        match &self.health {
            Health::Ok | Health::Torn { .. } => None,
            Health::Shortened { .. } if matches!(command.act, Act::Recover(_)) => None,
            other => other.reason(),
        }
    }

    fn decide_start(&self, command: &Command, start: &Start) -> Decision {
        let started = match started(command, start) {
            Ok(started) => started,
            Err(reasons) => return self.refuse(reasons),
        };
        let event = Event::Started(Box::new(started));
        let entry = blank(command, event);
        let Some(state) = State::begin(entry.clone(), Tip::default()) else {
            return self.refuse(vec![Reason::new(Code::RunNotStarted)]);
        };
        let position = state.position();
        let case = Case { state: &state, position: &position, actor: &command.actor, event: &entry.event };
        let objections = rules::walk(&case, ALL);
        if !objections.refusals.is_empty() {
            return self.refuse(objections.refusals);
        }
        self.accept(None, entry, objections.warnings, None)
    }

    fn decide_restart(&self, state: &State, command: &Command, start: &Start) -> Decision {
        let settings = Settings::resolve(state.protocol(), &start.settings);
        let is_same = state.started.run_id == start.run_id
            && state.started.task == start.task
            && *state.protocol() == *start.protocol
            && state.started.settings.has_values_of(&settings);
        if is_same {
            return self.duplicate(state, command, 0);
        }
        let reason = Reason::new(Code::RunExists).at(start.run_id.as_str());
        self.refuse(vec![reason.expected(shortened(&state.started.task)).actual(shortened(&start.task))])
    }

    fn decide_act(&self, state: &State, command: &Command, observed: &Observed) -> Decision {
        if let Some(owner) = command.owner.as_ref().filter(|owner| **owner != state.owner_session_id) {
            let reason = Reason::new(Code::RunOwner).at("owner");
            return self
                .refuse(vec![reason.expected(state.owner_session_id.as_str()).actual(owner.as_str())]);
        }
        let position = state.position();
        let witness = match &self.health {
            Health::Shortened { witness, .. } => Some(witness),
            _ => None,
        };
        let proposal = match propose(state, &position, command, observed, witness) {
            Ok(Proposed::Known(seq)) => return self.duplicate(state, command, seq),
            Ok(Proposed::New(proposal)) => proposal,
            Err(reasons) => {
                // An assignment beyond a budget is as good as the write that it would be for.
                let spent =
                    reasons.first().and_then(spent_by).filter(|_| matches!(command.act, Act::Assign(_)));
                let is_only = reasons.iter().all(|reason| spent_by(reason) == spent);
                return match spent.filter(|_| is_only) {
                    Some(budget) => self.exhausted(state, &position, command, budget, reasons),
                    None => self.refuse(reasons),
                };
            }
        };
        if let Some(reason) = limit_obstacle(state, command) {
            return self.refuse(vec![reason]);
        }
        let Proposal { mut event, text, observed: facts, reasons } = *proposal;
        let mut objections = Objections::default();
        objections.add(state, reasons);
        let case = Case { state, position: &position, actor: &command.actor, event: &event };
        let walked = rules::walk(&case, ALL);
        objections.refusals.extend(walked.refusals);
        objections.warnings.extend(walked.warnings);
        let spent = spent(state, &position, &event);
        // Beyond a budget nobody is handed an assignment, so its absence is not what decides.
        let is_unassigned = |reason: &Reason| reason.code == Code::IdentityAssignment;
        if !objections.refusals.iter().all(|reason| spent.is_some() && is_unassigned(reason)) {
            return self.refuse(objections.refusals);
        }
        if let Some((budget, reason)) = spent {
            return self.exhausted(state, &position, command, budget, vec![reason]);
        }
        if let Event::Written(written) = &mut event {
            settle_admission(state, &position, written, !objections.warnings.is_empty(), &facts);
        }
        let entry = Entry { observed: facts, ..blank(command, event) };
        self.accept(Some(state), entry, objections.warnings, text.as_ref())
    }

    /// The decision when a budget is used up.
    fn exhausted(
        &self,
        state: &State,
        position: &Position<'_>,
        command: &Command,
        budget: Budget,
        reasons: Vec<Reason>,
    ) -> Decision {
        let pins = budget == Budget::Iterations
            && matches!(command.act, Act::Write(_) | Act::Assign(_))
            && state.stuck.is_none()
            && !position.has_consensus();
        let mut effects = Vec::new();
        let mut markers = Vec::new();
        let mut next = self.next();
        if pins {
            let stuck = Event::Stuck(Stuck {
                cap: state.settings.max_iterations.value,
                count: position.iteration,
                raised_by_files: state.foreign_iterations() > 0,
            });
            if let Some(sealed) = self.seal(Some(state), blank(command, stuck), &[]) {
                effects = self.effects(&sealed, None, Some(state));
                next = sealed.after.next();
                markers.extend(state.protocol().markers.get("stuck").cloned());
            }
        }
        Decision::Exhausted { budget, effects, markers, next, reasons, stuck: pins || state.stuck.is_some() }
    }

    fn duplicate(&self, state: &State, command: &Command, seq: u64) -> Decision {
        let Some(entry) = state.entry(seq) else {
            return self.refuse(vec![Reason::new(Code::LedgerBroken)]);
        };
        let mut effects = Vec::new();
        if let Health::Torn { keep_bytes } = &self.health {
            effects.push(Effect::Repair { keep_bytes: *keep_bytes });
        }
        match &entry.event {
            Event::Written(written) => {
                // A documented name belongs to the newest artifact that holds it, not to one that is submitted again.
                let is_newest = |name: &String| {
                    let newest = state.artifacts().filter(|(_, other)| other.latest.contains(name)).last();
                    newest.is_some_and(|(newest, _)| newest.seq == seq)
                };
                effects.extend(publish(written).into_iter().filter(|effect| match effect {
                    Effect::Publish { path, .. } => *path == written.path || is_newest(path),
                    _ => true,
                }));
            }
            event => effects.extend(republish_words(state, command, event)),
        }
        Decision::Duplicate {
            effects,
            next: self.next(),
            receipt: Box::new(Receipt::of(entry, state)),
            warnings: entry.warnings.iter().map(Reason::from).collect(),
        }
    }

    fn accept(
        &self,
        state: Option<&State>,
        entry: Entry,
        warnings: Vec<Reason>,
        text: Option<&(String, bool)>,
    ) -> Decision {
        let Some(sealed) = self.seal(state, entry, &warnings) else {
            return self.refuse(vec![Reason::new(Code::InputNumber)]);
        };
        let effects = self.effects(&sealed, text, state);
        let position = sealed.after.position();
        Decision::Accepted {
            effects,
            markers: markers(&sealed.after, &position, &sealed.entry.event),
            next: sealed.after.next(),
            receipt: Box::new(Receipt::of(&sealed.entry, &sealed.after)),
            warnings,
        }
    }

    /// Completes an entry and folds it, so that the decision can say what comes next.
    fn seal(&self, state: Option<&State>, mut entry: Entry, warnings: &[Reason]) -> Option<Sealed> {
        entry.seq = state.map_or(0, |state| u64::try_from(state.entries.len()).unwrap_or(u64::MAX));
        entry.prev = state.map_or_else(|| NO_PREDECESSOR.to_owned(), |state| state.tip.head.clone());
        entry.warnings = warnings.iter().map(Warning::from).collect();
        let (entry, line) = Entry::seal(entry).ok()?;
        let bytes = state
            .map_or(0, |state| state.tip.bytes)
            .saturating_add(u64::try_from(line.len()).unwrap_or(u64::MAX));
        let tip = Tip { bytes, head: entry.hash.clone() };
        let after = match state {
            None => State::begin(entry.clone(), tip)?,
            Some(state) => {
                let mut after = state.clone();
                after.apply(entry.clone(), tip);
                after
            }
        };
        Some(Sealed { entry, line, after })
    }

    fn effects(&self, sealed: &Sealed, text: Option<&(String, bool)>, state: Option<&State>) -> Vec<Effect> {
        let mut effects = Vec::new();
        if let Health::Torn { keep_bytes } = &self.health {
            effects.push(Effect::Repair { keep_bytes: *keep_bytes });
        }
        if let Some((text, is_made)) = text {
            effects.push(Effect::Stage {
                sha256: sha256_hex(text.as_bytes()),
                bytes: u64::try_from(text.len()).unwrap_or(u64::MAX),
                text: is_made.then(|| text.clone()),
            });
        }
        let expected = match state {
            Some(state) => state.tip.clone(),
            None => Tip { bytes: 0, head: NO_PREDECESSOR.to_owned() },
        };
        effects.push(Effect::Append { line: sealed.line.clone(), expected });
        match &sealed.entry.event {
            Event::Written(written) => effects.extend(publish(written)),
            _ => {
                if let Some((text, _)) = text {
                    let sha256 = sha256_hex(text.as_bytes());
                    effects.push(Effect::Publish { path: sealed.after.note_path(&sha256), sha256 });
                }
            }
        }
        effects
    }
}

struct Sealed {
    entry: Entry,
    line: String,
    after: State,
}

/// The effects that put the words of a person back beside the ledger, when the same act brings them again.
fn republish_words(state: &State, command: &Command, event: &Event) -> Vec<Effect> {
    let (words, digest) = match (&command.act, event) {
        (Act::Answer(answer), Event::Answered(answered)) => (&answer.text, &answered.text_sha256),
        (Act::WaiveReview(waive), Event::Waived(waived)) => (&waive.reason, &waived.text_sha256),
        (Act::Approval(approval), Event::Approval(approved)) => {
            (&approval.comments, &approved.comments_sha256)
        }
        _ => return Vec::new(),
    };
    let (Some(words), Some(sha256)) = (words, digest) else { return Vec::new() };
    if sha256_hex(words.as_bytes()) != *sha256 {
        return Vec::new();
    }
    let bytes = u64::try_from(words.len()).unwrap_or(u64::MAX);
    vec![
        Effect::Stage { sha256: sha256.clone(), bytes, text: Some(words.clone()) },
        Effect::Publish { path: state.note_path(sha256), sha256: sha256.clone() },
    ]
}

/// The effects that give an artifact its visible names.
fn publish(written: &Written) -> Vec<Effect> {
    std::iter::once(&written.path)
        .chain(&written.latest)
        .map(|path| Effect::Publish { path: path.clone(), sha256: written.sha256.clone() })
        .collect()
}

/// An entry that is not sealed yet.
fn blank(command: &Command, event: Event) -> Entry {
    Entry {
        actor: command.actor.clone(),
        at: command.at.clone(),
        event,
        hash: String::new(),
        observed: ObservedFacts::default(),
        prev: NO_PREDECESSOR.to_owned(),
        schema: ENTRY_SCHEMA.to_owned(),
        seq: 0,
        warnings: Vec::new(),
    }
}

fn check_envelope(command: &Command) -> Result<(), Vec<Reason>> {
    if !is_time(&command.at) {
        return Err(vec![Reason::new(Code::InputTime).at("at").actual(shortened(&command.at))]);
    }
    let Actor { role, agent_id, invocation_id, session_id, turn_id, .. } = &command.actor;
    check_agent_id("actor.agent_id", agent_id.as_deref())?;
    check_agent_id("actor.invocation_id", invocation_id.as_deref())?;
    check_agent_id("actor.session_id", session_id.as_deref())?;
    check_agent_id("actor.turn_id", turn_id.as_deref())?;
    if let Some(role) = role {
        check_id("actor.role", role)?;
    }
    Ok(())
}

/// Checks the ids of a continuity object.
pub(crate) fn check_continuity(_: &Command, write: &Write) -> Result<(), Vec<Reason>> {
    let Some(continuity) = &write.continuity else { return Ok(()) };
    check_agent_id("continuity.lane_id", continuity.lane_id.as_deref())?;
    check_agent_id("continuity.thread_id", continuity.thread_id.as_deref())?;
    check_agent_id("continuity.attempted_id", continuity.attempted_id.as_deref())
}

fn limit_obstacle(state: &State, command: &Command) -> Option<Reason> {
    let entries = u64::try_from(state.entries.len()).unwrap_or(u64::MAX);
    // The last ten entries are kept for the acts that end a run, the very last one for cancelling it.
    let (most, is_full) = match command.act {
        Act::Cancel(_) => (limits::LEDGER_ENTRIES, false),
        Act::Approval(_) | Act::Handoff(_) => (limits::LEDGER_ENTRIES.saturating_sub(1), false),
        _ => (limits::LEDGER_ENTRIES.saturating_sub(10), state.tip.bytes >= limits::LEDGER_BYTES),
    };
    (entries >= most || is_full)
        .then(|| Reason::new(Code::LedgerLimit).expected(limits::LEDGER_ENTRIES).actual(entries))
}

fn started(command: &Command, start: &Start) -> Result<Started, Vec<Reason>> {
    check_id("run_id", &start.run_id)?;
    check_id("owner_session_id", &start.owner_session_id)?;
    check_folder_id("run_id", &start.run_id)?;
    check_folder_id("owner_session_id", &start.owner_session_id)?;
    if let Some(continued) = &start.continues {
        check_id("continues", continued)?;
    }
    if start.task.len() > limits::TASK_BYTES {
        return Err(vec![
            Reason::new(Code::InputTooLarge)
                .at("task")
                .expected(u64::try_from(limits::TASK_BYTES).unwrap_or(u64::MAX)),
        ]);
    }
    check_text("task", &start.task)?;
    crate::protocol::check(&start.protocol)
        .map_err(|errors| errors.iter().map(Reason::from).collect::<Vec<_>>())?;
    check_slots("found", &start.found, &start.protocol)?;
    let wrong = check_settings(&start.protocol, &start.settings);
    if !wrong.is_empty() {
        return Err(wrong);
    }
    let risks = detect_risks(&start.task);
    let deliberate = start.deliberate.unwrap_or(!risks.is_empty());
    Ok(Started {
        ask_first: start.ask_first,
        binding: start.binding.clone(),
        continues: start.continues.clone(),
        found: start.found.clone(),
        host: start.host.clone(),
        interactive: start.interactive,
        isolation: start.isolation,
        leader: command.actor.clone(),
        mode: if deliberate { Mode::Deliberate } else { Mode::Short },
        owner_session_id: start.owner_session_id.clone(),
        protocol: start.protocol.as_ref().clone(),
        risks,
        rules: super::RULES_NUMBER,
        run_id: start.run_id.clone(),
        settings: Settings::resolve(&start.protocol, &start.settings),
        task: start.task.clone(),
    })
}

/// The budget that a reason is about.
fn spent_by(reason: &Reason) -> Option<Budget> {
    match reason.code {
        Code::BudgetIterations => Some(Budget::Iterations),
        Code::BudgetPasses => Some(Budget::Passes),
        _ => None,
    }
}

/// The budget that an event would exceed.
pub(crate) fn spent(state: &State, position: &Position<'_>, event: &Event) -> Option<(Budget, Reason)> {
    let cap = state.settings.max_iterations.value;
    let iterations = || {
        let reason =
            Reason::new(Code::BudgetIterations).expected(cap).actual(position.iteration.saturating_add(1));
        (Budget::Iterations, reason.at(format!("max_iterations ({})", state.settings.max_iterations.source)))
    };
    match event {
        Event::Written(written)
            if written.kind == StageKind::Draft && (written.iteration > cap || state.stuck.is_some()) =>
        {
            Some(iterations())
        }
        Event::Approval(approved)
            if approved.answer == crate::ledger::ApprovalAnswer::RequestChanges
                && (position.iteration >= cap || state.stuck.is_some()) =>
        {
            Some(iterations())
        }
        Event::Written(written) if written.kind == StageKind::Review => {
            let most = state.settings.max_passes_per_lane.value;
            let lane = position.lanes.iter().find(|lane| lane.role == written.role)?;
            (lane.passes >= most).then(|| {
                let reason = Reason::new(Code::BudgetPasses).at(written.role.as_str());
                (Budget::Passes, reason.expected(most).actual(lane.passes.saturating_add(1)))
            })
        }
        _ => None,
    }
}

/// Fills in what admits a final.
pub(crate) fn settle_admission(
    state: &State,
    position: &Position<'_>,
    written: &mut Written,
    has_warnings: bool,
    observed: &ObservedFacts,
) {
    let weakest = state.weakest;
    let draft_warnings = state.entry(position.draft_seq).is_some_and(|entry| !entry.warnings.is_empty());
    let reviews_warn = state
        .iterations
        .last()
        .into_iter()
        .flat_map(|iteration| iteration.reviews.values().flatten())
        .any(|seq| state.entry(*seq).is_some_and(|entry| !entry.warnings.is_empty()));
    let Some(facts) = &mut written.final_facts else { return };
    let setting = &state.settings.automatic_handoff;
    let target = state.protocol().admission.targets.get(&setting.value);
    let unavailable = target.and_then(|target| target.needs_fact.as_ref()).and_then(|name| {
        let fact = observed.facts.iter().find(|fact| fact.name == *name);
        let detail = fact.map_or(Some("not observed"), |fact| {
            (!fact.available).then(|| fact.detail.as_deref().unwrap_or("not available"))
        });
        detail.map(|detail| format!("{}_unavailable:{detail}", setting.value))
    });
    let reason = if facts.stuck || state.stuck.is_some() {
        Some("planning_stuck".to_owned())
    } else if setting.value == "off" {
        None
    } else if position.join == Join::Waived {
        Some("consensus_waived".to_owned())
    } else if !position.has_consensus() {
        Some("join_incomplete".to_owned())
    } else if has_warnings || draft_warnings || reviews_warn {
        Some("warnings".to_owned())
    } else if !state.open_items().is_empty() {
        Some("open_items".to_owned())
    } else if weakest.is_none_or(|weakest| weakest < state.protocol().identity.assurance.automatic) {
        Some(format!("assurance:{}", weakest.map_or("none", super::actor::Assurance::word)))
    } else {
        unavailable
    };
    let effective = if reason.is_some() { "off" } else { setting.value.as_str() };
    facts.admission = AdmissionFacts {
        configured: setting.value.clone(),
        effective: effective.to_owned(),
        reason,
        source: setting.source.clone(),
    };
}

/// The lines to print for milestones that an event reached.
fn markers(after: &State, position: &Position<'_>, event: &Event) -> Vec<String> {
    let Event::Written(written) = event else { return Vec::new() };
    let mut milestones = Vec::new();
    match written.kind {
        StageKind::Context if after.protocol().stages.get(&written.stage).is_some_and(|stage| stage.asks) => {
            milestones.push("questions");
        }
        StageKind::Draft => {
            milestones.push("draft");
            if after.started.mode == Mode::Deliberate && written.shortcomings.is_empty() {
                milestones.push("deliberate");
            }
        }
        StageKind::Review if position.join == Join::Consensus => milestones.push("consensus"),
        StageKind::Review if position.join == Join::Objection => milestones.push("objection"),
        StageKind::Final => {
            let is_stuck = written.final_facts.as_ref().is_some_and(|facts| facts.stuck);
            milestones.push(if is_stuck { "stuck" } else { "final" });
        }
        _ => {}
    }
    milestones.into_iter().filter_map(|milestone| after.protocol().markers.get(milestone).cloned()).collect()
}

impl Receipt {
    /// The receipt of an entry.
    #[must_use]
    pub fn of(entry: &Entry, state: &State) -> Receipt {
        let mut receipt = Receipt {
            admission: None,
            assurance: entry.actor.assurance,
            at: entry.at.clone(),
            bytes: None,
            draft_sha256: None,
            event: entry.event.word().to_owned(),
            hash: entry.hash.clone(),
            iteration: None,
            owner_session_id: state.owner_session_id.clone(),
            pass: None,
            path: None,
            run_id: state.started.run_id.clone(),
            seq: entry.seq,
            sha256: None,
            stage: None,
            stage_n: None,
        };
        match &entry.event {
            Event::Written(written) => {
                receipt.admission = written.final_facts.as_ref().map(|facts| facts.admission.clone());
                receipt.bytes = Some(written.bytes);
                receipt.draft_sha256 = match (&written.review, &written.final_facts) {
                    (Some(review), _) => review.draft_sha256.clone(),
                    (_, Some(facts)) => Some(facts.draft_sha256.clone()),
                    _ => None,
                };
                receipt.iteration = Some(written.iteration);
                receipt.pass = (written.pass > 0).then_some(written.pass);
                receipt.path = Some(written.path.clone());
                receipt.sha256 = Some(written.sha256.clone());
                receipt.stage = Some(written.stage.clone());
                receipt.stage_n = Some(written.stage_n);
            }
            Event::Assigned(assigned) => {
                receipt.draft_sha256 = assigned.draft_sha256.clone();
                receipt.iteration = Some(assigned.iteration);
                receipt.pass = (assigned.pass > 0).then_some(assigned.pass);
                receipt.stage = Some(assigned.stage.clone());
                receipt.stage_n = Some(assigned.stage_n);
            }
            Event::Approval(approved) => receipt.sha256 = Some(approved.sha256.clone()),
            Event::HandedOff(handed) => receipt.sha256 = Some(handed.sha256.clone()),
            _ => {}
        }
        receipt
    }
}

impl From<&Warning> for Reason {
    fn from(warning: &Warning) -> Reason {
        Reason {
            code: warning.code,
            at: warning.at.clone(),
            message: warning.message.clone(),
            expected: warning.expected.clone(),
            actual: warning.actual.clone(),
            remedy: warning.code.row().remedy.to_owned(),
        }
    }
}

impl State {
    /// What comes next.
    pub(crate) fn next(&self) -> Next {
        let position = self.position();
        let (phase, outcome) = self.phase(&position);
        Next { steps: super::next::steps(self, &position, &phase, outcome), phase, outcome }
    }
}

impl Run {
    /// What can come next; each step is legal, or says what is missing.
    #[must_use]
    pub fn next(&self) -> Next {
        match &self.state {
            Some(state) => state.next(),
            None => Next { phase: Phase::NotStarted, outcome: None, steps: Vec::new() },
        }
    }
}
