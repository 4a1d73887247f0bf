//! The driver: take the next steps, run the agents, submit what they deliver, repeat.

mod agent;
mod event;

pub use agent::random_id;
pub use event::{DriveEnd, DriveEvent, PersonAnswer};

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;

use ralplan_core::ledger::{AnswerOutcome, ApprovalAnswer};
use ralplan_core::run::{
    Act, Actor, ActorKind, Answer, Approval, Assurance, Channel, Command, Decision, Next, Outcome, Question,
    Slot, Step, WaiveReview, Write,
};

use crate::host::{Host, HostError};
use crate::process::{AgentCommand, CancelFlag};
use crate::store::RunKey;
use crate::submit::Submitted;

/// The leader under which this driver acts.
pub const LEADER: &str = "ralplan-driver";

/// Asks a person; none when nobody answers.
pub type Asker<'a> = dyn FnMut(&Question) -> Option<PersonAnswer> + 'a;

/// How a run is driven.
pub struct DriveOptions<'a> {
    /// The agents, by role.
    pub agents: BTreeMap<String, AgentCommand>,
    /// The agent of a role that has none of its own.
    pub fallback: &'a (dyn Fn(&str) -> AgentCommand + Sync),
    /// Folder in which agents work.
    pub folder: &'a Path,
    /// The person, if there is one to ask.
    pub ask: Option<&'a mut Asker<'a>>,
}

/// Someone to tell what happens; called from several threads.
pub type Listener<'a> = dyn Fn(DriveEvent) + Sync + 'a;

pub(crate) struct Driver<'a> {
    pub(crate) host: &'a Host,
    pub(crate) key: &'a RunKey,
    pub(crate) agents: &'a BTreeMap<String, AgentCommand>,
    pub(crate) fallback: &'a (dyn Fn(&str) -> AgentCommand + Sync),
    pub(crate) folder: &'a Path,
    pub(crate) listener: &'a Listener<'a>,
    pub(crate) cancel: &'a CancelFlag,
}

/// Drives a run until it is pending approval, stuck, closed, or until only a person can go on.
///
/// # Errors
/// When the store fails.
pub fn drive(
    host: &Host,
    key: &RunKey,
    options: DriveOptions<'_>,
    listener: &Listener<'_>,
    cancel: &CancelFlag,
) -> Result<DriveEnd, HostError> {
    let DriveOptions { agents, fallback, folder, mut ask } = options;
    let driver = Driver { host, key, agents: &agents, fallback, folder, listener, cancel };
    let mut asked = BTreeSet::new();
    loop {
        if cancel.is_cancelled() {
            return Ok(DriveEnd::Cancelled);
        }
        let run = host.load(key)?;
        if let Some(reason) = run.health().reason() {
            return Ok(DriveEnd::Refused { reasons: vec![reason] });
        }
        let next = run.next();
        if let Some(end) = end_of(&next) {
            return Ok(end);
        }
        if let Some(question) = open_question(&next, &asked) {
            let answer = ask.as_mut().and_then(|ask| ask(question));
            let Some(answer) = answer else {
                return Ok(DriveEnd::NeedsPerson { question: Box::new(question.clone()) });
            };
            asked.insert(question.question_id.clone());
            if let Some(end) = driver.take_answer(question, &answer)? {
                return Ok(end);
            }
            continue;
        }
        if let Some(end) = driver.advance(&next)? {
            return Ok(end);
        }
    }
}

fn end_of(next: &Next) -> Option<DriveEnd> {
    let is_over = next
        .steps
        .iter()
        .any(|step| matches!(step, Step::Stop { .. } | Step::Wait { .. } | Step::Handoff { .. }));
    match next.outcome {
        Some(outcome) if is_over => Some(DriveEnd::Outcome { outcome }),
        _ => None,
    }
}

fn open_question<'a>(next: &'a Next, asked: &BTreeSet<String>) -> Option<&'a Question> {
    next.steps.iter().find_map(|step| match step {
        Step::Ask { question } if !asked.contains(&question.question_id) => Some(question),
        _ => None,
    })
}

impl Driver<'_> {
    pub(crate) fn tell(&self, event: DriveEvent) {
        (self.listener)(event);
    }

    /// Does everything that is legal now; ends when that is nothing.
    fn advance(&self, next: &Next) -> Result<Option<DriveEnd>, HostError> {
        let agents: Vec<(&str, &Slot)> = next.steps.iter().filter_map(agent_step).collect();
        if !agents.is_empty() {
            return self.run_agents(&agents);
        }
        for step in &next.steps {
            if let Step::Write { slot, compose: true, missing, .. } = step
                && missing.is_empty()
            {
                return self.compose(slot);
            }
        }
        let what = next.steps.iter().find_map(|step| match step {
            Step::Write { slot, by, .. } => Some(format!("{} by {}", slot.stage, by.join(" or "))),
            _ => None,
        });
        Ok(Some(DriveEnd::Waiting {
            what: what.unwrap_or_else(|| "a step that this driver does not know".to_owned()),
        }))
    }

    /// Runs agents side by side; a failure of one does not stop the other.
    fn run_agents(&self, steps: &[(&str, &Slot)]) -> Result<Option<DriveEnd>, HostError> {
        let results: Vec<Result<Option<DriveEnd>, HostError>> = thread::scope(|scope| {
            let handles: Vec<_> =
                steps.iter().map(|(role, slot)| scope.spawn(move || self.run_role(role, slot))).collect();
            handles
                .into_iter()
                .map(|handle| {
                    handle.join().unwrap_or_else(|_| {
                        Ok(Some(DriveEnd::Waiting { what: "an agent that ended with a panic".to_owned() }))
                    })
                })
                .collect()
        });
        let mut end = None;
        for result in results {
            end = result?.or(end);
        }
        Ok(end)
    }

    fn compose(&self, slot: &Slot) -> Result<Option<DriveEnd>, HostError> {
        let write = Write {
            artifact: None,
            compose: true,
            continuity: None,
            draft_sha256: None,
            pass: None,
            stage: slot.stage.clone(),
            stage_n: None,
            token: None,
            verdicts: Vec::new(),
        };
        let submitted = self.submit(leader(), Act::Write(Box::new(write)))?;
        self.report("leader", &submitted);
        Ok(refusal(&submitted.decision))
    }

    pub(crate) fn submit(&self, actor: Actor, act: Act) -> Result<Submitted, HostError> {
        let command = Command { actor, at: crate::clock::now(), owner: None, act };
        self.host.submit(self.key, &command)
    }

    /// Tells what was accepted, with its warnings and markers.
    pub(crate) fn report(&self, role: &str, submitted: &Submitted) {
        for message in &submitted.warnings {
            self.tell(DriveEvent::Warning { message: message.clone() });
        }
        if let Decision::Accepted { markers, receipt, warnings, .. } = &submitted.decision {
            let lane = submitted
                .run
                .status()
                .and_then(|status| status.lanes.into_iter().find(|lane| lane.role == role));
            self.tell(DriveEvent::Accepted {
                role: role.to_owned(),
                receipt: receipt.clone(),
                lane: Box::new(lane),
                warnings: warnings.clone(),
            });
            for marker in markers {
                self.tell(DriveEvent::Marker { text: marker.clone() });
            }
        }
    }

    /// Carries out what a person answered.
    fn take_answer(&self, question: &Question, answer: &PersonAnswer) -> Result<Option<DriveEnd>, HostError> {
        let channel = Some(Channel::Terminal);
        let act = match (question.kind.as_str(), answer.option.as_str()) {
            ("draft_review", "request_changes") => Act::Approval(Approval {
                answer: ApprovalAnswer::RequestChanges,
                channel,
                comments: answer.text.clone(),
                final_hash: None,
                sha256: question.receipts.first().cloned(),
                target: None,
            }),
            ("draft_review", "skip_review") => {
                Act::WaiveReview(WaiveReview { channel, reason: answer.text.clone() })
            }
            ("draft_review", _) => return Ok(None),
            (_, option) => {
                let outcome = match option {
                    "confirmed" => AnswerOutcome::Confirmed,
                    "corrected" => AnswerOutcome::Corrected,
                    _ => AnswerOutcome::Deferred,
                };
                Act::Answer(Answer {
                    channel,
                    item_id: question.question_id.clone(),
                    outcome,
                    text: answer.text.clone(),
                })
            }
        };
        let submitted = self.submit(Actor::new(ActorKind::Person, Assurance::Terminal), act)?;
        self.report("person", &submitted);
        Ok(refusal(&submitted.decision))
    }
}

fn agent_step(step: &Step) -> Option<(&str, &Slot)> {
    match step {
        Step::Assign { role, slot, missing, .. } | Step::Invoke { role, slot, missing, .. }
            if missing.is_empty() =>
        {
            Some((role, slot))
        }
        _ => None,
    }
}

/// The end that a decision means, when it is not accepted.
pub(crate) fn refusal(decision: &Decision) -> Option<DriveEnd> {
    match decision {
        Decision::Accepted { .. } | Decision::Duplicate { .. } => None,
        Decision::Refused { reasons, .. } => Some(DriveEnd::Refused { reasons: reasons.clone() }),
        Decision::Exhausted { reasons, stuck, .. } if !stuck => {
            Some(DriveEnd::Refused { reasons: reasons.clone() })
        }
        Decision::Exhausted { .. } => Some(DriveEnd::Outcome { outcome: Outcome::Stuck }),
    }
}

/// The leader of a driven run: this program.
#[must_use]
pub fn leader() -> Actor {
    Actor {
        role: Some("leader".to_owned()),
        agent_id: Some(LEADER.to_owned()),
        ..Actor::new(ActorKind::Host, Assurance::Driven)
    }
}
