//! Next steps, each with the exact command to type.

use ralplan_core::protocol::{IdKind, RoleKind};
use ralplan_core::reason::Reason;
use ralplan_core::run::{Next, Outcome, Question, Run, Slot, Step};
use serde::Serialize;

use super::list;
use crate::context::Context;

/// A step that can come next.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Move {
    /// What happens.
    pub(crate) what: String,
    /// The commands that do it; the user types one of them.
    pub(crate) commands: Vec<String>,
    /// What is still missing; empty when the step is legal.
    pub(crate) missing: Vec<Reason>,
}

/// The next steps of a run.
pub(crate) fn moves(context: &Context, run_id: &str, run: &Run) -> Vec<Move> {
    moves_of(context, run_id, &run.next(), run)
}

/// The next steps that a decision names.
pub(crate) fn moves_of(context: &Context, run_id: &str, next: &Next, run: &Run) -> Vec<Move> {
    let words = Words { context, run_id, run };
    // Waiting for a person who is being asked says nothing of its own.
    let asks = next.steps.iter().any(|step| matches!(step, Step::Ask { .. }));
    let steps = next.steps.iter().filter(|step| !(asks && matches!(step, Step::Wait { .. })));
    steps.map(|step| words.step(step)).collect()
}

/// Next steps as text.
pub(crate) fn moves_text(moves: &[Move]) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let mut text = "next:".to_owned();
    for next in moves {
        text.push_str(&format!("\n- {}", next.what));
        for command in &next.commands {
            text.push_str(&format!("\n    {command}"));
        }
        if !next.missing.is_empty() {
            text.push_str(&format!("\n  not yet:\n  {}", list(&next.missing).replace('\n', "\n  ")));
        }
    }
    text
}

struct Words<'a> {
    context: &'a Context,
    run_id: &'a str,
    run: &'a Run,
}

impl Words<'_> {
    fn line(&self, verb: &str, rest: &[&str]) -> String {
        self.context.line(self.run_id, verb, rest)
    }

    fn step(&self, step: &Step) -> Move {
        match step {
            Step::Assign { role, slot, parallel_with, missing } => Move {
                what: format!("hand {} to {role}{}", place(slot), beside(parallel_with)),
                commands: vec![self.line("assign", &self.assign_words(role, slot))],
                missing: missing.clone(),
            },
            Step::Invoke { role, slot, resume, parallel_with, missing, .. } => {
                let agent = resume.as_ref().map(|agent| format!(", resumed as {agent}")).unwrap_or_default();
                Move {
                    what: format!(
                        "{role} writes {}{agent}{}, with its token or with a new one",
                        place(slot),
                        beside(parallel_with)
                    ),
                    commands: vec![
                        self.line("write", &self.write_words(role, slot)),
                        self.line("assign", &self.assign_words(role, slot)),
                    ],
                    missing: missing.clone(),
                }
            }
            Step::Ask { question } => self.ask(question),
            Step::Write { slot, by, compose, missing } => Move {
                what: format!("write {} (by {})", place(slot), by.join(" or ")),
                commands: vec![self.direct(slot, by, *compose)],
                missing: missing.clone(),
            },
            Step::Handoff { target } => Move {
                what: format!("hand the plan off to {target}"),
                commands: vec![self.line("handoff", &["--target", target])],
                missing: Vec::new(),
            },
            Step::Wait { what } => bare(format!("wait for {what}")),
            Step::Stop { outcome } => self.stop(*outcome),
            other => bare(format!("{other:?}")),
        }
    }

    fn assign_words<'a>(&self, role: &'a str, slot: &'a Slot) -> Vec<&'a str> {
        let is_reviewer = self.kind_of(role) == Some(RoleKind::Reviewer);
        if is_reviewer { vec![role] } else { vec![role, "--stage", &slot.stage] }
    }

    fn kind_of(&self, role: &str) -> Option<RoleKind> {
        Some(self.run.state()?.protocol().roles.get(role)?.kind)
    }

    fn write_words<'a>(&self, role: &'a str, slot: &'a Slot) -> Vec<&'a str> {
        let mut words = vec!["--stage", slot.stage.as_str(), "--role", role, "--token", "TOKEN"];
        let present =
            self.run.state().map(|state| state.protocol().identity.present.as_slice()).unwrap_or_default();
        for kind in present {
            words.extend(match kind {
                IdKind::AgentId => ["--agent-id", "AGENT"],
                IdKind::InvocationId => ["--invocation-id", "INVOCATION"],
                IdKind::TurnId => ["--turn-id", "TURN"],
                IdKind::ThreadId => ["--thread-id", "THREAD"],
            });
        }
        words.extend(["--artifact-file", "FILE"]);
        words
    }

    fn direct(&self, slot: &Slot, by: &[String], compose: bool) -> String {
        let mut words = vec!["--stage", slot.stage.as_str()];
        if !by.iter().any(|by| by == "leader") {
            words.extend(by.first().map(|role| ["--role", role.as_str()]).into_iter().flatten());
        }
        words.extend(if compose { vec!["--compose"] } else { vec!["--artifact-file", "FILE"] });
        self.line("write", &words)
    }

    fn ask(&self, question: &Question) -> Move {
        let digest = question.receipts.first().map_or("DIGEST", String::as_str);
        let mut commands = Vec::new();
        for option in &question.options {
            commands.push(match (question.kind.as_str(), option.id.as_str()) {
                ("draft_review", "request_changes") | (_, "request_changes") => {
                    self.line("request-changes", &["--digest", digest, "--comments", "TEXT"])
                }
                ("draft_review", "skip_review") => self.line("waive-review", &[]),
                ("draft_review", _) => continue,
                ("item", "corrected") => {
                    self.line("answer", &[&question.question_id, "corrected", "--text", "TEXT"])
                }
                ("item", outcome) => self.line("answer", &[&question.question_id, outcome]),
                (_, "reject") => self.line("reject", &["--digest", digest]),
                (_, "stop") => self.line("stop", &["--digest", digest]),
                (_, approve) => match approve.strip_prefix("approve:") {
                    Some(target) => self.line("approve", &["--digest", digest, "--target", target]),
                    None => self.line("approve", &["--digest", digest]),
                },
            });
        }
        let what = match question.kind.as_str() {
            "approval" => "a person decides about the plan".to_owned(),
            _ => format!("a person decides: {}", question.text),
        };
        Move { what, commands, missing: Vec::new() }
    }

    fn stop(&self, outcome: Outcome) -> Move {
        match outcome {
            Outcome::Stuck => {
                let line = self.context.new_from(self.run_id);
                Move {
                    what: "planning is stuck; go on in a new run".to_owned(),
                    commands: vec![line],
                    missing: Vec::new(),
                }
            }
            other => bare(format!("nothing: the run ended, {}", other.word().replace('_', " "))),
        }
    }
}

fn bare(what: String) -> Move {
    Move { what, commands: Vec::new(), missing: Vec::new() }
}

fn place(slot: &Slot) -> String {
    let optional = if slot.optional { "optional " } else { "" };
    let pass = if slot.pass > 0 { format!(", pass {}", slot.pass) } else { String::new() };
    format!("{optional}{} {}{pass}", slot.stage, slot.stage_n)
}

fn beside(roles: &[String]) -> String {
    if roles.is_empty() { String::new() } else { format!(", at the same time as {}", roles.join(", ")) }
}
