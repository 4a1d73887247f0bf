//! One role, one pass: assign, invoke, submit, and again when it fails.

use std::collections::BTreeMap;

use ralplan_core::json::sha256_hex;
use ralplan_core::ledger::RecordKind;
use ralplan_core::reason::Reason;
use ralplan_core::run::{
    Act, Actor, ActorKind, Assign, Assignment, Assurance, Decision, Record, Slot, Step, Write,
};

use super::{DriveEnd, DriveEvent, Driver, leader, refusal};
use crate::host::HostError;
use crate::process::{AgentCommand, AgentError, AgentOutput, Invocation, run_agent};
use crate::store::StoreError;
use crate::submit::Submitted;

/// Why an attempt failed, and whether another may help.
struct Failure {
    code: String,
    message: String,
    is_final: bool,
    /// What the agent is told in the next attempt.
    feedback: Option<String>,
}

impl Driver<'_> {
    /// Runs a role until its artifact is accepted or its attempts are used up.
    pub(super) fn run_role(&self, role: &str, slot: &Slot) -> Result<Option<DriveEnd>, HostError> {
        let agent = self.agents.get(role).cloned().unwrap_or_else(|| (self.fallback)(role));
        let attempts = agent.retries.saturating_add(1);
        let mut feedback = None;
        for attempt in 1..=attempts {
            let invocation_id = random_id()?;
            let token = random_id()?;
            let assigned = self.assign(role, slot, &invocation_id, &token)?;
            if let Some(end) = refusal(&assigned.decision) {
                return Ok(Some(end));
            }
            let seq = assigned.decision.receipt().map_or(0, |receipt| receipt.seq);
            let Some(assignment) = assigned.run.assignment(seq) else {
                return Ok(Some(DriveEnd::Waiting { what: format!("an assignment for {role}") }));
            };
            let program = agent.argv.first().cloned().unwrap_or_default();
            self.tell(DriveEvent::Started {
                role: role.to_owned(),
                slot: format!("{} {}", slot.stage, slot.stage_n),
                attempt,
                program,
            });
            let resume = resume_id(&assigned, role);
            let failure = match self.invoke(&agent, &assignment, resume.as_deref(), feedback.as_deref()) {
                Ok(output) => match self.deliver(role, &assignment, &agent, output, token)? {
                    Ok(end) => return Ok(end),
                    Err(failure) => failure,
                },
                Err(AgentError::Cancelled { .. }) => return Ok(Some(DriveEnd::Cancelled)),
                Err(error) => Failure {
                    code: error.code().to_owned(),
                    message: error.to_string(),
                    is_final: error.is_final(),
                    feedback: None,
                },
            };
            let is_retried = attempt < attempts && !failure.is_final;
            self.record_failure(role, &assignment, attempt, &invocation_id, &failure)?;
            self.tell(DriveEvent::Failed {
                role: role.to_owned(),
                code: failure.code.clone(),
                message: failure.message.clone(),
                is_retried,
            });
            if !is_retried {
                return Ok(Some(DriveEnd::AgentFailed {
                    role: role.to_owned(),
                    code: failure.code,
                    message: failure.message,
                }));
            }
            feedback = failure.feedback;
        }
        Ok(None)
    }

    fn assign(
        &self,
        role: &str,
        slot: &Slot,
        invocation_id: &str,
        token: &str,
    ) -> Result<Submitted, HostError> {
        let assign = Assign {
            invocation_id: Some(invocation_id.to_owned()),
            role: role.to_owned(),
            stage: Some(slot.stage.clone()),
            token_sha256: sha256_hex(token.as_bytes()),
        };
        self.submit(leader(), Act::Assign(assign))
    }

    fn invoke(
        &self,
        agent: &AgentCommand,
        assignment: &Assignment,
        resume: Option<&str>,
        feedback: Option<&str>,
    ) -> Result<AgentOutput, AgentError> {
        let mut prompt = assignment.prompt.clone();
        if let Some(feedback) = feedback {
            prompt.push_str(feedback);
        }
        let invocation_id = assignment.invocation_id.as_deref().unwrap_or_default();
        let artifact_file =
            agent.writes_file.then(|| std::env::temp_dir().join(format!("ralplan-{invocation_id}.md")));
        let marks = BTreeMap::from([
            ("RALPLAN_DRIVEN".to_owned(), "1".to_owned()),
            ("RALPLAN_RUN_ID".to_owned(), self.key.run_id.clone()),
            ("RALPLAN_ROLE".to_owned(), assignment.role.clone()),
            ("RALPLAN_STAGE".to_owned(), assignment.stage.clone()),
            ("RALPLAN_ITERATION".to_owned(), assignment.iteration.to_string()),
        ]);
        let invocation = Invocation {
            prompt: &prompt,
            folder: self.folder,
            resume,
            marks,
            artifact_file: artifact_file.clone(),
        };
        let output = run_agent(agent, &invocation, self.cancel);
        if let Some(file) = artifact_file {
            let _ = std::fs::remove_file(file);
        }
        output
    }

    /// Submits what an agent delivered.
    fn deliver(
        &self,
        role: &str,
        assignment: &Assignment,
        agent: &AgentCommand,
        output: AgentOutput,
        token: String,
    ) -> Result<Result<Option<DriveEnd>, Failure>, HostError> {
        let program = agent
            .argv
            .first()
            .map_or("agent", |program| program.rsplit(['/', '\\']).next().unwrap_or(program));
        let invocation = assignment.invocation_id.clone();
        let actor = Actor {
            role: Some(role.to_owned()),
            agent_id: Some(output.agent_id.unwrap_or_else(|| plain(&format!("{role}:{program}")))),
            turn_id: invocation.as_ref().map(|invocation| format!("{invocation}.1")),
            invocation_id: invocation,
            ..Actor::new(ActorKind::Agent, Assurance::Driven)
        };
        let write = Write {
            artifact: Some(output.text),
            compose: is_final(self, assignment)?,
            continuity: None,
            draft_sha256: None,
            pass: None,
            stage: assignment.stage.clone(),
            stage_n: None,
            token: Some(token),
            verdicts: Vec::new(),
        };
        let submitted = self.submit(actor, Act::Write(Box::new(write)))?;
        self.report(role, &submitted);
        if let Decision::Refused { reasons, .. } = &submitted.decision {
            return Ok(Err(refused(reasons)));
        }
        Ok(Ok(refusal(&submitted.decision)))
    }

    fn record_failure(
        &self,
        role: &str,
        assignment: &Assignment,
        attempt: u32,
        invocation_id: &str,
        failure: &Failure,
    ) -> Result<(), HostError> {
        let record = Record {
            evidence_sha256: None,
            kind: RecordKind::FailedAttempt,
            name: format!(
                "{role} {} {} attempt {attempt} {invocation_id}",
                assignment.stage, assignment.stage_n
            ),
            outcome: failure.code.clone(),
            reason: Some(failure.message.chars().take(2000).collect()),
        };
        let submitted = self.submit(leader(), Act::Record(record))?;
        for message in submitted.warnings {
            self.tell(DriveEvent::Warning { message });
        }
        Ok(())
    }
}

/// True when the stage is the final, which the core joins with what the agent wrote.
fn is_final(driver: &Driver<'_>, assignment: &Assignment) -> Result<bool, HostError> {
    let run = driver.host.load(driver.key)?;
    Ok(run
        .state()
        .and_then(|state| state.protocol().final_stage())
        .is_some_and(|stage| stage == assignment.stage))
}

/// A refusal as a failure, with what the agent should do about it.
fn refused(reasons: &[Reason]) -> Failure {
    let lines: Vec<String> = reasons
        .iter()
        .map(|reason| {
            let place = reason.at.as_ref().map(|at| format!(" at {at}")).unwrap_or_default();
            format!("- {}{place}: {}; {}\n", reason.code.name(), reason.message, reason.remedy)
        })
        .collect();
    let first = reasons.first().map_or("refused", |reason| reason.code.name());
    Failure {
        code: "agent.refused".to_owned(),
        message: format!("what it wrote was refused ({first}): {}", lines.concat().trim().replace('\n', " ")),
        is_final: false,
        feedback: Some(format!(
            "\n## Your last answer was refused\n\n{}\nWrite the whole document again.\n",
            lines.concat()
        )),
    }
}

fn resume_id(assigned: &Submitted, role: &str) -> Option<String> {
    assigned.run.next().steps.into_iter().find_map(|step| match step {
        Step::Invoke { role: of, resume, .. } if of == role => resume,
        _ => None,
    })
}

/// An id without blanks.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_ascii_graphic() { letter } else { '_' }).take(120).collect()
}

/// 128 random bits in hexadecimal.
///
/// # Errors
/// When the system has no source of chance; without one no token is safe.
pub fn random_id() -> Result<String, StoreError> {
    let mut random = [0_u8; 16];
    getrandom::fill(&mut random)
        .map_err(|error| StoreError::new("store.io", format!("no source of chance: {error}")))?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}
