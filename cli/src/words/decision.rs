//! What came of an act, as text or as the core's own document.

use ralplan_core::protocol::Protocol;
use ralplan_core::run::{Decision, Receipt};
use ralplan_host::Submitted;
use ralplan_host::store::RunKey;
use serde_json::Value;

use super::{list, moves_of, moves_text, reasons, short};
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};

/// Tells what came of an act, and how the program ends.
pub(crate) fn acted(context: &Context, key: &RunKey, submitted: &Submitted) -> Outcome {
    happened(context, key, submitted, Vec::new())
}

/// As [`acted`], with further members for the JSON document.
pub(crate) fn happened(
    context: &Context,
    key: &RunKey,
    submitted: &Submitted,
    more: Vec<(&str, Value)>,
) -> Outcome {
    for warning in &submitted.warnings {
        context.output.note(&format!("warning: {warning}"));
    }
    let decision = &submitted.decision;
    if context.output.is_json {
        context.output.json(&document(decision, more)?)?;
        return Ok(exit(decision));
    }
    for marker in markers(decision, submitted.run.state().map(|state| state.protocol())) {
        context.output.text(&marker)?;
    }
    match decision {
        Decision::Refused { reasons: found, .. } => context.output.complain(&reasons("refused", found)),
        Decision::Exhausted { reasons: found, .. } => context.output.complain(&reasons("exhausted", found)),
        Decision::Accepted { receipt, warnings, .. } => {
            context.output.text(&done("accepted", receipt, warnings))?;
        }
        Decision::Duplicate { receipt, warnings, .. } => {
            context.output.text(&done("already done", receipt, warnings))?;
        }
    }
    if !context.output.is_quiet {
        let moves = moves_of(context, &key.run_id, decision.next(), &submitted.run);
        context.output.note(&moves_text(&moves));
    }
    Ok(exit(decision))
}

/// How the program ends after a decision.
pub(crate) fn exit(decision: &Decision) -> Exit {
    match decision {
        Decision::Accepted { .. } | Decision::Duplicate { .. } => Exit::Done,
        Decision::Refused { .. } => Exit::Refused,
        Decision::Exhausted { .. } => Exit::Exhausted,
    }
}

fn document(decision: &Decision, more: Vec<(&str, Value)>) -> Result<Value, Failure> {
    let mut value = serde_json::to_value(decision).map_err(|error| Failure::system(error.to_string()))?;
    if let Some(members) = value.as_object_mut() {
        members.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
    }
    Ok(value)
}

/// The lines of reached milestones; a run that is stuck says so each time it is asked for more.
fn markers(decision: &Decision, protocol: Option<&Protocol>) -> Vec<String> {
    match decision {
        Decision::Accepted { markers, .. } => markers.clone(),
        Decision::Exhausted { markers, stuck: true, .. } if markers.is_empty() => {
            protocol.and_then(|protocol| protocol.markers.get("stuck")).cloned().into_iter().collect()
        }
        Decision::Exhausted { markers, .. } => markers.clone(),
        Decision::Duplicate { .. } | Decision::Refused { .. } => Vec::new(),
    }
}

fn done(word: &str, receipt: &Receipt, warnings: &[ralplan_core::reason::Reason]) -> String {
    let slot = receipt.stage.as_ref().map(|stage| {
        let number = receipt.stage_n.map(|number| format!(" {number}")).unwrap_or_default();
        let pass =
            receipt.pass.filter(|pass| *pass > 0).map(|pass| format!(", pass {pass}")).unwrap_or_default();
        format!(" {stage}{number}{pass}")
    });
    let mut text = format!("{word}: {}{} (entry {}", receipt.event, slot.unwrap_or_default(), receipt.seq);
    if let Some(digest) = &receipt.sha256 {
        text.push_str(&format!(", sha256 {}", short(digest)));
    }
    text.push_str(&format!(", identity {})", receipt.assurance.word()));
    if let Some(path) = &receipt.path {
        text.push_str(&format!("\n  {path}"));
    }
    if !warnings.is_empty() {
        text.push_str(&format!("\nlet pass with a warning:\n{}", list(warnings)));
    }
    text
}
