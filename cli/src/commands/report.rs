//! `report`: a whole run as a Markdown document.

use ralplan_core::ledger::{ApprovalAnswer, Entry, Event, Mode, Written};
use ralplan_core::protocol::StageKind;
use ralplan_core::run::{Run, State, Status, Verification};
use serde_json::json;

use super::log::{what, who};
use super::{status, verify};
use crate::context::{Context, Reach};
use crate::exit::{Exit, Outcome};
use crate::words::{self, short};

/// Prints the report.
pub(crate) fn report(context: &Context) -> Outcome {
    let (key, run) = context.load(Reach::Any)?;
    let verification = context.host()?.verify(&key, false)?;
    let text = match (run.state(), run.status()) {
        (Some(state), Some(status)) => document(&run, state, &status, &verification),
        _ => {
            format!("# Run {}\n\nThe ledger cannot be read.\n\n{}\n", key.run_id, verify::text(&verification))
        }
    };
    if context.output.is_json {
        context.output.json(&json!({ "report": text, "run_id": key.run_id }))?;
    } else {
        context.output.text(&text)?;
    }
    Ok(Exit::Done)
}

fn document(run: &Run, state: &State, status: &Status, verification: &Verification) -> String {
    let mut text = format!("# Run {}\n\n", status.run_id);
    text.push_str(&format!("> {}\n\n", status.task.trim().replace('\n', "\n> ")));
    text.push_str(&facts(state, status));
    for iteration in 1..=status.iteration {
        text.push_str(&format!("\n## Iteration {iteration}\n\n"));
        for (entry, written) in state.artifacts().filter(|(_, written)| written.iteration == iteration) {
            if !is_closing(state, written) {
                text.push_str(&artifact(entry, written));
            }
        }
    }
    text.push_str(&section(
        "Closing",
        state
            .artifacts()
            .filter(|(_, written)| is_closing(state, written))
            .map(|(entry, written)| artifact(entry, written)),
    ));
    text.push_str(&section(
        "What persons said",
        state.entries().iter().filter(|entry| is_persons(&entry.event)).map(|entry| told(entry)),
    ));
    text.push_str(&section("Failed attempts and records", state.records().map(|(entry, _)| told(entry))));
    text.push_str(&section("Warnings", state.entries().iter().flat_map(|entry| warnings(entry))));
    text.push_str(&section("Unresolved", status.unresolved.iter().map(|item| format!("- {item}\n"))));
    text.push_str(&format!("\n## Verification\n\n```text\n{}\n```\n", verify::text(verification)));
    if let Some(reason) = run.health().reason() {
        text.push_str(&format!("\n{}\n", words::list(&[reason])));
    }
    text
}

fn facts(state: &State, status: &Status) -> String {
    let started = state.started();
    let mode = if status.mode == Mode::Deliberate { "deliberate" } else { "short" };
    let risks: Vec<&str> = started.risks.iter().map(|risk| risk.word.as_str()).collect();
    let mut rows = vec![
        (
            "Protocol",
            format!("{} (version {}), {mode} mode", started.protocol.name, started.protocol.version),
        ),
        ("Iterations", format!("{} of {}", status.iteration, status.max_iterations)),
        ("Agreement", status.agreement.clone()),
        ("Identities", status::identities(status.assurance)),
        ("Outcome", status.outcome.map_or("planning", |outcome| outcome.word()).replace('_', " ")),
    ];
    if !risks.is_empty() {
        rows.push(("Risk words", risks.join(", ")));
    }
    if let Some(from) = &started.continues {
        rows.push(("Continues", from.clone()));
    }
    if let Some(plan) = status.plan.as_ref().or(status.draft.as_ref()) {
        rows.push(("Plan", format!("`{plan}`")));
    }
    rows.extend(status.digest.iter().map(|digest| ("Digest", format!("`{digest}`"))));
    let pipe = |value: &str| value.replace('|', "\\|");
    let rows: String = rows.iter().map(|(word, value)| format!("| {word} | {} |\n", pipe(value))).collect();
    format!("| | |\n| --- | --- |\n{rows}")
}

fn is_closing(state: &State, written: &Written) -> bool {
    let is_listed = state.protocol().closing.contains(&written.stage);
    is_listed && !matches!(written.kind, StageKind::Draft | StageKind::Review)
}

fn artifact(entry: &Entry, written: &Written) -> String {
    let mut text = format!(
        "- **{} {}** by {}: `{}` ({} bytes, sha256 {})\n",
        written.stage,
        written.stage_n,
        who(&entry.actor),
        written.path,
        written.bytes,
        short(&written.sha256)
    );
    let Some(review) = &written.review else { return text };
    let words: Vec<String> = review
        .verdicts
        .iter()
        .map(|verdict| format!("{} {}", verdict.axis, verdict.token.as_deref().unwrap_or("not stated")))
        .collect();
    let qualifier = review.qualifier.as_ref().map(|qualifier| format!(" {qualifier}")).unwrap_or_default();
    let draft = review.draft_sha256.as_deref().map_or("not stated", short);
    text.push_str(&format!("  - {}{qualifier}, on draft {draft}\n", words.join(", ")));
    for finding in &review.findings {
        let evidence = if finding.has_evidence { "" } else { ", without evidence" };
        let (severity, target) = (finding.severity.word(), &finding.target_id);
        text.push_str(&format!("  - {severity} `{}` on `{target}`{evidence}\n", finding.finding_id));
    }
    text
}

fn is_persons(event: &Event) -> bool {
    matches!(
        event,
        Event::Answered(_) | Event::Waived(_) | Event::Approval(_) | Event::HandedOff(_) | Event::Closed(_)
    )
}

fn told(entry: &Entry) -> String {
    let emphasis = match &entry.event {
        Event::Approval(approved) if approved.answer == ApprovalAnswer::Approve => "**",
        _ => "",
    };
    format!("- {} {}: {emphasis}{}{emphasis}\n", entry.at, who(&entry.actor), what(&entry.event))
}

fn warnings(entry: &Entry) -> Vec<String> {
    let tell = |warning: &ralplan_core::ledger::Warning| {
        format!("- entry {}: `{}`: {}\n", entry.seq, warning.code.name(), warning.message)
    };
    entry.warnings.iter().map(tell).collect()
}

/// A section, unless it would be empty.
fn section(title: &str, lines: impl Iterator<Item = String>) -> String {
    let body: String = lines.collect();
    if body.is_empty() { body } else { format!("\n## {title}\n\n{body}") }
}
