//! `write`: submitting an artifact.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use ralplan_core::limits;
use ralplan_core::protocol::Protocol;
use ralplan_core::reason::{Code, Reason};
use ralplan_core::run::{Act, Actor, ActorKind, Assurance, Continuity, StatedVerdict, Write};
use ralplan_host::store::RunKey;

use crate::context::{Context, Reach};
use crate::exit::{Failure, Outcome};
use crate::{settings, words};

const LEADER: &str = "leader";
const PERSON: &str = "person";

/// Arguments of `write`.
#[derive(Args, Debug)]
pub(crate) struct WriteArgs {
    /// The stage
    #[arg(long, value_name = "STAGE")]
    stage: String,
    /// The role that writes [default: the one that the protocol names for the stage]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Number of the slot, 1 to 999 [default: the next]
    #[arg(long, value_name = "N")]
    stage_n: Option<u32>,
    /// Pass inside the iteration [default: the next]
    #[arg(long, value_name = "N")]
    pass: Option<u32>,
    #[command(flatten)]
    artifact: ArtifactArgs,
    /// Let the engine join the document, from what was reviewed and answered
    #[arg(long)]
    compose: bool,
    /// Digest of the draft that was read
    #[arg(long, value_name = "DIGEST")]
    draft_sha256: Option<String>,
    /// A verdict word beside the text
    #[arg(long, value_name = "[AXIS=]WORD")]
    verdict: Vec<String>,
    /// The one-time token of the assignment
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    #[command(flatten)]
    who: WhoArgs,
    #[command(flatten)]
    continuity: ContinuityArgs,
}

/// Where the text of an artifact comes from.
#[derive(Args, Debug, Default)]
#[group(multiple = false)]
pub(crate) struct ArtifactArgs {
    /// The artifact is this file
    #[arg(long, value_name = "PATH")]
    artifact_file: Option<PathBuf>,
    /// The artifact is this text
    #[arg(long, value_name = "TEXT")]
    artifact_text: Option<String>,
    /// The artifact comes on standard input
    #[arg(long)]
    artifact_stdin: bool,
}

/// Who writes.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "Who writes")]
struct WhoArgs {
    /// Id of the agent
    #[arg(long, value_name = "ID")]
    agent_id: Option<String>,
    /// Id of this start of the agent
    #[arg(long, value_name = "ID")]
    invocation_id: Option<String>,
    /// Turn of the conversation
    #[arg(long, value_name = "ID")]
    turn_id: Option<String>,
    /// What kind of actor it is [default: agent; host for what the leader lets be composed]
    #[arg(long, value_enum)]
    kind: Option<KindWord>,
}

/// What kind of actor writes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum KindWord {
    /// A model
    Agent,
    /// A person
    Person,
    /// The program that hosts the run
    Host,
}

/// How the agent of a lane goes on from an earlier pass.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = "How the agent goes on from an earlier pass")]
struct ContinuityArgs {
    /// Whether the agent can be resumed
    #[arg(long, value_name = "BOOL")]
    resumable: Option<bool>,
    /// Id of the lane in the agent's host
    #[arg(long, value_name = "ID")]
    lane_id: Option<String>,
    /// Id of the thread in the agent's host
    #[arg(long, value_name = "ID")]
    thread_id: Option<String>,
    /// Why another agent than before does the work
    #[arg(long, value_name = "REASON")]
    continuity_reason: Option<String>,
    /// The agent that could not be resumed
    #[arg(long, value_name = "ID")]
    attempted_id: Option<String>,
}

/// Submits an artifact.
pub(crate) fn write(context: &Context, arguments: WriteArgs) -> Outcome {
    let artifact = arguments.artifact.read()?;
    if artifact.is_none() && !arguments.compose {
        let flags =
            ["--artifact-file", "--artifact-text", "--artifact-stdin", "--compose"].map(str::to_owned);
        return Err(Failure::argument("artifact", "there is nothing to write")
            .expected(flags.to_vec())
            .into());
    }
    // A run that has just been closed answers too: the same write again is no error.
    let key = context.key(Reach::Any)?;
    let actor = arguments.actor(context, &key)?;
    let verdicts = arguments.verdicts(context, &key, actor.role.as_deref())?;
    let act = Act::Write(Box::new(Write {
        artifact,
        compose: arguments.compose,
        continuity: arguments.continuity.read(),
        draft_sha256: arguments.draft_sha256,
        pass: arguments.pass,
        stage: arguments.stage,
        stage_n: arguments.stage_n,
        token: arguments.token,
        verdicts,
    }));
    let submitted = context.submit_new(&key, &context.command(actor, act))?;
    words::acted(context, &key, &submitted)
}

impl WriteArgs {
    fn actor(&self, context: &Context, key: &RunKey) -> Result<Actor, Failure> {
        let role = match &self.role {
            Some(role) => Some(role.clone()),
            None => with_protocol(context, key, |protocol| role_of(protocol, &self.stage))?.flatten(),
        };
        let kind = match (self.who.kind, role.as_deref()) {
            (Some(KindWord::Agent), _) => ActorKind::Agent,
            (Some(KindWord::Host), _) => ActorKind::Host,
            (Some(KindWord::Person), _) | (None, Some(PERSON)) => ActorKind::Person,
            (None, Some(LEADER)) if self.compose => ActorKind::Host,
            (None, _) => ActorKind::Agent,
        };
        if kind == ActorKind::Person && context.is_driven() {
            return Err(Reason::new(Code::ApprovalNotPerson).at("--kind").into());
        }
        Ok(Actor {
            role: role.filter(|role| role != PERSON),
            agent_id: self.who.agent_id.clone(),
            invocation_id: self.who.invocation_id.clone(),
            turn_id: self.who.turn_id.clone(),
            ..Actor::new(kind, Assurance::Claimed)
        })
    }

    fn verdicts(
        &self,
        context: &Context,
        key: &RunKey,
        role: Option<&str>,
    ) -> Result<Vec<StatedVerdict>, Failure> {
        let needs_axis = self.verdict.iter().any(|verdict| !verdict.contains('='));
        let axis =
            if needs_axis { with_protocol(context, key, |protocol| axis_of(protocol, role))? } else { None };
        let stated = |verdict: &String| {
            if let Some((axis, token)) = verdict.split_once('=') {
                return Ok(StatedVerdict { axis: axis.to_owned(), token: token.to_owned() });
            }
            match &axis {
                Some(Ok(axis)) => Ok(StatedVerdict { axis: axis.clone(), token: verdict.clone() }),
                Some(Err(axes)) => {
                    let reason =
                        Failure::argument("--verdict", "the word fits several axes; name one as AXIS=WORD");
                    Err(reason.expected(axes.clone()).actual(verdict.as_str()).into())
                }
                None => Err(Failure::argument("--verdict", "the run has not been started").into()),
            }
        };
        self.verdict.iter().map(stated).collect()
    }
}

/// What the protocol of the run says; none when the run cannot be read.
fn with_protocol<T>(
    context: &Context,
    key: &RunKey,
    ask: impl FnOnce(&Protocol) -> T,
) -> Result<Option<T>, Failure> {
    let run = context.host()?.load(key)?;
    Ok(run.state().map(|state| ask(state.protocol())))
}

/// Who writes a stage when nobody is named: the leader where it may, else the first role.
fn role_of(protocol: &Protocol, stage: &str) -> Option<String> {
    let by = &protocol.stages.get(stage)?.by;
    let role = by.iter().find(|by| protocol.roles.contains_key(*by));
    let leader = by.iter().find(|by| *by == LEADER);
    let is_closing = protocol.closing.iter().any(|closing| closing == stage);
    (if is_closing { leader.or(role) } else { role.or(leader) }).or_else(|| by.first()).cloned()
}

/// The axis of a word without one: the only axis, or the only one that is stated beside the text.
fn axis_of(protocol: &Protocol, role: Option<&str>) -> Result<String, Vec<String>> {
    let axes = role
        .and_then(|role| protocol.roles.get(role))
        .map(|role| role.verdict.as_slice())
        .unwrap_or_default();
    let flags: Vec<&str> = axes.iter().filter(|axis| axis.flag).map(|axis| axis.axis.as_str()).collect();
    match (axes, flags.as_slice()) {
        ([only], _) => Ok(only.axis.clone()),
        (_, [only]) => Ok((*only).to_owned()),
        // The core says that this role gives no verdicts.
        ([], _) => Ok("verdict".to_owned()),
        _ => Err(axes.iter().map(|axis| format!("{}=WORD", axis.axis)).collect()),
    }
}

impl ContinuityArgs {
    fn read(self) -> Option<Continuity> {
        let continuity = Continuity {
            resumable: self.resumable,
            lane_id: self.lane_id,
            thread_id: self.thread_id,
            reason: self.continuity_reason,
            attempted_id: self.attempted_id,
        };
        (continuity != Continuity::default()).then_some(continuity)
    }
}

impl ArtifactArgs {
    /// The text; none when no flag gives one. A path is never taken for a text.
    pub(crate) fn read(&self) -> Result<Option<String>, Failure> {
        if let Some(path) = &self.artifact_file {
            return of_file(path).map(Some);
        }
        if let Some(text) = &self.artifact_text {
            return Ok(Some(text.clone()));
        }
        if !self.artifact_stdin {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let limit = limits::LEDGER_BYTES.saturating_add(1);
        std::io::stdin().lock().take(limit).read_to_end(&mut bytes).map_err(|error| {
            Failure::system(format!("cannot read standard input: {}", settings::plain(&error)))
        })?;
        text_of("standard input", bytes).map(Some)
    }
}

fn of_file(path: &Path) -> Result<String, Failure> {
    text_of(&path.display().to_string(), settings::artifact(path)?)
}

fn text_of(place: &str, bytes: Vec<u8>) -> Result<String, Failure> {
    let found = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    if found > limits::LEDGER_BYTES {
        return Err(Reason::new(Code::InputTooLarge).at(place).expected(limits::LEDGER_BYTES).into());
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes().iter().take(good).filter(|byte| **byte == b'\n').count() + 1;
        let reason = Reason::new(Code::InputNotUtf8).at(format!("{place}:{line}"));
        reason.actual(format!("the byte at offset {good} belongs to no character")).into()
    })
}

#[cfg(test)]
mod tests {
    use ralplan_core::protocol::built_in;

    use super::*;

    #[test]
    fn the_writer_of_a_stage_is_found() {
        let standard = built_in("standard").unwrap();
        assert_eq!(role_of(&standard, "planner").as_deref(), Some("planner"));
        assert_eq!(role_of(&standard, "critic").as_deref(), Some("critic"));
        assert_eq!(role_of(&standard, "final").as_deref(), Some("leader"));
        assert_eq!(role_of(&standard, "nothing"), None);
    }

    #[test]
    fn a_word_without_an_axis_goes_to_the_only_one_that_fits() {
        let gjc = built_in("gjc").unwrap();
        assert_eq!(axis_of(&gjc, Some("critic")).unwrap(), "verdict");
        assert_eq!(axis_of(&gjc, Some("architect")).unwrap(), "status");
        let mut two = gjc;
        for axis in &mut two.roles.get_mut("architect").unwrap().verdict {
            axis.flag = false;
        }
        assert_eq!(axis_of(&two, Some("architect")).unwrap_err(), ["status=WORD", "decision=WORD"]);
    }

    #[test]
    fn bytes_that_are_no_text_are_named_with_their_line() {
        let failure = text_of("plan.md", b"one\ntwo \xff".to_vec()).unwrap_err();
        assert_eq!(failure.reasons[0].code, Code::InputNotUtf8);
        assert_eq!(failure.reasons[0].at.as_deref(), Some("plan.md:2"));
    }

    #[test]
    fn a_mistyped_path_is_never_the_text() {
        let arguments = ArtifactArgs { artifact_file: Some("no-such.md".into()), ..ArtifactArgs::default() };
        assert_eq!(arguments.read().unwrap_err().reasons[0].code, Code::InputArtifactPath);
    }
}
