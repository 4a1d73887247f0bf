//! The rules, in the order in which `decide` walks them. This list is the table of contents of the
//! engine: `ralplan explain --rules` prints it.
//!
//! A rule looks at the state and at the entry that would be written, and says what speaks against
//! it. It never changes anything. The same list decides a command, tells what is legal next, and
//! checks a ledger that is replayed.

mod admission;
mod approval;
mod content;
mod identity;
mod order;
mod person;
mod review;

pub(crate) use identity::{LEADER, PERSON};

use super::actor::Actor;
use super::position::Position;
use super::state::State;
use crate::ledger::{Event, Written};
use crate::reason::{Code, Reason};

/// What a rule looks at.
pub(crate) struct Case<'a> {
    pub(crate) state: &'a State,
    pub(crate) position: &'a Position<'a>,
    pub(crate) actor: &'a Actor,
    pub(crate) event: &'a Event,
}

impl<'a> Case<'a> {
    pub(crate) fn written(&self) -> Option<&'a Written> {
        match self.event {
            Event::Written(written) => Some(written),
            _ => None,
        }
    }
}

/// When a rule can speak.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Moment {
    /// Before there is an artifact: from the slot alone.
    Precondition,
    /// When the content is known.
    Content,
}

/// One rule.
pub struct Rule {
    /// Its name.
    pub name: &'static str,
    /// What it demands, in one sentence.
    pub demands: &'static str,
    /// The events it looks at.
    pub events: &'static [&'static str],
    /// When it can speak.
    pub moment: Moment,
    /// The codes it can raise.
    pub codes: &'static [Code],
    pub(crate) check: fn(&Case<'_>, &mut Vec<Reason>),
}

const WRITTEN: &[&str] = &["written"];

/// All rules, in order.
pub const RULES: &[Rule] = &[
    Rule {
        name: "open_run",
        demands: "a closed run takes nothing more",
        events: &[
            "assigned",
            "written",
            "answered",
            "waived",
            "approval",
            "handed_off",
            "recorded",
            "configured",
            "transferred",
            "imported",
            "stuck",
            "closed",
        ],
        moment: Moment::Precondition,
        codes: &[Code::RunClosed],
        check: order::open_run,
    },
    Rule {
        name: "isolation",
        demands: "a protocol that needs isolated roles starts on a host that isolates them",
        events: &["started"],
        moment: Moment::Precondition,
        codes: &[Code::RunIsolation],
        check: identity::isolation,
    },
    Rule {
        name: "stage_number",
        demands: "where numbers are iterations, the stage number is the iteration",
        events: WRITTEN,
        moment: Moment::Precondition,
        codes: &[Code::OrderStageNumber, Code::OrderPass],
        check: order::stage_number,
    },
    Rule {
        name: "context_order",
        demands: "context comes before the draft of its iteration",
        events: WRITTEN,
        moment: Moment::Precondition,
        codes: &[Code::OrderContextLate, Code::OrderContext],
        check: order::context_order,
    },
    Rule {
        name: "draft_order",
        demands: "a draft opens the first iteration, or the next one after a complete join that calls for it",
        events: WRITTEN,
        moment: Moment::Precondition,
        codes: &[
            Code::OrderOpensFirst,
            Code::OrderOpensAgain,
            Code::OrderContext,
            Code::OrderJoin,
            Code::OrderConsensus,
        ],
        check: order::draft_order,
    },
    Rule {
        name: "review_order",
        demands: "reviews follow the draft, group by group, until the round is over",
        events: WRITTEN,
        moment: Moment::Precondition,
        codes: &[Code::OrderNoDraft, Code::OrderGroup, Code::OrderRound, Code::OrderFinal],
        check: order::review_order,
    },
    // Conflicts: a disposition settles each conflict before a revision or a final.
    Rule {
        name: "disposition_order",
        demands: "a disposition settles conflicts that exist",
        events: WRITTEN,
        moment: Moment::Precondition,
        codes: &[Code::OrderNoConflict],
        check: order::disposition_order,
    },
    Rule {
        name: "closing_order",
        demands: "closing stages follow consensus or exhaustion, in their order, up to one final",
        events: WRITTEN,
        moment: Moment::Precondition,
        codes: &[Code::OrderNoConsensus, Code::OrderJoin, Code::OrderClosing, Code::OrderFinal],
        check: order::closing_order,
    },
    Rule {
        name: "stage_role",
        demands: "a stage is written by a role that the protocol names for it",
        events: WRITTEN,
        moment: Moment::Precondition,
        codes: &[Code::IdentityRole, Code::IdentityLeader],
        check: identity::stage_role,
    },
    Rule {
        name: "identity_present",
        demands: "agents state the ids that the protocol asks for",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::IdentityMissing],
        check: identity::present,
    },
    Rule {
        name: "identity_distinct",
        demands: "author, reviewers and leader are different agents, each role in turns of its own",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::IdentitySelfReview, Code::IdentityShared, Code::IdentityLeader],
        check: identity::distinct,
    },
    Rule {
        name: "identity_text",
        demands: "no review repeats the text of another",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::IdentityRepeated],
        check: identity::repeated_text,
    },
    Rule {
        name: "assignment",
        demands: "where assignments are required, agents submit with the token of theirs",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::IdentityAssignment, Code::IdentityToken],
        check: identity::assignment,
    },
    Rule {
        name: "review_assurance",
        demands: "drafts and reviews come with the least assurance of the protocol",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::IdentityAssurance],
        check: identity::assurance,
    },
    Rule {
        name: "review_binding",
        demands: "a review has read the current draft",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::ReviewDraftMissing, Code::ReviewWrongDraft],
        check: review::binding,
    },
    Rule {
        name: "verdict",
        demands: "a review states its verdict on every axis",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::VerdictMissing],
        check: review::verdict,
    },
    Rule {
        name: "findings",
        demands: "findings are there where required, and readable",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::FindingMissing, Code::FindingUnreadable],
        check: review::findings,
    },
    // Ratchet, context bundle and continuity bind reviews from the second pass on.
    Rule {
        name: "pushback",
        demands: "a first draft is not approved by everybody without a word against it",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::PushbackMissing],
        check: review::pushback,
    },
    // Quality gates stand between the join and the closing stages.
    Rule {
        name: "document",
        demands: "a document holds the parts that the protocol asks for",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[
            Code::DocumentPrinciples,
            Code::DocumentDrivers,
            Code::DocumentOptions,
            Code::DocumentOptionSides,
            Code::DocumentPremortem,
            Code::DocumentTestPlan,
            Code::DocumentAdr,
            Code::DocumentAdrField,
            Code::DocumentPlaceholder,
            Code::DocumentByReference,
            Code::DocumentAcceptance,
            Code::DocumentCoverage,
            Code::DocumentTasks,
            Code::DocumentTaskPaths,
            Code::DocumentGraph,
            Code::DocumentTaskCriteria,
            Code::DocumentRisks,
        ],
        check: content::document,
    },
    Rule {
        name: "interview",
        demands: "open items are asked before they are reconciled, and the outcome is the one that follows",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::InterviewOpen, Code::InterviewToken, Code::InterviewUnreadable],
        check: content::interview,
    },
    Rule {
        name: "final_binding",
        demands: "the final is the reviewed draft, byte for byte, followed by allowed sections only",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::FinalNotReviewed],
        check: content::final_binding,
    },
    Rule {
        name: "artifact_size",
        demands: "an artifact is not larger than the protocol allows",
        events: WRITTEN,
        moment: Moment::Content,
        codes: &[Code::BudgetArtifactBytes],
        check: content::size,
    },
    Rule {
        name: "person_acts",
        demands: "answers, waivers and approvals are a person's; settings, owner and end of a run are a person's or the host's",
        events: &[
            "answered",
            "waived",
            "approval",
            "configured",
            "transferred",
            "imported",
            "recovered",
            "handed_off",
            "closed",
        ],
        moment: Moment::Precondition,
        codes: &[Code::ApprovalNotPerson],
        check: person::person_acts,
    },
    Rule {
        name: "item_answer",
        demands: "an answer is about an item of the run, until the final exists",
        events: &["answered"],
        moment: Moment::Precondition,
        codes: &[Code::InputItem, Code::OrderFinal],
        check: person::item_answer,
    },
    Rule {
        name: "waiver",
        demands: "a waiver is about a draft that is still to be reviewed, and to which nobody objects",
        events: &["waived"],
        moment: Moment::Precondition,
        codes: &[Code::OrderNoDraft, Code::OrderFinal, Code::OrderRound],
        check: person::waiver,
    },
    Rule {
        name: "approval_subject",
        demands: "an answer names the plan that is pending approval, by its digest",
        events: &["approval"],
        moment: Moment::Content,
        codes: &[Code::ApprovalMissingSubject, Code::ApprovalWrongDigest],
        check: approval::subject,
    },
    Rule {
        name: "approval_answer",
        demands: "a plan is answered once; before the handoff approve may become reject, and stop any answer",
        events: &["approval"],
        moment: Moment::Content,
        codes: &[Code::ApprovalAnswered, Code::ApprovalComments, Code::ApprovalStuck, Code::HandoffTarget],
        check: approval::answer,
    },
    Rule {
        name: "approval_author",
        demands: "whoever wrote the plan or reviewed it does not approve it, and is known well enough",
        events: &["approval"],
        moment: Moment::Content,
        codes: &[Code::ApprovalAuthor, Code::ApprovalAssurance],
        check: approval::author,
    },
    Rule {
        name: "handoff",
        demands: "a plan is handed off to the target it was admitted to, and never when planning is stuck",
        events: &["handed_off"],
        moment: Moment::Content,
        codes: &[
            Code::HandoffStuck,
            Code::HandoffNotAdmitted,
            Code::AdmissionOff,
            Code::HandoffTarget,
            Code::HandoffOtherTarget,
            Code::HandoffUnavailable,
        ],
        check: admission::handoff,
    },
];

/// What speaks against an entry, split into refusals and warnings by the enforcement of the run.
#[derive(Debug, Default)]
pub(crate) struct Objections {
    pub(crate) refusals: Vec<Reason>,
    pub(crate) warnings: Vec<Reason>,
}

impl Objections {
    pub(crate) fn add(&mut self, state: &State, reasons: Vec<Reason>) {
        for reason in reasons {
            if state.settings.softens(state.protocol(), reason.code) {
                self.warnings.push(reason);
            } else {
                self.refusals.push(reason);
            }
        }
        self.refusals.truncate(crate::limits::REASONS);
        self.warnings.truncate(crate::limits::REASONS);
    }
}

/// Walks the rules that look at an event.
pub(crate) fn walk(case: &Case<'_>, moments: &[Moment]) -> Objections {
    let mut objections = Objections::default();
    let word = case.event.word();
    for rule in RULES.iter().filter(|rule| rule.events.contains(&word) && moments.contains(&rule.moment)) {
        let mut reasons = Vec::new();
        (rule.check)(case, &mut reasons);
        objections.add(case.state, reasons);
    }
    objections
}
