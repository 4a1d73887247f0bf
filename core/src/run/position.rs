//! Where a run stands: what follows from its state.

use super::decision::{Outcome, Phase};
use super::state::{Iteration, State};
use crate::document::OpenItem;
use crate::json::{sha256_hex, to_canonical};
use crate::ledger::{AnswerOutcome, ApprovalAnswer, Entry, HandoffStep, ReviewFacts, Written};
use crate::protocol::{Class, Exhaustion, When};
use crate::review::Severity;

/// Whether the reviews of the current draft are in and what they say.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Join {
    /// There is no draft.
    NoDraft,
    /// Required reviews are missing.
    Pending,
    /// They are in and at least one objects.
    Objection,
    /// They are in and all approve.
    Consensus,
    /// A person waived the review.
    Waived,
}

/// One reviewer's track in the current iteration.
#[derive(Clone, Debug)]
pub(crate) struct Lane<'a> {
    /// The role.
    pub(crate) role: &'a str,
    /// Place of its group.
    pub(crate) group: usize,
    /// Its newest review of the current draft.
    pub(crate) review: Option<&'a ReviewFacts>,
    /// Reviews in this iteration.
    pub(crate) passes: u32,
}

/// Where a run stands.
#[derive(Clone, Debug)]
pub(crate) struct Position<'a> {
    /// The current iteration, from 1; 0 before the first draft.
    pub(crate) iteration: u32,
    /// The current draft.
    pub(crate) draft: Option<&'a Written>,
    /// Place of the current draft.
    pub(crate) draft_seq: u64,
    /// The lanes of the current iteration, in review order.
    pub(crate) lanes: Vec<Lane<'a>>,
    /// Whether the reviews are in.
    pub(crate) join: Join,
    /// True when somebody wants another draft.
    pub(crate) calls_for_revision: bool,
    /// True when the cap is reached and another draft is wanted, or the run is pinned.
    pub(crate) is_exhausted: bool,
}

impl Position<'_> {
    /// True when reviews are missing and no person asked for changes instead.
    pub(crate) fn awaits_reviews(&self) -> bool {
        self.join == Join::Pending && !self.calls_for_revision
    }

    /// True when the closing stages are open.
    pub(crate) fn is_closing_open(&self, state: &State) -> bool {
        let agreed = matches!(self.join, Join::Consensus | Join::Waived) && !self.calls_for_revision;
        agreed
            || (self.is_exhausted
                && self.draft.is_some()
                && state.protocol().review.exhausted == Exhaustion::Close)
    }

    /// True when every required lane approves the current draft and nothing calls for another.
    pub(crate) fn has_consensus(&self) -> bool {
        self.join == Join::Consensus && !self.calls_for_revision
    }

    /// True when a lane objects.
    pub(crate) fn has_objection(&self) -> bool {
        self.lanes.iter().any(|lane| lane.review.is_some_and(|review| review.class != Class::Approve))
    }
}

impl State {
    /// Where the run stands.
    pub(crate) fn position(&self) -> Position<'_> {
        let foreign = self.foreign_iterations();
        let Some(current) = self.iterations.last() else {
            return Position {
                iteration: foreign,
                draft: None,
                draft_seq: 0,
                lanes: Vec::new(),
                join: Join::NoDraft,
                calls_for_revision: false,
                is_exhausted: self.stuck.is_some(),
            };
        };
        let opened = u32::try_from(self.iterations.len()).unwrap_or(u32::MAX);
        let iteration = opened.saturating_add(foreign);
        let lanes = self.lanes(current, iteration);
        let join = self.join(current, &lanes);
        let asks = current.changes.is_some() || self.has_correction_since(current.draft);
        let calls_for_revision = join == Join::Objection || asks;
        let is_complete = !matches!(join, Join::Pending | Join::NoDraft) || asks;
        let is_exhausted = self.stuck.is_some()
            || (is_complete && calls_for_revision && iteration >= self.settings.max_iterations.value);
        Position {
            iteration,
            draft: self.written(current.draft),
            draft_seq: current.draft,
            lanes,
            join,
            calls_for_revision,
            is_exhausted,
        }
    }

    fn lanes<'a>(&'a self, current: &'a Iteration, iteration: u32) -> Vec<Lane<'a>> {
        let mut lanes = Vec::new();
        for (group, roles) in self.protocol().review.groups(iteration).iter().enumerate() {
            for role in roles {
                let reviews = current.reviews.get(role.as_str()).map(Vec::as_slice).unwrap_or_default();
                lanes.push(Lane {
                    role,
                    group,
                    // An objection to a draft is settled by another draft, not by another review.
                    review: reviews
                        .iter()
                        .filter_map(|seq| self.written(*seq)?.review.as_ref())
                        .max_by_key(|review| review.class),
                    passes: u32::try_from(reviews.len()).unwrap_or(u32::MAX),
                });
            }
        }
        lanes
    }

    fn join(&self, current: &Iteration, lanes: &[Lane<'_>]) -> Join {
        let objects =
            lanes.iter().any(|lane| lane.review.is_some_and(|review| review.class != Class::Approve));
        // Only a draft without an objection is waived, so an objection came later and counts.
        if current.waived.is_some() && !objects {
            return Join::Waived;
        }
        let stops = objects && self.settings.stop_at_first_objection.value;
        if !stops && current.waived.is_none() && lanes.iter().any(|lane| lane.review.is_none()) {
            return Join::Pending;
        }
        if objects { Join::Objection } else { Join::Consensus }
    }

    fn has_correction_since(&self, draft: u64) -> bool {
        self.answers.values().any(|seq| {
            *seq > draft
                && self.answered(*seq).is_some_and(|answered| answered.outcome == AnswerOutcome::Corrected)
        })
    }

    /// Required context stages of the first draft that are not written, in order.
    pub(crate) fn missing_contexts(&self) -> Vec<&str> {
        let is_missing = |name: &&str| {
            let Some(stage) = self.protocol().stages.get(*name) else { return false };
            let applies = !stage.optional && (stage.when != Some(When::AskFirst) || self.started.ask_first);
            applies && !self.contexts.contains_key(&(1, (*name).to_owned()))
        };
        self.protocol().opening.iter().map(String::as_str).filter(is_missing).collect()
    }

    /// Closing stages that are required and not written before the stage `until`.
    pub(crate) fn missing_closing(&self, until: &str) -> Vec<&str> {
        self.protocol()
            .closing
            .iter()
            .map(String::as_str)
            .take_while(|name| *name != until)
            .filter(|name| {
                let is_optional = self.protocol().stages.get(*name).is_some_and(|stage| stage.optional);
                !is_optional && !self.closing.contains_key(*name)
            })
            .collect()
    }

    /// The final of the current draft.
    pub(crate) fn final_entry(&self) -> Option<&Entry> {
        let stage = self.protocol().final_stage()?;
        self.entry(*self.closing.get(stage)?)
    }

    /// The entry that holds the plan a person is asked about.
    pub(crate) fn plan_entry(&self, position: &Position<'_>) -> Option<&Entry> {
        if self.protocol().final_stage().is_some() {
            return self.final_entry();
        }
        let is_agreed = matches!(position.join, Join::Consensus | Join::Waived) && self.stuck.is_none();
        let is_wanted = !position.calls_for_revision || position.is_exhausted;
        if is_agreed && is_wanted { self.entry(position.draft_seq) } else { None }
    }

    /// The entry that an answer is about: the plan; for a request for changes also the current draft.
    pub(crate) fn answerable_entry(&self, position: &Position<'_>, answer: ApprovalAnswer) -> Option<&Entry> {
        let plan = self.plan_entry(position);
        let is_draft_enough = answer == ApprovalAnswer::RequestChanges && position.draft.is_some();
        if plan.is_none() && is_draft_enough { self.entry(position.draft_seq) } else { plan }
    }

    /// The draft that a final is made of: the agreed one, or the best when the iterations are used up.
    pub(crate) fn plan_draft<'a>(&'a self, position: &Position<'a>) -> Option<&'a Written> {
        if position.is_exhausted && !position.has_consensus() { self.best_draft() } else { position.draft }
    }

    /// The best draft: fewest blocking findings or rejections, then fewest of severity watch, then newest.
    pub(crate) fn best_draft(&self) -> Option<&Written> {
        let weigh = |iteration: &Iteration| {
            let (mut blocks, mut watches) = (0_u32, 0_u32);
            let newest = iteration.reviews.values().filter_map(|reviews| reviews.last());
            let reviewed = iteration.reviews.len();
            for review in
                newest.filter_map(|seq| self.written(*seq)).filter_map(|written| written.review.as_ref())
            {
                blocks = blocks.saturating_add(review.weight(Severity::Block));
                watches = watches.saturating_add(review.weight(Severity::Watch));
            }
            (usize::from(reviewed == 0), blocks, watches)
        };
        self.iterations
            .iter()
            .map(|iteration| (weigh(iteration), iteration))
            .min_by(|(left, first), (right, second)| left.cmp(right).then(second.draft.cmp(&first.draft)))
            .and_then(|(_, iteration)| self.written(iteration.draft))
    }

    /// The iteration that a draft opened.
    pub(crate) fn iteration_of(&self, draft_sha256: &str) -> Option<&Iteration> {
        self.iterations
            .iter()
            .rev()
            .find(|iteration| self.written(iteration.draft).is_some_and(|draft| draft.sha256 == draft_sha256))
    }

    /// Open items of the current draft and its reviews, by weight of impact and then by id.
    pub(crate) fn items(&self) -> Vec<&OpenItem> {
        let Some(current) = self.iterations.last() else { return Vec::new() };
        let reviews = current.reviews.values().filter_map(|reviews| reviews.last());
        let mut items: Vec<&OpenItem> = Vec::new();
        for written in std::iter::once(&current.draft).chain(reviews).filter_map(|seq| self.written(*seq)) {
            for item in &written.items {
                if !items.iter().any(|known| known.item_id == item.item_id) {
                    items.push(item);
                }
            }
        }
        items.sort_by(|left, right| {
            right.impact.cmp(&left.impact).then_with(|| left.item_id.cmp(&right.item_id))
        });
        items
    }

    /// The answer to an item that still holds: a correction until the next draft, any answer as long as the item
    /// says what was asked.
    pub(crate) fn answer_to(&self, item: &OpenItem) -> Option<AnswerOutcome> {
        let seq = *self.answers.get(&item.item_id)?;
        let answered = self.answered(seq)?;
        let draft = self.iterations.last().map_or(0, |iteration| iteration.draft);
        let is_current = answered.outcome != AnswerOutcome::Corrected || seq > draft;
        (is_current && answered.item_sha256 == item_digest(item)).then_some(answered.outcome)
    }

    /// Items that no person has settled.
    pub(crate) fn open_items(&self) -> Vec<&OpenItem> {
        let is_open = |item: &&OpenItem| {
            !matches!(self.answer_to(item), Some(AnswerOutcome::Confirmed | AnswerOutcome::Corrected))
        };
        self.items().into_iter().filter(is_open).collect()
    }

    /// Items that no person was asked about.
    pub(crate) fn unasked_items(&self) -> Vec<&OpenItem> {
        self.items().into_iter().filter(|item| self.answer_to(item).is_none()).collect()
    }

    /// The outcome of the interview that follows from the answers.
    pub(crate) fn reconciliation_token(&self) -> &'static str {
        let was_corrected = self.answers.values().any(|seq| {
            self.answered(*seq).is_some_and(|answered| answered.outcome == AnswerOutcome::Corrected)
        });
        if !self.open_items().is_empty() {
            "open-confirmations-pending"
        } else if was_corrected {
            "reconciled-with-revision"
        } else {
            "reconciled-clean"
        }
    }

    /// Where the run stands as a whole, and how planning ended.
    pub(crate) fn phase(&self, position: &Position<'_>) -> (Phase, Option<Outcome>) {
        if let Some(outcome) = self.closed {
            return (Phase::Closed, Some(outcome));
        }
        let halts = position.is_exhausted && self.protocol().review.exhausted == Exhaustion::Halt;
        if self.stuck.is_some() || (halts && self.plan_entry(position).is_none()) {
            return (Phase::Stuck, Some(Outcome::Stuck));
        }
        if position.calls_for_revision || self.plan_entry(position).is_none() {
            return (Phase::Planning, None);
        }
        let answer = self.approved().map(|approved| approved.answer);
        let is_admitted =
            self.admitted_target(position).is_some() || self.handoffs.contains_key(&HandoffStep::Ready);
        match answer {
            Some(ApprovalAnswer::Stop) => (Phase::PendingApproval, Some(Outcome::Stopped)),
            Some(ApprovalAnswer::Approve) => (Phase::Approved, Some(Outcome::Approved)),
            _ if is_admitted => (Phase::Approved, Some(Outcome::Approved)),
            _ => (Phase::PendingApproval, Some(Outcome::PendingApproval)),
        }
    }

    /// What admits the plan and where to: a person's approval, else the setting.
    pub(crate) fn admitted_target(&self, position: &Position<'_>) -> Option<Admitted<'_>> {
        if self.stuck.is_some() {
            return None;
        }
        let plan = self.plan_entry(position)?;
        if let Some(approved) = self.approved() {
            let is_bound = approved.answer == ApprovalAnswer::Approve && approved.final_hash == plan.hash;
            return is_bound.then_some(Admitted { by: "person", target: approved.target.as_deref() });
        }
        let facts = self.written(plan.seq)?.final_facts.as_ref()?;
        let target = facts.admission.effective.as_str();
        (target != "off").then_some(Admitted { by: "setting", target: Some(target) })
    }
}

/// The digest of what an item asks.
pub(crate) fn item_digest(item: &OpenItem) -> String {
    to_canonical(item).map(|text| sha256_hex(text.as_bytes())).unwrap_or_default()
}

/// What admits a plan.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Admitted<'a> {
    /// `person` or `setting`.
    pub(crate) by: &'static str,
    /// The target, when one was named.
    pub(crate) target: Option<&'a str>,
}

impl ReviewFacts {
    /// Findings of a severity; an objection without findings weighs as one of its class.
    pub(crate) fn weight(&self, severity: Severity) -> u32 {
        let count = self.findings.iter().filter(|finding| finding.severity == severity).count();
        let as_class = match self.class {
            Class::Reject => severity == Severity::Block,
            Class::Revise => severity == Severity::Watch,
            Class::Approve => false,
        };
        u32::try_from(count).unwrap_or(u32::MAX).max(u32::from(as_class))
    }
}
