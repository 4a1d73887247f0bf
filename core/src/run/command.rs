//! What a host asks the core to do.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::actor::{Actor, Channel, Continuity};
use super::settings::SettingsInput;
use crate::json::{self, Limits};
use crate::ledger::{
    AnswerOutcome, ApprovalAnswer, ForeignSlot, HandoffStep, HostInfo, Isolation, RecordKind,
    RepositoryBinding,
};
use crate::protocol::Protocol;
use crate::reason::{Code, Reason};

/// Starts a run.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    /// True when questions come before the draft.
    #[serde(default)]
    pub ask_first: bool,
    /// The repository.
    #[serde(default)]
    pub binding: RepositoryBinding,
    /// Run that this one continues.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continues: Option<String>,
    /// Forces or forbids deliberate mode; absent lets the words of the task decide.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deliberate: Option<bool>,
    /// Files that occupy slots already.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<ForeignSlot>,
    /// The host.
    pub host: HostInfo,
    /// True when a person is asked at decision points.
    #[serde(default)]
    pub interactive: bool,
    /// How the roles are separated.
    pub isolation: Isolation,
    /// Session that owns the run.
    pub owner_session_id: String,
    /// The protocol document.
    pub protocol: Box<Protocol>,
    /// Id of the run.
    pub run_id: String,
    /// Settings.
    #[serde(default)]
    pub settings: SettingsInput,
    /// What is to be planned.
    pub task: String,
}

/// Hands an assignment to a role.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Assign {
    /// Start of the agent this is for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub invocation_id: Option<String>,
    /// The role.
    pub role: String,
    /// Stage to be written; absent takes the next one of the role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<String>,
    /// Digest of a one-time token that the host drew.
    pub token_sha256: String,
}

/// A verdict word stated beside the text.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct StatedVerdict {
    /// The axis.
    pub axis: String,
    /// The word.
    pub token: String,
}

/// Submits an artifact.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Write {
    /// The text; with `compose` the closing sections to add, which may be absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub artifact: Option<String>,
    /// For finals and reconciliations: the core joins the document.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub compose: bool,
    /// How the agent goes on from an earlier pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub continuity: Option<Continuity>,
    /// For reviews and finals: the draft that was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft_sha256: Option<String>,
    /// Pass of the lane inside the iteration, from 1; absent takes the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<u32>,
    /// The stage.
    pub stage: String,
    /// Number of the slot; absent takes the next.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage_n: Option<u32>,
    /// One-time token of the assignment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Verdict words stated beside the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<StatedVerdict>,
}

/// Answers an open item.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    /// Through which channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// The item.
    pub item_id: String,
    /// What is said.
    pub outcome: AnswerOutcome,
    /// In words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Waives the review of the current draft.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct WaiveReview {
    /// Through which channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Answers the plan.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Approval {
    /// The answer.
    pub answer: ApprovalAnswer,
    /// Through which channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// What should change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comments: Option<String>,
    /// Hash of the entry that holds the plan; may be left out when `sha256` is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_hash: Option<String>,
    /// Digest of the plan that the person read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// Target that the person named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// Hands the plan off.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Handoff {
    /// Ready or dispatch.
    pub step: HandoffStep,
    /// Where it goes; absent takes the admitted target.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// Records something beside the artifacts.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Digest of the evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence_sha256: Option<String>,
    /// What kind of record.
    pub kind: RecordKind,
    /// Role, gate or phase.
    pub name: String,
    /// For example `agent.timeout`, `pass`, `fail`.
    pub outcome: String,
    /// In words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Gives the run to another session.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Transfer {
    /// The new owner.
    pub owner_session_id: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// Changes settings.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Configure {
    /// Through which channel, when a person does it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub channel: Option<Channel>,
    /// The new values.
    pub settings: SettingsInput,
}

/// Adds a note that no decision reads.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Annotate {
    /// What the note is about.
    pub name: String,
    /// The note.
    pub text: String,
}

/// Takes note of files of another program.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Import {
    /// The slots they occupy.
    pub slots: Vec<ForeignSlot>,
}

/// Accepts the loss of entries.
#[derive(Clone, Debug, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// Slots found on disk.
    #[serde(default)]
    pub slots: Vec<ForeignSlot>,
}

/// Ends the run.
#[derive(Clone, Debug, Default, Deserialize, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Cancel {
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// What is to be done.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Act {
    /// Starts a run.
    Start(Box<Start>),
    /// Hands an assignment to a role.
    Assign(Assign),
    /// Submits an artifact.
    Write(Box<Write>),
    /// Answers an open item.
    Answer(Answer),
    /// Waives the review of the current draft.
    WaiveReview(WaiveReview),
    /// Answers the plan.
    Approval(Approval),
    /// Hands the plan off.
    Handoff(Handoff),
    /// Records something beside the artifacts.
    Record(Record),
    /// Gives the run to another session.
    Transfer(Transfer),
    /// Changes settings.
    Configure(Configure),
    /// Adds a note that no decision reads.
    Annotate(Annotate),
    /// Takes note of files of another program.
    Import(Import),
    /// Accepts the loss of entries.
    Recover(Recover),
    /// Ends the run.
    Cancel(Cancel),
}

/// The words of the commands.
pub const COMMANDS: &[&str] = &[
    "start",
    "assign",
    "write",
    "answer",
    "waive_review",
    "approval",
    "handoff",
    "record",
    "transfer",
    "configure",
    "annotate",
    "import",
    "recover",
    "cancel",
];

/// A command: who asks, when, and what for.
#[derive(Clone, Debug, Eq, JsonSchema, PartialEq, Serialize)]
pub struct Command {
    /// Who acts.
    pub actor: Actor,
    /// When: RFC 3339, UTC, with milliseconds.
    pub at: String,
    /// Session that the caller takes for the owner; refused when it is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// What is to be done.
    #[serde(flatten)]
    pub act: Act,
}

#[derive(Deserialize)]
struct Envelope {
    actor: Actor,
    at: String,
    #[serde(default)]
    owner: Option<String>,
}

impl Command {
    /// Reads a command from JSON text.
    ///
    /// # Errors
    /// One reason per command: not strict JSON, an unknown command or field, a missing field or a wrong type, with
    /// the path of the field.
    pub fn parse(text: &[u8]) -> Result<Command, Box<Reason>> {
        let value = json::parse(text, &Limits::default()).map_err(|error| Box::new(Reason::from(&error)))?;
        Command::from_value(value)
    }

    /// Reads a command from a JSON value.
    ///
    /// # Errors
    /// As [`Command::parse`], without the checks of the text.
    pub fn from_value(value: Value) -> Result<Command, Box<Reason>> {
        let Value::Object(mut members) = value else {
            return Err(Box::new(Reason::new(Code::InputWrongType).expected("an object").at("$")));
        };
        let mut envelope = serde_json::Map::new();
        for key in ["actor", "at", "owner"] {
            if let Some(member) = members.remove(key) {
                envelope.insert(key.to_owned(), member);
            }
        }
        let word = match members.remove("command") {
            Some(Value::String(word)) => word,
            Some(_) => {
                return Err(Box::new(Reason::new(Code::InputWrongType).at("command").expected("a string")));
            }
            None => {
                return Err(Box::new(Reason::new(Code::InputMissingField).at("command").expected(words())));
            }
        };
        let Envelope { actor, at, owner } = shape(Value::Object(envelope))?;
        let act = read_act(&word, Value::Object(members))?;
        Ok(Command { actor, at, owner, act })
    }
}

fn words() -> Vec<String> {
    COMMANDS.iter().map(|&word| word.to_owned()).collect()
}

fn shape<T: serde::de::DeserializeOwned>(value: Value) -> Result<T, Box<Reason>> {
    json::from_value(value).map_err(|error| Box::new(Reason::from(&error)))
}

fn read_act(word: &str, fields: Value) -> Result<Act, Box<Reason>> {
    Ok(match word {
        "start" => Act::Start(shape(fields)?),
        "assign" => Act::Assign(shape(fields)?),
        "write" => Act::Write(shape(fields)?),
        "answer" => Act::Answer(shape(fields)?),
        "waive_review" => Act::WaiveReview(shape(fields)?),
        "approval" => Act::Approval(shape(fields)?),
        "handoff" => Act::Handoff(shape(fields)?),
        "record" => Act::Record(shape(fields)?),
        "transfer" => Act::Transfer(shape(fields)?),
        "configure" => Act::Configure(shape(fields)?),
        "annotate" => Act::Annotate(shape(fields)?),
        "import" => Act::Import(shape(fields)?),
        "recover" => Act::Recover(shape(fields)?),
        "cancel" => Act::Cancel(shape(fields)?),
        other => {
            return Err(Box::new(
                Reason::new(Code::InputUnknownValue).at("command").expected(words()).actual(other),
            ));
        }
    })
}
