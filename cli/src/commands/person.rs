//! What only a person does: answers, waivers, and the answer to the plan.

pub(super) mod gate;

use clap::{Args, ValueEnum};
use ralplan_core::ledger::{AnswerOutcome, ApprovalAnswer};
use ralplan_core::protocol::StageKind;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{Act, Answer, Approval, Run, WaiveReview};

use crate::context::{Context, Reach};
use crate::exit::{Failure, Outcome};
use crate::words;
use gate::Wish;

/// How a person confirms an act.
#[derive(Args, Debug, Default)]
struct Confirm {
    /// Confirm without being asked; recorded as a claim, not as a person at a terminal
    #[arg(long)]
    yes: bool,
}

/// Which plan an answer is about.
#[derive(Args, Debug, Default)]
struct Subject {
    /// Digest of the plan that was read
    #[arg(long, value_name = "SHA256")]
    digest: Option<String>,
    #[command(flatten)]
    confirm: Confirm,
}

/// Arguments of `answer`.
#[derive(Args, Debug)]
pub(crate) struct AnswerArgs {
    /// The open item
    item: String,
    /// What is said about it
    #[arg(value_enum)]
    outcome: OutcomeWord,
    /// In words
    #[arg(long, value_name = "TEXT")]
    text: Option<String>,
    #[command(flatten)]
    confirm: Confirm,
}

/// What a person says about an item.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum OutcomeWord {
    /// The plan has it right
    Confirmed,
    /// The plan has it wrong and is revised
    Corrected,
    /// It stays open
    Deferred,
}

impl OutcomeWord {
    fn outcome(self) -> (AnswerOutcome, &'static str) {
        match self {
            OutcomeWord::Confirmed => (AnswerOutcome::Confirmed, "confirmed"),
            OutcomeWord::Corrected => (AnswerOutcome::Corrected, "corrected"),
            OutcomeWord::Deferred => (AnswerOutcome::Deferred, "deferred"),
        }
    }
}

/// Arguments of `waive-review`.
#[derive(Args, Debug)]
pub(crate) struct WaiveArgs {
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    confirm: Confirm,
}

/// Arguments of `approve`.
#[derive(Args, Debug)]
pub(crate) struct ApproveArgs {
    /// Where the plan goes
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    #[command(flatten)]
    subject: Subject,
}

/// Arguments of `request-changes`.
#[derive(Args, Debug)]
pub(crate) struct ChangesArgs {
    /// What should change
    #[arg(long, value_name = "TEXT")]
    comments: String,
    #[command(flatten)]
    subject: Subject,
}

/// Arguments of `reject`.
#[derive(Args, Debug)]
pub(crate) struct RejectArgs {
    #[command(flatten)]
    subject: Subject,
}

/// Arguments of `stop`.
#[derive(Args, Debug)]
pub(crate) struct StopArgs {
    #[command(flatten)]
    subject: Subject,
}

/// Answers an open item.
pub(crate) fn answer(context: &Context, arguments: &AnswerArgs) -> Outcome {
    let (outcome, word) = arguments.outcome.outcome();
    let mut line = vec![arguments.item.as_str(), word];
    line.extend(arguments.text.iter().flat_map(|text| ["--text", text.as_str()]));
    let question = format!("answer `{}` with {word}", arguments.item);
    let wish = Wish { question, verb: "answer", line, yes: arguments.confirm.yes, digest: None };
    let (key, run) = context.load(Reach::Open)?;
    let (actor, channel) = gate::confirm(context, &key, &run, &wish)?;
    let answer = Answer {
        channel: Some(channel),
        item_id: arguments.item.clone(),
        outcome,
        text: arguments.text.clone(),
    };
    let submitted = context.submit(&key, &context.command(actor, Act::Answer(answer)))?;
    words::acted(context, &key, &submitted)
}

/// Goes on without reviews.
pub(crate) fn waive(context: &Context, arguments: &WaiveArgs) -> Outcome {
    let line = arguments.reason.iter().flat_map(|reason| ["--reason", reason.as_str()]).collect();
    let question = "skip the review of the current draft".to_owned();
    let wish = Wish { question, verb: "waive-review", line, yes: arguments.confirm.yes, digest: None };
    let (key, run) = context.load(Reach::Open)?;
    let (actor, channel) = gate::confirm(context, &key, &run, &wish)?;
    let waive = WaiveReview { channel: Some(channel), reason: arguments.reason.clone() };
    let submitted = context.submit(&key, &context.command(actor, Act::WaiveReview(waive)))?;
    words::acted(context, &key, &submitted)
}

/// Approves the plan.
pub(crate) fn approve(context: &Context, arguments: ApproveArgs) -> Outcome {
    let reply = Reply {
        answer: ApprovalAnswer::Approve,
        verb: "approve",
        comments: None,
        target: arguments.target,
        subject: arguments.subject,
    };
    reply.send(context)
}

/// Sends the plan back.
pub(crate) fn request_changes(context: &Context, arguments: ChangesArgs) -> Outcome {
    let reply = Reply {
        answer: ApprovalAnswer::RequestChanges,
        verb: "request-changes",
        comments: Some(arguments.comments),
        target: None,
        subject: arguments.subject,
    };
    reply.send(context)
}

/// Gives the plan up.
pub(crate) fn reject(context: &Context, arguments: RejectArgs) -> Outcome {
    let reply = Reply {
        answer: ApprovalAnswer::Reject,
        verb: "reject",
        comments: None,
        target: None,
        subject: arguments.subject,
    };
    reply.send(context)
}

/// Keeps the plan and stops.
pub(crate) fn stop(context: &Context, arguments: StopArgs) -> Outcome {
    let reply = Reply {
        answer: ApprovalAnswer::Stop,
        verb: "stop",
        comments: None,
        target: None,
        subject: arguments.subject,
    };
    reply.send(context)
}

/// A person's answer to the plan.
struct Reply {
    answer: ApprovalAnswer,
    verb: &'static str,
    comments: Option<String>,
    target: Option<String>,
    subject: Subject,
}

impl Reply {
    fn send(self, context: &Context) -> Outcome {
        // Closed runs are found too: the same answer again is no error.
        let (key, run) = context.load(Reach::Any)?;
        let Some(digest) = self.subject.digest.clone().or_else(|| plan_digest(&run, self.answer)) else {
            let reason = run.health().reason().unwrap_or_else(|| Reason::new(Code::ApprovalMissingSubject));
            return Err(reason.into());
        };
        let mut line = Vec::new();
        line.extend(self.comments.iter().flat_map(|comments| ["--comments", comments.as_str()]));
        line.extend(self.target.iter().flat_map(|target| ["--target", target.as_str()]));
        let wish = Wish {
            question: format!("{} the plan {}", self.answer.word().replace('_', " "), words::short(&digest)),
            verb: self.verb,
            line,
            yes: self.subject.confirm.yes,
            digest: Some((digest.as_str(), self.subject.digest.is_some())),
        };
        let (actor, channel) = gate::confirm(context, &key, &run, &wish)?;
        let approval = Approval {
            answer: self.answer,
            channel: Some(channel),
            comments: self.comments.clone(),
            final_hash: None,
            sha256: Some(digest),
            target: self.target.clone(),
        };
        let submitted = context.submit(&key, &context.command(actor, Act::Approval(approval)))?;
        words::acted(context, &key, &submitted)
    }
}

/// Digest of what an answer is about: the plan; for a request for changes also the current draft.
fn plan_digest(run: &Run, answer: ApprovalAnswer) -> Option<String> {
    let plan = run.status()?.digest;
    if plan.is_some() || answer != ApprovalAnswer::RequestChanges {
        return plan;
    }
    let drafts = run.state()?.artifacts().filter(|(_, written)| written.kind == StageKind::Draft);
    drafts.last().map(|(_, written)| written.sha256.clone())
}

/// Where a person's act came from, when it may not be done.
pub(crate) fn not_a_person() -> Failure {
    let reason = Reason::new(Code::ApprovalNotPerson);
    reason.message("an agent that a driver started cannot do this").into()
}
