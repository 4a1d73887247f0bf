//! `assign`: handing work to a role, with a token that is shown once.

use clap::Args;
use ralplan_core::json::sha256_hex;
use ralplan_core::run::{Act, Assign};
use serde_json::json;

use crate::context::{Context, Reach};
use crate::exit::{Exit, Outcome};
use crate::{ids, words};

/// Arguments of `assign`.
#[derive(Args, Debug)]
pub(crate) struct AssignArgs {
    /// The role
    role: String,
    /// The stage to write [default: the next one of the role]
    #[arg(long, value_name = "STAGE")]
    stage: Option<String>,
    /// The start of the agent that this is for; its write must name the same
    #[arg(long, value_name = "ID")]
    invocation_id: Option<String>,
    /// Print the prompt and nothing else; the token goes to standard error
    #[arg(long, conflicts_with = "json")]
    prompt_only: bool,
}

/// Hands the next assignment to a role.
pub(crate) fn assign(context: &Context, arguments: &AssignArgs) -> Outcome {
    let key = context.key(Reach::Open)?;
    let token = ids::token()?;
    let act = Act::Assign(Assign {
        invocation_id: arguments.invocation_id.clone(),
        role: arguments.role.clone(),
        stage: arguments.stage.clone(),
        token_sha256: sha256_hex(token.as_bytes()),
    });
    let submitted = context.submit_new(&key, &context.command(context.leader(), act))?;
    let assignment = submitted.decision.receipt().and_then(|receipt| submitted.run.assignment(receipt.seq));
    let Some(assignment) = assignment else { return words::acted(context, &key, &submitted) };
    if context.output.is_json {
        let more = vec![("assignment", json!(assignment)), ("token", json!(token))];
        return words::happened(context, &key, &submitted, more);
    }
    if arguments.prompt_only {
        context.output.complain(&format!("token: {token}"));
        context.output.exact(&assignment.prompt)?;
        return Ok(Exit::Done);
    }
    context.output.exact(&format!("{}\n", assignment.prompt.trim_end()))?;
    context.output.text(&format!("\ntoken (shown once, used once): {token}"))?;
    words::acted(context, &key, &submitted)
}
