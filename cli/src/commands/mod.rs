//! One module for each family of commands.

pub(crate) mod assign;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod diagram;
pub(crate) mod doctor;
pub(crate) mod end;
pub(crate) mod explain;
pub(crate) mod lint;
pub(crate) mod log;
pub(crate) mod outline;
pub(crate) mod person;
pub(crate) mod receipt;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod start;
pub(crate) mod status;
pub(crate) mod verify;
pub(crate) mod write;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;
use serde_json::json;

use crate::arguments::{Arguments, Verb};
use crate::context::Context;
use crate::exit::{Exit, Failure, Outcome};
use crate::output::Output;
use crate::words;

/// Runs the program.
pub(crate) fn main(words: Vec<OsString>) -> ExitCode {
    let output = Output { is_json: asks_for_json(&words), is_quiet: false };
    let arguments = match Arguments::try_parse_from(words) {
        Ok(arguments) => arguments,
        Err(error) => return usage(output, &error).into(),
    };
    let context = Context::new(arguments.global);
    let exit = match carry_out(&context, arguments.verb) {
        Ok(exit) => exit,
        Err(failure) => tell(context.output, &failure),
    };
    exit.into()
}

/// True for what starts, leads, ends or repairs a run, which an agent of a run does not do.
fn is_leading(verb: &Verb) -> bool {
    match verb {
        Verb::New(_) | Verb::Assign(_) | Verb::Handoff(_) | Verb::Cancel(_) | Verb::Clear => true,
        Verb::Doctor(arguments) => arguments.changes(),
        _ => false,
    }
}

fn carry_out(context: &Context, verb: Verb) -> Outcome {
    if context.is_driven() && is_leading(&verb) {
        return Err(person::not_a_person());
    }
    match verb {
        Verb::Run(arguments) => run::run(context, &arguments),
        Verb::New(arguments) => start::new(context, &arguments),
        Verb::Assign(arguments) => assign::assign(context, &arguments),
        Verb::Write(arguments) => write::write(context, *arguments),
        Verb::Answer(arguments) => person::answer(context, &arguments),
        Verb::WaiveReview(arguments) => person::waive(context, &arguments),
        Verb::Approve(arguments) => person::approve(context, arguments),
        Verb::RequestChanges(arguments) => person::request_changes(context, arguments),
        Verb::Reject(arguments) => person::reject(context, arguments),
        Verb::Stop(arguments) => person::stop(context, arguments),
        Verb::Handoff(arguments) => end::handoff(context, arguments),
        Verb::Cancel(arguments) => end::cancel(context, arguments),
        Verb::Clear => end::clear(context),
        Verb::Status(arguments) => status::status(context, &arguments),
        Verb::Next => status::next(context),
        Verb::Verify(arguments) => verify::verify(context, &arguments),
        Verb::Replay(arguments) => verify::replay(context, &arguments),
        Verb::CheckReceipt(arguments) => receipt::check_receipt(context, &arguments),
        Verb::Log => log::log(context),
        Verb::Report => report::report(context),
        Verb::Diagram(arguments) => diagram::diagram(context, &arguments),
        Verb::Lint(arguments) => lint::lint(context, &arguments),
        Verb::Doctor(arguments) => doctor::doctor(context, &arguments),
        Verb::Explain(arguments) => explain::explain(context, &arguments),
        Verb::Protocols(arguments) => explain::protocols(context, &arguments),
        Verb::Schema(arguments) => explain::schema(context, &arguments),
        Verb::Config(arguments) => config::config(context, &arguments),
        Verb::Outline(arguments) => outline::outline(context, &arguments),
        Verb::Completions(arguments) => completions::completions(context, &arguments),
    }
}

/// Tells what went wrong: as text on standard error, or as the one document on standard output.
fn tell(output: Output, failure: &Failure) -> Exit {
    if output.is_json {
        let mut error = serde_json::to_value(failure.reasons.first()).unwrap_or_default();
        if let (Some(members), true) = (error.as_object_mut(), failure.reasons.len() > 1) {
            members.insert("more".to_owned(), json!(failure.reasons.get(1..).unwrap_or_default()));
        }
        // Standard output is closed when this fails too; the exit code still tells.
        let _ = output.json(&json!({ "error": error }));
    } else {
        output.complain(&words::reasons("error", &failure.reasons));
    }
    failure.exit
}

/// True when the raw words ask for JSON, also when they make no sense otherwise.
fn asks_for_json(words: &[OsString]) -> bool {
    words.iter().take_while(|word| *word != "--").any(|word| word == "--json")
}

/// Help and version, or what is wrong with the words.
fn usage(output: Output, error: &clap::Error) -> Exit {
    let is_help = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if is_help || !output.is_json {
        // Nobody reads any more when this fails.
        let _ = error.print();
        return if is_help { Exit::Done } else { Exit::Refused };
    }
    let rendered = error.render().to_string();
    let (message, remedy) = split_usage(&rendered);
    let mut reason = Failure::argument("arguments", message);
    if let Some(remedy) = remedy {
        reason = reason.remedy(remedy);
    }
    tell(output, &reason.into())
}

/// The first paragraph of a usage error, and its tip.
fn split_usage(rendered: &str) -> (String, Option<String>) {
    let first: Vec<&str> =
        rendered.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let message = first.join(" ");
    let tip = rendered.lines().find_map(|line| line.trim().strip_prefix("tip: ").map(str::to_owned));
    (message.strip_prefix("error: ").unwrap_or(&message).to_owned(), tip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_recognised_before_the_words_are_understood() {
        let words = |list: &[&str]| list.iter().map(OsString::from).collect::<Vec<_>>();
        assert!(asks_for_json(&words(&["ralplan", "nonsense", "--json"])));
        assert!(!asks_for_json(&words(&["ralplan", "new", "--", "--json"])));
    }

    #[test]
    fn usage_errors_keep_their_sentence_and_their_tip() {
        let error = Arguments::try_parse_from(["ralplan", "statsu"]).unwrap_err();
        let (message, tip) = split_usage(&error.render().to_string());
        assert_eq!(message, "unrecognized subcommand 'statsu'");
        assert!(tip.is_some_and(|tip| tip.contains("status")));
    }
}
