//! How a driven run ended: where the plan is, what the reviewers objected to, what to type next.

use ralplan_core::protocol::Class;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::review::read_findings;
use ralplan_core::run::{Outcome as PlanOutcome, Question, Run, Status};
use ralplan_host::drive::DriveEnd;
use ralplan_host::store::RunKey;
use serde::Serialize;
use serde_json::json;

use crate::commands::status::identities;
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::words::{self, Move};

/// Characters of a finding's evidence that are shown.
const EVIDENCE: usize = 160;

/// A review that did not approve its draft.
#[derive(Debug, Serialize)]
struct Objection {
    findings: Vec<String>,
    iteration: u32,
    path: String,
    role: String,
    verdict: String,
}

/// Tells how a run ended, and how the program ends.
pub(super) fn tell(context: &Context, key: &RunKey, end: &DriveEnd, marked: &[String]) -> Outcome {
    let resume = context.line(&key.run_id, "run", &["--resume"]);
    let (word, exit, question) = match end {
        DriveEnd::Outcome { outcome } => (outcome.word(), exit(*outcome), None),
        DriveEnd::NeedsPerson { question } => ("needs_person", Exit::NeedsPerson, Some(question.as_ref())),
        DriveEnd::Waiting { what } => {
            let reason = Reason::new(Code::ApprovalNotPerson).message(format!("the run waits for {what}"));
            let remedy =
                format!("see `{}`, then go on with `{resume}`", context.line(&key.run_id, "next", &[]));
            return Err(Failure::needs_person(reason.remedy(remedy)));
        }
        DriveEnd::Refused { reasons } => return Err(Failure::refused(reasons.clone())),
        DriveEnd::AgentFailed { role, code, message } => {
            return Err(agent_failed(role, code, message, &resume));
        }
        DriveEnd::Cancelled => {
            let reason =
                Reason::new(Code::AgentCancelled).message("the run was interrupted; nothing is lost");
            return Err(Failure {
                exit: Exit::Unexpected,
                reasons: vec![reason.remedy(format!("go on with `{resume}`"))],
            });
        }
        other => {
            return Err(Failure::system(format!(
                "the driver ended in a way that is not known here: {other:?}"
            )));
        }
    };
    let run = context.host()?.load(key)?;
    let Some(status) = run.status() else { return Err(Failure::system("the run cannot be read any more")) };
    let objections = objections(context, key, &run)?;
    let moves = words::moves(context, &key.run_id, &run);
    if context.output.is_json {
        let document = json!({
            "end": word,
            "markers": markers(&run, exit, marked),
            "next_commands": moves,
            "objections": objections,
            "question": question,
            "run_id": key.run_id,
            "status": status,
        });
        context.output.json(&document)?;
        return Ok(exit);
    }
    for marker in markers(&run, exit, &[]).iter().filter(|marker| !marked.contains(marker)) {
        context.output.text(marker)?;
    }
    context.output.text(&text(word, &status, &objections, question, &moves))?;
    Ok(exit)
}

/// How the program ends after planning ended in its own way.
fn exit(outcome: PlanOutcome) -> Exit {
    match outcome {
        PlanOutcome::Stuck => Exit::Exhausted,
        PlanOutcome::Rejected | PlanOutcome::Cancelled => Exit::Refused,
        PlanOutcome::PendingApproval
        | PlanOutcome::Approved
        | PlanOutcome::HandedOff
        | PlanOutcome::Stopped => Exit::Done,
        _ => Exit::Unexpected,
    }
}

fn agent_failed(role: &str, code: &str, message: &str, resume: &str) -> Failure {
    let code = Code::named(code).unwrap_or(Code::AgentIo);
    let reason = Reason::new(code).at(role).message(message);
    let remedy = format!("{}; then go on with `{resume}`", reason.remedy);
    Failure { exit: Exit::Unexpected, reasons: vec![reason.remedy(remedy)] }
}

/// The lines of milestones: those that were reached, and the one of a run that is stuck.
fn markers(run: &Run, exit: Exit, marked: &[String]) -> Vec<String> {
    let mut markers = marked.to_vec();
    let stuck = run.state().and_then(|state| state.protocol().markers.get("stuck"));
    if let Some(stuck) = stuck.filter(|stuck| exit == Exit::Exhausted && !markers.contains(stuck)) {
        markers.push(stuck.clone());
    }
    markers
}

/// What the reviewers objected to; the evidence comes from the reviews themselves.
fn objections(context: &Context, key: &RunKey, run: &Run) -> Result<Vec<Objection>, Failure> {
    let mut objections = Vec::new();
    let artifacts = run.state().into_iter().flat_map(|state| state.artifacts());
    for (_, written) in artifacts {
        let Some(review) = written.review.as_ref().filter(|review| review.class != Class::Approve) else {
            continue;
        };
        let text = context.host()?.file(key, &written.path)?.and_then(|bytes| String::from_utf8(bytes).ok());
        let read = text.as_deref().and_then(|text| read_findings(text).ok().flatten()).unwrap_or_default();
        let findings = review.findings.iter().map(|fact| {
            let evidence = read.iter().find(|finding| finding.finding_id == fact.finding_id);
            let evidence =
                evidence.map(|finding| format!(": {}", shorten(&finding.evidence))).unwrap_or_default();
            format!("{} {} on {}{evidence}", fact.severity.word(), fact.finding_id, fact.target_id)
        });
        let words: Vec<&str> =
            review.verdicts.iter().map(|verdict| verdict.token.as_deref().unwrap_or("none")).collect();
        objections.push(Objection {
            findings: findings.collect(),
            iteration: written.iteration,
            path: written.path.clone(),
            role: written.role.clone(),
            verdict: words.join("/"),
        });
    }
    Ok(objections)
}

fn shorten(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(EVIDENCE) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line,
    }
}

fn text(
    word: &str,
    status: &Status,
    objections: &[Objection],
    question: Option<&Question>,
    moves: &[Move],
) -> String {
    let mut text = String::new();
    match (&status.plan, &status.draft) {
        (Some(plan), _) => text.push_str(&format!("{}: {plan}\n", word.replace('_', " "))),
        (None, Some(draft)) => {
            text.push_str(&format!("{}: the best draft is {draft}\n", word.replace('_', " ")));
        }
        (None, None) => text.push_str(&format!("{}\n", word.replace('_', " "))),
    }
    if let Some(question) = question {
        text.push_str(&format!("question    {}\n", question.text));
    }
    text.push_str(&format!("iterations  {} of {}\n", status.iteration, status.max_iterations));
    text.push_str(&format!("reviews     {}\n", status.agreement));
    text.push_str(&format!("identities  {}\n", identities(status.assurance)));
    if !objections.is_empty() {
        text.push_str("objections on the way:\n");
    }
    for objection in objections {
        let Objection { findings, iteration, path, role, verdict } = objection;
        text.push_str(&format!("- iteration {iteration}, {role} {verdict} ({path})\n"));
        for finding in findings {
            text.push_str(&format!("    {finding}\n"));
        }
    }
    for item in &status.open_items {
        text.push_str(&format!("open item   {item}\n"));
    }
    for item in &status.unresolved {
        text.push_str(&format!("unresolved  {item}\n"));
    }
    if !status.warnings.is_empty() {
        text.push_str(&format!("warnings    {} (see `ralplan status`)\n", status.warnings.len()));
    }
    text.push_str(&words::moves_text(moves));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_follow_the_outcome() {
        assert_eq!(exit(PlanOutcome::PendingApproval).number(), 0);
        assert_eq!(exit(PlanOutcome::Stuck).number(), 3);
        assert_eq!(exit(PlanOutcome::Rejected).number(), 2);
    }

    #[test]
    fn an_agent_that_failed_is_named_with_its_role_and_the_way_on() {
        let failure = agent_failed("critic", "agent.timeout", "it took too long", "ralplan run --resume");
        assert_eq!((failure.exit.number(), failure.reasons[0].code), (1, Code::AgentTimeout));
        assert_eq!(failure.reasons[0].at.as_deref(), Some("critic"));
        assert!(failure.reasons[0].remedy.ends_with("`ralplan run --resume`"));
    }
}
