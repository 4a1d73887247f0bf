//! The command line: global flags and the list of commands.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use crate::commands::{
    assign, completions, config, diagram, doctor, end, explain, lint, outline, person, receipt, run, start,
    status, verify, write,
};

/// Consensus planning: a plan is drafted, attacked by reviewers and revised until all agree; a person approves it.
///
/// Exit codes: 0 done, 1 the system failed, 2 refused or bad input, 3 a budget is used up, 4 only a person can go on.
#[derive(Debug, Parser)]
#[command(name = "ralplan", version, max_term_width = 100, propagate_version = true)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Flags of every command.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Global {
    /// Folder in which the runs lie [default: the one that the current folder belongs to]
    #[arg(long, global = true, value_name = "DIR", help_heading = "Everywhere")]
    pub(crate) root: Option<PathBuf>,
    /// The run
    #[arg(
        long,
        global = true,
        value_name = "ID",
        env = "RALPLAN_RUN_ID",
        hide_env_values = true,
        help_heading = "Everywhere"
    )]
    pub(crate) run_id: Option<String>,
    /// The session that owns the run
    #[arg(
        long,
        global = true,
        value_name = "ID",
        env = "RALPLAN_SESSION_ID",
        hide_env_values = true,
        help_heading = "Everywhere"
    )]
    pub(crate) session_id: Option<String>,
    /// One JSON document on standard output, also for errors
    #[arg(long, global = true, help_heading = "Everywhere")]
    pub(crate) json: bool,
    /// Results, markers and errors only
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    pub(crate) quiet: bool,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Start a run and drive its agents until a plan waits for a person
    Run(run::RunArgs),
    /// Start a run that other programs drive
    New(start::NewArgs),
    /// Hand the next assignment to a role
    Assign(assign::AssignArgs),
    /// Submit an artifact
    Write(Box<write::WriteArgs>),
    /// Answer an open item of the plan, as a person
    Answer(person::AnswerArgs),
    /// Go on without reviews, as a person
    WaiveReview(person::WaiveArgs),
    /// Approve the plan, as a person
    Approve(person::ApproveArgs),
    /// Send the plan back, as a person
    RequestChanges(person::ChangesArgs),
    /// Give the plan up, as a person
    Reject(person::RejectArgs),
    /// Keep the plan as it is and stop, as a person
    Stop(person::StopArgs),
    /// Hand an approved plan to its target
    Handoff(end::HandoffArgs),
    /// End a run; its record stays
    Cancel(end::CancelArgs),
    /// Free the session: end a sound run, set a broken ledger aside
    Clear,
    /// Where a run stands, or the list of runs
    Status(status::StatusArgs),
    /// What can come next, with the commands to type
    Next,
    /// Check the chain, every decision and every file
    Verify(verify::VerifyArgs),
    /// Decide every entry again, from the ledger alone
    Replay(verify::ReplayArgs),
    /// Check a receipt against the ledger
    CheckReceipt(receipt::ReceiptArgs),
    /// The entries, one line each
    Log,
    /// The whole run as a Markdown document
    Report,
    /// A protocol or a run as a Mermaid diagram
    Diagram(diagram::DiagramArgs),
    /// Check a document against what its kind must hold
    Lint(lint::LintArgs),
    /// Look for damage and repair it
    Doctor(doctor::DoctorArgs),
    /// Explain a reason code, the rules, the limits or a protocol
    Explain(explain::ExplainArgs),
    /// List, show or check protocols
    Protocols(explain::ProtocolsArgs),
    /// Print a JSON Schema
    Schema(explain::SchemaArgs),
    /// The settings in force and where each comes from
    Config(config::ConfigArgs),
    /// Print a completion script for a shell
    Completions(completions::CompletionsArgs),
    /// Answer an assignment without a model: the agent of roles that have no program
    #[command(hide = true)]
    Outline(outline::OutlineArgs),
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }
}
