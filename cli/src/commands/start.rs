//! `new`: starting a run.

use clap::{Args, ValueEnum};
use ralplan_core::ledger::{HostInfo, Isolation, Mode};
use ralplan_core::protocol::Protocol;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{Act, Actor, Command, Run, Setting, SettingsInput, Start};
use ralplan_host::store::RunKey;

use crate::context::{Context, Reach};
use crate::exit::{Failure, Outcome};
use crate::{ids, repository, settings, words};

/// Session of runs that name none.
const SESSION: &str = "local";
/// Protocol of runs that name none.
const PROTOCOL: &str = "standard";

/// Arguments of `new`.
#[derive(Args, Debug)]
pub(crate) struct NewArgs {
    /// What is to be planned
    #[arg(required_unless_present = "from", value_name = "TASK")]
    task: Option<String>,
    /// How the roles are kept apart
    #[arg(long, value_enum, default_value = "agent")]
    isolation: IsolationWord,
    #[command(flatten)]
    options: StartOptions,
}

/// How the roles are kept apart.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum IsolationWord {
    /// A process of its own for each role
    Process,
    /// An agent of its own for each role
    Agent,
    /// Not at all
    None,
}

/// What `new` and `run` have in common.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StartOptions {
    /// A built-in protocol, or the file of a protocol document [default: standard]
    #[arg(long, value_name = "NAME|FILE")]
    protocol: Option<String>,
    /// Ask for the deliberate mode, whatever the task says
    #[arg(long)]
    deliberate: bool,
    /// Forbid the deliberate mode
    #[arg(long, conflicts_with = "deliberate")]
    no_deliberate: bool,
    /// Ask a person at the decision points
    #[arg(long)]
    pub(crate) interactive: bool,
    /// Let questions come before the first draft, where the protocol has them
    #[arg(long)]
    ask_first: bool,
    /// Go on from another run: its task, protocol and settings
    #[arg(long, value_name = "RUN", conflicts_with = "protocol")]
    from: Option<String>,
    /// Most drafts
    #[arg(long, value_name = "N")]
    max_iterations: Option<u32>,
    /// Most reviews of one reviewer in one iteration
    #[arg(long, value_name = "N")]
    max_passes_per_lane: Option<u32>,
    /// Target of an automatic handoff, or `off`
    #[arg(long, value_name = "TARGET")]
    automatic_handoff: Option<String>,
    /// A reason code, or a prefix such as `document.*`, that only warns
    #[arg(long, value_name = "CODE")]
    warn: Vec<String>,
}

/// Starts a run that other programs drive.
pub(crate) fn new(context: &Context, arguments: &NewArgs) -> Outcome {
    let isolation = match arguments.isolation {
        IsolationWord::Process => Isolation::Process,
        IsolationWord::Agent => Isolation::Agent,
        IsolationWord::None => Isolation::None,
    };
    let task = arguments.task.as_deref();
    let (key, command) = command(context, &arguments.options, task, isolation, context.leader())?;
    let submitted = context.submit_new(&key, &command)?;
    if !context.output.is_json && submitted.decision.receipt().is_some() {
        context.output.text(&headline(&key, &submitted.run))?;
    }
    words::acted(context, &key, &submitted)
}

/// What a run is called, where it lies, and how thorough its plan must be.
pub(crate) fn headline(key: &RunKey, run: &Run) -> String {
    let mode = run.state().map(|state| state.started()).filter(|started| started.mode == Mode::Deliberate);
    let mode = mode.map(|started| {
        let words: Vec<&str> = started.risks.iter().map(|risk| risk.word.as_str()).collect();
        let because =
            if words.is_empty() { String::new() } else { format!(" (the task says: {})", words.join(", ")) };
        format!("\n  deliberate mode{because}")
    });
    format!("run {}\n  {}{}", key.run_id, key.ledger, mode.unwrap_or_default())
}

/// The command that starts a run, and the key of the run.
pub(crate) fn command(
    context: &Context,
    options: &StartOptions,
    task: Option<&str>,
    isolation: Isolation,
    leader: Actor,
) -> Result<(RunKey, Command), Failure> {
    let root = context.root()?;
    let file = settings::read(&root)?;
    let origin = origin(context, options)?;
    let protocol = match (&origin, &options.protocol, &file.protocol) {
        (Some(origin), _, _) => origin.protocol.clone(),
        (None, Some(name), _) => settings::protocol(name)?,
        (None, None, Some(set)) => {
            of_settings(&root, &set.value).map_err(|failure| named(failure, &set.source))?
        }
        (None, None, None) => settings::protocol(PROTOCOL)?,
    };
    let mut input =
        origin.as_ref().map_or_else(|| settings::of_file(&file), |origin| origin.settings.clone());
    options.overlay(&mut input);
    let task = task.map(str::to_owned).or_else(|| origin.as_ref().map(|origin| origin.task.clone()));
    let run_id = context.run_id().map_or_else(ids::run_id, |id| Ok(id.to_owned()))?;
    let session_id = context.session_id().unwrap_or(SESSION).to_owned();
    let key = context.host()?.key(&protocol, &run_id, &session_id);
    let start = Start {
        ask_first: options.ask_first,
        binding: repository::binding(&root),
        continues: options.from.clone(),
        deliberate: options.mode().or(file.deliberate.map(|set| set.value)),
        found: Vec::new(),
        host: HostInfo { name: "ralplan".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        interactive: options.interactive,
        isolation,
        owner_session_id: session_id,
        protocol: Box::new(protocol),
        run_id,
        settings: input,
        task: task.unwrap_or_default(),
    };
    Ok((key, context.command(leader, Act::Start(Box::new(start)))))
}

/// The protocol that a settings file names: built in, or a file from the root.
fn of_settings(root: &std::path::Path, name: &str) -> Result<Protocol, Failure> {
    let path = root.join(name);
    if path.is_file() { settings::protocol_file(&path) } else { settings::protocol(name) }
}

fn named(mut failure: Failure, source: &str) -> Failure {
    for reason in &mut failure.reasons {
        reason.at = Some(match reason.at.take() {
            Some(at) if at != "--protocol" => format!("{source}: {at}"),
            _ => source.to_owned(),
        });
    }
    failure
}

/// What a run takes from the one it goes on from.
struct Origin {
    protocol: Protocol,
    settings: SettingsInput,
    task: String,
}

fn origin(context: &Context, options: &StartOptions) -> Result<Option<Origin>, Failure> {
    let Some(from) = &options.from else { return Ok(None) };
    let key = context.key_of(Some(from), Reach::Any)?;
    let run = context.host()?.load(&key)?;
    let Some(state) = run.state() else {
        let reason = run.health().reason().unwrap_or_else(|| Reason::new(Code::RunNotStarted));
        return Err(reason.at(from.as_str()).into());
    };
    Ok(Some(Origin {
        protocol: state.protocol().clone(),
        settings: settings::of_run(from, state.settings()),
        task: state.started().task.clone(),
    }))
}

impl StartOptions {
    fn mode(&self) -> Option<bool> {
        match (self.deliberate, self.no_deliberate) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    /// Puts the flags over the settings.
    pub(crate) fn overlay(&self, input: &mut SettingsInput) {
        fn put<T: Clone>(slot: &mut Option<Setting<T>>, flag: &str, value: Option<T>) {
            if let Some(value) = value {
                *slot = Some(Setting { source: flag.to_owned(), value });
            }
        }
        put(&mut input.max_iterations, "--max-iterations", self.max_iterations);
        put(&mut input.max_passes_per_lane, "--max-passes-per-lane", self.max_passes_per_lane);
        put(&mut input.automatic_handoff, "--automatic-handoff", self.automatic_handoff.clone());
        put(&mut input.warn, "--warn", (!self.warn.is_empty()).then(|| self.warn.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_win_over_the_file_and_are_named_as_the_source() {
        let mut input = SettingsInput {
            max_iterations: Some(Setting { source: "ralplan.toml:1".to_owned(), value: 3 }),
            automatic_handoff: Some(Setting { source: "ralplan.toml:2".to_owned(), value: "off".to_owned() }),
            ..SettingsInput::default()
        };
        let options = StartOptions { max_iterations: Some(7), ..StartOptions::default() };
        options.overlay(&mut input);
        let iterations = input.max_iterations.unwrap();
        assert_eq!((iterations.source.as_str(), iterations.value), ("--max-iterations", 7));
        assert_eq!(input.automatic_handoff.unwrap().source, "ralplan.toml:2");
    }
}
