//! `handoff`, `cancel`, `clear`: how a run leaves.

use clap::{Args, ValueEnum};
use ralplan_core::ledger::HandoffStep;
use ralplan_core::run::{Act, Cancel, Handoff};
use serde_json::json;

use crate::context::{Context, Reach};
use crate::exit::{Exit, Outcome};
use crate::words;

/// Arguments of `handoff`.
#[derive(Args, Debug)]
pub(crate) struct HandoffArgs {
    /// Where the plan goes [default: where it was approved for]
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// Which step of the handoff
    #[arg(long, value_enum, default_value = "dispatch")]
    step: StepWord,
}

/// A step of a handoff.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum StepWord {
    /// The plan may be taken
    Ready,
    /// It was taken; closes the run
    Dispatch,
}

/// Arguments of `cancel`.
#[derive(Args, Debug)]
pub(crate) struct CancelArgs {
    /// Why
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
}

/// Hands an approved plan to its target.
pub(crate) fn handoff(context: &Context, arguments: HandoffArgs) -> Outcome {
    let key = context.key(Reach::Any)?;
    let step = match arguments.step {
        StepWord::Ready => HandoffStep::Ready,
        StepWord::Dispatch => HandoffStep::Dispatch,
    };
    let act = Act::Handoff(Handoff { step, target: arguments.target });
    let submitted = context.submit_new(&key, &context.command(context.leader(), act))?;
    words::acted(context, &key, &submitted)
}

/// Ends a run.
pub(crate) fn cancel(context: &Context, arguments: CancelArgs) -> Outcome {
    let key = context.key(Reach::Any)?;
    let act = Act::Cancel(Cancel { reason: arguments.reason });
    let submitted = context.submit(&key, &context.command(context.leader(), act))?;
    words::acted(context, &key, &submitted)
}

/// Frees the session.
pub(crate) fn clear(context: &Context) -> Outcome {
    let key = context.key(Reach::Open)?;
    let act = Act::Cancel(Cancel { reason: Some("cleared".to_owned()) });
    let done = context.host()?.clear(&key, &context.command(context.leader(), act))?;
    if context.output.is_json {
        context.output.json(&json!({ "cleared": key.run_id, "done": done }))?;
    } else {
        context.output.text(&done)?;
    }
    Ok(Exit::Done)
}
