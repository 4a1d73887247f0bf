//! `outline`: the built-in agent of a role, which the driver starts where no program is named.

use std::io::Read;

use clap::Args;
use ralplan_core::limits;
use ralplan_core::reason::{Code, Reason};
use ralplan_host::outline::answer;

use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::settings;

/// Arguments of `outline`.
#[derive(Args, Debug)]
pub(crate) struct OutlineArgs {
    /// The role
    role: String,
}

/// Answers the prompt on standard input with an artifact on standard output.
pub(crate) fn outline(context: &Context, arguments: &OutlineArgs) -> Outcome {
    let mut bytes = Vec::new();
    let limit = limits::LEDGER_BYTES;
    std::io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(|error| {
        Failure::system(format!("cannot read standard input: {}", settings::plain(&error)))
    })?;
    let prompt =
        String::from_utf8(bytes).map_err(|_| Reason::new(Code::InputNotUtf8).at("standard input"))?;
    let here = std::env::current_dir()
        .map_err(|error| Failure::system(format!("the current folder cannot be read: {error}")))?;
    let text = answer(&arguments.role, &prompt, &here)
        .map_err(|error| Failure::argument("standard input", error.to_string()))?;
    context.output.exact(&text)?;
    Ok(Exit::Done)
}
