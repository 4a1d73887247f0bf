//! `completions`: scripts for shells.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::context::Context;
use crate::exit::{Exit, Outcome};

/// Arguments of `completions`.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Prints a completion script.
pub(crate) fn completions(context: &Context, arguments: &CompletionsArgs) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "ralplan", &mut script);
    context.output.exact(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}
