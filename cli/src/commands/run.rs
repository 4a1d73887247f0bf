//! `run`: starting a run, and driving its agents until only a person can go on.

mod ask;
mod ending;

use std::collections::BTreeMap;

use clap::Args;
use ralplan_core::document::nearest;
use ralplan_core::ledger::Isolation;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{Outcome as PlanOutcome, Run};
use ralplan_host::drive::{DriveEnd, DriveOptions, drive, leader};
use ralplan_host::process::{AgentCommand, CancelFlag};
use ralplan_host::settings::agent_of_line;
use ralplan_host::store::RunKey;

use super::start::{self, StartOptions};
use crate::context::{Context, Reach};
use crate::exit::{Failure, Outcome};
use crate::progress::Progress;
use crate::{settings, words};

/// Exit code of a program that was interrupted twice, as shells expect it.
const INTERRUPTED: i32 = 130;

/// Arguments of `run`.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// What is to be planned
    #[arg(required_unless_present_any = ["resume", "from"], conflicts_with = "resume", value_name = "TASK")]
    task: Option<String>,
    /// Go on with a run that was interrupted
    #[arg(long, conflicts_with_all = ["protocol", "deliberate", "no_deliberate", "ask_first", "from",
        "max_iterations", "max_passes_per_lane", "automatic_handoff", "warn"])]
    resume: bool,
    /// The program of a role: prompt on standard input, artifact on standard output
    #[arg(long, value_name = "ROLE=COMMAND")]
    agent: Vec<String>,
    #[command(flatten)]
    options: StartOptions,
}

/// Starts or resumes a run and drives it.
pub(crate) fn run(context: &Context, arguments: &RunArgs) -> Outcome {
    if context.is_driven() {
        let reason = Failure::argument("run", "an agent that a driver started cannot drive a run of its own");
        return Err(reason.into());
    }
    let (key, agents) = if arguments.resume {
        resumed(context, arguments)?
    } else {
        let task = arguments.task.as_deref();
        let (key, command) = start::command(context, &arguments.options, task, Isolation::Process, leader())?;
        let agents = agents(context, arguments, Some(&command.act))?;
        let submitted = context.submit_new(&key, &command)?;
        if submitted.decision.receipt().is_none() {
            return words::acted(context, &key, &submitted);
        }
        context.output.note(&start::headline(&key, &submitted.run));
        (key, agents)
    };
    tell_built_in(context, &key, &agents)?;
    let progress = Progress::new(context.output);
    let end = drive_to_end(context, &key, &agents, arguments.options.interactive, &progress)?;
    ending::tell(context, &key, &end, &progress.finish())
}

fn resumed(
    context: &Context,
    arguments: &RunArgs,
) -> Result<(RunKey, BTreeMap<String, AgentCommand>), Failure> {
    let (key, run) = context.load(Reach::Any)?;
    let agents = agents(context, arguments, None)?;
    check_roles(arguments, run.state().map(|state| state.protocol()))?;
    context.output.note(&format!("run {}", key.run_id));
    Ok((key, agents))
}

/// Says which roles the built-in agents serve, because they guess where a model would read.
fn tell_built_in(
    context: &Context,
    key: &RunKey,
    agents: &BTreeMap<String, AgentCommand>,
) -> Result<(), Failure> {
    let run = context.host()?.load(key)?;
    let roles = run.state().into_iter().flat_map(|state| state.protocol().roles.keys());
    let served: Vec<&str> = roles.filter(|role| !agents.contains_key(*role)).map(String::as_str).collect();
    if !served.is_empty() {
        let served = served.join(", ");
        context.output.note(&format!("built-in agents, which guess where a model would read: {served}"));
    }
    Ok(())
}

/// Drives, and asks a person in between when one is there.
fn drive_to_end(
    context: &Context,
    key: &RunKey,
    agents: &BTreeMap<String, AgentCommand>,
    is_interactive: bool,
    progress: &Progress,
) -> Result<DriveEnd, Failure> {
    let host = context.host()?;
    let cancel = CancelFlag::default();
    listen_for_interrupts(&cancel)?;
    let root = context.root()?;
    let fallback = outline()?;
    let can_ask =
        ask::is_person_there(context.output) && (is_interactive || is_interactive_run(&host.load(key)?));
    loop {
        let mut asker = |question: &_| progress.pause(|| ask::put(question));
        let options = DriveOptions {
            agents: agents.clone(),
            fallback: &fallback,
            folder: &root,
            ask: if can_ask { Some(&mut asker) } else { None },
        };
        let end = drive(host, key, options, &|event| progress.show(&event), &cancel)?;
        let is_pending = matches!(end, DriveEnd::Outcome { outcome: PlanOutcome::PendingApproval });
        if !(is_pending && can_ask && progress.pause(|| ask::about_the_plan(context, key))?) {
            return Ok(end);
        }
    }
}

fn is_interactive_run(run: &Run) -> bool {
    run.state().is_some_and(|state| state.started().interactive)
}

/// The first interrupt asks the driver to stop; the second one ends the program.
fn listen_for_interrupts(cancel: &CancelFlag) -> Result<(), Failure> {
    let flag = cancel.clone();
    let on_interrupt = move || {
        if flag.is_cancelled() {
            std::process::exit(INTERRUPTED);
        }
        flag.cancel();
    };
    ctrlc::set_handler(on_interrupt)
        .map_err(|error| Failure::system(format!("interrupts cannot be caught: {error}")))
}

/// The built-in agents, which serve roles that no program was named for.
fn outline() -> Result<impl Fn(&str) -> AgentCommand + Sync, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::system(format!("the path of this program cannot be found: {error}")))?;
    let blank = agent_of_line("ralplan").map_err(Failure::system)?;
    Ok(move |role: &str| AgentCommand {
        argv: vec![program.display().to_string(), "outline".to_owned(), role.to_owned()],
        ..blank.clone()
    })
}

/// The agents of the settings file, and over them those of the flags.
fn agents(
    context: &Context,
    arguments: &RunArgs,
    act: Option<&ralplan_core::run::Act>,
) -> Result<BTreeMap<String, AgentCommand>, Failure> {
    let mut agents = settings::read(&context.root()?)?.agents;
    for flag in &arguments.agent {
        let (role, line) = flag.split_once('=').ok_or_else(|| {
            Failure::argument("--agent", "a role and its command are expected")
                .expected("ROLE=COMMAND")
                .actual(flag.as_str())
        })?;
        let agent = agent_of_line(line)
            .map_err(|message| Failure::argument("--agent", message).actual(flag.as_str()))?;
        agents.insert(role.trim().to_owned(), agent);
    }
    if let Some(ralplan_core::run::Act::Start(start)) = act {
        check_roles(arguments, Some(&start.protocol))?;
    }
    Ok(agents)
}

/// A flag for a role that the protocol does not have would be ignored in silence; it is refused instead.
fn check_roles(
    arguments: &RunArgs,
    protocol: Option<&ralplan_core::protocol::Protocol>,
) -> Result<(), Failure> {
    let Some(protocol) = protocol else { return Ok(()) };
    for role in arguments.agent.iter().filter_map(|flag| flag.split('=').next()).map(str::trim) {
        if protocol.roles.contains_key(role) {
            continue;
        }
        let known: Vec<String> = protocol.roles.keys().cloned().collect();
        let mut reason = Reason::new(Code::InputRole).at("--agent").expected(known.clone()).actual(role);
        if let Some(near) = nearest(known.iter().map(String::as_str), role) {
            reason = reason.remedy(format!("did you mean `{near}`?"));
        }
        return Err(reason.into());
    }
    Ok(())
}
