//! The state of a run: a fold of its entries, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::decision::{Outcome, Tip};
use super::settings::Settings;
use crate::ledger::{
    Answered, ApprovalAnswer, Approved, Assigned, Entry, Event, ForeignSlot, HandedOff, HandoffStep,
    Recorded, Started, Written,
};
use crate::protocol::{IdKind, Numbering, Protocol, StageKind};

/// A slot: stage, number, pass inside the iteration.
pub(crate) type SlotKey = (String, u32, u32);

/// One iteration: a draft and what was said about it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Iteration {
    /// Place of the draft.
    pub(crate) draft: u64,
    /// Places of the reviews of each lane, oldest first.
    pub(crate) reviews: BTreeMap<String, Vec<u64>>,
    /// Place of the waiver.
    pub(crate) waived: Option<u64>,
    /// Place of a person's request for changes.
    pub(crate) changes: Option<u64>,
}

/// An assignment that a role holds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActiveAssignment {
    /// Place of its entry.
    pub(crate) seq: u64,
    /// True when its token was used.
    pub(crate) is_used: bool,
}

/// The state of a started run.
#[derive(Clone, Debug)]
pub struct State {
    pub(crate) entries: Vec<Arc<Entry>>,
    pub(crate) started: Arc<Started>,
    pub(crate) tip: Tip,
    pub(crate) owner_session_id: String,
    pub(crate) settings: Settings,
    pub(crate) iterations: Vec<Iteration>,
    pub(crate) slots: BTreeMap<SlotKey, u64>,
    pub(crate) foreign: Vec<ForeignSlot>,
    pub(crate) contexts: BTreeMap<(u32, String), u64>,
    pub(crate) lane_passes: BTreeMap<String, u32>,
    pub(crate) assignments: BTreeMap<String, ActiveAssignment>,
    pub(crate) tokens: BTreeMap<String, u64>,
    pub(crate) roles_of: BTreeMap<(IdKind, String), BTreeSet<String>>,
    pub(crate) last_agent: BTreeMap<String, String>,
    pub(crate) review_texts: BTreeMap<String, u64>,
    pub(crate) closing: BTreeMap<String, u64>,
    pub(crate) answers: BTreeMap<String, u64>,
    pub(crate) approval: Option<u64>,
    pub(crate) handoffs: BTreeMap<HandoffStep, u64>,
    pub(crate) records: Vec<u64>,
    pub(crate) stuck: Option<u64>,
    pub(crate) closed: Option<Outcome>,
    pub(crate) weakest: Option<super::actor::Assurance>,
}

impl State {
    /// The state after entry 0, or none when it is not a start.
    pub(crate) fn begin(entry: Entry, tip: Tip) -> Option<State> {
        let Event::Started(started) = &entry.event else { return None };
        let started = Arc::new(started.as_ref().clone());
        Some(State {
            owner_session_id: started.owner_session_id.clone(),
            settings: started.settings.clone(),
            foreign: started.found.clone(),
            entries: vec![Arc::new(entry)],
            started,
            tip,
            iterations: Vec::new(),
            slots: BTreeMap::new(),
            contexts: BTreeMap::new(),
            lane_passes: BTreeMap::new(),
            assignments: BTreeMap::new(),
            tokens: BTreeMap::new(),
            roles_of: BTreeMap::new(),
            last_agent: BTreeMap::new(),
            review_texts: BTreeMap::new(),
            closing: BTreeMap::new(),
            answers: BTreeMap::new(),
            approval: None,
            handoffs: BTreeMap::new(),
            records: Vec::new(),
            stuck: None,
            closed: None,
            weakest: None,
        })
    }

    /// Adds an entry. Judges nothing.
    pub(crate) fn apply(&mut self, entry: Entry, tip: Tip) {
        let seq = entry.seq;
        self.tip = tip;
        match &entry.event {
            Event::Started(_) | Event::Annotated(_) => {}
            Event::Assigned(assigned) => {
                let active = ActiveAssignment { seq, is_used: false };
                self.assignments.insert(assigned.role.clone(), active);
                self.tokens.insert(assigned.token_sha256.clone(), seq);
            }
            Event::Written(written) => self.apply_written(seq, written, &entry),
            Event::Answered(answered) => {
                self.answers.insert(answered.item_id.clone(), seq);
            }
            Event::Waived(_) => {
                if let Some(iteration) = self.iterations.last_mut() {
                    iteration.waived = Some(seq);
                }
            }
            Event::Approval(approved) => self.apply_approval(seq, approved.answer),
            Event::HandedOff(handed) => {
                self.handoffs.insert(handed.step, seq);
                if handed.step == HandoffStep::Dispatch {
                    self.closed = Some(Outcome::HandedOff);
                }
            }
            Event::Recorded(_) => self.records.push(seq),
            Event::Configured(configured) => self.settings.change(&configured.settings),
            Event::Transferred(transferred) => {
                self.owner_session_id.clone_from(&transferred.owner_session_id);
            }
            Event::Imported(imported) => self.foreign.extend(imported.slots.iter().cloned()),
            Event::Recovered(recovered) => self.foreign.extend(recovered.slots.iter().cloned()),
            Event::Stuck(_) => self.stuck = Some(seq),
            Event::Closed(_) => self.closed = Some(Outcome::Cancelled),
        }
        self.entries.push(Arc::new(entry));
    }

    fn apply_written(&mut self, seq: u64, written: &Written, entry: &Entry) {
        self.slots.insert((written.stage.clone(), written.stage_n, written.slot_pass), seq);
        self.remember_actor(written, entry);
        if let Some(assignment) = written.assignment
            && let Some(active) = self.assignments.values_mut().find(|active| active.seq == assignment)
        {
            active.is_used = true;
        }
        match written.kind {
            StageKind::Context => {
                self.contexts.insert((written.iteration, written.stage.clone()), seq);
            }
            StageKind::Draft => {
                self.iterations.push(Iteration { draft: seq, ..Iteration::default() });
                self.closing.clear();
                self.approval = None;
                self.handoffs.clear();
            }
            StageKind::Review => {
                self.lane_passes.insert(written.role.clone(), written.pass);
                self.review_texts.entry(written.text_sha256.clone()).or_insert(seq);
                if let Some(iteration) = self.iterations.last_mut() {
                    iteration.reviews.entry(written.role.clone()).or_default().push(seq);
                }
            }
            StageKind::Disposition => {}
            StageKind::Reconciliation | StageKind::Record => {
                self.closing.insert(written.stage.clone(), seq);
            }
            StageKind::Final => {
                self.closing.insert(written.stage.clone(), seq);
                if written.final_facts.as_ref().is_some_and(|facts| facts.stuck) {
                    self.stuck = Some(seq);
                }
            }
        }
    }

    fn remember_actor(&mut self, written: &Written, entry: &Entry) {
        let thread = written
            .review
            .as_ref()
            .and_then(|review| review.continuity.as_ref())
            .and_then(|continuity| continuity.thread_id.clone());
        let ids = [
            (IdKind::AgentId, entry.actor.agent_id.clone()),
            (IdKind::InvocationId, entry.actor.invocation_id.clone()),
            (IdKind::TurnId, entry.actor.turn_id.clone()),
            (IdKind::ThreadId, thread),
        ];
        for (kind, id) in ids {
            if let Some(id) = id {
                self.roles_of.entry((kind, id)).or_default().insert(written.role.clone());
            }
        }
        if let Some(agent) = &entry.actor.agent_id {
            self.last_agent.insert(written.role.clone(), agent.clone());
        }
        if matches!(written.kind, StageKind::Draft | StageKind::Review) {
            let known = entry.actor.assurance;
            self.weakest = Some(self.weakest.map_or(known, |weakest| weakest.min(known)));
        }
    }

    fn apply_approval(&mut self, seq: u64, answer: ApprovalAnswer) {
        self.approval = Some(seq);
        match answer {
            ApprovalAnswer::Reject => self.closed = Some(Outcome::Rejected),
            ApprovalAnswer::RequestChanges => {
                if let Some(iteration) = self.iterations.last_mut() {
                    iteration.changes = Some(seq);
                }
            }
            ApprovalAnswer::Approve | ApprovalAnswer::Stop => {}
        }
    }

    /// The protocol of the run.
    #[must_use]
    pub fn protocol(&self) -> &Protocol {
        &self.started.protocol
    }

    /// Entry 0.
    #[must_use]
    pub fn started(&self) -> &Started {
        &self.started
    }

    /// All entries, oldest first.
    #[must_use]
    pub fn entries(&self) -> &[Arc<Entry>] {
        &self.entries
    }

    /// The settings in force.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Session that owns the run.
    #[must_use]
    pub fn owner_session_id(&self) -> &str {
        &self.owner_session_id
    }

    /// The weakest assurance among drafts and reviews.
    #[must_use]
    pub fn weakest_assurance(&self) -> Option<super::actor::Assurance> {
        self.weakest
    }

    /// The entry at a place.
    #[must_use]
    pub fn entry(&self, seq: u64) -> Option<&Entry> {
        usize::try_from(seq).ok().and_then(|index| self.entries.get(index)).map(Arc::as_ref)
    }

    /// The artifact at a place.
    #[must_use]
    pub fn written(&self, seq: u64) -> Option<&Written> {
        match &self.entry(seq)?.event {
            Event::Written(written) => Some(written),
            _ => None,
        }
    }

    /// All artifacts, oldest first.
    pub fn artifacts(&self) -> impl Iterator<Item = (&Entry, &Written)> {
        self.entries.iter().filter_map(|entry| match &entry.event {
            Event::Written(written) => Some((entry.as_ref(), written.as_ref())),
            _ => None,
        })
    }

    pub(crate) fn assigned(&self, seq: u64) -> Option<&Assigned> {
        match &self.entry(seq)?.event {
            Event::Assigned(assigned) => Some(assigned),
            _ => None,
        }
    }

    pub(crate) fn answered(&self, seq: u64) -> Option<&Answered> {
        match &self.entry(seq)?.event {
            Event::Answered(answered) => Some(answered),
            _ => None,
        }
    }

    pub(crate) fn approved(&self) -> Option<&Approved> {
        match &self.entry(self.approval?)?.event {
            Event::Approval(approved) => Some(approved),
            _ => None,
        }
    }

    pub(crate) fn handed_off(&self, step: HandoffStep) -> Option<&HandedOff> {
        match &self.entry(*self.handoffs.get(&step)?)?.event {
            Event::HandedOff(handed) => Some(handed),
            _ => None,
        }
    }

    /// The records beside the artifacts, oldest first.
    pub fn records(&self) -> impl Iterator<Item = (&Entry, &Recorded)> {
        self.records.iter().filter_map(|seq| {
            let entry = self.entry(*seq)?;
            match &entry.event {
                Event::Recorded(recorded) => Some((entry, recorded)),
                _ => None,
            }
        })
    }

    /// Iterations that files of another program account for: their drafts, and where numbers are iterations at least
    /// the highest number, so that no slot of a later iteration is occupied.
    pub(crate) fn foreign_iterations(&self) -> u32 {
        let highest = self.foreign.iter().map(|slot| slot.stage_n).max().unwrap_or(0);
        match self.protocol().numbering {
            Numbering::Iteration => highest.max(self.foreign_openers()),
            Numbering::Label => self.foreign_openers(),
        }
    }

    fn foreign_openers(&self) -> u32 {
        let is_opener = |slot: &&ForeignSlot| self.kind_of(&slot.stage) == Some(StageKind::Draft);
        u32::try_from(self.foreign.iter().filter(is_opener).count()).unwrap_or(u32::MAX)
    }

    /// Passes of a lane that files of another program account for.
    pub(crate) fn foreign_passes(&self, stage: &str) -> u32 {
        u32::try_from(self.foreign.iter().filter(|slot| slot.stage == stage).count()).unwrap_or(u32::MAX)
    }

    pub(crate) fn foreign_slot(&self, stage: &str, stage_n: u32) -> Option<&ForeignSlot> {
        self.foreign.iter().find(|slot| slot.stage == stage && slot.stage_n == stage_n)
    }

    pub(crate) fn kind_of(&self, stage: &str) -> Option<StageKind> {
        self.protocol().stages.get(stage).map(|stage| stage.kind)
    }
}
